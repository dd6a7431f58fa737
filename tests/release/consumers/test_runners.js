// Test runners of consumers: Jest and Vitest, in Node.js, jsdom and happy-dom.
import { beginning, manifestWith } from './beginning.js';

const test = `
  import { known } from './known.js';
  test('known weights', async () => {
    console.log('digest ' + (await known()));
  });
`;

// A component test: the element and a picture accept weights without an error where there is no canvas.
const component = `
  import { defineAttentionMap, heatmap } from 'attention-wasm/heatmap';
  import { known } from './known.js';
  test('an element in a document', async () => {
    defineAttentionMap();
    const element = document.createElement('attention-map');
    const weights = { data: Float32Array.of(1, 0, 0, 1), dims: [2, 2] };
    element.weights = weights;
    const canvas = document.createElement('canvas');
    document.body.append(element, canvas);
    await Promise.resolve();
    expect(element.shadowRoot.querySelector('canvas')).not.toBeNull();
    element.select({ row: 0, column: 1 });
    expect(element.toSVG()).toMatch(/^<svg/);
    const picture = heatmap(canvas, { weights });
    picture.select({ row: 0, column: 1 });
    picture.destroy();
    console.log('digest ' + (await known()));
  });
`;

// Reading of files by path, and of a Blob of jsdom, which has no arrayBuffer().
const files = `
  import { openSafetensors, writeSafetensors } from 'attention-wasm/safetensors';
  import { loadTranslator } from 'attention-wasm/translator';
  import { known } from './known.js';
  import { pooled } from './pooled.js';
  test('files in a document', async () => {
    const bytes = writeSafetensors({ x: { data: Float32Array.of(1, 2), dims: [2] } });
    const file = await openSafetensors(new Blob([bytes]));
    expect((await file.read('x')).dims).toEqual([2]);
    const translator = await loadTranslator();
    expect(translator.translate('The red car.').text).toBe('La voiture rouge.');
    expect(await pooled()).toBe('same');
    console.log('digest ' + (await known()));
  }, 60_000);
`;

const digestIn = async (printing) => /digest (\w{8})/.exec(await printing)?.[1];

const vitest = (environment, packages, source) => ({
  packages: ['vitest@3', ...packages],
  files: { 'known.test.js': `import { expect, test } from 'vitest';${source}` },
  run: (project) =>
    digestIn(project.run(project.bin('vitest'), ['run', `--environment=${environment}`])),
});

const jest = (testEnvironment, packages, source, options = {}) => ({
  packages: ['jest', ...packages],
  manifest: { jest: { testEnvironment, ...options, verbose: true } },
  files: { 'known.test.js': source, 'jest.setup.js': beginning('jest.setup.js') },
  note: 'same numbers, with `NODE_OPTIONS=--experimental-vm-modules`',
  run: (project) =>
    digestIn(project.run(project.bin('jest'), [], { NODE_OPTIONS: '--experimental-vm-modules' })),
});

export default {
  jest: jest('node', [], test),
  'jest-jsdom': jest('jsdom', ['jest-environment-jsdom'], component),
  'jest-jsdom-files': {
    ...jest('jsdom', ['jest-environment-jsdom'], files, manifestWith('jest').jest),
    note: 'same numbers, pool and translator too, with the settings of the guide',
  },
  'vitest-node': vitest('node', [], test),
  'vitest-jsdom': vitest('jsdom', ['jsdom@26'], component),
  'vitest-happy-dom': vitest('happy-dom', ['happy-dom'], component),
};
