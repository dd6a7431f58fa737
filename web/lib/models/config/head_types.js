// Head types: from the last hidden vectors to logits. A head is { on, steps }. `on` names its input rows:
//   tokens   every token            first   the first token           pooled   the pooler's output
//   last     the last token that is no padding      end     the last end-of-text token
//   mean     the mean of all tokens
//   first and mean                  the first token, concatenated with the mean of the others
// Each step is { linear: name }, { norm: name }, an activation, or { words: name }: the product with the head's table of
// token embeddings if the file has it, else with that of the input. The first head of a family whose tensors the file has
// is built.

/** Masked language modeling: dense, activation, norm, token embeddings. */
/** @typedef {{ dense: string, activation: string, norm: string, words: string, bias: string, width?: number }} MaskedHead */

export const maskedLanguageModel = (
  /** @type {MaskedHead} */ { dense, activation, norm, words, bias, width },
) => ({
  on: 'tokens',
  steps: [
    { linear: dense, rows: width ?? 'same width' },
    activation,
    { norm },
    { words, bias: `${bias}|${words}.bias` },
  ],
});

const questionAnswering = { on: 'tokens', steps: [{ linear: 'qa_outputs' }] };

/** Sequence classification (`head`), token classification, and question answering. */
export function classifiers(c, head) {
  const tokenHead = { on: 'tokens', steps: [{ linear: 'classifier' }] };
  const both = c.hasArchitecture(/TokenClassification$/) ? [tokenHead] : [head, tokenHead];
  return [questionAnswering, ...both];
}

/**
 * Causal language modeling, or classification at the last token that is no padding.
 *
 * @param {import('./config_fields.js').ConfigFields} c
 * @param {{ words?: string, scale?: number, softcap?: number }} options a factor of the product's input, and a softcap of
 *   logits
 */
export function causalHeads(c, { words = 'lm_head', scale, softcap } = {}) {
  const isTokenHead = c.hasArchitecture(/TokenClassification$/);
  return [
    questionAnswering,
    { on: isTokenHead ? 'tokens' : 'last', steps: [{ linear: 'score' }] },
    { on: 'tokens', steps: [{ linear: 'classifier' }] },
    {
      on: 'tokens',
      isLanguageModel: true,
      isNamed: c.hasArchitecture(/(CausalLM|LMHeadModel)$/),
      steps: [{ words, scale, softcap }],
    },
  ];
}

/** Language modeling in the decoder; or classification at the last end-of-text token. */
export const encoderDecoderHeads = (
  c,
  /** @type {{ bias?: string, scale?: number }} */ { bias, scale },
) => [
  questionAnswering,
  {
    on: 'end',
    steps: [
      { linear: 'classification_head.dense' },
      'tanh',
      { linear: 'classification_head.out_proj' },
    ],
  },
  {
    on: 'tokens',
    isLanguageModel: true,
    isNamed: c.hasArchitecture(/(ConditionalGeneration|MTModel)$/),
    steps: [{ words: 'lm_head', bias, scale }],
  },
];

export const imageClassifier = (on) => [{ on, steps: [{ linear: 'classifier' }] }];
