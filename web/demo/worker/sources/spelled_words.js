// Reading of texts with vectors from spelling.

import { lexicalScale, wordVectors } from 'attention-wasm/text';
import { splitHeads } from './heads.js';
import { readTokens } from './tokens.js';

const dim = 64;

export async function read({ mode, first, second, heads = 1, positions = false }) {
  const rows = readTokens(first);
  const columns = mode === 'cross' ? readTokens(second) : rows;
  const spelled = ({ labels }) =>
    wordVectors(
      labels.map(({ text }) => text),
      { dim, positions },
    );
  const x = { rows: spelled(rows) };
  x.columns = columns === rows ? x.rows : spelled(columns);
  const key = splitHeads(x.columns, heads);
  return {
    rows: rows.labels,
    columns: columns.labels,
    cut: rows.cut || columns.cut,
    note: 'Spelling needs no projection: each head’s q, k and v are its share of x.',
    parts: [
      {
        id: 'spelling',
        name: 'Spelling',
        heads,
        causal: false,
        x,
        query: splitHeads(x.rows, heads),
        key,
        value: key,
        scale: lexicalScale * heads,
      },
    ],
  };
}
