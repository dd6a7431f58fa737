// What is shown as one HTML file: the heat map, its numbers and its script in it. Nothing is fetched, and its policy
// says so.

import { visibleText } from 'attention-wasm/heatmap';
import script from 'virtual:stand-alone-script';
import { optionsFor } from '../../views/matrix.js';
import style from './style.css?inline';

const policy = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'";

const escaped = (text) =>
  text.replace(
    /[&<>"]/g,
    (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[sign],
  );

/**
 * `picture`, `selection` and `settings` are what is shown, `caption` its lines; `drawings` are { scheme, svg } of the
 * view that is seen, where that is another than the matrix, and `below` is the matrix's own caption; `link` is the address of the same, or null; `scheme` is 'light', 'dark', or 'page'
 * for what suits whoever looks at it.
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
    ? `<p><a href="${escaped(link)}" rel="noopener">The page that it is from</a>, with everything behind the numbers.</p>`
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
<p class="hint">Point at a cell, or go from cell to cell with the arrow keys; + and − zoom. Row: the word that reads. Column: what it attends to.</p>
${back}
</main>
<script type="application/json" id="picture">${dataOf(picture, selection, settings)}</script>
<script>${script}</script>
</body>
</html>
`;
}

// Of two the one that suits is seen.
const drawingOf = ({ scheme, svg }, title, isOneOfTwo) =>
  `<div class="view${isOneOfTwo ? ` of-${scheme}` : ''}" role="img" tabindex="0" aria-label="${title}">${svg}</div>`;

// Nothing in it may end the element that it stands in.
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
    stage,
    unseen: options.unseen && Array.from(options.unseen),
    weights: asNumbers(weights.data),
    dims: weights.dims,
    scores: scores && asNumbers(scores),
    selected: { row, column },
  }).replaceAll('<', '\\u003c');
}

// Nine figures are every float there is.
const asNumbers = (list) => Array.from(list, (number) => Number(number.toPrecision(9)));
