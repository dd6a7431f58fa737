// Parts of the reader's model: for every fixture, its queries, keys and scales give the weights that run() returns.

import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import { loadAttention } from 'attention-wasm';
import { loadModel } from 'attention-wasm/models';
import { inspect } from '../../../web/demo/worker/compute/inspection.js';
import { computeStages, computeWeights } from '../../../web/demo/worker/compute/stages.js';
import { close, open, read } from '../../../web/demo/worker/sources/own_model.js';
import { cancel, openModel } from '../../../web/demo/worker/models/open_model.js';
import { likeliest } from '../../../web/demo/worker/models/likeliest.js';
import { addressedFolder, chosenFolder } from '../../../web/demo/worker/models/model_folder.js';
import { normalized, rulesOf } from '../../../web/demo/worker/models/image_input.js';
import { labelsIn } from '../../../web/demo/worker/models/token_labels.js';
import { initialState } from '../../../web/demo/state_fields.js';
import { cases } from '../../support/js/models_with_tokens.js';
import { promptedFiles } from '../../support/js/prompted_encoder.js';
import { seededWeights } from '../../support/js/seeded_weights.js';
import { fillingFiles } from '../../support/js/whole_models.js';
import { filesOf, folderOf } from '../../support/js/own_model.js';

const api = await loadAttention();
const context = { api, step: async () => {}, report: () => {} };

/** Largest difference between the weights of parts and those of run(). */
function farthest(reading, kinds, attentions) {
  let most = 0;
  for (const kind of kinds) {
    const parts = reading.parts.filter(({ id }) => id.startsWith(`${kind}.`));
    parts.sort((a, b) => (a.id < b.id ? -1 : 1));
    assert.equal(parts.length, attentions[kind].length);
    parts.forEach((part, n) => {
      const drawn = computeWeights(api, part, reading, initialState);
      const { data } = attentions[kind][n];
      assert.equal(drawn.length, data.length, part.id);
      data.forEach((weight, at) => {
        const off = Math.abs(drawn[at] - weight);
        most = Math.max(most, Number.isNaN(off) ? Infinity : off);
      });
    });
  }
  return most;
}

const filesAt = (names) => names.map((path) => ({ path, file: new File([path], path) }));

const isText = ({ input }) => !input.pixels;

/** A signal, and what aborts it. */
function ending() {
  const controller = new AbortController();
  const end = () => controller.abort(new Error('it was canceled'));
  return { signal: controller.signal, end };
}

/** Makes this environment look like a page with this many cores. */
function pretendCores(t, hardwareConcurrency) {
  const saved = ['navigator', 'Worker'].map((name) => [
    name,
    Object.getOwnPropertyDescriptor(globalThis, name),
  ]);
  const define = (name, value) =>
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
  define('navigator', { hardwareConcurrency });
  define('Worker', class {});
  t.after(() => {
    for (const [name, descriptor] of saved) {
      if (descriptor) Object.defineProperty(globalThis, name, descriptor);
      else delete globalThis[name];
    }
  });
}

describe('a model of the reader’s own', () => {
  it('reads the default prompt of a sentence encoder, as run() does', async () => {
    await open({ files: folderOf(promptedFiles('query')) }, context);
    const { model } = openModel();
    const reading = await read({ mode: 'self', first: 'cats sleep' }, context);
    const { ids, attentions } = await model.run('cats sleep', { attentions: true });
    assert.deepEqual(reading.inputs.input.ids, ids);
    assert.ok(farthest(reading, ['self'], attentions) < 1e-5);
    const words = reading.rows.map(({ text, special, start }) => [text, special, start]);
    assert.deepEqual(words, [
      ['[CLS]', true, null],
      ['query:', false, null],
      ['cats', false, 0],
      ['sleep', false, 5],
      ['[SEP]', true, null],
    ]);
    assert.match(reading.note, /^The model puts “query:” before the text\./);
    assert.deepEqual(reading.texts, ['cats sleep']);
    await close();
    await open({ files: folderOf(promptedFiles()) }, context);
    const plain = await read({ mode: 'self', first: 'cats sleep' }, context);
    assert.deepEqual(plain.inputs.input.ids, [0, 3, 4, 1]);
    assert.doesNotMatch(plain.note, /The model puts/);
    await close();
  });

  for (const [cores, workers] of [
    [1, undefined],
    [2, 1], // one worker, as it is small
  ]) {
    it(`is computed ${workers ? 'on a pool' : 'in this thread'} with ${cores} cores`, async (t) => {
      pretendCores(t, cores);
      await open({ files: folderOf(filesOf(cases.llama)) }, context);
      assert.equal(openModel().model.workers, workers);
      const { parts } = await read({ mode: 'self', first: '1 2 3' }, context);
      assert.ok(parts.length > 1);
      if (workers) {
        const { signal, end } = ending();
        const reading = read({ mode: 'self', first: '1 2 3' }, { ...context, signal });
        end();
        await assert.rejects(reading, { message: 'it was canceled' });
      }
      await close();
    });
  }

  it('is loaded again for other kernels, if it is not closed meanwhile', async () => {
    const reference = await loadAttention({ kernels: 'reference' });
    await open({ files: folderOf(filesOf(cases.llama)) }, context);
    const before = openModel();
    const request = { mode: 'self', first: '1 2 3' };
    const weightsOf = async (given) => {
      const reading = await read(request, given);
      return computeWeights(given.api, reading.parts[1], reading, initialState);
    };
    const weights = await weightsOf(context);
    assert.equal(openModel(), before);
    const other = { ...context, api: reference };
    const [found] = await Promise.all([weightsOf(other), weightsOf(other)]);
    const { id, model } = openModel();
    assert.deepEqual([id, model === before.model], [before.id, false]);
    assert.throws(() => before.model.run([1]), /deleted/);
    assert.equal(found.length, weights.length);
    found.forEach((weight, at) => assert.ok(Math.abs(weight - weights[at]) < 1e-5, `${at}`));
    await assert.rejects(read(request, { ...context, report: cancel }), {
      message: 'Opening was canceled',
    });
    assert.equal(openModel().model, model);
    const changing = read(request, context);
    await close();
    assert.deepEqual((await changing).rows, []);
    assert.equal(openModel(), null);
    assert.throws(() => model.run([1]), /deleted/);
  });

  for (const [name, one] of Object.entries(cases).filter(([, each]) => isText(each))) {
    it(`draws the weights that run() returns: ${name}`, async () => {
      const model = await loadModel({ config: one.config, weights: seededWeights(one) });
      await open({ files: folderOf(filesOf(one)) }, context);
      const { ids, decoderIds } = one.input;
      const first = (decoderIds ?? ids).slice(decoderIds ? 1 : 0).join(' ');
      const isTwo = decoderIds !== undefined;
      const reading = await read(
        { mode: isTwo ? 'cross' : 'self', first, second: ids.join(' ') },
        context,
      );
      const start = one.config.decoder_start_token_id;
      const input = isTwo ? { ids, decoderIds: [start, ...decoderIds.slice(1)] } : { ids };
      const { attentions } = model.run(input, { attentions: true });
      model.delete();
      const kinds = isTwo
        ? ['encoder', 'decoder', 'cross']
        : [attentions.self ? 'self' : 'encoder'];
      assert.equal(reading.why, undefined);
      assert.ok(farthest(reading, kinds, attentions) < 1e-6);
      await close();
    });
  }

  it('names the origin of a learned bias in its files', async () => {
    const { input, ...t5 } = cases.t5;
    await open({ files: folderOf(filesOf(t5)) }, context);
    const [first, second] = [input.decoderIds.slice(1), input.ids].map((ids) => ids.join(' '));
    const reading = await read({ mode: 'cross', first, second }, context);
    const learned = seededWeights(t5);
    for (const part of reading.parts) {
      const computed = computeStages(api, part, reading, initialState);
      for (const [head, row, column] of [
        [0, 0, 0],
        [1, 3, 1],
        [1, 1, 3],
      ]) {
        const place = { head, row, column, kind: 'softmax' };
        const { bias, stages } = inspect(api, part, reading, computed, place);
        if (part.id.startsWith('cross')) {
          assert.equal(bias, undefined);
          continue;
        }
        const { number, name, bucket, distance } = bias;
        assert.equal(distance, column - row);
        const [side] = part.id.split('.');
        assert.match(name, RegExp(`${side}.*relative_attention_bias`));
        const { data, dims } = learned.get(name);
        assert.equal(number, data[bucket * dims[1] + head]);
        assert.equal(bucket > 3, distance > 0 && side === 'encoder');
        const isHidden = side === 'decoder' && column > row;
        const score = isHidden ? -Infinity : Math.fround(stages.scaled[column] + number);
        assert.equal(stages.masked[column], score);
      }
    }
    await close();
  });

  it('reads two texts as a pair, separated by the tokenizer’s separator', async () => {
    const whole = Object.entries(fillingFiles());
    const files = whole.map(([path, content]) => ({ path, file: new File([content], path) }));
    const model = await loadModel(files.map(({ file }) => file));
    const { attentions } = model.run(['the cat', 'dogs sat .'], { attentions: true });
    model.delete();
    await open({ files }, context);
    const reading = await read({ mode: 'self', first: 'the cat [SEP] dogs sat .' }, context);
    assert.ok(farthest(reading, ['self'], attentions) < 1e-6);
    assert.match(reading.note, /with \[SEP\] between them/);
    const end = reading.rows.findIndex(({ text }) => text === '[SEP]');
    assert.ok(end > 1 && end < reading.rows.length - 2);
    assert.deepEqual(
      reading.segments,
      reading.rows.map((_, at) => (at > end ? 1 : 0)),
    );
    const alone = await read({ mode: 'self', first: 'the cat dogs sat .' }, context);
    assert.equal(alone.segments, undefined);
    assert.equal(alone.rows.length, 8);
    await close();

    // A vocabulary that contains the separator but splits it in a text.
    const special = (id) => ({
      [id.length === 1 ? 'Sequence' : 'SpecialToken']: { id, type_id: 0 },
    });
    const words = { '[UNK]': 0, '[CLS]': 1, '[SEP]': 2, a: 3 };
    const tokenizer = {
      pre_tokenizer: { type: 'BertPreTokenizer' },
      post_processor: {
        type: 'TemplateProcessing',
        single: ['[CLS]', 'A', '[SEP]'].map(special),
        pair: [],
        special_tokens: Object.fromEntries(
          ['[CLS]', '[SEP]'].map((id) => [id, { id, ids: [words[id]], tokens: [id] }]),
        ),
      },
      model: {
        type: 'WordPiece',
        unk_token: '[UNK]',
        continuing_subword_prefix: '##',
        vocab: words,
      },
    };
    const split = files.filter(({ path }) => path !== 'vocab.txt');
    const described = new File([JSON.stringify(tokenizer)], 'tokenizer.json');
    await open({ files: [...split, { path: 'tokenizer.json', file: described }] }, context);
    const { rows, note } = await read({ mode: 'self', first: 'a [SEP] a' }, context);
    assert.deepEqual([rows.length, note], [7, undefined]);
    await close();
  });

  it('is the topmost folder with config.json, with weights of any name', async () => {
    const folder = chosenFolder(
      filesAt([
        'repo/1_Pooling/config.json',
        'repo/config.json',
        'repo/onnx/config.json',
        'repo/weights (1).safetensors',
      ]),
    );
    assert.equal(folder.name, 'repo');
    assert.equal(await folder.text('config.json'), 'repo/config.json');
    assert.equal(await folder.text('model.safetensors'), 'repo/weights (1).safetensors');
    assert.equal(await folder.text('tokenizer.json'), undefined);
    const { source } = folder;
    assert.equal(await source.text('1_Pooling/config.json'), 'repo/1_Pooling/config.json');
    assert.equal(await source.bytes('vocab.txt'), undefined);
    const found = [...(await folder.found()).keys()];
    assert.deepEqual(found, ['config.json', 'model.safetensors', '1_Pooling/config.json']);
  });

  it('refuses ambiguous weight files', async () => {
    const folder = chosenFolder(filesAt(['config.json', 'a.safetensors', 'b.safetensors']));
    assert.equal(folder.name, '');
    assert.equal(await folder.text('model.safetensors'), undefined);
    assert.equal(await folder.text('a.safetensors'), 'a.safetensors');
  });

  it('is refused if its images are unsupported, and the open model stays', async () => {
    await open({ files: folderOf(filesOf(cases['bert, masked words'])) }, context);
    await assert.rejects(
      open({ files: folderOf(filesOf(cases.vit)) }, context),
      /images have 2 channels, expected 3/,
    );
    const { rows } = await read({ mode: 'self', first: '5 3 9' }, context);
    assert.deepEqual(
      rows.map(({ text }) => text),
      ['5', '3', '9'],
    );
    const words = await read({ mode: 'self', first: 'the cat' }, context);
    assert.match(words.why, /without a tokenizer/);
    const across = await read({ mode: 'cross', first: '', second: '5' }, context);
    assert.match(across.why, /reads one text/);
    const { text } = await close();
    assert.equal(text, 'mine is closed');
    const { why } = await read({ mode: 'self', first: '5' }, context);
    assert.match(why, /^Open a model/);
  });

  it('labels tokens with their positions, and unknown words one by one', () => {
    const text = 'ab cd [MASK].';
    const spans = [
      [0, 0],
      [0, 5],
      [0, 5],
      [6, 12],
      [12, 13],
      [13, 13],
    ];
    const labels = labelsIn(text, ['[CLS]', '[UNK]', '[UNK]', '[MASK]', '.', '[SEP]'], spans);
    assert.deepEqual(
      labels.map((label) => [label.text, label.special]),
      [
        ['[CLS]', true],
        ['ab', false],
        ['cd', false],
        ['[MASK]', false],
        ['.', true],
        ['[SEP]', true],
      ],
    );
  });

  it('offers the most likely tokens with softmax probabilities', () => {
    const data = Float32Array.from([9, 9, 9, 9, 9, 9, 1, 3, 2, -1, 0, 1]);
    const found = likeliest({ data, dims: [2, 6] }, 1);
    const sum = [1, 3, 2, -1, 0, 1].reduce((total, logit) => total + Math.exp(logit), 0);
    assert.deepEqual(
      found.map(({ id }) => id),
      [1, 2, 0, 5, 4],
    );
    found.forEach(({ id, probability }) =>
      assert.ok(Math.abs(probability - Math.exp(data[6 + id]) / sum) < 1e-12),
    );
  });

  it('preprocesses images as its files say', () => {
    const patches = { image: [224, 224], patch: [16, 16] };
    const plain = rulesOf({}, patches);
    assert.deepEqual(
      [plain.sides, plain.shortest, plain.mean],
      [[224, 224], undefined, [0.5, 0.5, 0.5]],
    );
    const given = {
      size: { shortest_edge: 256 },
      crop_size: { height: 224, width: 224 },
      image_std: [1, 2, 4],
    };
    const cropped = rulesOf(given, { image: [518, 518], patch: [14, 14] });
    assert.deepEqual(
      [cropped.sides, cropped.shortest, cropped.deviation],
      [[224, 224], 256, [1, 2, 4]],
    );
    assert.deepEqual(rulesOf({}, { image: [518, 518], patch: [14, 14] }).sides, [336, 336]);
    const rules = { sides: [1, 2], factor: 1 / 255, mean: [0, 0.5, 1], deviation: [1, 0.5, 0.25] };
    const { data, dims } = normalized([255, 0, 51, 255, 0, 255, 255, 0], rules);
    assert.deepEqual(dims, [3, 1, 2]);
    [1, 0, -1, 1, -3.2, 0].forEach((value, at) => assert.ok(Math.abs(data[at] - value) < 1e-6));
  });
});

describe('the address of a model', () => {
  const given = globalThis.fetch;
  afterEach(() => {
    globalThis.fetch = given;
  });

  it('is that of a folder, or OWNER/NAME of a repository of the hub', async () => {
    const asked = [];
    globalThis.fetch = async (url) => {
      asked.push(String(url));
      return new Response('{}');
    };
    for (const [address, name, url] of [
      [
        'owner/a-model.v2',
        'owner/a-model.v2',
        'https://huggingface.co/owner/a-model.v2/resolve/main/',
      ],
      ['https://tea.example/models/bert/', 'bert', 'https://tea.example/models/bert/'],
    ]) {
      const folder = addressedFolder(address);
      assert.equal(folder.name, name);
      assert.equal(await folder.text('config.json'), '{}');
      assert.equal(asked.at(-1), `${url}config.json`);
    }
  });

  it('is refused if invalid', () => {
    for (const address of ['ftp://tea.example/bert', 'javascript:alert(1)', '../models']) {
      assert.throws(() => addressedFolder(address), /is no address/);
    }
  });
});
