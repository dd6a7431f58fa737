// Worker that trains.
// In:  { type: 'start', settings, pairs }    a new run, at step 0
//      { type: 'play' }    { type: 'pause' }    { type: 'step' }    { type: 'go', step }    all but play pause
//      each with its number, order
//      { type: 'save' }
//      { type: 'speed', speed }         1, or 2 for twice the speed
//      { type: 'drawn' }                the page has drawn a picture: the next one may come
// Out: { type: 'picture', order, steps, losses, example, score, isPlaying, isSolved }    order: the latest before it;
//                                       losses: of all steps
//      { type: 'saved', files }         of the model as it is: { name: text or bytes }
//      { type: 'stopped', order, message }    the run cannot go on

import { loadTraining } from 'attention-wasm/training';
import { messageOf } from '../../../lib/arguments/message_of.js';
import { createPace } from './pace.js';
import { createRun } from './run.js';

const training = loadTraining();
const sliceMs = 30; // of training between messages
const drawingMs = 60; // of waiting at most until a picture is drawn: on one core training slows drawing down
const pictureMs = 40; // between pictures, which take time from training
const scoreSteps = 20; // between scores while training, so that a run ends at the same step on any machine
const maxSteps = 20_000;

let run = null;
let latestOrder = 0;
let isPlaying = false;
let isLooping = false;
let isSolved = false; // training stops once by itself, when all test rows are right
let waiting = 0; // pictures that are not drawn yet
let onDrawn = null; // called when a picture is drawn
let target = null; // step that the reader goes to
let score = null;
let speed = 1;
let pace = null; // of the steps while playing

const turn = (ms = 0) => new Promise((resolve) => setTimeout(resolve, ms));

function trainWhilePlaying() {
  run.train();
  if (run.steps() % scoreSteps === 0) {
    score = run.score();
    if (!isSolved && score.right === score.of) {
      isSolved = true;
      isPlaying = false;
    }
  }
  if (run.steps() >= maxSteps) isPlaying = false;
}

function show() {
  if (!isPlaying) score = run.score();
  ++waiting;
  const { losses } = run;
  postMessage({
    type: 'picture',
    order: latestOrder,
    ...{ steps: run.steps(), losses, example: run.look(), score, isPlaying, isSolved },
  });
}

async function play() {
  isPlaying = run.steps() < maxSteps;
  if (isLooping) return;
  isLooping = true;
  pace = createPace(performance.now());
  pace.setSpeed(speed);
  let hasWaited = false; // for the latest picture
  let nextPicture = 0; // time
  try {
    while (isPlaying) {
      const end = performance.now() + sliceMs;
      while (isPlaying && performance.now() < end && pace.wait(performance.now()) <= 0) {
        trainWhilePlaying();
        pace.done(performance.now());
      }
      await turn(isPlaying ? Math.max(0, pace.wait(performance.now())) : 0);
      if (performance.now() < nextPicture) continue;
      if (waiting > 0 && !hasWaited) {
        hasWaited = true;
        await Promise.race([turn(drawingMs), new Promise((resolve) => (onDrawn = resolve))]);
      }
      if (!isPlaying || waiting > 0) continue;
      show();
      nextPicture = performance.now() + pictureMs;
      hasWaited = false;
    }
  } finally {
    isLooping = false;
  }
  show();
}

const answers = {
  async start({ settings, pairs }) {
    run?.delete();
    run = createRun(await training, settings, pairs);
    [isPlaying, isSolved] = [false, false];
    show();
  },
  play,
  pause() {
    isPlaying = false;
  },
  step() {
    isPlaying = false;
    run.train();
    show();
  },
  async go({ step }) {
    isPlaying = false;
    const isWaiting = target !== null;
    target = step;
    if (isWaiting) return;
    await turn(); // later positions of the slider may have come
    run.goTo(target);
    target = null;
    show();
  },
  speed({ speed: next }) {
    speed = next;
    pace?.setSpeed(speed);
  },
  save() {
    postMessage({ type: 'saved', files: run.files() });
  },
  drawn() {
    --waiting;
    onDrawn?.();
  },
};

addEventListener('message', async ({ data }) => {
  try {
    await training;
    latestOrder = data.order ?? latestOrder;
    await answers[data.type](data);
  } catch (error) {
    isPlaying = false;
    postMessage({ type: 'stopped', order: latestOrder, message: messageOf(error) });
  }
});
