// The prerendered initial picture in a compact form: the build computes it, and the page shows it before the model is
// loaded.

// More digits than the page displays, so that rounded weights still sum to 1.
const digits = { weights: 7, scaled: 5 };

/** One head of a picture, and its facts, as JSON. */
export function packPicture({ picture, facts }) {
  const size = picture.rows.length * picture.columns.length;
  const pack = (stage) =>
    Array.from(picture.stages[stage].subarray(0, size), (number) =>
      Math.round(number * 10 ** digits[stage]),
    );
  const { rows, columns, oneSequence, stages: _stages, hidden: _hidden, ...rest } = picture;
  return {
    facts,
    rest: { ...rest, oneSequence },
    rows: rows.map(packLabel),
    columns: rows === columns ? null : columns.map(packLabel),
    weights: pack('weights'),
    scaled: pack('scaled'),
  };
}

/** Inverse of packing; `facts.isPrerendered` is set. */
export function unpackPicture({ facts, rest, ...packed }) {
  const rows = packed.rows.map(unpackLabel);
  const columns = packed.columns?.map(unpackLabel) ?? rows;
  const unpack = (stage) =>
    Float32Array.from(packed[stage], (number) => number / 10 ** digits[stage]);
  const [weights, scaled] = [unpack('weights'), unpack('scaled')];
  const raw = scaled.map((score) => score / facts.options.scale);
  const stages = { raw, scaled, masked: scaled, weights };
  const picture = { ...rest, rows, columns, heads: 1, stages, hidden: null };
  return { picture, facts: { ...facts, isPrerendered: true } };
}

const packLabel = ({ text, word, special, start, end }) => [text, word, +special, start, end];
const unpackLabel = ([text, word, special, start, end]) => {
  return { text, word, special: special === 1, start, end };
};
