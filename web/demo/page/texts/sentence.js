// One text of the text view: a line of words that can be hovered and selected.

import { invisibleCharacters } from 'attention-wasm/heatmap';
import { visibly } from '../element.js';
import { hasModifier } from '../keys.js';
import { afterWriting } from '../scheduling.js';
import { shortWeight } from './short_weight.js';

/** `onHover(index | null)` and `onSelect(index)` are called with the index of a word. */
export function createSentence(element, { onHover, onSelect }) {
  let words = null;
  let options = [];
  let current = -1;
  let written = '';
  let typedOver = null; // words of the last picture while typed text is ahead of it
  const lookOf = new WeakMap(); // word element → key of its current look

  /**
   * `text`: that of the field, read up to `readTo`; `isLater`: from a later word than the first on; `labels`: the words; `shades`: a weight for each, or null where it is hidden; absent for a text that is not
   * attended to. `kept`: result of keptRows(): words that are no longer written stand struck through before those in their
   * place. `written`: count of words that are visible, while the text is played. `read`, `looked`, `selected`: indices or −1.
   * `isPercent`: the format of the weights.
   */
  function show({ title, text, readTo, isLater, labels, shades, color, ...at }) {
    const { kept = null, written, read, looked, selected, isPercent } = at;
    if (labels === typedOver) {
      if (element.textContent !== text) return;
      words = labels; // typing was undone
    }
    typedOver = null;
    element.setAttribute('aria-label', title);
    if (labels !== words) {
      fill(text, labels, { readTo, isLater }, kept);
      current = -1;
    }
    if (current !== selected) {
      current = selected;
      revealLater();
    }
    element.classList.toggle('played', written !== undefined);
    options.forEach((option, index) => {
      const weight = shades?.[index];
      const known = typeof weight === 'number';
      const shade = known && index !== read ? color(weight) : null;
      const looks = [
        shade?.fill ?? '',
        shade?.text ?? '',
        known ? shortWeight(weight, isPercent) : '',
        index === read,
        index === looked,
        weight === null,
        index === selected,
        index < written,
      ];
      // Most words look the same as before the key press.
      const before = lookOf.get(option);
      if (before && looks.every((value, at) => value === before[at])) return;
      lookOf.set(option, looks);
      option.style.backgroundColor = looks[0];
      option.style.color = looks[1];
      option.dataset.weight = looks[2];
      const says =
        looks[2] && `${option.textContent}, weight ${looks[2]}${isPercent ? '\u00a0%' : ''}`;
      if (says) option.setAttribute('aria-label', says);
      else option.removeAttribute('aria-label');
      option.classList.toggle('read', looks[3]);
      option.classList.toggle('looked', looks[4]);
      option.classList.toggle('out-of-sight', looks[5]);
      option.setAttribute('aria-selected', String(looks[6]));
      option.classList.toggle('written', looks[7]);
    });
    if (options[selected]) element.setAttribute('aria-activedescendant', options[selected].id);
    else element.removeAttribute('aria-activedescendant');
  }

  // The original text including white space, with an element around each word. Tokens outside the text, such as special
  // ones, stand in sequence. Unchanged elements are kept.
  function fill(text, labels, { readTo, isLater }, replaced) {
    const same = (at) =>
      words?.[at] &&
      ['text', 'start', 'end', 'special'].every((part) => words[at][part] === labels[at][part]);
    const gone = goneBefore(replaced ?? []);
    const hasGone = gone.size > 0 || element.querySelector('.gone') !== null;
    let kept = 0;
    while (!hasGone && kept < labels.length && same(kept)) ++kept;
    if (
      kept > 0 &&
      text.slice(0, labels[kept - 1].end) !== written.slice(0, labels[kept - 1].end)
    ) {
      kept = 0;
    }
    if (kept === 0) element.replaceChildren();
    else while (options[kept - 1].nextSibling) options[kept - 1].nextSibling.remove();
    const fragment = document.createDocumentFragment();
    const placed = labels.slice(0, kept).findLast(({ start }) => start !== null);
    let end = placed?.end ?? 0;
    const made = labels.slice(kept).map(({ text: own, special, start, end: stop }, index) => {
      const option = document.createElement('span');
      option.id = `${element.id}-${kept + index}`;
      option.dataset.index = kept + index;
      option.setAttribute('role', 'option');
      if (start === null) {
        option.append(...nodesOf(own));
        option.classList.toggle('token', special);
        fragment.append(' ', option, ' ');
        return option;
      }
      const from = Math.max(start, end);
      const between = text.slice(end, from);
      if (end === 0 && isLater) fragment.append(unread(between));
      else if (from > end) fragment.append(...nodesOf(between));
      fragment.append(...goneWords(gone.get(kept + index)));
      const { isNew = false } = replaced?.find(({ row }) => row === kept + index) ?? {};
      option.classList.toggle('new', isNew);
      option.append(...nodesOf(text.slice(from, stop)));
      option.classList.toggle('narrow', isNarrow(labels, kept + index));
      end = stop;
      fragment.append(option);
      return option;
    });
    fragment.append(...goneWords(gone.get(labels.length)));
    if (readTo > end) fragment.append(...nodesOf(text.slice(end, readTo)));
    if (text.length > readTo) fragment.append(unread(text.slice(readTo, readTo + maxUnread)));
    element.append(fragment);
    options = [...options.slice(0, kept), ...made];
    words = labels;
    written = text;
  }

  const indexOf = ({ target }) => {
    const option = target.closest('[role="option"]');
    return option ? Number(option.dataset.index) : null;
  };
  element.addEventListener('pointerover', (event) => {
    if (event.pointerType !== 'touch') onHover(indexOf(event));
  });
  element.addEventListener('pointerleave', () => onHover(null));
  element.addEventListener('click', (event) => {
    const index = indexOf(event);
    if (index !== null) onSelect(index);
  });
  element.addEventListener('keydown', (event) => {
    if (hasModifier(event) || !words?.length) return;
    // The word is selected already; the page would scroll.
    if (event.key === ' ') event.preventDefault();
    const index = keyTarget(event.key);
    if (index === null) return;
    event.preventDefault();
    onSelect(index);
  });

  function keyTarget(key) {
    const last = words.length - 1;
    if (key === 'Home') return 0;
    if (key === 'End') return last;
    const isRightToLeft = getComputedStyle(element).direction === 'rtl';
    const forwards = ['ArrowDown', isRightToLeft ? 'ArrowLeft' : 'ArrowRight'];
    const backwards = ['ArrowUp', isRightToLeft ? 'ArrowRight' : 'ArrowLeft'];
    if (forwards.includes(key)) return Math.min(last, current + 1);
    return backwards.includes(key) ? Math.max(0, Math.min(last, current - 1)) : null;
  }

  const revealLater = afterWriting(() => options[current] && reveal(options[current]));

  // Scrolls the line only; scrollIntoView() would scroll the page too.
  function reveal(option) {
    const [frame, word] = [element.getBoundingClientRect(), option.getBoundingClientRect()];
    const margin = 16;
    if (word.top < frame.top) element.scrollTop -= frame.top - word.top + margin;
    if (word.bottom > frame.bottom) element.scrollTop += word.bottom - frame.bottom + margin;
  }

  /**
   * Shows typed text before its picture is ready, if the edit is within one word or between two; words around it keep
   * their look.
   */
  function type(before, now) {
    if (element.textContent !== before || before === now || !words) return;
    const [from, to, tail] = changeOf(before, now);
    const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    let start = 0;
    for (let found = texts.nextNode(); found; found = texts.nextNode()) {
      const node = /** @type {Text} */ (found);
      const end = start + node.length;
      if (from <= end && to <= end) {
        if (from < start) return;
        node.replaceData(from - start, to - from, now.slice(from, now.length - tail));
        break;
      }
      start = end;
    }
    typedOver ??= words;
    // Words before the edit are kept by the next picture.
    const kept = words.findLastIndex(({ end }) => end !== null && end < from) + 1;
    words = words.slice(0, kept);
  }

  function clear() {
    typedOver = null;
    words = null;
    options = [];
    current = -1;
    element.replaceChildren();
    element.removeAttribute('aria-activedescendant');
  }

  return { element, show, clear, type, words: () => options };
}

const maxUnread = 20_000; // characters

/** Words that are no longer written, by the index of the word that they stand before. */
function goneBefore(kept) {
  const found = new Map();
  let next = 0;
  for (const { row, was } of kept) {
    if (row !== null) next = row;
    if (was) found.set(next, [...(found.get(next) ?? []), was.text]);
    if (row !== null) next = row + 1;
  }
  return found;
}

/** They are no part of the text: the style sheet writes them. The answer says them to screen readers. */
function goneWords(words = []) {
  return words.map((text) => {
    const word = document.createElement('span');
    word.className = 'gone';
    word.dataset.text = visibly(text);
    word.setAttribute('aria-hidden', 'true');
    return word;
  });
}

/** The part of a long text that was not read. */
function unread(text) {
  const rest = document.createElement('span');
  rest.className = 'unread';
  rest.append(...nodesOf(text));
  return rest;
}

/**
 * Text nodes; an invisible character has an element of its own, for which CSS shows a sign and which isolates its
 * effect on text direction.
 */
function nodesOf(text) {
  const nodes = [];
  let end = 0;
  for (const [index, character] of invisibleCharacters(text)) {
    const mark = document.createElement('span');
    mark.className = 'invisible';
    mark.textContent = character;
    nodes.push(text.slice(end, index), mark);
    end = index + character.length;
  }
  return [...nodes, text.slice(end)].filter((node) => node !== '');
}

/** True if a label is a single character right beside another label: their weights would overlap. */
function isNarrow(labels, at) {
  const { start, end } = labels[at];
  return end - start === 1 && (labels[at - 1]?.end === start || labels[at + 1]?.start === end);
}

/** Start and end of the change in `before`, and the count of unchanged characters after it. */
function changeOf(before, now) {
  const shorter = Math.min(before.length, now.length);
  let head = 0;
  while (head < shorter && before[head] === now[head]) ++head;
  let tail = 0;
  while (tail < shorter - head && before.at(-1 - tail) === now.at(-1 - tail)) ++tail;
  return [head, before.length - tail, tail];
}
