// Known differences between onnxruntime-web's Attention and the test vectors, each with the line of ONNX's
// specification that decides each: its documentation, or the reference implementation that comes with it.

const documentation = 'https://onnx.ai/onnx/operators/onnx__Attention.html#:~:text=';
const reference =
  'https://github.com/onnx/onnx/blob/04138e07da14f1eb60f5619f038e044eec365c1e/onnx/reference/ops/op_attention.py';

const lowest = -3.4028234663852886e38;

export const differences = {
  'hidden numbers met': {
    says: 'NaN or an infinity where no query looks makes its result NaN. So it does in ONNX, where the mask is added to scores and weights of 0 are multiplied; here what is hidden has no influence',
    link: `${reference}#L235-L250`,
  },
  'hidden is the lowest number': {
    says: 'a score that is hidden is −3.4·10³⁸ among the scores with mask. ONNX has −∞ there, as the vectors do',
    link: `${reference}#L171-L174`,
  },
  'lowest number hides': {
    says: 'a row of masks of −3.4·10³⁸ gives zeros. In ONNX they are numbers that are added, as here: all keys weigh the same',
    link: `${reference}#L235-L245`,
  },
  'one query sees what follows': {
    says: 'with a past, is_causal and a single query, all new keys are seen. In ONNX as here only those up to its position',
    link: `${reference}#L130-L137`,
  },
  'one row of a mask': {
    says: 'a mask with one row, or of one axis, is refused (and given repeated, to see the rest). In ONNX it is broadcast, as here',
    link: `${documentation}Shape%20must%20be%20broadcastable`,
  },
  'one column of a mask': {
    says: 'a mask with one column is refused (and given repeated, to see the rest). In ONNX it would be filled up with −∞; here it is broadcast like any other axis',
    link: `${reference}#L120-L128`,
  },
  'scale refused': {
    says: 'a scale of 0 or below is refused. ONNX says only that it is applied to Q·Kᵀ, and that its root may be taken of both; here any finite number is one',
    link: `${documentation}Scaling%20factor%20applied%20to`,
  },
  'empty refused': {
    says: 'an axis of 0 (no queries, keys or columns of values) is refused. ONNX says nothing of it: Y has the axes of Q, and V its own width; here results are empty, or zeros',
    link: `${documentation}4D%20tensor%20with%20shape`,
  },
  sinks: {
    says: 'not expressible: there is no input for a score without a value',
    link: `${documentation}Inputs`,
  },
};

const ofMask = /attn_mask must be|between attn_mask and/;
const ofSize = /length must be greater than 0|size must be greater than 0/;

/** Reasons for a refused call: for a mask { mask: kinds }, otherwise { kinds }. */
export function kindsOfRefusal(message, { inputs }) {
  if (/scale must be greater than 0/.test(message)) return { kinds: ['scale refused'] };
  if (ofSize.test(message)) return { kinds: ['empty refused'] };
  if (!ofMask.test(message)) return { kinds: [`refused: ${message.slice(-80)}`] };
  const { dims } = inputs.mask;
  const kinds = [];
  if (dims.length === 1 || (dims.at(-2) === 1 && inputs.query.dims.at(-2) > 1)) {
    kinds.push('one row of a mask');
  }
  if (dims.at(-1) === 1 && inputs.key.dims.at(-2) > 1) kinds.push('one column of a mask');
  return { mask: kinds };
}

/** Kinds of differences in the numbers of one result. */
export function kindsOfNumbers({ flags, tolerance }, { inputs }, { got, want, name }) {
  const kinds = new Set();
  const isPastOfOne = inputs.pastKey !== undefined && inputs.query.dims.at(-2) === 1;
  want.data.forEach((expected, at) => {
    const found = got.data[at];
    if (Object.is(found, expected) || Math.abs(found - expected) <= tolerance[name]) return;
    if (name === 'biasedScores' && expected === -Infinity && found === lowest) {
      kinds.add('hidden is the lowest number');
    } else if (!Number.isFinite(found) && !Number.isNaN(expected)) kinds.add('hidden numbers met');
    else if (isPastOfOne) kinds.add('one query sees what follows');
    else if (flags.includes('HugeNegativeMask') && found === 0) kinds.add('lowest number hides');
    else kinds.add('other numbers');
  });
  return kinds;
}
