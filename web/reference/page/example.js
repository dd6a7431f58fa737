// An example that can be edited and run: in a worker, which can be stopped, or in a frame if it has HTML.

import { messageOf } from '../../lib/arguments/message_of.js';
import { showMatrix } from './matrix.js';

const patience = 60_000; // ms without output before the reader is told

function element(name, properties = {}, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

/**
 * Starts a worker or frame for code: { failed, send(code, port), end(), endIfIdle?() }; `failed` rejects if it cannot start. A
 * frame is resized to its content by fit().
 */
const runners = {
  worker() {
    const worker = new Worker(new URL('run/run.js', document.baseURI), { type: 'module' });
    const failed = new Promise((_, reject) => {
      worker.addEventListener('error', (event) => {
        event.preventDefault();
        reject(new Error('The worker that runs examples cannot be started here.'));
      });
    });
    failed.catch(() => {});
    return {
      failed,
      send: (code, port) => worker.postMessage(code, [port]),
      end: () => worker.terminate(),
      endIfIdle: () => worker.terminate(),
    };
  },
  page(output) {
    const frame = element('iframe', { src: 'run/run.html', title: 'The example at work' });
    const ready = new Promise((resolve) => frame.addEventListener('load', resolve, { once: true }));
    output.append(frame);
    return {
      failed: new Promise(() => {}),
      send: (code, port) =>
        ready.then(() => frame.contentWindow.postMessage(code, location.origin, [port])),
      end: () => frame.remove(),
      fit: (height) => (frame.style.height = `${height}px`),
    };
  },
};

let running = null; // one at a time

class Example {
  constructor(block, number) {
    this.block = block;
    this.pre = block.querySelector('pre');
    this.original = this.pre.textContent;
    this.text = null;
    this.run = element('button', { type: 'button', textContent: 'Run' });
    this.edit = element('button', { type: 'button', textContent: 'Edit' });
    this.reset = element('button', { type: 'button', textContent: 'Reset', hidden: true });
    this.output = element('div', { className: 'output', hidden: true });
    this.output.setAttribute('role', 'status');
    this.label = `Code of example ${number}`;
    this.run.setAttribute('aria-label', `Run example ${number}`);
    this.edit.setAttribute('aria-label', `Edit example ${number}`);
    this.reset.setAttribute('aria-label', `Reset example ${number}`);
    this.run.addEventListener('click', () => (this.isBusy ? this.stop() : this.start()));
    this.edit.addEventListener('click', () => this.open());
    this.reset.addEventListener('click', () => this.close());
    block.append(
      element('p', { className: 'actions' }, this.run, this.edit, this.reset),
      this.output,
    );
  }

  get isBusy() {
    return this.run.textContent === 'Stop';
  }

  get code() {
    return this.text?.value ?? this.original;
  }

  /** The editor of an example. Tab moves the focus to the buttons; Control+Enter runs the code. */
  open() {
    this.text = element('textarea', { value: this.original, spellcheck: false });
    this.text.style.height = `${this.pre.offsetHeight}px`;
    this.text.setAttribute('aria-label', this.label);
    this.text.setAttribute('autocapitalize', 'off');
    this.text.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      this.start();
    });
    this.pre.replaceWith(this.text);
    this.edit.hidden = true;
    this.reset.hidden = false;
    this.text.setSelectionRange(0, 0);
    this.text.focus();
  }

  close() {
    this.text.replaceWith(this.pre);
    this.text = null;
    this.edit.hidden = false;
    this.reset.hidden = true;
    this.stop();
    this.output.hidden = true;
    this.output.replaceChildren();
    this.edit.focus();
  }

  say(text, className) {
    this.lines.append(element('span', { className, textContent: `${text}\n` }));
  }

  async start() {
    running?.stop();
    this.lines = element('pre');
    this.output.replaceChildren(this.lines);
    this.output.hidden = false;
    this.run.textContent = 'Stop';
    const runner = runners[this.block.dataset.runs](this.output);
    this.runner = runner;
    running = this;
    const slow = setTimeout(() => this.say('still running', 'remark'), patience);
    const { port1, port2 } = new MessageChannel();
    const done = new Promise((resolve) => {
      port1.onmessage = ({ data }) => {
        if ('print' in data) this.say(data.print);
        if ('error' in data) this.say(data.error, 'error');
        if (data.done) resolve(data);
      };
    });
    try {
      runner.send(this.code, port2);
      const result = await Promise.race([done, runner.failed]);
      if (this.runner === runner) await this.finish(result);
    } catch (error) {
      this.say(messageOf(error), 'error');
    } finally {
      clearTimeout(slow);
      if (this.runner === runner) this.run.textContent = 'Run';
    }
  }

  async finish({ weights, tokens, height }) {
    this.runner.fit?.(height);
    if (weights) await showMatrix(this.output, weights, tokens);
    else if (this.lines.childNodes.length === 0 && this.block.dataset.runs === 'worker') {
      this.say('Nothing was printed.', 'remark');
    }
  }

  /** Ends the running example. A finished worker may still print until the next one starts. */
  stop() {
    const { runner } = this;
    if (this.isBusy) {
      this.say('stopped', 'remark');
      this.run.textContent = 'Run';
      this.runner = null;
      runner.end();
    } else runner?.endIfIdle?.();
  }
}

/** Adds buttons to every example of the page. */
export function makeExamplesRun() {
  /** @type {NodeListOf<HTMLElement>} */
  const blocks = document.querySelectorAll('.example');
  blocks.forEach((block, index) => {
    if (block.dataset.runs !== 'node') new Example(block, index + 1);
  });
}
