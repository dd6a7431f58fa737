// An AbortSignal as the value of an option. Signals of other realms (an iframe, jsdom) have another class, so only the
// members that are used are checked.
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

/** { signal, forget() }: a signal for fetch(), which refuses those of other realms. forget() removes the listener. */
export function fetchSignal(signal) {
  if (signal === undefined || signal instanceof AbortSignal) return { signal, forget() {} };
  const own = new AbortController();
  const abort = () => own.abort(signal.reason);
  signal.addEventListener('abort', abort);
  return { signal: own.signal, forget: () => signal.removeEventListener('abort', abort) };
}
