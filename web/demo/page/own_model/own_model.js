// Panel of the reader's model: picker, progress of loading, card, kept models. The worker opens the model; its answers
// go to answer(), refuse() and progress().

import { messageOf } from '../../../lib/arguments/message_of.js';
import { isOfTexts } from '../../texts.js';
import { element, write } from '../element.js';
import { chosenFiles, droppedFiles } from './dropped_files.js';
import { keptIn } from './kept_view.js';
import { showCard, showKept } from './model_list.js';
import { createPatches } from './patches.js';
import { supportedModels } from './supported_models.js';
import './own_model.css';

/**
 * `link`: open(from), close() and keep(what) return the id of their answers; cancel(). `getState`, `change` and `read`
 * as in actions.js.
 */
export function createOwnModel(root, { link, getState, change, read }) {
  let working = null; // id of the request being answered
  let taken = null; // the latest drop
  let source = null; // source in the state
  let isSpeaking = false; // whether a message about a dropped model is visible

  const folder = picker('Choose its folder', { webkitdirectory: true });
  const files = picker('Choose its files', { multiple: true });
  const address = element('input', {
    id: 'model-address',
    type: 'text',
    inputmode: 'url',
    autocomplete: 'off',
    spellcheck: 'false',
    placeholder: 'https://… or OWNER/NAME',
  });
  const isSmall = element('input', { id: 'model-int8', type: 'checkbox' });
  const says = element('p', { class: 'hint model-says unseen', role: 'status' });
  const bar = element('progress', { max: 1, 'aria-label': 'Reading the model' });
  const far = element('span');
  const stop = element('button', { type: 'button', click: () => link.cancel() }, 'Cancel');
  const loading = element('div', { class: 'model-loading', hidden: true }, bar, far, stop);
  const card = element('div', { class: 'model-card', hidden: true });
  const choosePicture = element(
    'label',
    { class: 'picker', hidden: true },
    'Choose a picture',
    element('input', { type: 'file', class: 'unseen', accept: 'image/*', change: look }),
  );
  const seen = element('div', { class: 'patches', hidden: true });
  const patches = createPatches(seen, { read });
  let viewer = null; // id of the model that takes pictures
  const kept = element('ul', { class: 'open-files', 'aria-label': 'Kept models', hidden: true });
  const form = element(
    'form',
    { class: 'model-address', submit: openAddress },
    element('label', { for: address.id }, 'or its address'),
    address,
    element('button', { type: 'submit' }, 'Open'),
  );
  // Folded once a model is open: the picture comes first.
  const picking = element(
    'details',
    { class: 'picking', open: true },
    element('summary', {}, 'Open another model'),
    element(
      'div',
      { class: 'drop' },
      element('span', {}, 'Drop a model’s folder here (it stays on your machine)'),
      folder.element,
      files.element,
      form,
      element('label', { class: 'small', for: isSmall.id }, isSmall, ' as int8: less memory'),
    ),
    kept,
    supportedModels(),
  );
  const seeing = element('div', { class: 'seeing' }, choosePicture, seen);
  root.append(loading, says, card, picking, seeing);
  let openId = null; // of the model that the card describes
  const focus = () => (picking.open ? folder.input : picking.firstElementChild);

  function fold(model) {
    const id = model?.id ?? null;
    if (id === openId) return;
    openId = id;
    picking.open = id === null;
    root.classList.toggle('has-model', id !== null);
  }
  link.keep({ act: 'list' });

  function picker(name, attributes) {
    const input = element('input', { type: 'file', class: 'unseen', ...attributes });
    input.addEventListener('change', () => {
      open({ files: chosenFiles(input.files) });
      input.value = '';
    });
    return { input, element: element('label', { class: 'picker' }, name, input) };
  }

  function look({ target }) {
    const [picture] = target.files;
    if (picture) lookAt(picture);
    target.value = '';
  }

  function lookAt(picture) {
    begin(link.open({ picture }), `Looking at ${picture.name}`);
  }

  /** Another model starts without an image. */
  function showPictures(model, bitmap) {
    const now = model?.seesPictures ? model.id : null;
    choosePicture.hidden = now === null;
    root.classList.toggle('sees', now !== null);
    if (bitmap || now !== viewer) patches.see(bitmap ?? null);
    viewer = now;
  }

  function openAddress(event) {
    event.preventDefault();
    if (address.value.trim() !== '') open({ address: address.value });
  }

  function open(from) {
    const weights = isSmall.checked ? 'int8' : 'as stored';
    begin(link.open({ ...from, weights }), 'Looking at the files');
  }

  function begin(id, doing) {
    working = id;
    speak('');
    progress({ id, text: doing });
  }

  /** Shows an error; success is visible, and only announced to screen readers. */
  function speak(sentence, isProblem = false) {
    write(says, sentence);
    says.classList.toggle('unseen', !isProblem);
    says.classList.toggle('problem', isProblem);
  }

  /** @param {{ id: number, text: string, fraction?: number }} message */
  function progress({ id, text, fraction }) {
    if (id !== working) return;
    loading.hidden = false;
    if (fraction === undefined) bar.removeAttribute('value');
    else bar.value = fraction;
    write(far, text);
  }

  function end() {
    working = null;
    const hadFocus = loading.contains(document.activeElement);
    loading.hidden = true;
    if (hadFocus) (card.querySelector('button') ?? focus()).focus();
  }

  /** A newly opened model is shown as the state says, as far as it can; after another source it begins anew. */
  function goTo(modes, stacks) {
    const state = getState();
    if (state.source === 'own') {
      change(keptIn(state, modes, stacks));
      return;
    }
    change({
      ...{ source: 'own', mode: modes[0], part: '', head: 0 },
      ...{ row: null, column: null, french: '', begin: '' },
    });
  }

  async function take(dropped) {
    taken = dropped;
    isSpeaking = true;
    if (!isOfTexts(getState().mode)) change({ mode: 'self' });
    const picture = dropped.files.find(({ type }) => type.startsWith('image/'));
    if (picture && source === 'own' && viewer !== null) {
      lookAt(picture);
      return;
    }
    try {
      open({ files: await droppedFiles(dropped) });
    } catch (error) {
      speak(`The folder cannot be read: ${messageOf(error)}.`, true);
    }
  }

  function showRoom() {
    root.hidden = source !== 'own' && !isSpeaking;
  }

  return {
    /**
     * `source`: current source of vectors; `dropped`: files that own_files.js recognized as a model; and the current {
     * picture, facts, place, palette }.
     */
    show(at) {
      if (at.source !== source && working === null) isSpeaking = false;
      source = at.source;
      if (at.dropped && at.dropped !== taken) take(at.dropped);
      showRoom();
      const isSeen = source === 'own' && at.facts?.from === viewer && at.facts.grid;
      patches.show(isSeen ? at.picture : null, at.facts?.grid, at.place, at.palette);
    },

    progress,

    /** Shows the worker's answer about the open and kept models; `modes` and `stacks`: of a model that was just opened. */
    answer({ id, text, modes, stacks, model, kept: all, bitmap }) {
      if (id === working) end();
      if (text !== '') speak(text);
      fold(model);
      showCard(card, model, {
        close: () => link.close(),
        keep: () => begin(link.keep({ act: 'keep' }), 'Keeping'),
        focus,
      });
      showKept(kept, all, {
        open: (name) => open({ kept: name }),
        remove: (name) => link.keep({ act: 'remove', name }),
        focus,
      });
      showPictures(model, bitmap);
      if (modes) goTo(modes, stacks);
    },

    /** The worker was stopped: the model is closed. */
    stop() {
      const isOpen = working !== null || !card.hidden;
      if (working !== null) end();
      link.keep({ act: 'list' });
      if (isOpen) speak('Your model is closed: it did not answer.', true);
    },

    /** Shows an error; errors of superseded requests are ignored. */
    refuse({ id, message }) {
      if (working !== null && id < working) return;
      if (id === working) end();
      speak(`${message}.`, true);
    },
  };
}
