// Files that are dropped anywhere on the page: the reader's files, or a model.

import { isConfig } from '../../config_name.js';

/**
 * `isModelShown()`: files may be those of a model; `openFiles(files)` and `dropModel(dropped)` as in actions.js.
 * @param {Element} room marked while files are above the page
 */
export function watchDrops(room, { isModelShown, openFiles, dropModel }) {
  for (const type of /** @type {('dragover' | 'drop')[]} */ (['dragover', 'drop'])) {
    document.addEventListener(type, (event) => {
      if (!event.dataTransfer?.types.includes('Files')) return;
      // Prevents the browser from navigating to the file.
      event.preventDefault();
      room.classList.toggle('over', type === 'dragover');
      if (type !== 'drop') return;
      const model = modelIn(event.dataTransfer, isModelShown());
      if (model) dropModel(model);
      else openFiles(Array.from(event.dataTransfer.files));
    });
  }
  document.addEventListener('dragleave', () => room.classList.remove('over'));
}

/** Files that only a model has. */
const isOfModel = (name) =>
  /^(.*config\.json|tokenizer.*|vocab\..*|merges\.txt|spiece\.model|(pytorch_)?model.*\.(safetensors|json))$/.test(
    name,
  );

/**
 * Dropped files of a model as { entries, files }, or null: a folder, or a config with weights. Where a model is shown, its
 * other files and a picture too; arrays, archives and pickles are files of the reader's everywhere.
 */
function modelIn({ items, files }, isWanted) {
  const entries = Array.from(items, (item) => item.webkitGetAsEntry?.()).filter(Boolean);
  const isModel =
    entries.some(({ isDirectory }) => isDirectory) || areOfModel(Array.from(files), isWanted);
  return isModel ? { entries, files: Array.from(files) } : null;
}

/** @param {{ name: string, type: string }[]} files */
export function areOfModel(files, isWanted) {
  const names = files.map(({ name }) => name);
  const isWhole = names.some(isConfig) && names.some((name) => name.endsWith('.safetensors'));
  const isPicture = files.some(({ type }) => type.startsWith('image/'));
  return isWhole || (isWanted && (isPicture || names.every(isOfModel)));
}
