// Messages of the page: missing input, errors, progress, and announcements for screen readers.

import { isMarks } from '../positions.js';
import { write } from './element.js';
import { isOnlyDrawn } from '../state/settings.js';
import { mountComponent } from './component.jsx';
import { WasRead } from './texts/was_read.jsx';

const find = (selector) => document.querySelector(selector);

/** Message instead of a picture; `problem`: it is an error. */
export function showMessage(says, { problem = false } = {}) {
  const element = find('.message');
  element.hidden = says === '';
  write(element, says);
  element.classList.toggle('problem', problem);
}

/** @type {ReturnType<typeof mountComponent> | undefined} */
let wasRead;

/**
 * What was read of a long text: no hint, as the picture is that of another text than the one that was written.
 * @param {Parameters<typeof WasRead>[0]} shown
 */
export function showCut(shown) {
  const element = find('.was-read');
  element.hidden = shown.says === '';
  wasRead ??= mountComponent(WasRead, element);
  wasRead.show(shown);
}

/** The reason why these texts have no picture; `writes`: the source writes one of them. */
export function whyEmpty({ mode, writes }, { counts: [rows, columns], why }) {
  if (why) return why;
  if (rows > 0 && columns > 0) return 'There are special tokens only, and those are hidden.';
  if (mode === 'self') return 'Write a text, or choose an example, to see its attention.';
  if (rows === 0 && columns === 0) {
    return writes
      ? 'Write a text for the model to translate, or choose an example.'
      : 'Write two texts, or choose an example.';
  }
  return rows === 0
    ? 'Write the text that looks: its words become the rows.'
    : 'Write the text it looks at: its words become the columns.';
}

/** @import { Loading } from '../state/types' */
/** @type {{ loading: Loading | null, isSaid: boolean }} */
const quiet = { loading: null, isSaid: false };

/** Meaning of a row, at the beginning of the note of a reading. */
const ofRows = /^(Each row shows[^.]*\.)? ?/;

/**
 * The note below the map: what is to be known, and what explains rows and columns. `loading`: how much of the model has
 * come, or null; `isSaid`: the sentence says it.
 */
export function noteOf(facts, state, picture, { loading, isSaid } = quiet) {
  const notes = [];
  const explains = [];
  if (isOnlyDrawn(state, facts)) {
    notes.push(
      'These settings change only this picture: the model itself keeps its own softmax, scale and mask.',
    );
  }
  if (facts?.isPrerendered && !isSaid) {
    notes.push(
      loading
        ? `${loading.text}. It makes all other pictures.`
        : 'The model that makes all other pictures is on its way.',
    );
  }
  const last = picture?.columns.at(-1);
  if (last && isMarks(last)) {
    explains.push(
      last.text === 'marks'
        ? 'The column “marks” has the weights on punctuation and on marks such as </s>.'
        : 'The column “the rest” has the weights on all that is left out.',
    );
  }
  if (picture?.part.startsWith('decoder') && picture.rowTokens.some(({ length }) => length > 1)) {
    explains.push(
      'A word of several pieces can look at itself: its later pieces look at its earlier ones.',
    );
  }
  if (facts?.note && state.source !== 'ngrams') {
    const [start, row] = /** @type {RegExpExecArray} */ (ofRows.exec(facts.note));
    if (row) explains.push(row);
    if (facts.note !== start) notes.push(facts.note.slice(start.length));
  }
  return { says: notes.join(' '), explains: explains.join(' ') };
}

// The progress bar appears after a delay; the previous picture stays until the new one is ready.
const progressDelay = 150; // ms
const cancelDelay = 1000; // ms
/** @type {ReturnType<typeof setTimeout>[]} */
let due = [];
let isLong = false; // the computation takes longer than cancelDelay

/**
 * `progress`: { text, fraction? } of loading, null if unknown, false when nothing is computed; `cancel()` ends what is
 * computed, null where nothing can be ended: a button offers it where it takes long.
 * @param {Loading | null | false} progress
 * @param {((event: Event) => unknown) | null} [cancel]
 */
export function showProgress(progress, cancel = null) {
  const element = find('.progress');
  const button = element.querySelector('button'); // not in an embedded page
  const offer = () => {
    if (button) button.hidden = !isLong || !button.onclick;
  };
  if (button) button.onclick = progress === false ? null : cancel;
  if (progress === false) {
    due.forEach(clearTimeout);
    due = [];
    isLong = false;
    element.hidden = true;
    offer();
    return;
  }
  if (progress) {
    const { text, fraction } = progress;
    const says = element.querySelector('span'); // only where no sentence stands below the picture
    if (says) write(says, text);
    if (fraction !== undefined) element.firstElementChild.value = fraction;
  }
  if (progress?.fraction === undefined) element.firstElementChild.removeAttribute('value');
  offer();
  if (due.length > 0) return;
  const show = () => {
    element.hidden = false;
  };
  const offerLater = () => {
    isLong = true;
    offer();
  };
  due = [setTimeout(show, progressDelay), setTimeout(offerLater, cancelDelay)];
}

// Announces the sentence of the selected cell after a pause: after keys, clicks, and blocks, in every view.
/** @type {ReturnType<typeof setTimeout> | undefined} */
let announcing;
export function announce(says) {
  clearTimeout(announcing);
  announcing = setTimeout(() => write(find('#announcement'), says), 700);
}
