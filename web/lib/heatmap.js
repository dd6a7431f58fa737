// Weights as a picture: a heat map on a canvas, the element <attention-map> around one, and what goes
// without a page. None of it needs the WebAssembly module. heatmap.d.ts says what each function promises.
export { heatmap } from './heatmap/component.js';
export { defineAttentionMap } from './heatmap/element.js';
export { visible as visibleText } from './heatmap/labels.js';
export { formatBriefly, formatEnd, formatValue } from './heatmap/number_formats.js';
export { colorScale } from './heatmap/ramp.js';
export { heatmapSVG } from './heatmap/still.js';
export { thumbnail } from './heatmap/thumbnail.js';
