// The text of encode --help.

import { outputHelp, textHelp, weightsHelp } from './model_help.js';

export const help = `Usage: attention-wasm encode [options] TEXT
       ... | attention-wasm encode [options]

Shows how the words of an English sentence attend to each other in the encoder
of a small Transformer that was trained to translate (self-attention): a row for
each word that reads, a column for each word it reads, and where they meet the
weight. Every row sums to 1.

${textHelp}

Weights, of the encoder:
${weightsHelp}

Output:
      --json          a line of JSON for each sentence: its text, its tokens
                      with the word each belongs to, and all weights, between
                      pieces: layers × heads × rows × columns
      --csv           the weights of one sentence as CSV, its words as header
${outputHelp}

Examples:
  attention-wasm encode "The animal didn't cross the street; it was tired"
  attention-wasm encode "The red car is fast" --layer 1 --head all
  attention-wasm encode --json < sentences.txt
`;
