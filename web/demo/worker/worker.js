// Worker of the page: loads its code and queues messages until then. No module may import this file: WebKit would run
// the worker's script a second time.

/** @type {MessageEvent[]} */
const early = [];
/** @type {(message: MessageEvent) => unknown} */
let pass = (message) => early.push(message);

// Pings are answered at once, whatever else is running.
addEventListener('message', (message) => {
  if (message.data.type === 'ping') postMessage({ type: 'pong' });
  else pass(message);
});

const sayWhy =
  (error) =>
  ({ data }) =>
    postMessage({ type: 'problem', id: data?.id, message: error?.message ?? String(error) });

import('./requests.js')
  .then(({ answerTo }) => answerTo, sayWhy)
  .then((answer) => {
    pass = answer;
    early.forEach(pass);
  });
