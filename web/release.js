// Makes a release of the commit that is checked out:   npm run release [-- --dry-run]
// Checks that nothing is uncommitted, that the version is new and the same everywhere, that all tests pass and that two
// folders pack to the same bytes; then tags it, with what changed as the tag's message. --dry-run: all but the tag.

import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { printedBy } from './printed_by.js';

const manifestOf = (root) => JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/** What stands in the way of a release, before anything is built: sentences. */
export function obstacles(root) {
  const found = [];
  const changed = printedBy(root, 'git', 'status', '--porcelain');
  if (changed !== '') found.push(`there are files that are not committed:\n${changed}`);
  const { version } = manifestOf(root);
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  for (const locked of [lock.version, lock.packages[''].version]) {
    if (locked !== version) {
      found.push(`package-lock.json is of version ${locked}, package.json of ${version}`);
    }
  }
  if (printedBy(root, 'git', 'tag', '--list', `v${version}`) !== '') {
    found.push(`there is a tag v${version}: a release needs a new version in package.json`);
  }
  return found;
}

/** What changed since the release before, commit by commit: the changelog is in the tags. */
export function message(root) {
  const { name, version } = manifestOf(root);
  const [before] = printedBy(
    root,
    'git',
    'tag',
    '--list',
    'v*',
    '--merged=HEAD',
    '--sort=-v:refname',
  ).split('\n');
  const range = before ? [`${before}..HEAD`] : ['HEAD'];
  const changes = printedBy(
    root,
    'git',
    'log',
    '--reverse',
    '--no-merges',
    '--format=- %s',
    ...range,
  );
  return `${name} ${version}\n\n${before ? `Since ${before}:\n\n` : ''}${changes}\n`;
}

/** The digest of the tarball that a fresh clone in a folder packs to, with what it is built with installed anew. */
function packedIn(root, folder) {
  mkdirSync(dirname(folder), { recursive: true });
  printedBy(root, 'git', 'clone', '--quiet', '--no-hardlinks', root, folder);
  printedBy(folder, 'npm', 'pack', '--silent');
  const { name, version } = manifestOf(folder);
  const tarball = readFileSync(join(folder, `${name}-${version}.tgz`));
  return createHash('sha256').update(tarball).digest('hex');
}

function packTwice(root) {
  const folder = mkdtempSync(join(tmpdir(), 'attention-release-'));
  try {
    const digests = [join(folder, 'one'), join(folder, 'another/folder')].map((place) =>
      packedIn(root, place),
    );
    if (digests[0] !== digests[1]) throw new Error('two folders pack to different bytes');
    return digests[0];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs all tests, unless this commit has passed them here. */
function test(root) {
  const stamp = join(root, '.build/tested-commit.txt');
  const commit = printedBy(root, 'git', 'rev-parse', 'HEAD');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === commit) return 'passed before';
  const last = printedBy(root, process.execPath, 'tests/run.js').split('\n').at(-1);
  writeFileSync(stamp, commit);
  return last;
}

function release(root, isDry) {
  const found = obstacles(root);
  if (found.length > 0) throw new Error(found.join('\n'));
  const manifest = manifestOf(root);
  if (!manifest.repository) {
    console.log('note: package.json names no repository, which npm publish --provenance asks for');
  }
  console.log(`tests: ${test(root)}`);
  console.log(`two folders pack to the same bytes: sha256 ${packTwice(root)}`);
  const tag = `v${manifest.version}`;
  const text = message(root);
  if (isDry) {
    console.log(`would tag ${tag}:\n\n${text}`);
    return;
  }
  // As it is: a line that begins with # is no comment.
  printedBy(root, 'git', 'tag', '--annotate', '--cleanup=verbatim', tag, '--message', text);
  console.log(`tagged ${tag}; now: git push origin ${tag} && npm publish`);
}

const file = fileURLToPath(import.meta.url);
if (process.argv[1] && realpathSync(process.argv[1]) === file) {
  const { values } = parseArgs({ options: { 'dry-run': { type: 'boolean', default: false } } });
  try {
    release(resolve(dirname(file), '..'), values['dry-run']);
  } catch (error) {
    console.error(`No release: ${error.message}`);
    process.exitCode = 1;
  }
}
