// Layers with windowed attention: sliding_window includes the token itself; layer_types has an entry per layer.

/** The windows of Qwen, whose configs have a window even if use_sliding_window is false. */
export function switchedWindows(c) {
  const windowOf = windowsOf(c, { isLocal: fromLayer(c.integer('max_window_layers', 28, 0)) });
  return c.flag('use_sliding_window', false) ? windowOf : undefined;
}

const fromLayer = (first) => (n) => n >= first;

/** A function from a layer index to whether layer_types or else isLocal names it one with windowed attention. */
export function localLayers(c, isLocal) {
  const types = c.list('layer_types');
  const kinds = ['full_attention', 'sliding_attention'];
  if (types) c.requireEach('layer_types', types, c.layers('num_hidden_layers'), kinds);
  return (n) => (types ? types[n] === kinds[1] : isLocal(n));
}

/**
 * A function from a layer index to its window, or undefined for full causal attention.
 *
 * @param {import('../config_fields.js').ConfigFields} c
 * @param {{ isLocal?: (n: number) => boolean, size?: number }} defaults layers with windows where there is no layer_types,
 *   by default all; size: default of sliding_window, by default none
 */
export function windowsOf(c, { isLocal = () => true, size } = {}) {
  const hasWindow = localLayers(c, isLocal);
  const hasDefault = size !== undefined && !c.isNull('sliding_window');
  if (c.get('sliding_window') === undefined && !hasDefault) return undefined;
  const window = [c.integer('sliding_window', size) - 1, 0];
  return (n) => (hasWindow(n) ? window : undefined);
}
