// Buttons that save or share the picture and its numbers, and a sentence about the outcome.

import { Fragment } from '../component.jsx';

const formats = {
  ...{ png: 'PNG', svg: 'SVG', csv: 'CSV', json: 'JSON', javascript: 'JavaScript' },
  ...{ link: 'Link', embed: 'Embed', page: 'HTML page' },
};
const papers = { page: 'As on screen', light: 'Light', dark: 'Dark' };

/** `saving` of the store; `save(format)` and `choosePaper(paper)` as in actions.js. */
export const ExportPanel = ({ saving, save, choosePaper }) => (
  <>
    <summary>
      <h2>Save or share</h2>
    </summary>
    <div class="exports">
      {Object.entries(formats).map(([format, name]) => (
        <button key={format} type="button" data-export={format} onClick={() => save(format)}>
          {name}
        </button>
      ))}
    </div>
    <fieldset class="segments papers">
      <legend class="unseen">Colors of pictures</legend>
      {Object.entries(papers).map(([paper, name]) => (
        <label key={paper}>
          <input
            type="radio"
            name="paper"
            value={paper}
            checked={saving.paper === paper}
            onChange={() => choosePaper(paper)}
          />
          <span>{name}</span>
        </label>
      ))}
    </fieldset>
    <p class="hint exported" role="status">
      {saving.says && <Fragment key={saving.said}>{saving.says}</Fragment>}
    </p>
    <CopiedText text={saving.copied} />
  </>
);

/** Text field to copy from, where the clipboard is not available; null for none. */
const CopiedText = ({ text }) => (
  <textarea
    class="copied"
    readOnly
    rows={text === null ? 12 : Math.min(14, text.split('\n').length + 1)}
    aria-label="Text to copy"
    hidden={text === null}
    value={text ?? ''}
  />
);
