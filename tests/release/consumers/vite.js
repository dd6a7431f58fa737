// Vite without configuration: its development server and its build; and the imports that the guide has for it.
import { beginning } from './beginning.js';
import { html, script, visit, visitFolder } from './page.js';

const given = `
  import { pool, translator } from './vite.js';
  globalThis.outcome = globalThis.outcome.then(async (before) => {
    const isRight = pool.workers > 0 && translator.heads === 4;
    await pool.close();
    return [...before, isRight ? 'same' : 'other files'];
  });
`;
const files = {
  'index.html': html('<script type="module" src="/page.js"></script>'),
  'vite.js': `${beginning('vite.js')}\nexport { pool, translator };\n`,
  'page.js': script + given,
};

const consumers = {};
for (const version of [8, 7, 6]) {
  const packages = [`vite@${version}`];
  consumers[`vite-${version}-dev`] = {
    packages,
    files,
    run: async (project) => visit(await project.serve(project.bin('vite'), ['--port', '0'])),
  };
  consumers[`vite-${version}-build`] = {
    packages,
    files,
    run: async (project) => {
      await project.run(project.bin('vite'), ['build']);
      return visitFolder(project.at('dist'));
    },
  };
}
export default consumers;
