// The text of translate --help.

import { outputHelp, textHelp, weightsHelp } from './model_help.js';

export const defaults = { beam: 4 };

export const help = `Usage: attention-wasm translate [options] TEXT
       ... | attention-wasm translate [options]

Translates English to French with a small Transformer, and shows where it looked
to write each word (cross-attention): a row for each French word, a column for
each English one, and where they meet the weight. Every row sums to 1.

${textHelp}

Translation:
      --beam N        sentences kept side by side while searching, 1 to 32 (${defaults.beam});
                      1 is fastest
      --target TEXT   a French sentence of your own instead of the model's: what
                      would it look at to write this, and how likely is that?

Weights, of the decoder:
${weightsHelp}

Output:
      --text-only     the translation alone, a line for each line
      --json          a line of JSON for each sentence: the texts, their tokens
                      with the word each belongs to, log probabilities, and all
                      weights of encoder, decoder and cross-attention, between
                      pieces: layers × heads × rows × columns
      --csv           the weights of one sentence as CSV, its words as header
${outputHelp}

Examples:
  attention-wasm translate "The pink elephant tried to get into the car"
  attention-wasm translate "The red car" --target "La voiture rouge" --head all
  attention-wasm translate --text-only < sentences.txt
`;
