// Export as one HTML file with the heat map, its numbers and its script. It loads nothing, which its content security
// policy enforces.

import { visibleText } from 'attention-wasm/heatmap';
import script from 'virtual:stand-alone-script';
import { optionsFor } from '../../views/matrix.js';
import { layersOf, pooledText } from '../../views/head_of_picture.js';
import { headLists } from './head_lists.js';
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
  const isOfHeads = settings.view === 'heads';
  const note = isOfHeads ? pooledText(picture.thumbnails) : below;
  const data = isOfHeads
    ? headsData(picture, selection, settings)
    : dataOf(picture, selection, settings);
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
${note ? `<p class="caption">${escaped(note)}</p>` : ''}
${isOfHeads ? `<div class="with-arrays">\n${headLists}\n</div>` : ''}
<attention-map></attention-map>
<p class="readout"><bdi class="query"></bdi> <span></span> <bdi class="key"></bdi> <span class="numbers"></span></p>
<p class="hint"><span class="with-mouse">Point at a cell, or go from cell to cell with the arrow keys; + and − zoom.</span><span class="with-finger">Tap a cell to see its number; pinch to zoom.</span> Row: the word that looks. Column: what it looks at.</p>
${back}
</main>
<script type="application/json" id="picture">${inScript(data)}</script>
<script>${script}</script>
</body>
</html>
`;
}

// CSS shows one of two drawings.
const drawingOf = ({ scheme, svg }, title, isOneOfTwo) =>
  `<div class="view${isOneOfTwo ? ` of-${scheme}` : ''}" role="img" tabindex="0" aria-label="${title}">${svg}</div>`;

// Escapes what would end the enclosing element.
const inScript = (data) => JSON.stringify(data).replaceAll('<', '\\u003c');

/** All heads, as their small pictures have them: the layer and head that are shown are chosen first. */
function headsData({ part, thumbnails }, { row, column, head }, { colors }) {
  const layers = Array.from(layersOf(thumbnails), ([id, heads]) => ({
    id,
    name: heads[0].name,
    heads: heads.length,
    rowLabels: blockNames(heads[0].words.rows, heads[0].cells[0]),
    columnLabels: blockNames(heads[0].words.columns, heads[0].cells[1]),
    weights: heads.flatMap(({ weights }) => asNumbers(weights)),
  }));
  const layer = layers.findIndex(({ id }) => id === part);
  const { rows, columns, cells } = thumbnails.find((one) => one.part === part);
  const chosen = {
    ...{ layer, head },
    row: Math.floor((row * cells[0]) / rows),
    column: Math.floor((column * cells[1]) / columns),
  };
  return { layers, chosen, options: { colors } };
}

/** A name for each block of a pooled side: its first and its last word. */
const blockNames = (words, count) =>
  Array.from({ length: count }, (_, at) => {
    const [first, end] = [at, at + 1].map((one) => Math.floor((one * words.length) / count));
    return end - first > 1 ? `${words[first]} … ${words[end - 1]}` : words[first];
  });

function dataOf(picture, selection, settings) {
  const { weights, ...options } = optionsFor(picture, selection, settings);
  const { stage } = settings;
  const { row, column, head } = selection;
  const { masked } = picture.stages;
  const size = picture.rows.length * picture.columns.length;
  const scores =
    stage === 'weights' && masked ? masked.subarray(head * size, (head + 1) * size) : null;
  return {
    ...options,
    percent: undefined, // files have decimals
    stage,
    unseen: options.unseen && Array.from(options.unseen),
    weights: asNumbers(weights.data),
    dims: weights.dims,
    scores: scores && asNumbers(scores),
    selected: { row, column },
  };
}

// Nine significant digits identify every float32.
const asNumbers = (list) => Array.from(list, (number) => Number(number.toPrecision(9)));
