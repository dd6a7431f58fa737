// An audio worklet, which has neither URL nor atob() nor fetch(): loads the library and computes.
/* global AudioWorkletProcessor, registerProcessor */
import { loadAttention } from '/web/built/index.js';
import { loadAttention as loadCore } from '/web/built/core.js';

const eye = { data: Float32Array.of(1, 0, 0, 1), dims: [2, 2] };
const weights = ({ attention }) => [...attention(eye, eye, eye, { weights: true }).weights.data];

registerProcessor(
  'attention',
  class extends AudioWorkletProcessor {
    constructor({ processorOptions: { wasm } }) {
      super();
      const loaded = Promise.all([loadAttention(), loadCore({ wasm })]);
      loaded.then(
        (apis) => this.port.postMessage(apis.map(weights)),
        (error) => this.port.postMessage(`${error}`),
      );
    }

    process() {
      return true;
    }
  },
);
