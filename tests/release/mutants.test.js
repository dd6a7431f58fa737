// What tests/release/mutants.js makes of sources, and that its list of equivalent mutants is of what is there.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';

import { root } from '../support/js/package.js';
import { keyOf, mutantsOf } from '../support/js/mutants/all_mutants.js';
import { chosenMutants } from '../support/js/mutants/chosen_mutants.js';
import { cppMutants, switchableCpp } from '../support/js/mutants/cpp_mutants.js';
import { equivalentMutants } from '../support/js/mutants/equivalent_mutants.js';
import { jsMutants, switchableJs } from '../support/js/mutants/js_mutants.js';

const folder = mkdtempSync(join(tmpdir(), 'mutants-'));
after(() => rmSync(folder, { recursive: true }));

const numbered = (mutants) => mutants.map((mutant, n) => ({ ...mutant, n }));
const changes = (mutants) => mutants.map(({ change }) => change);

const cpp = `// a < b in a comment, and "a + b" in a text
#include <vector>
constexpr int kFour = int{1} << 2;
consteval bool is_small(int number) { return number < 3; }
template <int kSize>
int count(const std::vector<int>& all, int below, bool twice) {
  int found = 0;
  for (const int one : all) {
    if (one < below && !twice) ++found;
  }
  const char* text = "a + b";
  if (all.empty()) return -1;
  found += kFour * (1 + static_cast<int>(text[0] == 'a'));
  return std::max(found, kSize);
}`;

const js = `// a < b in a comment
export function count(all, below, twice) {
  let found = 0;
  for (const one of all) {
    if (one < below && !twice) found++;
  }
  if (all.length === 0) return 'no' + 'ne';
  found += 4 * all.length;
  return Math.max(found, twice ?? 7);
}
`;

describe('mutants of C++', () => {
  it('are of operators, bounds, numbers and statements, not of types, comments and texts', () => {
    assert.deepEqual(changes(cppMutants(cpp)), [
      '0 → 1',
      'if not',
      '&& without one…',
      '< → <=',
      '&& without !…',
      '++ → --',
      'dropped',
      'if not',
      'dropped',
      '1 → 2',
      '1 → 0',
      'dropped',
      '+= → -=',
      '* → /',
      '1 → 2',
      '1 → 0',
      '+ → -',
      '0 → 1',
      '== → !=',
      'max → min',
    ]);
  });

  it('are all in one program, which is itself without a number and another with each', () => {
    const mutants = numbered(cppMutants(cpp));
    const file = join(folder, 'count.cpp');
    const program = join(folder, 'count');
    const calls =
      'count<0>({1, 2, 3}, 2, false), count<0>({3, 2}, 3, true), count<2>({}, 1, false)';
    const text = `${switchableCpp(cpp, mutants)}
      #include <cstdio>
      #include <cstdlib>
      int mutants::chosen;
      bool mutants::note(int) { return false; }
      int main(int, char** given) {
        mutants::chosen = std::atoi(given[1]);
        for (const int number : {${calls}}) std::printf("%d ", number);
      }`;
    writeFileSync(file, `#include <algorithm>\n${text}`);
    const header = join(root, 'tests/support/cpp/mutants.h');
    execFileSync('clang++', ['-std=c++20', '-include', header, file, '-o', program]);
    const printed = (n) => spawnSync(program, [String(n)], { encoding: 'utf8' }).stdout;
    const plain = '9 8 -1 ';
    assert.equal(printed(-1), plain);
    const alike = mutants.filter(({ n }) => printed(n) === plain);
    assert.deepEqual(changes(alike), []);
  });
});

describe('mutants of JavaScript', () => {
  it('are of operators, bounds, numbers and statements, not of comments and texts', () => {
    assert.deepEqual(changes(jsMutants(js)), [
      '0 → 1',
      'if not',
      '&& without one',
      '< → <=',
      '&& without !twice',
      'dropped',
      '++ → --',
      'if not',
      '=== → !==',
      '0 → 1',
      'dropped',
      'dropped',
      '+= → -=',
      '4 → 5',
      '* → /',
      'Math.max → Math.min',
      '?? undefined',
      '7 → 8',
    ]);
  });

  it('are all in one file, which is itself without a number and another with each', () => {
    const mutants = numbered(jsMutants(js));
    const address = pathToFileURL(join(root, 'tests/support/js/mutants/js_switch.js')).href;
    const calls = 'count([1, 2, 3], 2, false), count([30, 2], 31, true), count([0]), count([], 1)';
    const file = join(folder, 'count.mjs');
    writeFileSync(file, `${switchableJs(js, mutants, address)}\nconsole.log(${calls});`);
    const printed = (n) =>
      spawnSync(process.execPath, [file], { env: { ...process.env, ...n }, encoding: 'utf8' })
        .stdout;
    const plain = printed({});
    assert.equal(plain, '13 8 7 none\n');
    const alike = mutants.filter(({ n }) => printed({ MUTANT: String(n) }) === plain);
    assert.deepEqual(changes(alike), []);
  });
});

describe('the mutants that are run', () => {
  const text = 'const a = b < c;\nconst d = b < c;\n';
  const all = ['one.js', 'two.js'].flatMap((file) => mutantsOf(file, text, jsMutants));

  it('are a part that a word chooses, of each file', () => {
    const files = chosenMutants(all, 2, 'word').map(({ file }) => file);
    assert.deepEqual(files.sort(), ['one.js', 'two.js']);
    const seeds = Array.from({ length: 20 }, (_, seed) => chosenMutants(all, 1, `${seed}`)[0].line);
    assert.deepEqual(new Set(seeds), new Set([1, 2]));
    assert.deepEqual(chosenMutants(all, 3, 'word'), chosenMutants(all, 3, 'word'));
  });

  it('are without those that a list names, wherever their lines are', () => {
    const entry = { file: 'one.js', text: 'const a = b < c;', change: '< → <=' };
    const list = [{ why: 'c is never b', mutants: [entry] }];
    const moved = mutantsOf('one.js', `\n\n${text}`, jsMutants);
    const found = equivalentMutants(list, moved);
    assert.deepEqual(
      moved.map((mutant) => found.has(keyOf(mutant))),
      [true, false],
    );
  });

  it('are without those of the list in the repository, which is of sources as they are', () => {
    const file = join(root, 'tests/support/js/mutants/equivalent_mutants.json');
    const list = JSON.parse(readFileSync(file, 'utf8'));
    const files = new Set(list.flatMap(({ mutants }) => mutants.map((entry) => entry.file)));
    const there = Array.from(files, (name) =>
      mutantsOf(
        name,
        readFileSync(join(root, name), 'utf8'),
        name.endsWith('.js') ? jsMutants : cppMutants,
      ),
    );
    const listed = list.flatMap(({ mutants }) => mutants);
    assert.equal(equivalentMutants(list, there.flat()).size, listed.length);
  });

  it('are not looked for in a list that is out of date', () => {
    const entry = { file: 'one.js', text: 'const a = b < c;', change: '< → <=' };
    for (const wrong of [{ text: 'const a = b < d;' }, { change: '< → >' }, { nth: 2 }]) {
      const list = [{ why: 'c is never b', mutants: [{ ...entry, ...wrong }] }];
      assert.throws(() => equivalentMutants(list, all), /not there/);
    }
    assert.throws(() => equivalentMutants([{ why: '', mutants: [entry] }], all), /not why/);
    const twice = [{ why: 'c is never b', mutants: [entry, entry] }];
    assert.throws(() => equivalentMutants(twice, all), /twice/);
  });
});
