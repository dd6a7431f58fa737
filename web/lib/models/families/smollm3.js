// SmolLM3 (Hugging Face, 2025): Llama in which every fourth layer has no rotary positions.
import { llama } from './llama.js';
import { switchedWindows } from './sliding_windows.js';

export function smollm3(c) {
  const described = llama(c);
  const stack = described.self;
  const interval = c.integer('no_rope_layer_interval', 4);
  const defaults = Array.from({ length: stack.layers }, (_, n) => Number((n + 1) % interval !== 0));
  // 1: the layer has rotary positions.
  const kinds = c.requireEach(
    'no_rope_layers',
    c.list('no_rope_layers') ?? defaults,
    stack.layers,
    [0, 1],
  );
  return {
    ...described,
    self: {
      ...stack,
      optionsOf: (n) => (kinds[n] ? stack.optionsOf?.(n) : { rotary: undefined }),
      windowOf: switchedWindows(c),
    },
  };
}
