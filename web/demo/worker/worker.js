// The page's worker: what it does is fetched, and what is asked until then is kept. Nothing may be imported from
// this file: WebKit runs the script of a worker once more when a module of it imports it.

const early = [];
const keep = (message) => early.push(message);
addEventListener('message', keep);

// Whether it is there is answered at once, whatever is on its way.
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
