// The reader's own model: where it is chosen, how far its loading is, what it is, and what is kept of it. The worker
// opens it; what it answers comes to answer(), refuse() and progress().

import { element, write } from '../element.js';
import { chosenFiles, droppedFiles } from './dropped_files.js';
import { showCard, showKept } from './model_list.js';
import { createPatches } from './patches.js';
import { whatCanBeOpened } from './what_can_be_opened.js';
import './own_model.css';

/**
 * `link`: open(from), close(), keep(what), which return the id that their answers have, and cancel(); `getState`,
 * `change` and `read` as everywhere.
 */
export function createOwnModel(root, { link, getState, change, read }) {
  let working = null; // the id of what is being opened or kept
  let taken = null; // what was dropped last
  let source = null; // that is chosen
  let isSpeaking = false; // of what was dropped, and not opened

  const folder = picker('Choose its folder', { webkitdirectory: true });
  const files = picker('Choose its files', { multiple: true });
  const address = element('input', {
    id: 'model-address',
    type: 'text',
    inputmode: 'url',
    autocomplete: 'off',
    spellcheck: 'false',
    placeholder: 'https://',
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
  let seeing = null; // the model that looks at pictures, by its number
  const kept = element('ul', { class: 'open-files', 'aria-label': 'Kept models', hidden: true });
  const form = element(
    'form',
    { class: 'model-address', submit: openAddress },
    element('label', { for: address.id }, 'or its address'),
    address,
    element('button', { type: 'submit' }, 'Open'),
  );
  root.append(
    element(
      'div',
      { class: 'drop' },
      element('span', {}, 'Drop a model’s folder here (it stays on your machine)'),
      folder.element,
      files.element,
      form,
      element('label', { class: 'small', for: isSmall.id }, isSmall, ' as int8: less memory'),
    ),
    loading,
    says,
    card,
    choosePicture,
    seen,
    kept,
    whatCanBeOpened(),
  );
  const focus = () => folder.input;
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

  /** Of another model, or none, nothing is seen yet. */
  function showPictures(model, bitmap) {
    const now = model?.seesPictures ? model.id : null;
    choosePicture.hidden = now === null;
    root.classList.toggle('sees', now !== null);
    if (bitmap || now !== seeing) patches.see(bitmap ?? null);
    seeing = now;
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

  /** What went well is seen; it is said to those who listen. */
  function speak(sentence, isProblem = false) {
    write(says, sentence);
    says.classList.toggle('unseen', !isProblem);
  }

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
    if (hadFocus) (card.querySelector('button') ?? folder.input).focus();
  }

  /** A new one begins with what it is for. */
  function goTo(modes) {
    const { source, mode } = getState();
    const isSame = source === 'own' && modes.includes(mode);
    change({
      ...{ source: 'own', mode: isSame ? mode : modes[0], part: '', head: 0 },
      ...{ row: null, column: null, french: '', begin: '' },
    });
  }

  async function take(dropped) {
    taken = dropped;
    isSpeaking = true;
    if (getState().mode === 'lookup') change({ mode: 'self' });
    const picture = dropped.files.find(({ type }) => type.startsWith('image/'));
    if (picture && source === 'own' && seeing !== null) {
      lookAt(picture);
      return;
    }
    try {
      open({ files: await droppedFiles(dropped) });
    } catch ({ message }) {
      speak(`The folder cannot be read: ${message}.`, true);
    }
  }

  function showRoom() {
    root.hidden = source !== 'own' && !isSpeaking;
  }

  return {
    /**
     * `source`: where vectors are to come from; `dropped`: what own_files.js found to be a model; and what is drawn:
     * { picture, facts, place, palette }.
     */
    show(at) {
      if (at.source !== source && working === null) isSpeaking = false;
      source = at.source;
      if (at.dropped && at.dropped !== taken) take(at.dropped);
      showRoom();
      const isSeen = source === 'own' && at.facts?.from === seeing && at.facts.grid;
      patches.show(isSeen ? at.picture : null, at.facts?.grid, at.place, at.palette);
    },

    progress,

    /** What the worker says of what is open and kept; `modes`: of a model that has just been opened. */
    answer({ id, text, modes, model, kept: all, bitmap }) {
      if (id === working) end();
      if (text !== '') speak(text);
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
      if (modes) goTo(modes);
    },

    /** The worker has been stopped, and with it what was open. */
    stop() {
      const isOpen = working !== null || !card.hidden;
      if (working !== null) end();
      link.keep({ act: 'list' });
      if (isOpen) speak('Your model is closed: it did not answer.', true);
    },

    /** A sentence about what cannot be done; what another one has replaced is not spoken of. */
    refuse({ id, message }) {
      if (working !== null && id < working) return;
      if (id === working) end();
      speak(`${message}.`, true);
    },
  };
}
