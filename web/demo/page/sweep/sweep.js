// Which head, which word matters here? A panel that measures each in turn, and a map of the effects, which fills while
// they come. A click on a cell, or Enter, shows that head or word in the view.

import { defineAttentionMap } from 'attention-wasm/heatmap';
import { element, write } from '../element.js';
import { afterWriting } from '../scheduling.js';
import { isOfPart, largest, openingOf, shownCell, targetIn, whole } from './effects.js';
import { meaningOf, numberText } from './meaning.js';
import { createMeasuring } from './measuring.js';
import { createPanel } from './panel.js';
import { cellName, createGrid, formatEffect, sentenceOf, targetName } from './sweep_map.js';
import './sweep.css';

const shownLargest = 3;

/** `change` as in actions.js; `sweep(question, tell)` as in worker_link.js. */
export function createSweep({ change, sweep }) {
  defineAttentionMap();
  const panel = createPanel({
    over: (value) => change({ sweep: value }),
    of(value) {
      isWhole = value === 'text';
      draw();
    },
    close: () => close(),
    act,
  });
  const { root, map } = panel;
  const measuring = createMeasuring(sweep, afterWriting(draw));
  let now = null; // { state, picture, facts, place, isReady, isAsked() }
  let started = ''; // the kind of sweep that has started by itself
  let isWhole = false; // the effect on the whole text was chosen
  let target = 0; // index of the word whose effects are shown
  let grid = null;
  let pointed = null; // { row, column } of the map under the pointer

  function start() {
    measuring.start(now);
    pointed = null;
    draw();
  }

  /** The button beside the count. */
  function act() {
    if (measuring.isRunning()) {
      measuring.stop();
      draw();
    } else start();
  }

  const close = () => change({ sweep: '' });

  // ---- cells -------------------------------------------------------------------------------------

  function open(place) {
    if (!place || !now.picture || measuring.isOld(now)) return;
    const { plan } = measuring.found();
    change(openingOf(plan, plan.cells[place.index], plan.targets[place.target], now));
  }
  const selectedCell = () => (grid && map.selected ? grid.cellAt(map.selected) : null);
  const isOnCanvas = (event) => event.composedPath()[0].localName === 'canvas';
  map.addEventListener('select', () => {
    pointed = null;
    drawCell();
  });
  map.addEventListener('hover', ({ detail }) => {
    pointed = detail;
    drawCell();
  });
  map.addEventListener('click', (event) => {
    const at = grid && isOnCanvas(event) ? map.cellAt(event) : null;
    if (at?.row !== undefined && at.column !== undefined) open(grid.cellAt(at));
  });
  root.addEventListener('keydown', (event) => {
    const opens = ['Enter', ' '].includes(event.key) && isOnCanvas(event);
    if (opens) open(selectedCell());
    else if (event.key === 'Escape') close();
    else return;
    event.preventDefault();
  });

  document.querySelector('.sweep-room').append(root);

  // ---- drawing -----------------------------------------------------------------------------------

  function draw() {
    if (root.hidden) return;
    const found = measuring.found();
    const isOld = measuring.isOld(now);
    const { state, picture, facts, place } = now;
    for (const input of panel.over.inputs) input.checked = input.value === state.sweep;
    const unit = facts.grid ? 'patch' : 'word';
    write(panel.over.texts[1], facts.grid ? 'Patches' : 'Words');
    if (found) {
      const row = isOld ? -1 : targetIn(found.plan, picture, place.row);
      if (row >= 0) target = row;
      target = Math.min(target, found.plan.targets.length - 1);
    }
    drawProgress(found, isOld);
    drawChoice(found);
    drawMap(found, isOld);
    drawLargest(found);
    drawCell();
    write(panel.number, found ? numberText(found.plan, targetOf(found.plan), unit) : '');
    write(panel.means, found ? meaningOf(found.plan, unit) : '');
  }

  /** The cell of the view, where the map begins. */
  function cellInView(plan) {
    const index = isOfPart(plan, now.picture.part) ? shownCell(plan, now.picture, now.place) : -1;
    return index < 0 ? null : { index, target: targetOf(plan) };
  }

  const isSelectable = ({ targets }) => targets.some(({ tokens }) => tokens.length > 0);

  function targetOf(plan) {
    const isOfText = plan.over === 'heads' && isWhole;
    return plan.whole && (isOfText || !isSelectable(plan)) ? whole : target;
  }

  function drawChoice(found) {
    const { of } = panel;
    of.set.hidden = !(found?.plan.whole && found.plan.over === 'heads' && isSelectable(found.plan));
    if (of.set.hidden) return;
    write(of.texts[0], targetName(found.plan, target));
    write(of.texts[1], found.plan.whole);
    for (const input of of.inputs) input.checked = (input.value === 'text') === isWhole;
  }

  function drawProgress(found, isOld) {
    const isRunning = measuring.isRunning();
    const [done, total] = found ? [found.runs.length, found.plan.cells.length] : [0, 0];
    const again = isRunning ? '' : reasonFor(found, isOld);
    root.dataset.over = now.state.sweep;
    root.dataset.state = isRunning ? 'measuring' : again === '' ? 'done' : 'again';
    panel.far.hidden = !isRunning && again === '';
    panel.bar.hidden = !isRunning;
    if (found) Object.assign(panel.bar, { max: total, value: done });
    else panel.bar.removeAttribute('value');
    write(panel.count, isRunning ? `${done} of ${found ? total : '…'}` : again);
    write(panel.button, isRunning ? 'Cancel' : 'Measure again');
    panel.button.hidden = !isRunning && !now.isReady;
  }

  /** The reason to measure again, or ''. */
  function reasonFor(found, isOld) {
    const why = measuring.why();
    if (why !== '' || !found) return why;
    const { plan, runs, isDone } = found;
    if (isOld) return 'The text, or what is blocked, is another now.';
    if (!isDone) return `Canceled at ${runs.length} of ${plan.cells.length}.`;
    if (!isOfPart(plan, now.picture.part)) return 'These are the words of the other text.';
    const isElsewhere = plan.isPartial && targetIn(plan, now.picture, now.place.row) < 0;
    return isElsewhere ? 'Measured at another word.' : '';
  }

  function drawMap(found, isOld) {
    map.hidden = !found;
    root.classList.toggle('old', isOld);
    if (!found) {
      grid = null;
      return;
    }
    const isNew = grid?.plan !== found.plan;
    const before = isNew ? cellInView(found.plan) : selectedCell();
    grid = createGrid(found, targetOf(found.plan));
    const selected = before && grid.placeOf(before);
    map.style.setProperty('--columns', grid.options.columnLabels.length);
    map.update({ ...grid.options, ...(selected && { selected }) });
  }

  function drawCell() {
    const place = grid && pointed?.row !== undefined ? grid.cellAt(pointed) : selectedCell();
    write(panel.cell, place ? `${sentenceOf(measuring.found(), place)}.` : '');
  }

  function drawLargest(found) {
    const { list, status } = panel;
    list.hidden = !found?.isDone;
    if (list.hidden) {
      write(status, '');
      return;
    }
    const at = targetOf(found.plan);
    const top = largest(found, at, shownLargest);
    write(status, `Largest effects on ${targetName(found.plan, at)}:`);
    const texts = top.map(({ index, effect }) => [
      cellName(found.plan.cells[index]),
      ` ${formatEffect(effect)}`,
    ]);
    const key = JSON.stringify([texts, at]);
    if (list.dataset.key === key) return;
    list.dataset.key = key;
    const buttonOf = ({ index }, [name, number]) => {
      const click = () => open({ index, target: at });
      return element(
        'button',
        { type: 'button', class: 'quiet', click },
        element('bdi', {}, name),
        number,
      );
    };
    list.replaceChildren(...top.map((one, n) => element('li', {}, buttonOf(one, texts[n]))));
  }

  return {
    show(next) {
      now = next;
      const { state, picture, isReady } = next;
      const isOn =
        state.sweep !== '' && ['model', 'own'].includes(state.source) && Boolean(picture);
      const isOpening = isOn && root.hidden;
      root.hidden = !isOn;
      if (!isOn) {
        measuring.stop();
        started = '';
        return;
      }
      measuring.stopIfOld(next);
      // Opening the panel starts a sweep, and so does the choice between heads and words.
      if (isReady && started !== state.sweep) {
        started = state.sweep;
        start();
      } else draw();
      if (isOpening && next.isAsked()) panel.title.focus();
    },
  };
}
