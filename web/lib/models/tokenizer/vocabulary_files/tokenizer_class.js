// The class of a tokenizer: tokenizer_class of tokenizer_config.json or config.json, else the one that transformers'
// AutoTokenizer has for the model_type.

const classes = {
  albert: 'AlbertTokenizer',
  bart: 'BartTokenizer',
  bert: 'BertTokenizer',
  camembert: 'CamembertTokenizer',
  codegen: 'CodeGenTokenizer',
  deberta: 'DebertaTokenizer',
  'deberta-v2': 'DebertaV2Tokenizer',
  distilbert: 'DistilBertTokenizer',
  electra: 'ElectraTokenizer',
  esm: 'EsmTokenizer',
  gemma: 'GemmaTokenizer',
  gemma2: 'GemmaTokenizer',
  gemma3_text: 'GemmaTokenizer',
  gpt2: 'GPT2Tokenizer',
  gpt_bigcode: 'GPT2Tokenizer',
  gpt_neo: 'GPT2Tokenizer',
  gptj: 'GPT2Tokenizer',
  llama: 'LlamaTokenizer',
  mbart: 'MBartTokenizer',
  mistral: 'LlamaTokenizer',
  opt: 'GPT2Tokenizer',
  pegasus: 'PegasusTokenizer',
  phi: 'CodeGenTokenizer',
  phi3: 'LlamaTokenizer',
  qwen2: 'Qwen2Tokenizer',
  qwen3: 'Qwen2Tokenizer',
  roberta: 'RobertaTokenizer',
  'roberta-prelayernorm': 'RobertaTokenizer',
  starcoder2: 'GPT2Tokenizer',
  t5: 'T5Tokenizer',
  'xlm-roberta': 'XLMRobertaTokenizer',
};

/** The name of the class without the ending of the fast one; undefined if nothing names one. */
export function tokenizerClass(tokenizerConfig, { tokenizer_class: configured, model_type: type }) {
  const name = tokenizerConfig.tokenizer_class ?? configured;
  if (typeof name === 'string') return name.replace(/Fast$/, '');
  return Object.hasOwn(classes, type) ? classes[type] : undefined;
}
