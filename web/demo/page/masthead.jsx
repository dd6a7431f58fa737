// The head of the page: its name, the modes, the tour, and what opens the drawer.

const modes = { self: 'Self', cross: 'Cross', learn: 'Watch one learn' };

/** `mode`: the one that the switch shows; `drawer`: result of useDrawer(); `chooseMode(mode)`, `change` as in actions.js. */
export const Masthead = ({ mode, drawer, chooseMode, change }) => (
  <header class="masthead">
    <h1>See attention</h1>{' '}
    <fieldset class="segments modes">
      <legend class="unseen">Mode</legend>{' '}
      {Object.entries(modes).map(([value, name]) => (
        <label key={value}>
          <input
            type="radio"
            name="mode"
            value={value}
            checked={value === mode}
            onChange={() => chooseMode(value)}
          />
          <span>{name}</span>
        </label>
      ))}
    </fieldset>{' '}
    <button type="button" id="tour-start" class="quiet" onClick={() => change({ tour: 0 })}>
      Take the tour
    </button>{' '}
    <button
      type="button"
      id="more"
      class="quiet"
      aria-expanded={drawer.isOpen}
      aria-controls="more-panel"
      ref={drawer.button}
      onClick={drawer.toggle}
      onKeyDown={drawer.press}
    >
      More
    </button>
  </header>
);
