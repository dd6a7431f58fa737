// Casts to any or unknown, which switch the type checker off: each has its reason, and there are few.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';

import { root } from '../support/js/package.js';

const maxCasts = 40;

const cast = /@type \{\s*(?:any|unknown)\s*\} *\*\/ *\(/;
const reason = /\/\/ cast: \S.{10,}/;
// A type that is any for every use of a name: such names are told their type instead.
const named = /@(?:param|returns?|type|typedef|property|template) \{[^}]*\bany\b/;

const list = ['ls-files', '--cached', '--others', '--exclude-standard', 'web', 'tests/support'];
const lines = execFileSync('git', list, { cwd: root, encoding: 'utf8' })
  .split('\n')
  .filter((path) => /\.jsx?$/.test(path))
  .flatMap((path) => {
    const texts = readFileSync(join(root, path), 'utf8').split('\n');
    return texts.map((text, n) => ({
      where: `${path}:${n + 1}`,
      text,
      before: texts[n - 1] ?? '',
    }));
  });

describe('casts to any or unknown', () => {
  const casts = lines.filter(({ text }) => cast.test(text));

  it(`are at most ${maxCasts}`, () => {
    assert.ok(casts.length <= maxCasts, casts.map(({ where }) => where).join('\n'));
  });

  it('have their reason beside them, as // cast: …', () => {
    const missing = casts.filter(({ text, before }) => !reason.test(text) && !reason.test(before));
    assert.deepEqual(
      missing.map(({ where }) => where),
      [],
    );
  });

  it('are the only types that are any', () => {
    const others = lines.filter(({ text }) => named.test(text) && !cast.test(text));
    assert.deepEqual(
      others.map(({ where }) => where),
      [],
    );
  });
});
