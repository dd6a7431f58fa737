// Sweeps over heads and words: every number is compared with a run of its own that shares no code with the page. For
// models of the reader that is the float64 oracle with the output of a head set to zero, or with a mask for a word.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, it } from 'node:test';
import { loadAttention } from 'attention-wasm';
import { ablate, knockout, loadModel } from 'attention-wasm/models';
import { effectOf, largest, whole } from '../../../web/demo/state/effects.js';
import { createGrid, sentenceOf } from '../../../web/demo/page/sweep/sweep_map.js';
import { sweep } from '../../../web/demo/worker/sweep/sweep.js';
import { sources } from '../../../web/demo/worker/sources/source_list.js';
import { openModel } from '../../../web/demo/worker/models/open_model.js';
import { cases } from '../../support/js/models_with_tokens.js';
import { logitsOf } from '../../support/js/oracle_measures.js';
import { oracleModel } from '../../support/js/oracle_model.js';
import { root } from '../../support/js/package.js';
import { seededWeights } from '../../support/js/seeded_weights.js';
import { fillingFiles } from '../../support/js/whole_models.js';
import { filesOf, folderOf } from '../../support/js/own_model.js';

const api = await loadAttention();
const [trained, own] = ['model', 'own'].map((id) => sources.find((one) => one.id === id));
const context = {
  api,
  step: async () => {},
  report: () => {},
  signal: new AbortController().signal,
};
const range = (count) => Array.from({ length: count }, (_, at) => at);

/** Reads texts with a source, and measures: { plan, runs, why, messages, reading }. */
async function measured(source, request, question, more = {}) {
  const reading = await source.read(request, context);
  const got = { runs: [], messages: 0, reading };
  const tell = ({ plan, first, runs, ...rest }) => {
    ++got.messages;
    if (plan) got.plan = plan;
    if (runs) {
      assert.equal(first, got.runs.length);
      got.runs.push(...runs);
    }
    Object.assign(got, rest);
  };
  const asked = { part: reading.parts[0].id, row: 0, ...question };
  await sweep({ source, request, reading }, asked, { ...context, tell, ...more });
  return got;
}

const logSoftmax = (logits, id) => {
  const largestOf = Math.max(...logits);
  return logits[id] - largestOf - Math.log(logits.reduce((s, l) => s + Math.exp(l - largestOf), 0));
};
const argmax = (list) => list.indexOf(Math.max(...list));

function assertNear(got, want, allowed, what) {
  assert.equal(got.length, want.length, what);
  want.forEach((one, at) => {
    assert.ok(Math.abs(got[at] - one) <= allowed, `${what}, ${at}: ${got[at]} instead of ${one}`);
  });
}

// ---- the trained model ---------------------------------------------------------------------------

const checkpoint = async () => {
  const read = (name) => readFileSync(join(root, 'web/model', name));
  return loadModel({
    config: JSON.parse(read('config.json')),
    weights: read('english_french.safetensors'),
    tokenizer: JSON.parse(read('tokenizer.json')),
  });
};

const english = 'The red car is in front of the house.';
const encoderLayers = [0, 1, 2, 3, 4];
const inCross = { mode: 'cross', first: '', second: english };

/**
 * ln p of each target in a run of the whole checkpoint with edits: its tokens, the first one among those that start a
 * word, and that another word starts after them.
 */
function referenceFor(model, reading, targets) {
  const idsOf = (labels) => labels.map(({ id }) => id);
  const ids = idsOf(reading.columns);
  const written = idsOf(reading.rows);
  const decoder = reading.parts.find(({ id }) => id === 'decoder.0');
  const decoderIds = idsOf(decoder.columns);
  const inWord = /^[\p{L}\p{M}\p{N}]/u;
  const isIn = (row) => row > 0 && inWord.test(model.tokenizer.tokenOf(written[row - 1]).slice(-1));
  const isContinuing = (token) => {
    const byte = /^<0x(..)>$/.exec(token)?.[1];
    const character = byte && Number.parseInt(byte, 16) >= 0x80 ? 'é' : token;
    const spelled = byte && character === token ? String.fromCharCode(`0x${byte}`) : character;
    return inWord.test(spelled) || spelled.startsWith("'");
  };
  return (edits) => {
    const { logits } = model.run({ ids, decoderIds }, { edits });
    const width = logits.dims[1];
    const continuing = range(width).map(
      (id) => id > 2 && isContinuing(model.tokenizer.tokenOf(id)),
    );
    const rows = written.map((_, row) => {
      const powers = Array.from(logits.data.subarray(row * width, (row + 1) * width), Math.exp);
      const total = (isPart) =>
        powers.reduce((sum, x, id) => sum + (id > 1 && isPart(id) ? x : 0), 0);
      return {
        powers,
        all: total(() => true),
        starts: total((id) => !isIn(row) || !continuing[id]),
      };
    });
    return targets.map(({ tokens }) =>
      Math.log(
        tokens.reduce(
          (product, row, at) =>
            (product * rows[row].powers[written[row]]) /
            (at === 0 ? rows[row].starts : rows[row].all),
          1,
        ) * endOf(rows[tokens.at(-1) + 1]),
      ),
    );
  };
}

/** How likely the word before a row ends; nothing follows the end token. */
const endOf = (row) => (row ? row.starts / row.all : 1);

/** Edits that hide tokens of the English or the French from all others. */
function hiding(reading, stack, key) {
  const [columns, layers] =
    stack === 'encoder' ? [reading.columns.length, encoderLayers] : [reading.rows.length, [0, 1]];
  const query = range(columns).filter((token) => !key.includes(token));
  return [
    ...knockout({ layers, stack, query, key }),
    ...(stack === 'encoder' ? knockout({ layers: [0, 1], stack: 'cross', key }) : []),
  ];
}

describe('a sweep of the trained model', () => {
  it('over heads has the log probabilities of runs with each head’s output at zero', async () => {
    for (const block of [undefined, 'cross.1.0,encoder:1']) {
      const got = await measured(trained, { ...inCross, block }, { over: 'heads' });
      const model = await checkpoint();
      const run = referenceFor(model, got.reading, got.plan.targets);
      const { cells, targets, logProbabilities } = got.plan;
      const now = block
        ? [...ablate(1, 0, { stack: 'cross' }), ...hiding(got.reading, 'encoder', [1])]
        : [];
      assertNear(logProbabilities, run(now), 2e-5, 'before');
      assert.equal(
        cells.length,
        got.reading.parts.reduce((sum, { heads }) => sum + heads, 0),
      );
      assert.deepEqual([got.runs.length, got.isDone], [cells.length, true]);
      cells.forEach(({ part, head, isBlocked }, at) => {
        const [stack, layer] = part.split('.');
        const want = run([...now, ...ablate(Number(layer), head, { stack })]);
        assertNear(got.runs[at], want, 2e-5, `${part}, head ${head}`);
        assert.equal(isBlocked, block !== undefined && part === 'cross.1' && head === 0);
      });
      model.delete();
      if (block) continue;
      // The targets are the words of the translation, and a head of cross-attention matters for “rouge”.
      const words = targets.map(({ text }) => text);
      assert.equal(words.join(' '), 'La voiture rouge est devant la maison . </s>');
      // One number for one word: the list of next words has the same.
      for (const [at, { text, tokens }] of targets.entries()) {
        const { words: likeliest } = await got.reading.nextWords(tokens[0]);
        const next = likeliest.find((one) => one.text === text);
        assertNear([next.probability], [Math.exp(logProbabilities[at])], 1e-6, text);
      }
      const [{ index, effect }] = largest(got, words.indexOf('rouge'), 1);
      assert.ok(cells[index].part.startsWith('cross') && effect < -0.1, cells[index].part);
    }
  });

  it('over words has those of runs in which only the word sees itself', async () => {
    for (const [part, stack] of [
      ['cross.1', 'encoder'],
      ['decoder.1', 'decoder'],
    ]) {
      const got = await measured(trained, inCross, { over: 'words', part });
      const model = await checkpoint();
      const run = referenceFor(model, got.reading, got.plan.targets);
      got.plan.cells.forEach(({ columns, text }, at) => {
        const want = run(hiding(got.reading, stack, columns));
        assertNear(got.runs[at], want, 2e-5, text);
      });
      model.delete();
      if (stack === 'decoder') continue;
      // In the picture of the encoder alone, the translation has no rows.
      const alone = await measured(trained, { mode: 'self', first: english }, { over: 'words' });
      assert.equal(alone.plan.written, 'La voiture rouge est devant la maison.');
      assert.ok(alone.plan.targets.every(({ tokens }) => tokens.length === 0));
      assert.deepEqual(alone.runs, got.runs);
    }
  });

  it('stops when it is canceled', async () => {
    const controller = new AbortController();
    let runs = 0;
    const step = async () => {
      if (++runs === 5) controller.abort();
      controller.signal.throwIfAborted();
    };
    const more = { signal: controller.signal, step };
    await assert.rejects(measured(trained, inCross, { over: 'heads' }, more), {
      name: 'AbortError',
    });
    assert.equal(runs, 5);
  });
});

// ---- models of the reader --------------------------------------------------------------------------

/** ViT for pictures of three channels, and a picture. */
const { config: seeing, shapes: seen, ...vit } = cases['vit, newer names'];
const inColors = Object.entries(seen).map(([name, dims]) => [
  name,
  dims.length === 4 ? [dims[0], 3, ...dims.slice(2)] : dims,
]);
const pixels = {
  data: Float32Array.from(range(3 * seeing.image_size ** 2), (at) => Math.sin(7 * at)),
  dims: [3, seeing.image_size, seeing.image_size],
};
const models = {
  ...cases,
  vit: {
    ...vit,
    shapes: Object.fromEntries(inColors),
    config: { ...seeing, num_channels: 3 },
    input: { pixels },
  },
};

/** The oracle’s logits, rows × vocabulary, with edits; `plain`: a run with hiddenStates. */
function oracleLogits(name, plain) {
  const source = { config: models[name].config, weights: seededWeights(models[name]) };
  const inputs = plain.encoderHiddenStates
    ? { encoder: plain.encoderHiddenStates[0], decoder: plain.hiddenStates[0] }
    : { self: plain.hiddenStates[0] };
  // logitsOf() has the final norm.
  const count = plain.hiddenStates.length - 2;
  const stack = inputs.self ? 'self' : 'decoder';
  return (edits) => {
    const { captured, hidden } = oracleModel(source, inputs, edits);
    const { data, dims } = captured.get(`${stack} resid_post ${count}`) ?? hidden;
    return range(dims[0]).map((row) =>
      logitsOf(source, Array.from(data.slice(row * dims[1], (row + 1) * dims[1]))),
    );
  };
}

const tolerance = 1e-4; // float32 after two to four layers

describe('a sweep of a model of the reader', () => {
  afterEach(async () => openModel() && (await own.close()));

  for (const name of ['gpt2', 'qwen3', 'bert, masked words', 't5', 'vit']) {
    it(`over heads has the log probabilities of the float64 oracle: ${name}`, async () => {
      const { input } = models[name];
      await own.open({ files: folderOf(filesOf(models[name])) }, context);
      const { model, decoderStart, ends } = openModel();
      const { ids, decoderIds } = input;
      const isTwo = decoderIds !== undefined;
      const first = (decoderIds ?? ids)?.slice(isTwo ? 1 : 0).join(' ');
      if (input.pixels) openModel().pixels = input.pixels;
      const request = { mode: isTwo ? 'cross' : 'self', first, second: ids?.join(' ') };
      const got = await measured(own, request, { over: 'heads' });
      const start = isTwo && { decoderIds: [decoderStart, ...decoderIds.slice(1)] };
      const plain = model.run(ids ? { ids, ...start } : input, { hiddenStates: true });
      const logits = oracleLogits(name, plain);
      const before = input.pixels ? logits([]).slice(0, 1) : logits([]);
      // The next word of a decoder, what stands in a place, the class: the most likely; in a written text its own.
      const want = isTwo
        ? [...decoderIds.slice(1), ends[0]].map((id, row) => [row, id])
        : before.map((row, at) => [at, argmax(row)]);
      const probabilities = (all) => want.map(([row, id]) => logSoftmax(all[row], id));
      const { cells, targets } = got.plan;
      assert.equal(targets.length, want.length);
      assertNear(got.plan.logProbabilities, probabilities(before), tolerance, 'before');
      assert.deepEqual([got.runs.length, got.isDone], [cells.length, true]);
      cells.forEach(({ part, head }, at) => {
        const [stack, layer] = part.split('.');
        const edits = [{ at: 'z', stack, layer: Number(layer), head, to: 'zero' }];
        assertNear(got.runs[at], probabilities(logits(edits)), tolerance, `${part}, head ${head}`);
      });
      const differences = got.runs.map((run) => Math.abs(run[0] - got.plan.logProbabilities[0]));
      assert.ok(Math.max(...differences) > 10 * tolerance, `${differences}`);
    });
  }

  it('over words has those of the oracle with a mask', async () => {
    const { ids } = cases.gpt2.input;
    await own.open({ files: folderOf(filesOf(cases.gpt2)) }, context);
    const { model } = openModel();
    const got = await measured(own, { mode: 'self', first: ids.join(' ') }, { over: 'words' });
    const logits = oracleLogits('gpt2', model.run({ ids }, { hiddenStates: true }));
    const before = logits([]);
    const layer = range(model.layers);
    assert.equal(got.plan.cells.length, ids.length);
    got.plan.cells.forEach(({ columns: [key] }, at) => {
      const query = range(ids.length).filter((token) => token !== key);
      const all = logits([{ at: 'scores', layer, query, key, to: 'blocked' }]);
      const want = before.map((row, n) => logSoftmax(all[n], argmax(row)));
      assertNear(got.runs[at], want, tolerance, `word ${key}`);
    });
  });

  it('measures the difference of two logits at the selected token', async () => {
    const { ids } = cases.gpt2.input;
    await own.open({ files: folderOf(filesOf(cases.gpt2)) }, context);
    const { model } = openModel();
    const request = { mode: 'self', first: ids.join(' ') };
    const [one, other, row] = [3, 5, 2];
    const difference = [String(one), String(other)];
    const got = await measured(own, request, { over: 'heads', row, difference });
    const logits = oracleLogits('gpt2', model.run({ ids }, { hiddenStates: true }));
    const of = (all) => [all[row][one] - all[row][other]];
    const [target, ...more] = got.plan.targets;
    assert.deepEqual(
      [target, more, got.plan.versus],
      [{ text: '3', label: '3 / 5', tokens: [row] }, [], '5'],
    );
    assertNear(got.plan.logProbabilities, of(logits([])), tolerance, 'before');
    got.plan.cells.forEach(({ part, head }, at) => {
      const edits = [{ at: 'z', layer: Number(part.split('.')[1]), head, to: 'zero' }];
      assertNear(got.runs[at], of(logits(edits)), tolerance, `${part}, head ${head}`);
    });
    const { was } = effectOf(got, 0, 0);
    assert.ok(Math.abs(was - 1 / (1 + Math.exp(-of(logits([]))[0]))) < tolerance);
    const words = { over: 'heads', row, difference: ['3', '12345'] };
    assert.match((await measured(own, request, words)).why, /^“12345” is no single token/);
  });

  it('measures a text with too many logits at the selected token only', async () => {
    const { ids } = cases.gpt2.input;
    await own.open({ files: folderOf(filesOf(cases.gpt2)) }, context);
    const request = { mode: 'self', first: ids.join(' ') };
    const all = await measured(own, request, { over: 'heads' });
    const one = await measured(own, request, { over: 'heads', row: 2 }, { maxLogits: 10 });
    assert.deepEqual(one.plan.targets, [all.plan.targets[2]]);
    assert.deepEqual([one.plan.isPartial, all.plan.isPartial], [true, false]);
    one.runs.forEach((run, at) => assertNear(run, [all.runs[at][2]], 1e-6, `${at}`));
  });

  it('measures the mask, the likeliest class, or the label of each token', async () => {
    const ofTokens = cases['bert, classes of tokens'];
    for (const [files, first, rows, name] of [
      [folderOf(fillingFiles()), 'the cats [MASK] on the mat .', [4], /^\[MASK\] → /],
      [
        folderOf(filesOf(cases['bert, classes'])),
        cases['bert, classes'].input.ids.join(' '),
        [0],
        /./,
      ],
      [
        folderOf(filesOf(ofTokens)),
        ofTokens.input.ids.join(' '),
        range(ofTokens.input.ids.length),
        / → /,
      ],
    ]) {
      await own.open({ files }, context);
      const { plan, runs } = await measured(own, { mode: 'self', first }, { over: 'heads' });
      const { model } = openModel();
      const input = model.tokenizer ? first : { ids: first.split(' ').map(Number) };
      const rowsOf = ({ logits: { data, dims } }) =>
        rows.map((row) => Array.from(data.slice(row * dims.at(-1), (row + 1) * dims.at(-1))));
      const before = rowsOf(model.run(input));
      const after = rowsOf(model.run(input, { edits: ablate(0, 1) }));
      const logsOf = (all) => all.map((row, at) => logSoftmax(row, argmax(before[at])));
      assertNear(plan.logProbabilities, logsOf(before), 1e-6, 'before');
      assertNear(runs[1], logsOf(after), 1e-6, 'head 2');
      assert.match(plan.targets[0].label, name);
    }
  });

  it('says why a model without probabilities has nothing to measure', async () => {
    for (const [name, why] of [
      ['t5, encoder', /predicts nothing/],
      ['t5', /Cross/],
    ]) {
      await own.open({ files: folderOf(filesOf(cases[name])) }, context);
      const request = { mode: 'self', first: cases[name].input.ids.join(' ') };
      assert.match((await measured(own, request, { over: 'heads' })).why, why);
    }
  });
});

// ---- the page ----------------------------------------------------------------------------------------

describe('the map of a sweep', () => {
  const plan = {
    over: 'heads',
    whole: 'the translation',
    cells: [
      { text: 'head 1', part: 'cross.1', head: 0, block: 'cross.1.0' },
      { text: 'head 2', part: 'cross.1', head: 1, block: 'cross.1.1', isBlocked: true },
      { text: 'head 1', part: 'encoder.0', head: 0, block: 'encoder.0.0' },
    ],
    targets: [
      { text: 'La', label: 'La', tokens: [0] },
      { text: 'rouge', label: 'rouge', tokens: [1, 2] },
    ],
    logProbabilities: [Math.log(0.5), Math.log(0.8)],
  };
  const runs = [
    [Math.log(0.25), Math.log(0.8)],
    [Math.log(0.5), Math.log(0.8)],
  ];

  it('marks what is not measured, blocked, or no head, and lists the largest effects', () => {
    const grid = createGrid({ plan, runs }, 0);
    assert.deepEqual(grid.options.rowLabels, ['cross 2', 'encoder 1']);
    assert.deepEqual(Array.from(grid.options.unseen), [0, 2, 1, 1]);
    assert.equal(grid.cellAt({ row: 1, column: 1 }), null);
    assert.deepEqual(grid.placeOf({ index: 2, target: 0 }), { row: 1, column: 0 });
    const says = (index, target) => sentenceOf({ plan, runs }, { index, target });
    assert.equal(
      says(0, 0),
      'cross 2, head 1 switched off: “La” 50.0\u00a0% → 25.0\u00a0%, effect\u00a0−0.69',
    );
    assert.equal(
      says(0, whole),
      'cross 2, head 1 switched off: the translation 40.0\u00a0% → 20.0\u00a0%, effect\u00a0−0.69',
    );
    assert.match(says(1, 0), /already/);
    assert.match(says(2, 0), /not measured yet/);
    const all = [...runs, [Math.log(0.5), Math.log(0.1)]];
    const order = largest({ plan, runs: all }, 1, 3).map(({ index }) => index);
    assert.deepEqual(order, [2, 0]);
  });
});
