// A worker of pool_steps.js in pages.
import './pool_worker_steps.js';
import '../../web/built/pool_worker.js';
