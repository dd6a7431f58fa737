// Files that are dropped anywhere on the page: the reader's files, or a model.

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

/** Dropped files of a model as { entries, files }, or null: a folder, or config.json with weights. */
function modelIn({ items, files }, isWanted) {
  const entries = Array.from(items, (item) => item.webkitGetAsEntry?.()).filter(Boolean);
  const names = Array.from(files, ({ name }) => name);
  const isWhole =
    names.includes('config.json') && names.some((name) => name.endsWith('.safetensors'));
  const isModel = isWanted || isWhole || entries.some(({ isDirectory }) => isDirectory);
  return isModel ? { entries, files: Array.from(files) } : null;
}
