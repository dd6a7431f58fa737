// Building blocks of the inspector: a step with its heading, lines of sums, vectors as strips.

import { Drawing, Formula, h, useState } from '../component.js';
import { formatScore, formatTerm, sumOf as writeSum } from '../number_formats.js';
import { createStrip } from './strip.js';

/**
 * A step. `note`: formula beside the title; `stage`: its matrix can be drawn by the map, with `map` { stage, stages,
 * change }: the stage that is drawn, those that can be.
 */
export function Step({ id, title, note, stage, map, children }) {
  const canDraw = map?.stages.includes(stage);
  return h(
    'section',
    { class: 'step', id: `step-${id}`, 'aria-labelledby': `step-${id}-title` },
    h(
      'header',
      null,
      h('h3', { id: `step-${id}-title`, tabindex: -1 }, title),
      note && h(Formula, { text: note }),
      canDraw && h(StageChoice, { title, stage, map }),
    ),
    children,
  );
}

/** The map draws this step, or another. */
const StageChoice = ({ title, stage, map }) =>
  h(
    'label',
    { class: 'whole-matrix', title: 'The map shows this step for all words' },
    h('input', {
      ...{ type: 'radio', name: 'stage', value: stage, checked: map.stage === stage },
      'aria-label': `${title}: see the whole matrix of this step`,
      onChange: () => map.change({ stage }),
    }),
    h('span', null, 'whole matrix'),
  );

export const Sum = ({ children }) => h('p', { class: 'sum' }, children);
export const FormulaLine = ({ text }) => h('p', null, h(Formula, { text }));
export const FormulaSum = ({ text }) => h(Formula, { text, tag: 'p', class: 'sum' });

/** A sum of products as text, its total as the inspector writes scores. */
export const sumOf = (terms, total, more) => writeSum(terms, total, more, formatScore);

/** @import { Palette } from '../palette.js' */

/** A vector as a strip; `name` for screen readers, `top`, `picked` and `palette` as in createStrip(). */
export const Strip = (shown) => h(Drawing, { ...shown, create: drawStrip });

/** @param {() => { onPick?: (index: number) => void }} latest */
function drawStrip(latest) {
  const strip = createStrip((at) => latest().onPick?.(at));
  return {
    element: strip.element,
    /** @param {{ name: string, values: ArrayLike<number>, top: number, palette: Palette, picked?: number }} shown */
    show: ({ name, values, ...options }) => strip.show(name, Array.from(values), options),
  };
}

/** A vector in one line: symbol, word and a strip of its numbers. */
export const StripLine = ({ symbol, word, side = '', name = `${symbol} of ${word}`, ...strip }) =>
  h(
    'div',
    { class: 'strip-line' },
    h('span', { class: 'symbol' }, symbol),
    h('bdi', { class: `word ${side}` }, word),
    h(Strip, { name, ...strip }),
  );

/** All products of a sum, created while the list is expanded. */
export function AllTerms({ terms }) {
  const [isOpen, setOpen] = useState(false);
  return h(
    'details',
    { onToggle: ({ currentTarget }) => setOpen(currentTarget.open) },
    h('summary', null, 'all products'),
    h(
      'ol',
      { class: 'terms' },
      isOpen &&
        terms.map(([a, b]) =>
          h('li', null, `${formatTerm(a)} × ${formatTerm(b)} = ${formatTerm(a * b)}`),
        ),
    ),
  );
}
