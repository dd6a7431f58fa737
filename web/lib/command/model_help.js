// The --help texts of translate, encode and model.

import { editHelp } from './edit_options.js';
import { kernelsHelp } from './kernels.js';
import { limits } from './limits.js';
import { measureHelp } from './measure_options.js';
import { outputHelp } from './shell_options.js';

/** Options that select weights. */
export const weightOptions = {
  layer: {
    type: 'string',
    help: '      --layer N       layer number from 1, or all (default: the last)',
  },
  head: {
    type: 'string',
    help: '      --head N        head number from 1, or all (default: the mean of heads)',
  },
  pieces: {
    type: 'boolean',
    help: `      --pieces        weights between tokens (pieces of words) instead of words;
                      for words, columns of a word are summed and rows of a
                      word averaged`,
  },
};

/** The --help text of these options. */
const weightHelp = (...names) => names.map((name) => weightOptions[name].help).join('\n');

const textHelp = `Each line of TEXT is a sentence of at most ${limits.lineCharacters} characters; lines without
words are skipped. Without TEXT, or if TEXT is -, sentences are read from
standard input, and each result is written as soon as its line is complete.`;

export const defaults = { beam: 4 };

export const translateHelp = `Usage: attention-wasm translate [options] TEXT
       ... | attention-wasm translate [options]

Translates English to French with a small Transformer and shows its
cross-attention: one row per French word, one column per English word; each
cell is a weight. Each row sums to 1.

${textHelp}

Translation:
      --beam N        number of beams of the search, 1 to 32 (default ${defaults.beam});
                      1 is greedy and fastest
      --target TEXT   a French sentence to use instead of searching for one, to
                      see its weights and its probability

Changes inside the model:
${editHelp}
                      The stack is written before: encoder:0.1, decoder:1,
                      cross:2.3, "cross:<-elephant". Words are those of the
                      English text; French words are given by position

Weights of the decoder:
${weightHelp('layer', 'head', 'pieces')}

Computation:
${kernelsHelp}

Output:
      --text-only     only the translation, one line per input line
      --picture FILE  writes the selected weights of one sentence to an SVG file
      --json          one line of JSON per sentence: texts, tokens with the
                      index of their word, log probabilities, and all weights of
                      encoder, decoder and cross-attention between tokens:
                      layers × heads × rows × columns
      --csv           the weights of one sentence as CSV with a header of words
${outputHelp}

Examples:
  attention-wasm translate "The pink elephant tried to get into the car"
  attention-wasm translate "The red car" --target "La voiture rouge" --head all
  attention-wasm translate "The red car is fast" --knockout "cross:<-red"
  attention-wasm translate --text-only < sentences.txt
`;

export const encodeHelp = `Usage: attention-wasm encode [options] TEXT
       ... | attention-wasm encode [options]

Shows the encoder self-attention of a small translation Transformer for English
sentences: one row per query word, one column per key word; each cell is a
weight. Each row sums to 1.

${textHelp}

Weights of the encoder:
${weightHelp('layer', 'head', 'pieces')}

Computation:
${kernelsHelp}

Output:
      --json          one line of JSON per sentence: text, tokens with the index
                      of their word, and all weights between tokens:
                      layers × heads × rows × columns
      --csv           the weights of one sentence as CSV with a header of words
${outputHelp}

Examples:
  attention-wasm encode "The animal didn't cross the street; it was tired"
  attention-wasm encode "The red car is fast" --layer 1 --head all
  attention-wasm encode --json < sentences.txt
`;

export const modelHelp = `Usage: attention-wasm model [options] FOLDER TEXT
       ... | attention-wasm model [options] FOLDER

Shows the attention of your own trained model. FOLDER is a path or an address
with config.json, model.safetensors (or its shards and their index) and
tokenizer.json. One row per query token, one column per key token; each cell is
a weight. Each row sums to 1. For encoder–decoders, rows are generated tokens.
If tokenizer.json is missing, TEXT is a list of token ids, such as "5 3 9".
TEXT may have ${limits.characters} characters, and all layers and heads together
${limits.weights} weights.

Models: bert, roberta, xlm-roberta, distilbert, albert, electra; gpt2, gpt_neo,
gpt_neox, llama, mistral, qwen2, qwen3, phi; bart, mbart, marian, pegasus,
m2m_100, t5, nn_transformer.

Weights:
${weightHelp('layer', 'head')}
      --generate N    continues the text by at most N tokens, each time the
                      likeliest, and includes them in the table
      --prompt NAME   sentence encoders: the prompt before the text, one of
                      config_sentence_transformers.json (default: its
                      default_prompt_name)
      --no-prompt     no prompt before the text
      --weights TYPE  storage type in memory: stored (as in the file, default),
                      float32 or int8

Changes inside the model:
${editHelp}
                      Encoder–decoders need a stack before: encoder:0.1,
                      decoder:1, cross:2.3, "cross:<-elephant"; positions of the
                      decoder are numbers

Measures, shown instead of the weights:
${measureHelp}

Computation:
${kernelsHelp}

Output:
      --picture FILE  writes the selected weights, or the scores of heads, to an
                      SVG file
      --json          input tokens, generated text and ids, row and column
                      tokens, all weights: layers × heads × rows × columns
      --csv           the weights as CSV with a header of tokens
${outputHelp}

Examples:
  attention-wasm model ./my-bert "The animal was too tired"
  attention-wasm model ./gpt2 "Once upon a time" --generate 20 --head all
  attention-wasm model ./opus-mt-en-de "The red car is fast" --json
  attention-wasm model ./gpt2 "When John and Mary went to the shops, John gave
    the bag to" --ablate 9.9,9.6 --attribute Mary --against John
`;
