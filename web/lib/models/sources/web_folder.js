// A folder on a server. Weights are read by ranges; a server that does not give ranges gives the file whole, which is
// then a Blob, and that a browser keeps where it has room.

const firstBytes = 2 ** 18; // read with the question whether there are ranges; the header is often among them

async function get(url, { signal, headers } = {}) {
  try {
    return await fetch(url, { signal, headers });
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

async function sizeOf(url, response, options) {
  const total = /\/(\d+)$/.exec(response.headers.get('content-range') ?? '')?.[1];
  if (total !== undefined) return Number(total);
  // A page of another origin may be shown the length, but not the range.
  const head = await fetch(url, { ...options, method: 'HEAD' });
  const length = Number(head.headers.get('content-length'));
  if (head.ok && length > 0) return length;
  throw new Error(`${url.href} does not say how long it is`);
}

async function ranges(url, signal) {
  const range = (begin, end) => ({ signal, headers: { range: `bytes=${begin}-${end - 1}` } });
  const response = await found(url, range(0, firstBytes));
  if (!response) return undefined;
  if (response.status !== 206) return response.blob();
  const first = await response.arrayBuffer();
  const size = await sizeOf(url, response, { signal });
  return {
    size,
    slice(begin, end) {
      const isThere = end <= first.byteLength;
      const ask = async () => {
        const part = await found(url, range(begin, end));
        if (part?.status === 206) return part;
        throw new Error(`${url.href} gave its bytes ${begin} to ${end} no more`);
      };
      return {
        arrayBuffer: async () =>
          isThere || begin === end ? first.slice(begin, end) : (await ask()).arrayBuffer(),
        ...(!isThere && { stream: async () => (await ask()).body }),
      };
    },
  };
}

/** base: a URL; what is below it is asked for with the same query. */
export function webFolder(base, signal) {
  const folder = new URL(base);
  if (!folder.pathname.endsWith('/')) folder.pathname += '/';
  const at = (name) => {
    const url = new URL(name, folder);
    url.search = folder.search;
    return url;
  };
  return {
    place: folder.href,
    text: async (name) => (await found(at(name), { signal }))?.text(),
    bytes: (name) => ranges(at(name), signal),
  };
}
