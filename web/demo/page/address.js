// The state as the address's #…, so that a link shows the same: only what a link has to say.

import { fields, initialState, openingState } from '../state_fields.js';
import { fieldsOf, textsOf } from '../texts.js';

/** Longer texts stay out of links: some programs cut addresses at about 8,000 characters. */
export const longestShared = 2000;

const write = (value) => {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
};

/** @returns {string} '' for the state that the page opens with, else '#…' */
export function writeAddress(state) {
  const isEqual = (name) => write(state[name]) === write(openingState[name]);
  if (Object.keys(fields).every(isEqual)) return '';
  const parts = new URLSearchParams();
  for (const name of Object.keys(fields)) {
    const value = state[name];
    if (value === null || write(value) === write(initialState[name])) continue;
    const written = write(value);
    if (written.length <= longestShared) parts.set(name, written);
  }
  if (`${parts}` === '') parts.set('mode', state.mode);
  return `#${parts}`;
}

const textNames = ['text', 'context', 'french'];

/** The texts that an address does not have, by their names. */
export const longTextsOf = (state) =>
  Object.fromEntries(
    textNames
      .filter((name) => state[name].length > longestShared)
      .map((name) => [name, state[name]]),
  );

/** The same, read back from the state of the browser's history. */
export function readLongTexts(state) {
  const given = Object(state?.longTexts);
  const isText = (name) => Object.hasOwn(given, name) && typeof given[name] === 'string';
  return Object.fromEntries(textNames.filter(isText).map((name) => [name, given[name]]));
}

/** Texts that a link to this state would not have. */
export const tooLongToShare = (state) => textsOf(state).some((text) => text.length > longestShared);

/** The state of a link; what it does not say, or says wrongly, is as in every link. */
export function readAddress(hash) {
  if (hash.length < 2) return { ...openingState };
  const state = { ...initialState };
  const given = new URLSearchParams(hash.replace(/^#/, ''));
  for (const [name, written] of given) {
    if (!Object.hasOwn(fields, name)) continue;
    const value = fields[name].read(written.slice(0, 20_000));
    if (value !== undefined) state[name] = value;
  }
  // A link may also say what stands in the two fields of the page, whatever texts these are.
  const [first, second = 'context'] = fieldsOf(state);
  for (const [field, name] of Object.entries({ first, second })) {
    if (given.has(field)) state[name] = given.get(field).slice(0, 20_000);
  }
  return state;
}
