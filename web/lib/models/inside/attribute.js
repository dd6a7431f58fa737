// Direct logit attribution (Elhage et al., 2021; Wang et al., 2022): the part of each embedding, head, feed-forward part and
// bias in a logit, or in the difference of two. With the final norm frozen at the statistics of the run, the logit is a
// linear function of the residual stream, and the residual stream is a sum. All sums are doubles.
import { number, readOptions } from '../../arguments/options.js';
import { readTensor } from '../../arguments/tensor.js';
import { capturedTensor } from './captures.js';
import { rowOf } from '../run/vector_rows.js';

/** The captures that attribute() needs. */
export function attributionCaptures({ stacks }) {
  const side = stacks.self ? 'self' : 'decoder';
  const last = stacks[side].stack.length - 1;
  return [
    { at: 'resid_pre', layer: 0, stack: side },
    { at: 'resid_post', layer: last, stack: side },
    { at: 'mlp_out', stack: side },
    { at: 'head_out', stack: side },
    ...(side === 'decoder' ? [{ at: 'head_out', stack: 'cross' }] : []),
  ];
}

/** Throws unless logits are a linear function of the sum of all parts. */
function requireLinear({ head, stacks, type }) {
  const refuse = (reason) => {
    throw new RangeError(`this ${type} model has no attribution: ${reason}`);
  };
  if (!head) refuse('it has no head');
  const { normFirst, isProjected } = (stacks.self ?? stacks.decoder).stack.structure;
  if (!normFirst) {
    refuse('a norm follows each addition to the residual stream (post-norm), so logits are no sum');
  }
  if (isProjected) refuse('a matrix follows its last layer');
  if (!head.onlyMap) refuse('its head is not one linear map of a token');
}

/** A row of the head's matrix, and its bias. */
function* rowOfHead({ onlyMap }, id, width) {
  const { words, linear, bias, scale = 1 } = onlyMap;
  if (words) {
    const { data } = yield words.rows([id]);
    return { row: data.map((number) => number * scale), bias: bias ? bias.data[id] : 0 };
  }
  const zeros = linear.forward({ data: new Float32Array(width), dims: [1, width] });
  return { row: linear.rows([id]).data, bias: zeros.data[id] };
}

/** The final norm with the statistics of `row`, as { factor, shift, isCentered }. */
function frozenNorm({ norm, weight, bias, epsilon }, row) {
  const { length } = row;
  if (!weight) return { factor: new Float64Array(length).fill(1), isCentered: false };
  const isCentered = norm !== 'rms';
  const mean = isCentered ? row.reduce((sum, x) => sum + x, 0) / length : 0;
  const square = row.reduce((sum, x) => sum + (x - mean) ** 2, 0) / length;
  const deviation = Math.sqrt(square + epsilon);
  const factor = Float64Array.from(weight, (one) => one / deviation);
  return { factor, shift: bias, isCentered };
}

/**
 * The rows that the heads of an attention and its bias add to the residual stream: the norm of the attention's output, with
 * the statistics of the run, and its scale are linear. vectors: see Stack.outputVectors().
 */
function addedRows({ norm, epsilon }, heads, { bias, norm: outputNorm, scale }) {
  const width = heads[0].length;
  const all = bias ? [...heads, bias] : heads;
  if (!outputNorm && !scale) return { heads, bias };
  const sum = Float64Array.from({ length: width }, (_, c) =>
    all.reduce((total, row) => total + row[c], 0),
  );
  const { factor, shift, isCentered } = frozenNorm({ norm, epsilon, ...outputNorm }, sum);
  const added = (row, constant) => {
    const mean = isCentered ? row.reduce((total, x) => total + x, 0) / width : 0;
    return Float64Array.from(row, (x, c) => {
      const normed = (x - mean) * factor[c] + (constant ? constant[c] : 0);
      return normed * (scale ? scale[c] : 1);
    });
  };
  const hasBias = bias !== undefined || shift !== undefined;
  return {
    heads: heads.map((row) => added(row)),
    bias: hasBias ? added(bias ?? new Float64Array(width), shift) : undefined,
  };
}

const dot = (a, b) => a.reduce((sum, x, at) => sum + x * b[at], 0);

/** The rows of the residual stream's parts at a position: { source, layer?, stack?, head?, row }[]. */
function* residualTerms(components, result, position) {
  const { stacks, embeddings } = components;
  const side = stacks.self ? 'self' : 'decoder';
  const { stack } = stacks[side];
  const input = capturedTensor(result, 'resid_pre', side, 0);
  const ids = stacks.self ? result.ids : result.decoderIds;
  const embedded = embeddings[side] && (yield* embeddings[side].termsAt(ids, position));
  const parts = embedded ?? [{ source: 'embed', row: rowOf(input, position) }];
  for (let layer = 0; layer < stack.length; layer++) {
    for (const own of side === 'self' ? ['self'] : ['decoder', 'cross']) {
      const { data, dims } = capturedTensor(result, 'head_out', own, layer);
      const [heads, n, width] = dims;
      const rows = Array.from({ length: heads }, (_, head) => {
        const begin = (head * n + position) * width;
        return data.subarray(begin, begin + width);
      });
      const vectors = stack.outputVectors(layer, own === 'cross');
      const { heads: added, bias } = addedRows(stack.finalNorm, rows, vectors);
      added.forEach((row, head) => parts.push({ source: 'head', layer, stack: own, head, row }));
      if (bias) parts.push({ source: 'attn_bias', layer, stack: own, row: bias });
    }
    const row = rowOf(capturedTensor(result, 'mlp_out', side, layer), position);
    parts.push({ source: 'mlp_out', layer, stack: side, row });
  }
  return parts;
}

function readPosition({ head, specialIds }, position, { ids, count }) {
  if (head.on === 'tokens') {
    const at = position ?? count - 1;
    if (Number.isInteger(at) && at >= 0 && at < count) return at;
    throw new RangeError(`position must be from 0 to ${count - 1}, found ${position}`);
  }
  if (position !== undefined) {
    throw new RangeError('position is set, but the head has the logits of one position only');
  }
  return head.positionOf(count, ids, specialIds);
}

// Max remainder, as a share of the sum of absolute parts. A larger one means that the run had edits of the residual stream.
const maxRemainder = 1e-4;

/** attribute() of a model, in steps. */
export function* attribute(components, result, options) {
  const kinds = { token: number, against: number, position: number };
  const read = readOptions('attribute', options, kinds, ['token']);
  requireLinear(components);
  const { head, stacks } = components;
  const side = stacks.self ? 'self' : 'decoder';
  const { stack } = stacks[side];
  const last = capturedTensor(result, 'resid_post', side, stack.length - 1);
  if (result.logits === undefined) throw new TypeError('the result has no logits: see run()');
  const logits = readTensor('result.logits', result.logits);
  const [count, width] = last.dims;
  const position = readPosition(components, read.position, { ids: result.ids, count });
  const row = head.on === 'tokens' ? rowOf(logits, position) : logits.data;
  const maps = {};
  for (const name of ['token', 'against']) {
    const id = read[name];
    if (id === undefined) continue;
    if (!Number.isInteger(id) || id < 0 || id >= row.length) {
      throw new RangeError(`${name} must be from 0 to ${row.length - 1}, found ${id}`);
    }
    maps[name] = yield* rowOfHead(head, id, width);
  }
  const { token, against } = maps;
  const direction = Float64Array.from(token.row, (x, at) => x - (against ? against.row[at] : 0));
  const { factor, shift, isCentered } = frozenNorm(stack.finalNorm, rowOf(last, position));
  const gradient = direction.map((x, at) => x * factor[at]);
  const mean = isCentered ? gradient.reduce((sum, x) => sum + x, 0) / width : 0;
  // (r − mean of r) · gradient = r · (gradient − mean of gradient)
  const centered = gradient.map((x) => x - mean);
  const residual = yield* residualTerms(components, result, position);
  const parts = residual.map(({ row: own, ...where }) => ({ ...where, value: dot(centered, own) }));
  if (shift) parts.push({ source: 'norm_bias', value: dot(direction, shift) });
  const bias = token.bias - (against?.bias ?? 0);
  if (bias !== 0) parts.push({ source: 'logit_bias', value: bias });
  const total = head.onlyMap.softcap
    ? dot(centered, rowOf(last, position)) + (shift ? dot(direction, shift) : 0) + bias
    : row[read.token] - (read.against === undefined ? 0 : row[read.against]);
  const sum = parts.reduce((all, { value }) => all + value, 0);
  const size = parts.reduce((all, { value }) => all + Math.abs(value), 0);
  if (components.hasIntegers) parts.push({ source: 'rounding', value: total - sum });
  else if (!(Math.abs(total - sum) <= maxRemainder * size)) {
    parts.push({ source: 'edits', value: total - sum });
  }
  return { position, total, parts };
}
