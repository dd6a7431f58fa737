// The fingerprints of the results of all test vectors, one for each function: the same on every engine, with any compiler
// (tests/vectors/fingerprints.json), and with each row of the queries computed alone.
import { addInOrder, startFingerprint } from './fingerprint.js';
import { pick } from './rearrange.js';
import { vectorProblems } from './vector_calls.js';

const everything = JSON.stringify({ weights: true, scores: 'raw', logSumExp: true });

/** Fingerprints by function: plain calls, and attention() with all optional results. */
export function fixtureFingerprints(api, cases) {
  const found = {};
  for (const one of cases) {
    const fingerprint = (found[one.function] ??= startFingerprint());
    const seen = ({ path, results }) => {
      if (path === '{}' || (one.function === 'attention' && path === everything)) {
        addInOrder(fingerprint, results);
      }
    };
    for (const problem of vectorProblems(api, one, seen))
      throw new Error(`${one.name}: ${problem}`);
  }
  const texts = Object.entries(found).map(([name, fingerprint]) => [name, fingerprint.text()]);
  return Object.fromEntries(texts.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** attention() of one query at a time, joined. */
export function attentionByRows({ attention }) {
  return (query, key, value, options) => {
    const rank = query.dims.length;
    const rows = rank === 4 ? 2 : rank - 2;
    const length = query.dims[rows];
    if (length === 0) return attention(query, key, value, options);
    const parts = Array.from({ length }, (_, row) =>
      attention(pick(query, rows, [row]), key, value, optionsOfRow(options, row)),
    );
    const whole = {};
    for (const name of Object.keys(parts[0])) {
      const { dims } = parts[0][name];
      const axis = { output: rows, logSumExp: dims.length - 1 }[name] ?? dims.length - 2;
      whole[name] = joined(
        parts.map((part) => part[name]),
        axis,
      );
    }
    return whole;
  };
}

function optionsOfRow({ mask, offset = 0, ...options }, row) {
  const moved = Array.isArray(offset) ? offset.map((one) => one + row) : offset + row;
  const axis = mask ? mask.dims.length - 2 : -1;
  const isByRow = axis >= 0 && mask.dims[axis] > 1;
  return {
    ...options,
    offset: moved,
    ...(mask && { mask: isByRow ? pick(mask, axis, [row]) : mask }),
  };
}

/** Concatenates tensors of length 1 along an axis. */
function joined(parts, axis) {
  const dims = parts[0].dims.with(axis, parts.length);
  const inner = dims.slice(axis + 1).reduce((a, b) => a * b, 1);
  const data = new Float32Array(parts.length * parts[0].data.length);
  parts.forEach((part, row) => {
    for (let outer = 0; outer * inner < part.data.length; outer++) {
      const from = part.data.subarray(outer * inner, (outer + 1) * inner);
      data.set(from, (outer * parts.length + row) * inner);
    }
  });
  return { dims, data };
}
