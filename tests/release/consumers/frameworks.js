// <attention-map> in React (StrictMode), Vue and Svelte, built by Vite: it draws a tensor that is set as a property,
// and fires an event when a cell is selected.
import { html, visitFolder } from './page.js';

// The page's script after the framework has rendered.
const outcome = `
  import { known } from './known.js';
  import { defineAttentionMap } from 'attention-wasm/heatmap';
  export const weights = { data: Float32Array.of(0.9, 0.1, 0.2, 0.8), dims: [2, 2] };
  export const words = ['made', 'tea'];
  export const chosen = [];
  const frame = () => new Promise(requestAnimationFrame);
  async function seen() {
    for (let frames = 0; frames < 60 && !document.querySelector('attention-map'); frames++) await frame();
    await frame();
    await frame();
    const element = document.querySelector('attention-map');
    if (!/>made</.test(element.toSVG())) return 'no picture';
    element.select({ row: 1, column: 1 });
    element.shadowRoot.querySelector('canvas').dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowLeft' }));
    await frame();
    return chosen.at(-1) === 'made' ? 'same' : 'no event: ' + JSON.stringify(chosen);
  }
  defineAttentionMap();
  globalThis.outcome = known().then(async (digest) => [digest, await seen()]);
`;

const page = (packages, plugin, files) => ({
  packages: ['vite@8', ...packages],
  files: {
    'outcome.js': outcome,
    'index.html': html('<div id="app"></div><script type="module" src="/main.js"></script>'),
    ...(plugin && {
      'vite.config.js': `import ${plugin.name} from '${plugin.from}';
        export default { plugins: [${plugin.name}(${plugin.options ?? ''})] };`,
    }),
    ...files,
  },
  run: async (project) => {
    await project.run(project.bin('vite'), ['build']);
    return visitFolder(project.at('dist'));
  },
});

export default {
  react: page(['react', 'react-dom'], undefined, {
    'main.js': `
      import { createElement, StrictMode } from 'react';
      import { createRoot } from 'react-dom/client';
      import { chosen, weights, words } from './outcome.js';
      const onselect = ({ detail }) => chosen.push(detail?.columnLabel);
      const map = createElement('attention-map', { weights, rowLabels: words, columnLabels: words, onselect });
      createRoot(document.getElementById('app')).render(createElement(StrictMode, null, map));
    `,
  }),
  vue: page(
    ['vue', '@vitejs/plugin-vue'],
    {
      name: 'vue',
      from: '@vitejs/plugin-vue',
      options:
        "{ template: { compilerOptions: { isCustomElement: (tag) => tag === 'attention-map' } } }",
    },
    {
      'main.js': `
        import { createApp } from 'vue';
        import App from './App.vue';
        createApp(App).mount('#app');
      `,
      'App.vue': `
        <script setup>
        import { chosen, weights, words } from './outcome.js';
        const keep = ({ detail }) => chosen.push(detail?.columnLabel);
        </script>
        <template>
          <attention-map :weights="weights" :row-labels="words" :columnLabels="words" @select="keep" />
        </template>
      `,
    },
  ),
  svelte: page(
    ['svelte', '@sveltejs/vite-plugin-svelte'],
    { name: '{ svelte }', from: '@sveltejs/vite-plugin-svelte' },
    {
      'vite.config.js': `
        import { svelte } from '@sveltejs/vite-plugin-svelte';
        export default { plugins: [svelte()] };
      `,
      'main.js': `
        import { mount } from 'svelte';
        import App from './App.svelte';
        mount(App, { target: document.getElementById('app') });
      `,
      'App.svelte': `
        <script>
        import { chosen, weights, words } from './outcome.js';
        const keep = ({ detail }) => chosen.push(detail?.columnLabel);
        </script>
        <attention-map {weights} rowLabels={words} columnLabels={words} onselect={keep}></attention-map>
      `,
    },
  ),
};
