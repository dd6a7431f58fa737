// Bytes that a page downloads for a contender: JavaScript, minified if its authors have not done so, and
// all other files unchanged.

import { gzipSync } from 'node:zlib';
import { transform } from 'esbuild';

async function minified(body) {
  const { code } = await transform(body.toString('utf8'), {
    minify: true,
    charset: 'utf8',
    legalComments: 'none',
  });
  const smaller = Buffer.from(code);
  return smaller.length < body.length ? smaller : body;
}

/**
 * @param {{ path: string, body: Buffer }[]} fetched
 * @returns {Promise<{ raw: number, gzip: number }>} bytes
 */
export async function downloadWeight(fetched) {
  const weight = { raw: 0, gzip: 0 };
  for (const { path, body } of fetched) {
    const content = /\.m?js($|\?)/.test(path) ? await minified(body) : body;
    weight.raw += content.length;
    weight.gzip += gzipSync(content, { level: 9 }).length;
  }
  return weight;
}
