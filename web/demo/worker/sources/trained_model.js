// Source: the trained English–French Transformer of the package. Its code is in ../models/, loaded with the first reading.

/** @import { Example, Source } from '../../types' */
/** @import { SourceModule } from '../types' */

export const id = 'model';
export const name = 'Trained model';
export const says =
  'A small Transformer that learned to translate English into French from sentence pairs (5 MB).';
/** @type {Source['settings']} */
export const settings = [];
export const fields = {
  self: ['English'],
  cross: ['French: yours', 'English'],
  encoder: ['English', 'English'],
  decoder: ['French: each word as it is written', 'French: what it looks back at'],
};
export const meaning = 'The model learned from short, everyday sentences, and makes mistakes.';
// One word decides what "it" is.
const tired = 'The animal did not cross the street because it was too tired.';
const wide = 'The animal did not cross the street because it was too wide.';
/** @type {Example[]} */
export const examples = [
  {
    mode: 'self',
    name: 'Red car',
    lang: 'en',
    read: 'car',
    first: 'The red car is in front of the house.',
  },
  {
    mode: 'self',
    name: 'Pink elephant',
    lang: 'en',
    read: 'it',
    first: 'The pink elephant tried to get into the car but it was too big.',
  },
  { mode: 'self', name: 'Too tired / too wide', lang: 'en', read: 'it', first: tired, other: wide },
  {
    mode: 'self',
    name: 'Tea for friends',
    lang: 'en',
    read: 'his',
    first: 'My uncle made tea for his friends because they were cold.',
  },
  { mode: 'self', name: 'Zuko’s tea', lang: 'en', read: 'tea', first: 'Zuko made his uncle tea.' },
  {
    mode: 'cross',
    name: 'Red car',
    lang: 'en',
    read: 'rouge',
    first: '',
    second: 'The red car is in front of the house.',
  },
  {
    mode: 'cross',
    name: 'Pink elephant',
    lang: 'en',
    read: 'voiture',
    first: '',
    second: 'The pink elephant tried to get into the car but it was too big.',
  },
  {
    mode: 'cross',
    name: 'Too tired / too wide',
    lang: 'en',
    read: 'il',
    first: '',
    second: tired,
    other: wide,
  },
  {
    mode: 'cross',
    name: 'What follows “too”?',
    lang: 'en',
    read: 'gros',
    first: '',
    second: 'The pink elephant tried to get into the car but it was too big.',
  },
  {
    mode: 'cross',
    name: 'My own French',
    lang: 'fr',
    read: 'chien',
    first: 'Un petit chien noir dort sous la table.',
    second: 'A small black dog is sleeping under the table.',
  },
];
export const canBlock = true;

/** @type {SourceModule['read']} */
export const read = async (...given) =>
  (await import('../models/built_in_model.js')).read(...given);
/** @type {NonNullable<SourceModule['measure']>} */
export const measure = async (...given) =>
  (await import('../models/measured_translation.js')).measure(...given);
