// Listening to a worker, be it one of the web or of Node.js.

const unreadable = 'a message could not be read';

/** message(data) for what it says, death(reason) when it cannot be used any more. */
export function listen(worker, { message, death }) {
  if (typeof worker.on === 'function') {
    worker.on('message', message);
    worker.on('messageerror', () => death(unreadable));
    worker.on('error', (error) => death(error?.message ?? String(error)));
    worker.on('exit', (code) => death(`it ended with exit code ${code}`));
  } else {
    worker.addEventListener('message', (event) => message(event?.data));
    worker.addEventListener('messageerror', () => death(unreadable));
    worker.addEventListener('error', (event) => {
      event?.preventDefault?.();
      death(event?.message ?? 'it could not be started');
    });
  }
}
