// The text of model --help.

import { limits } from './limits.js';
import { outputHelp } from './model_help.js';

export const help = `Usage: attention-wasm model [options] FOLDER TEXT
       ... | attention-wasm model [options] FOLDER

Shows how the tokens of TEXT attend to each other in a trained model of your
own. FOLDER, a path or an address, holds the files it was published as:
config.json, model.safetensors (or its shards and their index) and
tokenizer.json. A row for each token that reads, a column for each it reads, and
where they meet the weight. Every row sums to 1. Of a model that answers one
text with another (a translation) the rows are the tokens that it writes.
Without a tokenizer.json TEXT is the ids of tokens, such as "5 3 9". TEXT may
have ${limits.characters} characters, and all layers and heads together
${limits.weights} weights.

Models: bert, roberta, xlm-roberta, distilbert, albert, electra; gpt2, gpt_neo,
gpt_neox, llama, mistral, qwen2, qwen3, phi; bart, mbart, marian, pegasus,
m2m_100, t5.

      --layer N       the layer, from 1, or all; by default the last
      --head N        the head, from 1, or all; by default the mean of all
      --generate N    goes on from the text by up to N tokens, the likeliest
                      each time, and shows them too
      --weights HOW   stored, float32 or int8: how weights are kept in memory;
                      by default as they are stored

Output:
      --json          the tokens, where they stand in the text, what was written
                      and all weights: layers × heads × rows × columns
      --csv           the weights as CSV, the tokens as header
${outputHelp}

Examples:
  attention-wasm model ./my-bert "The animal was too tired"
  attention-wasm model ./gpt2 "Once upon a time" --generate 20 --head all
  attention-wasm model ./opus-mt-en-de "The red car is fast" --json
`;
