// Answers of the Rust library, from a process that is started again when the library ended it.
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const patience = 60_000; // ms for the answers to one description; most take 20
const script = fileURLToPath(new URL('rust_process.js', import.meta.url));

export class RustAnswers {
  #child;

  #start() {
    this.#child ??= fork(script, [], {
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      env: { ...process.env, RUST_BACKTRACE: '0' },
    });
    return this.#child;
  }

  close() {
    this.#child?.kill();
    this.#child = undefined;
  }

  /** Sends a request and collects answers until the last one, or until the process ends, or is ended as it never answers. */
  #request(sample, answers, options) {
    const child = this.#start();
    const last = sample.texts.length + sample.ids.length - 1;
    return new Promise((resolve) => {
      const timer = setTimeout(() => child.kill('SIGKILL'), patience);
      const finish = () => {
        clearTimeout(timer);
        child.off('message', onMessage).off('exit', onExit);
        resolve(undefined);
      };
      const onExit = () => {
        this.#child = undefined;
        finish();
      };
      const onMessage = (some) => {
        for (const [index, one] of some) answers.set(index, one);
        if (answers.has(last) || answers.get(-1).error !== undefined) finish();
      };
      child.on('message', onMessage).on('exit', onExit);
      child.send({ ...sample, ...options });
    });
  }

  /** { refused } or { answers }: { value } or { error } of each text, then of each list of ids. */
  async ask({ description, texts, ids }) {
    const count = texts.length + ids.length;
    const sample = { description, texts, ids };
    const answers = new Map();
    await this.#request(sample, answers, { from: 0, isEach: false });
    for (let from = 0; from < count && answers.get(-1)?.error === undefined;) {
      while (answers.has(from)) from++;
      if (from === count) break;
      await this.#request(sample, answers, { from, isEach: true });
      while (answers.has(from)) from++;
      if (from < count) answers.set(from, { error: 'the process ended' });
    }
    const refused = answers.get(-1)?.error;
    return { refused, answers: Array.from({ length: count }, (_, index) => answers.get(index)) };
  }
}
