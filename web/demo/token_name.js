// The name of a token that may be white space alone, which nobody can read: ␣ for a space, ⏎ for a line break, ⇥ for a tab.

const signs = new Map([
  ['\n', '⏎'],
  ['\t', '⇥'],
]);

/**
 * The token without the space beside its word; '' only for an empty one.
 * @param {string} text
 */
export const tokenName = (text) =>
  text.trim() || Array.from(text, (space) => signs.get(space) ?? '␣').join('');
