// Step: a link of cross-attention is blocked, and the model writes again.

import { headOf, fixed } from '../parts/numbers.js';
import { mountComponent } from '../../component.jsx';
import { element, write } from '../../element.js';
import { rowOf } from '../../../tensors.js';
import { kindsIn } from '../../what_if/actions.js';
import { meaningOf, Written } from '../../what_if/strip.jsx';
import { createAlignment } from '../parts/alignment.js';
import { createChoice, figure } from '../parts/figure.js';
import { createLikely } from '../parts/likely.js';
import { createPair } from '../parts/table_pair.js';
import { spellScore, spellSoftmax } from '../parts/weight_spelling.js';
import { sentenceOf } from './embedding.js';

/** The link of a place, as the worker takes it. */
function linkOf({ layers }, { reads, seen, crossHead, isOneHead }) {
  const layer = layers.cross - 1;
  const where = isOneHead ? { layer, head: crossHead } : {};
  return { part: `cross.${layer}`, ...where, row: reads, column: seen };
}

export const whatIf = {
  id: 'what-if',
  name: 'what if',
  title: 'What if it could not look there?',
  formula: 's_ij = −∞',
  says: ({ words, french, cross, layers }, { reads, seen, crossHead }) => [
    `Layer ${layers.cross}, head ${crossHead + 1}: “${french[reads]}” looks at “${words[seen]}” with weight ${fixed(rowOf(cross.weights, reads, crossHead)[seen])}. Did the model need that? A weight cannot say. A test can: block the link, and let the model write again.`,
    'For the blocked link s becomes −∞ and the weight 0, as with the mask. All that follows is computed again.',
    'Choose another number of “before” to test another link. On the page, words and whole heads can be blocked too, in any text.',
  ],

  build({ lesson, ask, pick }) {
    const { words, french, cross: attention } = lesson;
    const known = new Map(); // question as JSON → answer, or null while it is on its way
    const names = Array.from({ length: attention.heads }, (_, head) => String(head + 1));
    const head = createChoice('head', names, (crossHead) => pick({ crossHead }), 'other');
    const where = createChoice(
      'block in',
      ['all layers and heads', 'this head only'],
      (at) => pick({ isOneHead: at === 1 }),
      'other',
    );
    let isBlocked = false;
    function setBlocked(next, place = {}) {
      isBlocked = next;
      pick({ at: null, ...place });
    }
    let link = null; // { row, column } that is chosen
    const button = element('button', {
      ...{ type: 'button', class: 'block' },
      click: () => setBlocked(!isBlocked, !isBlocked && { at: { of: 'after', ...link } }),
    });
    const format = (x) => fixed(x);
    const pair = createPair({
      before: { rows: french, columns: words, format, caption: 'every link is open' },
      after: { rows: french, columns: words, format, caption: 'with the link blocked' },
      happens: 'block',
      pick(row, column, of) {
        if (of === 'before') setBlocked(false, { reads: row, seen: column });
        else pick({ at: { of, row, column } });
      },
    });
    // Until something is blocked there is no second matrix.
    const alignment = createAlignment(french, words, (reads, seen) =>
      setBlocked(false, { reads, seen }),
    );
    pair.element.append(figure('now', 'the same weights as lines', alignment.element));
    const likely = { before: createLikely(), after: createLikely() };
    for (const side of ['before', 'after']) {
      pair.more[side].parentElement.firstChild.after(likely[side].element);
    }
    const written = element('p', { class: 'written' });
    const sentence = mountComponent(Written, written);
    const means = element('p', { class: 'more' });
    const result = element('div', { class: 'result', role: 'status' }, written, means);

    /** An answer of the worker, or undefined; draws again when it has come. */
    function answerTo(question) {
      const key = JSON.stringify(question);
      if (!known.has(key)) {
        known.set(key, undefined);
        ask(question).then(
          (answer) => {
            known.set(key, answer);
            pick({});
          },
          () => known.delete(key), // the worker was replaced
        );
      }
      return known.get(key);
    }

    function showResult(answer) {
      const key = answer?.block ?? String(isBlocked);
      if (result.dataset.key === key) return;
      result.dataset.key = key;
      sentence.show({
        effect: answer?.effect,
        waiting: isBlocked
          ? 'The model writes again …'
          : `Nothing is blocked yet. The model wrote “${sentenceOf(french)}”`,
      });
      write(means, answer ? meaningOf(answer.effect, kindsIn(answer.block)) : '');
    }

    return {
      elements: [
        element('div', { class: 'choices' }, head.element, where.element, button),
        result,
        pair.element,
      ],
      show(place, palette) {
        const { reads, seen, crossHead, isOneHead = false } = place;
        const names_ = [french[reads], words[seen]];
        head.show(crossHead);
        where.show(Number(isOneHead));
        const [query, key] = names_.map((name) => `“${name}”`);
        write(
          button,
          isBlocked ? `Allow ${query} to look at ${key}` : `Block ${query} from ${key}`,
        );
        button.classList.toggle('on', isBlocked);
        link = { row: reads, column: seen };
        const question = { about: 'blocked', ...linkOf(lesson, place) };
        const answer = isBlocked ? answerTo(question) : undefined;
        const before = answerTo({ about: 'words', row: reads });
        const dims = attention.weights.dims;
        const [weights, scores] = [
          answer ? { data: answer.weights, dims } : attention.weights,
          answer ? { data: answer.scores, dims } : attention.scaled,
        ];
        const at = place.at?.of === 'after' ? place.at : null;
        const shadeOf = (number) => palette.shadeOf(number);
        pair.show({
          before: {
            data: headOf(attention.weights, crossHead),
            shadeOf,
            lit: link,
            at: at ? null : link,
          },
          after: {
            ...{ data: headOf(weights, crossHead), shadeOf, lit: link, at },
            blocked: answer && isIn(answer, crossHead, link) ? link : null,
          },
        });
        pair.element.classList.toggle('is-open', !isBlocked);
        alignment.show({ weights: headOf(attention.weights, crossHead), row: reads, column: seen });
        likely.before.show(before, french[reads]);
        likely.after.show(answer?.words ?? (isBlocked ? undefined : before), french[reads]);
        showResult(answer);
        if (at) {
          const line = rowOf(scores, at.row, crossHead);
          const weight = rowOf(weights, at.row, crossHead)[at.column];
          return { lines: spellSoftmax(line, at.column, weight, words) };
        }
        const { terms, lines } = spellScore(attention, {
          ...{ head: crossHead, row: reads, column: seen, names: names_ },
        });
        const scaled = rowOf(attention.scaled, reads, crossHead);
        const weight = rowOf(attention.weights, reads, crossHead)[seen];
        return {
          terms,
          lines: [...lines, ...spellSoftmax(scaled, seen, weight, words)],
          trail: [
            {
              says: `Why does ${query} look at ${key}?`,
              step: 'cross',
              place: { reads, seen, crossHead },
            },
          ],
        };
      },
    };

    /** True if the link is blocked in the shown head. */
    function isIn({ scores }, shownHead, { row, column }) {
      const width = words.length;
      return scores[(shownHead * french.length + row) * width + column] === -Infinity;
    }
  },
};
