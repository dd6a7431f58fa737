// The sentence that says which part of a text was read, and why no more.

/**
 * @param {number} read count of tokens up to the last that was read
 * @param {number} total count in the whole text
 * @param {string} why the limit with its number
 * @param {{ of?: string, unit?: string, from?: number }} more `of`: name of the text, where there are two; `from`: index
 *   of the first token that was read
 */
export function cutSentence(read, total, why, { of = '', unit = 'tokens', from = 0 } = {}) {
  const [first, last, all] = [from + 1, read, total].map((count) => count.toLocaleString('en'));
  return `Read${of && ` of ${of}`}: ${unit} ${first} to ${last} of ${all} (${why}).`;
}
