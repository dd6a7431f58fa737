// Building blocks of the details: a step with its heading, lines of sums, vectors as strips.

import { Drawing, Formula, useState } from '../component.jsx';
import { formatScore, formatTerm, sumOf as writeSum } from '../number_formats.js';
import { createStrip } from './strip.js';

/** @import { ComponentChildren } from 'preact' */
/** @import { Stage } from '../../types' */
/** @import { ShownStrip } from './strip.js' */
/** @typedef {{ stage: Stage, stages: Stage[], change(change: { stage: Stage }): void }} StageMap */

/**
 * A step. `note`: formula beside the title; `stage`: its matrix can be drawn by the map, with `map` { stage, stages,
 * change }: the stage that is drawn, those that can be.
 * @param {{ id: string, title: string, note?: string, stage?: Stage, map?: StageMap, children: ComponentChildren }} shown
 */
export function Step({ id, title, note, stage, map, children }) {
  return (
    <section class="step" id={`step-${id}`} aria-labelledby={`step-${id}-title`}>
      <header>
        <h4 id={`step-${id}-title`}>{title}</h4>
        {note && <Formula text={note} />}
        {stage && map?.stages.includes(stage) && (
          <StageChoice title={title} stage={stage} map={map} />
        )}
      </header>
      {children}
    </section>
  );
}

/**
 * The map draws this step, or the weights.
 * @param {{ title: string, stage: Stage, map: StageMap }} shown
 */
export const StageChoice = ({ title, stage, map }) => (
  <label class="whole-matrix" title="The map shows this step for all words">
    <input
      type="checkbox"
      name="stage"
      value={stage}
      checked={map.stage === stage}
      aria-label={`${title}: the map shows the whole matrix`}
      onChange={({ currentTarget }) =>
        map.change({ stage: currentTarget.checked ? stage : 'weights' })
      }
    />
    <span>{stage === 'difference' ? 'Δ softmax, whole matrix' : 'whole matrix'}</span>
  </label>
);

export const Sum = ({ children }) => <p class="sum">{children}</p>;
export const FormulaLine = ({ text }) => (
  <p>
    <Formula text={text} />
  </p>
);
export const FormulaSum = ({ text }) => <Formula text={text} tag="p" class="sum" />;

/** A sum of products as text, its total as scores are written here. */
export const sumOf = (terms, total, more) => writeSum(terms, total, more, formatScore);

/**
 * A vector as a strip.
 * @param {ShownStrip} shown
 */
export const Strip = (shown) => <Drawing {...shown} create={createStrip} />;

/**
 * A vector in one line: symbol, word and a strip of its numbers.
 * @param {Omit<ShownStrip, 'name'> & { symbol: string, word: string, side?: string, name?: string }} shown
 */
export const StripLine = ({ symbol, word, side = '', name = `${symbol} of ${word}`, ...strip }) => (
  <div class="strip-line">
    <span class="symbol">{symbol}</span>
    <bdi class={`word ${side}`}>{word}</bdi>
    <Strip name={name} {...strip} />
  </div>
);

/** All products of a sum, created while the list is expanded. */
export function AllTerms({ terms }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>all products</summary>
      <ol class="terms">
        {isOpen &&
          terms.map(([a, b]) => (
            <li>{`${formatTerm(a)} × ${formatTerm(b)} = ${formatTerm(a * b)}`}</li>
          ))}
      </ol>
    </details>
  );
}
