// Reads mutated files until a time or count is reached: every failure must be an error of the reader itself,
// none may take long, and the valid file must give the same result afterwards.
import { readers } from './reader_targets.js';
import { seeded } from './random_tensors.js';

// Messages of engines for unchecked errors.
const engineWords =
  /Cannot (read|set|convert|mix|destructure|use|access|create)|is not a function|is not iterable|is not a constructor|is not defined|Invalid (array|typed array|string|count|array buffer)|call stack|out of bounds|(of|is) undefined|Unexpected (token|end|non)|must be a multiple|should be a multiple|allocation failed|Invalid regular|nothing to repeat/;
const slowSeconds = 2;

function problemOf(error, says) {
  if (!(error instanceof Error)) return `threw ${String(error)}`;
  if (error.cause === 'a test') return `is wrong: ${error.message}`;
  // Errors of JSON.parse are accepted.
  const own = error.message.replace(/( is not JSON): .*$/s, '');
  if (engineWords.test(own)) return `failed with the engine's words: ${error.stack}`;
  return says.test(error.message) ? undefined : `failed with ${error.stack}`;
}

/**
 * @param {string} name of a reader
 * @param {{ seconds?: number, executions?: number, seed?: string | number }} options
 * @returns {Promise<{ executions: number, refused: number, findings: string[] }>}
 */
export async function fuzzReader(name, { seconds = Infinity, executions = Infinity, seed = 1 }) {
  const { seeds, change, read, says } = readers[name];
  const ends = performance.now() + seconds * 1000;
  const counts = { executions: 0, refused: 0, findings: /** @type {string[]} */ ([]) };
  const kinds = new Set();
  const find = (problem, number) => {
    const kind = problem.replaceAll(/['‘“"][^'’”"]*['’”"]|\d+/g, '…').slice(0, 150);
    if (!kinds.has(kind))
      counts.findings.push(`${name}, seed ${seed}, input ${number}: ${problem}`);
    kinds.add(kind);
  };
  while (counts.executions < executions && performance.now() < ends) {
    const number = counts.executions++;
    const random = seeded(`${name} ${seed} ${number}`);
    const input = change(seeds[random.integer(0, seeds.length - 1)], random);
    const before = process.cpuUsage();
    try {
      await read(input, random);
    } catch (error) {
      counts.refused++;
      const problem = problemOf(error, says);
      if (problem) find(problem, number);
    }
    const { user, system } = process.cpuUsage(before);
    const taken = (user + system) / 1e6;
    if (taken > slowSeconds) find(`took ${taken.toFixed(1)} s`, number);
  }
  for (const valid of seeds) {
    const unchanged =
      typeof valid === 'object' && !ArrayBuffer.isView(valid) && name.startsWith('JSON');
    await read(unchanged ? JSON.stringify(valid) : valid, seeded(1));
  }
  return counts;
}
