// The picture that a vision model looks at, with its patches, and what chooses it.

import { Drawing } from '../component.jsx';
import { createPatches } from './patches.js';

/**
 * `canSee`: the open model takes pictures; `bitmap`: the one that it has looked at, or null; `seen`: { picture, grid, place }
 * of its patches, or null until they have come; `look(file)`, `read(row)`.
 */
export const SeenPicture = ({ canSee, bitmap, seen, palette, look, read }) => (
  <>
    <label class="picker" hidden={!canSee}>
      Choose a picture
      <input
        type="file"
        class="unseen"
        accept="image/*"
        onChange={({ currentTarget }) => {
          const file = currentTarget.files?.[0];
          if (file) look(file);
          currentTarget.value = '';
        }}
      />
    </label>
    <div class="patches" hidden={!bitmap}>
      <Drawing create={createPatches} {...{ bitmap, seen, palette, read }} />
      <p class="hint">{seen && `${readerOf(seen)} looks where it is blue.`}</p>
    </div>
  </>
);

/** The selected row. */
function readerOf({ picture, place }) {
  const { text, special } = picture.rows[place.row];
  return special
    ? `${text}, which stands for the whole,`
    : `The patch in row ${text.replace(',', ', column ')}`;
}
