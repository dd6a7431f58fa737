// A file that Node.js holds open, as { name, size, slice(begin, end) }.

const mostAtOnce = 2 ** 30; // Node reads less than 2^31 bytes in one call

async function readRange(handle, begin, end) {
  const bytes = new Uint8Array(end - begin);
  for (let count = 0; count < bytes.length;) {
    const length = Math.min(bytes.length - count, mostAtOnce);
    const { bytesRead } = await handle.read(bytes, count, length, begin + count);
    if (bytesRead === 0) return bytes.buffer.slice(0, count);
    count += bytesRead;
  }
  return bytes.buffer;
}

export async function fileOfHandle(handle, name) {
  const { size } = await handle.stat();
  return {
    name,
    size,
    slice: (begin, end) => ({ arrayBuffer: () => readRange(handle, begin, Math.min(end, size)) }),
  };
}
