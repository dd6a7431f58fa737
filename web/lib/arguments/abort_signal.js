// An AbortSignal as the value of an option. One of another realm (an iframe, jsdom) is of another class, so what
// counts is that it has what is used.
import { describe } from './describe.js';

const methods = ['throwIfAborted', 'addEventListener', 'removeEventListener'];

export function abortSignal(value, name) {
  const isSignal =
    typeof value === 'object' &&
    typeof value.aborted === 'boolean' &&
    'reason' in value &&
    methods.every((method) => typeof value[method] === 'function');
  if (isSignal) return value;
  throw new TypeError(`${name} must be an AbortSignal, found ${describe(value)}`);
}

/** { signal, forget() }: one that fetch() takes, which refuses signals of other realms. forget() ends what it listens to. */
export function fetchSignal(signal) {
  if (signal === undefined || signal instanceof AbortSignal) return { signal, forget() {} };
  const own = new AbortController();
  const abort = () => own.abort(signal.reason);
  signal.addEventListener('abort', abort);
  return { signal: own.signal, forget: () => signal.removeEventListener('abort', abort) };
}
