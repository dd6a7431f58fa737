// The objects of one layer in the workers, made where they are missing: a new worker has none.
import { whenForgotten } from '../module/forgotten.js';

const forgotten = /* @__PURE__ */ whenForgotten((objects) => objects.release());

export class RemoteObjects {
  #byWorker = new Map();
  #uses = 0;
  #isOver = false;

  /** owner: the layer. When it is forgotten, so are they. */
  constructor(owner) {
    forgotten.register(owner, this, this);
  }

  /** Does something with the objects, which stay until it is done. */
  async whileUsing(work) {
    this.#uses++;
    try {
      return await work();
    } finally {
      this.#uses--;
      if (this.#isOver) this.release();
    }
  }

  /** The address in a worker of what its module's function `name` makes of the fields. */
  addressIn(worker, name, fields) {
    for (const known of this.#byWorker.keys()) if (known.isDead) this.#byWorker.delete(known);
    let objects = this.#byWorker.get(worker);
    if (!objects) this.#byWorker.set(worker, (objects = new Map()));
    if (!objects.has(name)) {
      const made = worker.ask({ task: 'create', name, fields }).then(([object]) => object);
      made.catch(() => objects.delete(name));
      objects.set(name, made);
    }
    return objects.get(name);
  }

  /** Releases them, now or when the last that uses them is done. */
  release() {
    this.#isOver = true;
    forgotten.unregister(this);
    if (this.#uses > 0) return;
    for (const [worker, objects] of this.#byWorker) {
      for (const made of objects.values()) {
        made.then((object) => worker.ask({ task: 'release', object })).catch(() => {});
      }
    }
    this.#byWorker.clear();
  }
}
