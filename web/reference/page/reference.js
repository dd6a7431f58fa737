// The script of the reference: its text is there without it; it lets examples run.
import { makeExamplesRun } from './example.js';

makeExamplesRun();
