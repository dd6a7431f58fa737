// A folder on a web server. Weights are read by HTTP range requests; without range support the whole file becomes a
// Blob, which browsers may keep on disk.
import { messageOf } from '../../arguments/message_of.js';

const firstBytes = 2 ** 18; // size of the first request, which also tests for range support and often contains the whole header

/**
 * @param {URL} url
 * @param {RequestInit & { signal?: AbortSignal }} options
 */
async function get(url, { signal, ...how } = {}) {
  try {
    return await fetch(url, { signal, ...how });
  } catch (cause) {
    if (signal?.aborted) throw signal.reason;
    throw new Error(`${url.href} could not be fetched: ${messageOf(cause)}`, { cause });
  }
}

/** The response, or undefined if the file does not exist. */
async function fetchExisting(url, options) {
  const response = await get(url, options);
  if (response.status === 404 || response.status === 410) {
    await response.arrayBuffer(); // releases the connection
    return undefined;
  }
  if (response.ok) return response;
  const { status } = response;
  throw Object.assign(new Error(`${url.href} returned status ${status}`), { status });
}

/** The content-range header { begin, end, size }; undefined if CORS hides it. */
function rangeOf(response) {
  const range = /^bytes (\d+)-(\d+)\/(\d+|\*)$/i.exec(response.headers.get('content-range') ?? '');
  if (!range) return undefined;
  const [begin, last, size] = range.slice(1).map(Number); // '*' is NaN
  return { begin, end: last + 1, size: Number.isNaN(size) ? undefined : size };
}

// If a file is replaced between two requests, the tensors would mix two versions. CORS may hide both headers; If-Range
// would need permission from other origins.
const versionHeaders = ['etag', 'last-modified'];

/** Throws if two responses are of different versions of the file. */
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
  throw new Error(`${url.href} has a length of ${size} bytes, expected less than 2^53`);
}

/** The content-length header, which CORS always shows, unlike content-range. */
async function lengthOf(url, first, options) {
  const head = await get(url, { ...options, method: 'HEAD' });
  const length = Number(head.headers.get('content-length'));
  if (!head.ok || !(length > 0)) throw new Error(`${url.href} has no content-length`);
  requireSame(url, first, head);
  return length;
}

async function ranges(url, signal) {
  const range = (begin, end) => ({ signal, headers: { range: `bytes=${begin}-${end - 1}` } });
  const response = await fetchExisting(url, range(0, firstBytes));
  if (!response) return undefined;
  if (response.status !== 206) return response.blob();
  const first = await response.arrayBuffer();
  const size = await sizeOf(url, response, { signal });
  const requireRange = (answer, { begin, end }) => {
    const received = rangeOf(answer) ?? { begin, end, size: undefined };
    const isExpected = received.begin === begin && received.end === end && end <= size;
    if (isExpected && (received.size ?? size) === size) return;
    throw new Error(
      `${url.href} returned content-range ${answer.headers.get('content-range')}, expected bytes ${begin} to ${end} of ${size}`,
    );
  };
  requireRange(response, { begin: 0, end: first.byteLength });
  return {
    size,
    slice(begin, end) {
      const isCached = end <= first.byteLength;
      const request = async () => {
        const partial = await fetchExisting(url, range(begin, end));
        try {
          if (partial?.status !== 206) {
            throw new Error(
              `${url.href} stopped supporting range requests (bytes ${begin} to ${end})`,
            );
          }
          requireSame(url, response, partial);
          requireRange(partial, { begin, end });
          return partial;
        } catch (error) {
          await partial?.body?.cancel(); // releases the connection
          throw error;
        }
      };
      return {
        arrayBuffer: async () =>
          isCached || begin === end ? first.slice(begin, end) : (await request()).arrayBuffer(),
        ...(!isCached && { stream: async () => (await request()).body }),
      };
    },
  };
}

/** base: a URL. Its query, which may be a secret, is sent with requests for files below it and no others. */
export function webFolder(base, signal) {
  const folder = new URL(base);
  if (!folder.pathname.endsWith('/')) folder.pathname += '/';
  const root = new URL(folder);
  root.search = '';
  root.hash = '';
  const at = (name) => {
    const url = new URL(name, root);
    // Compares protocol, host and path; a query or fragment is an error even if it is empty.
    if (!url.href.startsWith(root.href) || /[?#]/.test(url.href)) {
      throw new RangeError(`${url.href} is not in the folder ${root.href}`);
    }
    url.search = folder.search;
    return url;
  };
  return {
    location: folder.href,
    text: async (name) => (await fetchExisting(at(name), { signal }))?.text(),
    bytes: (name) => ranges(at(name), signal),
  };
}
