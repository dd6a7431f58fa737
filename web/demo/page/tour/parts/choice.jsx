// A choice among a few words or heads.

/**
 * `chosen`: index of a name; `pick(index)`: the reader chose another; `kind`: 'read' is red.
 * @param {{ label: string, names: string[], chosen: number, pick(index: number): void, kind?: 'read' | 'other' }} shown
 */
export const Choice = ({ label, names, chosen, pick, kind = 'read' }) => (
  <div class={`choice is-of-${kind}`} role="group" aria-label={label}>
    <span class="label" aria-hidden="true">
      {label}
    </span>
    {names.map((name, at) => (
      <button type="button" aria-pressed={at === chosen} onClick={() => pick(at)}>
        <bdi>{name}</bdi>
      </button>
    ))}
  </div>
);

/**
 * A choice of the word of a row, without a chosen number in it; `pick({ row, at })`.
 * @param {{ words: string[], row: number, pick(place: { row: number, at: null }): void }} shown
 */
export const WordChoice = ({ words, row, pick }) => (
  <Choice label="word" names={words} chosen={row} pick={(next) => pick({ row: next, at: null })} />
);

/** A choice of a head by its number. */
export const HeadChoice = ({ count, chosen, pick }) => (
  <Choice
    label="head"
    names={Array.from({ length: count }, (_, head) => String(head + 1))}
    chosen={chosen}
    pick={pick}
    kind="other"
  />
);
