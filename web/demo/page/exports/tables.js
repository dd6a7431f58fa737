// Results besides the picture as tables, for CSV and JSON: what each head or word changes, the logit lens, scores of heads,
// and what is blocked. A table: { columns: names, rows, facts: more for JSON }; null where there is no result yet.

import { effectOf } from '../../state/effects.js';
import { writeAddress } from '../address.js';
import { writeCSV } from './csv.js';
import { originOf } from './origin.js';

/** Effects: a row for each measured head or word, and each word whose probability was measured. */
function effects({ sweep, facts }) {
  if (!sweep?.plan) return null;
  const { plan } = sweep;
  const nameOf = (id) => facts.parts.find((part) => part.id === id)?.name ?? id;
  const isHeads = plan.over === 'heads';
  return {
    columns: [
      ...(isHeads ? ['layer', 'head'] : ['hidden']),
      ...['measured', 'probability before', 'probability now', 'effect'],
    ],
    rows: plan.cells.flatMap((cell, index) =>
      plan.targets.flatMap(({ label }, target) => {
        const found = cell.isBlocked ? null : effectOf(sweep, index, target);
        if (!found) return [];
        const what = isHeads ? [nameOf(cell.part), cell.head + 1] : [cell.text];
        return [[...what, label, found.was, found.now, found.effect]];
      }),
    ),
    facts:
      plan.versus === undefined
        ? { effect: 'ln of the probability without the head or word, minus ln of that with it' }
        : {
            ...{ versus: plan.versus, probability: 'if there were these two words alone' },
            effect: 'difference of the two logits without the head or word, minus that with it',
          },
  };
}

/** Likeliest tokens after each layer. */
function lens({ block }) {
  const answer = block?.answer;
  if (!answer?.lens.layers) return null;
  return {
    columns: ['layer', 'rank', 'token', 'probability'],
    rows: answer.lens.layers.flatMap((tokens, layer) =>
      tokens.map(({ text, probability }, rank) => [layer + 1, rank + 1, text, probability]),
    ),
    facts: { stack: answer.stack, position: answer.row + 1, after: answer.token },
  };
}

/** Scores of a decoder's heads, which need no text. */
function heads({ scores }) {
  if (!scores?.found) return null;
  const { means, count, length } = scores.found;
  const names = Object.keys(means);
  const [{ dims }] = Object.values(means);
  const [layers, perLayer] = dims;
  return {
    columns: ['layer', 'head', ...names],
    rows: Array.from({ length: layers * perLayer }, (_, at) => [
      Math.floor(at / perLayer) + 1,
      (at % perLayer) + 1,
      ...names.map((name) => means[name].data[at]),
    ]),
    facts: { sequences: count, length },
  };
}

/** Blocked links, and next words and what is written before and now. */
function blocked({ state, facts, effect, words }) {
  if (state.block === '' || !facts.blocks || !effect || effect.isDue) return null;
  const next = words?.isDue === false ? words.answer : null;
  const changes = effect.answer;
  const likely = changes?.kind === 'likeliest';
  const list = (when, all, name) =>
    all
      .filter((word) => word[name] !== undefined)
      .map((word) => ['next word', when, word.text, word[name]]);
  return {
    columns: ['what', 'when', 'text', 'probability'],
    rows: [
      ...facts.blocks.map(({ says }) => ['blocked', 'now', says, '']),
      ...(next
        ? [...list('before', next.words, 'was'), ...list('now', next.words, 'probability')]
        : []),
      ...['was', 'now'].flatMap((name) => {
        if (!changes) return [];
        const when = name === 'was' ? 'before' : 'now';
        if (changes.kind === 'own') return [['whole text', when, facts.texts[0], changes[name]]];
        if (!likely) return [['written', when, changes[name], '']];
        return changes[name].map(({ text, probability }) => [
          changes.at ? changes.at.toLowerCase() : 'class',
          ...[when, text, probability],
        ]);
      }),
    ],
    facts: { block: state.block, ...(next && { position: `after “${next.before}”` }) },
  };
}

/** Tables by what they are, with what to say while there is none. */
const makers = {
  effects: { make: effects, none: 'Nothing has been measured yet.' },
  lens: { make: lens, none: 'The logit lens is still on its way.' },
  heads: { make: heads, none: 'The heads have not been measured yet.' },
  blocked: { make: blocked, none: 'What the model writes now is still on its way.' },
};

/** A table as a file's content, or why there is none: { content, none }. */
export function tableFile(what, format, shown) {
  const { make, none } = makers[what];
  const table = make(shown);
  if (!table) return { none };
  return { content: format === 'csv' ? asCSV(table, shown) : asJSON(what, table, shown) };
}

/** The first column names the model. */
function asCSV({ columns, rows }, shown) {
  const { model } = originOf(shown);
  return writeCSV([['model', ...columns], ...rows.map((row) => [model?.name ?? '', ...row])]);
}

function asJSON(what, { columns, rows, facts }, shown) {
  const { state } = shown;
  return JSON.stringify(
    {
      ...{
        from: 'attention-wasm',
        what,
        origin: { model: originOf(shown).model },
        link: writeAddress(state),
      },
      ...(what !== 'heads' && { texts: shown.facts.texts, block: state.block }),
      ...facts,
      rows: rows.map((row) => Object.fromEntries(row.map((value, at) => [columns[at], value]))),
    },
    null,
    1,
  );
}
