// All that today's module does not tell of itself in describe(): the slots of its layout, the numbers of its
// enumerations, and the vocabulary's names of its facts. Whatever the module does tell comes before this.

const slots = [
  'tensorRank',
  'tensorDims',
  'tensorCount',
  'tensorPlace',
  'tensorType',
  'maximumRank',
  'numberValue',
  'listCount',
  'listAddress',
];

/** The slots, out of the constants of the module's object. */
export const untoldLayout = (module) => slots.map((name) => [name, module[name]]);

export const untoldEnums = {
  NumberType: { float32: 0, float16: 1, bfloat16: 2, int8: 3 },
  Stage: { raw: 1, capped: 2, biased: 3 },
  Weights: { perHead: 1, average: 2 },
  Similarity: { exponential: 0, gaussian: 1, laplacian: 2, cosine: 3, polynomial: 4, given: 5 },
  FeatureMap: { efficient: 0, relu: 1, elu: 2, exp: 3 },
  Activation: { relu: 1, gelu: 4, gelu_tanh: 5 },
};

export const untoldFactNames = {
  headCount: 'heads',
  kvHeadCount: 'kvHeads',
  crossKvHeadCount: 'crossKvHeads',
  queryLength: 'qLen',
  keyLength: 'kLen',
};
