// Alternatives for the comparison with the current picture, and their titles.

import { kindOf, kinds } from '../../kinds.js';
import { currentPart } from '../../state/derived.js';
import { valuesOf } from './head_of_picture.js';

/** @import { Beside, Facts, Picture } from '../../types' */
/** @import { State } from '../../state/types' */

/**
 * [group, [[value of the state's `beside`, name]…]]: alternatives that differ from the current picture.
 * @param {{ state: State, facts: Facts, picture: Picture & { beside: Beside } }} shown
 */
export function choicesFor({ state, facts, picture }) {
  const { heads } = currentPart(facts);
  const likeParts = facts.parts.filter(({ id }) => picture.beside.parts.includes(id));
  /** @type {(value: string, name: string) => [string, string]} */
  const entry = (value, name) => [value, name];
  const headList = Array.from({ length: heads }, (_, head) =>
    entry(`head:${head}`, `Head ${head + 1}`),
  );
  const ownHead = `head:${Math.min(state.head, heads - 1)}`;
  const canScale = !facts.fixed && kindOf(state.kind).can.includes('scale');
  /** @type {[group: string, list: [value: string, name: string][]][]} */
  const groups = [
    ['Text', (facts.fixed && !facts.made) || facts.grid ? [] : [['text', 'Another text']]],
    ['Blocked', facts.blocks ? [['was', 'As it was: nothing blocked']] : []],
    ['Scale', canScale ? scalesFor(facts) : []],
    ['Kind', facts.fixed ? [] : kinds.map(({ id, name }) => entry(`kind:${id}`, name))],
    ['Head', headList.filter(([value]) => picture.average || value !== ownHead)],
    ['Layer', likeParts.map(({ id, name }) => entry(`part:${id}`, name))],
  ];
  const own = [`kind:${state.kind}`, `part:${facts.part}`];
  return groups
    .map(([group, list]) =>
      entryOf(
        group,
        list.filter(([value]) => !own.includes(value)),
      ),
    )
    .filter(([, list]) => list.length > 0);
}

/** @type {(group: string, list: [value: string, name: string][]) => [group: string, list: [value: string, name: string][]]} */
const entryOf = (group, list) => [group, list];

const isNear = (a, b) => Math.abs(a - b) < 1e-6;

/**
 * @param {Facts} facts
 * @returns {[value: string, name: string][]}
 */
function scalesFor({ options, keyDim = NaN }) {
  /** @type {[value: string, name: string, scale: number][]} */
  const scales = [
    ['scale:scaled', `Scaled, 1/√${keyDim}`, 1 / Math.sqrt(keyDim)],
    ['scale:one', 'Unscaled, 1', 1],
  ];
  return scales
    .filter(([, , scale]) => !isNear(scale, options.scale ?? NaN))
    .map(([id, name]) => /** @type {[string, string]} */ ([id, name]));
}

export const lessTitle = 'Second minus first';

/** Titles of the picture and of its alternative: only what differs. */
export function titlesFor({ state, facts, picture }) {
  const { what, value, head, options } = picture.beside;
  const nameOf = (id) => facts.parts.find((part) => part.id === id)?.name;
  const { keyDim } = facts;
  const own = picture.average ? 'All heads, averaged' : `Head ${state.head + 1}`;
  // Given weights have no scale and no kind.
  if (facts.fixed && (what === 'scale' || what === 'kind')) return ['These weights', 'The same'];
  return {
    text: () => wordsThatDiffer(picture),
    scale: () => [scaleName(facts.options.scale, keyDim), scaleName(options.scale, keyDim)],
    kind: () => [kindOf(state.kind).name, kindOf(value).name],
    was: () => ['As blocked', 'As it was'],
    head: () => [own, `Head ${head + 1}`],
    part: () => [nameOf(facts.part), nameOf(value) ?? nameOf(facts.part)],
  }[what]();
}

/** The words of either text that the other lacks. */
export function wordsThatDiffer({ rows, columns, beside }) {
  const sides = [
    [columns, beside.columns],
    [rows, beside.rows],
  ];
  for (const [own, other] of sides) {
    const at = own.findIndex(({ text }, place) => text !== other[place]?.text);
    if (at >= 0)
      return [own[at], other[at]].map((label) => (label ? `“${label.text}”` : 'Without it'));
  }
  return ['The text', 'The same text'];
}

function scaleName(scale, keyDim) {
  if (isNear(scale, 1 / Math.sqrt(keyDim))) return `Scaled, 1/√${keyDim}`;
  return isNear(scale, 1) ? 'Unscaled, 1' : `Scale ${Number(scale.toPrecision(4))}`;
}

/** Three of { stage, values, hidden, rows, columns }. In the difference a cell hidden in either picture is 0 and hidden. */
export function pairOf(picture, { head }, { stage: asked }) {
  const { beside } = picture;
  const stage = asked === 'difference' || !beside.stages[asked] ? 'weights' : asked;
  const own = valuesOf(picture, stage, head);
  const other = valuesOf({ ...picture, stages: beside.stages }, stage, beside.head);
  const hidden = own.map((value, at) => Number(value === -Infinity || other[at] === -Infinity));
  const difference = own.map((value, at) => (hidden[at] === 1 ? 0 : other[at] - value));
  const { rows, columns } = picture;
  const { rows: otherRows = rows, columns: otherColumns = columns } = beside;
  const written = (label) => label ?? { text: '–' };
  const isHidden = hidden.some(Boolean) ? hidden : null;
  return [
    {
      stage,
      values: own,
      hidden: picture.hidden,
      blocked: blockedIn(picture, head),
      rows,
      columns,
    },
    {
      stage,
      values: other,
      hidden: beside.hidden,
      blocked: blockedIn({ ...picture, blocked: beside.blocked }, beside.head),
      rows: otherRows.map(written),
      columns: otherColumns.map(written),
    },
    // The labels of the first, so that its columns are as wide and stand in line with them.
    { stage: 'difference', values: difference, hidden: isHidden, rows, columns },
  ];
}

const blockedIn = ({ blocked, rows, columns }, head) => {
  const size = rows.length * columns.length;
  return blocked?.subarray(head * size, (head + 1) * size);
};
