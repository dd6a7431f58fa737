// Processor time of a process and its descendants on Linux. Unlike the clock, it hardly depends on other load.
import { readFileSync, readdirSync } from 'node:fs';

/** Text of a file, or names in a folder, of a process that may have ended. */
const tryRead = (read, path) => {
  try {
    return read(path, 'utf8');
  } catch {
    return '';
  }
};
const parentOf = (pid) =>
  Number(tryRead(readFileSync, `/proc/${pid}/stat`).split(') ').at(-1).split(' ')[1]);

function descendants(root) {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const parents = pids.map((pid) => [Number(pid), parentOf(pid)]);
  const found = [root];
  for (const pid of found) {
    for (const [child, parent] of parents) if (parent === pid) found.push(child);
  }
  return found;
}

/** Milliseconds so far, of all threads. */
export function processorTime(root) {
  let sum = 0;
  for (const pid of descendants(root)) {
    for (const task of tryRead(readdirSync, `/proc/${pid}/task`)) {
      sum += tryRead(readFileSync, `/proc/${pid}/task/${task}/schedstat`).split(' ')[0] / 1e6;
    }
  }
  return sum;
}
