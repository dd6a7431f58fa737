// Ports between the workers of a pool, so that they exchange columns without the calling thread.

// How long some transfers of 1 MiB may take, in milliseconds: the fastest of several attempts, because the first is slow,
// and so are all on a busy machine. Chromium and Node.js take 0.5 or less; Firefox, which copies what ports transfer, but
// not what workers are sent, takes 2.0 or more.
const transfers = 4;
const attempts = 4;
const limit = 1;

let isFast; // a promise

/** A promise: whether ports transfer memory as fast as messages to workers do. */
export const arePortsFast = () => (isFast ??= measure());

async function measure() {
  if (typeof MessageChannel !== 'function') return false;
  const { port1, port2 } = new MessageChannel();
  let buffer = new ArrayBuffer(2 ** 20);
  let time = Infinity;
  for (let attempt = 0; attempt < attempts && time >= limit; attempt++) {
    const start = performance.now();
    for (let n = 0; n < transfers; n++) {
      const received = new Promise((resolve) => {
        port2.onmessage = ({ data }) => resolve(data);
      });
      port1.postMessage(buffer, [buffer]);
      buffer = await received;
    }
    time = performance.now() - start;
  }
  port1.close();
  port2.close();
  return time < limit;
}

let lastNumber = 0;
const numbers = new WeakMap(); // by client
const connections = new WeakMap(); // by client: a WeakMap of promises by other clients

/** A port from one worker to another: a promise of its connection, made once. */
function connect(client, other) {
  const { port1, port2 } = new MessageChannel();
  const send = (to, peer, port) =>
    to.request({ task: 'connect', peer: numbers.get(peer), port }, [port]);
  return Promise.all([send(client, other, port1), send(other, client, port2)]);
}

/** Connects the workers of these clients to each other; a promise of their numbers, which the workers know each other by. */
export async function connectWorkers(clients) {
  for (const client of clients) {
    if (numbers.has(client)) continue;
    numbers.set(client, ++lastNumber);
    connections.set(client, new WeakMap());
  }
  const made = clients.flatMap((client, at) =>
    clients.slice(0, at).map((other) => {
      const [first, second] =
        numbers.get(client) < numbers.get(other) ? [client, other] : [other, client];
      const ofFirst = connections.get(first);
      if (!ofFirst.has(second)) ofFirst.set(second, connect(first, second));
      return ofFirst.get(second);
    }),
  );
  await Promise.all(made);
  return clients.map((client) => numbers.get(client));
}
