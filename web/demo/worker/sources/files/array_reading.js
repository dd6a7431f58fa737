// Arrays from files as a Reading. Labels come from the file, from the text if it has as many words, or are numbers.

import { fixedBy } from '../fixed_weights.js';
import { read as readSpelling } from '../spelled_words.js';
import { readTokens } from '../tokens.js';
import { labelsIn, needed, noteOnSums, partsOf } from './own_arrays.js';

/** `roles`: arrays by role; `files`: their files. */
export async function readArrays(request, roles, files) {
  const missing = roles.weights ? [] : needed.filter((role) => !roles[role]);
  if (missing.length > 0) {
    const waiting = await readSpelling({ ...request, positions: false });
    const note =
      files.length === 0
        ? 'No file yet: spelling stands in for it.'
        : `Still missing: ${missing.join(' and ')}. Until then spelling stands in.`;
    return { ...waiting, note };
  }
  const { saved } = files[0];
  const fileName = files.map(({ name }) => name).join(', ');
  const words = saved ? savedWords(saved) : ownWords(request, roles);
  const name = saved?.name || fileName;
  const parts = partsOf(roles, { name, heads: request.heads, saved });
  const [{ heads }] = parts;
  const hasHeads = (roles.weights ?? roles.query).hasHeads;
  return {
    ...words,
    parts,
    note: [
      hasHeads && heads !== request.heads
        ? `${fileName} has ${heads} heads; the setting is ignored.`
        : '',
      saved || hasWords(roles)
        ? `The words come from ${fileName}; the text above is not used.`
        : '',
      words.note ?? '',
      roles.weights ? noteOnSums(roles.weights) : '',
      roles.weights ? 'Only weights were given: no queries, keys or values.' : '',
    ]
      .filter(Boolean)
      .join(' '),
    ...(hasHeads && { overruled: { heads: `${fileName} has ${heads}.` } }),
    ...(roles.weights && fixedBy(`The weights are those of ${fileName}.`)),
  };
}

const hasWords = (roles) => Object.values(labelsIn(roles)).some(Boolean);

/** Tokens in a JSON export of this page. */
function savedWords({ rows, columns, texts }) {
  const labels = rows.map(labelOf);
  return { rows: labels, columns: columns?.map(labelOf) ?? labels, texts };
}
const labelOf = ({ text, word, special = false, start = null, end = null }) => {
  return { text, word, special, start, end };
};

function ownWords({ mode, first, second }, { weights, query, key }) {
  const [height, width] = weights ? weights.dims.slice(2) : [query.dims[2], key.dims[2]];
  const given = labelsIn({ weights, query, key });
  const isOne = mode !== 'cross' && height === width;
  const rows = wordsFor(height, given.rows ?? (isOne ? given.columns : null), first);
  const columns = isOne ? rows : wordsFor(width, given.columns, second);
  return {
    rows: rows.labels,
    columns: columns.labels,
    texts: [rows.text, columns.text],
    note:
      mode !== 'cross' && !isOne
        ? `${height} rows and ${width} columns are of two texts: Cross shows both.`
        : '',
  };
}

/** { labels, text } for numbers from 1 to `count`. */
function wordsFor(count, given, text) {
  if (!given || given.length !== count) {
    const { labels } = readTokens(text);
    if (labels.length === count) return { labels, text };
  }
  const words =
    given?.length === count ? given : Array.from({ length: count }, (_, at) => `${at + 1}`);
  let end = -1;
  const labels = words.map((word, at) => {
    const start = end + 1;
    end = start + word.length;
    return { text: word, word: at, special: false, start, end };
  });
  return { labels, text: words.join(' ') };
}
