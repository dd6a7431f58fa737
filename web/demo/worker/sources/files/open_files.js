// The open files, and the Reading they make. Each file has one or more roles; files of one group are used together, and
// a file of the other group closes all others:
//   query, key, value        arrays, from one file or from several
//   weights                  an array
// A file also replaces files with the same roles.

import { readFileAs } from './file_reading.js';
import { kindOf, spokenKind } from './file_kind.js';
import { readArrays } from './array_reading.js';
import { stateOf, whyNotTogether } from './own_arrays.js';

/** @type {{ id, name, says, group, roles: Record<string, object>, saved }[]} */
let files = [];
let last = 0;

/**
 * Opens a file, the last of `files`; resolves to { text, files, state, isNamed, link? }, or rejects with a message for the
 * reader. `state`: fields of the page's state that it changes; `isNamed`: its texts are names in the file; `link`: address
 * of the picture it was exported from.
 */
export async function open(file) {
  const { kind, problem } = await kindOf(file);
  let read;
  try {
    if (problem) throw new Error(problem);
    read = await readFileAs(kind, file);
    files = withFile(files, { id: ++last, name: file.name, ...read });
  } catch (error) {
    const tidy = error.message.replace(/^not a valid safetensors file: /, '');
    throw new Error(`“${file.name}” cannot be read${spokenKind[kind] ?? ''}: ${tidy}`, {
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

/** Values have neither rows nor columns of the picture. */
const stateWith = ({ weights, query, key }) =>
  weights || query || key ? stateOf(rolesOf(files)) : {};

const isNamed = ({ labels }) => Boolean(labels.rows ?? labels.columns);

/** Closes a file. */
export function close(id) {
  const { name } = files.find((file) => file.id === id);
  files = files.filter((file) => file.id !== id);
  return describe(`${name} is removed`);
}

const describe = (text) => ({
  text,
  files: files.map(({ id, name, says }) => ({ id, name, says })),
});

/** Throws if the file does not fit the files that remain. */
function withFile(open, added) {
  const roles = Object.keys(added.roles);
  const playsOther = (file) => Object.keys(file.roles).some((role) => !roles.includes(role));
  const together = open.filter(({ group }) => group === added.group);
  const remaining = together.filter(playsOther);
  const why = whyNotTogether(rolesOf([...remaining, added]));
  if (why === '') return [...remaining, added];
  // A file that replaces another resets what depends on it.
  if (remaining.length === together.length) throw new Error(why);
  return [added];
}

// Roles of all files; of two files with the same role the newer one counts.
const rolesOf = (some) => Object.assign({}, ...some.map(({ roles }) => roles));

export const read = (request) => readArrays(request, rolesOf(files), files);
