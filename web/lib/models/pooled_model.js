// A model whose layers are in the workers of a pool: run() returns a promise.
import { requireRaw } from '../arguments/raw_object.js';
import { Model } from './model.js';

export class PooledModel extends Model {
  #api;
  #end;

  /** components: as of Model, with the API of the pool. */
  constructor(components) {
    super(components);
    const { api, free } = components;
    this.#api = api;
    Object.freeze(Object.assign(this, { workers: api.workers }));
    this.#end = (reason) => {
      components.endedBy ??= reason;
      free(components.endedBy);
    };
    api.freeWith(this, free);
  }

  /** If a worker of the model died, its weights are lost: deletes the model; later calls throw the reason. */
  #endIfDead() {
    const reason = this.#api.deathReason();
    if (reason) this.#end(reason);
  }

  async run(input, options) {
    requireRaw(#api in this, 'the model');
    try {
      return await super.run(input, options);
    } catch (error) {
      this.#endIfDead();
      throw error;
    }
  }

  generate(input, options) {
    requireRaw(#api in this, 'the model');
    return this.#watched(super.generate(input, options));
  }

  async *#watched(tokens) {
    try {
      yield* tokens;
    } catch (error) {
      this.#endIfDead();
      throw error;
    }
  }
}
