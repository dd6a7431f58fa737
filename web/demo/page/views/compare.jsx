// Comparison: the picture, an alternative with one setting or the text changed, and their difference (second minus
// first), with the same rows and columns and one selection for all three.

import { Drawing, useMemo } from '../component.jsx';
import { choicesFor, lessTitle, pairOf, titlesFor } from './compare_choices.js';
import { createComparedMap } from './compared_map.js';
import { hasNegative, scaleEnd, topWeight } from './head_of_picture.js';
import { optionsFor } from './matrix.js';

const names = ['own', 'other', 'difference'];

/**
 * Reads: `state`; `compared`: { picture, selection, settings, state, facts } of the latest picture with an alternative,
 * or null. Calls: change(), type(), askDifference(), select(), hover().
 */
export function Compare({ state, compared, change, type, askDifference, select, hover }) {
  const isText = state.beside === 'text';
  return (
    <>
      <p class="beside">
        <label for="beside">Compare with</label>
        <Alternatives state={state} compared={compared} change={change} />
        <input
          id="other-text"
          type="text"
          autocomplete="off"
          spellcheck={false}
          dir="auto"
          aria-label="Another text"
          hidden={!isText}
          value={state.otherText}
          onInput={({ currentTarget }) => type({ otherText: currentTarget.value })}
        />
        <button
          type="button"
          class="quiet"
          title="The layer, head and pair of words in which the two texts differ most"
          hidden={!isText || !askDifference}
          onClick={() => askDifference()}
        >
          Largest difference
        </button>
      </p>
      <Panels compared={compared} select={select} hover={hover} />
    </>
  );
}

function Alternatives({ state, compared, change }) {
  const groups = compared ? groupsOf(compared) : [];
  const isThere = has(groups, state.beside);
  return (
    <select
      id="beside"
      value={isThere ? state.beside : compared?.state.beside}
      onChange={({ currentTarget: { value } }) => {
        // Another text starts as a copy, for the reader to change a word.
        const starts = value === 'text' && state.otherText === '';
        change({ beside: value, ...(starts && { otherText: state.text }) });
      }}
    >
      {groups.map(([group, list]) => (
        <optgroup label={group}>
          {list.map(([id, name]) => (
            <option value={id}>{name}</option>
          ))}
        </optgroup>
      ))}
    </select>
  );
}

const has = (groups, value) => groups.some(([, list]) => list.some(([id]) => id === value));

/**
 * An alternative that equals the picture, or no longer exists, keeps its entry in the list.
 * @returns {[group: string, list: [value: string, name: string][]][]}
 */
function groupsOf(compared) {
  const groups = choicesFor(compared);
  const { beside } = compared.state;
  return has(groups, beside) ? groups : [['Now', [[beside, 'The same again']]], ...groups];
}

function Panels({ compared, select, hover }) {
  const { picture, selection, settings } = compared ?? {};
  const titles = compared ? [...titlesFor(compared), lessTitle] : [];
  const reads = [picture, selection?.head, JSON.stringify(settings)];
  const maps = useMemo(() => (compared ? mapsOf(compared, titles) : []), reads);
  return (
    <div class="panels">
      {names.map((name, at) => (
        <figure class={name}>
          <figcaption>{titles[at]}</figcaption>
          <Drawing
            create={createComparedMap}
            options={maps[at]}
            selection={selection}
            select={select}
            hover={hover}
          />
        </figure>
      ))}
    </div>
  );
}

/** Options of the three heat maps. */
function mapsOf({ picture, selection, settings }, titles) {
  const pair = inOneScale(pairOf(picture, selection, settings), picture);
  return pair.map(({ stage, values, hidden, blocked, domain, rows, columns }, at) => {
    const one = { ...picture, rows, columns, hidden, blocked, stages: { [stage]: values } };
    return {
      ...optionsFor(one, { head: 0 }, { ...settings, stage }),
      signed: domain ? domain[0] < 0 : true,
      domain: settings.scaling === 'row' ? 'row' : (domain ?? 'global'),
      label: `${titles[at]}: ${rows.length} rows, ${columns.length} columns`,
    };
  });
}

/** One color scale for both pictures, so that their colors can be compared. */
function inOneScale(pair, picture) {
  const domain = domainOf(pair.slice(0, 2), picture);
  return pair.map((one, at) => ({ ...one, domain: at < 2 ? domain : null }));
}

function domainOf(both, { columns }) {
  const finite = both.map(({ values }) => values.filter(Number.isFinite));
  const top = Math.max(...finite.map((values) => topWeight(values, columns.length)));
  const isSigned = both[0].stage !== 'weights' || finite.some(hasNegative);
  if (!isSigned) return [0, scaleEnd(top)];
  const size = finite.reduce(
    (most, values) => values.reduce((a, b) => Math.max(a, Math.abs(b)), most),
    1e-9,
  );
  return [-size, size];
}
