// The --help text of learn.

import { outputHelp } from './shell_options.js';

export const defaults = { steps: 500, seed: 1 };
export const maxSteps = 100_000;

export const learnHelp = `Usage: attention-wasm learn [options] TASK

Trains a small Transformer with random weights on TASK and shows its loss while
it learns; then how many rows it has not seen before come out right, and its
attention in one of them. The same seed gives the same numbers on every machine.

Tasks:
  reverse             8 digits, the last one first; an encoder–decoder with one
                      head, whose cross-attention becomes a diagonal
  sort                6 digits from 0 to 2 in order; a decoder with two layers
  repeat              6 letters, which then come twice more in the same order,
                      each time from another one on; a decoder in whose second
                      layer an induction head appears

Training:
      --steps N       number of steps of 32 rows, 1 to ${maxSteps} (default ${defaults.steps})
      --seed N        seed of weights and rows, 0 to 4294967295 (default ${defaults.seed})
      --scale N       factor of the attention scores, for example 1 (default 1/√d,
                      d = width / heads)
      --save FOLDER   writes config.json and model.safetensors, which
                      attention-wasm model and transformers read

Output:
      --json          one line of JSON: losses, rows that are right, and the
                      attention of an example
${outputHelp}

Examples:
  attention-wasm learn reverse
  attention-wasm learn sort --steps 300 --seed 7 --save sorter
`;
