// The worker's way from a request to its answer: what is sent, what is not sent twice, and questions about the picture.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loadAttention } from 'attention-wasm';
import { createAnswers } from '../../../web/demo/worker/answer/answers.js';
import { buffersIn } from '../../../web/demo/worker/calls.js';
import { Cache, LargeCache } from '../../../web/demo/worker/answer/cache.js';
import { besideRequestOf, requestOf } from '../../../web/demo/worker/answer/request.js';
import { initialState } from '../../../web/demo/state_fields.js';

const api = await loadAttention();
const context = { api, step: async () => {}, files: 0 };
const spelled = { ...initialState, source: 'ngrams', mode: 'self', text: 'red car here' };

function worker() {
  const sent = [];
  const answers = createAnswers();
  const on = { shown: (answer) => sent.push(answer), progress() {} };
  return {
    ...answers,
    sent,
    /** The answers to one request. */
    async ask(state, more) {
      sent.length = 0;
      const own = { ...context, signal: { aborted: false }, ...more };
      await answers.show({ ...spelled, ...state }, on, own);
      return sent.map(({ isWhole, picture, facts, inspection }) => ({
        isWhole,
        ...(facts && { words: picture?.rows.map(({ text }) => text) ?? null }),
        ...(inspection && { inspected: [inspection.place.row, inspection.place.column] }),
      }));
    },
  };
}

describe('an answer of the worker', () => {
  it('has the picture once, for as long as the page has it', async () => {
    const { ask } = worker();
    const whole = { isWhole: true };
    const words = ['red', 'car', 'here'];
    const [first] = await ask({ row: 0, column: 2 });
    assert.deepEqual(first, { ...whole, words, inspected: [0, 2] });
    assert.deepEqual(await ask({ row: 1, column: 1 }), [whole]);
    assert.deepEqual(await ask({ colors: 'viridis' }), [whole]);
    for (const state of [
      { scale: 'one' },
      { sort: 'total' },
      { view: 'heads' },
      { text: 'red car' },
    ]) {
      const [answer, ...more] = await ask(state);
      assert.ok(answer.words, JSON.stringify(state));
      assert.equal(more.length, 0);
    }
    const [back] = await ask({});
    assert.deepEqual(back.words, words);
  });

  it('is complete again after one without a picture, and after a problem', async () => {
    const { ask } = worker();
    await ask({});
    const [empty] = await ask({ text: '' });
    assert.equal(empty.words, null);
    assert.equal((await ask({}))[0].words.length, 3);
    const broken = { attention: () => assert.fail('out of memory') };
    await assert.rejects(ask({ scale: 'one' }, { api: broken }), /out of memory/);
    assert.equal((await ask({}))[0].words.length, 3);
    // An aborted request changes nothing on the page.
    const signal = { aborted: true };
    await assert.rejects(ask({ scale: 'one' }, { api: broken, signal }), /out of memory/);
    assert.equal((await ask({}))[0].words, undefined);
  });

  it('refuses questions about a picture that is not there', async () => {
    const { ask, inside, headScores, nextWords, effect, tensors, sweep, inspect } = worker();
    assert.throws(() => headScores([1]), /no text is shown/);
    await assert.rejects(inside(0), /no text is shown/);
    await assert.rejects(sweep({ over: 'heads' }, context), /no text is shown/);
    assert.deepEqual(
      [await effect(), nextWords({ token: 0, last: 0 }), tensors()],
      [null, {}, null],
    );
    assert.equal(inspect({ head: 0, row: 0, column: 0 }), null);
    await ask({});
    const { inspection } = inspect({ head: 0, row: 2, column: 0 });
    assert.deepEqual(inspection.place, { head: 0, row: 2, column: 0 });
    const { query, tokens } = tensors();
    assert.deepEqual([query.dims[1], tokens.rows.length], [3, 3]);
  });

  it('copies what it keeps: a transferred picture leaves the cache whole', async () => {
    const sent = [];
    const { show } = createAnswers();
    const on = {
      shown: (answer) => sent.push(structuredClone(answer, { transfer: buffersIn(answer) })),
    };
    const state = { ...spelled, row: 0 };
    const signal = { aborted: false };
    for (const one of [state, { ...state, sort: 'total' }, state]) {
      await show(one, on, { ...context, signal });
    }
    const [first, , last] = sent.map(({ picture }) => Array.from(picture.stages.weights));
    assert.deepEqual(last, first);
    assert.equal(first.length, 9);
  });
});

describe('a request', () => {
  it('is equal for equal questions, and has blocks of models only', () => {
    const keyOf = (state, files = 0) =>
      requestOf(1, { ...spelled, ...state }, { ...context, files }).key;
    assert.equal(keyOf({ scale: 'one', view: 'lines' }), keyOf({}));
    for (const other of [{ text: 'a' }, { heads: 4 }, { positions: true }, { source: 'model' }]) {
      assert.notEqual(keyOf(other), keyOf({}), JSON.stringify(other));
    }
    assert.notEqual(keyOf({}, 1), keyOf({}));
    assert.equal(keyOf({ block: 'encoder:1' }), keyOf({}));
    assert.notEqual(keyOf({ source: 'model', block: 'encoder:1' }), keyOf({ source: 'model' }));
  });

  it('for the text beside has that text and no blocks', () => {
    const state = { ...spelled, source: 'model', block: 'encoder:1', begin: 'La', otherText: 'b' };
    assert.equal(besideRequestOf(requestOf(1, state, context)), null);
    const compared = { ...state, view: 'compare', beside: 'text' };
    const { question, source } = besideRequestOf(requestOf(1, compared, context));
    assert.equal(source.id, 'model');
    const { first, second, begin } = question;
    assert.deepEqual({ first, second, begin }, { first: 'b', second: 'b', begin: '' });
    assert.equal(Object.hasOwn(question, 'block'), false);
  });
});

describe('the cache of a step', () => {
  it('has the last value, and none of a failure', async () => {
    const cache = new Cache();
    let made = 0;
    const get = (key) => cache.get(key, async () => `${key}${++made}`);
    assert.deepEqual(
      [await get('a'), await get('a'), await get('b'), await get('a')],
      ['a1', 'a1', 'b2', 'a3'],
    );
    await assert.rejects(
      cache.get('c', async () => {
        throw new Error('no');
      }),
    );
    assert.equal(await get('a'), 'a4');
  });
});

describe('the small pictures of all heads', () => {
  it('are computed once for all layers that are looked at', async () => {
    const ours = worker();
    const model = { source: 'model', mode: 'cross', view: 'heads', text: 'Zuko made tea.' };
    /** Steps of the worker, one of them for each layer that it computes, and the number of heads. */
    async function stepsOf(state) {
      let steps = 0;
      const step = async () => {
        ++steps;
      };
      await ours.ask({ ...model, ...state }, { step });
      const { picture } = ours.sent.at(-1);
      assert.equal(picture.part, state.part);
      assert.ok(picture.thumbnails.every(({ weights }) => weights.length > 0));
      return [steps, new Set(picture.thumbnails.map(({ part }) => part)).size];
    }
    await stepsOf({ part: 'encoder.1', view: 'heads', merge: false }); // the model has come
    const [first, layers] = await stepsOf({ part: 'cross.1' });
    assert.equal(layers, 9);
    assert.deepEqual(await stepsOf({ part: 'encoder.0' }), [first - layers, layers]);
    assert.deepEqual(await stepsOf({ part: 'cross.1' }), [first - layers, layers]);
    assert.deepEqual(await stepsOf({ part: 'cross.1', merge: false }), [first, layers]);
  });
});

describe('a cache of large values', () => {
  const numbers = (count) => ({ data: new Float32Array(count), again: {} });

  /** A cache of 400 bytes, and get(key, count): whether the value was made. */
  function counting() {
    const cache = new LargeCache(400);
    return async (key, count = 25, owner = 'text') => {
      let isMade = false;
      const value = await cache.get(owner, key, async () => {
        isMade = true;
        return numbers(count);
      });
      assert.equal(value.data.length, count);
      return isMade;
    };
  }

  it('keeps those that were used last, within its bytes', async () => {
    const get = counting();
    for (const key of ['a', 'b', 'c', 'd']) assert.equal(await get(key), true, key);
    assert.equal(await get('a'), false);
    assert.equal(await get('e'), true); // in place of b
    for (const key of ['a', 'c', 'd', 'e']) assert.equal(await get(key), false, key);
    assert.equal(await get('b'), true);
  });

  it('keeps the newest, however large, and nothing of another text', async () => {
    const get = counting();
    await get('a');
    assert.equal(await get('large', 1000), true);
    assert.equal(await get('large', 1000), false);
    assert.equal(await get('a'), true);
    assert.equal(await get('a', 25, 'another text'), true);
    assert.equal(await get('a'), true);
  });

  it('counts a buffer once, and keeps nothing of a failure', async () => {
    const cache = new LargeCache(400);
    const data = new Float32Array(60);
    const both = { data, again: data.subarray(0, 10) };
    await cache.get('text', 'a', () => both);
    await cache.get('text', 'b', () => numbers(40));
    assert.equal(await cache.get('text', 'a', () => numbers(1)), both);
    await assert.rejects(
      cache.get('text', 'c', async () => {
        throw new Error('no');
      }),
    );
    assert.equal((await cache.get('text', 'c', () => numbers(2))).data.length, 2);
  });
});
