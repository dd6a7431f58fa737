// The trained model as one of attention-wasm/models, which can capture what is inside a run. Its weights are those of the
// translator.

import config from 'attention-wasm/config.json' with { type: 'json' };
import { loadModel } from 'attention-wasm/models';
import tokenizer from 'attention-wasm/tokenizer.json' with { type: 'json' };
import { blockedOptions } from './own_model/blocked_run.js';

const loading = new Map(); // API → promise of its model

/** Output of one norm of a layer, for a vector. */
const normOf = (api, tensors) => (stack, layer, name) => (x) => {
  const at = `${stack}.layers.${layer}.${name}`;
  const [weight, bias] = ['weight', 'bias'].map((end) => tensors.get(`${at}.${end}`));
  return api.layerNorm({ data: x, dims: [1, x.length] }, { weight, bias }).data;
};

/** What `inside(api)` of a reading resolves to; `decoder`: tokens of the decoder's input, if it runs. */
export async function insideOf(api, { tensors }, { encoder, decoder, block }) {
  if (!loading.has(api)) {
    loading.set(api, loadModel({ config, weights: tensors, tokenizer }, { api }));
  }
  const model = await loading.get(api);
  const ids = encoder.map(({ id }) => id);
  const decoderIds = decoder?.map(({ id }) => id);
  const counts = { encoder: ids.length, ...(decoder && { decoder: decoderIds.length }) };
  return {
    ...{ model, input: { ids, ...(decoder && { decoderIds }) }, isNaming: true },
    blocked: blockedOptions(block, model.description, counts),
    norm: normOf(api, tensors),
  };
}
