// Layout of the text view: the largest font size with which every text fits in one line, with rays between the lines or above
// the one; else, without rays, the largest with which all lines of a text are seen.

export const sizes = ['huge', 'large', 'medium', 'small', 'tiny'];

/** Index of the first layout without rays. */
export const wrapped = sizes.length;
const layouts = [true, false].flatMap((hasRays) => sizes.map((size) => ({ size, hasRays })));

// Without words the text itself is measured.
const roomOf = (line) => (line.firstChild ? line : line.previousElementSibling);
const fits = (line) => roomOf(line).scrollHeight <= roomOf(line).clientHeight;

/**
 * Sets the first layout from index `from` on with which every line fits: the classes "rays" and "numbered", and the size. A
 * text that is too long for all gets the class "long". `maxNumbered`: whether words have room for a weight below them.
 * Every trial costs a layout. Returns the index of the layout.
 */
export function fitWords(root, lines, from = 0, isNumbered = true) {
  let at = from;
  for (; at < layouts.length; ++at) {
    const { size, hasRays } = layouts[at];
    if (root.dataset.size !== size) root.dataset.size = size;
    root.classList.toggle('rays', hasRays);
    root.classList.toggle('numbered', !hasRays && isNumbered);
    root.classList.remove('long');
    if (lines.every(fits)) break;
  }
  root.classList.toggle('long', at === layouts.length);
  return Math.min(at, layouts.length - 1);
}
