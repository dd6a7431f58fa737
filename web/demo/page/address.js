// State of the page as the fragment (#…) of its address. Fields with their default value are left out.

import { fields, initialState, openingState } from '../state_fields.js';
import { fieldsOf, textsOf } from '../texts.js';

/** Max length of a text in a link: some programs cut addresses at about 8,000 characters. */
export const longestShared = 2000;

const write = (value) => {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
};

/** Sources whose addresses have these fields. */
const ofSource = { file: 'files', model: 'own' };

/** @returns {string} '' for the state that the page opens with, else '#…' */
export function writeAddress(state) {
  const isEqual = (name) => write(state[name]) === write(openingState[name]);
  if (Object.keys(fields).every(isEqual)) return '';
  const parts = new URLSearchParams();
  for (const name of Object.keys(fields)) {
    const value = state[name];
    if (Object.hasOwn(ofSource, name) && ofSource[name] !== state.source) continue;
    // A link to the tour without a mode leads on to Cross.
    const isNeeded = name === 'mode' && state.tour !== null;
    if (value === null || (write(value) === write(initialState[name]) && !isNeeded)) continue;
    const written = write(value);
    if (written.length <= longestShared) parts.set(name, written);
  }
  if (`${parts}` === '') parts.set('mode', state.mode);
  return `#${parts}`;
}

const textNames = ['text', 'context', 'french', 'otherText'];

/** Texts too long for an address, by field name. */
const longTextsOf = (state) =>
  Object.fromEntries(
    textNames
      .filter((name) => state[name].length > longestShared)
      .map((name) => [name, state[name]]),
  );

/** Inverse of longTextsOf(): texts from the state of the browser's history. */
export function readLongTexts(state) {
  const given = Object(state?.longTexts);
  const isText = (name) => Object.hasOwn(given, name) && typeof given[name] === 'string';
  return Object.fromEntries(textNames.filter(isText).map((name) => [name, given[name]]));
}

/** True if a text of the state is too long for a link. */
export const tooLongToShare = (state) => textsOf(state).some((text) => text.length > longestShared);

/** State of a link; missing and invalid fields have their default. */
export function readAddress(hash) {
  if (hash.length < 2) return { ...openingState };
  const state = { ...initialState };
  const given = new URLSearchParams(hash.replace(/^#/, ''));
  for (const [name, written] of given) {
    if (!Object.hasOwn(fields, name)) continue;
    const value = fields[name].read(written.slice(0, 20_000));
    if (value !== undefined) state[name] = value;
  }
  // A link to a step of the tour leads on to the picture that the page opens with.
  if (given.has('tour') && !given.has('mode') && state.tour !== null)
    state.mode = openingState.mode;
  // Soft lookup was a mode.
  if (given.get('mode') === 'lookup') state.tour = 0;
  // The flow was an inspector beside the map.
  if (given.get('inspector') === 'yes') state.flow = true;
  // The whole block and the logit lens were one.
  if (given.get('inside') === 'yes') Object.assign(state, { whole: true, lens: true });
  // A link may name the two visible fields (`first`, `second`) instead of the texts of the state.
  const [first, second = 'context'] = fieldsOf(state);
  for (const [field, name] of Object.entries({ first, second })) {
    if (given.has(field)) state[name] = (given.get(field) ?? '').slice(0, 20_000);
  }
  return state;
}

const addsHistoryEntry = (name) =>
  ['mode', 'source', 'view', 'tour', 'begin', 'readFrom', 'block', 'sweep'].includes(name);
const pause = 300; // ms; browsers limit how often an address may change

/** `go(state)` is called when the reader navigates or edits the address. */
export function createAddressHistory(go) {
  /** @type {ReturnType<typeof setTimeout> | undefined} timer of the pending change of address */
  let keeping;
  let isGoing = true; // false while navigating back

  /** Texts too long for the address go into history.state, and survive a reload. */
  function writeHistory(state, how) {
    clearTimeout(keeping);
    const address = writeAddress(state) || location.pathname + location.search;
    history[how]({ longTexts: longTextsOf(state) }, '', address);
  }

  for (const event of ['hashchange', 'popstate']) {
    addEventListener(event, () => {
      clearTimeout(keeping);
      isGoing = false;
      go(stateOfAddress());
      isGoing = true;
    });
  }

  return {
    /**
     * Call after a change of state; `changed`: names of its fields; `isTyped`: a text was typed. A text that is replaced
     * in any other way stays in the entry before.
     */
    follow(state, changed, before, isTyped) {
      clearTimeout(keeping);
      const isReplaced = !isTyped && changed.some((name) => textNames.includes(name));
      if (isGoing && (isReplaced || changed.some(addsHistoryEntry))) {
        writeHistory(before, 'replaceState');
        writeHistory(state, 'pushState');
      } else keeping = setTimeout(() => writeHistory(state, 'replaceState'), pause);
    },
  };
}

export function stateOfAddress() {
  return { ...readAddress(location.hash), ...readLongTexts(history.state) };
}
