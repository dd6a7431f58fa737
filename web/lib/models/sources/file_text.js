// JSON files of a folder. A folder is { location, text(name), bytes(name), has?(name), close?() }. text() and bytes()
// resolve to undefined if the file is missing; bytes() else to a Blob, a FileHandle of Node.js, or an object with the same
// methods. Their error has the `status` that a server returned. has(): whether there is such a file, where asking is cheap.
import { messageOf } from '../../arguments/message_of.js';

/** Whether a text is an HTML page, which some servers send for missing files. */
export const isHtml = (text) => /^\s*<(!doctype|html|\?xml)/i.test(text);

/** isHtml() of the first bytes of a file. */
export const isHtmlBytes = (bytes) => isHtml(new TextDecoder().decode(bytes.slice(0, 64)));

/** The text of a file without a byte order mark, which Blobs and fetch() drop and Node.js keeps. */
export const textOf = async (folder, name) => (await folder.text(name))?.replace(/^\ufeff/, '');

/** The JSON of a file; throws if it is missing, or with `optional` resolves to undefined. */
export async function readJson(folder, name, { optional = false } = {}) {
  const text = await textOf(folder, name);
  const where = `${name} of ${folder.location}`;
  // Some servers send an HTML page for missing files.
  if (text === undefined || (optional && isHtml(text))) {
    if (optional) return undefined;
    throw new Error(`missing file ${where}`);
  }
  if (isHtml(text)) throw new RangeError(`${where} is an HTML page, not JSON`);
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new RangeError(`${where} is not JSON: ${messageOf(cause)}`, { cause });
  }
}

// Paths named in a model's files (shards of an index, folders of modules) are untrusted. Folders also check what such a
// path resolves to.
const isSafeSegment = (name) =>
  name !== '' && name !== '.' && name !== '..' && name.trim() === name;

/** Whether a path stays in the model's folder and has no character with a special meaning in URLs or paths. */
export const isInnerPath = (path) =>
  typeof path === 'string' && !/[\\%?#:\p{Cc}]/u.test(path) && path.split('/').every(isSafeSegment);
