// Source: vectors from spelling (character n-grams), for any language and without downloads. Queries, keys and values
// are these vectors, split into heads.

/** @import { Example, Source } from '../../types' */
/** @import { SourceQuestion } from '../types' */

export const id = 'ngrams';
export const name = 'Spelling';
export const says =
  'Vectors made of letter groups (n-grams): words that are spelled alike are near. Any language.';
export const meaning =
  'Vectors from spelling know letters, not meaning: “tea” is near “team” and far from “coffee”.';
/** @type {Source['settings']} */
export const settings = ['heads', 'positions'];

/** @type {Example[]} */
export const examples = [
  {
    mode: 'self',
    name: 'Woodchuck',
    lang: 'en',
    read: 'woodchuck',
    first: 'How much wood would a woodchuck chuck if a woodchuck could chuck wood?',
  },
  { mode: 'self', name: 'Zuko’s tea', lang: 'en', read: 'tea', first: 'Zuko made his uncle tea' },
  {
    mode: 'self',
    name: 'Pink elephant',
    lang: 'en',
    read: 'too',
    first: 'The pink elephant tried to get into the car but it was too',
  },
  {
    mode: 'self',
    name: 'Un chasseur',
    lang: 'fr',
    read: 'chasseur',
    first: 'Un chasseur sachant chasser doit savoir chasser sans son chien',
  },
  {
    mode: 'self',
    name: 'Карл и Клара',
    lang: 'ru',
    read: 'украла',
    first: 'Карл у Клары украл кораллы, а Клара у Карла украла кларнет',
  },
  {
    mode: 'self',
    name: '瓜売り',
    lang: 'ja',
    read: '瓜',
    first: '瓜売りが瓜売りに来て瓜売り残し売り売り帰る瓜売りの声',
  },
  {
    mode: 'self',
    name: 'خيط حرير',
    lang: 'ar',
    read: 'حيط',
    first: 'خيط حرير على حيط خليل، وحيط خليل على خيط حرير',
  },
  {
    mode: 'cross',
    name: 'Zuko’s tea',
    lang: 'en',
    read: 'tea',
    first: 'Zuko made his uncle tea',
    second: 'The tea his uncle drank was made by Zuko',
  },
  {
    mode: 'cross',
    name: 'English → français',
    lang: 'fr',
    read: 'européenne',
    first: 'L’accord sur la zone économique européenne a été signé en août 1992.',
    second: 'The agreement on the European Economic Area was signed in August 1992.',
  },
  {
    mode: 'cross',
    name: 'English → Deutsch',
    lang: 'de',
    read: 'internationale',
    first: 'Die internationale Konferenz im August war eine Katastrophe.',
    second: 'The international conference in August was a catastrophe.',
  },
  {
    mode: 'cross',
    name: 'Español → português',
    lang: 'pt',
    read: 'universidade',
    first: 'A cidade antiga tem uma universidade famosa',
    second: 'La ciudad antigua tiene una universidad famosa',
  },
];

/** @param {SourceQuestion} question */
export const read = async (question) => (await import('./spelled_words.js')).read(question);
