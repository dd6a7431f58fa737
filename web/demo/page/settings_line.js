// Settings line: summary of the current settings, and the panel below it, which is loaded when it is first opened.

import { kindOf } from '../kinds.js';
import { element, write } from './element.js';
import { isOnlyDrawn } from '../state/settings.js';
import { roleIn, roleText } from './views/head_of_picture.js';

const key = 'attention: settings'; // key in localStorage
const sheet = matchMedia('(max-width: 59.99rem)'); // screens on which the panel is a bottom sheet

/** `change` as for the controls; `render()` is called once they are loaded; `wait(promise)` until then. */
export function createSettings(root, { change, render, wait }) {
  const button = root.querySelector('#settings');
  const panel = root.querySelector('.panel');
  const inForce = root.querySelector('.in-force');
  const does = root.querySelector('.does');
  let controls = null;

  async function open(isOpen) {
    button.setAttribute('aria-expanded', String(isOpen));
    panel.hidden = !isOpen;
    document.body.classList.toggle('with-settings', isOpen);
    if (!isOpen || controls) return;
    const { createControls } = await wait(import('./controls/control_panel.js'));
    controls ??= createControls(panel, change);
    render();
  }

  function toggle() {
    const isOpen = panel.hidden;
    keep(isOpen);
    open(isOpen);
    // Scrolls to the picture, so that it is visible above the panel.
    if (isOpen && sheet.matches) document.querySelector('#picture').scrollIntoView();
  }
  function close() {
    toggle();
    button.focus();
  }
  button.addEventListener('click', toggle);
  panel.prepend(
    element('button', { type: 'button', class: 'close', click: close }, 'Close settings'),
  );
  panel.addEventListener('keydown', ({ key: pressed }) => {
    if (pressed === 'Escape' && sheet.matches) close();
  });
  // On a phone the panel never opens by itself.
  if (isKept() && !sheet.matches) open(true);

  return {
    /** `at`: { state, facts, picture, source } */
    show(at) {
      write(inForce, at.facts ? summaryOf(at) : '');
      const role = at.facts && roleIn(at.picture, at.state.head);
      write(does, role ? ` · ${roleText(role)}` : '');
      controls?.show(at);
    },
  };
}

// localStorage may be unavailable.
function keep(isOpen) {
  try {
    localStorage.setItem(key, isOpen ? 'open' : '');
  } catch {
    // The panel starts collapsed on the next visit.
  }
}

function isKept() {
  try {
    return localStorage.getItem(key) === 'open';
  } catch {
    return false;
  }
}

/**
 * Summary such as "softmax · 1/√48 · head 1 of 4, encoder layer 1 of 3", plus settings that differ from their default.
 */
export function summaryOf({ state, facts }) {
  const { kind, temperature, softcap, windowLeft, windowRight, stage, sort } = state;
  const { scale } = facts.options;
  const head = headOf(state, facts);
  const sorted = sort !== 'text' && 'columns sorted';
  if (facts.made) return [facts.made, sorted].filter(Boolean).join(' · ');
  if (facts.fixed) return ['given weights', head, sorted].filter(Boolean).join(' · ');
  const hasWindow = windowLeft !== null || windowRight !== null;
  return [
    lower(kindOf(kind).name),
    scale !== undefined && `${scaleOf(scale * temperature, facts.keyDim)}`,
    temperature !== 1 && `temperature ${temperature}`,
    softcap !== 0 && `softcap ${softcap}`,
    head,
    (state.causal ?? facts.causal) && 'only backwards',
    hasWindow && `window ${windowLeft ?? 'all'}, ${windowRight ?? 'all'}`,
    stage !== 'weights' && 'stage ' + stageNames[stage],
    sorted,
    isOnlyDrawn(state, facts) && 'in the picture only',
  ]
    .filter(Boolean)
    .join(' · ');
}

const stageNames = {
  raw: 'score',
  scaled: 'scaled',
  masked: 'masked',
  moved: 'moved',
  difference: 'Δ softmax',
};

const lower = (name) => name[0].toLowerCase() + name.slice(1);

function scaleOf(scale, keyDim) {
  if (Math.abs(scale * Math.sqrt(keyDim) - 1) < 1e-6) return `1/√${keyDim}`;
  return `scale ${Number(scale.toPrecision(4))}`;
}

/** A single head is not mentioned. */
function headOf({ head, average }, { part, parts }) {
  const { name, heads } = parts.find(({ id }) => id === part);
  const [stack] = part.split('.');
  const likes = parts.filter(({ id }) => id.split('.')[0] === stack && !id.endsWith('.rollout'));
  const says = [];
  if (heads > 1) {
    const shown = Math.min(head, heads - 1) + 1;
    says.push(average ? `${heads} heads averaged` : `head ${shown} of ${heads}`);
  }
  if (parts.length > 1) says.push(`${lower(name)} of ${likes.length}`);
  return says.join(', ');
}
