// Runs a program of low priority for a limited time.
import { spawn } from 'node:child_process';

/** Resolves to whether it ended well. The time is what passes here: what hangs is as wrong as what fails. */
export function endsWell(command, args, { seconds, ...options }) {
  return new Promise((done) => {
    const child = spawn('nice', ['-n', '15', command, ...args], {
      ...options,
      stdio: 'ignore',
      detached: true,
    });
    // With all that it started.
    const timer = setTimeout(() => process.kill(-child.pid, 'SIGKILL'), 1000 * seconds);
    child.on('exit', (code) => {
      clearTimeout(timer);
      done(code === 0);
    });
  });
}
