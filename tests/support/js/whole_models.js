// Tiny models with tokenizers as files { name: content }: a decoder, a masked language model, and an
// encoder–decoder.
import { writeSafetensors } from 'attention-wasm/safetensors';
import { byteLevel, cases, withTokens } from './models_with_tokens.js';
import { seededWeights } from './seeded_weights.js';

const filesOf = ({ config, weights }, others) => ({
  'config.json': JSON.stringify(config),
  'model.safetensors': Buffer.from(writeSafetensors(weights)),
  ...others,
});

/** GPT-2 with a token for each byte, and the merged token `at`. */
export function decoderFiles() {
  const { tokenizer, ...model } = withTokens('gpt2', 258, byteLevel([['a', 't']]));
  return filesOf(model, { 'tokenizer.json': JSON.stringify(tokenizer) });
}

/** GPT-2 with tokens of the names John and Mary, with a space before them. */
export function namesFiles() {
  const merges = ['John', 'Mary'].flatMap((name) => {
    const [first, ...others] = `Ġ${name}`;
    let before = first;
    return others.map((character) => {
      const pair = [before, character];
      before += character;
      return pair;
    });
  });
  const { tokenizer, ...model } = withTokens('gpt2', 257 + merges.length, byteLevel(merges));
  return filesOf(model, { 'tokenizer.json': JSON.stringify(tokenizer) });
}

/** BERT with thirteen words. */
export function fillingFiles() {
  const { config, ...rest } = cases['bert, masked words'];
  const special = ['[PAD]', '[UNK]', '[CLS]', '[SEP]', '[MASK]'];
  const words = ['the', 'cat', 'sat', 'on', 'mat', '##s', 'dog', '.'];
  const weights = seededWeights(rest);
  return filesOf({ config, weights }, { 'vocab.txt': [...special, ...words].join('\n') });
}

/** BART with a token for each byte. */
export function writingFiles() {
  const { tokenizer, ...model } = withTokens('bart', 258, byteLevel([['a', 't']]));
  model.weights.delete('final_logits_bias'); // its length is the fixture's vocabulary
  return filesOf(model, { 'tokenizer.json': JSON.stringify(tokenizer) });
}

/** ViT of two by two patches (`name`: one of `cases`), which looks at red, green and blue. */
export function seeingFiles(name = 'vit') {
  const { config, shapes, ...rest } = cases[name];
  const colored = Object.entries(shapes).map(([name, dims]) => [
    name,
    dims.length === 4 ? [dims[0], 3, ...dims.slice(2)] : dims,
  ]);
  const weights = seededWeights({ ...rest, shapes: Object.fromEntries(colored) });
  return filesOf(
    { config: { ...config, num_channels: 3 }, weights },
    {
      'preprocessor_config.json': JSON.stringify({
        size: { height: 8, width: 8 },
        image_mean: [0.5, 0.4, 0.3],
        image_std: [0.5, 0.25, 0.2],
      }),
    },
  );
}
