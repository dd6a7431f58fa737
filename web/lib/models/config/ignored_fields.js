// Fields of config.json that no result depends on: training, generation by other programs, names and versions. Families
// add their own, as `ignoredFields`. The sizes that a field states twice are those of the tensors, which are checked.
const training =
  /(^summary_|dropout|droprate|drop_rate|_pdrop$|drop_path|layerdrop|initializer_|^init_|_init$|^mup_init|aux_loss|label_smoothing|mask_(time|feature)_)/;

const names = [
  // the library that wrote it
  ...['transformers_version', 'torch_dtype', 'dtype', '_name_or_path', 'name_or_path', 'auto_map'],
  ...[
    '_attn_implementation',
    '_attn_implementation_autoset',
    'attn_implementation',
    '_commit_hash',
  ],
  ...[
    '_flash_attn_2_enabled',
    'use_flash_attn',
    'use_flash_attention',
    'model_file',
    'transformers.js_config',
  ],
  ...['quantization_config', 'pruned_heads', 'tie_encoder_decoder', 'adapters', 'unsloth_version'],
  // how layers are computed, not what
  ...['use_cache', 'cache_implementation', 'gradient_checkpointing', 'use_gradient_checkpointing'],
  ...['chunk_size_feed_forward', 'output_attentions', 'output_hidden_states', 'output_past'],
  ...['output_scores', 'return_dict', 'use_return_dict', 'return_dict_in_generate', 'torchscript'],
  ...['pretraining_tp', 'use_bfloat16', 'tf_legacy_loss', 'use_kernels'],
  // classes and tasks
  ...['id2label', 'label2id', 'num_labels', '_num_labels', 'problem_type', 'finetuning_task'],
  ...['task_specific_params', 'tokenizer_class', 'model_max_length', 'loss_type'],
  ...['is_decoder', 'is_encoder_decoder', 'add_cross_attention', 'cross_attention_hidden_size'],
  // special tokens and generation: those that are read are in generation_config.json, too
  ...['bos_token_id', 'eos_token_id', 'pad_token_id', 'sep_token_id', 'cls_token_id'],
  ...['mask_token_id', 'unk_token_id', 'decoder_start_token_id', 'decoder_bos_token_id'],
  ...['forced_bos_token_id', 'forced_eos_token_id', 'bad_words_ids', 'begin_suppress_tokens'],
  ...['suppress_tokens', 'max_length', 'min_length', 'do_sample', 'early_stopping', 'num_beams'],
  ...['num_beam_groups', 'diversity_penalty', 'temperature', 'top_k', 'top_p', 'typical_p'],
  ...['repetition_penalty', 'length_penalty', 'no_repeat_ngram_size', 'num_return_sequences'],
  ...['encoder_no_repeat_ngram_size', 'exponential_decay_length_penalty', 'remove_invalid_values'],
  ...[
    'prefix',
    'force_bos_token_to_be_generated',
    'extra_pos_embeddings',
    'static_position_embeddings',
  ],
  // read where the model has them
  ...['architectures', 'model_type', 'tie_word_embeddings'],
];

const common = new Set(names);

/** A function that says whether no result depends on a field, in a family with these other ones. */
export const ignoring =
  (others = []) =>
  (name) =>
    common.has(name) || training.test(name) || others.includes(name);
