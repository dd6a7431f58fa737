// A tiny nn.Transformer of PyTorch, with two layers in its encoder and one in its decoder, in the form of models.json.

const [width, hidden, vocabulary] = [8, 6, 7];
const config = {
  model_type: 'nn_transformer',
  ...{ vocab_size: vocabulary, d_model: width, nhead: 2, dim_feedforward: hidden },
  ...{ num_encoder_layers: 2, num_decoder_layers: 1, tie_word_embeddings: true },
  ...{ pad_token_id: 0, decoder_start_token_id: 1, eos_token_id: 2 },
};

const normShapes = (name) => ({ [`${name}.weight`]: [width], [`${name}.bias`]: [width] });
const attentionShapes = (name) => ({
  [`${name}.in_proj_weight`]: [3 * width, width],
  [`${name}.in_proj_bias`]: [3 * width],
  [`${name}.out_proj.weight`]: [width, width],
  [`${name}.out_proj.bias`]: [width],
});
const layerShapes = (prefix, attentions) => ({
  ...Object.assign({}, ...attentions.map((name) => attentionShapes(prefix + name))),
  [`${prefix}linear1.weight`]: [hidden, width],
  [`${prefix}linear1.bias`]: [hidden],
  [`${prefix}linear2.weight`]: [width, hidden],
  [`${prefix}linear2.bias`]: [width],
  ...Object.assign({}, ...[0, ...attentions].map((_, n) => normShapes(`${prefix}norm${n + 1}`))),
});
const shapes = {
  'embedding.weight': [vocabulary, width],
  ...layerShapes('transformer.encoder.layers.0.', ['self_attn']),
  ...layerShapes('transformer.encoder.layers.1.', ['self_attn']),
  ...normShapes('transformer.encoder.norm'),
  ...layerShapes('transformer.decoder.layers.0.', ['self_attn', 'multihead_attn']),
  ...normShapes('transformer.decoder.norm'),
};

export const nnTransformer = {
  config,
  shapes,
  input: { ids: [3, 4, 6, 2], decoderIds: [1, 5, 3] },
};
