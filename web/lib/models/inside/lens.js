// The logit lens (nostalgebraist, 2020): the final norm and the head, applied to the output of each layer.
import { list, number, readOptions } from '../../arguments/options.js';
import { capturedLayers, capturedTensor } from './captures.js';
import { checkInteger } from '../run/read_input.js';
import { outputsOf } from '../run/runtime.js';
import { rowOf } from '../run/vector_rows.js';

/** The `count` tokens of one row of logits with the largest numbers, ties by id. */
function topTokens(logits, count, tokenizer) {
  const largest = logits.reduce((a, b) => Math.max(a, b), -Infinity);
  const sum = logits.reduce((total, logit) => total + Math.exp(logit - largest), 0);
  return Array.from(logits.keys())
    .sort((a, b) => logits[b] - logits[a] || a - b)
    .slice(0, count)
    .map((id) => ({
      id,
      ...(tokenizer && { token: tokenizer.tokenOf(id) }),
      logit: logits[id],
      probability: Math.exp(logits[id] - largest) / sum,
    }));
}

/** lens() of a model, in steps. */
export function* lens(components, result, options) {
  const { layers, top } = readOptions('lens', options, { layers: list, top: number });
  checkInteger('top', top, 1);
  const { head, stacks, tokenizer, type } = components;
  if (!head) throw new RangeError(`this ${type} model has no head, so it has no lens`);
  const side = stacks.self ? 'self' : 'decoder';
  const chosen = layers ?? [...capturedLayers(result, 'resid_post', side).keys()];
  const inputs = chosen.map((layer) => capturedTensor(result, 'resid_post', side, layer));
  const views = [];
  for (const [at, x] of inputs.entries()) {
    const hidden = stacks[side].stack.normed(x);
    const { logits } = yield* outputsOf(components, hidden, { ids: result.ids });
    const layer = chosen[at];
    if (top === undefined) {
      views.push({ layer, logits });
      continue;
    }
    const width = logits.dims.at(-1); // a class head has one row of logits, without an axis for it
    const isOwn = head.isLanguageModel || width === components.vocabularySize;
    const rows = { data: logits.data, dims: [logits.data.length / width, width] };
    const row = (n) => topTokens(rowOf(rows, n), top, isOwn ? tokenizer : undefined);
    views.push({ layer, top: Array.from({ length: rows.dims[0] }, (_, n) => row(n)) });
  }
  return views;
}
