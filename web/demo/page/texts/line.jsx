// A text of the page: its name, the field, and the list of its words above it.

import { visibly } from '../element.js';
import { partsOfName } from '../field_names.js';

const lists = { first: 'Words of the text', second: 'Words of the context' };

/**
 * `id` of the field; `name`: as fieldNames() has it, `own`: the name where the source has none; `written`: what the source has
 * written into the empty field, null where it writes none; `words`: what the list is drawn into; `list`: its ref; `type(text)`.
 */
export const Line = ({ id, name, own, written, words, list, type }) => {
  const [title, says] = partsOfName(name);
  return (
    <>
      <label for={id}>
        <span class="given-name">{title}</span> <small>{says}</small> {own}{' '}
        <span class="edit" aria-hidden="true">
          Edit
        </span>
      </label>
      <div class="sheet">
        <textarea
          id={id}
          rows={2}
          autocomplete="off"
          spellcheck={false}
          dir="auto"
          placeholder={written === null ? undefined : visibly(written)}
          aria-description={
            written === null ? undefined : written && `The model writes: ${visibly(written)}`
          }
          onInput={({ currentTarget }) => type(currentTarget.value)}
        />
        <div
          id={`${id}-words`}
          class="sentence"
          role="listbox"
          aria-label={lists[id]}
          tabIndex={0}
          dir="auto"
          ref={list}
          dangerouslySetInnerHTML={words}
        />
      </div>
    </>
  );
};
