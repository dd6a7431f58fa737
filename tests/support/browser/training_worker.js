// A worker that trains and posts the digest of its run.
import { loadTraining } from '/web/built/training.js';
import { digestOfRun } from '../js/training_runs.js';

postMessage(digestOfRun(await loadTraining()));
