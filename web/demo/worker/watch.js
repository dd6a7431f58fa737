// Watchdog: while an answer is due, the worker is pinged once a second. A worker that waits for a download answers; one
// in an endless loop does not.

const pause = 1000; // ms
const maxSilentPauses = 20; // count of pauses without an answer, each after a ping

/**
 * `ping()` sends a ping; `isBusy()`: whether an answer is due. `onSilence(true)` is called after 20 s without an
 * answer, `onSilence(false)` when the worker answers again. Pauses are counted rather than time, because timers stop
 * while a computer sleeps.
 * @param {{ ping(): void, isBusy(): boolean, onSilence(isSilent: boolean): void }} on
 */
export function watchWorker({ ping, isBusy, onSilence }) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  let isAsked = false;
  let isStarted = false; // its script may still be loading
  let silent = 0;
  let limit = maxSilentPauses;
  let isSilent = false;

  /** @param {boolean} next */
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
      timer = undefined;
      if (isAsked && isStarted) silent += 1;
      if (silent >= limit) tell(true);
      if (isAsked || isBusy()) beat();
    }, pause);
  }

  return {
    /** A request was sent. */
    begin() {
      if (timer === undefined) beat();
    },

    /**
     * The worker sent a message.
     * @param {boolean} isPong it answers a ping
     */
    hear(isPong) {
      isStarted = true;
      silent = 0;
      limit = maxSilentPauses;
      if (isPong) isAsked = false;
      tell(false);
    },

    /** The reader chose to wait: the limit doubles. */
    keepWaiting() {
      silent = 0;
      limit *= 2;
      tell(false);
    },

    /** The worker was replaced. */
    restart() {
      clearTimeout(timer);
      [timer, isAsked, isStarted] = [undefined, false, false];
      [silent, limit] = [0, maxSilentPauses];
      tell(false);
    },
  };
}
