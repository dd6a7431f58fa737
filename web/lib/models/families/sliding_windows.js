// Layers with windowed attention: sliding_window includes the token itself; layer_types has an entry per layer. Without
// it, all layers from `first` on have the window.

/** The windows of Qwen, whose configs have a window even if use_sliding_window is false. */
export function switchedWindows(c) {
  const windowOf = windowsOf(c, { first: c.integer('max_window_layers', 28, 0) });
  return c.flag('use_sliding_window', false) ? windowOf : undefined;
}

/** A function from a layer index to its window, or undefined for full causal attention. */
export function windowsOf(c, { first }) {
  const types = c.list('layer_types');
  const kinds = ['full_attention', 'sliding_attention'];
  if (types) c.requireEach('layer_types', types, c.layers('num_hidden_layers'), kinds);
  if (c.get('sliding_window') === undefined) return undefined;
  const window = [c.integer('sliding_window') - 1, 0];
  const hasWindow = (n) => (types ? types[n] === kinds[1] : n >= first);
  return (n) => (hasWindow(n) ? window : undefined);
}
