// Draws the weights of an example as a heat map, with the package itself.

const modules = new URL('modules/', document.baseURI);

/** Draws a matrix of [rows, columns] into an element; `tokens` label rows and columns if their number matches. */
export async function showMatrix(place, weights, tokens) {
  const { defineAttentionMap } = await import(new URL('heatmap.js', modules).href);
  defineAttentionMap();
  const [rows, columns] = weights.dims;
  const namesFor = (count) => (tokens?.length === count ? tokens : null);
  const map = document.createElement('attention-map');
  place.append(map);
  map.update({ weights, rowLabels: namesFor(rows), columnLabels: namesFor(columns) });
}
