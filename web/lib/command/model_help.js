// The part of --help about the options that all commands with the model have.

import { limits } from './limits.js';

export const textHelp = `Every line of TEXT is a sentence of at most ${limits.lineCharacters} characters; lines without
words are passed over. Without TEXT, or with -, they come from standard input,
and are answered one by one, without end if that has none.`;

export const weightsHelp = `      --layer N       the layer, from 1, or all; by default the last
      --head N        the head, from 1, or all; by default the mean of all
      --pieces        between the pieces of words that the model works on;
                      otherwise their weights are merged: the sum over the
                      pieces of a word that is read, the mean over those of a
                      word that reads`;

export const outputHelp = `      --color WHEN    always, never or auto: on terminals with at least 256
                      colours, unless NO_COLOR or FORCE_COLOR says otherwise
  -h, --help          this text
  -V, --version       the version`;
