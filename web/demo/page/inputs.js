// Input controls: mode, the two text fields, examples, source of vectors, layer and head.

import { openingState } from '../state_fields.js';
import { fieldsOf } from '../texts.js';
import { viewNamed } from '../view_list.js';
import { element, visibly, write } from './element.js';
import { examplesOf } from './examples.js';
import { fieldNames, partsOfName } from './field_names.js';
import { headTitle, roleText } from './views/head_of_picture.js';
import { createSheet } from './sheet.js';

/** @import { Facts } from '../types' */

/** @param {string} name */
const inputsNamed = (name) =>
  /** @type {HTMLInputElement[]} */ (Array.from(document.querySelectorAll(`[name="${name}"]`)));
const find = (selector) => document.querySelector(selector);
const averaged = 'All, averaged';

/**
 * Callbacks: `change(part of the state)`, `type(part)` for a typed text, `startExample(example)`; `sources` of the store; `choices`: result of createMapChoices().
 */
export function createInputs({ sources, change, type, startExample, choices }) {
  const sheets = Array.from(['.first-line', '.second-line'], (line) =>
    createSheet(find(`${line} .sheet`)),
  );
  const fields = sheets.map(({ field }) => field);
  const modes = inputsNamed('mode');
  const views = inputsNamed('view');
  const viewSwitches = inputsNamed('of-view');
  const [sourcePicker, part, head] = ['#source', '#part', '#head'].map(find);
  let shownExamples = '';
  let written = openingState; // the texts of the state
  let current = sources[0];
  /** @type {Facts | null} */
  let named = null; // facts used for the names of the fields

  sourcePicker.replaceChildren(
    ...sources.map(({ id, name }) => element('option', { value: id }, name)),
  );
  for (const field of fields) {
    field.addEventListener('input', () => type({ [field.dataset.text]: field.value }));
  }
  for (const event of ['focusin', 'focusout']) {
    find('.sentences').addEventListener(event, () => nameFields(written, named));
  }
  for (const radio of modes) {
    radio.addEventListener('change', () => {
      // From self-attention within a translation, Cross leads to its cross-attention.
      const isWithin = radio.value === written.mode;
      if (radio.checked) change({ mode: radio.value, ...(isWithin && { part: '' }) });
    });
  }
  for (const radio of views) {
    radio.addEventListener('change', () => radio.checked && change({ view: radio.value }));
  }
  for (const box of viewSwitches) {
    box.addEventListener('change', () =>
      change({ view: box.checked ? box.value : viewNamed(box.value).of }),
    );
  }
  sourcePicker.addEventListener('change', () => {
    const [before, after] = [current, sources.find(({ id }) => id === sourcePicker.value)];
    const { mode } = written;
    const isExample = before.examples.some((one) => one.mode === mode && hasTexts(one));
    const example = after.examples.find((one) => one.mode === mode);
    const source = sourcePicker.value;
    // An unchanged example is replaced by one of the new source; the reader's own text stays.
    const names = fieldsOf({ source, mode });
    const texts = names.map((name, at) => [name, fields[at].value]);
    change({ source, part: '', head: 0, ...Object.fromEntries(texts) });
    if (isExample && example) startExample(example);
  });
  part.addEventListener('change', () => change({ part: part.value }));
  head.addEventListener('change', () => {
    if (head.value === 'average') change({ average: true });
    else change({ head: Number(head.value), average: false });
  });

  const hasTexts = ({ first, second }) =>
    first === fields[0].value && (second === undefined || second === fields[1].value);

  function showExamples({ mode }) {
    const key = `${current.id} ${mode}`;
    if (key === shownExamples) return;
    shownExamples = key;
    const buttonOf = (example) =>
      element(
        'button',
        { type: 'button', lang: example.lang, click: () => startExample(example) },
        example.name,
      );
    const { first, others } = examplesOf(current, mode);
    find('.texts .examples').replaceChildren(...first.map(buttonOf));
    const room = find('.examples.others');
    room.replaceChildren(...others.map(buttonOf));
    room.parentElement.hidden = others.length === 0;
  }

  /** `isAwaiting`: the picture of the texts is still to come. */
  const alignSheets = (isAwaiting) => sheets.forEach(({ align }) => align(isAwaiting));

  return {
    alignSheets,

    /** Updates chosen values and texts; `mode`: the one that the switch shows. */
    show(state, source, mode) {
      current = source;
      written = state;
      for (const radio of modes) radio.checked = radio.value === mode;
      fieldsOf(state).forEach((name, at) => {
        fields[at].dataset.text = name;
        sheets[at].write(state[name]);
      });
      showView(state.view);
    },

    /** Updates the available choices and their names. */
    showAround(state, source, facts, picture) {
      current = source;
      find('.heads-picker').classList.toggle('away', !facts);
      showExamples(state);
      sourcePicker.value = current.id;
      write(find('#source-says'), current.says);
      write(find('.meaning'), current.meaning);
      nameFields(state, facts);
      find('.files').hidden = !current.settings.includes('files');
      showParts(state, facts, picture);
    },
  };

  /** The entry of the menu, and the switches of that entry. */
  function showView(name) {
    const entry = viewNamed(name).of ?? name;
    for (const radio of views) radio.checked = radio.value === entry;
    for (const box of viewSwitches) box.checked = box.value === name;
  }

  /**
   * Names the two fields as the source does. The placeholder of an empty field is the text that the source wrote into
   * it.
   */
  function nameFields(state, facts) {
    const { mode } = state;
    const filled = state[fieldsOf(state)[0]].trim() === '' && facts?.translation;
    sheets[0].offer(filled || '');
    const { names, read } = fieldNames(current, mode, facts, Boolean(filled));
    find('.sentences').classList.toggle('named', names.length > 0);
    // A focused field keeps the name of what is typed into it.
    fields.forEach((field, at) => {
      showName(field, (document.activeElement === field ? names : read)[at]);
    });
    named = facts;
    fields[0].placeholder = filled ? visibly(facts.translation) : '';
    const says = filled ? `The model writes: ${visibly(facts.translation)}` : '';
    fields[0].setAttribute('aria-description', says);
  }

  function showParts(state, facts, picture) {
    if (!facts) return;
    const options = facts.parts.map(({ id, name }) => [id, name]);
    fill(part, options, facts.part);
    part.hidden = options.length < 2;
    const { heads } = facts.parts.find(({ id }) => id === facts.part);
    const roleOf = (at) => picture?.roles?.[picture.average ? -1 : at];
    const nameOf = (at) => `Head ${at + 1}`;
    const list = Array.from({ length: heads }, (_, at) => {
      const role = roleOf(at);
      return [String(at), role ? `${nameOf(at)}: ${roleText(role)}` : nameOf(at)];
    });
    if (heads > 1) list.push(['average', averaged]);
    const chosen = Math.min(state.head, heads - 1);
    const isAverage = state.average && heads > 1;
    fill(head, list, isAverage ? 'average' : String(chosen));
    // A view of all heads of a layer has its own list, of those that are drawn.
    find('.of-head').hidden = viewNamed(state.view).shows === 'layer';
    // The closed list shows the number alone; the role stands in its entries, with its basis in the tooltip.
    const name = isAverage ? averaged : nameOf(chosen);
    write(find('.head-name'), name);
    choices.show(options.length > 1 && part.selectedOptions[0]?.text, heads > 1 && name);
    head.title = headTitle(picture, state.head);
    part.disabled = facts.isPrerendered ?? false;
    head.disabled = heads < 2 || part.disabled;
  }
}

/** A name such as “French: yours”: the language, and in small type what the text is. */
function showName({ labels: [label] }, name) {
  const [title, says] = partsOfName(name);
  write(label.querySelector('.given-name'), title);
  write(label.querySelector('.given-name + small'), says);
}

function fill(select, options, value) {
  const key = JSON.stringify(options);
  if (select.dataset.key !== key) {
    select.dataset.key = key;
    select.replaceChildren(...options.map(([id, name]) => element('option', { value: id }, name)));
  }
  select.value = value;
}
