// The part of a long text that was read, and a button that reads what follows.

/** @import { TextWindow } from '../../types' */
/** @import { State } from '../../state/types' */

/** @param {{ says: string, read?: TextWindow, change(part: Partial<State>): void }} shown */
export function WasRead({ says, read, change }) {
  /** @type {[string, number][]} */
  const ways = [];
  const { next = null, from = 0 } = read ?? {};
  if (next !== null) ways.push(['Read on from here', next]);
  if (from > 0) ways.push(['Read the beginning', 0]);
  return (
    <>
      <span role="status">{says}</span>
      {ways.map(([name, readFrom]) => (
        <button key={name} type="button" class="quiet" onClick={() => change({ readFrom })}>
          {name}
        </button>
      ))}
    </>
  );
}
