// Objects that nobody holds any more, where the engine tells of them; workerd tells of them if asked to.

const untold = { register() {}, unregister() {} };

/** A FinalizationRegistry, or where there is none what does nothing: there delete() is all there is. */
export const whenForgotten = (act) =>
  globalThis.FinalizationRegistry ? new FinalizationRegistry(act) : untold;
