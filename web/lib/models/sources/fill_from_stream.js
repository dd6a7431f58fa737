// Reads a stream into existing memory, through one small reused buffer if the stream supports it (BYOB), so that a large
// file creates no garbage.

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

/** Fills `bytes`; resolves to `bytes`, or to its filled beginning if the stream ends early. */
export async function fillFromStream(stream, bytes) {
  const next = readerOf(stream);
  let count = 0;
  for (;;) {
    const chunk = await next();
    if (!chunk?.length) return count === bytes.length ? bytes : bytes.subarray(0, count);
    if (count + chunk.length > bytes.length)
      throw new RangeError('the stream has more bytes than expected');
    bytes.set(chunk, count);
    count += chunk.length;
  }
}
