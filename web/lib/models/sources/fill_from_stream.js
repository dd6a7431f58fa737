// Bytes of a stream into memory that is there already: through one small buffer, where streams take one (BYOB), so that
// a large file leaves nothing behind for the collector.

const bufferBytes = 2 ** 20;

function readerOf(stream) {
  try {
    const reader = stream.getReader({ mode: 'byob' });
    let buffer = new ArrayBuffer(bufferBytes);
    return async () => {
      const { value } = await reader.read(new Uint8Array(buffer));
      buffer = value?.buffer;
      return value;
    };
  } catch {
    const reader = stream.getReader();
    return async () => (await reader.read()).value;
  }
}

/** Resolves to `bytes`, or to those that came where the stream ends before. */
export async function fillFromStream(stream, bytes) {
  const next = readerOf(stream);
  let count = 0;
  for (;;) {
    const part = await next();
    if (!part?.length) return count === bytes.length ? bytes : bytes.subarray(0, count);
    if (count + part.length > bytes.length)
      throw new RangeError('more bytes came than were asked for');
    bytes.set(part, count);
    count += part.length;
  }
}
