// The weights of an example as a heat map, drawn by the package itself.

const modules = new URL('modules/', document.baseURI);

/** Draws a matrix of [rows, columns] into a place; `tokens` name rows and columns where they are as many. */
export async function showMatrix(place, weights, tokens) {
  const { defineAttentionMap } = await import(new URL('heatmap.js', modules).href);
  defineAttentionMap();
  const [rows, columns] = weights.dims;
  const namesFor = (count) => (tokens?.length === count ? tokens : null);
  const map = document.createElement('attention-map');
  place.append(map);
  map.update({ weights, rowLabels: namesFor(rows), columnLabels: namesFor(columns) });
}
