// The files of a sentence encoder with prompts, { name: content }: its tokenizer has whole words.
import { writeSafetensors } from 'attention-wasm/safetensors';
import { withTokens } from './models_with_tokens.js';

const vocab = { '[CLS]': 0, '[SEP]': 1, 'query:': 2, cats: 3, sleep: 4, 'title:': 5, '[UNK]': 6 };
const special = { special: true, normalized: false, single_word: false };
const tokenizer = {
  added_tokens: ['[CLS]', '[SEP]'].map((content, id) => ({ id, content, ...special })),
  pre_tokenizer: { type: 'WhitespaceSplit' },
  model: { type: 'WordLevel', vocab, unk_token: '[UNK]' },
  post_processor: { type: 'BertProcessing', sep: ['[SEP]', 1], cls: ['[CLS]', 0] },
};
const modules = ['Transformer', 'Pooling'].map((name, n) => ({
  type: `sentence_transformers.models.${name}`,
  path: n === 0 ? '' : '1_Pooling',
}));

/** defaultPrompt: 'query' or 'document', or undefined. */
export function promptedFiles(defaultPrompt) {
  const { config, weights } = withTokens('bert, classes', 7);
  const own = [...weights].filter(([name]) => !name.startsWith('classifier.'));
  const files = {
    'config.json': { ...config, architectures: ['BertModel'] },
    'tokenizer.json': tokenizer,
    'modules.json': modules,
    '1_Pooling/config.json': { pooling_mode_mean_tokens: true },
    'config_sentence_transformers.json': {
      prompts: { query: 'query: ', document: 'title: ' },
      default_prompt_name: defaultPrompt ?? null,
    },
  };
  const json = Object.entries(files).map(([name, content]) => [name, JSON.stringify(content)]);
  return {
    ...Object.fromEntries(json),
    'model.safetensors': writeSafetensors(new Map(own)),
  };
}
