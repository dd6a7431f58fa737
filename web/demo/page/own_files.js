// The reader's files: dropped or chosen, listed, and removed. Removing the last one restores the state that opening
// changed.

import { isOfTexts } from '../texts.js';
import { readAddress } from './address.js';
import { element, findIn, write } from './element.js';

/** @import { OpenFiles } from '../worker/messages' */
/** @import { State } from '../state/types' */

/**
 * `open(file)` and `close(id)` send requests to the worker, whose answers go to show() and refuse();
 * `takeModel(dropped)` is called for dropped files of a model.
 */
export function createOwnFiles({ getState, change, open, close, takeModel }) {
  const room = findIn(document, '.files');
  const input = /** @type {HTMLInputElement} */ (findIn(room, '#file'));
  const says = findIn(room, '.files-say');
  const list = findIn(room, '.open-files');
  const drop = /** @type {HTMLElement} */ (room.parentElement);
  let isEmpty = true;
  /** @type {State | null} */
  let before = null; // state before the first file was opened
  /** @type {Partial<State>} */
  let brought = {}; // fields of the state that files changed
  /** @type {string[]} */
  let linked = []; // names of files that the address tells of and that are still to be opened

  const formats = findIn(room, '.formats');
  formats.addEventListener('toggle', async () => {
    const { formatParagraphs } = await import('./file_formats.js');
    if (formats.children.length === 1) formats.append(...formatParagraphs());
  });
  input.addEventListener('change', () => {
    take(input.files);
    input.value = '';
  });
  for (const type of /** @type {('dragover' | 'drop')[]} */ (['dragover', 'drop'])) {
    document.addEventListener(type, (event) => {
      if (!event.dataTransfer?.types.includes('Files')) return;
      // Prevents the browser from navigating to the file.
      event.preventDefault();
      drop.classList.toggle('over', type === 'dragover');
      if (type !== 'drop') return;
      const model = modelIn(event.dataTransfer, getState().source === 'own');
      if (model) takeModel(model);
      else take(event.dataTransfer.files);
    });
  }
  document.addEventListener('dragleave', () => drop.classList.remove('over'));

  function take(files) {
    const now = getState();
    const isFirst = isEmpty && (now.source !== 'files' || Object.keys(brought).length === 0);
    if (isFirst) [before, brought] = [now, {}];
    if (isEmpty) linked = now.source === 'files' ? now.file.split('/') : [];
    if (now.source !== 'files') bring({ source: 'files', part: '', head: 0 });
    if (!isOfTexts(now.mode)) bring({ mode: 'self' });
    for (const file of files) open(file);
  }

  function bring(part) {
    Object.assign(brought, part);
    change(part);
  }

  // Restores the fields that the reader has not changed since.
  function giveBack() {
    const now = getState();
    const names = /** @type {(keyof State)[]} */ (Object.keys(brought));
    const unchanged = names.filter((name) => Object.is(now[name], brought[name]));
    const former = /** @type {State} */ (before);
    change(Object.fromEntries(unchanged.map((name) => [name, former[name]])));
    brought = {};
  }

  function showList(files) {
    const hadFocus = list.contains(document.activeElement);
    list.replaceChildren(
      ...files.map(({ id, name, says: content }) =>
        element(
          'li',
          {},
          element('span', {}, element('strong', {}, name), ` ${content}`),
          element(
            'button',
            { type: 'button', 'aria-label': `Remove ${name}`, click: () => close(id) },
            'Remove',
          ),
        ),
      ),
    );
    // The focused button was removed.
    if (hadFocus) (list.querySelector('button') ?? input).focus();
  }

  return {
    /**
     * Shows an answer of the worker.
     * @param {OpenFiles} answer
     */
    show({ text, files, state, isNamed, link }) {
      write(says, text);
      says.classList.add('unseen');
      says.classList.remove('problem');
      showList(files);
      isEmpty = files.length === 0;
      const names = files.map(({ name }) => name);
      const file = names.join('/');
      const last = names[names.length - 1];
      const isAgain = state && linked.includes(last);
      if (isAgain) {
        // The address has the view of this very file, and names that were typed for it.
        linked = linked.filter((name) => name !== last);
        if (isNamed) bring(textsIn(state));
      } else if (link !== undefined) {
        const saved = readAddress(link.slice(link.indexOf('#')));
        bring({ ...saved, ...state, source: 'files', part: '', file });
      } else
        bring({ ...state, ...(state?.text !== undefined && { row: null, column: null }), file });
      if (isEmpty) giveBack();
    },

    /** The worker was stopped: all files are closed. */
    stop() {
      if (!isEmpty)
        this.show({ text: 'The files are closed: the computation was stopped', files: [] });
    },

    /** Shows why a file was refused. */
    refuse(sentence) {
      write(says, sentence);
      says.classList.remove('unseen');
      says.classList.add('problem');
    },
  };
}

/** @param {Partial<State>} state */
const textsIn = ({ text, context }) =>
  Object.fromEntries(Object.entries({ text, context }).filter(([, one]) => one !== undefined));

/** Dropped files of a model as { entries, files }, or null: a folder, or config.json with weights. */
function modelIn({ items, files }, isWanted) {
  const entries = Array.from(items, (item) => item.webkitGetAsEntry?.()).filter(Boolean);
  const names = Array.from(files, ({ name }) => name);
  const isWhole =
    names.includes('config.json') && names.some((name) => name.endsWith('.safetensors'));
  const isModel = isWanted || isWhole || entries.some(({ isDirectory }) => isDirectory);
  return isModel ? { entries, files: Array.from(files) } : null;
}
