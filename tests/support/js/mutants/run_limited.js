// Runs a program at low priority with a limit of processor time, which does not depend on the load of the machine.
import { spawn } from 'node:child_process';

// `times` prints two lines: the shell's own time, and that of the program with its children.
const shell = 'ulimit -t "$0"; "$@" >&2; code=$?; times; exit $code';

/**
 * Resolves to whether it passed, and its processor time. A program that hangs fails: each of its processes has a limit of
 * processor time, and a program that waits without computing is ended after 20 times as long.
 */
export function runLimited(command, args, { seconds, ...options }) {
  return new Promise((done) => {
    const most = String(Math.ceil(seconds));
    const child = spawn('nice', ['-n', '15', 'sh', '-c', shell, most, command, ...args], {
      ...options,
      stdio: ['ignore', 'pipe', 'ignore'],
      detached: true,
    });
    let times = '';
    child.stdout.on('data', (part) => (times += part));
    // Also ends its child processes.
    const timer = setTimeout(
      () => process.kill(-Number(child.pid), 'SIGKILL'),
      1000 * (60 + 20 * seconds),
    );
    child.on('close', (code) => {
      clearTimeout(timer);
      done({ passes: code === 0, seconds: secondsOf(times.split('\n')[1]) });
    });
  });
}

/** Seconds in a line of `times`, such as '0m1.50s 0m0.25s'. */
function secondsOf(times = '') {
  const found = Array.from(times.matchAll(/(\d+)m([\d.]+)s/g));
  return found.reduce(
    (sum, [, minutes, seconds]) => sum + 60 * Number(minutes) + Number(seconds),
    0,
  );
}

export const endsWell = async (...given) => (await runLimited(...given)).passes;
