// Ports between the workers of a pool, so that they exchange columns without the calling thread.

// Transfers of 1 MiB that are timed, and how long they may take together, in milliseconds. Chromium and Node.js take less
// than 1; Firefox copies what ports transfer and takes 10 or more, while it does not copy what workers are sent.
const transfers = 8;
const limit = 4;

let isFast; // a promise

/** A promise: whether ports transfer memory as fast as messages to workers do. */
export const arePortsFast = () => (isFast ??= measure());

async function measure() {
  if (typeof MessageChannel !== 'function') return false;
  const { port1, port2 } = new MessageChannel();
  let buffer = new ArrayBuffer(2 ** 20);
  const start = performance.now();
  for (let n = 0; n < transfers; n++) {
    const received = new Promise((resolve) => {
      port2.onmessage = ({ data }) => resolve(data);
    });
    port1.postMessage(buffer, [buffer]);
    buffer = await received;
  }
  const time = performance.now() - start;
  port1.close();
  port2.close();
  return time < limit;
}

let lastNumber = 0;
const numbers = new WeakMap(); // by link
const connections = new WeakMap(); // by link: a WeakMap of promises by other links

/** A port from one worker to another: a promise of its connection, made once. */
function connect(link, other) {
  const { port1, port2 } = new MessageChannel();
  const send = (to, peer, port) =>
    to.request({ task: 'connect', peer: numbers.get(peer), port }, [port]);
  return Promise.all([send(link, other, port1), send(other, link, port2)]);
}

/** Connects the workers of these links to each other; a promise of their numbers, which the workers know each other by. */
export async function connectWorkers(links) {
  for (const link of links) {
    if (numbers.has(link)) continue;
    numbers.set(link, ++lastNumber);
    connections.set(link, new WeakMap());
  }
  const made = links.flatMap((link, at) =>
    links.slice(0, at).map((other) => {
      const [first, second] =
        numbers.get(link) < numbers.get(other) ? [link, other] : [other, link];
      const ofFirst = connections.get(first);
      if (!ofFirst.has(second)) ofFirst.set(second, connect(first, second));
      return ofFirst.get(second);
    }),
  );
  await Promise.all(made);
  return links.map((link) => numbers.get(link));
}
