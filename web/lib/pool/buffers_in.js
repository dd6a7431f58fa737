// Transfer lists of messages.

/** The buffers of all typed arrays in a message, for transfer. */
export function buffersIn(message) {
  const buffers = new Set();
  const visit = (value) => {
    if (ArrayBuffer.isView(value)) buffers.add(value.buffer);
    else if (typeof value === 'object' && value !== null) Object.values(value).forEach(visit);
  };
  visit(message);
  return [...buffers];
}
