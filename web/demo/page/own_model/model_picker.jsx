// Ways to open a model: its folder, its files, its address, or one that is kept; and the types that can be opened.

import { FilePicker } from '../file_picker.jsx';
import { chosenFiles } from './dropped_files.js';
import { KeptModels } from './kept_models.jsx';
import { SupportedModels } from './supported_models.jsx';

/** `kept` and `weights`: see OwnModel of the store; `picker` and `list`: refs of the whole and of the kept models. */
export function ModelPicker({
  picker,
  list,
  kept,
  weights,
  openModel,
  removeModel,
  chooseWeights,
}) {
  const pick = (files) => openModel({ files: chosenFiles(files) });
  return (
    <details class="picking" ref={picker}>
      <summary>Open another model</summary>
      <div class="drop">
        <span>Drop a model’s folder here (it stays on your machine)</span>
        <FilePicker name="Choose its folder" webkitdirectory pick={pick} />
        <FilePicker name="Choose its files" multiple pick={pick} />
        <Address openModel={openModel} />
        <label class="small" for="model-int8">
          <input
            id="model-int8"
            type="checkbox"
            checked={weights === 'int8'}
            onChange={({ currentTarget }) =>
              chooseWeights(currentTarget.checked ? 'int8' : 'as stored')
            }
          />
          {' as int8: less memory'}
        </label>
      </div>
      <ul class="open-files" aria-label="Kept models" hidden={kept.length === 0} ref={list}>
        <KeptModels kept={kept} openModel={openModel} removeModel={removeModel} />
      </ul>
      <SupportedModels />
    </details>
  );
}

function Address({ openModel }) {
  function open(event) {
    event.preventDefault();
    const { value: address } = event.currentTarget.elements.namedItem('model-address');
    if (address.trim() !== '') openModel({ address });
  }
  return (
    <form class="model-address" onSubmit={open}>
      <label for="model-address">or its address</label>
      <input
        id="model-address"
        type="text"
        inputmode="url"
        autocomplete="off"
        spellcheck={false}
        placeholder="https://… or OWNER/NAME"
      />
      <button type="submit">Open</button>
    </form>
  );
}
