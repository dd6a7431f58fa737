// The row of the map: views, settings in force, and the choice of layer and head.

import { viewNamed, views } from '../view_list.js';
import { useLatest, useLayoutEffect, useRef, useState } from './component.jsx';
import { InForce } from './more/in_force.jsx';
import { headTitle, roleText } from './views/head_of_picture.js';

const menu = views.filter(({ of }) => !of);
const averaged = 'All, averaged';
const behind = 'compare'; // on a phone a view among the choices

/** The menu of the views; `view` of the state. */
function ViewMenu({ view, change }) {
  const entry = viewNamed(view).of ?? view;
  return (
    <fieldset class="segments views">
      <legend class="unseen">View</legend>{' '}
      {menu.map((one) => (
        <ViewChoice key={one.name} {...one} isShown={one.name === entry} change={change} />
      ))}
    </fieldset>
  );
}

const ViewChoice = ({ name, title, isShown, change }) => (
  <label>
    <input
      type="radio"
      name="view"
      value={name}
      checked={isShown}
      onChange={() => change({ view: name })}
    />
    <span>{title}</span>
  </label>
);

/** `now`: the store; `view`: the one that is shown; `isPhone`; `change` as in actions.js. */
function MapChoices({ now, view, isPhone, change }) {
  const isThere = now.answer.facts !== null;
  const heads = useLatest(headsOf(now), isThere);
  const button = useRef(/** @type {HTMLButtonElement | null} */ (null));
  const panel = useRef(/** @type {HTMLDivElement | null} */ (null));
  const [isOpen, open] = useState(false);
  useLayoutEffect(() => open(false), [isPhone]);
  useLayoutEffect(() => {
    /** @param {PointerEvent} event */
    function leave({ target }) {
      const isIn = [panel, button].some(({ current }) =>
        current?.contains(/** @type {Node} */ (target)),
      );
      if (!isIn) open(false);
    }
    document.addEventListener('pointerdown', leave);
    return () => document.removeEventListener('pointerdown', leave);
  }, []);
  return (
    <>
      <button
        type="button"
        id="choices"
        class="quiet"
        aria-expanded={isOpen}
        aria-controls="map-choices"
        ref={button}
        onClick={() => open(!isOpen)}
      >
        {heads?.says ?? 'Choices'}
      </button>
      <div
        class={isOpen ? 'map-choices open' : 'map-choices'}
        id="map-choices"
        ref={panel}
        onKeyDown={(event) => {
          if (event.key !== 'Escape' || !isPhone) return;
          event.preventDefault();
          open(false);
          button.current?.focus();
        }}
      >
        {heads && <HeadsPicker {...heads} isAway={!isThere} change={change} />}
        {isPhone && view !== behind && (
          <div class="segments">
            <ViewChoice {...viewNamed(behind)} isShown={false} change={change} />
          </div>
        )}
      </div>
    </>
  );
}

/** Layers and heads of the picture: lists of [value, name], and what is chosen; null without facts. */
function headsOf({ chosen, answer: { facts, picture } }) {
  if (!facts) return null;
  const parts = facts.parts.map(({ id, name }) => [id, name]);
  const { name: layer, heads } = facts.parts.find(({ id }) => id === facts.part);
  const roleOf = (at) => picture?.roles?.[picture.average ? -1 : at];
  const nameOf = (at) => `Head ${at + 1}`;
  const list = Array.from({ length: heads }, (_, at) => {
    const role = roleOf(at);
    return [String(at), role ? `${nameOf(at)}: ${roleText(role)}` : nameOf(at)];
  });
  if (heads > 1) list.push(['average', averaged]);
  const at = Math.min(chosen.head, heads - 1);
  const isAverage = chosen.average && heads > 1;
  const name = isAverage ? averaged : nameOf(at);
  const said = [parts.length > 1 && layer, heads > 1 && name].filter(Boolean);
  return {
    ...{ parts, part: facts.part, list, name, head: isAverage ? 'average' : String(at) },
    ...{ title: headTitle(picture, chosen.head), says: said.join(', ') || 'Choices' },
    // A view of all heads of a layer has its own list, of those that are drawn.
    hasHead: viewNamed(chosen.view).shows !== 'layer',
    isFixed: facts.isPrerendered ?? false,
  };
}

function HeadsPicker({ parts, part, list, head, name, title, hasHead, isFixed, isAway, change }) {
  return (
    <div class={isAway ? 'heads-picker away' : 'heads-picker'}>
      <label for="part" class="unseen">
        Layer
      </label>
      <select
        id="part"
        hidden={parts.length < 2}
        disabled={isFixed}
        value={part}
        onChange={({ currentTarget }) => change({ part: currentTarget.value })}
      >
        <Options of={parts} />
      </select>
      <label for="head" class="unseen">
        Head
      </label>
      <span class="of-head" hidden={!hasHead}>
        <select
          id="head"
          title={title}
          disabled={isFixed || list.length < 2}
          value={head}
          onChange={({ currentTarget: { value } }) =>
            change(
              value === 'average' ? { average: true } : { head: Number(value), average: false },
            )
          }
        >
          <Options of={list} />
        </select>
        {/* The closed list shows the number alone; the role stands in its entries, with its basis in the tooltip. */}
        <span class="head-name" aria-hidden="true">
          {name}
        </span>
      </span>
    </div>
  );
}

const Options = ({ of }) =>
  of.map(([value, name]) => (
    <option key={value} value={value}>
      {name}
    </option>
  ));

/**
 * `now`: the store as of the last paint, for settings and choices; `view`: the one that is shown; `isPhone`: the window is
 * narrow.
 */
export const Toolbar = ({ now, view, isPhone, change }) => (
  <div class="toolbar">
    <ViewMenu view={view} change={change} />
    <p class="in-force">
      <InForce state={now.chosen} facts={now.answer.facts} />
    </p>
    <MapChoices {...{ now, view, isPhone, change }} />
  </div>
);
