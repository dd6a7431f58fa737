// The options that mean the same in translate, encode and model: one table for parsing and for --help.

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
export const weightHelp = (...names) => names.map((name) => weightOptions[name].help).join('\n');
