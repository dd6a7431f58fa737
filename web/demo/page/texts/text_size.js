// Font size of the text view: the largest one with which every text fits.

export const sizes = ['huge', 'large', 'medium', 'small', 'tiny'];

// Without words the text itself is measured.
const roomOf = (line) => (line.firstChild ? line : line.previousElementSibling);
const fits = (line) => roomOf(line).scrollHeight <= roomOf(line).clientHeight;

/**
 * Sets the largest size from `sizes[from]` on with which every line fits; a text that is too long for all gets the class
 * "long". Every trial costs a layout. Returns the index of the size.
 */
export function fitWords(root, lines, from = 0) {
  let size = from;
  for (; size < sizes.length; ++size) {
    if (root.dataset.size !== sizes[size]) root.dataset.size = sizes[size];
    root.classList.remove('long');
    if (lines.every(fits)) break;
  }
  root.classList.toggle('long', size === sizes.length);
  return Math.min(size, sizes.length - 1);
}
