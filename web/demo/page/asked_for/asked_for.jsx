// Buttons that open the model or the files of a link, below the sentence that names them in the empty stage.

import { isSameModel } from '../../model_identity.js';
import { FilePicker } from '../file_picker.jsx';
import { chosenFiles } from '../own_model/dropped_files.js';

/**
 * `asked`: { model } or { file } of the link, or null for none; `kept`: KeptModels; `openModel(from)` and
 * `openFiles(files)` as in actions.js.
 */
export const AskedFor = ({ asked, kept, openModel, openFiles }) => (
  <>
    {asked?.model !== undefined && (
      <>
        {kept
          .filter(({ identity }) => isSameModel(identity, asked.model))
          .map(({ place, name }) => (
            <button key={place} type="button" onClick={() => openModel({ kept: place })}>
              {`Open ${name}, which is kept here`}
            </button>
          ))}
        <FilePicker
          name="Choose its files"
          multiple
          pick={(files) => openModel({ files: chosenFiles(files) })}
        />
        <FilePicker
          name="Choose its folder"
          webkitdirectory
          pick={(files) => openModel({ files: chosenFiles(files) })}
        />
      </>
    )}
    {asked?.file !== undefined && (
      <FilePicker
        name={asked.file.includes('/') ? 'Choose the files' : 'Choose the file'}
        multiple
        pick={openFiles}
      />
    )}
  </>
);
