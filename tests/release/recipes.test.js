// The recipe of CONTRIBUTING for a view of the page: its places exist, and every view has all of them, so that a new view
// without one fails here.

import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { fields } from '../../web/demo/state_fields.js';
import { root } from '../support/js/package.js';

const read = (path) => readFileSync(join(root, path), 'utf8');
const all = (text, pattern) => Array.from(text.matchAll(pattern), ([, name]) => name);

const contributing = read('.github/CONTRIBUTING.md');
const [, recipe] = /\*\*… a view of the page\*\*\n\n([^]*?)\n\n## /.exec(contributing);
const html = read('web/demo/index.html');
const names = all(html, /data-view="(\w+)"/g);

describe('the recipe for a view', () => {
  it('names places that are there', () => {
    const places = all(recipe, /`((?:web|tests)\/[\w./]+)`/g);
    assert.ok(places.length >= 4, `${places}`);
    for (const place of places) assert.ok(existsSync(join(root, place)), place);
  });

  it('is what every view has: a module, its line, an element, a button and a value', () => {
    assert.ok(names.length > 3, `${names}`);
    const path = 'web/demo/page/view_switch.js';
    const modules = new Map(
      Array.from(
        read(path).matchAll(/(?:import \{ (create\w+) \} from|=> import\()\s*'(\.[^']+)'/g),
        ([, , module]) => [/(\w+)\.js$/.exec(module)[1], join(root, dirname(path), module)],
      ),
    );
    const buttons = all(html, /name="view"\s+value="(\w+)"/g);
    assert.deepEqual(buttons.toSorted(), names.toSorted());
    for (const name of names) {
      assert.equal(fields.view.read(name), name, `state_fields.js, ${name}`);
      assert.ok(modules.has(name), `view_switch.js, ${name}`);
      const create = `export function create${name[0].toUpperCase()}${name.slice(1)}(`;
      assert.ok(readFileSync(modules.get(name), 'utf8').includes(create), create);
    }
  });
});
