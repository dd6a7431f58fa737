// The packed package has the same bytes from any folder, and names no folder.

import assert from 'node:assert/strict';
import { cp, mkdir, mkdtemp, readFile, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { root, run } from '../support/js/package.js';

describe('publishing', { timeout: 300_000 }, () => {
  let folder;
  before(async () => (folder = await mkdtemp(join(tmpdir(), 'attention-publishing-'))));
  after(() => rm(folder, { recursive: true, force: true }));

  it('packs the same bytes in different folders, at different times', async () => {
    const listed = await run('npm', ['pack', '--dry-run', '--json', '--ignore-scripts']);
    const paths = JSON.parse(listed)[0].files.map(({ path }) => path);
    const tarballs = [];
    for (const [place, seconds] of [
      ['one', 1e9],
      ['another/folder', 1.5e9],
    ]) {
      for (const path of paths) {
        const to = join(folder, place, path);
        await mkdir(dirname(to), { recursive: true });
        await cp(join(root, path), to);
        await utimes(to, seconds, seconds);
      }
      await run('npm', ['pack', '--ignore-scripts'], join(folder, place));
      const { name, version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
      tarballs.push(await readFile(join(folder, place, `${name}-${version}.tgz`)));
    }
    assert.ok(tarballs[0].length > 1e6);
    assert.ok(tarballs[0].equals(tarballs[1]));
    for (const path of paths) {
      assert.ok(!(await readFile(join(root, path))).includes(`${root}/`), path);
    }
  });
});
