// The sentence that says which beginning of a text was read, and why no more.

/**
 * @param {number} read count of tokens that were read
 * @param {number} total count in the whole text
 * @param {string} why the limit with its number
 * @param {{ of?: string, unit?: string }} more `of`: name of the text, where there are two
 */
export function cutSentence(read, total, why, { of = '', unit = 'tokens' } = {}) {
  const [first, all] = [read, total].map((count) => count.toLocaleString('en'));
  return `Read${of && ` of ${of}`}: ${unit} 1 to ${first} of ${all} (${why}).`;
}
