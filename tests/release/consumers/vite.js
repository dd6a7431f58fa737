// Vite without configuration: its development server and its build.
import { html, script, visit, visitFolder } from './page.js';

const files = {
  'index.html': html('<script type="module" src="/page.js"></script>'),
  'page.js': script,
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
