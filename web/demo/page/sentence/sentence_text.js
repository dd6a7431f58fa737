// The sentence below the map: what the weight of a cell means, in words that depend on where it comes from.

import { isMarks, stageRow } from '../../positions.js';
import { hasShares } from '../../state/settings.js';
import { tokenName } from '../../token_name.js';
import { formatShare } from '../number_formats.js';

/** @import { Facts, Label, Picture } from '../../types' */
/** @import { Place } from '../../state/types' */
/**
 * Parts of a picture that the sentence reads; a label may have a name that stands for its text.
 * @typedef {Pick<Picture, 'part' | 'heads' | 'average' | 'hidden' | 'blocked' | 'stages'> & { rows: NamedLabel[], columns:
 * NamedLabel[] }} SpokenPicture
 * @typedef {Label & { name?: string }} NamedLabel
 */

/** Classes of the two words. */
export const sentenceClasses = { read: 'is-read', seen: 'is-seen' };

const little = 0.05; // weights below it are described as "hardly"
const mostly = 0.5; // a weight on marks above it is said first, if that on the word is little

/**
 * Parts of the sentence: strings; { is: 'read' | 'seen', text } for the two words; { is: 'share', text } for the weight.
 * @param {{ picture: SpokenPicture, facts: Pick<Facts, 'causal' | 'grid' | 'fixed'>, place: Place, source: string,
 * isPercent?: boolean }} said the cell, the source of vectors, and how weights are written
 */
export function sentenceParts({ picture, facts, place, source, isPercent = true }) {
  const { rows, columns, hidden, blocked } = picture;
  const { row, column, head } = place;
  const at = row * columns.length + column;
  const weight = stageRow(picture, 'weights', head, row)[column];
  const isImage = Boolean(facts.grid);
  const pair = {
    query: wordPart('read', rows[row], isImage),
    key: wordPart('seen', columns[column], isImage),
  };
  const share = { is: 'share', text: formatShare(weight, isPercent) };
  const isHidden = hidden?.[at] === 1;
  if (source === 'files') return given(pair, share, isHidden, hasShares(picture));
  if (!isOfModel(source, picture, facts)) return matching(pair, weight, share, isHidden);
  const { start, looks } = actOf(picture.part, facts);
  const isPatch = isImage && patchOf(rows[row]);
  const begin = isPatch ? ['The ', ...pair.query, ', '] : [`${start} `, ...pair.query, ', '];
  if (blocked?.[head * rows.length * columns.length + at] === 1) {
    return [...begin, `the model may not look at `, ...pair.key, ': you blocked it.'];
  }
  if (isHidden) return [...begin, 'the model may not look at ', ...pair.key, ': a mask hides it.'];
  const who = isPatch ? '' : `${whoOf(picture, place, weight)} `;
  const toMarks = marksOf(picture, place, weight);
  if (weight < little && toMarks !== null && toMarks > mostly) {
    const marks = formatShare(toMarks, isPercent);
    return [...begin, `${who}${looks} marks: ${marks}, hardly at `, ...pair.key, ': ', share, '.'];
  }
  const verb = weight < little ? `hardly ${looks}` : looks;
  const aside = toMarks === null ? '' : ` (${formatShare(toMarks, isPercent)} go to marks)`;
  return [...begin, `${who}${verb} `, ...pair.key, ': ', share, `${aside}.`];
}

/**
 * The weight on marks and other special tokens in the row of a word that has less; null if it has more.
 * @param {SpokenPicture} picture
 * @param {Place} place
 * @param {number} weight
 */
function marksOf(picture, { row, column, head }, weight) {
  const { columns } = picture;
  const weights = stageRow(picture, 'weights', head, row);
  /** @param {NamedLabel} label */
  const isMark = (label) => label.special || isMarks(label);
  if (isMark(columns[column])) return null;
  let sum = 0;
  columns.forEach((label, at) => {
    if (isMark(label)) sum += weights[at];
  });
  return sum > weight ? sum : null;
}

/** The sentence as plain text. */
export const sentenceText = (parts) =>
  parts.map((part) => (typeof part === 'string' ? part : part.text)).join('');

const isRollout = ({ part }) => part.endsWith('.rollout');
const isOfModel = (source, picture, facts) =>
  (source === 'model' || source === 'own') && (!facts.fixed || isRollout(picture));

/** A number of the reader's arrays: what it means is not known here. */
function given({ query, key }, share, isHidden, isWeight) {
  const place = ['From ', ...query, ' to ', ...key, ': '];
  if (isHidden) return [...place, 'a mask hides it.'];
  return [...place, isWeight ? 'weight ' : 'value ', share, '.'];
}

function matching({ query, key }, weight, share, isHidden) {
  if (isHidden) return [...query, ' may not look at ', ...key, ': a mask hides it.'];
  return Math.abs(weight) < little
    ? [...query, ' hardly matches ', ...key, ': weight ', share, '.']
    : [...query, ' matches ', ...key, ' with weight ', share, '.'];
}

/** What the model does at a row of a part. A decoder that reads another text has the words that it writes as rows. */
function actOf(part, { causal }) {
  const [stack] = part.split('.');
  if (stack === 'cross') return { start: 'To write', looks: 'looks at' };
  if (stack === 'decoder') return { start: 'To write', looks: 'looks back at' };
  if (stack === 'self' && causal) return { start: 'To go on after', looks: 'looks back at' };
  return { start: 'Reading', looks: 'looks at' };
}

/** “this head” where its weight is far from the average of its layer. */
function whoOf({ heads, average, rows, columns, stages }, { row, column }, weight) {
  if (average || heads < 2) return 'the model';
  const size = rows.length * columns.length;
  let sum = 0;
  for (let head = 0; head < heads; ++head) {
    sum += stages.weights[head * size + row * columns.length + column];
  }
  const mean = sum / heads;
  return Math.abs(weight - mean) > mean / 2 ? 'this head' : 'the model';
}

const patchOf = ({ text }) => /^(\d+),(\d+)$/.exec(text);

/** A word in quotes, its name if it has one, or a patch of an image, as parts. */
function wordPart(is, label, isImage) {
  if (isMarks(label)) return [{ is, text: label.text }];
  if (label.name) return [{ is, text: label.name }];
  const patch = isImage && patchOf(label);
  // Tokens may have the space beside their word.
  if (!patch) return ['“', { is, text: tokenName(label.text) }, '”'];
  const where = `row ${patch[1]}, column ${patch[2]}`;
  return is === 'read' ? ['patch in ', { is, text: where }] : [{ is, text: where }];
}
