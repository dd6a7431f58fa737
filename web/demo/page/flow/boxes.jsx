// The boxes of the flow, from the two vectors to what they add: which ones a picture has, what each shows at a glance, and
// its details. A kind without softmax has no scale, given weights have no vectors: such a box is left out.

import { isFeatureMap } from '../../kinds.js';
import { stageRow } from '../../positions.js';
import { formatBrief, formatShare } from '../number_formats.js';
import { GlanceBars, GlanceValue, GlanceVectors, GlanceWords, Figure } from './glances.jsx';
import { HeadsStep } from './heads_step.jsx';
import { MaskStep } from './mask_step.jsx';
import { MovedStep } from './moved_step.jsx';
import { PiecesStep } from './pieces_step.jsx';
import { operationsOf, ScaleStep } from './scale_step.jsx';
import { ScoreStep } from './score_step.jsx';
import { similarity } from './similarity.js';
import { RowStep, SoftmaxStep } from './softmax_step.jsx';
import { VectorsStep } from './vectors_step.jsx';
import { WeightStep } from './weight_step.jsx';

/** @import { ComponentChildren } from 'preact' */
/**
 * `glance`: null until the numbers have come; `details()`: drawn while the box is open.
 * @typedef {{ id: string, name: string, glance: ComponentChildren, details(): ComponentChildren }} Box
 */

/**
 * `shown`: arguments of Flow().
 * @returns {Box[]}
 */
export function boxesOf(shown) {
  if (shown.facts.fixed) return [rowBox(shown), weightBox(shown)];
  const kind = shown.inspection?.kind ?? shown.chosen.kind;
  return [
    vectorsBox(shown),
    hasProduct(kind) && scoreBox(shown, kind),
    scaleBox(shown, kind),
    rowBox(shown, kind),
    weightBox(shown),
    valueBox(shown),
  ].filter((box) => box !== null && box !== false);
}

const isLinear = (kind) => isFeatureMap(kind) && kind !== 'efficient';
const hasProduct = (kind) => ['softmax', 'cosine', 'polynomial'].includes(kind) || isLinear(kind);

/** The drawing of an inspection, once there is one. */
const once = (inspection, draw) => (inspection ? draw(inspection) : null);

const vectorsBox = ({ inspection, palette }) => ({
  id: 'vectors',
  name: 'Vectors',
  glance: once(inspection, () => <GlanceVectors inspection={inspection} palette={palette} />),
  details: () => <VectorsStep inspection={inspection} palette={palette} />,
});

function scoreBox({ inspection, palette, map }, kind) {
  const product = isLinear(kind) ? 'φ(q) · φ(k)' : 'q · k';
  return {
    id: 'score',
    name: 'Score',
    glance: once(inspection, ({ query, key, options, stages, place }) => (
      <Figure
        lead={`${product} =`}
        number={formatBrief(
          isLinear(kind) ? similarity(kind, query, key, options.scale) : stages.raw[place.column],
        )}
      />
    )),
    // The matrix of q · k is none of φ(q) · φ(k).
    details: () => (
      <ScoreStep inspection={inspection} palette={palette} map={isLinear(kind) ? undefined : map} />
    ),
  };
}

/** Scale and mask of softmax; the similarity of another kind; the mask alone where the score is the similarity. */
function scaleBox({ inspection, map }, kind) {
  const isSoftmax = kind === 'softmax';
  const hasSimilarity = !isSoftmax && !isFeatureMap(kind);
  if (!isSoftmax && !hasSimilarity && !hidesAny(inspection)) return null;
  const own = isSoftmax ? map : undefined; // the other kinds have no scores to scale
  return {
    id: 'scale',
    name: isSoftmax ? 'Scale and mask' : hasSimilarity ? 'Similarity' : 'Mask',
    glance: once(inspection, glanceOfScale),
    details: () => (
      <>
        {(isSoftmax || hasSimilarity) && <ScaleStep inspection={inspection} map={own} />}
        {(isSoftmax || hidesAny(inspection)) && <MaskStep inspection={inspection} map={own} />}
      </>
    ),
  };
}

const hidesAny = (inspection) =>
  Boolean(inspection?.stages.masked.some((score) => score === -Infinity));

function glanceOfScale(inspection) {
  const { kind, query, key, options, stages, place } = inspection;
  const masked = stages.masked[place.column];
  const isHidden = masked === -Infinity;
  if (kind === 'softmax') {
    const done = [...operationsOf(inspection), ...(isHidden ? ['masked'] : [])];
    return <Figure lead={`${done.join(', ')} =`} number={formatBrief(masked)} />;
  }
  if (isHidden) return <Figure number="left out" />;
  if (isFeatureMap(kind)) return <Figure number="visible" />;
  return <Figure lead="sim =" number={formatBrief(similarity(kind, query, key, options.scale))} />;
}

function rowBox(shown, kind = '') {
  const { facts, inspection, palette, map, select, spellOut } = shown;
  const weights = facts.fixed ? rowOf(shown) : inspection?.stages.weights;
  const column = facts.fixed ? shown.place.column : inspection?.place.column;
  const isSoftmax = kind === 'softmax';
  return {
    id: 'row',
    name: facts.fixed ? 'Row of weights' : isSoftmax ? 'Softmax' : 'Divided by the sum',
    glance: weights ? <GlanceBars weights={weights} column={column} palette={palette} /> : null,
    details: () =>
      facts.fixed ? (
        <RowStep
          {...{ shown, weights, palette }}
          pick={(at) => select({ ...shown.place, column: at })}
        />
      ) : (
        <SoftmaxStep {...{ inspection, palette, map }} pick={pickIn(shown, spellOut)} />
      ),
  };
}

const rowOf = ({ picture, place }) => stageRow(picture, 'weights', place.head, place.row);

/** A token of the selected word is spelled out; a token of another word selects that word. */
const pickIn =
  ({ inspection: { pieces, place }, change }, spellOut) =>
  (column) => {
    const isOwn = pieces.pairs.some((one) => one.row === place.row && one.column === column);
    if (isOwn) spellOut({ row: place.row, column });
    else change({ column });
  };

function weightBox({ facts, inspection, cell, isPercent, chosen: { average, view }, spellOut }) {
  const steps = facts.fixed ? null : inspection;
  return {
    id: 'weight',
    name: 'Weight',
    glance: (
      <Figure
        isMain
        number={formatShare(cell.weight, isPercent)}
        note={steps ? combinedOf(steps.pieces, average) : ''}
      />
    ),
    details: () => (
      <>
        <WeightStep cell={cell} hasScore={steps?.kind === 'softmax'} isInMap={view === 'matrix'} />
        {steps && <PiecesStep inspection={steps} average={average} spellOut={spellOut} />}
      </>
    ),
  };
}

/** Parts of the weight of a cell, where it is not that of one pair in one head. */
function combinedOf({ pairs, heads }, average) {
  const parts = [
    pairs.length > 1 && `${pairs.length} pairs`,
    average && heads.length > 1 && `${heads.length} heads`,
  ].filter(Boolean);
  return parts.length > 0 ? `of ${parts.join(', ')}` : '';
}

function valueBox({ facts, inspection, palette, map, chosen, words }) {
  return {
    id: 'value',
    name: words ? nameOfWords(words, facts) : 'Value moved',
    glance: words ? (
      <GlanceWords words={words} />
    ) : (
      once(inspection, () => <GlanceValue inspection={inspection} palette={palette} />)
    ),
    details: () => (
      <>
        <MovedStep {...{ inspection, palette, map }} average={chosen.average} />
        {inspection.together && <HeadsStep inspection={inspection} palette={palette} />}
      </>
    ),
  };
}

const nameOfWords = ({ kind }, { grid }) =>
  grid ? 'Class' : kind === 'fits' ? 'Word in its place' : 'Next word';
