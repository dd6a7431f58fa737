// Runs pools in this page, from the library's own files; the test awaits globalThis.report.

import { loadAttentionPool } from '/web/built/pool.js';
import { replace, report } from './pool_report.js';

const worker = (path) => new URL(path, import.meta.url);

globalThis.report = report(loadAttentionPool);
globalThis.replace = (path) =>
  replace(loadAttentionPool, worker(path), worker('../../../web/built/pool_worker.js'));
