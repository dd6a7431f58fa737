// One run in a process or page: opens the contenders, then compares them shape by shape.

import { compareContenders } from './compare_contenders.js';
import { contendersIn } from './contenders/all.js';
import { multiplyAddPeak } from './multiply_add_peak.js';

async function open(contender) {
  try {
    return { contender, waysFor: await contender.open() };
  } catch (error) {
    return { contender, reason: `does not start: ${error?.message ?? error}`.slice(0, 200) };
  }
}

/**
 * @param {{ runtime: 'node' | 'chromium', shapes: object[], seconds: number }} options
 * @param {(result: object) => unknown} report is called with { shape, peak, contenders } after each shape
 */
export async function runShapes({ runtime, shapes, seconds }, report) {
  const measurePeak = multiplyAddPeak();
  const opened = [];
  for (const contender of contendersIn(runtime)) opened.push(await open(contender));
  for (const shape of shapes) {
    const before = measurePeak();
    const contenders = await compareContenders(shape, opened, seconds);
    await report({ shape, peak: Math.max(before, measurePeak()), contenders });
  }
}
