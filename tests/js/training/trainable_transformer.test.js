// TrainableTransformer: learning, the same bits everywhere, snapshots, saving, and errors that leave it unchanged.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { loadModel } from 'attention-wasm/models';
import { loadTraining } from 'attention-wasm/training';
import { explainDifference } from '../../support/js/compare.js';
import {
  digestOfRun,
  expectedDigest,
  reverseSizes,
  trainReverse,
} from '../../support/js/training_runs.js';

const training = await loadTraining();
const { TrainableTransformer } = training;

const sizes = { kind: 'decoder', vocabulary: 5, width: 8, layers: 2, heads: 2, context: 6 };
const batch = { ids: [[0, 1, 2], [3]], targets: [[1, 2, 4], [0]] };
const options = { learningRate: 0.01 };

describe('TrainableTransformer', () => {
  it('has the digest of every engine after 50 steps', () => {
    assert.equal(digestOfRun(training), expectedDigest);
  });

  it('has it in a module that is passed, in an instance of its own', async () => {
    const wasm = await readFile(new URL(import.meta.resolve('attention-wasm/training.wasm')));
    const compiled = new WebAssembly.Module(wasm);
    for (const source of [wasm, compiled]) {
      const own = await loadTraining({ wasm: source });
      assert.notEqual(own, training);
      assert.equal(digestOfRun(own), expectedDigest);
    }
    assert.equal(await loadTraining(), training);
    assert.equal(await loadTraining({ wasm: null }), training);
    await assert.rejects(loadTraining({ module: compiled }), TypeError);
    await assert.rejects(loadTraining({ wasm: 5 }), /^TypeError: wasm must be bytes/);
  });

  it('learns to sort, in memory that does not grow after the first step', () => {
    const shape = { vocabulary: 3, width: 24, layers: 2, heads: 2, context: 11, tied: false };
    const model = new TrainableTransformer({ kind: 'decoder', ...shape, seed: 1 });
    let state = 1;
    const digit = () => ((state = (Math.imul(state, 1103515245) + 12345) >>> 0) >>> 16) % 3;
    const rows = () => {
      const digits = Array.from({ length: 6 }, digit);
      return [...digits, ...digits.toSorted()];
    };
    let loss;
    let memory;
    for (let step = 0; step < 250; step++) {
      const all = Array.from({ length: 32 }, rows);
      const ids = all.map((row) => row.slice(0, -1));
      const targets = all.map((row) => row.slice(1).map((id, at) => (at < 5 ? -1 : id)));
      const adamW = { learningRate: 2e-3, betas: [0.9, 0.95], weightDecay: 0.1, clip: 1 };
      ({ loss } = model.step({ ids, targets }, adamW));
      memory ??= training.memoryBytes();
    }
    assert.equal(training.memoryBytes(), memory);
    assert.ok(loss < 0.05, `loss ${loss}`);
    assert.deepEqual(model.generate([2, 0, 1, 1, 2, 0]), [0, 0, 1, 1, 2, 2]);
    assert.deepEqual(model.generate([2, 0, 1, 1, 2, 0], { end: 1 }), [0, 0]);
    model.delete();
  });

  it('continues from a snapshot with the same bits', () => {
    const model = new TrainableTransformer(reverseSizes);
    trainReverse(model, 0, 10);
    const snapshot = model.snapshot();
    trainReverse(model, 10, 20);
    const after = model.snapshot();
    const other = new TrainableTransformer({ ...reverseSizes, seed: 8 });
    other.restore(snapshot);
    assert.deepEqual([other.steps, snapshot.step], [10, 10]);
    trainReverse(other, 10, 20);
    assert.deepEqual(other.snapshot(), after);
  });

  it('pads and masks rows of different lengths', () => {
    const logitsOf = (model, rows) => {
      const { logits } = model.run(rows);
      return logits;
    };
    const model = new TrainableTransformer(sizes);
    const both = logitsOf(model, [[0, 1, 2], [3]]);
    assert.deepEqual(both.dims, [2, 3, 5]);
    assert.deepEqual(both.data.slice(15, 20), logitsOf(model, [3]).data);
    const reverse = new TrainableTransformer(reverseSizes);
    const ids = [[2, 3, 4, 5], [6]];
    const { attentions } = reverse.run(ids, { attentions: true, decoderIds: [[1, 2], [1]] });
    assert.deepEqual(attentions.cross[0].dims, [2, 2, 2, 4]);
    const [first, ...padding] = attentions.cross[0].data.slice(16, 20);
    assert.deepEqual([first, ...padding], [1, 0, 0, 0]);
  });

  for (const kind of ['decoder', 'decoder, untied', 'encoder-decoder']) {
    it(`saves a model that attention-wasm/models loads with the same logits: ${kind}`, async () => {
      const hasEncoder = kind === 'encoder-decoder';
      const trained = new TrainableTransformer({
        ...sizes,
        kind: kind.split(',')[0],
        tied: !kind.endsWith('untied'),
        seed: 3,
      });
      const decoderIds = hasEncoder && { decoderIds: [[1, 2, 2], [0]] };
      for (let step = 0; step < 5; step++) trained.step({ ...batch, ...decoderIds }, options);
      const model = await loadModel(trained.save());
      const input = { ids: [0, 1, 2], ...(hasEncoder && { decoderIds: [1, 2] }) };
      const expected = model.run(input, { attentions: true });
      const { ids, ...others } = input;
      const { logits, attentions } = trained.run(ids, { ...others, attentions: true });
      assert.deepEqual(logits, expected.logits);
      for (const [name, layers] of Object.entries(attentions)) {
        assert.deepEqual(layers, expected.attentions[name], name);
      }
    });
  }

  it('saves another scale in the query projections: the same logits to rounding', async () => {
    const saved = async (kind, more) => {
      const trained = new TrainableTransformer({ ...sizes, kind, ...more, seed: 3 });
      const decoderIds = kind === 'encoder-decoder' && { decoderIds: [[1, 2, 2], [0]] };
      for (let step = 0; step < 20; step++) trained.step({ ...batch, ...decoderIds }, options);
      const input = { ids: [0, 1, 2], ...(decoderIds && { decoderIds: [1, 2] }) };
      const { ids, ...others } = input;
      const { logits } = trained.run(ids, others);
      const loaded = (await loadModel(trained.save())).run(input).logits;
      trained.delete();
      return { logits, loaded };
    };
    for (const kind of ['decoder', 'encoder-decoder']) {
      // Heads of 4 numbers: queries times √4 are exact.
      const exact = await saved(kind, { scale: 1 });
      assert.deepEqual(exact.loaded, exact.logits, kind);
      for (const more of [{ width: 6, scale: 1 }, { scale: -0.3 }, { scale: 0 }]) {
        const { logits, loaded } = await saved(kind, more);
        const plain = await saved(kind, { ...more, scale: null });
        assert.equal(explainDifference(loaded, logits, 1e-6), '', `${kind} ${more.scale}`);
        assert.notEqual(explainDifference(plain.logits, logits, 1e-4), '', `${kind} ${more.scale}`);
      }
    }
  });

  it('lists its parameters in order', () => {
    const model = new TrainableTransformer({ ...sizes, hidden: 10 });
    const parameters = model.parameters();
    assert.deepEqual(
      parameters.slice(0, 3).map(({ name, dims }) => [name, dims]),
      [
        ['embedding', [5, 8]],
        ['decoder.positions', [6, 8]],
        ['decoder.layers.0.self.norm.weight', [8]],
      ],
    );
    const count = parameters.reduce((sum, { data }) => sum + data.length, 0);
    assert.equal(3 * count, model.snapshot().data.length);
    assert.ok(parameters[2].data.every((number) => number === 1));
  });

  describe('refuses, and is unchanged:', () => {
    const model = new TrainableTransformer(sizes);
    const reverse = new TrainableTransformer(reverseSizes);
    const step = (changed, changedOptions) => () =>
      model.step({ ...batch, ...changed }, { ...options, ...changedOptions });
    const restoreWith = (at, number) => () => {
      const { data } = model.snapshot();
      data[at] = number;
      model.restore({ step: 1, data });
    };
    const cases = {
      'ids out of range': [step({ ids: [[0, 5, 2], [3]] }), RangeError, /^ids\[0\]\[1\]/],
      'targets out of range': [
        step({ targets: [[1, 2, 9], [0]] }),
        RangeError,
        /^targets\[0\]\[2\]/,
      ],
      'targets all ignored': [
        step({ targets: [[-1, -1, -1], [-1]] }),
        RangeError,
        /^targets are all/,
      ],
      'targets of another length': [
        step({
          targets: [
            [1, 2, 4],
            [0, 1],
          ],
        }),
        RangeError,
        'targets[1] has 2 numbers but ids[1] has 1',
      ],
      'fewer targets': [
        step({ targets: [[1, 2, 4]] }),
        RangeError,
        'targets has 1 rows but ids has 2',
      ],
      'an empty batch': [step({ ids: [], targets: [] }), RangeError, /^ids/],
      'an empty row': [step({ ids: [[0, 1, 2], []] }), RangeError, 'ids[1] is empty'],
      'rows that are too long': [
        step({ ids: [[0, 1, 2, 3, 4, 0, 1]], targets: [[0, 1, 2, 3, 4, 0, 1]] }),
        RangeError,
        /^ids has rows of 7/,
      ],
      'a single row': [step({ ids: [0, 1] }), TypeError, /^ids\[0\]/],
      'a learning rate of NaN': [
        step({}, { learningRate: NaN }),
        RangeError,
        /^learningRate is NaN/,
      ],
      'no learning rate': [() => model.step(batch), TypeError, /'learningRate'/],
      'a beta of 1': [step({}, { betas: [0.9, 1] }), RangeError, /^betas\[1\] is 1/],
      'one beta': [step({}, { betas: [0.9] }), RangeError, /^betas has 1/],
      'an epsilon of 0': [step({}, { epsilon: 0 }), RangeError, /^epsilon is 0/],
      'a clip of -1': [step({}, { clip: -1 }), RangeError, /^clip is -1/],
      'a learning rate that overflows': [
        step({}, { learningRate: 1e38 }),
        RangeError,
        /^a learningRate of 1e\+38 .* the model is unchanged$/,
      ],
      'a learning rate whose weights would overflow in products': [
        step({}, { learningRate: 1e20 }),
        RangeError,
        /^a learningRate of 100000000000000000000 /,
      ],
      'a decay that overflows': [
        step({}, { learningRate: 1, weightDecay: 1e38 }),
        RangeError,
        /with a weightDecay of 1e\+38 /,
      ],
      'a negative decay': [step({}, { weightDecay: -1 }), RangeError, /^weightDecay is -1/],
      'decoderIds without a decoder': [step({ decoderIds: [[1]] }), TypeError, /^decoderIds/],
      'no decoderIds': [() => reverse.run([2]), TypeError, /needs decoderIds$/],
      'another number of decoderIds': [
        () => reverse.run([[2], [3]], { decoderIds: [[1]] }),
        RangeError,
        'decoderIds has 1 rows but ids has 2',
      ],
      'a snapshot with NaN': [restoreWith(7, NaN), RangeError, /^data\[7\] is NaN/],
      'a snapshot with a number beyond float32': [
        () =>
          model.restore({
            step: 1,
            data: Float64Array.from(model.snapshot().data).fill(1e39, 3, 4),
          }),
        RangeError,
        /^data\[3\] is Infinity/,
      ],
      'a snapshot with a negative second moment': [
        restoreWith(model.snapshot().data.length - 1, -1e-9),
        RangeError,
        /a second moment/,
      ],
      'to generate after too many ids': [
        () => model.generate([0, 1, 2, 3, 4, 0, 1]),
        RangeError,
        /^ids has rows of 7/,
      ],
      'to generate after unknown ids': [() => model.generate([5]), RangeError, /^ids\[0\]\[0\]/],
      'to generate after no ids': [() => model.generate([]), RangeError, /^ids\[0\] is empty/],
      ...Object.fromEntries(
        [NaN, -1, 1.5, 0].map((maxTokens) => [
          `to generate ${maxTokens} tokens`,
          [() => model.generate([1], { maxTokens }), RangeError, /^maxTokens must be an integer/],
        ]),
      ),
      ...Object.fromEntries(
        [NaN, -1, 5].map((end) => [
          `${end} as an end`,
          [() => model.generate([1], { end }), RangeError, /^end must be an integer from 0 to 4/],
        ]),
      ),
      'decoderIds to generate without a decoder': [
        () => model.generate([1], { decoderIds: [1] }),
        TypeError,
        /^decoderIds/,
      ],
      'a snapshot of another model': [() => model.restore(reverse.snapshot()), RangeError, /^data/],
      'heads that do not divide the width': [
        () => new TrainableTransformer({ ...sizes, heads: 3 }),
        RangeError,
        /^width is 8/,
      ],
      'a model that is too large': [
        () => new TrainableTransformer({ ...sizes, width: 2 ** 20, layers: 100 }),
        RangeError,
        /4 GiB/,
      ],
      'an unknown kind': [
        () => new TrainableTransformer({ ...sizes, kind: 'encoder' }),
        RangeError,
        /^kind/,
      ],
    };
    for (const [name, [call, Type, message]] of Object.entries(cases)) {
      it(name, () => {
        const before = model.snapshot();
        assert.throws(call, (error) => {
          assert.equal(error.constructor, Type, `${error.name}: ${error.message}`);
          if (typeof message === 'string') assert.equal(error.message, message);
          else assert.match(error.message, message);
          return true;
        });
        assert.deepEqual(model.snapshot(), before);
      });
    }

    it('an infinite loss', () => {
      const broken = new TrainableTransformer(sizes);
      const { step: count, data } = broken.snapshot();
      data.fill(3e38, 0, sizes.width);
      broken.restore({ step: count, data });
      assert.throws(
        () => broken.step(batch, options),
        /^RangeError: loss is .* the model is unchanged/,
      );
      assert.throws(() => broken.generate([0, 1]), /^RangeError: the logits of the last token/);
      assert.deepEqual(broken.snapshot(), { step: 0, data });
    });

    it('anything after delete()', () => {
      const deleted = new TrainableTransformer(sizes);
      deleted.delete();
      deleted.delete();
      for (const call of [
        () => deleted.step(batch, options),
        () => deleted.run([1]),
        () => deleted.snapshot(),
        () => deleted.save(),
        () => deleted.steps,
      ]) {
        assert.throws(call, { name: 'DeletedError' });
      }
    });
  });
});
