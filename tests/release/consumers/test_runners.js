// Tests of somebody's own: Jest and Vitest, in Node and in pages that only pretend to be pages.

const test = `
  import { known } from './known.js';
  test('known weights', async () => {
    console.log('digest ' + (await known()));
  });
`;

// A component's test: the element is made, given weights, and does no harm where nothing can be drawn.
const component = `
  import { expect, test } from 'vitest';
  import { defineAttentionMap } from 'attention-wasm/heatmap';
  import { known } from './known.js';
  test('an element in a document', async () => {
    defineAttentionMap();
    const element = document.createElement('attention-map');
    element.weights = { data: Float32Array.of(1, 0, 0, 1), dims: [2, 2] };
    document.body.append(element);
    await Promise.resolve();
    expect(element.shadowRoot.querySelector('canvas')).not.toBeNull();
    console.log('digest ' + (await known()));
  });
`;

const digestIn = async (printing) => /digest (\w{8})/.exec(await printing)?.[1];

const vitest = (environment, packages, source) => ({
  packages: ['vitest@3', ...packages],
  files: { 'known.test.js': source },
  run: (project) =>
    digestIn(project.run(project.bin('vitest'), ['run', `--environment=${environment}`])),
});

export default {
  jest: {
    packages: ['jest'],
    manifest: { jest: { transform: {}, verbose: true } },
    files: { 'known.test.js': test },
    note: 'same numbers, with `NODE_OPTIONS=--experimental-vm-modules`',
    run: (project) =>
      digestIn(project.run(project.bin('jest'), [], { NODE_OPTIONS: '--experimental-vm-modules' })),
  },
  'vitest-node': vitest('node', [], `import { test } from 'vitest';${test}`),
  'vitest-jsdom': vitest('jsdom', ['jsdom@26'], component),
  'vitest-happy-dom': vitest('happy-dom', ['happy-dom'], component),
};
