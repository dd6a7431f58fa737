// Fields of published config.json files, by model type (https://huggingface.co/docs/transformers/model_doc, and files of
// well-known models): fields that results depend on, with a value; fields of which only one value is supported, with
// another value; and fields that no result depends on. Sizes are small.
const layerSizes = {
  ...{ hidden_size: 16, num_hidden_layers: 2, num_attention_heads: 2, intermediate_size: 32 },
};
const common = {
  ...{ transformers_version: '5.0.0', torch_dtype: 'float32', dtype: 'float32', use_cache: true },
  ...{ _name_or_path: 'x', initializer_range: 0.02, output_attentions: false, auto_map: {} },
  ...{ id2label: { 0: 'A' }, label2id: { A: 0 }, problem_type: null, chunk_size_feed_forward: 0 },
  ...{ task_specific_params: {}, gradient_checkpointing: false, num_beams: 1, temperature: 1 },
  ...{ bos_token_id: 0, sep_token_id: 1, tokenizer_class: 'T', is_encoder_decoder: false },
};
const dropouts = {
  hidden_dropout_prob: 0.1,
  attention_probs_dropout_prob: 0.1,
  classifier_dropout: null,
};

const bert = {
  read: {
    ...layerSizes,
    ...{ vocab_size: 9, hidden_act: 'gelu', max_position_embeddings: 8, type_vocab_size: 2 },
    ...{ layer_norm_eps: 1e-12, architectures: ['BertModel'] },
  },
  refused: { position_embedding_type: 'relative_key', is_decoder: true },
  ignored: {
    ...{ ...common, ...dropouts, pad_token_id: 0, directionality: 'bidi', pooler_fc_size: 8 },
    ...{ pooler_num_attention_heads: 2, pooler_num_fc_layers: 3, pooler_size_per_head: 4 },
    ...{ pooler_type: 'first_token_transform' },
  },
};
const bertLike = (read, ignored = {}) => ({
  read: { ...bert.read, ...read },
  refused: bert.refused,
  ignored: { ...common, ...dropouts, ...ignored },
});
const gpt = {
  ...common,
  summary_type: 'cls_index',
  summary_use_proj: true,
  summary_activation: null,
};

const llama = {
  ...layerSizes,
  ...{ vocab_size: 9, hidden_act: 'silu', max_position_embeddings: 32, num_key_value_heads: 1 },
  ...{ rms_norm_eps: 1e-6, rope_theta: 1e4, tie_word_embeddings: false, head_dim: 8 },
  ...{ rope_scaling: { rope_type: 'linear', factor: 2 }, rope_parameters: null },
  ...{ partial_rotary_factor: 1, architectures: ['X'] },
};
const decoder = { ...common, attention_dropout: 0, pad_token_id: 0, eos_token_id: 1 };
const qwen = {
  ...llama,
  ...{ use_sliding_window: false, sliding_window: 8, max_window_layers: 1, layer_types: null },
};

const bart = {
  ...{ d_model: 16, vocab_size: 9, max_position_embeddings: 8, num_hidden_layers: 2 },
  ...{ encoder_layers: 2, encoder_attention_heads: 2, encoder_ffn_dim: 32 },
  ...{ decoder_layers: 2, decoder_attention_heads: 2, decoder_ffn_dim: 32 },
  ...{ activation_function: 'gelu', scale_embedding: false, architectures: ['X'] },
};
const sequences = {
  ...{ ...common, dropout: 0.1, activation_dropout: 0, attention_dropout: 0, init_std: 0.02 },
  ...{ encoder_layerdrop: 0, decoder_layerdrop: 0, classif_dropout: 0, classifier_dropout: 0 },
  ...{ extra_pos_embeddings: 2, static_position_embeddings: false, add_bias_logits: false },
  ...{ forced_eos_token_id: 2, decoder_start_token_id: 2, output_past: true, num_labels: 3 },
};
const oldNorms = { normalize_before: true, normalize_embedding: true, add_final_layer_norm: true };

const image = {
  ...layerSizes,
  ...{ hidden_act: 'gelu', layer_norm_eps: 1e-12, image_size: 8, patch_size: 4, num_channels: 3 },
  ...{ qkv_bias: true },
};
const withoutPositions = ({ max_position_embeddings: _, ...others }) => others;
const withoutWide = ({ intermediate_size: _, ...others }) => others;

const gptj = {
  ...{ vocab_size: 9, n_embd: 16, n_layer: 2, n_head: 4, n_positions: 8, n_inner: null },
  ...{ n_ctx: 8, rotary_dim: 2, activation_function: 'gelu_new', layer_norm_epsilon: 1e-5 },
  ...{ architectures: ['X'] },
};
const withoutRms = ({ rms_norm_eps: _, ...others }) => others;
const withoutActivation = ({ hidden_act: _, ...others }) => others;

/** { read, refused, ignored } by model type. */
export const publishedConfigs = {
  bert,
  roberta: bertLike({ pad_token_id: 1 }),
  'xlm-roberta': bertLike({ pad_token_id: 1 }),
  distilbert: {
    read: {
      ...{ vocab_size: 9, dim: 16, n_layers: 2, n_heads: 2, hidden_dim: 32, activation: 'gelu' },
      ...{ max_position_embeddings: 8, architectures: ['X'] },
    },
    refused: {},
    ignored: {
      ...{ ...common, dropout: 0.1, attention_dropout: 0.1, qa_dropout: 0.1, pad_token_id: 0 },
      ...{ seq_classif_dropout: 0.2, sinusoidal_pos_embds: false, tie_weights_: true },
    },
  },
  albert: bertLike(
    { embedding_size: 8, num_hidden_groups: 1, inner_group_num: 1 },
    {
      ...{ classifier_dropout_prob: 0.1, net_structure_type: 0, gap_size: 0, pad_token_id: 0 },
      ...{ num_memory_blocks: 0, down_scale_factor: 1 },
    },
  ),
  electra: bertLike(
    { embedding_size: 8 },
    { summary_type: 'first', summary_use_proj: true, generator_size: '0.25', pad_token_id: 0 },
  ),
  gpt2: {
    read: {
      ...{ vocab_size: 9, n_embd: 16, n_layer: 2, n_head: 2, n_positions: 8, n_ctx: 8 },
      ...{ n_inner: 64, activation_function: 'gelu_new', layer_norm_epsilon: 1e-5 },
      ...{ scale_attn_weights: true, scale_attn_by_inverse_layer_idx: false, architectures: ['X'] },
    },
    refused: { add_cross_attention: true },
    ignored: {
      ...{ ...gpt, resid_pdrop: 0.1, embd_pdrop: 0.1, attn_pdrop: 0.1, summary_first_dropout: 0.1 },
      ...{
        reorder_and_upcast_attn: false,
        predict_special_tokens: true,
        summary_proj_to_labels: true,
      },
    },
  },
  gpt_neo: {
    read: {
      ...{ vocab_size: 9, hidden_size: 16, num_layers: 2, num_heads: 2, intermediate_size: null },
      ...{
        max_position_embeddings: 8,
        attention_types: [[['global', 'local'], 1]],
        window_size: 4,
      },
      ...{ attention_layers: ['global', 'local'], activation_function: 'gelu_new' },
      ...{ layer_norm_epsilon: 1e-5, architectures: ['X'] },
    },
    refused: {},
    ignored: { ...gpt, resid_dropout: 0, embed_dropout: 0, attention_dropout: 0 },
  },
  gpt_neox: {
    read: {
      ...{ ...layerSizes, vocab_size: 9, hidden_act: 'gelu', max_position_embeddings: 32 },
      ...{ rotary_pct: 0.25, rotary_emb_base: 1e4, layer_norm_eps: 1e-5, attention_bias: true },
      ...{ use_parallel_residual: true, rope_scaling: null },
      ...{ architectures: ['X'], rope_theta: null },
    },
    refused: {},
    ignored: { ...decoder, hidden_dropout: 0, classifier_dropout: 0.1 },
  },
  llama: {
    read: { ...llama, attention_bias: false, mlp_bias: false },
    refused: { rope_interleaved: true },
    ignored: { ...decoder, pretraining_tp: 1, is_llama_config: true, 'transformers.js_config': {} },
  },
  mistral: { read: { ...llama, sliding_window: 8 }, refused: {}, ignored: decoder },
  qwen2: { read: qwen, refused: { use_mrope: true }, ignored: decoder },
  qwen3: { read: { ...qwen, attention_bias: false }, refused: {}, ignored: decoder },
  phi: {
    read: {
      ...{ ...layerSizes, vocab_size: 9, hidden_act: 'gelu_new', max_position_embeddings: 32 },
      ...{ num_key_value_heads: 2, layer_norm_eps: 1e-5, partial_rotary_factor: 0.5 },
      ...{ rope_theta: 1e4, rope_scaling: null, architectures: ['X'] },
    },
    refused: { qk_layernorm: true },
    ignored: { ...decoder, resid_pdrop: 0, embd_pdrop: 0 },
  },
  bart: {
    read: { ...bart, normalize_before: false, normalize_embedding: true },
    refused: { add_final_layer_norm: true },
    ignored: sequences,
  },
  mbart: { read: bart, refused: {}, ignored: { ...sequences, ...oldNorms } },
  pegasus: { read: bart, refused: {}, ignored: { ...sequences, ...oldNorms } },
  m2m_100: {
    read: { ...withoutPositions(bart), pad_token_id: 1 },
    refused: {},
    ignored: { ...sequences, max_position_embeddings: 1024 },
  },
  marian: {
    read: { ...bart, decoder_vocab_size: 9, share_encoder_decoder_embeddings: true },
    refused: {},
    ignored: { ...sequences, ...oldNorms },
  },
  t5: {
    read: {
      ...{ vocab_size: 9, d_model: 16, d_kv: 8, d_ff: 32, num_layers: 2, num_decoder_layers: 2 },
      ...{ num_heads: 2, relative_attention_num_buckets: 32, relative_attention_max_distance: 128 },
      ...{ layer_norm_epsilon: 1e-6, feed_forward_proj: 'gated-gelu', tie_word_embeddings: true },
      ...{ scale_decoder_outputs: null, architectures: ['X'] },
    },
    refused: { feed_forward_proj: 'gated-tanh' },
    ignored: {
      ...{ ...common, dropout_rate: 0.1, initializer_factor: 1, n_positions: 512 },
      ...{ dense_act_fn: 'gelu_new', is_gated_act: true, decoder_start_token_id: 0 },
    },
  },
  camembert: bertLike({ pad_token_id: 1 }, { output_past: true }),
  'roberta-prelayernorm': bertLike({ pad_token_id: 1 }),
  mpnet: {
    ...bertLike({ relative_attention_num_buckets: 32, pad_token_id: 1 }),
    read: { ...bert.read, relative_attention_num_buckets: 32, pad_token_id: 1 },
  },
  'deberta-v2': {
    read: {
      ...{ ...layerSizes, vocab_size: 9, hidden_act: 'gelu', max_position_embeddings: 8 },
      ...{ type_vocab_size: 0, layer_norm_eps: 1e-7, relative_attention: true },
      ...{ position_buckets: 4, max_relative_positions: -1, pos_att_type: 'p2c|c2p' },
      ...{ share_att_key: true, norm_rel_ebd: 'layer_norm', position_biased_input: false },
      ...{ attention_head_size: 8, pooler_hidden_act: 'gelu' },
    },
    refused: { embedding_size: 8, conv_kernel_size: 3, z_steps: 2, is_decoder: true },
    ignored: {
      ...{ ...common, ...dropouts, pad_token_id: 0, pooler_dropout: 0, pooler_hidden_size: 16 },
      ...{ padding_idx: 0, legacy: true, conv_act: 'tanh' },
    },
  },
  esm: {
    read: {
      ...{ ...layerSizes, vocab_size: 33, hidden_act: 'gelu', max_position_embeddings: 8 },
      ...{ layer_norm_eps: 1e-5, pad_token_id: 1, mask_token_id: 32, token_dropout: true },
      ...{ emb_layer_norm_before: false, position_embedding_type: 'rotary' },
    },
    refused: { position_embedding_type: 'relative_key', is_folding_model: true, is_decoder: true },
    ignored: { ...common, ...dropouts, vocab_list: null, esmfold_config: null },
  },
  phi3: {
    read: { ...llama, sliding_window: 8, original_max_position_embeddings: 32 },
    refused: {},
    ignored: { ...decoder, resid_pdrop: 0, embd_pdrop: 0 },
  },
  gemma: {
    read: { ...withoutActivation(llama), attention_bias: false, hidden_activation: null },
    refused: {},
    ignored: { ...decoder, hidden_act: 'gelu' },
  },
  gemma2: {
    read: {
      ...{ ...withoutActivation(llama), attention_bias: false, hidden_activation: null },
      ...{ sliding_window: 8, layer_types: null, query_pre_attn_scalar: 256 },
      ...{ attn_logit_softcapping: 50, final_logit_softcapping: 30 },
    },
    refused: { use_bidirectional_attention: true },
    ignored: { ...decoder, hidden_act: 'gelu_pytorch_tanh', cache_implementation: 'hybrid' },
  },
  gemma3_text: {
    read: {
      ...{ ...withoutActivation(llama), attention_bias: false, hidden_activation: null },
      ...{ sliding_window: 8, layer_types: null, query_pre_attn_scalar: 256 },
      ...{ attn_logit_softcapping: null, final_logit_softcapping: null },
      ...{ rope_local_base_freq: 1e4, sliding_window_pattern: 6, _sliding_window_pattern: 6 },
    },
    refused: { use_bidirectional_attention: true },
    ignored: { ...decoder, cache_implementation: 'hybrid' },
  },
  olmo2: {
    read: { ...llama, attention_bias: false },
    refused: {},
    ignored: decoder,
  },
  modernbert: {
    read: {
      ...{ ...layerSizes, vocab_size: 9, norm_eps: 1e-5, norm_bias: false, mlp_bias: false },
      ...{ attention_bias: false, hidden_activation: 'gelu', local_attention: 128 },
      ...{ global_attn_every_n_layers: 3, global_rope_theta: 160_000, local_rope_theta: 1e4 },
      ...{ classifier_activation: 'gelu', architectures: ['X'], layer_types: null },
    },
    refused: { classifier_pooling: 'last' },
    ignored: {
      ...{ ...common, embedding_dropout: 0, mlp_dropout: 0, attention_dropout: 0 },
      ...{ classifier_dropout: 0, classifier_bias: false, decoder_bias: true, cls_token_id: 1 },
      ...{
        layer_norm_eps: 1e-5,
        position_embedding_type: 'absolute',
        initializer_cutoff_factor: 2,
      },
      ...{ sparse_prediction: false, sparse_pred_ignore_index: -100, reference_compile: null },
      ...{ repad_logits_with_grad: false, deterministic_flash_attn: false, pad_token_id: 0 },
    },
  },
  granite: {
    read: {
      ...{ ...llama, attention_bias: false, mlp_bias: false, embedding_multiplier: 12 },
      ...{ attention_multiplier: 0.015625, residual_multiplier: 0.22, logits_scaling: 8 },
    },
    refused: {},
    ignored: decoder,
  },
  smollm3: {
    read: {
      ...{ ...llama, attention_bias: false, mlp_bias: false, no_rope_layers: [1, 0] },
      ...{
        no_rope_layer_interval: 4,
        use_sliding_window: false,
        sliding_window: 8,
        layer_types: null,
      },
    },
    refused: {},
    ignored: { ...decoder, pretraining_tp: 2, max_window_layers: 1 },
  },
  stablelm: {
    read: {
      ...{ ...withoutRms(llama), layer_norm_eps: 1e-5, use_qkv_bias: true },
      ...{ use_parallel_residual: false },
    },
    refused: { qk_layernorm: true },
    ignored: { ...decoder, hidden_dropout: 0 },
  },
  cohere: {
    read: { ...withoutRms(llama), layer_norm_eps: 1e-5, logit_scale: 0.06, attention_bias: false },
    refused: { use_qk_norm: true },
    ignored: decoder,
  },
  starcoder2: {
    read: { ...withoutRms(llama), norm_epsilon: 1e-5, use_bias: true, sliding_window: 8 },
    refused: {},
    ignored: {
      ...{ ...decoder, embedding_dropout: 0, residual_dropout: 0, mlp_type: 'default' },
      norm_type: 'layer_norm',
    },
  },
  opt: {
    read: {
      ...{ vocab_size: 9, hidden_size: 16, word_embed_proj_dim: 16, ffn_dim: 32 },
      ...{ num_hidden_layers: 2, num_attention_heads: 2, max_position_embeddings: 8 },
      ...{ do_layer_norm_before: true, _remove_final_layer_norm: false, enable_bias: true },
      ...{ activation_function: 'relu', architectures: ['X'] },
    },
    refused: { layer_norm_elementwise_affine: false },
    ignored: { ...decoder, dropout: 0.1, layerdrop: 0, init_std: 0.02, prefix: '</s>' },
  },
  bloom: {
    read: {
      ...{ vocab_size: 9, hidden_size: 16, n_layer: 2, n_head: 2, layer_norm_epsilon: 1e-5 },
      ...{ architectures: ['X'] },
    },
    refused: { apply_residual_connection_post_layernorm: true },
    ignored: {
      ...{ ...decoder, hidden_dropout: 0, seq_length: 2048, n_inner: null, offset_alibi: 100 },
      ...{ slow_but_exact: false, skip_bias_add: true, skip_bias_add_qkv: false },
      ...{ masked_softmax_fusion: true, bias_dropout_fusion: true, pretraining_tp: 1 },
      attention_softmax_in_fp32: true,
    },
  },
  falcon: {
    read: {
      ...{ vocab_size: 9, hidden_size: 16, num_hidden_layers: 2, num_attention_heads: 2 },
      ...{ num_kv_heads: 2, ffn_hidden_size: 32, layer_norm_epsilon: 1e-5, multi_query: true },
      ...{ new_decoder_architecture: false, parallel_attn: true, bias: false, alibi: false },
      ...{ activation: 'gelu', max_position_embeddings: 32, rope_theta: 1e4, rope_scaling: null },
      ...{ architectures: ['X'] },
    },
    refused: {},
    ignored: { ...decoder, hidden_dropout: 0 },
  },
  mpt: {
    read: {
      ...{ vocab_size: 9, d_model: 16, n_heads: 2, n_layers: 2, expansion_ratio: 4 },
      ...{ attn_config: { alibi: true, alibi_bias_max: 8, softmax_scale: null, qk_ln: false } },
      ...{ layer_norm_epsilon: 1e-5, architectures: ['X'] },
    },
    refused: { no_bias: false, norm_type: 'rmsnorm' },
    ignored: {
      ...{ ...decoder, resid_pdrop: 0, emb_pdrop: 0, max_seq_len: 2048, logit_scale: null },
      ...{ learned_pos_emb: true, verbose: 0, embedding_fraction: 1, init_config: {} },
      ...{ init_device: 'cpu' },
    },
  },
  gptj: {
    read: gptj,
    refused: {},
    ignored: { ...gpt, embd_pdrop: 0, rotary: true, scale_attn_weights: true },
  },
  codegen: { read: gptj, refused: {}, ignored: { ...gpt, scale_attn_weights: true } },
  gpt_bigcode: {
    read: {
      ...{ vocab_size: 9, n_embd: 16, n_layer: 2, n_head: 2, n_positions: 8, n_inner: 64 },
      ...{ activation_function: 'gelu_pytorch_tanh', layer_norm_epsilon: 1e-5 },
      ...{ scale_attn_weights: true, multi_query: true, architectures: ['X'] },
    },
    refused: { add_cross_attention: true },
    ignored: {
      ...{ ...gpt, attention_softmax_in_fp32: true, scale_attention_softmax_in_fp32: true },
      ...{ inference_runner: 0, max_batch_size: null, max_sequence_length: null },
      ...{ pad_key_length: true, pre_allocate_kv_cache: false, validate_runner_input: true },
    },
  },
  nn_transformer: {
    read: {
      ...{ vocab_size: 9, d_model: 16, nhead: 2, num_encoder_layers: 2, num_decoder_layers: 2 },
      ...{ dim_feedforward: 32, activation: 'relu', layer_norm_eps: 1e-5, norm_first: false },
    },
    refused: {},
    ignored: { dropout: 0.1, batch_first: true },
  },
  vit: {
    read: { ...image, pooler_act: 'tanh', pooler_output_size: 16 },
    refused: {},
    ignored: { ...common, ...dropouts, encoder_stride: 16 },
  },
  dinov2: {
    read: { ...withoutWide(image), mlp_ratio: 4, use_swiglu_ffn: false },
    refused: {},
    ignored: {
      ...{ ...common, ...dropouts, drop_path_rate: 0, layerscale_value: 1, use_mask_token: true },
      ...{ apply_layernorm: true, reshape_hidden_states: true, out_indices: [2] },
      ...{ out_features: ['stage2'], stage_names: ['stem', 'stage1', 'stage2'] },
    },
  },
};
