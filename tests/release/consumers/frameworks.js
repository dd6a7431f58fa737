// The components of the guide "The heat map in React, Vue and Svelte", built by Vite, React in StrictMode: they draw the text,
// and say which cell is selected.
import { beginning, blockOf } from './beginning.js';
import { html, visitFolder } from './page.js';

// The page's script after the framework has rendered: the picture has the text, and the component hears the element.
const outcome = `
  import { known } from './known.js';
  const frame = () => new Promise(requestAnimationFrame);
  async function until(isThere) {
    for (let frames = 0; frames < 600 && !isThere(); frames++) await frame();
  }
  async function seen() {
    const element = () => document.querySelector('attention-map');
    await until(() => />uncle</.test(element()?.toSVG()));
    if (!/>uncle</.test(element()?.toSVG())) return 'no picture';
    element().select({ row: 1, column: 1 });
    const canvas = element().shadowRoot.querySelector('canvas');
    canvas.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowLeft' }));
    const told = () => document.querySelector('#app p')?.textContent ?? '';
    await until(() => /made attends to Zuko: 0/.test(told()));
    return /made attends to Zuko: 0/.test(told()) ? 'same' : 'no event: ' + told();
  }
  globalThis.outcome = known().then(async (digest) => [digest, await seen()]);
`;

const page = (packages, component, files) => ({
  packages: ['vite@8', ...packages],
  files: {
    'outcome.js': outcome,
    [component]: beginning(component),
    'index.html': html('<div id="app"></div><script type="module" src="/main.jsx"></script>'),
    ...files,
  },
  run: async (project) => {
    await project.run(project.bin('vite'), ['build']);
    return visitFolder(project.at('dist'));
  },
});

const text = 'Zuko made his uncle tea';

export default {
  react: page(['react', 'react-dom'], 'Sentence.jsx', {
    'vite.config.js': `export default { oxc: { jsx: { runtime: 'automatic' } } };`,
    'main.jsx': `
      import './outcome.js';
      import { StrictMode } from 'react';
      import { createRoot } from 'react-dom/client';
      import { Sentence } from './Sentence.jsx';
      const sentence = <StrictMode><Sentence text="${text}" /></StrictMode>;
      createRoot(document.getElementById('app')).render(sentence);
    `,
  }),
  vue: page(['vue', '@vitejs/plugin-vue'], 'Sentence.vue', {
    'vite.config.js': blockOf('frameworks.md', 'vite.config.js'),
    'main.jsx': `
      import './outcome.js';
      import { createApp } from 'vue';
      import Sentence from './Sentence.vue';
      createApp(Sentence, { text: '${text}' }).mount('#app');
    `,
  }),
  svelte: page(['svelte', '@sveltejs/vite-plugin-svelte'], 'Sentence.svelte', {
    'vite.config.js': `
      import { svelte } from '@sveltejs/vite-plugin-svelte';
      export default { plugins: [svelte()] };
    `,
    'main.jsx': `
      import './outcome.js';
      import { mount } from 'svelte';
      import Sentence from './Sentence.svelte';
      mount(Sentence, { target: document.getElementById('app'), props: { text: '${text}' } });
    `,
  }),
};
