// Which head, which word matters here? A panel with a map of the effects, which fills while they are measured in turn. A
// click on a cell, or Enter, shows that head or word in the view.

import { isSelectable, openingOf, targetOf } from '../../state/effects.js';
import { Drawing, useLayoutEffect, useMemo, useRef } from '../component.jsx';
import { SaveTable } from '../exports/save_table.jsx';
import { createEffectMap } from './effect_map.js';
import { Largest } from './largest.jsx';
import { meaningOf, numberText } from './meaning.js';
import { Progress, reasonFor } from './progress.jsx';
import { Segments } from './segments.jsx';
import { createGrid, targetName } from './sweep_map.js';

/**
 * Reads: `sweep` of the store, null until it begins; `isOld`, `state`, `picture`, `facts`, `place`, `isReady`. Calls:
 * change(), lookAtEffect(), compareWords(), measureAgain().
 */
export function Sweep(shown) {
  const { sweep, isOld, state, picture, facts, change, lookAtEffect, compareWords } = shown;
  const plan = sweep?.plan;
  const runs = sweep?.runs;
  const target = plan ? targetOf(sweep) : 0;
  const grid = useMemo(() => plan && createGrid({ plan, runs }, target), [plan, runs, target]);
  const room = useFocus();
  const close = () => change({ sweep: '' });
  const unit = facts.grid ? 'patch' : 'word';
  function open({ index, target: of }) {
    if (isOld) return;
    change(openingOf(plan, plan.cells[index], plan.targets[of], { picture, facts }));
  }
  const reason = sweep && !sweep.isRunning ? reasonFor(shown) : '';
  const isMeasuring = !sweep || sweep.isRunning;
  return (
    <section
      ref={room}
      class={isOld ? 'sweep old' : 'sweep'}
      aria-labelledby="sweep-title"
      data-over={state.sweep}
      data-state={isMeasuring ? 'measuring' : reason === '' ? 'done' : 'again'}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.preventDefault();
        close();
      }}
    >
      <header>
        <h2 id="sweep-title" tabIndex={-1}>
          Which matters?
        </h2>
        <button type="button" class="quiet" aria-label="Close “Which matters?”" onClick={close}>
          ×
        </button>
      </header>
      <div class="choices">
        <Segments
          name="sweep"
          title="Measure each"
          value={state.sweep}
          values={[
            ['heads', 'Heads'],
            ['words', facts.grid ? 'Patches' : 'Words'],
          ]}
          choose={(value) => change({ sweep: value })}
        />
        {plan?.whole && plan.over === 'heads' && isSelectable(plan) && (
          <Segments
            name="sweep-of"
            title="Effect on"
            value={sweep.isWhole ? 'text' : 'word'}
            values={[
              ['word', targetName(plan, sweep.target)],
              ['text', plan.whole],
            ]}
            choose={(value) => lookAtEffect({ isWhole: value === 'text' })}
          />
        )}
        {state.source === 'own' && facts.hasNext && (
          <label class="two-words">
            Difference of two words{' '}
            <input
              type="text"
              value={state.difference}
              placeholder="his / her"
              autocomplete="off"
              onChange={({ currentTarget }) => compareWords(currentTarget.value)}
            />
          </label>
        )}
      </div>
      <Progress {...shown} reason={reason} />
      {plan && (
        <Drawing
          create={createEffectMap}
          grid={grid}
          cell={sweep.cell}
          open={open}
          lookAtEffect={lookAtEffect}
        />
      )}
      <Largest sweep={sweep} target={target} open={open} />
      {sweep?.isDone && (
        <SaveTable what="effects" title="the effects" saving={shown.saving} save={shown.save} />
      )}
      <p class="hint">{plan && numberText(plan, target, unit)}</p>
      <p class="hint">{plan && meaningOf(plan, unit)}</p>
    </section>
  );
}

/** The title takes the focus of the reader who opened the panel; the button that opens it takes it back. */
function useFocus() {
  const room = useRef(/** @type {HTMLElement | null} */ (null));
  useLayoutEffect(() => {
    const element = /** @type {HTMLElement} */ (room.current);
    const { body } = document;
    if (document.activeElement !== body) element.querySelector('h2')?.focus();
    return () => {
      const { activeElement } = document;
      if (activeElement !== body && !element.contains(activeElement)) return;
      // On a phone what else to block is among the choices of the map.
      /** @type {NodeListOf<HTMLElement>} */
      const openers = document.querySelectorAll('.block-it button, #choices');
      Array.from(openers)
        .find((one) => one.checkVisibility())
        ?.focus({ preventScroll: true });
    };
  }, []);
  return room;
}
