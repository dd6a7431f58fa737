// A layer whose forward() runs on the workers. Small calls run on the local layer; large ones on objects that the
// strategy creates in each worker.
import { finalizationRegistry } from '../module/finalization.js';
import { library } from './library.js';

const registry = /* @__PURE__ */ finalizationRegistry((objects) => objects.release());

/** The objects of one layer in the workers; a worker without one, such as a new worker, creates it on first use. */
class RemoteObjects {
  #byWorker = new Map();
  #uses = 0;
  #isReleased = false;

  /** owner: the layer. Its garbage collection releases the objects. */
  constructor(owner) {
    registry.register(owner, this, this);
  }

  /** Runs work(); a release() during it takes effect when it is finished. */
  async whileUsing(work) {
    this.#uses++;
    try {
      return await work();
    } finally {
      this.#uses--;
      if (this.#isReleased) this.release();
    }
  }

  /** The address in a worker of the object that the module's function `name` creates from the fields. */
  addressIn(worker, name, fields) {
    for (const known of this.#byWorker.keys()) if (known.isDead) this.#byWorker.delete(known);
    let objects = this.#byWorker.get(worker);
    if (!objects) this.#byWorker.set(worker, (objects = new Map()));
    if (!objects.has(name)) {
      const promise = worker.request({ task: 'create', name, fields }).then(([object]) => object);
      promise.catch(() => objects.delete(name));
      objects.set(name, promise);
    }
    return objects.get(name);
  }

  /** Releases the objects, or marks them for release while calls use them. */
  release() {
    this.#isReleased = true;
    registry.unregister(this);
    if (this.#uses > 0) return;
    for (const [worker, objects] of this.#byWorker) {
      for (const promise of objects.values()) {
        promise.then((object) => worker.request({ task: 'release', object })).catch(() => {});
      }
    }
    this.#byWorker.clear();
  }
}

/**
 * A class with pooled forward().
 *
 * Layer: the class of the library; create: the module's function that creates one; makers: for each static method a
 * function that turns its arguments into the fields of `create`.
 *
 * strategyOf(facts, fields) returns an object that divides the calls of a layer:
 *
 *     read(...args)               reads the arguments of forward(): { name, fields, read, isLocal }, the function to
 *                                 call, its fields, the options, and whether only the local module can compute it
 *     workOf(call, dims)          multiply-adds of the call; dims: those of the results
 *     compute(call, dims, count, objects)
 *                                 a promise of the results, computed by `count` workers; copies all arguments
 *                                 before it returns
 */
export function pooledLayer(Layer, { create, makers, strategyOf }, heap, workers) {
  class PooledLayer extends Layer {
    #strategy;
    #objects = new RemoteObjects(this);

    constructor(facts, fields) {
      super(facts);
      this.#strategy = strategyOf(facts, fields);
    }

    async forward(...args) {
      workers.requireOpen();
      library.factsOf(this, PooledLayer);
      const call = this.#strategy.read(...args);
      const { signal } = call.read;
      signal?.throwIfAborted();
      const local = { ...call.fields, layer: this };
      const finish = (results) => library.groupScores(results, call.read.scores);
      if (call.isLocal) return finish(heap.call(call.name, local));
      const { dims } = heap.plan(call.name, local);
      const count = workers.workersFor(this.#strategy.workOf(call, dims));
      if (count < 1) return finish(heap.call(call.name, local));
      return workers.untilAborted(signal, () =>
        this.#objects.whileUsing(async () =>
          finish(await this.#strategy.compute(call, dims, count, this.#objects)),
        ),
      );
    }

    delete() {
      super.delete();
      this.#objects.release();
    }
  }
  for (const [maker, read] of Object.entries(makers)) {
    PooledLayer[maker] = (...args) => {
      const fields = read(...args);
      return new PooledLayer(library.make(heap, create, fields), fields);
    };
  }
  return PooledLayer;
}
