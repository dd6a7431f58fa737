// Next.js, where the weights are computed once on the server and once in the page, and Astro likewise.
import { script, visit, visitFolder } from './page.js';

// What the server computes, beside the known weights: 'same', or what is wrong. The translator finds its files where
// the package stays as it is.
const onServer = {
  pool: `
    import { pooled } from './pooled.js';
    export const others = async () => [await pooled()];
  `,
  'pool and translator': `
    import { loadTranslator } from 'attention-wasm/translator';
    import { pooled } from './pooled.js';
    export async function others() {
      const { text } = (await loadTranslator()).translate('The red car.');
      return [await pooled(), text === 'La voiture rouge.' ? 'same' : text];
    }
  `,
};

const next = (others, more) => ({
  packages: ['next', 'react', 'react-dom'],
  files: {
    'others.js': onServer[others],
    'app/layout.js': `
      export const metadata = { icons: 'data:,' };
      export default function Layout({ children }) {
        return <html lang="en"><body>{children}</body></html>;
      }
    `,
    'app/page.js': `
      import { known } from '../known.js';
      import { others } from '../others.js';
      import { Weights } from './weights.js';
      export const dynamic = 'force-dynamic';
      export default async function Page() {
        const said = others().catch(({ message }) => [message]);
        return <Weights fromServer={await known()} others={await said} />;
      }
    `,
    'app/weights.js': `
      'use client';
      import { useEffect } from 'react';
      import { known } from '../known.js';
      import { pooled } from '../pooled.js';
      export function Weights({ fromServer, others }) {
        useEffect(() => {
          globalThis.outcome = Promise.all([
            known(),
            pooled(),
            known().then((digest) => (digest === fromServer ? 'same' : 'server: ' + fromServer)),
          ]).then((ours) => [...ours, ...others]);
        }, [fromServer, others]);
        return <p>{fromServer}</p>;
      }
    `,
    ...more,
  },
  note: `same numbers, ${others} on the server too${more ? ', with `serverExternalPackages`' : ''}`,
  run: async (project) => {
    const env = { NEXT_TELEMETRY_DISABLED: '1' };
    await project.run(project.bin('next'), ['build'], env);
    return visit(await project.serve(project.bin('next'), ['start', '--port', '0'], env));
  },
});

export default {
  next: next('pool'),
  'next-translator': next('pool and translator', {
    'next.config.mjs': `export default { serverExternalPackages: ['attention-wasm'] };`,
  }),
  astro: {
    packages: ['astro@5'],
    files: {
      'src/pages/index.astro': `---
import { known } from '../../known.js';
const fromServer = await known();
---
<!doctype html>
<html lang="en">
  <head><meta charset="utf-8" /><title>A page</title><link rel="icon" href="data:," /></head>
  <body><p>{fromServer}</p><script src="../page.js"></script></body>
</html>
`,
      'src/page.js': script.replaceAll("'./", "'../"),
    },
    run: async (project) => {
      await project.run(project.bin('astro'), ['build'], { ASTRO_TELEMETRY_DISABLED: '1' });
      const outcome = await visitFolder(project.at('dist'));
      const { readFile } = await import('node:fs/promises');
      const page = await readFile(project.at('dist/index.html'), 'utf8');
      return [...outcome, page.includes(`<p>${outcome[0]}</p>`) ? 'same' : 'other on the server'];
    },
  },
};
