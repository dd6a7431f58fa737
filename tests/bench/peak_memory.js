// Growth of a process while one contender loads and computes one shape; inputs are allocated before.

import { contenderNamed } from './contenders/all.js';
import { randomInputs } from './random_inputs.js';

/** @returns {Promise<{ bytes: number, own?: number }>} `own`: memory reported by the module itself */
export async function peakMemory(name, shape, wayName) {
  const inputs = randomInputs(shape);
  const contender = contenderNamed(name);
  const before = process.memoryUsage.rss();
  const ways = (await contender.open())(shape, inputs);
  const way = ways.find((one) => one.name === wayName) ?? ways[0];
  await (await way.prepare()).run();
  const bytes = process.resourceUsage().maxRSS * 1024 - before;
  return { bytes, own: await contender.memoryBytes?.() };
}
