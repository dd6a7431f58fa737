// Source: a trained model of the reader's, from its published files, which stay on the machine. The code is in ../models/,
// loaded together with attention-wasm/models when a model is opened.

import { modelInWords } from '../../model_identity.js';
import { noReading } from './no_reading.js';

/** @import { Example, Source } from '../../types' */
/** @import { ModelFrom, OpenModel } from '../messages' */
/** @import { OpeningContext, OpeningSource, SourceModule } from '../types' */

export const id = 'own';
export const name = 'Your model';
export const says =
  'A trained model of your own, from its files: config.json, model.safetensors, tokenizer.json.';
export const meaning = 'Your model knows what it was trained on.';
/** @type {Source['settings']} */
export const settings = ['model'];
export const canBlock = true;
export const fields = {
  cross: ['What it writes: yours', 'What it reads'],
  encoder: ['What it reads: each word', 'What it reads: what a word looks at'],
  decoder: ['What it writes: each word', 'What it writes: what a word looks back at'],
};
/** @type {Example[]} */
export const examples = [];

const room = () => import('../models/open_model.js');

/** @type {(from: ModelFrom, context: OpeningContext) => Promise<OpenModel>} */
export const open = async (...given) => (await room()).open(...given);
export const close = async () => (await room()).close();
export const cancel = async () => (await room()).cancel();
/** @type {OpeningSource['keep']} */
export const keep = async (...given) => (await room()).keep(...given);
/** @type {SourceModule['read']} */
export async function read(question, context) {
  const { openModelFor } = await room();
  const opened = await openModelFor(context);
  if (!opened) {
    return noReading(
      question.model
        ? `This view is of the model ${modelInWords(question.model)}. Give its files: they stay on the machine where they are, and a link has only the name.`
        : 'Open a model: its attention on your text is drawn here.',
    );
  }
  const reader = await import('../models/model_reading.js');
  return reader.read(opened, question, context);
}
/** @type {NonNullable<SourceModule['measure']>} */
export const measure = async (...given) =>
  (await import('../models/measured_run.js')).measure(...given);
