// The files that are open, and what they make of the texts. Each plays some roles; those of one group go together, and
// a file of another group takes the place of all that are open:
//   vectors, projections     word vectors, a layer's W_Q, W_K, W_V, and the number of its heads
//   query, key, value        arrays, from one file or from several
//   weights                  an array
// A file also takes the place of those that played its roles.

import { readFileAs } from './file_reading.js';
import { kindOf, spokenKind } from './file_kind.js';
import { readArrays } from './array_reading.js';
import { readWords, whyNotSameDim } from './word_reading.js';
import { stateOf, whyNotTogether } from './own_arrays.js';

/** @type {{ id, name, says, group, roles: Record<string, object>, saved }[]} */
let files = [];
let last = 0;

/**
 * Takes one file; resolves to { text, files, state, link? }, or rejects with a sentence. `state` is what it changes of
 * the page's, `link` the address of the picture that it was saved from.
 */
export async function open(file, context) {
  const { kind, problem } = await kindOf(file);
  let read;
  try {
    if (problem) throw new Error(problem);
    read = await readFileAs(kind, file, context);
    files = withFile(files, { id: ++last, name: file.name, ...read });
  } catch (error) {
    if (error.name === 'AbortError') throw error;
    const tidy = error.message.replace(/^not a valid safetensors file: /, '');
    throw new Error(`“${file.name}” cannot be read ${spokenKind[kind]}: ${tidy}`, { cause: error });
  }
  const { saved } = read;
  const [first, second = first] = saved?.texts ?? [];
  const state = saved ? { text: first, context: second } : stateOf(rolesOf(files));
  return { ...describe(`${file.name}: ${read.says}`), state, link: saved?.link };
}

/** Takes a file away again. */
export function close(id) {
  const { name } = files.find((file) => file.id === id);
  files = files.filter((file) => file.id !== id);
  return describe(`${name} is taken away`);
}

const describe = (text) => ({
  text,
  files: files.map(({ id, name, says }) => ({ id, name, says })),
});

/** Throws where the file does not go with those that stay. */
function withFile(open, added) {
  const roles = Object.keys(added.roles);
  const playsOther = (file) => Object.keys(file.roles).some((role) => !roles.includes(role));
  const together = open.filter(({ group }) => group === added.group);
  const kept = together.filter(playsOther);
  const why = whyNot([...kept, added], added.group);
  if (why === '') return [...kept, added];
  // One that replaces another begins anew.
  if (kept.length === together.length || added.group === 'words') throw new Error(why);
  return [added];
}

function whyNot(some, group) {
  const roles = rolesOf(some);
  return group === 'words' ? whyNotSameDim(roles) : whyNotTogether(roles);
}

// Of a role that two files play, the newer.
const rolesOf = (some) => Object.assign({}, ...some.map(({ roles }) => roles));

export function read(request, context) {
  const roles = rolesOf(files);
  const isArrays = files.length > 0 && files[0].group !== 'words';
  return isArrays ? readArrays(request, roles, files, context) : readWords(request, roles, context);
}
