// The drawer: what computes, more examples, lecture and paper, settings, export, keys, about.

import { views } from '../../view_list.js';
import { sourceOf } from '../../state/derived.js';
import { later } from '../component.jsx';
import { Examples } from '../examples.jsx';
import { examplesOf } from '../examples.js';
import { ExportPanel } from '../exports/export_panel.jsx';
import { About } from './about.jsx';
import { Keys } from './keys.jsx';

const Controls = later(async () => (await import('../controls/control_panel.jsx')).ControlPanel);
const switches = views.filter(({ of }) => of);

/** `now`: the store; `drawer`: result of useDrawer(); `act`: actions. */
export function MorePanel({ now, drawer, act }) {
  const { chosen, sources, saving } = now;
  const source = sourceOf(now);
  const { others } = examplesOf(source, chosen.mode);
  return (
    <aside
      id="more-panel"
      class="more-panel"
      aria-label="More"
      hidden={!drawer.isOpen}
      ref={drawer.panel}
      onKeyDown={drawer.press}
      onScrollEnd={drawer.scrolled}
    >
      <div class="top">
        <span aria-hidden="true">More</span>
        <button type="button" class="close" onClick={drawer.close}>
          Close
        </button>
      </div>
      <section class="computes" data-for="self cross">
        <h2>
          <label for="source">Computed by</label>
        </h2>
        <select
          id="source"
          aria-describedby="source-says"
          value={source.id}
          onChange={({ currentTarget }) => act.chooseSource(currentTarget.value)}
        >
          {sources.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
        <p id="source-says" class="hint">
          {source.says}
        </p>
      </section>
      <section
        data-for="self cross"
        aria-labelledby="other-examples-title"
        hidden={others.length === 0}
      >
        <h2 id="other-examples-title">More examples</h2>
        <div class="examples others" role="group" aria-labelledby="other-examples-title">
          <Examples examples={others} start={act.startExample} />
        </div>
      </section>
      <p class="idea">
        <a
          href="#tour=0"
          onClick={(event) => {
            // The texts stay; the link's address alone would open those of the page.
            event.preventDefault();
            act.change({ tour: 0 });
          }}
        >
          Soft lookup
        </a>
        : the idea behind attention, in a small price list.
      </p>
      <section class="large-type" data-for="self cross" aria-label="Lecture and paper">
        <button type="button" id="present" title="Key F" onClick={act.present}>
          Lecture view
        </button>
        <button type="button" data-export="print" onClick={() => act.save('print')}>
          Print
        </button>
        {switches.map(({ name, title, of }) => (
          <label key={name} class="of-view">
            <input
              type="checkbox"
              name="of-view"
              value={name}
              checked={chosen.view === name}
              onChange={({ currentTarget }) =>
                act.change({ view: currentTarget.checked ? name : of })
              }
            />
            {title}
          </label>
        ))}
      </section>
      <details data-fold="settings" data-for="self cross" onToggle={drawer.fold}>
        <summary id="settings">
          <h2>Settings</h2>
        </summary>
        <div id="settings-panel" class="panel">
          {drawer.hasSettings && (
            <Controls at={settingsAt(now)} change={act.change} wait={act.wait} />
          )}
        </div>
      </details>
      <details class="export-panel" data-fold="share" data-for="self cross" onToggle={drawer.fold}>
        <ExportPanel saving={saving} save={act.save} choosePaper={act.choosePaper} />
      </details>
      <details data-fold="keys" onToggle={drawer.fold}>
        <Keys />
      </details>
      <details class="about" data-fold="about" onToggle={drawer.fold}>
        <About meaning={source.meaning} />
      </details>
    </aside>
  );
}

/** The values that the controls depend on: { state, facts, picture, source }. */
export const settingsAt = (now) => ({
  ...{ state: now.chosen, facts: now.answer.facts, picture: now.answer.picture },
  source: sourceOf(now),
});
