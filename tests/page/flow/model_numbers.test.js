// The flow with a tiny model of every type: each number that it shows follows from the model's tensors, in float64, by
// the formula that it shows.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loadAttention } from 'attention-wasm';
import { close, open } from '../../../web/demo/worker/sources/own_model.js';
import { openModel } from '../../../web/demo/worker/models/open_model.js';
import { modelTypes } from '../../../web/lib/models/config/families.js';
import { capturedByOracle } from '../../support/js/captured_by_oracle.js';
import { h, textOf, written } from '../../support/js/components.js';
import { factsOf } from '../../support/js/model_facts.js';
import { cases } from '../../support/js/models_with_tokens.js';
import { nnTransformer } from '../../support/js/nn_transformer_case.js';
import { filesOf, folderOf } from '../../support/js/own_model.js';
import { askWorker, flowOf } from '../../support/js/page_answer.js';
import { assertShows, numberOf } from '../../support/js/page_numbers.js';
import { seededInput } from '../../support/js/seeded_weights.js';

const { Block } = await import('../../../web/demo/page/flow/block.jsx');

const context = { api: await loadAttention(), step: async () => {}, report: () => {} };

// The oracle has these cases of other fields than those of the first case of each type.
const others = [
  ...['gpt2, classes, scaled by layer', 'gpt_neox, one after the other', 'qwen2, layer_types'],
  ...['llama, rope_scaling llama3', 'llama, rope_scaling linear', 'llama, rope_parameters yarn'],
  ...['llama, rope_scaling dynamic', 'llama, rope_scaling longrope', 'llama, rope_parameters su'],
  ...['t5, gated', 't5, encoder', 'vit, newer names', 'dinov2, gated', 'stablelm, parallel'],
  ...['opt, projected', 'falcon, groups', 'falcon, alibi', 'gpt_bigcode, all heads'],
  ...['esm, positions', 'marian, two vocabularies', 'nn_transformer, norm_first'],
  ...['gemma2, large epsilon', 'gpt_neox, large epsilon'],
];

/** A case for pictures of three colors. */
function colored({ config, shapes, input, ...rest }) {
  const deep = ([name, dims]) => [name, dims.length === 4 ? dims.with(1, 3) : dims];
  return {
    ...{ ...rest, config: { ...config, num_channels: 3 } },
    shapes: Object.fromEntries(Object.entries(shapes).map(deep)),
    input: { pixels: input.pixels.with(0, 3) },
  };
}

const withFields = (one, fields) => ({ ...one, config: { ...one.config, ...fields } });

const all = {
  ...cases,
  nn_transformer: nnTransformer,
  'nn_transformer, norm_first': withFields(nnTransformer, { norm_first: true }),
  // An epsilon that is visible in the digits that are shown.
  'gemma2, large epsilon': withFields(cases.gemma2, { rms_norm_eps: 0.25 }),
  'gpt_neox, large epsilon': withFields(cases.gpt_neox, { layer_norm_eps: 0.25 }),
};
const chosen = new Map(
  [
    ...modelTypes.map((type) => [
      Object.entries(all).find(([, { config }]) => config.model_type === type)?.[0] ?? type,
    ]),
    ...others.map((name) => [name]),
  ].map(([name]) => [name, all[name]?.input.pixels ? colored(all[name]) : all[name]]),
);

// ---- the oracle --------------------------------------------------------------------------------------

/** Numbers of the oracle: at(stack, place, layer)(...indices) is a number, or a row if the last index is missing. */
async function oracleOf(one, input) {
  const captured = await capturedByOracle(one, input);
  return (stack, place, layer) => {
    const tensor = captured.get(`${stack} ${place} ${layer}`);
    return (
      tensor &&
      ((...indices) => {
        const { data, dims } = tensor;
        const width = dims.at(-1);
        let row = 0;
        indices.forEach((index, axis) => (row = row * dims[axis] + index));
        assert.equal(indices.length, dims.length - 1);
        return Array.from(data.slice(row * width, (row + 1) * width));
      })
    );
  };
}

const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);
const added = (...vectors) => vectors.reduce((a, b) => a.map((number, c) => number + b[c]));
const dot = (a, b) => sum(a.map((number, c) => number * b[c]));
const length = (vector) => Math.sqrt(dot(vector, vector));

/** A shown number against one of the oracle; float32 after some layers has seven digits. */
const shows = (text, value, what) =>
  assertShows(text, value, what, 4e-5 * Math.max(1, Math.abs(value)));

/** An equation whose numbers were rounded before they were shown. */
function assertFollows(value, text, what, terms) {
  const { value: total, half } = numberOf(text);
  const off = half + sum(terms.map((term) => numberOf(term).half));
  assert.ok(
    Math.abs(value - total) <= off * (1 + 1e-6) + 1e-5,
    `${what}: ${value}, shown ${total}`,
  );
}

// ---- the pair ----------------------------------------------------------------------------------------

/** Numbers of a pair: score before and behind position biases, weight, output, v W_O. */
function expectedPair(at, stack, layer, { head, row, column }) {
  const own = (place) => at(stack, place, layer);
  const heads = own('pattern');
  const keyHead = own('keyHead')(head);
  const q = own('q')(head, row);
  const k = own('k')(keyHead, column);
  const scores = own('scores')(head, row);
  return {
    ...{ raw: dot(q, k), width: q.length, scores, score: scores[column] },
    ...{ weight: heads(head, row)[column], output: own('z')(head, row) },
    moved: own('value_out')(head, column),
  };
}

/** Evaluates `1.234 ÷ √4, then 2 · tanh(s / 2) = 1.1, + 0.5 = 1.6` as it is written. */
function assertScale(line, { raw, width, score }, what) {
  const pattern =
    /^(\S+) (?:÷ √(\d+)|× (\S+?))(?:, then (\S+) · tanh\(s \/ (\S+)\))?(?: = (\S+), \+ (\S+))? = (\S+)$/;
  const [, first, root, factor, cap, sameCap, content, bias, total] = pattern.exec(line) ?? [];
  assert.ok(first, `${what}: ${line}`);
  shows(first, raw, `${what}: q·k`);
  if (root) assert.equal(Number(root), width, what);
  const scale = root ? 1 / Math.sqrt(width) : numberOf(factor).value;
  const scaled = raw * scale;
  const limit = cap && numberOf(cap).value;
  assert.equal(cap, sameCap);
  const capped = limit ? limit * Math.tanh(scaled / limit) : scaled;
  if (content) assertShows(content, capped, `${what}: before the bias`, 1e-3 * Math.abs(raw));
  const last = capped + (bias ? numberOf(bias).value : 0);
  // A factor is shown with some digits.
  assert.ok(
    Math.abs(last - numberOf(total).value) <= 2e-3 + 1e-3 * Math.abs(scaled),
    `${what}: ${line}`,
  );
  shows(total, score, `${what}: the score`);
  return bias;
}

/** The line of a bias's origin, evaluated: its number. */
function assertBias(line, bias, { row, column }, what) {
  const [, slope, distance] = /^b = −slope × distance = −(\S+) × (\d+)$/.exec(line) ?? [];
  if (slope) {
    assert.equal(Number(distance), Math.abs(row - column), what);
    assertFollows(-numberOf(slope).value * distance, bias, what, [bias]);
    return;
  }
  const terms = Array.from(line.matchAll(/(\S+) \((?:q · key|k · query) of the position\)/g));
  if (terms.length > 0) {
    const numbers = terms.map(([, term]) => term);
    assertFollows(sum(numbers.map((term) => numberOf(term).value)), bias, what, numbers);
    return;
  }
  const [, number] = /^b = (\S+): what the model learned for/.exec(line) ?? [];
  assert.equal(number, bias, `${what}: ${line}`);
}

function assertPair(sums, expected, place, what) {
  const { raw, scores, score, weight, output, moved } = expected;
  shows(/= (\S+(?: × 10\S+)?)$/.exec(sums.score[0])[1], raw, `${what}: q·k`);
  const bias = assertScale(sums.scale[0], expected, what);
  assert.equal(sums.scale.length, bias ? 2 : 1, what);
  if (bias) assertBias(sums.scale[1], bias, place, what);
  const seen = scores.filter((one) => one > -Infinity);
  assert.match(sums.mask[0], /is visible to/);
  assert.equal(sums.mask[1], `visible: ${seen.length} of ${scores.length}`, what);
  const top = Math.max(...seen);
  const total = sum(seen.map((one) => Math.exp(one - top)));
  const soft = /^exp\((\S+) − (\S+)\) \/ (\S+) = (\S+(?: × 10\S+)?)$/.exec(sums.softmax[0]);
  [score, top, total, weight].forEach((number, n) => shows(soft[n + 1], number, `${what}: weight`));
  shows(/= ([^=]+)$/.exec(sums.moved[0])[1], output[0], `${what}: the output`);
  const [, shownWeight, shownLength, shownMoved] = /\) = (\S+) × (\S+) = ([^=]+)$/.exec(
    sums.moved.find((line) => line.includes('√(')),
  );
  shows(shownWeight, weight, `${what}: the weight of v W_O`);
  shows(shownLength, length(moved), `${what}: ‖v W_O‖`);
  shows(shownMoved, weight * length(moved), `${what}: what moved`);
}

// ---- the block ---------------------------------------------------------------------------------------

/** Lines that the papers' order of computation has: [symbol, vector], or [symbol, input] of a norm. */
function expectedLines(at, stack, layer, row, { parallel, norms }) {
  const own = (place, side = stack) => at(side, place, layer)?.(row);
  const [x, a, m, y] = ['resid_pre', 'attn_out', 'mlp_out', 'resid_post'].map((place) =>
    own(place),
  );
  const mid = own('resid_mid');
  const c = stack === 'decoder' ? own('attn_out', 'cross') : undefined;
  const normed = (symbol, part, of) => (norms[part].includes('before') ? [{ symbol, of }] : []);
  const line = (symbol, vector) => ({ symbol, vector });
  if (parallel) {
    const first = [line('x', x), ...normed('norm(x)', 'attention', x)];
    return [...first, line('a', a), line('m', m), line('y = x + a + m', y)];
  }
  if (norms.attention.includes('after')) {
    const cross = c ? [{ symbol: 'norm', of: added(x, a) }, line('c', c)] : [];
    return [
      ...[line('x', x), line('a', a), line('x + a', added(x, a)), ...cross, line('h', mid)],
      ...[line('m', m), line('h + m', added(mid, m)), line('y', y)],
    ];
  }
  const cross = c
    ? [line('x + a', added(x, a)), ...normed('norm', 'crossAttention', added(x, a)), line('c', c)]
    : [];
  const total = c ? 'x + a + c' : 'x + a';
  return [
    ...[line('x', x), ...normed('norm(x)', 'attention', x), line('a', a), ...cross],
    ...[line(total, mid), ...normed('norm', 'feedForward', mid), line('m', m)],
    line(`y = ${total} + m`, y),
  ];
}

/** Lines of a block as they are shown. */
function shownBlock(inside) {
  const block = { answer: inside };
  const html = written(h(Block, { block, chosen: { whole: true }, change() {}, palette: 'blues' }));
  const lines = html.match(/<li.*?<\/li>/g).filter((line) => line.includes('class="says"'));
  const part = (line, name) =>
    textOf(new RegExp(`<span class="${name}">.*?</span>`).exec(line)?.[0] ?? '');
  const keys = ['symbol', 'says', 'norm', 'size'];
  return {
    lines: lines.map((line) => Object.fromEntries(keys.map((key) => [key, part(line, key)]))),
    sums: (html.match(/<p class="sum">.*?<\/p>/g) ?? []).map(textOf),
    hints: html.match(/<p class="hint">.*?<\/p>/g).map(textOf),
  };
}

/** A norm's formula with its numbers, of a kind that the papers say. */
function assertNorm(text, x, { norm, epsilon, normBias, normOffset }, what) {
  const learned = `, then ${normOffset ? `${normOffset} + ` : ''}a learned factor${normBias ? ' and shift' : ''}`;
  assert.ok(text.endsWith(learned), `${what}: ${text}`);
  const mean = sum(x) / x.length;
  const meanSquare = sum(x.map((a) => a * a)) / x.length;
  if (norm === 'rms') {
    const [, root] =
      /^number \/ (\S+): root mean square, √\(mean of squares \+ ε\)/.exec(text) ?? [];
    assert.ok(root, `${what}: ${text}`);
    shows(root, Math.sqrt(meanSquare + epsilon), what);
    return;
  }
  const pattern = /^\(number ([−+]) (\S+)\) \/ (\S+): mean and spread, √\(variance \+ ε\)/;
  const [, sign, shownMean, spread] = pattern.exec(text) ?? [];
  assert.ok(spread, `${what}: ${text}`);
  shows(shownMean, sign === '+' ? -mean : mean, what);
  shows(spread, Math.sqrt(sum(x.map((a) => (a - mean) ** 2)) / x.length + epsilon), what);
}

function assertChanges(says, { positions, residualScale }, what) {
  assert.equal(says.includes('normalized'), positions.includes('output'), `${what}: ${says}`);
  assert.equal(says.includes('learned factors'), residualScale === 'learned', `${what}: ${says}`);
  const [, factor] = /times ([\d.]+)/.exec(says) ?? [];
  assert.equal(
    factor && Number(factor),
    typeof residualScale === 'number' ? residualScale : undefined,
  );
}

function assertBlock(inside, lines, facts, what) {
  const shown = shownBlock(inside);
  assert.deepEqual(shown.lines.map(({ symbol }) => symbol), lines.map(({ symbol }) => symbol), what); // prettier-ignore
  lines.forEach(({ symbol, vector, of }, n) => {
    const line = shown.lines[n];
    const name = `${what}, ${symbol}`;
    if (of) {
      assertNorm(line.norm, of, facts, name);
      return;
    }
    assert.equal(line.norm, '', name);
    shows(/^length (\S+)$/.exec(line.size)[1], length(vector), name);
    const part = { a: 'attention', m: 'feedForward' }[symbol];
    const { residualScale } = facts;
    if (part) assertChanges(line.says, { positions: facts.norms[part], residualScale }, name);
  });
  // Sums of the first component.
  const byName = Object.fromEntries(lines.filter(({ vector }) => vector).map(({ symbol, vector }) => [symbol, vector[0]])); // prettier-ignore
  for (const text of shown.sums) {
    const [left, numbers, total] = text.split(' = ').slice(-3);
    const [names, terms] = [left, numbers].map((side) => side.split(' + '));
    const expected = names.map((name) => byName[name.replace(/_?1$/, '')]);
    terms.forEach((term, n) => shows(term, expected[n], `${what}: ${text}`));
    assertFollows(sum(terms.map((term) => numberOf(term).value)), total, `${what}: ${text}`, terms);
    const isLast = text.startsWith('y');
    shows(total, isLast ? lines.at(-1).vector[0] : sum(expected), `${what}: ${text}`);
  }
  const end = shown.hints.at(-1);
  const isEnd = inside.layer === inside.layers - 1;
  const hasHead = isEnd && inside.lens.why === undefined;
  const start = facts.finalNorm ? 'Then a last norm and the head' : 'Then the head';
  const expectedEnd = hasHead ? start : isEnd ? 'This is the last layer' : 'y is the x of layer';
  assert.ok(end.startsWith(expectedEnd), `${what}: ${end}`);
  assert.equal(shown.sums.length, facts.norms.attention.includes('after') ? 2 : 1);
}

// ---- every model -------------------------------------------------------------------------------------

/** Text fields and the model's input for a case. */
function askedOf({ config, input }) {
  if (input.pixels) return { state: { mode: 'self' }, input: seededInput({ input }) };
  const { ids, decoderIds } = input;
  if (!decoderIds) return { state: { mode: 'self', text: ids.join(' ') }, input: { ids } };
  const start = config.decoder_start_token_id;
  const rest = decoderIds.slice(1);
  return {
    state: { mode: 'cross', text: ids.join(' '), french: rest.join(' ') },
    input: { ids, decoderIds: [start, ...rest] },
  };
}

/** Places of a part where its row sees its column: in each head the first and the last row. */
function placesOf(pattern, heads, rows) {
  return [
    { head: 0, row: rows - 1 },
    { head: heads - 1, row: Math.min(1, rows - 1) },
    { head: heads - 1, row: rows - 1 },
  ].map(({ head, row }) => {
    const weights = pattern(head, row);
    return { head, row, column: weights.findIndex((weight) => weight > 0) };
  });
}

async function assertModel(one) {
  const { state, input } = askedOf(one);
  const oracle = await oracleOf(one, input);
  const ask = askWorker();
  const expected = factsOf(one.config);
  await open({ files: folderOf(filesOf(one)) }, context);
  try {
    if (input.pixels) Object.assign(openModel(), { pixels: input.pixels });
    const opening = { source: 'own', merge: false, hideSpecial: false, stage: 'moved', ...state };
    const { facts } = await ask(opening);
    const parts = facts.parts.filter(({ id }) => !id.endsWith('.rollout'));
    const names = Object.keys(expected);
    assert.equal(new Set(parts.map(({ id }) => id.split('.')[0])).size, names.length === 1 ? 1 : 3);
    for (const { id, heads } of parts) {
      const [kind, n] = id.split('.');
      const layer = Number(n);
      const stack = kind === 'cross' ? 'decoder' : kind;
      const { layer: ofLayer = () => ({}), ...shared } = expected[stack];
      const { norms = shared.norms } = ofLayer(layer);
      const keyHeads = kind === 'cross' ? heads : countKeyHeads(one.config, heads);
      const at = (side, place, number) =>
        place === 'keyHead'
          ? (head) => Math.floor(head / (heads / keyHeads))
          : oracle(side, place, number);
      const rows = (kind === 'encoder' ? input.ids : (input.decoderIds ?? input.ids))?.length ?? 5;
      for (const place of placesOf(at(kind, 'pattern', layer), heads, rows)) {
        const what = `${id} ${JSON.stringify(place)}`;
        const answer = await ask({ ...opening, part: id, ...place });
        const { sums } = flowOf(answer);
        assertPair(sums, expectedPair(at, kind, layer, place), place, what);
        const inside = await answer.answers.inside(place.row);
        const lines = expectedLines(at, stack, layer, place.row, { ...shared, norms });
        assertBlock(inside, lines, { ...shared, norms }, what);
      }
    }
  } finally {
    await close();
  }
}

/** Key/value heads of self-attention. */
function countKeyHeads(c, heads) {
  if (c.model_type === 'falcon') {
    if (c.new_decoder_architecture) return c.num_kv_heads;
    return c.multi_query ? 1 : heads;
  }
  if (c.model_type === 'gpt_bigcode') return c.multi_query ? 1 : heads;
  return c.num_key_value_heads ?? heads;
}

describe('the flow', () => {
  for (const [name, one] of chosen) {
    it(`shows numbers that follow from the tensors by its formulas: ${name}`, async () => {
      assert.ok(one, 'a tiny model of each type');
      await assertModel(one);
    });
  }
});
