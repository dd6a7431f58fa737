// attention-wasm/heatmap: a heat map on a canvas, the element <attention-map>, and functions that need no page. Nothing
// here needs the WebAssembly module. heatmap.d.ts documents each function.
export { heatmap } from './heatmap/component.js';
export { defineAttentionMap } from './heatmap/element.js';
export { invisibleIn as invisibleCharacters } from './heatmap/invisible.js';
export { visible as visibleText } from './heatmap/labels.js';
export { formatBriefly, formatEnd, formatValue } from './heatmap/number_formats.js';
export { colorScale } from './heatmap/ramp.js';
export { heatmapSVG } from './heatmap/static_picture.js';
export { thumbnail } from './heatmap/thumbnail.js';
