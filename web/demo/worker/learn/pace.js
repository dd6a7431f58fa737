// The pace of training while it is watched: at most so many steps a second. A slower machine takes longer; it never hurries
// to make up for time.

export const stepsPerSecond = 40; // the first run, of 340 steps, takes 8.5 s
const maxLag = 100; // ms of delay that later steps make up for

/** `now`: time in ms. */
export function createPace(now) {
  let due = now; // time of the next step
  let speed = 1;
  return {
    /** Milliseconds until the next step may be done; 0 or less for at once. */
    wait: (time) => due - time,
    /** To be called after each step. */
    done(time) {
      due = Math.max(due, time - maxLag) + 1000 / (stepsPerSecond * speed);
    },
    /** `next`: 2 for twice the speed. */
    setSpeed(next) {
      speed = next;
    },
  };
}
