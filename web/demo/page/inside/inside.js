// The whole block of the selected word's layer: its vectors from x to y, and the logit lens as a strip of likely words.

import { element, write, writeFormula } from '../element.js';
import { createStrip, largest } from '../inspector/inspector.js';
import { formatProbability, formatTerm } from '../number_formats.js';
import { linesOf, statisticsOf, sumsOf } from './flow.js';
import './inside.css';

/** Fills `root`, a <details>; `ask(row)` requests an Inside, `change(part of the state)`. */
export function createInside(root, { ask, change }) {
  const [intro, why, lensSays, end] = Array.from({ length: 4 }, () =>
    element('p', { class: 'hint' }),
  );
  const lens = element('ol', { class: 'lens', 'aria-label': 'Likeliest after each layer' });
  const flow = element('ol', { class: 'flow', 'aria-label': 'Vectors of the block' });
  const sums = element('div');
  const likely = element('ol', { class: 'likely', 'aria-label': 'Likeliest at the end' });
  const problem = element('p', { class: 'hint problem', role: 'status' });
  root.append(intro, lens, lensSays, why, flow, sums, end, likely, problem);
  let requested = {};
  let block = null;
  let palette = null;
  let standing = 0; // component that is spelled out
  let lines = [];

  function pick(at) {
    standing = at;
    drawFlow();
  }

  function drawFlow() {
    const list = linesOf(block);
    if (lines.length !== list.length) {
      lines = list.map(() => createLine(pick));
      flow.replaceChildren(...lines.map(({ item }) => item));
    }
    standing = Math.min(standing, block.vectors.x.length - 1);
    list.forEach((one, at) =>
      lines[at].show(one, { palette, picked: standing, isRms: block.isRms }),
    );
    sums.replaceChildren(
      ...sumsOf(block, standing).map(({ terms, symbol, total }) => {
        const line = element('p', { class: 'sum' });
        const names = terms.map(([name]) => `${name}_${standing + 1}`).join(' + ');
        const numbers = terms.map(([, number]) => formatTerm(number)).join(' + ');
        const left = symbol ? `${symbol}_${standing + 1} = ` : '';
        writeFormula(line, `${left}${names} = ${numbers} = ${formatTerm(total)}`);
        return line;
      }),
    );
  }

  function drawLens() {
    const { lens: seen, layer, kind } = block;
    const has = seen.why === undefined;
    for (const one of [lens, lensSays]) one.hidden = !has;
    why.hidden = has;
    write(why, seen.why ?? '');
    if (!has) return;
    const [last] = seen.layers.at(-1);
    lens.replaceChildren(
      ...seen.layers.map(([{ text, probability }], at) => {
        const name = element('small', {}, `layer ${at + 1}`);
        const word = element('bdi', { class: text === last.text ? 'is-last' : false }, text);
        const button = element(
          'button',
          {
            type: 'button',
            'aria-current': at === layer && 'true',
            click: () => change({ part: `${kind}.${at}` }),
          },
          ...[name, word, element('span', {}, formatProbability(probability))],
        );
        button.style.setProperty('--p', probability.toFixed(3));
        return element('li', {}, button);
      }),
    );
    write(
      lensSays,
      `Logit lens: the likeliest ${seen.words ? 'token' : 'class'} if the model ended after that layer; bold is what it says in the end. Early layers are read as if they were the last, so they may say little.`,
    );
  }

  function drawEnd() {
    const { lens: seen, layer, layers, stack, norms } = block;
    const isLast = layer === layers - 1;
    const tokens = isLast && !seen.why ? seen.layers.at(-1) : [];
    likely.hidden = tokens.length === 0;
    likely.replaceChildren(
      ...tokens.map(({ text, probability }) =>
        element('li', {}, element('bdi', {}, text), ` ${formatProbability(probability)}`),
      ),
    );
    const start = norms === 'after' ? 'Then' : 'Then a last norm and';
    const what = seen.words ? 'token of the vocabulary' : 'class';
    let says = `y is the x of layer ${layer + 2}.`;
    if (tokens.length > 0) {
      says = `${start} the head (unembedding) gives each ${what} a score, and softmax makes probabilities of them:`;
    } else if (isLast && stack === 'encoder') {
      says = 'This is the last layer: the decoder looks at its output by cross-attention.';
    } else if (isLast) says = 'This is the last layer.';
    write(end, says);
  }

  function draw() {
    root.classList.remove('empty');
    const { token, written, layer, layers, stack } = block;
    const name = stack === 'self' ? 'layer' : `${stack} layer`;
    const at =
      written === undefined ? `“${token}”` : `“${token}”, after which “${written}” is written,`;
    write(
      intro,
      `The vector of ${at} on its way through ${name} ${layer + 1} of ${layers}. Attention and feed-forward each add a vector to it; what passes through all layers and is added to is the residual stream. Each strip is colored by its own largest number.`,
    );
    drawLens();
    drawFlow();
    drawEnd();
  }

  return {
    /** `row`: token of the picture. */
    async show({ picture, row, palette: colors }) {
      if (palette !== colors) {
        palette = colors;
        if (block) drawFlow();
      }
      if (requested.picture === picture && requested.row === row) return;
      const own = { picture, row };
      requested = own;
      root.setAttribute('aria-busy', 'true');
      const { answer, problem: reason } = await ask(row);
      if (requested !== own) return;
      root.removeAttribute('aria-busy');
      write(problem, reason ? `The block could not be computed: ${reason}.` : '');
      if (!answer) return;
      block = answer;
      draw();
    },
  };
}

/** A line of the flow: symbol, words, and a strip or the numbers of a norm. */
function createLine(pick) {
  const strip = createStrip(pick);
  const [symbol, says, size, note] = ['symbol', 'says', 'size', 'norm'].map((name) =>
    element('span', { class: name }),
  );
  const item = element('li', {}, symbol, says, strip.element, note, size);
  return {
    item,
    show({ symbol: name, says: words, vector, of }, { palette, picked, isRms }) {
      write(symbol, name);
      write(says, words);
      strip.element.hidden = !vector;
      note.hidden = of === undefined;
      size.hidden = !vector;
      item.classList.toggle('is-norm', of !== undefined);
      if (of) write(note, normSays(of, isRms));
      if (!vector) return;
      write(size, `length ${formatTerm(Math.hypot(...vector), 2)}`);
      const numbers = Array.from(vector);
      strip.show(`${name}, ${words}`, numbers, { top: largest(numbers), palette, picked });
    },
  };
}

function normSays(vector, isRms) {
  const { mean, deviation, root } = statisticsOf(vector);
  return isRms
    ? `number / ${formatTerm(root)} (root mean square), times a learned factor`
    : `(number − ${formatTerm(mean)}) / ${formatTerm(deviation)}: mean and spread, then a learned factor and shift`;
}
