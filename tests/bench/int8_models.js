// The tables of RESULTS.md for models with int8 weights:
//
//   node tests/bench/int8_models.js [--runtime node|chromium] [--only bert|gpt2] [--quick]
//
//   --runtime  default: Node, then Chromium
//   --quick    BERT-base at 16 tokens and one round of each, without errors
import { parseArgs } from 'node:util';
import { openChromium } from './chromium_runtime.js';
import { openNode } from './node_runtime.js';

const runtimes = { node: openNode, chromium: openChromium };
const { values } = parseArgs({
  options: {
    runtime: { type: 'string', multiple: true, default: Object.keys(runtimes) },
    only: { type: 'string', multiple: true, default: ['bert', 'gpt2'] },
    quick: { type: 'boolean', default: false },
  },
});
const bert = values.quick
  ? { counts: [16], rounds: [1] }
  : { counts: [16, 128, 512], rounds: [20, 10, 4] };
const gpt2 = { rounds: values.quick ? 1 : 4 };

const percent = (error) => (error === undefined ? '' : `${(100 * error).toPrecision(2)} %`);
const line = (cells) => console.log(`| ${cells.join(' | ')} |`);

/** Ratios are to the first contender of the same type. */
function printRows({ what, rows, errors = {} }) {
  for (const { name, ms } of rows) {
    const type = name.includes('float32') ? 'float32' : 'int8';
    const own = rows.find((row) => row.name === `attention-wasm, ${type}`);
    const { float64, float32 } = errors[name] ?? {};
    const ratio = `${(ms.min / own.ms.min).toFixed(2)}×`;
    const usual = `${(ms.median / own.ms.median).toFixed(2)}×`;
    const times = [ms.min.toPrecision(3), ratio, ms.median.toPrecision(3), usual];
    line([what, name, ...times, percent(float64), percent(float32)]);
  }
}

for (const name of values.runtime) {
  const runtime = await runtimes[name]();
  console.log(`\n${runtime.version}\n`);
  line(['', '', 'ms', '', 'median', '', 'error to float64', 'error to float32']);
  line(['---', '---', ...Array(6).fill('---:')]);
  // Errors do not depend on the engine.
  const withErrors = name === 'node' && !values.quick;
  const models = Object.entries({ bert, gpt2 }).filter(([model]) => values.only.includes(model));
  try {
    for (const [model, counts] of models) {
      await runtime.compareInt8({ [model]: counts, withErrors }, printRows);
    }
  } finally {
    await runtime.close();
  }
}
