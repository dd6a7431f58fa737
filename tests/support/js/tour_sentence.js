// The sentence of the tour, its translation, and the numbers of its steps, worked out from the model's file.

import { loadTranslator } from 'attention-wasm/translator';
import { workOut } from './lesson.js';

export const translator = await loadTranslator();
export const { source, target, inputs, attention } = translator.translate('The red car is fast.');
const texts = ({ tokens }) => tokens.map(({ text }) => text);
export const [words, french, written] = [source, target, inputs].map(texts);
export const ids = source.tokens.map(({ id }) => id);
export const truth = workOut(ids);
export const row = words.indexOf('red');
export const column = words.indexOf('car');
const looks = truth.ofHead.map(({ weights }) => weights[row][column]);
export const head = looks.indexOf(Math.max(...looks));
export const own = truth.ofHead[head];
