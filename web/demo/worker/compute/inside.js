// The whole block of one layer at one position: what the model captured of the residual stream, of attention and of
// feed-forward, and the logit lens after every layer.

import { tokenName } from '../../token_name.js';
import { rowOf } from '../../tensors.js';
import { placeOfPart } from '../../blocks.js';
import { likeliest } from '../models/likeliest.js';

const insides = new WeakMap(); // reading → Promise of its model and input
const runs = new WeakMap(); // reading → Promise of the run for the lens
const layers = new WeakMap(); // part → Promise of the captures of its layer

const remember = (memory, key, make) => {
  if (!memory.has(key)) {
    const made = make();
    memory.set(key, made);
    made.catch(() => memory.delete(key)); // the next request tries again
  }
  return memory.get(key);
};

/**
 * @param {{ part, reading, request }} current source of the picture
 * @param {number} row token
 * @returns {Promise<import('../../types').Inside>}
 */
export async function insideOf({ part, reading, request }, row) {
  const inside = await remember(insides, reading, () => reading.inside(request.api));
  const { stack: kind, layer } = placeOfPart(part.id);
  const stack = kind === 'cross' ? 'decoder' : kind;
  const facts = factsOf(inside.model.description[stack], layer);
  const captured = await remember(layers, part, () => capture(inside, { stack, layer, facts }));
  const lens =
    stack === 'encoder' ? noLens : await remember(runs, reading, () => run(inside, stack));
  // The input at a row of cross-attention is that of the decoder's self-attention.
  const own = reading.parts.find(({ id }) => id === `${stack}.0`);
  return {
    ...{ kind, stack, layer, row },
    layers: reading.parts.filter((one) => isLayerOf(one, stack)).length,
    token: (own.columns ?? reading.columns)[row].text,
    written: stack === 'decoder' ? (own.rows ?? reading.rows)[row].text : undefined,
    facts,
    vectors: vectorsAt(captured, row, inside, { stack, layer, facts }),
    lens: lens.why ? lens : await lensAt(lens, row, inside),
  };
}

const isLayerOf = ({ id, kind }, stack) => kind !== 'rollout' && placeOfPart(id).stack === stack;

// ---- one layer ---------------------------------------------------------------------------------------

const places = ['resid_pre', 'attn_out', 'resid_mid', 'mlp_out', 'resid_post'];

/** @returns {import('../../types').BlockFacts} */
function factsOf(stack, layer) {
  const { parallel, norm, epsilon, normBias, normOffset, finalNorm, residualScale } = stack;
  const { norms } = stack.layers[layer];
  return { parallel, norm, epsilon, normBias, normOffset, finalNorm, residualScale, norms };
}

/** Captured tensors of a layer by place. Parallel layers have no resid_mid. */
async function capture({ model, input, blocked }, { stack, layer, facts }) {
  const own = places.filter((at) => at !== 'resid_mid' || !facts.parallel);
  const requests = own.map((at) => ({ at, stack, layer }));
  if (facts.norms.crossAttention) requests.push({ at: 'attn_out', stack: 'cross', layer });
  const result = await model.run(input, { logits: false, ...blocked, capture: requests });
  return Object.fromEntries(
    result.captured.map(({ at, stack: own, tensor }) => [own === 'cross' ? 'cross' : at, tensor]),
  );
}

const sumOf = (...vectors) =>
  vectors.reduce((sum, vector) => sum.map((number, c) => number + vector[c]));

/** The vectors of a row: those captured, and their sums. */
function vectorsAt(captured, row, inside, { stack, layer, facts }) {
  const at = (name) => captured[name] && rowOf(captured[name], row).slice();
  const [x, attention, cross, between] = ['resid_pre', 'attn_out', 'cross', 'resid_mid'].map(at);
  const [forward, y] = ['mlp_out', 'resid_post'].map(at);
  const norm = inside.norm && ((name, vector) => inside.norm(stack, layer, name)(vector));
  const first = cross && sumOf(x, attention); // the sum before cross-attention
  return {
    ...{ x, attention, cross, between, forward, y, first },
    ...(facts.norms.feedForward.includes('after') && {
      sum: cross ? undefined : sumOf(x, attention),
      last: sumOf(between, forward),
    }),
    // The trained model has norms before its parts.
    ...(norm && {
      normed: norm('norm1', x),
      crossNormed: cross && norm('norm2', first),
      forwardNormed: norm(cross ? 'norm3' : 'norm2', between),
    }),
  };
}

// ---- the lens ----------------------------------------------------------------------------------------

const noLens = { why: 'The logit lens is in the decoder, whose output the head reads.' };

/** A run with the outputs of all layers, or why there is no lens. */
async function run({ model, input, blocked, isNaming }, stack) {
  const capture = [{ at: 'resid_post', stack }];
  const result = await model.run(input, {
    ...(isNaming && { logits: false }),
    ...blocked,
    capture,
  });
  if (isNaming || result.logits) return result;
  return { why: 'This model has no head that names words or classes, so it has no logit lens.' };
}

/** The row alone: the head of a large vocabulary is most of the work. */
const rowsOf = ({ captured, ids, decoderIds }, row) => ({
  ids: [(decoderIds ?? ids)[row]],
  captured: captured.map((one) => {
    const { dims } = one.tensor;
    return { ...one, tensor: { data: rowOf(one.tensor, row).slice(), dims: [1, dims[1]] } };
  }),
});

async function lensAt(result, row, { model, isNaming }) {
  const views = await model.lens(isNaming ? rowsOf(result, row) : result);
  const nameOf = isNaming ? tokenOf : classOf;
  return {
    words: isNaming,
    layers: views.map(({ logits: { data, dims } }) => {
      // Logits of the row alone, of each row, or of the whole input.
      const rows = dims.length === 1 ? 1 : dims[0];
      const list = likeliest({ data, dims: [rows, dims.at(-1)] }, rows > 1 ? row : 0);
      return list.map(({ id, probability }) => ({ text: nameOf(model, id), probability }));
    }),
  };
}

const tokenOf = ({ tokenizer }, id) =>
  (tokenizer && (tokenName(tokenizer.decode([id])) || tokenizer.tokenOf(id))) || String(id);
const classOf = ({ config }, id) => config.id2label?.[id] ?? `class ${id}`;
