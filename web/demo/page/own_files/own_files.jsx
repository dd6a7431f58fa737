// The reader's files: what chooses them, what is said about them, and those that are open.

import { useLostFocus, useRef } from '../component.jsx';
import { FilePicker } from '../file_picker.jsx';
import { Said } from '../said.jsx';
import { FileFormats } from './file_formats.jsx';

/** `files` and `saving` of the store; `openFiles(files)`, `closeFile(id)` and `save(format)` as in actions.js. */
export function OwnFiles({ files, saving, openFiles, closeFile, save }) {
  const { open, text, isProblem, said } = files;
  const input = useRef(/** @type {HTMLInputElement | null} */ (null));
  const list = useRef(/** @type {HTMLUListElement | null} */ (null));
  useLostFocus(list, () => input.current);
  return (
    <>
      <div class="drop">
        <span>Drop a file here, or</span>
        <FilePicker
          name={open.length > 0 ? 'Choose another' : 'Choose one'}
          id="file"
          multiple
          accept=".json,.npy,.npz,.safetensors"
          pick={openFiles}
          input={input}
        />
      </div>
      <Said name="files-say" hasPlace {...{ text, isProblem, said }} />
      <ul class="open-files" aria-label="Open files" ref={list}>
        {open.map(({ id, name, says }) => (
          <li key={id}>
            <span>
              <strong>{name}</strong>
              {` ${says}`}
            </span>
            <button type="button" aria-label={`Remove ${name}`} onClick={() => closeFile(id)}>
              Remove
            </button>
          </li>
        ))}
      </ul>
      <FileFormats {...{ saving, save }} />
    </>
  );
}
