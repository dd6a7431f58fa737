// Time from the import of a contender to its first result, in a new process or page.

import { contenderNamed } from './contenders/all.js';
import { randomInputs } from './random_inputs.js';
import { firstShape } from './shapes.js';

/** @returns {Promise<number>} ms */
export async function coldStart(name) {
  const inputs = randomInputs(firstShape);
  const contender = contenderNamed(name);
  const start = performance.now();
  const waysFor = await contender.open();
  const { output } = await (await waysFor(firstShape, inputs)[0].prepare()).run();
  const time = performance.now() - start;
  if (!(Math.abs(output[0]) < 1)) throw new Error(`${name} computed ${output[0]}`);
  return time;
}
