// attention-wasm/models: the blocks of a model, each by itself among others that only note what they are asked: what goes
// in, what is kept of what comes out, and what is deleted when something fails.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Embedding } from '../../../web/lib/models/embedding.js';
import { generate, readGenerateOptions } from '../../../web/lib/models/generate.js';
import { Head } from '../../../web/lib/models/head.js';
import { pickToken } from '../../../web/lib/models/pick_token.js';
import {
  layersWanted,
  ofEachLayer,
  readInput,
  requireRoom,
} from '../../../web/lib/models/read_input.js';
import { Stack } from '../../../web/lib/models/stack.js';

const rows = (...numbers) => ({
  data: Float32Array.from(numbers.flat()),
  dims: [numbers.length, numbers[0].length],
});

describe('a stack', () => {
  const projected = (n) => ({ data: [n], dims: [1, 2, 3, 4] });
  /** Layers that add one, of which the last gives its vectors without a batch. */
  function stackOf(plan, count = 2) {
    const asked = [];
    const layers = Array.from({ length: count }, (_, n) => ({
      forward(x, options) {
        asked.push(options);
        const names = ['query', 'key', 'value', 'crossQuery', 'crossKey', 'crossValue'];
        const vectors = names.map((name, at) => [name, projected(10 * n + at)]);
        return {
          ...{ output: x + 1, weights: `w${n}`, crossWeights: `c${n}` },
          ...Object.fromEntries(vectors),
          ...(n === count - 1 && { value: { data: [9], dims: [2, 3, 4] } }),
        };
      },
    }));
    const api = {
      layerNorm: (x, norm) => ['layer', x, norm],
      rmsNorm: (x, norm) => ['rms', x, norm],
    };
    const whole = {
      options: {},
      layers: Array.from({ length: count }, (_, n) => ({ window: [n, 0] })),
      ...plan,
    };
    return { stack: new Stack(api, whole, layers, { weight: 'g' }), asked };
  }
  const batchless = (n) => ({ data: [n], dims: [2, 3, 4] });

  it('goes through its layers with what each of them is to have', () => {
    const { stack, asked } = stackOf({ causal: true });
    assert.equal(stack.length, 2);
    const result = stack.run(5);
    assert.deepEqual(result, {
      hidden: 7,
      hiddenStates: [],
      attentions: [],
      cross: [],
      projections: [],
      crossProjections: [],
    });
    assert.deepEqual(
      asked.map(({ window, causal, weights }) => [window, causal, weights]),
      [
        [[0, 0], true, false],
        [[1, 0], true, false],
      ],
    );
    stack.run(5, { memory: ['m0', 'm1'], caches: ['k0', 'k1'] });
    stack.run(5, { memory: 'm' });
    assert.deepEqual(
      asked.slice(2).map(({ memory, cache }) => [memory, cache]),
      [
        ['m0', 'k0'],
        ['m1', 'k1'],
        ['m', undefined],
        ['m', undefined],
      ],
    );
  });

  it('keeps what was asked for', () => {
    const { stack } = stackOf({});
    const second = (n) => n === 1 && 'average';
    const { attentions, cross } = stack.run(0, { attentions: second });
    assert.deepEqual([attentions, cross], [['w1'], []]);
    assert.deepEqual(stack.run(0, { attentions: second, memory: 'm' }).cross, ['c1']);
    assert.deepEqual(stack.run(0, { hiddenStates: true }).hiddenStates, [0, 1, 2]);
    const told = stack.run(0, { projections: true });
    assert.deepEqual(told.projections, [
      { query: batchless(0), key: batchless(1), value: batchless(2) },
      { query: batchless(10), key: batchless(11), value: batchless(9) },
    ]);
    assert.deepEqual(told.crossProjections, []);
    const both = stack.run(0, { projections: true, memory: 'm' });
    assert.deepEqual(both.crossProjections[1], {
      query: batchless(13),
      key: batchless(14),
      value: batchless(15),
    });
    assert.equal(both.projections.length, 2);
    const bare = { forward: (x) => ({ output: x }) };
    const none = new Stack({}, { options: {}, layers: [{}] }, [bare]).run(0, { projections: true });
    assert.deepEqual(none.projections, [{ query: undefined, key: undefined, value: undefined }]);
  });

  it('ends with its norm, where it has one', () => {
    const options = { epsilon: 3 };
    assert.deepEqual(stackOf({ norm: true, options }).stack.run(0).hidden, [
      'layer',
      2,
      { weight: 'g', epsilon: 3 },
    ]);
    const rms = stackOf({ norm: true, options: { ...options, norm: 'rms' } }).stack;
    const { hidden, hiddenStates } = rms.run(0, { hiddenStates: true });
    assert.deepEqual(
      [hidden, hiddenStates.at(-1)],
      [['rms', 2, { weight: 'g', epsilon: 3 }], hidden],
    );
  });

  it('deletes what it made for some of its layers where it cannot be made for all', () => {
    const made = [];
    const make = (n) => () => {
      if (n === 2) throw new RangeError('no memory');
      const one = { n, delete: () => made.push(n) };
      return one;
    };
    const layers = [0, 1, 2].map((n) => ({ createCache: make(n), projectMemory: make(n) }));
    const stack = new Stack({}, {}, layers);
    assert.throws(() => stack.createCaches(4, 1), /^RangeError: no memory$/);
    assert.throws(() => stack.projectMemory({}), /^RangeError: no memory$/);
    assert.deepEqual(made, [0, 1, 0, 1]);
    assert.deepEqual(
      new Stack({}, {}, layers.slice(0, 2)).createCaches(4, 1).map(({ n }) => n),
      [0, 1],
    );
  });
});

describe('a head', () => {
  const hidden = rows([1, 2], [3, 4], [8, 6]);
  const logits = (on, steps = [], of = { pooled: rows([7, 7]), ends: [] }) => {
    const api = {
      layerNorm: (x, { epsilon }) => ({
        data: x.data.map((number) => number + epsilon),
        dims: x.dims,
      }),
    };
    return new Head(api, { on }, steps).logits(hidden, of);
  };
  const numbers = (...given) => [...logits(...given).data];

  it('reads the rows that it is for', () => {
    assert.equal(logits('tokens'), hidden);
    assert.deepEqual(numbers('first'), [1, 2]);
    assert.deepEqual(numbers('last'), [8, 6]);
    assert.deepEqual(numbers('pooled'), [7, 7]);
    assert.deepEqual(numbers('end'), [8, 6]);
    assert.deepEqual(numbers('end', [], { ends: [0, 1] }), [3, 4]);
    assert.deepEqual(numbers('first and mean'), [1, 2, 5.5, 5]);
    assert.deepEqual(
      ['first', 'last', 'pooled', 'first and mean'].map((on) => logits(on).dims),
      [[2], [2], [2], [4]],
    );
  });

  it('goes step by step', () => {
    const words = { logits: (x) => ({ data: x.data.map((number) => 10 * number), dims: x.dims }) };
    assert.deepEqual(numbers('first', [{ activation: 'relu' }]), [1, 2]);
    assert.deepEqual(
      numbers('first', [{ norm: {}, epsilon: 0.5 }, { activation: 'relu' }]),
      [1.5, 2.5],
    );
    assert.deepEqual(numbers('first', [{ linear: { forward: () => rows([5, 6, 7]) } }]), [5, 6, 7]);
    assert.deepEqual(numbers('first', [{ words, scale: 1 }]), [10, 20]);
    assert.deepEqual(numbers('first', [{ words, scale: 0.5 }]), [5, 10]);
    assert.deepEqual(numbers('first', [{ words, scale: 2 }]), [20, 40]);
    assert.deepEqual(
      numbers('tokens', [{ words, scale: 1, bias: { data: [1, 2] } }]),
      [11, 22, 31, 42, 81, 62],
    );
  });
});

describe('an embedding', () => {
  const own = rows([1, 1], [2, 2], [3, 3], [4, 4], [5, 5]);
  const of = (plan, vectors, ids, how, project) => {
    const words = { rows: (list) => rows(...Array.from(list, (id) => [id, 10 * id])) };
    const api = {
      layerNorm: (x, { epsilon }) => ({
        data: x.data.map((number) => number + epsilon),
        dims: x.dims,
      }),
    };
    const embedding = new Embedding(api, { scale: 1, ...plan }, { words, vectors, project });
    return how === 'longest' ? embedding.longest : [...embedding.of(ids, how).data];
  };

  it('adds what it has to the words', () => {
    assert.deepEqual(of({}, {}, [1, 2]), [1, 10, 2, 20]);
    assert.deepEqual(of({ scale: 2 }, {}, [1, 2]), [2, 20, 4, 40]);
    assert.deepEqual(of({ norm: true }, { norm: { epsilon: 0.5 } }, [1]), [1.5, 10.5]);
    assert.deepEqual(of({}, {}, [1], {}, { forward: (x) => rows([...x.data, 9]) }), [1, 10, 9]);
    const types = { types: rows([100, 100], [200, 200]) };
    assert.deepEqual(of({}, types, [1, 2, 3]), [101, 110, 102, 120, 103, 130]);
    assert.deepEqual(of({}, types, [1, 2], { typeIds: [1, 0] }), [201, 210, 102, 120]);
  });

  it('has types that there are', () => {
    const types = { types: rows([100, 100], [200, 200]) };
    assert.throws(
      () => of({}, types, [1, 1], { typeIds: [1, 2] }),
      /^RangeError: typeIds\[1\] is 2, but the model has 2 types$/,
    );
    assert.throws(
      () => of({}, {}, [1], { typeIds: [1] }),
      /^RangeError: typeIds\[0\] is 1, but the model has no types$/,
    );
    assert.deepEqual(of({}, {}, [1], { typeIds: [0] }), [1, 10]);
  });

  it('counts positions from where they begin, past the padding', () => {
    const at = (positions, ids, offset) =>
      of({ positions: { table: own, ...positions } }, { positions: own }, ids, { offset });
    const added = (ids, places) =>
      ids.flatMap((id, n) => [id + places[n] + 1, 10 * id + places[n] + 1]);
    assert.deepEqual(at({}, [7, 8]), added([7, 8], [0, 1]));
    assert.deepEqual(at({}, [7, 8], 3), added([7, 8], [3, 4]));
    assert.deepEqual(at({ from: 2 }, [7, 8], 1), added([7, 8], [3, 4]));
    // Padding has the place that is its own, and takes none.
    assert.deepEqual(at({ from: 2, padding: 1 }, [7, 1, 8]), added([7, 1, 8], [2, 1, 3]));
    const computed = { positions: { computed: 'halves', from: 2, padding: 1 } };
    const got = of(computed, {}, [7, 1]);
    [7 + Math.sin(2), 70 + Math.cos(2), 1, 10].forEach((x, n) =>
      assert.ok(Math.abs(got[n] - x) < 1e-5, `${got}`),
    );
  });

  it('is as long as its positions', () => {
    const longest = (positions) => of({ positions }, {}, [], 'longest');
    assert.deepEqual([longest({ table: own }), longest({ table: own, from: 2 })], [5, 3]);
    assert.deepEqual([longest(undefined), longest({ computed: 'halves' })], [Infinity, Infinity]);
  });
});

describe('what is given and wanted', () => {
  it('are ids within what 32 bits count, of any kind of list', () => {
    const idsOf = (ids) => readInput({ ids }, { most: 9 }).ids;
    assert.deepEqual(idsOf([0, 2 ** 31 - 1, 5n]), [0, 2 ** 31 - 1, 5]);
    for (const id of [2 ** 31, -1, 0.5, NaN, 2n ** 40n]) {
      assert.throws(
        () => idsOf([1, id]),
        /^RangeError: ids\[1\] must be a whole number of at least 0/,
      );
    }
    for (const id of ['1', null, true]) {
      assert.throws(() => idsOf([id]), /^TypeError: ids\[0\] must be a whole number of at least 0/);
    }
  });

  it('is a text of as many letters as so many tokens may have', () => {
    const tokenizer = { encode: (...texts) => ({ ids: [1], texts }), tokenOf: String };
    const read = (input, most) => readInput(input, { tokenizer, most });
    assert.deepEqual(read('a'.repeat(128), 2).ids, [1]);
    assert.deepEqual(read(['a'.repeat(100), 'b'.repeat(28)], 2).texts[1], 'b'.repeat(28));
    assert.throws(
      () => read('a'.repeat(129), 2),
      /^RangeError: the text has 129 letters, which is no text of 2 tokens$/,
    );
    assert.throws(() => read(['a'.repeat(100), 'b'.repeat(29)], 2), /has 129 letters/);
    assert.deepEqual(read({ ids: [3, 4] }, 2).tokens, ['3', '4']);
    for (const input of [['a'], ['a', 'b', 'c'], ['a', 5], [], null, 5, {}]) {
      assert.throws(
        () => read(input, 2),
        /^TypeError: the input must be a text, \[text, text\] or \{ ids \}/,
      );
    }
  });

  it('are numbers of layers that there are', () => {
    assert.deepEqual(layersWanted([0, 3]), [0, 3]);
    for (const layer of [-1, 0.5, '0', null]) {
      assert.throws(
        () => layersWanted([layer]),
        /^RangeError: attentions\[0\] must be the number of a layer/,
      );
    }
    const asked = (wanted, count) => [0, 1, 2].map(ofEachLayer(wanted, count));
    assert.deepEqual(asked(undefined, 3), [false, false, false]);
    assert.deepEqual(asked('average', 3), ['average', 'average', 'average']);
    assert.deepEqual(asked([0, 2], 3), [true, false, true]);
    assert.throws(
      () => asked([0, 3], 3),
      /^RangeError: attentions name layer 3, but the model has layers 0 to 2$/,
    );
  });

  it('are as many tokens as there is room for', () => {
    requireRoom({ longest: 3 }, {}, 3);
    requireRoom({ longest: Infinity }, { maxInput: 3 }, 3);
    assert.throws(
      () => requireRoom({ longest: 3 }, {}, 4),
      /^RangeError: there are 4 tokens, but the model has positions for 3$/,
    );
    assert.throws(
      () => requireRoom({ longest: 9 }, { maxInput: 3 }, 4),
      /^RangeError: there are 4 tokens, but maxInput is 3$/,
    );
  });
});

describe('the token that comes next', () => {
  // Shares 1/8, 4/8, 2/8, 1/8.
  const logits = Float32Array.from([1, 4, 2, 1], Math.log);
  const pick = (random, how) =>
    pickToken(logits, { temperature: 1, refused: new Set(), random: () => random, ...how });
  const drawn = (how) => [0.12, 0.13, 0.62, 0.63, 0.87, 0.88].map((random) => pick(random, how));

  it('is drawn by its share', () => {
    assert.deepEqual(drawn({}), [0, 1, 1, 2, 2, 3]);
    assert.deepEqual(drawn({ topK: 4 }), [0, 1, 1, 2, 2, 3]);
    // Of the two likeliest, two thirds and one.
    assert.deepEqual(
      [0, 0.66, 0.67, 0.99].map((random) => pick(random, { topK: 2 })),
      [1, 1, 2, 2],
    );
    // Squared: 1, 16, 4, 1 of 22; and their roots: 1, 2, 1.414, 1 of 5.414.
    assert.deepEqual(
      [0.04, 0.05, 0.77, 0.78].map((random) => pick(random, { temperature: 0.5 })),
      [0, 1, 1, 2],
    );
    assert.deepEqual(
      [0.18, 0.19, 0.55, 0.56, 0.81, 0.82].map((random) => pick(random, { temperature: 2 })),
      [0, 1, 1, 2, 2, 3],
    );
  });

  it('is the likeliest where there is no chance, the first of several, and never one that is refused', () => {
    const none = { temperature: 0 };
    assert.equal(pick(0, none), 1);
    assert.equal(pick(0, { ...none, refused: new Set([1]) }), 2);
    assert.equal(pick(0, { ...none, refused: new Set([1, 2]) }), 0);
    assert.equal(pick(0, { ...none, refused: new Set([0, 1, 2]) }), 3);
    assert.throws(
      () => pick(0, { ...none, refused: new Set([0, 1, 2, 3]) }),
      /leave no token that could follow/,
    );
    assert.deepEqual(
      [0, 0.49, 0.51].map((random) => pick(random, { refused: new Set([0, 3, 1]) })),
      [2, 2, 2],
    );
    assert.deepEqual(
      [0.2, 0.3].map((random) => pick(random, { refused: new Set([1]) })),
      [0, 2],
    );
  });
});

describe('options of generate()', () => {
  const read = (options) =>
    readGenerateOptions(options, { layers: 2, starts: { ends: [7], refused: [8] } });

  it('have defaults', () => {
    const { pick, attentions, ...others } = read();
    assert.deepEqual(others, {
      ...{ decoder: undefined, maxInput: undefined, signal: undefined, beam: 1, maxTokens: 128 },
      ...{ texts: [], ends: new Set([7]), isSampled: false, logits: false },
    });
    assert.deepEqual(
      [pick.temperature, pick.topK, pick.refused, pick.random],
      [0, undefined, new Set([8]), Math.random],
    );
    assert.equal(attentions(0), false);
    assert.deepEqual(
      [{ topK: 5 }, { seed: 0 }, { seed: 1, temperature: 0.5 }].map(
        (o) => read(o).pick.temperature,
      ),
      [1, 1, 0.5],
    );
    assert.deepEqual(
      [true, [0], [], 'average', false].map((a) => read({ attentions: a }).isSampled),
      [true, true, true, true, false],
    );
  });

  it('name ends by texts and by ids', () => {
    const { texts, ends } = read({ stop: ['a', 0, '0'] });
    assert.deepEqual([texts, ends], [['a', '0'], new Set([7, 0])]);
    assert.deepEqual(read({ stop: 5 }).ends, new Set([7, 5]));
    for (const stop of ['', -1, 0.5, [null], ['a', '']]) {
      assert.throws(() => read({ stop }), /^TypeError: stop must be texts or ids of tokens/);
    }
  });

  it('are taken at their limits and not beyond', () => {
    for (const [taken, beyond] of [
      [{ maxTokens: 1 }, { maxTokens: 0 }],
      [{ topK: 1 }, { topK: 0 }],
      [{ seed: 0 }, { seed: -1 }],
      [{ beam: 1, temperature: 1 }, { beam: 0 }],
      [{ maxInput: 1 }, { maxInput: 0 }],
      [
        { temperature: 0, beam: 2 },
        { temperature: 1e-9, beam: 2 },
      ],
      [{ temperature: 1e300 }, { temperature: Infinity }],
      [{ temperature: 0 }, { temperature: NaN }],
    ]) {
      read(taken);
      assert.throws(() => read(beyond), RangeError, JSON.stringify(beyond));
    }
  });
});

describe('going on', () => {
  /** Parts of a model in which 1 follows 0, 2 follows 1, and so on, and what they are asked. */
  function parts({ isDecoder, longest = 9, forced, failing } = {}) {
    const log = { of: [], runs: [], capacity: [], deleted: 0 };
    const one = () => ({ delete: () => log.deleted++ });
    const stack = {
      createCaches(...given) {
        log.capacity.push(given);
        if (failing) throw new RangeError('no memory');
        return [one(), one()];
      },
      projectMemory: () => [one()],
      run(x, { attentions, memory } = {}) {
        log.runs.push(memory?.length);
        const n = x.dims[0];
        const of = (columns) => ({
          data: Float32Array.from({ length: 2 * n * columns }, (_, at) => at),
          dims: [2, n, columns],
        });
        return {
          hidden: x,
          attentions: attentions?.(0) ? [of(3)] : [],
          cross: attentions?.(0) ? [of(2)] : [],
        };
      },
    };
    const embedding = {
      of(ids, { offset } = {}) {
        log.of.push([[...ids], offset]);
        return rows(...Array.from(ids, (id) => [id]));
      },
    };
    const head = {
      on: 'tokens',
      logits: ({ data, dims }) => {
        assert.deepEqual(dims, [1, 1]);
        return { data: Float32Array.from({ length: 9 }, (_, id) => (id === data[0] + 1 ? 1 : 0)) };
      },
    };
    const side = { stack, longest };
    const tokenizer = {
      decode: (ids) => Array.from(ids, (id) => 'abcdefghi'[id]).join(''),
      tokenOf: (id) => `<${id}>`,
    };
    return {
      log,
      parts: {
        ...{ head, tokenizer, type: 'fake', layers: 1 },
        starts: { ends: [7], refused: [], decoder: 3, forced },
        stacks: isDecoder ? { encoder: side, decoder: side } : { self: side },
        embeddings: isDecoder ? { encoder: embedding, decoder: embedding } : { self: embedding },
      },
    };
  }

  async function write(fake, options, ids = [0, 1], requireModel = () => {}) {
    const told = [];
    const wanted = readGenerateOptions(options, fake.parts);
    for await (const step of generate(fake.parts, { ids }, wanted, requireModel)) told.push(step);
    return told;
  }
  const idsOf = (told) => told.map(({ id }) => id);

  it('reads each token once, where it stands', async () => {
    const fake = parts();
    const told = await write(fake, { maxTokens: 3 });
    assert.deepEqual(told, [
      { id: 2, token: '<2>', text: 'c' },
      { id: 3, token: '<3>', text: 'd' },
      { id: 4, token: '<4>', text: 'e' },
    ]);
    assert.deepEqual(fake.log.of, [
      [[0, 1], 0],
      [[2], 2],
      [[3], 3],
    ]);
    assert.deepEqual([fake.log.capacity, fake.log.deleted], [[[5, undefined]], 2]);
  });

  it('ends where it is to end, and where there is no room', async () => {
    const ids = async (how, options, begin) => idsOf(await write(parts(how), options, begin));
    assert.deepEqual(await ids({}, {}), [2, 3, 4, 5, 6, 7]);
    assert.deepEqual(await ids({}, { stop: 4 }), [2, 3, 4]);
    assert.deepEqual(await ids({}, { stop: 'de' }), [2, 3, 4]);
    // Of what was there before nothing counts.
    assert.deepEqual(await ids({}, { stop: ['ab', 'bc', 'd'] }), [2, 3]);
    assert.deepEqual(await ids({ longest: 3 }, {}), [2, 3]);
    assert.deepEqual(await ids({ longest: 2 }, {}), [2]);
    assert.deepEqual(await ids({}, { maxTokens: 1 }), [2]);
  });

  it('tells where the last token looks, of each head', async () => {
    const [first, second] = await write(parts(), { maxTokens: 2, attentions: true, logits: true });
    const row = (...numbers) => ({ data: Float32Array.from(numbers), dims: [2, 1, 3] });
    assert.deepEqual(first.attentions, { self: [row(3, 4, 5, 9, 10, 11)] });
    assert.deepEqual(second.attentions, { self: [row(0, 1, 2, 3, 4, 5)] });
    assert.deepEqual([first.logits.dims, first.logits.data[2]], [[9], 1]);
  });

  it('decodes what was read, of which it keeps what it makes', async () => {
    const fake = parts({ isDecoder: true });
    const told = await write(fake, { maxTokens: 2, attentions: true });
    assert.deepEqual(idsOf(told), [4, 5]);
    assert.deepEqual(fake.log.of, [
      [[0, 1], undefined],
      [[3], 0],
      [[4], 1],
    ]);
    assert.deepEqual([fake.log.runs, fake.log.deleted], [[undefined, 1, 1], 3]);
    assert.deepEqual(Object.keys(told[0].attentions), ['decoder', 'cross']);
    assert.deepEqual(told[0].attentions.cross[0].dims, [2, 1, 2]);
    const forced = await write(parts({ isDecoder: true, forced: 6 }), { maxTokens: 2 });
    assert.deepEqual(idsOf(forced), [6, 7]);
    const beyond = write(parts({ isDecoder: true, longest: 0 }), {});
    await assert.rejects(
      beyond,
      /^RangeError: there are 1 tokens, but the model has positions for 0$/,
    );
  });

  it('frees what it has where there is no memory for more', async () => {
    const fake = parts({ isDecoder: true, failing: true });
    await assert.rejects(write(fake, {}), /^RangeError: no memory$/);
    assert.equal(fake.log.deleted, 1);
  });

  it('ends with the model, and with what the caller says', async () => {
    const fake = parts();
    let steps = 0;
    const requireModel = () => {
      if (++steps > 2) throw new Error('deleted');
    };
    await assert.rejects(write(fake, {}, [0], requireModel), /^Error: deleted$/);
    assert.equal(fake.log.deleted, 2);
    const stopped = parts();
    const signal = AbortSignal.abort(new Error('enough'));
    for (const beam of [1, 2]) {
      await assert.rejects(write(stopped, { signal, beam }), /^Error: enough$/);
    }
    assert.deepEqual(stopped.log.capacity, []);
  });

  it('frees its beams where a search is left', async () => {
    const fake = parts();
    const { self } = fake.parts.stacks;
    Object.assign(self.stack, {
      createCaches: () => [{ rewind() {}, delete: () => fake.log.deleted++ }],
      run(x) {
        fake.log.runs.push(x);
        return { hidden: x };
      },
    });
    fake.parts.head.logits = ({ dims: [count] }) => ({
      // The end is the last that comes next.
      data: Float32Array.from({ length: 9 * count }, (_, at) => (at % 9 === 7 ? -9 : at % 9)),
      dims: [count, 9],
    });
    let steps = 0;
    const requireModel = () => {
      if (++steps > 2) throw new Error('deleted');
    };
    await assert.rejects(write(fake, { beam: 2 }, [0], requireModel), /^Error: deleted$/);
    assert.deepEqual([steps, fake.log.runs.length, fake.log.deleted], [3, 2, 1]);
  });

  it('tells text when it is text', async () => {
    const fake = parts();
    const texts = { 2: 'ab', 3: 'ab\ufffd', 4: 'abé', 5: 'x', 6: 'abéf' };
    fake.parts.tokenizer.decode = (ids) => texts[ids.length];
    const told = await write(fake, { maxTokens: 4 });
    assert.deepEqual(
      told.map(({ text }) => text),
      ['', 'é', '', 'f'],
    );
    const without = parts();
    without.parts.tokenizer = undefined;
    assert.deepEqual(await write(without, { maxTokens: 1 }), [
      { id: 2, token: undefined, text: '' },
    ]);
  });
});
