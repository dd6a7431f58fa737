// The empty viewer: one HTML file that draws the arrays which another program writes into it as JSON. It loads nothing,
// which its content security policy enforces.

import script from 'virtual:viewer-script';
import { headLists } from './head_lists.js';
import { policy } from './policy.js';
import style from './style.css?inline';

/** Lines for a cell of a notebook; `weights` is an array and `tokens` a list. */
export const fromNotebook = `import json; from IPython.display import IFrame
arrays = json.dumps({"weights": weights.tolist(), "tokens": tokens}).replace("<", "\\\\u003c")
page = open("attention-viewer.html", encoding="utf-8").read().replace(">null<", f">{arrays}<", 1)
open("attention.html", "w", encoding="utf-8").write(page)
IFrame("attention.html", "100%", 720)`;

/** The file as a text. */
export const viewerPage = () => `<!doctype html>
<html lang="en" data-scheme="page">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<title>Attention</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>Attention</h1>
<div class="with-arrays" hidden>
${headLists}
</div>
<p class="caption said" role="status"></p>
<attention-map></attention-map>
<p class="readout"><bdi class="query"></bdi> <span></span> <bdi class="key"></bdi> <span class="numbers"></span></p>
<p class="hint with-arrays" hidden><span class="with-mouse">Point at a cell, or go from cell to cell with the arrow keys; + and − zoom.</span><span class="with-finger">Tap a cell to see its number; pinch to zoom.</span> Row: the word that looks. Column: what it looks at.</p>
<div class="without-arrays">
<p>This file has no arrays yet. A program writes them in place of the word null below, as JSON: weights as layers × heads × rows × columns, or fewer, and tokens, or rows and columns, a name for each. In Python:</p>
<pre tabindex="0">${fromNotebook.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')}</pre>
</div>
</main>
<script type="application/json" id="arrays">null</script>
<script>${script}</script>
</body>
</html>
`;
