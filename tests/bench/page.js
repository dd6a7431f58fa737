// The requests that chromium_runtime.js makes of a page; it reports shape by shape to `report`, which that provides.

import { coldStart } from './cold_start.js';
import { runShapes } from './run_shapes.js';

globalThis.bench = {
  coldStart,
  runShapes: (options) => runShapes(options, (result) => globalThis.report(result)),
};
