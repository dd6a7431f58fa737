// An AbortSignal as the value of an option. Signals of other realms (an iframe, jsdom) have another class, so only the
// members that are used are checked.
import { describe } from './describe.js';

const methods = ['throwIfAborted', 'addEventListener', 'removeEventListener'];

/** @returns {value is AbortSignal} */
const isSignal = (/** @type {{}} */ value) =>
  typeof value === 'object' &&
  'aborted' in value &&
  typeof value.aborted === 'boolean' &&
  'reason' in value &&
  methods.every((method) => typeof Reflect.get(value, method) === 'function');

/**
 * A reader for readOptions().
 *
 * @param {{}} value
 * @param {string} name
 */
export function abortSignal(value, name) {
  if (isSignal(value)) return value;
  throw new TypeError(`${name} must be an AbortSignal, found ${describe(value)}`);
}

// Without a type predicate: signals of other realms have the same type.
/** @returns {boolean} */
const isOfThisRealm = (/** @type {AbortSignal} */ signal) => signal instanceof AbortSignal;

/**
 * { signal, forget() }: a signal for fetch(), which refuses those of other realms. forget() removes the listener.
 *
 * @param {AbortSignal | undefined} signal
 */
export function fetchSignal(signal) {
  if (signal === undefined || isOfThisRealm(signal)) return { signal, forget() {} };
  const own = new AbortController();
  const abort = () => own.abort(signal.reason);
  signal.addEventListener('abort', abort);
  return { signal: own.signal, forget: () => signal.removeEventListener('abort', abort) };
}
