// Models of tests/vectors/models.json and model_families.json, with tokenizers, to be run on texts.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './package.js';
import { seededWeights } from './seeded_weights.js';

const casesIn = (name) => JSON.parse(readFileSync(join(root, 'tests/vectors', name), 'utf8'));

export const cases = { ...casesIn('models.json'), ...casesIn('model_families.json') };

/** A case of the fixture with another number of tokens, and a tokenizer. */
export function withTokens(name, count, tokenizer) {
  const { config, shapes, ...rest } = cases[name];
  const resized = Object.fromEntries(
    Object.entries(shapes).map(([tensor, dims]) => [
      tensor,
      dims.map((dim, axis) => (axis === 0 && dim === config.vocab_size ? count : dim)),
    ]),
  );
  const longer = Object.hasOwn(config, 'n_positions') ? { n_positions: 64, n_ctx: undefined } : {};
  if (longer.n_positions) resized['transformer.wpe.weight'] = [64, 8];
  return {
    config: { ...config, ...longer, vocab_size: count },
    weights: seededWeights({ ...rest, shapes: resized }),
    tokenizer,
  };
}

export const numbered = (tokens) => Object.fromEntries(tokens.map((token, id) => [token, id]));
const isPrintable = (byte) => (byte > 32 && byte < 127) || (byte > 160 && byte !== 173);

/** Byte-level BPE as GPT-2 has it: a token for each byte, and for what is merged. */
export function byteLevel(merges, addsSpace = false, normalizer = null) {
  let others = 256;
  const bytes = Array.from({ length: 256 }, (_, byte) =>
    String.fromCodePoint(isPrintable(byte) ? byte : others++),
  );
  const vocab = numbered([...bytes, ...merges.map((pair) => pair.join('')), '<end>']);
  const step = {
    type: 'ByteLevel',
    add_prefix_space: addsSpace,
    trim_offsets: true,
    use_regex: true,
  };
  return {
    added_tokens: [{ id: vocab['<end>'], content: '<end>', special: true, normalized: false }],
    normalizer,
    pre_tokenizer: step,
    decoder: { type: 'ByteLevel' },
    model: { type: 'BPE', vocab, merges, unk_token: null },
  };
}
