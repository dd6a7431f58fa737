// A run of mode "Learn": a worker of its own trains a small Transformer, and sends pictures of it while it does.

import { readSettings, writeSettings } from '../../learn_settings.js';
import { firstPairs, readPairs } from '../../pairs_task.js';
import { messageOf } from '../../../lib/arguments/message_of.js';
import { solvedText } from './task_texts.js';

const calmPause = 1000; // ms between pictures for those who prefer reduced motion

/**
 * A picture of the worker, its task and the number of its run.
 * @typedef {object} RunPicture
 * @property {number} steps
 * @property {number[]} losses
 * @property {{ right: number, of: number }} score
 * @property {{ input: string[], output: string[], expected: string[], parts: RunPart[] }} example
 * @property {string} task
 * @property {number} run
 */
/**
 * Attention of a layer, heads × rows × columns.
 * @typedef {{ part: string, name: string, rows: string[], columns: string[], heads: number, weights: Float32Array, causal: boolean }} RunPart
 */

/** The lines of the task "pairs". */
export const pairsOf = ({ pairs }) => (pairs === '' ? firstPairs : pairs);

/** Two runs with the same text are the same. */
const runText = (settings, chosen) =>
  writeSettings(settings) + (settings.task === 'pairs' ? `\n${pairsOf(chosen)}` : '');

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
 * `changed()` is called when now() has changed: { picture, isPlaying, isFast, says, isProblem }; `picture`: the worker's
 * latest, with its task and the number of its run. `open(files, state)` opens the trained model as the reader's own, with these
 * fields of the state.
 */
export function createRun({ changed, open }) {
  /** @type {{ picture: RunPicture | null, isPlaying: boolean, isFast: boolean, says: string, isProblem: boolean }} */
  let now = { picture: null, isPlaying: false, isFast: false, says: '', isProblem: false };
  let chosen = null; // fields of the state, of the current run
  let started = null; // text of its settings
  let giveFiles = null; // what to do with the files of the model
  let orders = 0; // to the worker, so far
  let firstOrder = 0; // of the current run

  const send = startWorker({ picture: takePicture, saved: (answer) => giveFiles(answer), stopped });
  const task = () => readSettings(chosen.learn).task;

  function set(part) {
    now = { ...now, ...part };
    changed();
  }
  const speak = (says, isProblem = false) => set({ says, isProblem });

  /** What changes the run: a picture names the latest order before it. */
  function order(type, more) {
    send(type, { order: ++orders, ...more });
    return orders;
  }

  function play() {
    speak('');
    order('play');
    set({ isPlaying: true });
  }

  function pause() {
    order('pause');
    set({ isPlaying: false });
  }

  /** A new run from step 0; it goes on playing if the last one did. */
  function begin() {
    const settings = readSettings(chosen.learn);
    started = runText(settings, chosen);
    speak('');
    const pairs = pairsOf(chosen);
    try {
      if (settings.task === 'pairs') readPairs(pairs);
    } catch (error) {
      pause();
      speak(`${messageOf(error)}.`, true);
      return;
    }
    firstOrder = order('start', { settings, pairs });
    if (now.isPlaying) order('play');
  }

  function request(work) {
    pause();
    giveFiles = work;
    send('save');
  }

  /** In the other modes: with its own example, as the reader's model. */
  function openModel({ files }) {
    const [{ part, columns }] = /** @type {RunPicture} */ (now.picture).example.parts;
    const mode = part.startsWith('cross') ? 'cross' : 'self';
    const list = Object.entries(files).map(([name, content]) => new File([content], name));
    // Its tokens are characters, which would be merged to words.
    open(list, { mode, text: columns.join(''), merge: false });
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
    if (document.body.dataset.mode !== 'learn' && answer.isPlaying) pause();
    if (now.isPlaying && !answer.isPlaying && answer.order === orders) {
      set({ isPlaying: false });
      if (answer.isSolved) speak(solvedText(task(), answer));
    }
    set({ picture: { ...answer, task: task(), run: firstOrder } });
  }

  function stopped({ message, order: stoppedOrder = orders }) {
    if (stoppedOrder < firstOrder) return; // the run before
    const steps = now.picture?.steps ?? 0;
    set({
      isPlaying: false,
      isProblem: true,
      says: `Training stopped after step ${steps}: ${message}. A smaller learning rate may help.`,
    });
  }

  return {
    now: () => now,
    /** Begins another run where these fields of the state ask for one. */
    follow(state) {
      chosen = state;
      if (runText(readSettings(chosen.learn), chosen) !== started) begin();
    },
    actions: {
      ...{ play, pause, begin },
      /** Twice the speed, or the usual one again. */
      hurry() {
        const isFast = !now.isFast;
        send('speed', { speed: isFast ? 2 : 1 });
        set({ isFast });
      },
      step: () => order('step'),
      go: (step) => order('go', { step }),
      use: () => request(openModel),
      save: () => request(async ({ files }) => speak(await saveFiles(files))),
      /** What is wrong with a setting, or '' if that is mended. */
      refuse(problem) {
        if (problem !== '') pause();
        speak(problem, problem !== '');
      },
    },
  };
}
