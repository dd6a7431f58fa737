// Runs a program of low priority for a limited time of the processor's: what others do on the machine must not count.
import { spawn } from 'node:child_process';

// The shell's last two lines are the time that it took itself, and that of the program with all that it started.
const shell = 'ulimit -t "$0"; "$@" >&2; code=$?; times; exit $code';

/**
 * Resolves to whether it ended well, and the seconds that it computed. What hangs is as wrong as what fails: each of its
 * processes may compute for so many seconds. What waits without computing is given up after as long as these could take
 * on a machine that has little time for it.
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
    // With all that it started.
    const timer = setTimeout(() => process.kill(-child.pid, 'SIGKILL'), 1000 * (60 + 20 * seconds));
    child.on('close', (code) => {
      clearTimeout(timer);
      done({ passes: code === 0, seconds: secondsOf(times.split('\n')[1]) });
    });
  });
}

/** Of '0m1.50s 0m0.25s'. */
function secondsOf(times = '') {
  const found = Array.from(times.matchAll(/(\d+)m([\d.]+)s/g));
  return found.reduce((sum, [, minutes, seconds]) => sum + 60 * minutes + Number(seconds), 0);
}

export const endsWell = async (...given) => (await runLimited(...given)).passes;
