// Fuzzes the JavaScript readers of untrusted files (tests/support/js/reader_targets.js).
//   node tests/fuzz/readers.js [--seconds 10] [--seed 1] [--only NAME]      seconds for each reader
import { parseArgs } from 'node:util';

import { fuzzReader } from '../support/js/fuzz_reader.js';
import { readers } from '../support/js/reader_targets.js';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '10' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string' },
  },
});
for (const name of Object.keys(readers)) {
  if (values.only && !name.includes(values.only)) continue;
  const { executions, refused, findings } = await fuzzReader(name, {
    seconds: Number(values.seconds),
    seed: values.seed,
  });
  console.log(`${name}: ${executions} inputs, ${refused} refused, ${findings.length} findings`);
  for (const finding of findings) console.log(`  ${finding.slice(0, 700)}`);
  if (findings.length > 0) process.exitCode = 1;
}
