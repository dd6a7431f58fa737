// The entries of the package that have types.

import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = resolve(fileURLToPath(new URL('../..', import.meta.url)));
const { name: packageName, exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/** { name, page, file } of each, `page` its page in the reference. */
export const entries = Object.entries(exports)
  .filter(([, target]) => target.types)
  .map(([path, { types }]) => ({
    name: join(packageName, path),
    page: `${path === '.' ? 'main' : path.slice(2)}.html`,
    file: join(root, types),
  }));
