// Reads what run() captured.

/** The captured tensors of a place in one stack, by layer; throws if there are none. */
export function capturedLayers(result, at, stack) {
  const found = new Map();
  for (const one of result?.captured ?? []) {
    if (one.at === at && one.stack === stack) found.set(one.layer, one.tensor);
  }
  if (found.size > 0) return found;
  throw new TypeError(
    `the result has no ${at} of the stack '${stack}': run() needs the option capture with '${at}'`,
  );
}

/** The captured tensor of a place in one layer of a stack; throws if it is missing. */
export function capturedTensor(result, at, stack, layer) {
  const found = capturedLayers(result, at, stack).get(layer);
  if (found) return found;
  throw new RangeError(`the result has no ${at} of layer ${layer} of the stack '${stack}'`);
}
