// A worker of the pool as seen from outside: asked, it answers with a promise; dead, it rejects what
// it was asked. Workers of the web and of Node.js alike.
//
// A worker is sent what it computes and what it does next. What comes after waits here, where it can be withdrawn.

import { isGreeting, readAnswer } from './answers.js';
import { listen } from './listen.js';

const sentAtOnce = 2;

export class WorkerLink {
  #worker;
  #asked = new Map(); // by number, in their order
  #sent = 0; // how many of them
  #last = 0;
  #hasAnswered = false;
  #died;
  #reason; // why it cannot be used any more

  /** died: called once, when the worker cannot be used any more. */
  constructor(worker, died) {
    this.#worker = worker;
    this.#died = died;
    listen(worker, {
      message: (answer) => this.#answered(answer),
      death: (reason) => this.terminate(new Error(`a worker of the pool died: ${reason}`)),
    });
    // Waiting workers do not keep Node.js alive.
    worker.unref?.();
  }

  get isDead() {
    return this.#reason !== undefined;
  }

  /** Asks for a task; the memory of `transfer` goes along. */
  ask(task, transfer = [], signal = undefined) {
    if (this.isDead) return Promise.reject(this.#reason);
    if (signal?.aborted) return Promise.reject(signal.reason);
    const about = { name: task.task, count: task.calls?.length, signal, isSent: false };
    const answer = new Promise((resolve, reject) => {
      this.#asked.set(++this.#last, { ...about, task, transfer, resolve, reject });
      this.#worker.ref?.();
      this.#send();
    });
    // A call that fails while it sends its tasks waits for none of them.
    answer.catch(() => {});
    return answer;
  }

  /** How many tasks are under way. */
  get load() {
    return this.#asked.size;
  }

  /** Rejects what waits with a signal that was aborted. What was sent is finished, and nobody wants it. */
  withdraw(signal) {
    for (const [id, asked] of this.#asked) {
      if (asked.isSent || asked.signal !== signal) continue;
      this.#asked.delete(id);
      asked.reject(signal.reason);
    }
  }

  #send() {
    if (this.#sent === sentAtOnce) return;
    for (const [id, asked] of this.#asked) {
      if (asked.isSent) continue;
      asked.isSent = true;
      this.#sent++;
      const { task, transfer, reject } = asked;
      asked.task = asked.transfer = undefined; // not kept until it is answered
      try {
        this.#worker.postMessage({ id, ...task }, transfer);
      } catch (error) {
        this.#done(id);
        reject(error);
      }
      if (this.#sent === sentAtOnce) return;
    }
  }

  #done(id) {
    this.#asked.delete(id);
    this.#sent--;
    if (this.#asked.size === 0) this.#worker.unref?.();
  }

  terminate(reason) {
    this.#end(reason);
    return this.#worker.terminate();
  }

  #answered(message) {
    // Tasks from before it died are answered already.
    if (this.isDead || (!this.#hasAnswered && isGreeting(message))) return;
    let answer;
    try {
      answer = readAnswer(message, this.#asked);
    } catch (error) {
      this.terminate(error);
      return;
    }
    this.#hasAnswered = true;
    const { resolve, reject } = this.#asked.get(answer.id);
    this.#done(answer.id);
    this.#send();
    if (answer.error) reject(answer.error);
    else resolve(answer.result);
  }

  #end(reason) {
    if (this.isDead) return;
    this.#reason = reason;
    this.#worker.unref?.();
    for (const { reject } of this.#asked.values()) reject(reason);
    this.#asked.clear();
    this.#died(this);
  }
}
