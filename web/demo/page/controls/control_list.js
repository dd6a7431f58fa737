// Controls of the computation and of the drawing: name, description, formula and condition of each. `applies({ state,
// facts, picture })` returns '', or the reason why the control has no effect.

import { hasFused } from 'virtual:fused-kernels';
import { kinds, kindOf } from '../../kinds.js';
import { viewNamed } from '../../view_list.js';

const ifKindCan =
  (what) =>
  ({ state, picture }) => {
    if (!kindOf(state.kind).can.includes(what)) return 'This kind does not use it.';
    const needsOrder = what === 'causal' || what === 'window';
    return needsOrder && picture && !picture.oneSequence
      ? 'For one text only: between two texts there is no before and after.'
      : '';
  };

const inView =
  (control) =>
  ({ state }) =>
    viewNamed(state.view).without?.[control] ?? '';

const ofSource =
  (setting) =>
  ({ source }) =>
    source?.settings.includes(setting) ?? false;

export const controls = [
  {
    group: 'Scores',
    id: 'scale',
    type: 'choice',
    label: 'Scale',
    says: 'Every q · k is multiplied by this before the softmax. 1/√d_k is the Transformer’s; 1 leaves the scores as they are; the default suits these vectors.',
    formula: 's = scale · q·k / T',
    applies: ifKindCan('scale'),
    choices: [
      ['source', 'Default'],
      ['scaled', '1/√d'],
      ['one', '1'],
      ['own', 'Own'],
    ],
  },
  {
    id: 'ownScale',
    type: 'number',
    label: 'Own scale',
    says: 'Any number, 0 and negative ones too: 0 makes a plain average.',
    formula: 's = own · q·k / T',
    min: -10000,
    max: 10000,
    step: 'any',
    applies: ({ state }) => (state.scale === 'own' ? '' : 'Choose the scale “Own” first.'),
  },
  {
    id: 'temperature',
    type: 'power',
    label: 'Temperature',
    says: 'Cold: only the best match counts. Hot: a plain average.',
    formula: 'α = softmax(s / T)',
    applies: ifKindCan('scale'),
    min: -5,
    max: 5,
  },
  {
    id: 'softcap',
    type: 'number',
    label: 'Softcap',
    says: 'Limits scores smoothly to ±c; 0 turns it off.',
    formula: 's = c · tanh(s / c)',
    min: 0,
    max: 10000,
    step: 'any',
    applies: ifKindCan('softcap'),
  },
  {
    group: 'What may be seen',
    id: 'causal',
    type: 'switch',
    label: 'Look only backwards',
    says: 'A word looks at itself and what came before, as if the rest were still to be written.',
    formula: 's_ij = −∞ for j > i',
    applies: ifKindCan('causal'),
  },
  {
    id: 'window',
    type: 'window',
    label: 'Window',
    says: 'How many words to the left and to the right may be seen; empty is all.',
    formula: 's_ij = −∞ unless i − left ≤ j ≤ i + right',
    applies: ifKindCan('window'),
  },
  {
    group: 'Which attention',
    id: 'kind',
    type: 'select',
    label: 'Kind',
    says: 'Attention is a mean weighted by a similarity; softmax is the case sim = exp. The linear kinds need no n × n matrix; here it is formed to be seen. “Δ softmax” draws the difference.',
    formula: 'o_i = Σ_j sim(q_i, k_j) v_j / Σ_j sim(q_i, k_j)',
    choices: kinds.map(({ id, name }) => [id, name]),
  },
  {
    id: 'heads',
    type: 'choice',
    label: 'Heads',
    says: 'Each head compares a part of every vector, and mixes for itself; their outputs are put side by side.',
    formula: 'o = concat(o¹, …, oʰ)',
    choices: [1, 2, 4, 8].map((count) => [count, String(count)]),
    shown: ofSource('heads'),
  },
  {
    id: 'positions',
    type: 'switch',
    label: 'Let word order count',
    says: 'Adds a wave pattern for its place to each word, so that neighbors become alike.',
    formula: 'x = √½ · word + √½ · sin, cos(place / 10000^(2i/d))',
    shown: ofSource('positions'),
  },
  {
    group: 'What is drawn',
    id: 'example',
    type: 'number',
    label: 'Example of the batch',
    says: 'Which of the examples that the file has is drawn, counted from 1.',
    formula: 'x[example − 1]',
    min: 1,
    max: 9999,
    step: 1,
    shown: ({ facts }) => facts?.examples > 1,
    applies: () => '',
  },
  {
    id: 'average',
    type: 'switch',
    label: 'Average of the heads',
    says: 'The mean of all heads of the layer, in one picture.',
    formula: 'ᾱ = (α¹ + … + αʰ) / h',
    applies: ({ facts }) => (partOf(facts)?.heads > 1 ? '' : 'There is one head.'),
  },
  {
    id: 'hideSpecial',
    type: 'switch',
    label: 'Hide special tokens',
    says: 'Leaves out the rows of punctuation and of marks such as </s>. Their columns, which often soak up weight, become one: “marks”.',
    formula: 'α_ij for words i, j',
  },
  {
    id: 'merge',
    type: 'switch',
    label: 'Merge sub-words',
    says: 'Pieces of a word as one: attention to it is their sum, attention from it their mean.',
    formula: 'α_wu = mean over i in w of Σ over j in u of α_ij',
  },
  {
    id: 'pair',
    type: 'choice',
    label: 'Two texts',
    says: 'Of two texts A and B that the model reads as a pair: which of them looks, and at which. What is left out is one column, “the rest”.',
    formula: 'α_ij for i in A, j in B',
    choices: [
      ['all', 'All'],
      ['ab', 'A → B'],
      ['ba', 'B → A'],
      ['aa', 'A → A'],
      ['bb', 'B → B'],
    ],
    shown: ({ facts }) => facts?.isPair ?? false,
  },
  {
    id: 'sort',
    type: 'choice',
    label: 'Columns',
    says: 'In the order of the text, by what the selected word looks at, or by what all words look at.',
    formula: 'by α_ij, or by Σ_i α_ij',
    choices: [
      ['text', 'Text'],
      ['read', 'By row'],
      ['total', 'By total'],
    ],
  },
  {
    id: 'threshold',
    type: 'range',
    label: 'Threshold',
    says: 'Weights below it are left blank. They are still counted.',
    formula: 'drawn if α ≥ t',
    applies: inView('threshold'),
    min: 0,
    max: 1,
    step: 0.01,
  },
  {
    id: 'perRow',
    type: 'switch',
    label: 'Scale colors per row',
    says: 'The strongest color is the largest of each row, instead of the largest of all.',
    formula: 'color(α_ij / max over j of α_ij)',
    applies: inView('perRow'),
  },
  {
    id: 'colors',
    type: 'choice',
    label: 'Colors',
    says: 'All three get steadily darker or lighter, and can be told apart with any color vision.',
    formula: '0 … largest',
    applies: inView('colors'),
    choices: [
      ['blues', 'Blues'],
      ['viridis', 'Viridis'],
      ['cividis', 'Cividis'],
    ],
  },
  {
    id: 'numbers',
    type: 'choice',
    label: 'Numbers',
    says: 'Weights in percent, or as decimals to compare with other programs. By default those of your model and of your arrays are decimals. Scores, differences and other values that are no weights always are.',
    formula: 'α = 0.83 = 83 %',
    choices: [
      ['source', 'Default'],
      ['percent', 'Percent'],
      ['decimals', 'Decimals'],
    ],
  },
  {
    group: 'How it is computed',
    id: 'fused',
    type: 'switch',
    label: 'Fused multiply-add',
    says: 'Rounds a product and its sum once, in one instruction: about as exact, on many processors faster. Last digits then depend on the machine; without it every browser has the same bits.',
    formula: 'round(a · b + c)',
    shown: /** @type {(at: unknown) => boolean} */ (() => hasFused),
    applies: ({ facts }) => {
      if (facts?.fixed) return 'The weights were given: there is nothing to compute.';
      return facts?.fused === false ? 'This browser has no relaxed SIMD, which it needs.' : '';
    },
  },
];

/** Fields of the state that the controls change. */
export const fieldsOfControls = controls.flatMap(({ id }) =>
  id === 'window' ? ['windowLeft', 'windowRight'] : [id],
);

export const partOf = (facts) => facts?.parts.find(({ id }) => id === facts.part);
