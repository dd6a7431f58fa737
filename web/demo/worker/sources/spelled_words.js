// Reading of texts with vectors from spelling.

import { lexicalScale, wordVectors } from 'attention-wasm/text';
import { cutSentence } from './cut_text.js';
import { splitHeads } from './heads.js';
import { maxTokens, readTokens } from './tokens.js';

/** @import { PlainReading } from '../../types' */
/** @import { SourceQuestion } from '../types' */
/** @typedef {ReturnType<typeof readTokens>} ReadTokens */

const dim = 64;

/**
 * @param {SourceQuestion} question
 * @returns {Promise<PlainReading>}
 */
export async function read({ mode, first, second, heads = 1, positions = false }) {
  const rows = readTokens(first);
  const columns = mode === 'cross' ? readTokens(second) : rows;
  /** @param {ReadTokens} tokens */
  const spelled = ({ labels }) =>
    wordVectors(
      labels.map(({ text }) => text),
      { dim, positions },
    );
  const xRows = spelled(rows);
  const x = { rows: xRows, columns: columns === rows ? xRows : spelled(columns) };
  const key = splitHeads(x.columns, heads);
  return {
    kind: 'plain',
    rows: rows.labels,
    columns: columns.labels,
    cut: cutOf(rows, columns),
    note: 'Spelling needs no projection: each head’s q, k and v are its share of x.',
    parts: [
      {
        kind: 'vectors',
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

/**
 * @param {ReadTokens} rows
 * @param {ReadTokens} columns
 */
function cutOf(rows, columns) {
  const why = `the page reads at most ${maxTokens.toLocaleString('en')}`;
  /** @type {[ReadTokens, string][]} */
  const texts =
    rows === columns
      ? [[rows, '']]
      : [
          [rows, 'the text that looks'],
          [columns, 'the text it looks at'],
        ];
  return texts
    .filter(([{ labels, total }]) => total > labels.length)
    .map(([{ labels, total }, of]) => cutSentence(labels.length, total, why, { of }))
    .join(' ');
}
