// Measures models with int8 weights beside onnxruntime-web's 8 bits, in Node.js and in Chromium:
//
//   node tests/bench/int8_models.js [--runtime node|chromium] [--only bert|gpt2] [--quick] [--output FOLDER]
//
//   --runtime  default: Node, then Chromium
//   --quick    BERT-base at 16 tokens and one round of each, without errors
//   --output   folder of the JSON, one file per runtime; default .build/bench
//
// Prints each row when it is measured; node tests/bench/int8_tables.js makes the tables of RESULTS.md from the JSON.
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { openChromium } from './chromium_runtime.js';
import { openNode } from './node_runtime.js';

const runtimes = { node: openNode, chromium: openChromium };
const { values } = parseArgs({
  options: {
    runtime: { type: 'string', multiple: true, default: Object.keys(runtimes) },
    only: { type: 'string', multiple: true, default: ['bert', 'gpt2'] },
    quick: { type: 'boolean', default: false },
    output: {
      type: 'string',
      default: fileURLToPath(new URL('../../.build/bench', import.meta.url)),
    },
  },
});
const bert = values.quick
  ? { counts: [16], rounds: [1] }
  : { counts: [16, 128, 512], rounds: [10, 8, 3] };
const gpt2 = { rounds: values.quick ? 1 : 3 };

function print({ opened, seconds, what, rows }) {
  if (opened) console.log(`opened ${opened} in ${seconds.toFixed(1)} s`);
  for (const { name, ms } of rows ?? []) {
    console.log(
      `${what}  ${name}  ${ms.min.toPrecision(3)} ms, median ${ms.median.toPrecision(3)}`,
    );
  }
}

mkdirSync(values.output, { recursive: true });
for (const name of values.runtime) {
  const runtime = await runtimes[name]();
  console.log(runtime.version);
  const { model: cpu } = cpus()[0];
  const circumstances = [
    ...[runtime.version, cpu, `${cpus().length} cores`],
    new Date().toISOString().slice(0, 10),
  ];
  const tables = [];
  // Errors do not depend on the engine.
  const withErrors = name === 'node' && !values.quick;
  const models = Object.entries({ bert, gpt2 }).filter(([model]) => values.only.includes(model));
  try {
    for (const [model, counts] of models) {
      await runtime.compareInt8({ [model]: counts, withErrors }, (result) => {
        print(result);
        if (result.rows) tables.push(result);
      });
    }
  } finally {
    await runtime.close();
  }
  writeFileSync(
    join(values.output, `int8_${name}.json`),
    JSON.stringify({ circumstances, tables }),
  );
}
