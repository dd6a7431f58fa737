// Runs the test vectors in a module worker and posts the report.

import { fused } from '/web/built/fused.js';
import { loadAttention } from '/web/built/index.js';
import { fetchVectors } from './fetch_vectors.js';
import { runVectors } from './run_vectors.js';
import { violations } from './violations.js';

const report = await runVectors(loadAttention, fused, ...(await fetchVectors()));
for (const violation of violations) report.problems.push(`in the worker: ${violation}`);
postMessage(report);
