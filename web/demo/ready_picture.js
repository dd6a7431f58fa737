// The picture that the page begins with, as little text: it is made when the page is built, and seen before the
// model is there.

// More digits than are ever shown, so that what is left of the weights still sums to 1.
const digits = { weights: 7, scaled: 5 };

/** One head of a picture, and its facts, as plain data. */
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

/** The same again: `facts` say that it is ready-made. */
export function unpackPicture({ facts, rest, ...packed }) {
  const rows = packed.rows.map(unpackLabel);
  const columns = packed.columns?.map(unpackLabel) ?? rows;
  const unpack = (stage) =>
    Float32Array.from(packed[stage], (number) => number / 10 ** digits[stage]);
  const [weights, scaled] = [unpack('weights'), unpack('scaled')];
  const raw = scaled.map((score) => score / facts.options.scale);
  const stages = { raw, scaled, masked: scaled, weights };
  const picture = { ...rest, rows, columns, heads: 1, stages, hidden: null };
  return { picture, facts: { ...facts, isReadyMade: true } };
}

const packLabel = ({ text, word, special, start, end }) => [text, word, +special, start, end];
const unpackLabel = ([text, word, special, start, end]) => {
  return { text, word, special: special === 1, start, end };
};
