// FinalizationRegistry, or a no-op in engines without it (workerd without its compatibility flag).

const noRegistry = { register() {}, unregister() {} };

/** A FinalizationRegistry with this callback. Without one, memory is freed by delete() only. */
export const finalizationRegistry = (callback) =>
  globalThis.FinalizationRegistry ? new FinalizationRegistry(callback) : noRegistry;
