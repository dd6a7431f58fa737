// The tree: its folders, what they include, and what is in one place. .eslint.config.js has the imports of JavaScript.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { describe, it } from 'node:test';
import { root } from '../support/js/package.js';

const paths = execFileSync('git', ['ls-files', '-z', '-co', '--exclude-standard'], { cwd: root })
  .toString()
  .split('\0')
  .filter((path) => path && existsSync(join(root, path)));
const read = (path) => readFileSync(join(root, path));
const texts = new Map(
  paths
    .map((path) => [path, read(path)])
    .filter(([, bytes]) => !bytes.includes(0))
    .map(([path, bytes]) => [path, bytes.toString('utf8')]),
);
const manifest = JSON.parse(texts.get('package.json'));

/** The lines of the chosen files that match, as path:line: text. */
function find(pattern, choose) {
  const found = [];
  for (const [path, text] of texts) {
    if (!choose(path)) continue;
    text.split('\n').forEach((line, index) => {
      if (pattern.test(line)) found.push(`${path}:${index + 1}: ${line.trim()}`);
    });
  }
  return found;
}

const below = (...folders) => {
  return (path) => folders.some((folder) => path.startsWith(`${folder}/`));
};
const cpp = (path) => below('include', 'src')(path) && /\.(h|cpp)$/.test(path);

describe('the tree', () => {
  it('has only the listed folders and files at the top', () => {
    const rooms = ['src', 'include', 'web', 'tests'];
    const files = ['CMakeLists.txt', 'package.json', 'README.md', 'LICENSE', 'package-lock.json'];
    const top = new Set(paths.map((path) => path.split('/')[0]));
    const strangers = [...top].filter((name) => ![...rooms, ...files].includes(name));
    assert.deepEqual(
      strangers.filter((name) => !name.startsWith('.')),
      [],
    );
    for (const name of [...rooms, ...files]) assert.ok(top.has(name), `${name} is missing`);
  });

  it('keeps nothing generated and nothing binary but tensors, trained weights, what was fuzzed and a picture', () => {
    const picture = '.github/page.png'; // in the first screen of the README
    const binary = paths.filter((path) => !texts.has(path) && path !== picture);
    assert.deepEqual(
      binary.filter((path) => !below('tests/vectors', 'tests/fuzz/corpus', 'web/model')(path)),
      [],
    );
    assert.deepEqual(
      paths.filter((path) => below('web/built', 'dist', '.build')(path)),
      [],
    );
  });

  it('keeps nothing large but tensors and trained weights', () => {
    const large = paths.filter((path) => read(path).length > 2 ** 20);
    assert.deepEqual(
      large.filter((path) => !below('tests/vectors')(path) && !path.endsWith('.safetensors')),
      [],
    );
  });

  it('has no file named utils, helpers, common or misc', () => {
    const empty = /^(utils?|helpers?|common|misc)\b/;
    assert.deepEqual(
      paths.filter((path) => empty.test(basename(path))),
      [],
    );
  });

  it('begins every source file with a comment', () => {
    const sources = ['.h', '.cpp', '.js', '.jsx', '.ts'];
    const silent = paths.filter(
      (path) => sources.includes(extname(path)) && !/^(#!.*\n)?\s*\/[/*]/.test(texts.get(path)),
    );
    assert.deepEqual(silent, []);
  });

  const includes = [];
  for (const [path, text] of texts) {
    if (!cpp(path)) continue;
    for (const [, name] of text.matchAll(/^ *#include [<"](.+)[>"]/gm)) {
      const target = [`include/${name}`, `src/${name}`].find((candidate) => texts.has(candidate));
      includes.push([path, target ?? name]);
    }
  }

  it('includes downwards only: bindings, calls, training, layers, core, kernels, views', () => {
    const floors = [
      'include/attention',
      'src/kernels',
      'src/core',
      'src/layers',
      'src/training',
      'src/calls',
      'src/bindings',
    ];
    const floorOf = (path) => floors.findIndex((floor) => below(floor)(path));
    assert.ok(includes.length > 100, `${includes.length} includes`);
    assert.deepEqual(
      includes.filter(([path, target]) => floorOf(target) > floorOf(path)),
      [],
    );
  });

  it('includes the SIMD intrinsics in one header, and that header in one folder', () => {
    const simd = below('src/kernels/simd');
    const tables = ['fused', 'simd', 'simd_gradients'].map((name) => `src/kernels/simd/${name}.h`);
    assert.deepEqual(
      includes.filter(([path, target]) => simd(target) && !simd(path) && !tables.includes(target)),
      [],
    );
    const intrinsics = includes.filter(([, target]) => /^simde\b|wasm_simd128/.test(target));
    assert.deepEqual([...new Set(intrinsics.map(([path]) => path))], ['src/kernels/simd/v128.h']);
  });

  it('has a name for every header', () => {
    const headers = paths
      .filter((path) => cpp(path) && path.endsWith('.h'))
      .map((path) => basename(path));
    assert.deepEqual(
      headers.filter((name, index) => headers.indexOf(name) !== index),
      [],
    );
  });

  it('has only entry points at the top of web/lib', () => {
    const doors =
      'command core fused heatmap index load models pool safetensors text training translator'.split(
        ' ',
      );
    assert.deepEqual(
      paths.filter((path) => /^web\/lib\/[^/]+\.js$/.test(path)),
      doors.map((name) => `web/lib/${name}.js`),
    );
  });

  it('has a page whose imports form no circle, and whose folders import downwards', () => {
    const demo = new Map();
    for (const [path, text] of texts) {
      if (!below('web/demo')(path) || !/\.jsx?$/.test(path)) continue;
      // Types are not loaded: they may refer to each other.
      const code = text.replaceAll(/@import \{[^}]*\} from '[^']*'/g, '');
      const names = code.matchAll(/(?:from |import\(\s*|^import )'(\.[^'?]+)/gm);
      demo.set(
        path,
        Array.from(names, ([, name]) => join(path, '..', name)),
      );
    }
    // A folder imports only from those before it in its list.
    const floors = [
      ['web/demo/state', 'web/demo/page'],
      ['web/demo/worker/sources', 'web/demo/worker/compute', 'web/demo/worker/answer'],
    ];
    const up = [];
    for (const [path, targets] of demo) {
      for (const list of floors) {
        const floorOf = (file) => list.findIndex((folder) => below(folder)(file));
        const own = floorOf(path);
        for (const target of targets) {
          if (own >= 0 && floorOf(target) > own) up.push(`${path} imports ${target}`);
        }
      }
    }
    assert.deepEqual(up, []);
    const done = new Set();
    function circleFrom(path, way) {
      if (way.includes(path)) return [...way.slice(way.indexOf(path)), path];
      if (done.has(path)) return null;
      for (const target of demo.get(path) ?? []) {
        const found = circleFrom(target, [...way, path]);
        if (found) return found;
      }
      done.add(path);
      return null;
    }
    for (const path of demo.keys()) assert.equal(circleFrom(path, []), null);
    assert.ok(demo.size > 150, `${demo.size} files`);
  });

  it('tells the walk of a keystroke by files that are there, each once', () => {
    const contributing = readFileSync(join(root, '.github/CONTRIBUTING.md'), 'utf8');
    const [, walk] = contributing.split('### A keystroke in the page\n');
    const stops = Array.from(walk.matchAll(/^\d+\. `([^`]+)`/gm), ([, path]) => path);
    assert.ok(stops.length > 6, `${stops.length} stops`);
    assert.equal(new Set(stops).size, stops.length);
    for (const path of stops) assert.ok(texts.has(path), path);
  });

  it('has its version in one place', () => {
    assert.match(manifest.version, /^\d+\.\d+\.\d+$/);
    const lock = JSON.parse(texts.get('package-lock.json'));
    assert.equal(lock.version, manifest.version);
    assert.equal(lock.packages[''].version, manifest.version);
    const literal = RegExp(`(?<![\\d.])${manifest.version.replaceAll('.', '\\.')}(?![\\d.])`);
    // RESULTS.md names the measured version, the changelog every version.
    const places = ['package.json', 'package-lock.json', 'README.md', 'tests/bench/RESULTS.md'];
    places.push('.github/CHANGELOG.md');
    assert.deepEqual(
      find(literal, (path) => !places.includes(path)),
      [],
    );
    // A package version in the README is the current one or, in its history, an older one.
    const named = [...texts.get('README.md').matchAll(/attention-wasm[@ ]v?(\d+\.\d+\.\d+)/g)];
    for (const [, version] of named) assert.equal(version, manifest.version);
  });

  it('has the types of its entries twice alike, for tools that do not know exports', () => {
    const entries = Object.entries(manifest.exports).filter(
      ([name, { types }]) => name !== '.' && types,
    );
    const types = entries.map(([name, target]) => [name.slice(2), [target.types]]);
    assert.deepEqual(manifest.typesVersions, { '*': Object.fromEntries(types) });
    assert.equal(manifest.types, manifest.exports['.'].types);
    assert.equal(manifest.main, manifest.exports['.'].default);
  });

  it('depends on nothing at run time, and locks no address', () => {
    for (const kind of ['dependencies', 'peerDependencies', 'optionalDependencies']) {
      assert.ok(!Object.hasOwn(manifest, kind), kind);
    }
    assert.doesNotMatch(texts.get('package-lock.json'), /"resolved"/);
  });

  it('runs anywhere: no path of one machine', () => {
    const machine = /(?:^|[\s"'`(=:])\/(?:home|root|work|Users|tmp|mnt|opt)\/\w/;
    assert.deepEqual(
      find(machine, () => true),
      [],
    );
  });

  it('has no unfinished code and no skipped test', () => {
    // Concatenated, so that these lines do not match.
    const undone = ['TO' + 'DO', 'FIX' + 'ME', 'XX' + 'X', 'HA' + 'CK', 'GTEST_SK' + 'IP'];
    assert.deepEqual(
      find(
        RegExp(`\\b(${undone.join('|')})\\b|\\bDISA${''}BLED_`),
        (path) => path !== 'package-lock.json',
      ),
      [],
    );
  });
});
