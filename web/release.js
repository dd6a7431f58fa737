// Makes a release of the commit that is checked out:   npm run release [-- --dry-run]
// Checks that nothing is uncommitted, that the version is new and the same everywhere, that the changelog describes it,
// that package.json has the addresses of the project, that all tests pass and that two folders pack to the same bytes;
// then tags it, with its changelog section as the message.
//   --dry-run   all but the tag; missing addresses are only noted
//   --check     the addresses alone: npm publish runs it first
//   --tagged T  that T is the tag of this version alone: the workflow that publishes runs it first

import { messageOf } from './lib/arguments/message_of.js';
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

/** Fields of package.json that publishing requires: users need addresses for questions and bugs. */
const addresses = ['repository', 'homepage', 'bugs'];

/** Messages about missing addresses. */
export function missingAddresses(root) {
  const manifest = manifestOf(root);
  const missing = addresses.filter((name) => !manifest[name]);
  return missing.length === 0 ? [] : [`package.json has no ${missing.join(', no ')}`];
}

/** The changelog section of package.json's version, without its heading; '' if there is none. */
export function changes(root) {
  const path = join(root, '.github/CHANGELOG.md');
  const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
  const [, ...parts] = text.split(/^## /m);
  const { version } = manifestOf(root);
  const part = parts.find((one) => one.split('\n')[0].trim() === version) ?? '';
  return part.slice(part.indexOf('\n')).trim();
}

/** Messages about reasons not to release that need no build; addresses are checked by missingAddresses(). */
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
  if (changes(root) === '') found.push(`.github/CHANGELOG.md has no text under "## ${version}"`);
  return found;
}

/** The message of the tag. */
export function message(root) {
  const { name, version } = manifestOf(root);
  return `${name} ${version}\n\n${changes(root)}\n`;
}

/** Digest of the tarball of a fresh clone in a folder, with freshly installed dependencies. */
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
  const last = printedBy(root, process.execPath, 'tests/run.js', 'full').split('\n').at(-1);
  writeFileSync(stamp, commit);
  return last;
}

function release(root, isDry) {
  const missing = missingAddresses(root);
  const found = [...obstacles(root), ...(isDry ? [] : missing)];
  if (found.length > 0) throw new Error(found.join('\n'));
  for (const sentence of missing)
    console.log(`note: ${sentence}; without --dry-run this is refused`);
  console.log(`tests: ${test(root)}`);
  console.log(`two folders pack to the same bytes: sha256 ${packTwice(root)}`);
  const tag = `v${manifestOf(root).version}`;
  const text = message(root);
  if (isDry) {
    console.log(`would tag ${tag}:\n\n${text}`);
    return;
  }
  // Verbatim: a line that begins with # is not a comment.
  printedBy(root, 'git', 'tag', '--annotate', '--cleanup=verbatim', tag, '--message', text);
  console.log(`tagged ${tag}; now: git push origin ${tag} && npm publish`);
}

/** A message if a tag is not that of package.json's version; '' otherwise. */
export function wrongTag(root, tag) {
  const { version } = manifestOf(root);
  return tag === `v${version}` ? '' : `the tag is ${tag}, package.json is of version ${version}`;
}

function requireTag(root, tag) {
  const wrong = wrongTag(root, tag);
  if (wrong) throw new Error(wrong);
}

function check(root) {
  const missing = missingAddresses(root);
  if (missing.length > 0) throw new Error(missing.join('\n'));
}

const file = fileURLToPath(import.meta.url);
if (process.argv[1] && realpathSync(process.argv[1]) === file) {
  /** @type {{ type: 'boolean', default: false }} */
  const flag = { type: 'boolean', default: false };
  const root = resolve(dirname(file), '..');
  try {
    const { values } = parseArgs({
      options: { 'dry-run': flag, check: flag, tagged: { type: 'string' } },
    });
    if (values.tagged !== undefined) requireTag(root, values.tagged);
    else if (values.check) check(root);
    else release(root, values['dry-run']);
  } catch (error) {
    console.error(`No release: ${messageOf(error)}`);
    process.exitCode = 1;
  }
}
