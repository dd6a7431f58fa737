// Checks of the release script: a release is of committed files, of one version, and new.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { obstacles } from '../../web/release.js';

describe('a release', () => {
  let folder;
  before(async () => (folder = await mkdtemp(join(tmpdir(), 'attention-publishing-'))));
  after(() => rm(folder, { recursive: true, force: true }));

  it('is of what is committed, of one version, and new', async () => {
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
  });
});
