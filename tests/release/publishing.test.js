// Checks of the release script: a release is of committed files, of one version, new, and described in the changelog; the
// package is not published without the addresses of its project.

import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { root } from '../support/js/package.js';
import { changes, message, missingAddresses, obstacles, wrongTag } from '../../web/release.js';

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
    const describe = async (text) => {
      await mkdir(join(place, '.github'), { recursive: true });
      await writeFile(join(place, '.github/CHANGELOG.md'), `# Changes\n\n${text}`);
    };
    git('init', '--quiet');
    await write('1.0.0');
    await describe('## 1.0.0\n\n- It adds.\n');
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
    const untold = '.github/CHANGELOG.md has no text under "## 1.1.0"';
    assert.deepEqual(obstacles(place), [behind, behind, untold]);
    await write('1.1.0');
    await describe('## 1.1.0\n\n## 1.0.0\n\n- It adds.\n');
    commit('The third thing');
    assert.deepEqual(obstacles(place), [untold]);
    await describe('## 1.1.0\n\n- It subtracts.\n\n## 1.0.0\n\n- It adds.\n');
    commit('The fourth thing');
    assert.deepEqual(obstacles(place), []);
    assert.equal(message(place), 'thing 1.1.0\n\n- It subtracts.\n');
  });

  it('is refused, as npm publish is, while package.json has no addresses', async () => {
    const place = join(folder, 'addresses');
    await mkdir(place);
    const write = (fields) => writeFile(join(place, 'package.json'), JSON.stringify(fields));
    await write({ name: 'thing', homepage: 'https://thing.example' });
    assert.deepEqual(missingAddresses(place), ['package.json has no repository, no bugs']);
    await write({ repository: 'a/thing', homepage: 'https://thing.example', bugs: 'a@b.example' });
    assert.deepEqual(missingAddresses(place), []);

    const { scripts } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
    const [command, ...args] = scripts.prepublishOnly.split(' ');
    assert.equal(command, 'node');
    const { status, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
    const missing = missingAddresses(root);
    assert.equal(status, missing.length, stderr);
    for (const sentence of missing) assert.match(stderr, RegExp(`^No release: ${sentence}`));
  });

  it('is published under the tag of its version alone', async () => {
    const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
    assert.equal(wrongTag(root, `v${version}`), '');
    for (const tag of [version, `v${version}0`, 'v0.0.9', '']) {
      assert.equal(wrongTag(root, tag), `the tag is ${tag}, package.json is of version ${version}`);
    }
    const { status, stderr } = spawnSync(
      process.execPath,
      ['web/release.js', '--tagged', 'v0.0.9'],
      { cwd: root, encoding: 'utf8' },
    );
    assert.deepEqual([status, stderr.slice(0, 29)], [1, 'No release: the tag is v0.0.9']);
  });

  it('refuses unknown options with a sentence', () => {
    const args = [join(root, 'web/release.js'), '--check', '--dry'];
    const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
    assert.equal(status, 1);
    assert.match(stderr, /^No release: Unknown option '--dry'.*\n$/);
  });

  it('has its version described in plain words', () => {
    assert.ok(changes(root).split('\n- ').length > 5);
  });
});
