// The attention of the model that learns: one head, large, and all heads to choose from.

import { Drawing, useMemo, useState } from '../component.jsx';
import { sentenceClasses, sentenceParts } from '../sentence/sentence_text.js';
import { measureHead } from '../../worker/compute/head_roles.js';
import { pooled } from '../../worker/compute/pooled.js';
import { Heads } from '../views/heads.jsx';
import { createRunMap } from './run_map.js';
import { directions, ordinalOf, unitOf } from './task_texts.js';

/** @import { RunPart, RunPicture } from './run.js' */

const matrixOf = ({ weights, rows, columns }, head) => {
  const size = rows.length * columns.length;
  return weights.subarray(head * size, (head + 1) * size);
};

/** All heads of a part, for <Heads>. */
const headsOf = (part) =>
  Array.from({ length: part.heads }, (_, head) => {
    const [rows, columns] = [part.rows.length, part.columns.length];
    const weights = matrixOf(part, head);
    return {
      ...{ part: part.part, name: part.name, head, rows, columns, role: null, scores: null },
      ...pooled(weights, rows, columns),
      spread: measureHead(weights, rows, columns, null).spread,
    };
  });

/** The selected cell: the reader's, or the strongest of the first row. */
function selectedIn(part, head, picked) {
  const { rows, columns } = part;
  if (picked && picked.row < rows.length && picked.column < columns.length) return picked;
  const weights = matrixOf(part, head).subarray(0, columns.length);
  return { row: 0, column: weights.indexOf(Math.max(...weights)) };
}

/** Arguments of sentenceParts(). What is written is named by its place: the same digit may come twice. */
function sentenceOf({ part, rows, columns, heads, weights, causal }, place, unit, isPercent) {
  const isWritten = part.startsWith('cross') || part.startsWith('decoder');
  const picture = {
    ...{ part, heads, average: false, hidden: null, stages: { weights } },
    rows: rows.map((text, at) => ({ text, ...(isWritten && { name: ordinalOf(at, unit) }) })),
    columns: columns.map((text) => ({ text })),
  };
  return { picture, facts: { causal }, place, source: 'model', isPercent };
}

/**
 * Labels of the large matrix. What is written changes with every step: a mark such as <s> has the width of a digit there, so
 * that the matrix keeps its place.
 */
const labelsOf = ({ part, rows, columns }) => ({
  rowLabels: part.startsWith('cross') ? rows.map((text) => (text.length > 1 ? '–' : text)) : rows,
  columnLabels: columns,
});

/** Options of the large matrix. */
function optionsOf(part, { head, ...selected }, percent) {
  const { rows, columns, causal } = part;
  return {
    weights: { data: matrixOf(part, head), dims: [rows.length, columns.length] },
    ...{ ...labelsOf(part), label: titleOf(part, head), domain: [0, 1] },
    percent,
    unseen: causal
      ? rows.flatMap((_, row) => columns.map((__, column) => Number(column > row)))
      : null,
    selected,
  };
}
const titleOf = ({ name }, head) => `${name}, head ${head + 1}`;

/**
 * The choices of the reader in a run: a head, and a cell.
 * @type {{ run: number | null, head: { part: string, head: number } | null, cell: { row: number, column: number } | null }}
 */
const none = { run: null, head: null, cell: null };

/** @param {{ picture: RunPicture | null, isPercent: boolean }} shown `isPercent`: how weights are written */
export function RunAttention({ picture, isPercent }) {
  // The next run may have other heads.
  const [picked, setPicked] = useState(none);
  const [hovered, setHovered] = useState(null);
  const own = picked.run === picture?.run ? picked : none;
  const chosen = useMemo(
    () => picture && chosenIn(picture, own, isPercent),
    [picture, own, isPercent],
  );
  const unit = picture && unitOf(picture.task);
  const { inputs } = chosen ?? { inputs: noInputs };
  const select = ({ part, head, row, column }) =>
    setPicked({
      run: picture?.run ?? null,
      head: part === undefined ? own.head : { part, head },
      cell: row === undefined ? own.cell : { row, column },
    });
  return (
    <>
      <div class="learn-map">
        <h3>{chosen && titleOf(chosen.part, chosen.place.head)}</h3>
        <Drawing
          create={createRunMap}
          options={chosen?.options}
          hovered={hovered}
          select={select}
        />
        <p class={chosen ? 'looking' : 'looking empty'}>
          {chosen && <Sentence {...sentenceOf(chosen.part, chosen.place, unit, isPercent)} />}
        </p>
        <p class="hint">{chosen && directions[chosen.part.part.split('.')[0]](unit)}</p>
      </div>
      <div class={inputs.thumbnails.length === 0 ? 'heads-view empty' : 'heads-view'}>
        <Heads
          name="learn"
          picture={chosen?.picture}
          selection={chosen ? { part: chosen.part.part, ...chosen.place } : {}}
          inputs={inputs}
          enlarges={false} // the large matrix is beside it
          select={select}
          hover={setHovered}
        />
      </div>
    </>
  );
}

/** What is drawn: the large matrix, and all heads as a picture. */
function chosenIn({ example: { parts }, task }, { head: ofReader, cell }, isPercent) {
  // The induction head is in the last layer.
  const watched = task === 'repeat' ? parts.at(-1) : parts[0];
  const part = parts.find((one) => one.part === ofReader?.part) ?? watched;
  const head = ofReader?.head ?? 0;
  const place = { head, ...selectedIn(part, head, cell) };
  const { name, rows, columns } = part;
  const thumbnails = parts.flatMap(headsOf);
  return {
    ...{ part, place, options: optionsOf(part, place, isPercent) },
    picture: { average: false, part: part.part, name, rows, columns },
    inputs: { ...noInputs, thumbnails, unit: `${unitOf(task)}s` },
  };
}

const noInputs = {
  ...{
    thumbnails: [],
    colors: 'blues',
    colorBy: 'weights',
    scaling: 'global',
    unit: '',
    scores: null,
  },
};

const Sentence = (said) => (
  <>
    {sentenceParts(said).map((part) => {
      if (typeof part === 'string') return part;
      const { is, text } = part;
      return is === 'share' ? (
        <strong>{text}</strong>
      ) : (
        <bdi class={sentenceClasses[is]}>{text}</bdi>
      );
    })}
  </>
);
