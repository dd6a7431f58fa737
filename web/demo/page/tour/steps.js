// The steps of the tour: what to say, what to set, and what to point at. From fuzzy lookup to
// multi-head cross-attention, on two example sentences.

const tea = 'Zuko made his uncle tea';
const elephant = 'The pink elephant tried to get into the car but it was too';
const plain = {
  mode: 'self',
  view: 'matrix',
  stage: 'weights',
  kind: 'softmax',
  scale: 'source',
  temperature: 1,
  causal: null,
  windowLeft: null,
  windowRight: null,
  softcap: 0,
  average: false,
  hideSpecial: false,
  merge: false,
  sort: 'text',
  threshold: 0,
  head: 0,
  heads: 1,
  positions: false,
};

export const steps = [
  {
    title: 'A lookup that is never sure',
    says: 'A dictionary finds the key that is equal, or nothing. Attention compares the query with every key, gives each a weight from 0 to 1, and mixes the values. Turn the temperature: from the exact match to the plain average.',
    set: { mode: 'lookup' },
    at: '.lookup-room',
  },
  {
    title: 'Words become vectors',
    says: 'Every word is a list of numbers, x. From it come three: the query q (what it looks for), the key k (what it can be found by) and the value v (what it gives).',
    set: { ...plain, text: tea, row: 4, column: 0 },
    at: '.inspector',
  },
  {
    title: 'Compare: the score',
    says: 'The query of the word being read and the key of another are multiplied number by number and added up: q·k. That is one cell; all pairs make the matrix.',
    set: { ...plain, text: tea, row: 4, column: 1, stage: 'raw' },
    at: '.picture',
  },
  {
    title: 'Scale and softmax: the weights',
    says: 'Scores are scaled, and the softmax makes each row positive with sum 1. The output of a word is the mean of all values, weighted by its row. Try the temperature here, too.',
    set: { ...plain, text: tea, row: 4, column: 4 },
    at: '.picture',
  },
  {
    title: 'Self-attention: a text reads itself',
    says: 'Red is the word being read, blue is what it attends to. Press Play, or use the arrow keys. Spelling is all these vectors know: alike words look at each other.',
    set: { ...plain, text: elephant, row: 2, column: 3 },
    at: '.reading',
  },
  {
    title: 'Looking only backwards',
    says: 'What word follows “too”? A model that writes must not see what comes next: everything after the word being read is hidden, and its weight is exactly 0.',
    set: { ...plain, text: elephant, causal: true, row: 12, column: 4, stage: 'masked' },
    at: '.picture',
  },
  {
    title: 'Several heads at once',
    says: 'Each head looks at its own part of the vectors and mixes for itself; together they see more than one thing. Click a small picture to choose its head: all views are of that one then.',
    set: { ...plain, text: elephant, heads: 4, view: 'heads', row: 2, column: 3 },
    at: '.picture',
  },
  {
    title: 'Cross-attention, with heads',
    says: 'One text asks, the other answers. Here a trained model writes French and looks into the English: each row is a token just before it is written, and “rouge” finds “red” across the order of words. Change layer and head. And mind: weights show what is mixed with what; they are not explanations.',
    set: {
      ...plain,
      source: 'model',
      mode: 'cross',
      french: '',
      text: 'The red car is in front of the white house.',
      view: 'lines',
      row: 2,
      column: 1,
    },
    at: '.picture',
  },
];
