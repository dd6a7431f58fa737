// Which layers look back a window only: sliding_window counts the token itself; layer_types name each layer, and
// without them it is all from the first on.

/** Of Qwen, whose configs name a window also where none is used. */
export const switchedWindows = (c) =>
  c.flag('use_sliding_window', false)
    ? windowsOf(c, { first: c.whole('max_window_layers', 28, 0) })
    : undefined;

/** n → the layer's window, or undefined where it sees everything before it. */
export function windowsOf(c, { first }) {
  const types = c.list('layer_types');
  const kinds = ['full_attention', 'sliding_attention'];
  if (types) c.requireEach('layer_types', types, c.layers('num_hidden_layers'), kinds);
  if (c.get('sliding_window') === undefined) return undefined;
  const window = [c.whole('sliding_window') - 1, 0];
  const slides = (n) => (types ? types[n] === kinds[1] : n >= first);
  return (n) => (slides(n) ? window : undefined);
}
