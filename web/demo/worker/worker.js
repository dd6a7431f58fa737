// Worker of the page: loads its code and queues messages until then. No module may import this file: WebKit would run
// the worker's script a second time.

const early = [];
const keep = (message) => early.push(message);
addEventListener('message', keep);

// Pings are answered at once, whatever else is running.
addEventListener('message', ({ data }) => {
  if (data.type === 'ping') postMessage({ type: 'pong' });
});

const sayWhy =
  (error) =>
  ({ data }) =>
    postMessage({ type: 'problem', id: data?.id, message: error?.message ?? String(error) });

import('./requests.js')
  .then(({ answerTo }) => answerTo, sayWhy)
  .then((answer) => {
    removeEventListener('message', keep);
    addEventListener('message', answer);
    early.forEach(answer);
  });
