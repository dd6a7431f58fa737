// Mode "Learn": a small Transformer learns a task in a worker of its own, and its attention is drawn while it does.

import { readSettings, writeSettings } from '../../learn_settings.js';
import { firstPairs, readPairs } from '../../pairs_task.js';
import { messageOf } from '../../../lib/arguments/message_of.js';
import { element, write } from '../element.js';
import { createCourse } from './course.js';
import { createRunAttention } from './run_attention.js';
import { createSettingsForm } from './settings_form.js';
import { solvedText } from './task_texts.js';
import './learn.css';

const calmPause = 1000; // ms between pictures for those who prefer reduced motion

const pairsOf = ({ pairs }) => (pairs === '' ? firstPairs : pairs);

/** Two runs with the same text are the same. */
const runText = (settings, state) =>
  writeSettings(settings) + (settings.task === 'pairs' ? `\n${pairsOf(state)}` : '');

/** The worker that trains; answers: functions by the type of its messages. */
function startWorker(answers) {
  const worker = new Worker(new URL('../../worker/learn/learner.js', import.meta.url), {
    type: 'module',
  });
  worker.addEventListener('message', ({ data }) => answers[data.type](data));
  worker.addEventListener('error', ({ message }) => answers.stopped({ message }));
  return (type, more) => worker.postMessage({ type, ...more });
}

/** Downloads the files of a model; returns a sentence about them. */
async function saveFiles(files) {
  const names = Object.keys(files);
  const formats = await import('../exports/formats.js');
  for (const name of names) formats.save(name, new Blob([files[name]]));
  return `${names.slice(0, -1).join(', ')} and ${names.at(-1)} are saved.`;
}

/**
 * Fills `root`; `change` as in actions.js. `open(files, state)` opens the trained model as the reader's own, with these
 * fields of the state.
 */
export function createLearn(root, { change, open }) {
  let state = null;
  let settings = null;
  let started = null; // text of the settings of the current run
  let picture = null; // the worker's latest
  let isPlaying = false;
  let giveFiles = null; // what to do with the files of the model
  let orders = 0; // to the worker, so far
  let firstOrder = 0; // of the current run

  const send = startWorker({ picture: takePicture, saved: (answer) => giveFiles(answer), stopped });
  const button = (id, name, click) => element('button', { type: 'button', id, click }, name);
  /** What changes the run: a picture names the latest order before it. */
  function order(type, more) {
    send(type, { order: ++orders, ...more });
    return orders;
  }
  const play = button('learn-play', 'Play', () => (isPlaying ? pause() : start()));
  const step = button('learn-step', 'One step', () => order('step'));
  const again = button('learn-again', 'Start again', () => begin());
  const use = button('learn-use', 'Try it on your own text', () => request(openModel));
  const save = button('learn-save', 'Save the model', () => request(saveModel));
  const status = element('p', { class: 'hint learn-status', role: 'status' });
  const form = createSettingsForm({
    choose: (next) => change({ learn: writeSettings(next) }),
    say(problem) {
      if (problem !== '') pause();
      speak(problem, problem !== '');
    },
    changeLines: (pairs) => change({ pairs }),
  });
  const course = createCourse({ go: (to) => order('go', { step: to }), buttons: [use, save] });
  const attention = createRunAttention();
  root.append(
    element('div', { class: 'learn-buttons' }, play, step, again),
    status,
    ...form.elements,
    course.element,
    ...attention.elements,
  );

  function start() {
    speak('');
    isPlaying = true;
    order('play');
    showButtons();
  }

  function pause() {
    order('pause');
    isPlaying = false;
    showButtons();
  }

  /** A new run from step 0; it goes on playing if the last one did. */
  function begin() {
    started = runText(settings, state);
    attention.reset();
    speak('');
    const pairs = pairsOf(state);
    try {
      if (settings.task === 'pairs') readPairs(pairs);
    } catch (error) {
      pause();
      speak(`${messageOf(error)}.`, true);
      return;
    }
    firstOrder = order('start', { settings, pairs });
    if (isPlaying) order('play');
  }

  function request(work) {
    pause();
    giveFiles = work;
    send('save');
  }

  /** In the other modes: with its own example, as the reader's model. */
  function openModel({ files }) {
    const [{ part, columns }] = picture.example.parts;
    const mode = part.startsWith('cross') ? 'cross' : 'self';
    const list = Object.entries(files).map(([name, content]) => new File([content], name));
    // Its tokens are characters, which would be merged to words.
    open(list, { mode, text: columns.join(''), merge: false });
  }

  async function saveModel({ files }) {
    speak(await saveFiles(files));
  }

  /** The worker waits until each picture is drawn, also one that cannot be. */
  function takePicture(answer) {
    try {
      // Late pictures of the run before have other parts, and another task.
      if (answer.order >= firstOrder) showPicture(answer);
    } finally {
      const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches;
      requestAnimationFrame(() => setTimeout(() => send('drawn'), isCalm ? calmPause : 0));
    }
  }

  function showPicture(answer) {
    picture = answer;
    if (document.body.dataset.mode !== 'learn' && answer.isPlaying) pause();
    if (isPlaying && !answer.isPlaying && answer.order === orders) {
      isPlaying = false;
      if (answer.isSolved) speak(solvedText(settings.task, answer));
    }
    showButtons();
    course.show(picture, settings.task);
    attention.show(picture.example, settings.task);
  }

  function stopped({ message, order: stoppedOrder = orders }) {
    if (stoppedOrder < firstOrder) return; // the run before
    isPlaying = false;
    showButtons();
    const steps = picture?.steps ?? 0;
    speak(
      `Training stopped after step ${steps}: ${message}. A smaller learning rate may help.`,
      true,
    );
  }

  function speak(sentence, isProblem = false) {
    write(status, sentence);
    status.classList.toggle('problem', isProblem);
  }

  function showButtons() {
    const all = [play, step, again, course.time, use, save];
    for (const one of all) one.disabled = picture === null;
    write(play, isPlaying ? 'Pause' : 'Play');
  }

  return {
    show(now) {
      state = now;
      settings = readSettings(now.learn);
      form.show(settings, pairsOf(state));
      course.showLink(state, settings.task === 'pairs');
      showButtons();
      if (runText(settings, state) !== started) begin();
    },
  };
}
