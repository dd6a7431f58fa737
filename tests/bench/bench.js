// The benchmark:   npm run bench -- [--runtime node|chromium] [--only SHAPE]... [--quick] [--output FOLDER]
//
//   --runtime  default: Node and Chromium
//   --only     shapes whose name contains this text, with x for ×: 12x512x64, layer, causal
//   --quick    a short run, too noisy to publish
//   --output   folder of the JSON, one file per runtime (other names with --only and --quick); default .build/bench
//
// Prints a table; node tests/bench/results_tables.js makes the tables of RESULTS.md from the JSON.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { openChromium } from './chromium_runtime.js';
import { contenders, contendersIn, started } from './contenders/all.js';
import { openNode } from './node_runtime.js';
import { longestShape, memoryShapes, shapes, shapesNamed } from './shapes.js';
import { textReport } from './text_report.js';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const runtimes = { node: openNode, chromium: openChromium };

function wanted() {
  const { values } = parseArgs({
    options: {
      runtime: { type: 'string', multiple: true, default: Object.keys(runtimes) },
      only: { type: 'string', multiple: true },
      quick: { type: 'boolean', default: false },
      output: { type: 'string', default: here('../../.build/bench') },
    },
  });
  const unknown = values.runtime.find((name) => !Object.hasOwn(runtimes, name));
  if (unknown) throw new Error(`there is no runtime ${unknown}, there are node and chromium`);
  const chosen = values.only ? shapesNamed(values.only) : shapes;
  if (chosen.length === 0) {
    const names = shapes.map(({ id }) => id).join(', ');
    throw new Error(`there is no shape ${values.only.join(', ')}, there are ${names}`);
  }
  return { ...values, chosen };
}

/** Versions of this checkout and of the installed packages. */
function versions() {
  if (!existsSync(here('node_modules'))) {
    throw new Error('the peers are not installed: npm ci in tests/bench');
  }
  const versionOf = (path) => JSON.parse(readFileSync(here(path), 'utf8')).version;
  const names = new Set(contenders.map((contender) => contender.package).filter(Boolean));
  return {
    'attention-wasm': versionOf('../../package.json'),
    ...Object.fromEntries(
      [...names].map((name) => [name, versionOf(`node_modules/${name}/package.json`)]),
    ),
  };
}

const median = (numbers) => [...numbers].sort((one, other) => one - other)[numbers.length >> 1];

/** Contenders take turns, round by round. */
async function measureColdStarts(runtime, rounds) {
  const entries = contendersIn(runtime.name, started).map(({ name }) => ({ name, times: [] }));
  for (let round = 0; round < rounds; round++) {
    for (const entry of entries) {
      try {
        const { ms, weight } = await runtime.coldStart(entry.name);
        entry.times.push(ms);
        entry.weight = weight;
      } catch (error) {
        entry.reason = error.message;
      }
    }
  }
  return entries.map(({ name, times, weight, reason }) =>
    times.length === 0
      ? { name, reason }
      : { name, weight, ms: { min: Math.min(...times), median: median(times) } },
  );
}

/** Measures memory for the fastest variant of each contender in this run. */
async function measureMemory(runtime, results, quick) {
  const found = [];
  const lookAt = async (shape, name) => {
    const timed = results.find((result) => result.shape.id === shape.id);
    const way = timed?.contenders.find((contender) => contender.name === name)?.way;
    try {
      found.push({ shape, name, ...(await runtime.peakMemory(name, shape, way)) });
    } catch (error) {
      found.push({ shape, name, reason: error.message.split('\n')[0] });
    }
  };
  for (const shape of quick ? memoryShapes.slice(0, 2) : memoryShapes) {
    for (const { name } of contendersIn(runtime.name, started)) await lookAt(shape, name);
  }
  if (!quick) await lookAt(longestShape, started[0].name);
  return found;
}

async function measure(runtime, { chosen, only, quick }) {
  const measured = versions();
  const results = [];
  const progress = (text) => process.stderr.write(`${runtime.name}: ${text}\n`);
  // All in one process or page, except contenders that need their own.
  const together = chosen.filter(({ alone }) => !alone);
  const alone = chosen.filter((shape) => shape.alone).map((shape) => [shape]);
  for (const group of together.length > 0 ? [together, ...alone] : alone) {
    await runtime.runShapes({ shapes: group, seconds: quick ? 0.4 : 3 }, (result) => {
      results.push(result);
      progress(result.shape.id);
    });
  }
  const remarks = contendersIn(runtime.name).flatMap(({ name, remarks: told }) =>
    told?.[runtime.name] ? [`${name} ${told[runtime.name]}`] : [],
  );
  const report = {
    runtime: runtime.version,
    date: new Date().toISOString().slice(0, 10),
    machine: {
      cpu: cpus()[0].model.trim(),
      cores: availableParallelism(),
      memory: totalmem(),
      system: `${process.platform} ${process.arch}`,
    },
    versions: measured,
    remarks,
    quick,
    peak: Math.max(...results.map(({ peak }) => peak)),
    results,
  };
  if (only) return report;
  progress('cold starts');
  report.coldStarts = await measureColdStarts(runtime, quick ? 1 : 5);
  if (runtime.peakMemory) {
    progress('memory');
    report.memory = await measureMemory(runtime, results, quick);
  }
  return report;
}

try {
  const options = wanted();
  mkdirSync(options.output, { recursive: true });
  for (const name of options.runtime) {
    const runtime = await runtimes[name]();
    try {
      const report = await measure(runtime, options);
      // Partial and quick runs do not replace the files of a full run.
      const file = options.only || options.quick ? `${name}-part.json` : `${name}.json`;
      writeFileSync(join(options.output, file), `${JSON.stringify(report, null, 1)}\n`);
      console.log(textReport(report));
    } finally {
      await runtime.close();
    }
  }
} catch (error) {
  console.error(`bench: ${error.message}`);
  process.exitCode = 1;
}
