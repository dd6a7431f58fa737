// Loads files of the package by import() when they are first needed.
import { messageOf } from '../arguments/message_of.js';

const useStatic =
  ". Service workers have no import(): load models by 'attention-wasm/models-static', which needs none";

/**
 * Resolves to what `load` imports. The error of a file that cannot be loaded names it; the engine's may not.
 *
 * @param {string} name of the file in web/built
 * @template Namespace
 * @param {() => Promise<Namespace>} load a literal import(), which bundlers follow
 */
export async function loadFile(name, load) {
  try {
    return await load();
  } catch (cause) {
    const remedy = 'ServiceWorkerGlobalScope' in globalThis ? useStatic : ''; // exists only in service workers
    const message = `${name} of attention-wasm could not be loaded: ${messageOf(cause)}${remedy}`;
    throw new Error(message, { cause });
  }
}
