// Values that no field of a config.json should have, in every field that a model family reads: the reads themselves name the
// fields, so a new one is covered by itself. The result must be an error that names what was found, or a model with finite
// numbers; work and memory must not grow with the value, which counts hold, not seconds.
/** @import { NumberArray } from '../../../web/lib/arguments/typed_array.js' */
import { messageOf } from '../../../web/lib/arguments/message_of.js';
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { countBlocks, limitRequests } from './counted_work.js';
import { cases } from './models_with_tokens.js';
import { seededInput, seededWeights } from './seeded_weights.js';

/** Numbers that are too large for any table. */
export const hugeValues = [2 ** 31 - 1, 1e8, 1e15, 2 ** 31, Number.MAX_SAFE_INTEGER, 1e308];

/** Other numbers, values of the wrong type, and lists of the wrong length. */
export const oddValues = [
  ...[0, -1, -1e9, 0.5, 1.5, 1e-40, 1e-300, NaN, Infinity],
  ...['8', '', null, true, false, {}, { a: 1 }, [], [1], [1e15], ['a'], [[['global'], 1e15]]],
];

// A tiny model runs no block of code more than some thousand times; a table of a huge value would do it 10⁸ times.
const maxRunsPerLoad = 50_000;
const maxRequest = 2 ** 20; // the blocks of 4 MiB in which token embeddings are read
const maxMemory = 2 ** 26;

limitRequests(maxRequest);
const { loadAttention } = await import('attention-wasm');
const { loadModel } = await import('attention-wasm/models');
const { seeMemory } = await import('./module_memory.js');
const memory = seeMemory();
const api = await loadAttention({ kernels: 'simd' });
memory.stop();

const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);

/** The config, which adds the path of each field that is read to `paths`, a Map by name. */
function watched(config, paths, path = []) {
  return new Proxy(config, {
    getOwnPropertyDescriptor(target, name) {
      paths.set([...path, name].join('.'), [...path, name]);
      return Object.getOwnPropertyDescriptor(target, name);
    },
    get(target, name) {
      const value = target[name];
      const isField = Object.hasOwn(target, name) && isObject(value);
      return isField ? watched(value, paths, [...path, name]) : value;
    },
  });
}

/**
 * The config with another value of the field at this path.
 *
 * @type {(config: object, path: string[], value: unknown) => object}
 */
const withField = (config, [name, ...rest], value) => ({
  ...config,
  [name]: rest.length > 0 ? withField(config[name], rest, value) : value,
});

/** Whether an error is a sentence of the library: it names the config or one of its fields, or a tensor. */
const isSentence = (/** @type {Error} */ { name, message }) =>
  /^(RangeError|TypeError)$/.test(name) && /config\.json|tensors? '/.test(message);

function isFinite(value) {
  if (ArrayBuffer.isView(value)) {
    return /** @type {NumberArray} */ (value).every((number) => Number.isFinite(number));
  }
  if (typeof value !== 'object' || value === null) return true;
  return Object.values(value).every(isFinite);
}

async function pathsOf(config, weights) {
  const paths = new Map();
  const model = await loadModel({ config: watched(config, paths), weights }, { api });
  model.delete();
  return paths;
}

/** Whether an error says what this model cannot do with the input. */
const isOfInput = (/** @type {string} */ message) =>
  /^the input has \d+ tokens, but the model has positions for|the embedding of the model has/.test(
    message,
  ) || /has no 'decoder_start_token_id': pass \{ ids, decoderIds \}$/.test(message);

/** What is wrong with the outcome, or undefined. */
async function problemOf(config, weights, input) {
  let model;
  try {
    model = await loadModel({ config, weights }, { api });
  } catch (error) {
    return isSentence(Object(error)) ? undefined : Object(error).stack;
  }
  try {
    return isFinite(model.run(input)) ? undefined : 'numbers that are not finite';
  } catch (error) {
    return isOfInput(messageOf(error)) ? undefined : Object(error).stack;
  } finally {
    model.delete();
  }
}

/** Declares a test of each tiny model. next(): the values of the next field. */
export function holdConfigs(next) {
  for (const [name, found] of Object.entries(cases)) {
    it(`is refused or has a model with finite numbers: ${name}`, async () => {
      const weights = seededWeights(found);
      const input = seededInput(found);
      const paths = await pathsOf(found.config, weights);
      assert.ok(paths.size > 10);
      let loads = 0;
      const runs = await countBlocks(/\/web\/built\//, async () => {
        for (const [field, path] of paths) {
          for (const value of next()) {
            const config = withField(found.config, path, value);
            for (const tensors of [weights, {}]) {
              loads++;
              const problem = await problemOf(config, tensors, input);
              assert.equal(problem, undefined, `${field} = ${JSON.stringify(value)}`);
            }
          }
        }
      });
      const bytes = memory.bytes().length;
      assert.ok(runs < loads * maxRunsPerLoad, `a block ran ${runs} times in ${loads} loads`);
      assert.ok(bytes <= maxMemory, `the module's memory has ${bytes} bytes`);
    });
  }
}
