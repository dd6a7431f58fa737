// Next.js, Astro and Nuxt: the weights are computed once on the server and once in the page. And the edge
// runtime of Next.js, which has some of Node.js's globals but not its APIs.
import { beginning, blockOf } from './beginning.js';
import { script, visit, visitFolder } from './page.js';

// Results of the server beside the known weights: 'same', or a description. The translator finds its files if
// the package is not bundled.
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

/** The JSON answer of a server route. */
async function ask(url) {
  const response = await fetch(url);
  const text = await response.text();
  if (response.ok) return JSON.parse(text);
  // A page of Next.js with the error's message somewhere in it.
  const said = /"message":"((?:[^"\\]|\\.)*)"/.exec(text)?.[1] ?? text;
  throw new Error(`${url} answered ${response.status}: ${said.slice(0, 500)}`);
}

const nextEnvironment = { NEXT_TELEMETRY_DISABLED: '1' };

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
    await project.run(project.bin('next'), ['build'], nextEnvironment);
    const args = ['start', '--port', '0'];
    return visit(await project.serve(project.bin('next'), args, nextEnvironment));
  },
});

// One bundler a project: Next.js does not start two development servers in a folder.
const nextEdge = (version, ...bundler) => ({
  packages: [version, 'react', 'react-dom'],
  files: {
    'app/layout.js': `
      export default function Layout({ children }) {
        return <html lang="en"><body>{children}</body></html>;
      }
    `,
    'app/page.js': 'export default function Page() { return <p>A page</p>; }',
    'app/known/route.js': `
      import { known } from '../../known.js';
      export const runtime = 'edge';
      export const GET = async () => Response.json(await known());
    `,
    // The exports of a package cannot have a query: publint and Node.js look for a file of that name.
    'app/weights/route.js': beginning('next_edge_route.js'),
    // Imports the pool, which has no workers here.
    'app/pool/route.js': `
      import { loadAttentionPool } from 'attention-wasm/pool';
      export const runtime = 'edge';
      export async function GET() {
        const pool = await loadAttentionPool().catch(({ message }) => message);
        return Response.json(/needs Worker/.test(pool) ? 'same' : 'a pool: ' + pool);
      }
    `,
  },
  note: 'same numbers in a route of the edge runtime, in development and built',
  run: async (project) => {
    const serve = (...args) =>
      project.serve(project.bin('next'), [...args, '--port', '0'], nextEnvironment);
    const answers = async (address) => {
      const digest = await ask(`${address}known`);
      const [weight] = await ask(`${address}weights`);
      const pool = await ask(`${address}pool`);
      return [digest, weight === '0.6698' ? 'same' : `core: ${weight}`, pool];
    };
    const developed = await answers(await serve('dev', ...bundler));
    await project.run(project.bin('next'), ['build', ...bundler], nextEnvironment);
    const [built, ...others] = await answers(await serve('start'));
    return [...developed, built === developed[0] ? 'same' : `built: ${built}`, ...others];
  },
});

export default {
  next: next('pool'),
  'next-translator': next('pool and translator', {
    'next.config.mjs': blockOf('runtimes.md', 'next.config.mjs'),
  }),
  'next-edge': nextEdge('next@16', '--turbopack'),
  // Next.js 15 takes webpack; version 16 with --webpack cannot develop any edge route (ENOENT of its own manifest, 16.4.6).
  'next-edge-webpack': nextEdge('next@15'),
  nuxt: {
    packages: ['nuxt@4'],
    files: {
      'others.js': onServer['pool and translator'],
      'nuxt.config.js': `export default { compatibilityDate: '2026-01-01', telemetry: false };`,
      'app/app.vue': `
        <script setup>
        import { known } from '../known.js';
        import { pooled } from '../pooled.js';
        const { data } = await useFetch('/api/known');
        onMounted(() => {
          globalThis.outcome = Promise.all([
            known(),
            pooled(),
            known().then((digest) => (digest === data.value[0] ? 'same' : 'server: ' + data.value[0])),
          ]).then((ours) => [...ours, ...data.value.slice(1)]);
        });
        </script>
        <template><p>{{ data }}</p></template>
      `,
      'server/api/known.js': `
        import { known } from '../../known.js';
        import { others } from '../../others.js';
        export default defineEventHandler(async () => {
          const said = others().catch(({ message }) => [message]);
          return [await known(), ...(await said)];
        });
      `,
      'public/favicon.ico': '',
    },
    note: 'same numbers, pool and translator on the server too',
    run: async (project) => {
      await project.run(project.bin('nuxt'), ['build'], { NUXT_TELEMETRY_DISABLED: '1' });
      const env = { PORT: '0', HOST: '127.0.0.1' };
      return visit(await project.serve(process.execPath, ['.output/server/index.mjs'], env));
    },
  },
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
