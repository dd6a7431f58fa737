// The option attentionTerms of run(): the scores of disentangled attention as their terms, by layer.
import { describe } from '../../arguments/describe.js';
import { termNames } from './hook_points.js';

const keys = {
  content_content: 'contentContent',
  content_position: 'contentPosition',
  position_content: 'positionContent',
};

/** The captures that the option needs: true, or layer indices. Throws for models without such terms. */
export function termCaptures({ type, stacks }, layers) {
  const { terms = [] } = stacks.self?.stack.sizes ?? {};
  if (terms.length === 0) {
    throw new RangeError(
      `attentionTerms needs a model whose scores have terms of positions, as deberta-v2; this is of type ${describe(type)}`,
    );
  }
  const layer = layers === true ? undefined : layers;
  return termNames
    .filter((at) => terms.includes(at))
    .map((at) => ({ at, ...(layer && { layer }) }));
}

/** The steps of a run; adds attentionTerms to its result. */
export function* withAttentionTerms(steps, layers) {
  const result = yield* steps;
  const byLayer = new Map();
  for (const { at, layer, tensor } of result.captured) {
    if (!keys[at] || !(layers === true || layers.includes(layer))) continue;
    byLayer.set(layer, { ...byLayer.get(layer), [keys[at]]: tensor });
  }
  return { ...result, attentionTerms: [...byLayer.values()] };
}
