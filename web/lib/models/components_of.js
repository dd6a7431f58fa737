// The components of a model, which functions outside its class use.
import { describe } from '../arguments/describe.js';

/** The components of a model of any copy of this package; throws if it was deleted. */
export function componentsOf(model) {
  const components = model?.[Symbol.for('attention-wasm')];
  if (components?.stacks) return components;
  throw new TypeError(`model must be a result of loadModel(), found ${describe(model)}`);
}
