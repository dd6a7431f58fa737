// Glances of the flow's boxes. They stand within buttons, so nothing in them can be chosen.

import { Drawing } from '../component.jsx';
import { formatPercent } from '../number_formats.js';
import { offeredOf } from '../next_words/next_words.jsx';
import { createBars } from './bars.js';
import { createThinStrip, largest } from './strip.js';

const shownWords = 3;

/**
 * A number, what leads to it, and what it is made of.
 * @param {{ lead?: string, number: string, note?: string, isMain?: boolean }} shown
 */
export const Figure = ({ lead = '', number, note = '', isMain = false }) => (
  <span class={`figure ${isMain ? 'main' : ''}`}>
    {lead && <span class="lead">{`${lead} `}</span>}
    <span class="number">{number}</span>
    {note && <span class="lead">{` ${note}`}</span>}
  </span>
);

/** A vector in a line: symbol, word, its numbers as colors. */
const Line = ({ symbol, word, side, values, top, palette }) => (
  <span class="glance-line">
    <span class="symbol">{symbol}</span>
    <span class="unseen"> of </span>
    <bdi class={side}>{word}</bdi>{' '}
    <Drawing create={createThinStrip} values={values} top={top} palette={palette} />
  </span>
);

export function GlanceVectors({ inspection, palette }) {
  const { row, columns, place, query, key } = inspection;
  const both = { top: largest(query, key), palette };
  return (
    <span class="glance-lines">
      <Line symbol="k" word={columns[place.column]} side="is-seen" values={key} {...both} />
      <Line symbol="q" word={row} side="is-read" values={query} {...both} />
    </span>
  );
}

export const GlanceBars = ({ weights, column, palette }) => (
  <Drawing
    create={createBars}
    weights={Array.from(weights)}
    column={column}
    palette={palette}
    name={`a row of ${weights.length} weights`}
  />
);

/** The word's share of the output of the row, and the output. */
export function GlanceValue({ inspection, palette }) {
  const { values, output, columns, place, stages, row } = inspection;
  const { column } = place;
  const weight = stages.weights[column];
  const size = output.length;
  const part = values.slice(column * size, (column + 1) * size).map((value) => value * weight);
  const both = { top: largest(part, output), palette };
  return (
    <span class="glance-lines">
      <Line symbol="α v" word={columns[column]} side="is-seen" values={part} {...both} />
      <Line symbol="o" word={row} side="is-read" values={output} {...both} />
    </span>
  );
}

export const GlanceWords = ({ words: { words, lang } }) => (
  <span class="glance-lines">
    {offeredOf(words)
      .slice(0, shownWords)
      .map(({ text, special, probability, isOwn }) => (
        <span class={`glance-word ${isOwn ? 'own' : ''}`} key={text}>
          <bdi lang={special ? undefined : lang}>{special ? 'the end' : text}</bdi>{' '}
          <span class="bar" style={{ '--share': probability.toFixed(3) }} />
          <span>{formatPercent(probability)} </span>
        </span>
      ))}
  </span>
);
