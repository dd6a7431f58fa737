// An AbortSignal, of any realm, as the value of an option.
import { describe } from './describe.js';

export function abortSignal(value, name) {
  if (typeof value === 'object' && typeof value.throwIfAborted === 'function') return value;
  throw new TypeError(`${name} must be an AbortSignal, found ${describe(value)}`);
}
