// Whether the worker answers: while it has something to do it is asked, once a second, whether it is there. A worker
// that waits for a download says so at once; one whose code does not end says nothing at all.

const pause = 1000; // ms
const patience = 20; // silent pauses, each after one that it had to answer in

/**
 * `ping()` asks; `isBusy()`: whether there is something to answer. `onSilence(true)` is told once the worker has not
 * answered for 20 s, `onSilence(false)` when that is over. Pauses are counted, not time, of which a computer that
 * sleeps loses some.
 */
export function watchWorker({ ping, isBusy, onSilence }) {
  let timer = 0;
  let isAsked = false;
  let isStarted = false; // its script may be on its way
  let silent = 0;
  let limit = patience;
  let isSilent = false;

  function tell(next) {
    if (next === isSilent) return;
    isSilent = next;
    onSilence(next);
  }

  function beat() {
    if (!isAsked) {
      isAsked = true;
      ping();
    }
    timer = setTimeout(() => {
      timer = 0;
      if (isAsked && isStarted) silent += 1;
      if (silent >= limit) tell(true);
      if (isAsked || isBusy()) beat();
    }, pause);
  }

  return {
    /** Something was asked. */
    begin() {
      if (timer === 0) beat();
    },

    /** The worker said something; `isPong`: that it is there. */
    hear(isPong) {
      isStarted = true;
      silent = 0;
      limit = patience;
      if (isPong) isAsked = false;
      tell(false);
    },

    /** The reader waits: for twice as long as before. */
    keepWaiting() {
      silent = 0;
      limit *= 2;
      tell(false);
    },

    /** Another worker takes its place. */
    restart() {
      clearTimeout(timer);
      [timer, isAsked, isStarted, silent, limit] = [0, false, false, 0, patience];
      tell(false);
    },
  };
}
