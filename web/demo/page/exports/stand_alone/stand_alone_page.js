// Export as one HTML file with the heat map, its numbers and its script. It loads nothing, which its content security
// policy enforces.

import { visibleText } from 'attention-wasm/heatmap';
import script from 'virtual:stand-alone-script';
import { optionsFor } from '../../views/matrix.js';
import { policy } from './policy.js';
import style from './style.css?inline';

const escaped = (text) =>
  text.replace(
    /[&<>"]/g,
    (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[sign],
  );

/**
 * `picture`, `selection` and `settings`: the current ones; `caption`: its lines; `drawings`: { scheme, svg } of the
 * current view unless that is the matrix, whose own caption is then `below`; `link`: address of the same state, or
 * null; `scheme`: 'light', 'dark', or 'page' for the reader's preference.
 */
export function standAlonePage({
  picture,
  selection,
  settings,
  caption,
  drawings,
  below,
  link,
  scheme,
}) {
  const [title, ...more] = caption.map((line) => escaped(visibleText(line)));
  const back = link
    ? `<p><a href="${escaped(link)}" rel="noopener">Open the page it came from</a>, with everything behind the numbers.</p>`
    : '';
  return `<!doctype html>
<html lang="en" data-scheme="${scheme}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<title>Attention: ${title}</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>${title}</h1>
<p class="caption">${more.join(' ')}</p>
${drawings.map((one) => drawingOf(one, title, drawings.length > 1)).join('\n')}
${below ? `<p class="caption">${escaped(below)}</p>` : ''}
<attention-map></attention-map>
<p class="readout"><bdi class="query"></bdi> <span></span> <bdi class="key"></bdi> <span class="numbers"></span></p>
<p class="hint"><span class="with-mouse">Point at a cell, or go from cell to cell with the arrow keys; + and − zoom.</span><span class="with-finger">Tap a cell to see its number; pinch to zoom.</span> Row: the word that looks. Column: what it looks at.</p>
${back}
</main>
<script type="application/json" id="picture">${dataOf(picture, selection, settings)}</script>
<script>${script}</script>
</body>
</html>
`;
}

// CSS shows one of two drawings.
const drawingOf = ({ scheme, svg }, title, isOneOfTwo) =>
  `<div class="view${isOneOfTwo ? ` of-${scheme}` : ''}" role="img" tabindex="0" aria-label="${title}">${svg}</div>`;

// Escapes what would end the enclosing element.
function dataOf(picture, selection, settings) {
  const { weights, ...options } = optionsFor(picture, selection, settings);
  const { stage } = settings;
  const { row, column, head } = selection;
  const { masked } = picture.stages;
  const size = picture.rows.length * picture.columns.length;
  const scores =
    stage === 'weights' && masked ? masked.subarray(head * size, (head + 1) * size) : null;
  return JSON.stringify({
    ...options,
    percent: undefined, // files have decimals
    stage,
    unseen: options.unseen && Array.from(options.unseen),
    weights: asNumbers(weights.data),
    dims: weights.dims,
    scores: scores && asNumbers(scores),
    selected: { row, column },
  }).replaceAll('<', '\\u003c');
}

// Nine significant digits identify every float32.
const asNumbers = (list) => Array.from(list, (number) => Number(number.toPrecision(9)));
