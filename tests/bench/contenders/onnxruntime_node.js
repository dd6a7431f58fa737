// onnxruntime-node, one thread: native code with the processor's widest vectors. A reference point, not a peer.

import { waysOf } from './onnxruntime.js';

export const onnxruntimeNode = {
  name: 'onnxruntime-node (native)',
  package: 'onnxruntime-node',
  threads: 1,
  hasLayers: true,
  runtimes: ['node'],
  async open() {
    const runtime = await import('onnxruntime-node');
    return waysOf(runtime, { intraOpNumThreads: 1, interOpNumThreads: 1, logSeverityLevel: 3 });
  },
};
