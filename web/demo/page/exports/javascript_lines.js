// JavaScript code that computes the current picture with attention-wasm.

import { bandwidthOf, isFeatureMap } from '../../kinds.js';

const literal = (value) => JSON.stringify(value);
const object = (entries) => {
  const present = entries.filter(([, value]) => value !== undefined);
  return `{ ${present.map(([name, value]) => `${name}: ${value}`).join(', ')} }`;
};

/** Code for `state` and its `facts`; `saved`: name of the file that JSON saves. */
export function toJavaScript(state, facts, saved = 'attention.json') {
  const { options, texts } = facts;
  const heads = facts.parts.find(({ id }) => id === facts.part).heads;
  const lines = ["import { loadAttention } from 'attention-wasm';"];
  if (state.fused) lines.push("import { fused } from 'attention-wasm/fused';");
  const spelled = state.source === 'ngrams';
  lines.push(
    spelled
      ? "import { words, wordVectors } from 'attention-wasm/text';"
      : "import { readFile } from 'node:fs/promises';",
    '',
    `const { ${callName(state.kind)} } = await loadAttention(${state.fused ? '{ kernels: fused }' : ''});`,
  );
  if (spelled) {
    const given = object([
      ['dim', facts.dim],
      ['positions', state.positions ? 'true' : undefined],
    ]);
    lines.push(`const x = wordVectors(words(${literal(texts[0])}).slice(0, 512), ${given});`);
    if (state.mode === 'cross') {
      lines.push(`const y = wordVectors(words(${literal(texts[1])}).slice(0, 512), ${given});`);
    }
  } else {
    lines.push(
      '// “JSON”, next to this button, saves query, key and value: heads × tokens × numbers.',
      `const saved = JSON.parse(await readFile(${literal(saved)}, 'utf8'));`,
      // JSON has null for −∞, the mask of what is blocked.
      facts.blocks
        ? 'const four = ({ data, dims }) => ({ data: Float32Array.from(data, (x) => x ?? -Infinity), dims: [1, ...dims] });'
        : 'const four = ({ data, dims }) => ({ data: Float32Array.from(data), dims: [1, ...dims] });',
      'const [q, k, v] = [saved.query, saved.key, saved.value].map(four);',
    );
  }
  const other = state.mode === 'cross' ? 'y' : 'x';
  const tensors = spelled ? `x, ${other}, ${other}` : 'q, k, v';
  const isBiased = (facts.hasBias || facts.isMasked) && state.kind === 'softmax';
  const call = object([
    ['heads', spelled ? heads : undefined],
    ...optionsOf(state.kind, options, facts),
    ['mask', isBiased ? 'four(saved.mask)' : undefined],
    ['weights', state.average && heads > 1 ? "'average'" : 'true'],
  ]);
  lines.push(
    `const { output, weights } = ${callName(state.kind)}(${tensors}, ${call});`,
    'console.log(weights.dims, weights.data); // heads × rows × columns',
  );
  return `${lines.join('\n')}\n`;
}

function callName(kind) {
  if (kind === 'softmax') return 'attention';
  return isFeatureMap(kind) ? 'linearAttention' : 'kernelAttention';
}

function optionsOf(kind, { scale, softcap, causal, window }, { keyDim }) {
  const common = [
    ['causal', causal ? 'true' : undefined],
    ['window', window ? literal(window) : undefined],
  ];
  if (kind === 'softmax') return [['scale', scale], ['softcap', softcap], ...common];
  if (isFeatureMap(kind)) return [['featureMap', `'${kind}'`], common[0]];
  return [
    ['similarity', `'${kind}'`],
    ['scale', kind === 'polynomial' ? scale : undefined],
    ['bandwidth', bandwidthOf(kind, scale, keyDim)],
    ...common,
  ];
}
