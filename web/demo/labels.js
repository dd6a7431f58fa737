// Words as labels on a canvas: measured, and cut with an ellipsis where they do not fit.

const graphemes =
  typeof Intl.Segmenter === 'function'
    ? new Intl.Segmenter('en', { granularity: 'grapheme' })
    : null;

/** `widthOf(text, font)` and `fit(text, font, width)`, remembering what was measured. */
export function createLabels(context) {
  const widths = new Map();
  const fitted = new Map();

  function widthOf(text, font) {
    const key = `${font}\n${text}`;
    let width = widths.get(key);
    if (width === undefined) {
      context.font = font;
      width = context.measureText(text).width;
      remember(widths, key, width);
    }
    return width;
  }

  function fit(text, font, width) {
    if (widthOf(text, font) <= width) return text;
    const key = `${font}\n${Math.floor(width)}\n${text}`;
    let label = fitted.get(key);
    if (label === undefined) {
      label = cut(text, (part) => widthOf(part, font) <= width);
      remember(fitted, key, label);
    }
    return label;
  }

  return { widthOf, fit };
}

// The longest beginning that fits with its ellipsis, never cutting through a character as people see it.
function cut(text, fits) {
  const parts = graphemes
    ? Array.from(graphemes.segment(text), ({ segment }) => segment)
    : Array.from(text);
  let [low, high] = [0, parts.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(`${parts.slice(0, middle).join('')}…`)) low = middle;
    else high = middle - 1;
  }
  return `${parts.slice(0, low).join('')}…`;
}

function remember(map, key, value) {
  if (map.size > 20000) map.clear();
  map.set(key, value);
}
