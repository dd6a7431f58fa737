// A Reading without tokens: nothing is drawn, and the page says why.

/** `why`: a sentence, or undefined where there is no text yet. */
export const noReading = (why) => ({
  rows: [],
  columns: [],
  parts: [{ id: 'none', name: '', heads: 1, causal: false }],
  why,
});
