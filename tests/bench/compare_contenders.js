// Compares all contenders on one shape: they are checked, warmed up, then timed in turns, so
// that other load on the machine affects all of them.

import { expectedRows, largestDifference } from './expected_rows.js';
import { randomInputs } from './random_inputs.js';
import { operations } from './shapes.js';

const tolerance = 1e-4; // on outputs that are averages of numbers from -1 to 1
const shortest = 1; // ms; faster runs are repeated, since clocks in pages have steps of 5 µs
const patience = 500; // ms; slower ways are warm after one run
const close = 1.25; // ways slower than this ratio to their contender's fastest are dropped

/** A message in one line, without build paths of the peer. */
function sentence(error) {
  const words = String(error?.message ?? error)
    .replaceAll(/(?:\/[\w.-]+){2,}(?::\d+)?/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
  return words.length > 240 ? `${words.slice(0, 237)}...` : words;
}

/** Runs `count` times, awaiting promises only. Resolves to ms for each run. */
async function time({ run }, count) {
  const start = performance.now();
  for (let turn = 0; turn < count; turn++) {
    const result = run();
    if (result instanceof Promise) await result;
  }
  return (performance.now() - start) / count;
}

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Warm-up runs until the engine has optimized the code; resolves to the minimum time in ms. */
async function warmUp(prepared, milliseconds) {
  const start = performance.now();
  let min = Infinity;
  for (let turn = 0; turn < 2 || performance.now() - start < milliseconds; turn++) {
    min = Math.min(min, await time(prepared, 1));
    if (min > patience) break;
  }
  return min;
}

/** Prepares a way, computes once, checks and warms up; returns the way, with `reason` if it cannot run. */
async function enterWay(way, shape, inputs, expected, milliseconds) {
  let prepared;
  try {
    prepared = await way.prepare();
    const start = performance.now();
    const result = await prepared.run();
    const first = performance.now() - start;
    const difference = largestDifference(expected, result, way.layout, shape);
    if (!(difference <= tolerance)) throw new Error(`wrong by ${difference.toPrecision(2)}`);
    const estimate = first > patience ? first : await warmUp(prepared, milliseconds);
    const repeats = Math.max(1, Math.min(1000, Math.ceil(shortest / estimate)));
    return { ...way, ...prepared, difference, estimate, repeats, times: [] };
  } catch (error) {
    await closeWay(prepared);
    return { name: way.name, reason: sentence(error) };
  }
}

/** Closes a peer; a peer that is out of memory may fail here too. */
async function closeWay(prepared) {
  if (!prepared || prepared.closed) return;
  prepared.closed = true;
  try {
    await prepared.close?.();
  } catch {
    // Its results are valid nevertheless.
  }
}

/**
 * Prepares and checks the ways of a contender, and keeps the fastest open, or two if they are about as fast.
 * For large shapes only one is open at a time, because each may hold gigabytes.
 */
async function enter({ contender, waysFor, reason }, shape, inputs, expected, seconds) {
  const entry = { contender, reason, running: [], told: {} };
  if (reason) return entry;
  if (operations(shape) > contender.mostOperations) {
    return { ...entry, reason: 'not run: it would take too long' };
  }
  if (shape.layers && !contender.hasLayers) {
    return { ...entry, reason: 'not run: nothing here puts its layers together' };
  }
  const large = operations(shape) > 4e9;
  const room = large ? 1 : 2;
  const fast = ({ estimate }, at) => at < room && estimate <= close * entry.running[0].estimate;
  for (const candidate of waysFor(shape, inputs)) {
    const way = await enterWay(candidate, shape, inputs, expected, 25 * seconds);
    entry.told[way.name] = way.reason ?? way.estimate;
    if (way.reason) continue;
    if (large) await closeWay(way);
    entry.running.push(way);
    entry.running.sort((one, other) => one.estimate - other.estimate);
    for (const slow of entry.running.filter((one, at) => !fast(one, at))) await closeWay(slow);
    entry.running = entry.running.filter(fast);
  }
  if (large)
    for (const way of entry.running) Object.assign(way, await way.prepare(), { closed: false });
  if (entry.running.length === 0) {
    entry.reason = [...new Set(Object.values(entry.told))].join('; ');
  }
  return entry;
}

/** Times a way once more; a failing one is dropped with its reason. */
async function takeTurn({ way, threads }) {
  if (way.failure) return;
  try {
    way.times.push(await time(way, way.repeats));
  } catch (error) {
    way.failure = sentence(error);
  }
  // Idle threads spin for a while and would slow the next contender.
  if (threads > 1) await pause(5);
}

/**
 * Times contenders in turns until the time is over, at least three rounds unless that takes several times as long.
 * Contenders far slower than the fastest are timed before, without turns.
 */
async function takeTurns(entries, seconds) {
  const all = entries.flatMap(({ contender, running }) =>
    running.map((way) => ({ way, threads: contender.threads })),
  );
  const fastest = Math.min(...all.map(({ way }) => way.estimate));
  const far = ({ way }) => way.estimate > 5 * fastest && way.estimate > 4 * seconds;
  for (const turn of all.filter(far)) {
    for (let more = turn.way.estimate < 100 ? 5 : 1; more > 0; more--) await takeTurn(turn);
  }

  const turns = all.filter((turn) => !far(turn));
  const start = performance.now();
  const spent = () => (performance.now() - start) / 1000;
  const more = (round) => spent() < seconds || round < 1 || (round < 3 && spent() < 3 * seconds);
  for (let round = 0; more(round); round++) {
    // The order changes, so that no contender always follows the same one in the cache.
    turns.push(turns.shift());
    for (const turn of round % 2 ? [...turns].reverse() : turns) await takeTurn(turn);
  }
}

function median(times) {
  const sorted = [...times].sort((one, other) => one - other);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** Summary of a contender: its fastest way, and the reasons of the others. */
function summary({ contender, reason, running, told }, shape) {
  const { name, threads } = contender;
  const ways = { ...told };
  if (reason) return { name, threads, reason, ways };
  for (const way of running) ways[way.name] = way.failure ?? Math.min(way.estimate, ...way.times);
  const [best] = running
    .filter(({ failure }) => !failure)
    .sort((one, other) => Math.min(...one.times) - Math.min(...other.times));
  if (!best) return { name, threads, reason: running[0].failure, ways };
  const min = Math.min(...best.times);
  return {
    name,
    threads,
    way: best.name,
    ms: { min, median: median(best.times) },
    gflops: operations(shape) / min / 1e6,
    runs: best.times.length * best.repeats,
    difference: best.difference,
    ways,
  };
}

/**
 * @param {object} shape of shapes.js
 * @param {{ contender: object, waysFor?: Function, reason?: string }[]} opened
 * @param {number} seconds for the rounds, without preparing and checking
 * @returns {Promise<object[]>} a summary of each contender
 */
export async function compareContenders(shape, opened, seconds) {
  const inputs = randomInputs(shape);
  const expected = expectedRows(shape, inputs);
  const entries = [];
  for (const one of opened) entries.push(await enter(one, shape, inputs, expected, seconds));
  await takeTurns(entries, seconds);
  for (const { running } of entries) for (const way of running) await closeWay(way);
  return entries.map((entry) => summary(entry, shape));
}
