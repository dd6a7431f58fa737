// Correct uses of attention-wasm/heatmap; incorrect ones are under @ts-expect-error.

import {
  defineAttentionMap,
  heatmap,
  heatmapSVG,
  thumbnail,
  type Cell,
  type CellFacts,
  type Heatmap,
} from 'attention-wasm/heatmap';

const canvas = document.querySelector('canvas')!;
const map: Heatmap = heatmap(canvas, {
  weights: { data: new Float32Array(6), dims: [2, 3] },
  rowLabels: ['a', 'b'],
  colors: (share) => `rgb(${share}, 0, 0)`,
  domain: [0, 1],
  onSelect: ({ row, value, rowLabel }: CellFacts) => console.log(row, value, rowLabel),
  onHover: (cell) => console.log(cell?.column),
});
map.update({ colors: 'viridis', unseen: new Uint8Array(6), rowLabels: null });
const selected: Cell | null = map.selected;
map.hover({ row: 1 });
const blob: Promise<Blob> = map.toPNG({ ratio: 3 });
const text: string = heatmapSVG({ weights: [[1, 2]] }, { dark: true });
thumbnail(canvas, { weights: [new Float64Array(2)] });
defineAttentionMap();
document
  .querySelector('attention-map')
  ?.update({ weights: [1], rowLabels: ['a'], columnLabels: ['b'] });
console.log(selected, blob, text);

// @ts-expect-error: weights are needed
heatmap(canvas, {});
// @ts-expect-error: no such scale
heatmap(canvas, { weights: [[1]], domain: 'column' });
// @ts-expect-error: a cell has both
map.select({ row: 1 });
// @ts-expect-error: an element has events instead
document.querySelector('attention-map')?.update({ onSelect: () => {} });
