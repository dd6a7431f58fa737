// What is published: the same bytes from any folder, and a release only of what is committed and new.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { message, obstacles } from '../../web/release.js';
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
    // Nor does what was built tell where it was.
    for (const path of paths) {
      assert.ok(!(await readFile(join(root, path))).includes(`${root}/`), path);
    }
  });

  it('is of what is committed, of one version, and new; its tag tells what changed', async () => {
    const place = join(folder, 'repository');
    await mkdir(place);
    const identity = ['-c', 'user.name=A', '-c', 'user.email=a@localhost'];
    const git = (...args) => execFileSync('git', [...identity, ...args], { cwd: place });
    const write = async (version, locked = version) => {
      await writeFile(join(place, 'package.json'), JSON.stringify({ name: 'thing', version }));
      const lock = { version: locked, packages: { '': { version: locked } } };
      await writeFile(join(place, 'package-lock.json'), JSON.stringify(lock));
    };
    const commit = (subject) => {
      git('add', '--all');
      git('commit', '--quiet', '--message', `${subject}\n\nMore of it.`);
    };
    git('init', '--quiet');
    await write('1.0.0');
    assert.match(obstacles(place).join(), /^there are files that are not committed:\n\?\? /);
    commit('The first thing');
    assert.deepEqual(obstacles(place), []);
    assert.equal(message(place), 'thing 1.0.0\n\n- The first thing\n');

    git('tag', 'v1.0.0');
    assert.deepEqual(obstacles(place), [
      'there is a tag v1.0.0: a release needs a new version in package.json',
    ]);
    await write('1.1.0', '1.0.0');
    commit('The second thing');
    const behind = 'package-lock.json is of version 1.0.0, package.json of 1.1.0';
    assert.deepEqual(obstacles(place), [behind, behind]);
    await write('1.1.0');
    commit('The third thing');
    assert.deepEqual(obstacles(place), []);
    const changes = '- The second thing\n- The third thing';
    assert.equal(message(place), `thing 1.1.0\n\nSince v1.0.0:\n\n${changes}\n`);
  });
});
