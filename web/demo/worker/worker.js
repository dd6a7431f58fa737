// Worker of the page: loads its code and queues messages until then. No module may import this file: WebKit would run
// the worker's script a second time.

const early = [];
let answer = (event) => early.push(event);

// Pings are answered at once, whatever else is running.
addEventListener('message', (event) => {
  if (event.data.type === 'ping') postMessage({ type: 'pong' });
  else answer(event);
});

const sayWhy =
  (error) =>
  ({ data }) =>
    postMessage({ type: 'problem', id: data?.id, message: error?.message ?? String(error) });

import('./requests.js')
  .then(({ answerTo }) => answerTo, sayWhy)
  .then((loaded) => {
    answer = loaded;
    early.forEach(answer);
  });
