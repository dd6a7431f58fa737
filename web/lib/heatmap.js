// Weights as a picture: a heat map on a canvas, the element <attention-map> around one, and what goes
// without a page. None of it needs the WebAssembly module. heatmap.d.ts says what each function promises.
export { heatmap } from './heatmap/component.js';
export { defineAttentionMap } from './heatmap/element.js';
export { heatmapSVG } from './heatmap/still.js';
export { thumbnail } from './heatmap/thumbnail.js';
