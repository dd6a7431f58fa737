// Inputs, weights and results that several published examples share.

export const fromScratch =
  'S. Raschka, LLMs-from-scratch, ch03/01_main-chapter-code/ch03.ipynb, printed outputs';
export const onnxRuntime =
  'ONNX Runtime, onnxruntime/test/contrib_ops/attention_op_test.cc, AttentionBatch1';

/** LLMs-from-scratch: six words, their projections, and the printed self-attention. */
export const journey = {
  x: [
    [0.43, 0.15, 0.89],
    [0.55, 0.87, 0.66],
    [0.57, 0.85, 0.64],
    [0.22, 0.58, 0.33],
    [0.77, 0.25, 0.1],
    [0.05, 0.8, 0.55],
  ],
  weights: {
    query: [
      [0.296111941, 0.516562283],
      [0.251670718, 0.68855679],
      [0.0739724636, 0.866521955],
    ],
    key: [
      [0.136579871, 0.102479041],
      [0.184056461, 0.726446748],
      [0.315253913, 0.687106669],
    ],
    value: [
      [0.075635314, 0.196638167],
      [0.316411972, 0.401740134],
      [0.118568301, 0.82739538],
    ],
  },
  output: [
    [0.2996, 0.8053],
    [0.3061, 0.821],
    [0.3058, 0.8203],
    [0.2948, 0.7939],
    [0.2927, 0.7891],
    [0.299, 0.804],
  ],
};

/** ONNX Runtime's test: two tokens, their stacked projection, and the attention of two heads. */
export const onnxBatchOne = {
  x: [
    [0.8, -0.5, 0, 1],
    [0.5, 0.2, 0.3, -0.6],
  ],
  weights: [
    [0.1, -0.2, 0.3, 1.0, 1.1, 0.3, 0.5, 0.2, 0.3, -0.6, 1.5, 2.0],
    [0.5, 0.1, 0.4, 1.6, 1.0, 2.0, 0.4, 0.8, 0.9, 0.1, -1.3, 0.7],
    [0.3, 0.2, 4.0, 2.2, 1.6, 1.1, 0.7, 0.2, 0.4, 1.0, 1.2, 0.5],
    [0.2, 0.1, 0.4, 1.6, 2.4, 3.3, 2.1, 4.2, 8.4, 0.0, 2.1, 3.2],
  ],
  bias: [-0.5, 0.6, 1.2, 2.1, 0.5, 0.7, 0.2, 1.2, 0.5, 0.4, 0.3, 1.2],
  output: [
    [3.1495983600616455, 0.1084366887807846, 4.25, 5.649999618530273],
    [3.969679117202759, 0.07314367592334747, 4.249999523162842, 5.649999141693115],
  ],
};
