// The requests that chromium_runtime.js makes of a page; results go to `report`, which that provides.

import { coldStart } from './cold_start.js';
import { compareInt8 } from './compare_int8.js';
import { runShapes } from './run_shapes.js';

globalThis.bench = {
  coldStart,
  compareInt8: (options) => compareInt8(options, (result) => globalThis.report(result)),
  runShapes: (options) => runShapes(options, (result) => globalThis.report(result)),
};
