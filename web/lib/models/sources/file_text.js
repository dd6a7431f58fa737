// What a folder of files gives as text and as JSON. A folder is { place, text(name), bytes(name), close?() }: text and
// bytes resolve to undefined where it has no such file; bytes to a Blob, a FileHandle of Node.js, or what reads as one.

/** A server's page for what it does not have. */
export const isHtml = (text) => /^\s*<(!doctype|html|\?xml)/i.test(text);

/** The same of bytes, of which the first are enough. */
export const isHtmlBytes = (bytes) => isHtml(new TextDecoder().decode(bytes.slice(0, 64)));

/** JSON of a file that must be there, or with `optional` undefined where it is not. */
export async function readJson(folder, name, { optional = false } = {}) {
  const text = await folder.text(name);
  const where = `${name} of ${folder.place}`;
  // Some servers answer with a page of theirs for whatever they do not have.
  if (text === undefined || (optional && isHtml(text))) {
    if (optional) return undefined;
    throw new Error(`there is no ${where}`);
  }
  if (isHtml(text)) throw new RangeError(`${where} is an HTML page, not JSON`);
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new RangeError(`${where} is not JSON: ${cause.message}`, { cause });
  }
}
