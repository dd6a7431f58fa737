// A folder on a server. Weights are read by ranges; a server that does not give ranges gives the file whole, which is
// then a Blob, and that a browser keeps where it has room.

const firstBytes = 2 ** 18; // read with the question whether there are ranges; the header is often among them

async function get(url, { signal, ...how } = {}) {
  try {
    return await fetch(url, { signal, ...how });
  } catch (cause) {
    if (signal?.aborted) throw signal.reason;
    throw new Error(`${url.href} could not be fetched: ${cause.message}`, { cause });
  }
}

/** undefined for what is not there. */
async function found(url, options) {
  const response = await get(url, options);
  if (response.status === 404 || response.status === 410) {
    await response.arrayBuffer(); // so that the connection is free
    return undefined;
  }
  if (!response.ok) throw new Error(`${url.href} was answered with status ${response.status}`);
  return response;
}

/** What an answer says of the range it gives: { begin, end, size }, undefined where that is hidden from this page. */
function rangeOf(response) {
  const range = /^bytes (\d+)-(\d+)\/(\d+|\*)$/i.exec(response.headers.get('content-range') ?? '');
  if (!range) return undefined;
  const [begin, last, size] = range.slice(1).map(Number); // '*' is NaN
  return { begin, end: last + 1, size: Number.isNaN(size) ? undefined : size };
}

// A file that is replaced while it is read would be put together of two: wrong weights. Both headers may be hidden from
// this page; If-Range would tell, too, but another origin would have to allow the header.
const versionHeaders = ['etag', 'last-modified'];

/** Throws where the headers of two answers are of two versions of the file. */
function requireSame(url, first, next) {
  for (const name of versionHeaders) {
    const [before, after] = [first, next].map(({ headers }) => headers.get(name));
    if (before === null || after === null || before === after) continue;
    throw new Error(`${url.href} changed while it was read: ${name} was ${before}, now ${after}`);
  }
}

async function sizeOf(url, response, options) {
  const size = rangeOf(response)?.size ?? (await lengthOf(url, response, options));
  if (Number.isSafeInteger(size)) return size;
  throw new Error(`${url.href} is said to have ${size} bytes, expected fewer than 2^53`);
}

/** A page of another origin may be shown the length, but not the range. */
async function lengthOf(url, first, options) {
  const head = await get(url, { ...options, method: 'HEAD' });
  const length = Number(head.headers.get('content-length'));
  if (!head.ok || !(length > 0)) throw new Error(`${url.href} does not say how long it is`);
  requireSame(url, first, head);
  return length;
}

async function ranges(url, signal) {
  const range = (begin, end) => ({ signal, headers: { range: `bytes=${begin}-${end - 1}` } });
  const response = await found(url, range(0, firstBytes));
  if (!response) return undefined;
  if (response.status !== 206) return response.blob();
  const first = await response.arrayBuffer();
  const size = await sizeOf(url, response, { signal });
  const requireRange = (answer, { begin, end }) => {
    const given = rangeOf(answer) ?? { begin, end };
    const isAsked = given.begin === begin && given.end === end && end <= size;
    if (isAsked && (given.size ?? size) === size) return;
    throw new Error(
      `${url.href} gave ${answer.headers.get('content-range')}, expected bytes ${begin} to ${end} of ${size}`,
    );
  };
  requireRange(response, { begin: 0, end: first.byteLength });
  return {
    size,
    slice(begin, end) {
      const isThere = end <= first.byteLength;
      const ask = async () => {
        const part = await found(url, range(begin, end));
        try {
          if (part?.status !== 206) {
            throw new Error(`${url.href} gave its bytes ${begin} to ${end} no more`);
          }
          requireSame(url, response, part);
          requireRange(part, { begin, end });
          return part;
        } catch (error) {
          await part?.body?.cancel(); // so that the connection is free
          throw error;
        }
      };
      return {
        arrayBuffer: async () =>
          isThere || begin === end ? first.slice(begin, end) : (await ask()).arrayBuffer(),
        ...(!isThere && { stream: async () => (await ask()).body }),
      };
    },
  };
}

/** base: a URL; what is below it is asked for with the same query, which may be a secret: nothing else is. */
export function webFolder(base, signal) {
  const folder = new URL(base);
  if (!folder.pathname.endsWith('/')) folder.pathname += '/';
  const root = new URL(folder);
  root.search = '';
  root.hash = '';
  const at = (name) => {
    const url = new URL(name, root);
    // Protocol, host and path at once; no query or fragment, not even an empty one.
    if (!url.href.startsWith(root.href) || /[?#]/.test(url.href)) {
      throw new RangeError(`${url.href} is not in the folder ${root.href}`);
    }
    url.search = folder.search;
    return url;
  };
  return {
    place: folder.href,
    text: async (name) => (await found(at(name), { signal }))?.text(),
    bytes: (name) => ranges(at(name), signal),
  };
}
