// Lines of a text for a drawing, as SVG does not wrap texts.

/** @type {(text: string, letters: number) => string} */
const shortened = (text, letters) => {
  const all = [...text];
  return all.length > letters ? `${all.slice(0, Math.max(0, letters - 1)).join('')}…` : text;
};

/**
 * At most `max` lines of at most this many characters. What does not fit is cut with an ellipsis.
 * @param {string} text
 * @param {number} letters
 * @param {number} [max]
 * @returns {string[]}
 */
export function wrapText(text, letters, max = 2) {
  /** @type {string[]} */
  const lines = [];
  const words = text.split(' ');
  while (words.length > 0 && lines.length < max - 1) {
    let line = /** @type {string} */ (words.shift());
    while (words.length > 0 && [...`${line} ${words[0]}`].length <= letters) {
      line += ` ${words.shift()}`;
    }
    lines.push(shortened(line, letters));
  }
  return words.length > 0 ? [...lines, shortened(words.join(' '), letters)] : lines;
}
