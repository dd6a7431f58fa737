// Functions that make edits, as JSON.
import { isList, list, number, readOptions } from '../../arguments/options.js';
import { axesOf, readIndices, requireBelow, takeAlong } from './hook_points.js';

const anything = (value) => value;
const stackKind = { stack: anything };

/** An edit without the fields that are undefined. */
const edit = (fields) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

export function ablate(layer, head, options) {
  const kinds = { ...stackKind, query: readIndices };
  const { stack, query } = readOptions('ablate', options, kinds);
  return [edit({ at: 'z', layer, stack, head: head ?? undefined, query, to: 'zero' })];
}

export function knockout(options) {
  const indices = { layers: readIndices, query: readIndices, key: readIndices, head: readIndices };
  const kinds = { ...indices, ...stackKind };
  const { layers, ...selected } = readOptions('knockout', options, kinds, ['layers']);
  return [edit({ at: 'scores', layer: layers, ...selected, to: 'blocked' })];
}

export function steer(layer, vector, options) {
  const kinds = { ...stackKind, scale: number, query: readIndices };
  const { scale = 1, ...selected } = readOptions('steer', options, kinds);
  const add = list(isList(vector) ? vector : vector?.data, 'vector').map((x) => x * scale);
  return [edit({ at: 'resid_post', layer, ...selected, to: { add } })];
}

/** The tensor that a result captured at a hook point. */
function capturedTensor(result, at, layer, stack) {
  const found = (result?.captured ?? []).filter(
    (one) => one.at === at && one.layer === layer && (stack ?? one.stack) === one.stack,
  );
  if (found.length === 1) return found[0];
  const which = `${at} of layer ${layer}${stack ? ` of the stack ${stack}` : ''}`;
  throw new RangeError(
    found.length === 0
      ? `the result has not captured ${which}: run() with the option capture`
      : `the result has captured ${which} in several stacks: name the stack`,
  );
}

export function patch(result, options) {
  const indices = { layer: readIndices, head: readIndices, query: readIndices, key: readIndices };
  const kinds = { at: anything, ...indices, ...stackKind };
  const read = readOptions('patch', options, kinds, ['at', 'layer']);
  const { at, layer: layers, stack, ...selected } = read;
  return layers.map((layer) => {
    const captured = capturedTensor(result, at, layer, stack);
    let { tensor } = captured;
    axesOf(at).forEach((field, axis) => {
      if (!selected[field]) return;
      requireBelow(selected[field], tensor.dims[axis], field, `${field} indices`);
      tensor = takeAlong(tensor, axis, selected[field]);
    });
    const data = Array.from(tensor.data, (x) => (x === -Infinity ? null : x));
    const set = { data, dims: tensor.dims };
    return edit({ at, layer, stack: captured.stack, ...selected, to: { set } });
  });
}
