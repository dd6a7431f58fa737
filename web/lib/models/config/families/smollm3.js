// SmolLM3 (Hugging Face, 2025): Llama in which every fourth layer has no rotary positions, and
// only those layers may have windows.
import { llama } from './llama.js';
import { windowsOf } from './sliding_windows.js';

/** Whether each layer has rotary positions: 'no_rope_layers' has 1 for those that do, and may have more entries than layers. */
function rotaryLayers(c, layers) {
  const interval = c.integer('no_rope_layer_interval', 4);
  const defaults = Array.from({ length: layers }, (_, n) => Number((n + 1) % interval !== 0));
  const first = (c.list('no_rope_layers') ?? defaults).slice(0, layers);
  return c.requireEach('no_rope_layers', first, layers, [0, 1]).map((kind) => kind === 1);
}

export function smollm3(c) {
  const described = llama(c, { base: 2e6, tied: true });
  const stack = described.self;
  const hasRotary = rotaryLayers(c, stack.layers);
  const windowOf = windowsOf(c, { isLocal: (n) => !hasRotary[n] });
  return {
    ...described,
    self: {
      ...stack,
      optionsOf: (n) => (hasRotary[n] ? stack.optionsOf?.(n) : { rotary: undefined }),
      windowOf: c.flag('use_sliding_window', false) ? windowOf : undefined,
    },
    ignoredFields: [...described.ignoredFields, 'max_window_layers'],
  };
}
