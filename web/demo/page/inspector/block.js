// Entries “Whole block” and “Logit lens” of the selected word's layer: its vectors from x to y, and the likeliest word after
// each layer.

import { h, useState } from '../component.js';
import { formatProbability, formatTerm } from '../number_formats.js';
import { linesOf, normSays, sumsOf } from './flow.js';
import { FormulaSum, Strip } from './step.js';
import { largest } from './strip.js';

/** `name`: field of the state that is true while it is unfolded. */
function Fold({ id, name, title, chosen, block, change, children }) {
  const { problem } = block?.answer ?? {};
  return h(
    'details',
    { class: `inside ${id}`, id: `step-${id}`, open: chosen[name], 'aria-busy': block?.isDue },
    h(
      'summary',
      {
        id: `step-${id}-title`,
        onClick(event) {
          event.preventDefault(); // the store unfolds it
          change({ [name]: !chosen[name] });
        },
      },
      h('h3', null, title),
    ),
    chosen[name] && block?.answer?.answer && children(block.answer.answer),
    h(
      'p',
      { class: 'hint problem', role: 'status' },
      problem && chosen[name] ? `The block could not be computed: ${problem}.` : '',
    ),
  );
}

const Hint = ({ children }) => h('p', { class: 'hint' }, children);

export const Block = (shown) =>
  h(Fold, { ...shown, id: 'block', name: 'whole', title: 'Whole block' }, (block) => [
    h(Hint, null, introductionOf(block)),
    h(Flow, { block, palette: shown.palette }),
    h(End, { block }),
  ]);

export const Lens = (shown) =>
  h(Fold, { ...shown, id: 'lens', name: 'lens', title: 'Logit lens' }, (block) =>
    h(Layers, { block, change: shown.change }),
  );

function introductionOf({ token, written, layer, layers, stack }) {
  const name = stack === 'self' ? 'layer' : `${stack} layer`;
  const at =
    written === undefined ? `“${token}”` : `“${token}”, after which “${written}” is written,`;
  return `The vector of ${at} on its way through ${name} ${layer + 1} of ${layers}. Attention and feed-forward each add a vector to it; what passes through all layers and is added to is the residual stream. Each strip is colored by its own largest number.`;
}

function Flow({ block, palette }) {
  const [chosen, pick] = useState(0); // component that is spelled out
  const at = Math.min(chosen, block.vectors.x.length - 1);
  return [
    h(
      'ol',
      { class: 'flow', 'aria-label': 'Vectors of the block' },
      linesOf(block).map((line) =>
        h(Line, { line, palette, picked: at, pick, facts: block.facts }),
      ),
    ),
    h(
      'div',
      null,
      sumsOf(block, at).map((sum) => h(FormulaSum, { text: sumText(sum, at) })),
    ),
  ];
}

function sumText({ terms, symbol, total }, at) {
  const names = terms.map(([name]) => `${name}_${at + 1}`).join(' + ');
  const numbers = terms.map(([, number]) => formatTerm(number)).join(' + ');
  const left = symbol ? `${symbol}_${at + 1} = ` : '';
  return `${left}${names} = ${numbers} = ${formatTerm(total)}`;
}

/** A line of the flow: symbol, words, and a strip or the numbers of a norm. */
function Line({ line: { symbol, says, vector, of }, palette, picked, pick, facts }) {
  const numbers = vector && Array.from(vector);
  return h(
    'li',
    { class: of === undefined ? null : 'is-norm' },
    h('span', { class: 'symbol' }, symbol),
    h('span', { class: 'says' }, says),
    numbers &&
      h(Strip, {
        ...{ name: `${symbol}, ${says}`, values: numbers, top: largest(numbers) },
        ...{ palette, picked, onPick: pick },
      }),
    of && h('span', { class: 'norm' }, normSays(of, facts)),
    numbers && h('span', { class: 'size' }, `length ${formatTerm(Math.hypot(...numbers), 2)}`),
  );
}

function Layers({ block, change }) {
  const { lens, layer, kind } = block;
  if (lens.why !== undefined) return h(Hint, null, lens.why);
  const [last] = lens.layers.at(-1);
  return [
    h(
      'ol',
      { class: 'lens-layers', 'aria-label': 'Likeliest after each layer' },
      lens.layers.map(([{ text, probability }], at) =>
        h(
          'li',
          null,
          h(
            'button',
            {
              ...{ type: 'button', 'aria-current': at === layer ? 'true' : null },
              style: { '--p': probability.toFixed(3) },
              onClick: () => change({ part: `${kind}.${at}` }),
            },
            h('small', null, `layer ${at + 1}`),
            h('bdi', { class: text === last.text ? 'is-last' : null }, text),
            h('span', null, formatProbability(probability)),
          ),
        ),
      ),
    ),
    h(
      Hint,
      null,
      `The likeliest ${lens.words ? 'token' : 'class'} if the model ended after that layer; bold is what it says in the end. Early layers are read as if they were the last, so they may say little.`,
      lens.words &&
        ' A word of the list below the map also has to end there, so it is a little less likely than its token.',
    ),
  ];
}

function End({ block }) {
  const { lens, layer, layers } = block;
  const tokens = layer === layers - 1 && lens.why === undefined ? lens.layers.at(-1) : [];
  return [
    h(Hint, null, endOf(block, tokens)),
    tokens.length > 0 &&
      h(
        'ol',
        { class: 'likely', 'aria-label': 'Likeliest at the end' },
        tokens.map(({ text, probability }) =>
          h('li', null, h('bdi', null, text), ` ${formatProbability(probability)}`),
        ),
      ),
  ];
}

function endOf({ lens, layer, layers, stack, facts }, tokens) {
  if (layer < layers - 1) return `y is the x of layer ${layer + 2}.`;
  if (tokens.length > 0) {
    const start = facts.finalNorm ? 'Then a last norm and' : 'Then';
    const what = lens.words ? 'token of the vocabulary' : 'class';
    return `${start} the head (unembedding) gives each ${what} a score, and softmax makes probabilities of them:`;
  }
  return stack === 'encoder'
    ? 'This is the last layer: the decoder looks at its output by cross-attention.'
    : 'This is the last layer.';
}
