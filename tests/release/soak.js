// Soak test: a million random calls of all kinds in one instance (tests/support/js/soak.js). The tests have a short run.
//   node tests/release/soak.js [--calls 1000000] [--seed WORD]
import { parseArgs } from 'node:util';

import { soak } from '../support/js/soak.js';

const { values } = parseArgs({
  options: {
    calls: { type: 'string', default: '1000000' },
    seed: { type: 'string', default: 'soak' },
  },
});
const english = (number) => number.toLocaleString('en');
const began = performance.now();
const seconds = () => Math.round((performance.now() - began) / 1000);
const { calls, refused, compared, memory, grown } = await soak(Number(values.calls), {
  seed: values.seed,
  report: ({ calls: done, heap }) =>
    console.log(
      `${english(done)} calls in ${seconds()} s, heap ${english(heap)} bytes from the start`,
    ),
});
console.log(
  `${english(calls)} calls and ${english(refused)} refused ones in ${seconds()} s: ${english(compared)} numbers with ` +
    `the bits of the first time; the module's memory stayed at ${english(memory)} bytes, the heap grew by ${english(grown)}`,
);
