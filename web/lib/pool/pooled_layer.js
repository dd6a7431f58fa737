// A layer of the library whose forward() the workers share where that pays. It is the whole layer itself,
// and computes what is small; the workers hold objects of their own, as its division has them made.
import { library } from './library.js';
import { RemoteObjects } from './remote_objects.js';

/**
 * Layer: the class of the library; creates: the module's function that makes one; makers: for each static
 * method a function that reads its arguments: the fields of that function.
 *
 * divisionOf(facts, fields) knows how the calls of a layer are divided. It has
 *
 *     read(...given)              the arguments of forward(): { name, fields, read, isLocal }, the function to
 *                                 call, its fields, the options, and whether only this module can compute it
 *     workOf(call, dims)          its multiply-adds; dims are those of the results
 *     compute(call, dims, count, objects)
 *                                 the results, promised, by so many workers; all that is given is copied
 *                                 before it returns
 */
export function pooledLayer(Layer, { creates, makers, divisionOf }, heap, workers) {
  class PooledLayer extends Layer {
    #division;
    #objects = new RemoteObjects(this);

    constructor(facts, fields) {
      super(facts);
      this.#division = divisionOf(facts, fields);
    }

    async forward(...given) {
      workers.requireOpen();
      library.factsOf(this, PooledLayer);
      const call = this.#division.read(...given);
      const { signal } = call.read;
      signal?.throwIfAborted();
      const here = { ...call.fields, layer: this };
      const finish = (results) => library.inStages(results, call.read.scores);
      if (call.isLocal) return finish(heap.call(call.name, here));
      const { dims } = heap.plan(call.name, here);
      const count = workers.wantedFor(this.#division.workOf(call, dims));
      if (count < 1) return finish(heap.call(call.name, here));
      return workers.untilAborted(signal, () =>
        this.#objects.whileUsing(async () =>
          finish(await this.#division.compute(call, dims, count, this.#objects)),
        ),
      );
    }

    delete() {
      this.#objects.release();
      super.delete();
    }
  }
  for (const [maker, read] of Object.entries(makers)) {
    PooledLayer[maker] = (...given) => {
      const fields = read(...given);
      return new PooledLayer(library.make(heap, creates, fields), fields);
    };
  }
  return PooledLayer;
}
