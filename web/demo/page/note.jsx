// The note below the map.

/**
 * Parts of noteOf(). Where rays show what the explanation says, CSS hides it.
 * @param {{ says: string, explains: string }} shown
 */
export const Note = ({ says, explains }) => (
  <>
    {says}
    {explains && <span class="explains">{says ? ` ${explains}` : explains}</span>}
  </>
);
