// The open files, and the Reading they make. Each file has one or more roles; files of one group are used together, and
// a file of the other group closes all others:
//   query, key, value        arrays, from one file or from several
//   weights                  an array
// A file also replaces files with the same roles.

import { messageOf } from '../../../../lib/arguments/message_of.js';
import { readFileAs } from './file_reading.js';
import { kindOf, spokenKind } from './file_kind.js';
import { readArrays } from './array_reading.js';
import { stateOf, whyNotTogether } from './own_arrays.js';

/** @import { OpenFiles } from '../../messages' */
/** @import { SourceQuestion } from '../../types' */
/** @import { ReadFile } from './roles_of_arrays.js' */
/** @import { Roles } from './own_arrays.js' */
/** @typedef {ReadFile & { id: number, name: string }} OpenFile */

/** @type {OpenFile[]} */
let files = [];
let last = 0;

/**
 * Opens a file, the last of `files`; resolves to { text, files, state, isNamed, link? }, or rejects with a message for the
 * reader. `state`: fields of the page's state that it changes; `isNamed`: its texts are names in the file; `link`: address
 * of the picture it was exported from.
 * @param {File} file
 * @returns {Promise<OpenFiles>}
 */
export async function open(file) {
  const { kind, problem } = await kindOf(file);
  /** @type {ReadFile} */
  let read;
  try {
    if (problem || !kind) throw new Error(problem ?? '');
    read = await readFileAs(kind, file);
    files = withFile(files, { id: ++last, name: file.name, ...read });
  } catch (error) {
    const tidy = messageOf(error).replace(/^not a valid safetensors file: /, '');
    throw new Error(`“${file.name}” cannot be read${kind ? spokenKind[kind] : ''}: ${tidy}`, {
      cause: error,
    });
  }
  const { saved } = read;
  const [first, second = first] = saved?.texts ?? [];
  return {
    ...describe(`${file.name}: ${read.says}`),
    state: saved ? { text: first, context: second } : stateWith(read.roles),
    isNamed: Boolean(saved) || Object.values(read.roles).some(isNamed),
    link: saved?.link,
  };
}

/**
 * Values have neither rows nor columns of the picture.
 * @param {Roles} roles
 */
const stateWith = ({ weights, query, key }) =>
  weights || query || key ? stateOf(rolesOf(files)) : {};

/** @type {(array: NonNullable<Roles['query']>) => boolean} */
const isNamed = ({ labels }) => Boolean(labels.rows ?? labels.columns);

/**
 * Closes a file.
 * @param {number} id
 */
export function close(id) {
  const { name } = /** @type {OpenFile} */ (files.find((file) => file.id === id));
  files = files.filter((file) => file.id !== id);
  return describe(`${name} is removed`);
}

/** @type {(text: string) => OpenFiles} */
const describe = (text) => ({
  text,
  files: files.map(({ id, name, says }) => ({ id, name, says })),
});

/**
 * Throws if the file does not fit the files that remain.
 * @param {OpenFile[]} open
 * @param {OpenFile} added
 */
function withFile(open, added) {
  const roles = Object.keys(added.roles);
  /** @param {OpenFile} file */
  const playsOther = (file) => Object.keys(file.roles).some((role) => !roles.includes(role));
  const together = open.filter(({ group }) => group === added.group);
  const remaining = together.filter(playsOther);
  const why = whyNotTogether(rolesOf([...remaining, added]));
  if (why === '') return [...remaining, added];
  // A file that replaces another resets what depends on it.
  if (remaining.length === together.length) throw new Error(why);
  return [added];
}

/**
 * Roles of all files; of two files with the same role the newer one counts.
 * @type {(some: OpenFile[]) => Roles}
 */
const rolesOf = (some) => Object.assign({}, ...some.map(({ roles }) => roles));

/** @param {SourceQuestion} request */
export const read = (request) => readArrays(request, rolesOf(files), files);
