// The text view: the word that reads in red, the words it looks at in shades of blue. One text that
// looks at itself, or a reading text above its context.

import { createSentence } from './sentence.js';

// The largest letters with which every text fits into its room are taken.
const sizes = ['huge', 'large', 'medium', 'small', 'tiny'];
const mostNumbers = 48; // words, with their weights written below them

/**
 * `onHover(part of a cell | null)` and `onSelect(part of a cell)` are given { row } or { column }:
 * in one text a word pointed at is looked at and a word chosen reads; of two, one holds the rows.
 */
export function createSentences(root, { onHover, onSelect }) {
  let isSelf = true;
  let shownWords = [];
  const reading = createSentence(root.querySelector('#reading-words'), {
    onHover: (index) =>
      onHover(index === null ? null : isSelf ? { column: index } : { row: index }),
    onSelect: (row) => onSelect({ row }),
  });
  const context = createSentence(root.querySelector('#context-words'), {
    onHover: (index) => onHover(index === null ? null : { column: index }),
    onSelect: (column) => onSelect({ column }),
  });

  /** `cell` is the one shown and `selected` the one that keys go on from; both are −1 without weights. */
  function show({ state, queries, keys, weights, scores, topWeight, palette, cell, selected }) {
    isSelf = state.mode === 'self';
    const shades = weights && shadesOf(cell.row);
    const common = { topWeight, palette };
    reading.show({
      ...common,
      title: isSelf ? 'Words of the text: choose the one that reads' : 'Words of the reading text',
      text: state.reading,
      words: queries,
      shades: isSelf ? shades : undefined,
      read: cell.row,
      looked: isSelf ? cell.column : -1,
      selected: selected.row,
    });
    root.classList.toggle('two', !isSelf);
    if (!isSelf) {
      context.show({
        ...common,
        title: 'Words of the context, which are looked at',
        text: state.context,
        words: keys,
        shades,
        read: -1,
        looked: cell.column,
        selected: selected.column,
      });
    }
    if (queries === shownWords[0] && keys === shownWords[1]) return;
    shownWords = [queries, keys];
    fit();

    function shadesOf(row) {
      return keys.map((_, column) => {
        const at = row * keys.length + column;
        return scores[at] === -Infinity ? null : weights[at];
      });
    }
  }

  function fit() {
    const texts = isSelf ? [reading] : [reading, context];
    const fits = ({ element }) => element.scrollHeight <= element.clientHeight;
    root.classList.toggle(
      'numbered',
      shownWords.every((words) => words.length <= mostNumbers),
    );
    root.classList.remove('long');
    const size = sizes.find((candidate) => {
      root.dataset.size = candidate;
      return texts.every(fits);
    });
    root.classList.toggle('long', size === undefined);
  }

  new ResizeObserver(fit).observe(root);

  return { show };
}
