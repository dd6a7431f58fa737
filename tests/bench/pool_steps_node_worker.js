// A worker of pool_steps.js in Node.js.
import './pool_worker_steps.js';
import '../../web/built/pool_worker.node.js';
