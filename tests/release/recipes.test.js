// The recipe of CONTRIBUTING for a view of the page: its places exist, and every view has a component and a line, so that a
// new view without one fails here. recipes.browser.test.js carries it out.

import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { views } from '../../web/demo/view_list.js';
import { root } from '../support/js/package.js';

const contributing = readFileSync(join(root, '.github/CONTRIBUTING.md'), 'utf8');
const [, recipe] = /\*\*… a view of the page\*\*\n\n([^]*?)\n\n## /.exec(contributing);
const folder = join(root, 'web/demo/page/views');

describe('the recipe for a view', () => {
  it('names places that are there', () => {
    const places = Array.from(recipe.matchAll(/`((?:web|tests)\/[\w./]+)`/g), ([, place]) => place);
    assert.ok(places.length >= 3, `${places}`);
    for (const place of places) assert.ok(existsSync(join(root, place)), place);
  });

  it('is what every view has: a component and a line', () => {
    const suffix = '_view.js';
    const components = readdirSync(folder).filter((name) => name.endsWith(suffix));
    // The matrix is part of the first load, so view_switch.js imports it.
    const lines = views
      .map(({ name }) => name + suffix)
      .filter((name) => name !== 'matrix_view.js');
    assert.deepEqual(components.toSorted(), lines.toSorted());
    for (const name of components) {
      const source = readFileSync(join(folder, name), 'utf8');
      assert.match(source, /^export function create\(/m, name);
    }
  });
});
