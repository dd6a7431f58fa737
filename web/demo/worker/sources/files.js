// Source: the reader's vectors in files, which stay on the machine. The code of the formats is in files/ and loaded
// when this source is first used.

/** @import { Example, Source } from '../../types' */
/** @import { SourceQuestion } from '../types' */

export const id = 'files';
export const name = 'Your files';
export const says = 'Your own queries, keys and values, or weights: JSON, NumPy or safetensors.';
export const meaning = 'Your vectors know what they were made from.';
/** @type {Source['settings']} */
export const settings = ['heads', 'files'];
/** @type {Example[]} */
export const examples = [];

const room = () => import('./files/open_files.js');

/** @param {File} file */
export const open = async (file) => (await room()).open(file);
/** @param {number} file its id */
export const close = async (file) => (await room()).close(file);
/** @param {SourceQuestion} question */
export const read = async (question) => (await room()).read(question);
