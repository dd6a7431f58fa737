// What stands on top: from the last hidden vectors to logits. A head is { on, steps }: the rows it reads
//   tokens   each token's           first   the first token's         pooled   what the pooler made
//   last     the last token's       end     that of the last end of text
//   first and mean                  the first token's beside the mean of the others
// and what is done to them: { linear: name }, { norm: name }, a nonlinearity, or { words: name } for the table of
// words turned round, which is the embedding itself where they are tied. Of a family's heads the first is built of
// which the file has the tensors.

/** Which word stands here: dense, nonlinearity, norm, words. */
export const maskedWords = ({ dense, activation, norm, words, bias, width }) => ({
  on: 'tokens',
  steps: [
    { linear: dense, rows: width ?? 'as before' },
    activation,
    { norm },
    { words, tied: true, bias: `${bias}|${words}.bias` },
  ],
});

const answers = { on: 'tokens', steps: [{ linear: 'qa_outputs' }] };

/** Classes of a text (as `head` says it), of its tokens, and where in it an answer begins and ends. */
export function classifiers(c, head) {
  const ofTokens = { on: 'tokens', steps: [{ linear: 'classifier' }] };
  const both = c.isFor(/TokenClassification$/) ? [ofTokens] : [head, ofTokens];
  return [answers, ...both];
}

/** Which word follows; or classes, read off the last token. */
export function causalHeads(c, { tied, words = 'lm_head', bias } = {}) {
  const isOfTokens = c.isFor(/TokenClassification$/);
  return [
    answers,
    { on: isOfTokens ? 'tokens' : 'last', steps: [{ linear: 'score' }] },
    { on: 'tokens', steps: [{ linear: 'classifier' }] },
    {
      on: 'tokens',
      follows: true,
      needed: c.isFor(/(CausalLM|LMHeadModel)$/),
      steps: [{ words, tied, bias }],
    },
  ];
}

/** Which word follows in the decoder; or classes, read off its last end of text. */
export const sequenceHeads = (c, { bias, scale, ownWords }) => [
  answers,
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
    follows: true,
    needed: c.isFor(/(ConditionalGeneration|MTModel)$/),
    steps: [{ words: 'lm_head', tied: true, bias, scale, ownWords }],
  },
];

export const imageClassifier = (on) => [{ on, steps: [{ linear: 'classifier' }] }];
