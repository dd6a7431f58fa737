// The reader's files: dropped or chosen, listed, and removed.

import { noFiles } from '../state/files.js';
import { element, findIn, write } from './element.js';

/** @import { Files } from '../state/types' */

/**
 * `openFiles(files)` and `closeFile(id)` as in actions.js; `isModelShown()`: files may be those of a model; `takeModel(dropped)`
 * is called for dropped files of a model.
 */
export function createOwnFiles({ isModelShown, openFiles, closeFile, takeModel }) {
  const room = findIn(document, '.files');
  const input = /** @type {HTMLInputElement} */ (findIn(room, '#file'));
  const says = findIn(room, '.files-say');
  const list = findIn(room, '.open-files');
  const drop = /** @type {HTMLElement} */ (room.parentElement);
  let shown = noFiles;

  const formats = findIn(room, '.formats');
  formats.addEventListener('toggle', async () => {
    const { formatParagraphs } = await import('./file_formats.js');
    if (formats.children.length === 1) formats.append(...formatParagraphs());
  });
  input.addEventListener('change', () => {
    openFiles(Array.from(input.files ?? []));
    input.value = '';
  });
  for (const type of /** @type {('dragover' | 'drop')[]} */ (['dragover', 'drop'])) {
    document.addEventListener(type, (event) => {
      if (!event.dataTransfer?.types.includes('Files')) return;
      // Prevents the browser from navigating to the file.
      event.preventDefault();
      drop.classList.toggle('over', type === 'dragover');
      if (type !== 'drop') return;
      const model = modelIn(event.dataTransfer, isModelShown());
      if (model) takeModel(model);
      else openFiles(Array.from(event.dataTransfer.files));
    });
  }
  document.addEventListener('dragleave', () => drop.classList.remove('over'));

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
            { type: 'button', 'aria-label': `Remove ${name}`, click: () => closeFile(id) },
            'Remove',
          ),
        ),
      ),
    );
    // The focused button was removed.
    if (hadFocus) (list.querySelector('button') ?? input).focus();
  }

  return {
    /** @param {Files} files of the store */
    show(files) {
      if (files === shown) return;
      const { open, text, isProblem } = files;
      write(says, text);
      says.classList.toggle('unseen', !isProblem);
      says.classList.toggle('problem', isProblem);
      if (open !== shown.open) showList(open);
      shown = files;
    },
  };
}

/** Dropped files of a model as { entries, files }, or null: a folder, or config.json with weights. */
function modelIn({ items, files }, isWanted) {
  const entries = Array.from(items, (item) => item.webkitGetAsEntry?.()).filter(Boolean);
  const names = Array.from(files, ({ name }) => name);
  const isWhole =
    names.includes('config.json') && names.some((name) => name.endsWith('.safetensors'));
  const isModel = isWanted || isWhole || entries.some(({ isDirectory }) => isDirectory);
  return isModel ? { entries, files: Array.from(files) } : null;
}
