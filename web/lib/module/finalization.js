// FinalizationRegistry, or a no-op in engines without it (workerd without its compatibility flag).

/**
 * @template Value
 * @typedef {Pick<FinalizationRegistry<Value>, 'register' | 'unregister'>} Registry
 */

const noRegistry = { register() {}, unregister: () => false };

/**
 * A FinalizationRegistry with this callback. Without one, memory is freed by delete() only.
 *
 * @template Value
 * @param {(value: Value) => void} callback
 * @returns {Registry<Value>}
 */
export const finalizationRegistry = (callback) =>
  globalThis.FinalizationRegistry ? new FinalizationRegistry(callback) : noRegistry;
