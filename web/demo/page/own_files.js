// The reader's own files: caught wherever they are dropped, listed, and taken away again. What a file changed on the
// page goes back with it.

import { readAddress } from './address.js';
import { element, write } from './element.js';

/**
 * `open(file)` and `close(id)` ask the worker, whose answers come to show() and refuse(); `takeModel(dropped)` is given
 * what looks like a model.
 */
export function createOwnFiles({ getState, change, open, close, takeModel }) {
  const room = document.querySelector('.files');
  const input = room.querySelector('#file');
  const says = room.querySelector('.files-say');
  const list = room.querySelector('.open-files');
  let isEmpty = true;
  let before = null; // the state, before the first file came
  let brought = {}; // what files have changed of it

  input.addEventListener('change', () => {
    take(input.files);
    input.value = '';
  });
  for (const type of ['dragover', 'drop']) {
    document.addEventListener(type, (event) => {
      if (!event.dataTransfer?.types.includes('Files')) return;
      // Otherwise the browser would leave the page for the file.
      event.preventDefault();
      room.parentElement.classList.toggle('over', type === 'dragover');
      if (type !== 'drop') return;
      const model = modelIn(event.dataTransfer, getState().source === 'own');
      if (model) takeModel(model);
      else take(event.dataTransfer.files);
    });
  }
  document.addEventListener('dragleave', () => room.parentElement.classList.remove('over'));

  function take(files) {
    const now = getState();
    const isFirst = isEmpty && (now.source !== 'files' || Object.keys(brought).length === 0);
    if (isFirst) [before, brought] = [now, {}];
    if (now.source !== 'files') bring({ source: 'files', part: '', head: 0 });
    if (now.mode === 'lookup') bring({ mode: 'self' });
    for (const file of files) open(file);
  }

  function bring(part) {
    Object.assign(brought, part);
    change(part);
  }

  // What the reader has changed since stays.
  function giveBack() {
    const now = getState();
    const unchanged = Object.keys(brought).filter((name) => Object.is(now[name], brought[name]));
    change(Object.fromEntries(unchanged.map((name) => [name, before[name]])));
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
            { type: 'button', 'aria-label': `Take away ${name}`, click: () => close(id) },
            'Take away',
          ),
        ),
      ),
    );
    // Of a button that is no more.
    if (hadFocus) (list.querySelector('button') ?? input).focus();
  }

  return {
    /** The worker's answer: { text, files, state, link }. */
    show({ text, files, state, link }) {
      write(says, text);
      says.classList.add('unseen');
      showList(files);
      isEmpty = files.length === 0;
      if (link !== undefined) {
        const saved = readAddress(link.slice(link.indexOf('#')));
        bring({ ...saved, ...state, source: 'files', part: '' });
      } else if (state) bring(state);
      if (isEmpty) giveBack();
    },

    /** The worker has been stopped, and with it what was open. */
    stop() {
      if (!isEmpty)
        this.show({ text: 'The files are closed: the computation was stopped', files: [] });
    },

    /** A sentence about a file that is not taken. */
    refuse(sentence) {
      write(says, sentence);
      says.classList.remove('unseen');
    },
  };
}

/** What was dropped, if it is a model: { entries, files }. A folder is one, and so are its files together. */
function modelIn({ items, files }, isWanted) {
  const entries = Array.from(items, (item) => item.webkitGetAsEntry?.()).filter(Boolean);
  const names = Array.from(files, ({ name }) => name);
  const isWhole =
    names.includes('config.json') && names.some((name) => name.endsWith('.safetensors'));
  const isModel = isWanted || isWhole || entries.some(({ isDirectory }) => isDirectory);
  return isModel ? { entries, files: Array.from(files) } : null;
}
