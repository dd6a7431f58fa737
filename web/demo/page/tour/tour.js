// The tour replaces the page's main content and builds attention from the trained model, one idea per step. The step is
// part of the state, so that the browser's Back button works; the reader's texts stay as they are.

import '../style/tour.css';
import { messageOf } from '../../../lib/arguments/message_of.js';
import { colorScale } from 'attention-wasm/heatmap';
import { element, write, writeFormula } from '../element.js';
import { readPalette } from '../palette.js';
import { createLedger } from './parts/ledger.js';
import { beginning } from './place.js';
import { steps } from './steps.js';

/** @import { TourPlace } from './place.js' */
/** @import { Step } from './steps.js' */

/**
 * `ask(question)` resolves to an answer of the worker; `change({ tour: step })` goes to a step, null ends the tour;
 * `tryText()` ends it for a text of the reader; `present()` opens or leaves the full-screen view.
 */
export function createTour(root, starter, { ask, change, tryText, present }) {
  const main = /** @type {HTMLElement} */ (document.querySelector('main'));
  let at = null;
  let lesson = null;
  let loading = null;
  // Its other fields come with the state and the lesson, before a step reads them.
  let place = /** @type {TourPlace} */ ({ at: null });
  /** @type {ReturnType<Step['build']> | null} */
  let shown = null; // result of build() of the current step
  let palette = paletteNow();
  let isTrying = false; // the reader goes on to a text of their own
  const go = (step) => change({ tour: step });

  const title = element('h2', { tabindex: '-1' });
  const count = element('p', { class: 'count' });
  const ways = steps.map((step, index) =>
    element(
      'button',
      {
        type: 'button',
        'aria-label': `${index + 1}: ${step.title.replace('_', '')}`,
        click: () => go(index),
      },
      String(index + 1),
    ),
  );
  const stage = element('div', { class: 'subject' });
  const says = element('div', { class: 'says' });
  const formula = element('p', { class: 'formula' });
  const button = (attributes, text) => element('button', { type: 'button', ...attributes }, text);
  const back = button({ class: 'quiet', click: () => go(at - 1) }, 'Back');
  const next = button({ class: 'next', click: () => forward() }, 'Next');
  const end = button({ class: 'quiet end', click: () => go(null) }, 'End the tour');
  const ledger = createLedger((id, part) => {
    place = { ...place, at: null, ...part };
    arriving = part;
    go(steps.findIndex((step) => step.id === id));
  });
  let arriving = null;
  const card = element(
    'div',
    { class: 'card' },
    formula,
    says,
    element('div', { class: 'buttons' }, back, next, end),
  );
  root.append(
    element(
      'div',
      { class: 'head' },
      element('nav', { 'aria-label': 'Steps of the tour' }, ways, count),
      button({ class: 'quiet present', title: 'Key F', click: present }, 'Full screen'),
      title,
    ),
    element('div', { class: 'ground' }, stage, ledger.element),
    card,
  );
  root.setAttribute('role', 'main');
  root.setAttribute('aria-label', 'Tour');

  function forward() {
    if (at + 1 < steps.length) go(at + 1);
    else {
      isTrying = true;
      tryText();
    }
  }
  document.addEventListener('keydown', (event) => {
    if (at === null || event.defaultPrevented) return;
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    const { matches } = /** @type {Element} */ (event.target);
    const isField = matches?.call(event.target, 'input, select, textarea, summary, .terms');
    if (event.key === 'Escape') go(null);
    else if (isField) return;
    else if (event.key === 'ArrowRight') forward();
    else if (event.key === 'ArrowLeft' && at > 0) go(at - 1);
    else if (event.key === 'Enter' && event.target === title) forward();
    else return;
    event.preventDefault();
  });
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
    palette = paletteNow();
    if (at !== null) draw();
  });

  /** Shows a step of the state, and its price list; a `tour` of null leaves the tour. */
  function show({ tour: target, lookup }) {
    const step = target === null ? null : Math.min(target, steps.length - 1);
    const isOtherList = lookup !== place.lookup;
    place = { ...place, lookup };
    if (step === at) {
      if (isOtherList) draw();
      return;
    }
    const wasOut = at === null;
    at = step;
    main.hidden = at !== null;
    root.hidden = at === null;
    document.body.classList.toggle('touring', at !== null);
    if (at === null) {
      stage.replaceChildren();
      shown = null;
      leave();
      return;
    }
    if (!arriving) place = { ...place, at: null };
    arriving = null;
    if (wasOut) palette = paletteNow();
    fetchLesson();
    build();
    scrollTo({ top: 0 });
    title.focus({ preventScroll: true });
  }

  function leave() {
    /** @type {NodeListOf<HTMLTextAreaElement>} */
    const sheets = main.querySelectorAll('.sheet textarea');
    const fields = Array.from(sheets);
    const field = isTrying && fields.find((one) => one.checkVisibility());
    isTrying = false;
    (field || starter).focus();
    if (field) field.select();
  }

  async function fetchLesson() {
    if (lesson || loading) return;
    loading = ask({ about: 'lesson' });
    try {
      lesson = await loading;
      place = { ...beginning(lesson), ...place };
    } catch (error) {
      write(stage, `The model cannot be shown: ${messageOf(error)}.`);
    }
    loading = null;
    if (at !== null && lesson && !shown) build();
  }

  function build() {
    const step = steps[at];
    writeFormula(title, step.title);
    write(count, `${at + 1} of ${steps.length}`);
    ways.forEach((way, index) => {
      if (index === at) way.setAttribute('aria-current', 'step');
      else way.removeAttribute('aria-current');
    });
    writeFormula(formula, step.formula);
    back.disabled = at === 0;
    const isLast = at === steps.length - 1;
    write(next, isLast ? 'Try my own text' : 'Next');
    end.hidden = isLast;
    root.dataset.step = step.id;
    const isReady = lesson !== null || step.withoutModel === true;
    root.dataset.waiting = String(!isReady);
    if (!isReady) {
      shown = null;
      write(stage, 'The model is on its way (5 MB).');
      says.replaceChildren();
      ledger.show(null);
      return;
    }
    shown = step.build({ lesson, ask, pick, change });
    stage.replaceChildren(...shown.elements);
    draw();
  }

  function pick(part) {
    const given = Object.entries(part).filter(([, value]) => value !== undefined);
    place = { ...place, ...Object.fromEntries(given) };
    if (at !== null && shown) draw();
  }

  function draw() {
    if (!shown) return;
    const texts = steps[at].says(lesson, place).map(unbroken);
    while (says.children.length > texts.length) says.lastElementChild.remove();
    while (says.children.length < texts.length) says.append(element('p'));
    texts.forEach((text, index) => writeFormula(says.children[index], text));
    ledger.show(shown.show(place, palette));
  }

  return { show };
}

/** Word joiners: Firefox would break a line within </s>. */
const unbroken = (text) => text.replaceAll('</s>', '<\u2060/\u2060s>');

function paletteNow() {
  const palette = readPalette();
  const signed = colorScale({ surface: palette.surface, signed: true });
  const { surface, ink, muted } = palette;
  return {
    ...palette,
    signedShadeOf: signed.colorOf,
    plain: { fill: surface, text: ink },
    hidden: { fill: surface, text: muted },
    read: palette.shadeOf(1),
  };
}
