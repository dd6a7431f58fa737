// Checks of the source text: layout of the tree, imports between modules, sizes, forbidden words.

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

  it('keeps nothing generated and nothing binary but tensors, trained weights and what was fuzzed', () => {
    const binary = paths.filter((path) => !texts.has(path));
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
    const sources = ['.h', '.cpp', '.js', '.ts'];
    const silent = paths.filter(
      (path) => sources.includes(extname(path)) && !/^(#!.*\n)?\s*\/[/*]/.test(texts.get(path)),
    );
    assert.deepEqual(silent, []);
  });

  it('touches the memory of the module in heap.js alone', () => {
    const memory = /\bHEAPU?\d+\b|\bHEAPF\d+\b|\bwasmMemory\b|\bmemory\.buffer\b/;
    const others = (path) => below('web', 'tests')(path) && path.endsWith('.js');
    const seen = 'tests/support/js/module_memory.js'; // reads the module's memory as foreign code could
    const allowed = ['web/lib/module/heap.js', 'tests/release/house.test.js', seen];
    assert.deepEqual(
      find(memory, (path) => others(path) && !allowed.includes(path)),
      [],
    );
  });

  it('names the SIMD intrinsics in one header, and uses them in one folder', () => {
    const header = 'src/kernels/simd/v128.h';
    assert.deepEqual(
      find(/wasm_simd128\.h|\bsimde\b/i, (path) => cpp(path) && path !== header),
      [],
    );
    assert.deepEqual(
      find(/\bwasm_\w+/, (path) => cpp(path) && !below('src/kernels/simd')(path)),
      [],
    );
    assert.notDeepEqual(
      find(/wasm_simd128\.h/, (path) => path === header),
      [],
    );
  });

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
    const up = [];
    for (const [path, text] of texts) {
      if (!cpp(path)) continue;
      for (const [, name] of text.matchAll(/^#include "(.+)"/gm)) {
        const target = [`include/${name}`, `src/${name}`].find((candidate) => texts.has(candidate));
        assert.ok(target, `${path} includes ${name}, which is not below include/ or src/`);
        if (floorOf(target) > floorOf(path)) up.push(`${path} includes ${name}`);
      }
    }
    assert.deepEqual(up, []);
  });

  it('has names of JavaScript in src/calls only', () => {
    const lower = (path) => cpp(path) && !below('src/calls', 'src/bindings')(path);
    // Records, error messages, numeric addresses, and names that belong to JavaScript.
    const words =
      /\bcalls::|\bsentence\(|\bbroken\(|\buintptr_t\b|\bkvHeads\b|\bkeyLengths\b|Uint8Array/;
    assert.deepEqual(find(words, lower), []);
    assert.notDeepEqual(
      find(words, (path) => below('src/calls')(path)),
      [],
    );
    const doubles = /^\s+double \w+[,;=]/;
    const inViews = (path) => below('include')(path) && !path.endsWith('rotary.h');
    assert.deepEqual(find(doubles, inViews), []);
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

  it('links the C++ library without the calls', () => {
    const cmake = texts.get('CMakeLists.txt');
    const [, library] = cmake.match(/add_library\(attention STATIC ([^)]*)\)/);
    const lists = [...library.matchAll(/\$\{(\w+)\}/g)].map(([, name]) => {
      return cmake.match(RegExp(`set\\(${name}\\n([^)]*)\\)`))[1];
    });
    const sources = lists.join('\n').trim().split(/\s+/);
    assert.ok(sources.length > 20 && sources.every((path) => texts.has(path)));
    assert.deepEqual(
      sources.filter(
        (path) => !below('src/kernels', 'src/core', 'src/layers', 'src/training')(path),
      ),
      [],
    );
  });

  it('has each call in one file: record, fields, rules, run; each field once; no nested records', () => {
    const calls = [];
    for (const [path, text] of texts) {
      if (!below('src/calls')(path)) continue;
      for (const [whole, name] of text.matchAll(/^struct (\w+Call) : [^{]*\{[\s\S]*?^\};/gm)) {
        const order = ['void fields(', 'bool check(', 'void run('].map((part) =>
          whole.indexOf(part),
        );
        const steps = order.filter((at) => at >= 0);
        assert.deepEqual(
          steps,
          [...steps].sort((a, b) => a - b),
          `${path}: ${name}`,
        );
        const listed = order[0] < 0 ? '' : whole.slice(order[0], order[1]);
        const names = [...listed.matchAll(/"(\w+)", \w/g)].map(([, field]) => field);
        assert.equal(new Set(names).size, names.length, `${path}: ${name} lists a field twice`);
        assert.doesNotMatch(whole, /^ {2}\w+Call \w+;/m, `${path}: ${name} holds a record`);
        calls.push(name);
      }
    }
    // Functions without a list of options have the options of attention().
    assert.ok(calls.length >= 24, `${calls.length} calls`);
  });

  it('has enum numbers in the module only', () => {
    const types = new Set(
      [...texts.get('src/calls/calls.cpp').matchAll(/^ {4}\{"(\w+)", "\w+", /gm)].map(
        ([, type]) => type,
      ),
    );
    assert.ok(types.size >= 6);
    const library = paths.filter((path) => below('web/lib')(path) && path.endsWith('.js'));
    for (const type of types) {
      assert.ok(
        library.some((path) => RegExp(`\\b${type}\\b`).test(texts.get(path))),
        `nothing in web/lib looks ${type} up`,
      );
    }
    assert.deepEqual(
      find(/\b(gaussian|bfloat16|gelu_tanh|efficient|biased): \d/, (path) =>
        below('web/lib')(path),
      ),
      [],
    );
  });

  it('has the defaults that its headers say', () => {
    assert.match(
      texts.get('include/attention/scaled_dot_product.h'),
      /std::optional<float> scale\b/,
    );
    // The number of keys follows from the keys.
    assert.doesNotMatch(
      texts.get('include/attention/visibility.h'),
      /^\s+std::size_t (k_len|first_key)\b/m,
    );
  });

  it('checks sizes against the address space in one function', () => {
    const places = find(/\bkMaximumBytes\b/, cpp).map((line) => line.split(':')[0]);
    assert.deepEqual(places, ['src/calls/calls.cpp', 'src/calls/record.h']);
    assert.match(texts.get('src/bindings/bindings.cpp'), /can_be_addressed\(bytes\)/);
  });

  it('has only entry points at the top of web/lib, and folders that import downwards', () => {
    const library = paths.filter((path) => below('web/lib')(path)).map((path) => path.slice(8));
    const doors =
      'command core heatmap index load models pool safetensors text training translator'.split(' ');
    assert.deepEqual(
      library.filter((path) => /^[^/]+\.js$/.test(path)),
      doors.map((name) => `${name}.js`),
    );
    // A module imports only modules before it in the list; these modules do not import each other.
    const floors = ['arguments', 'module', 'attention', 'layers', 'load.js'];
    const floorOf = (path) => floors.indexOf(path.split('/')[0]);
    const up = [];
    for (const path of library.filter((name) => name.endsWith('.js') && floorOf(name) >= 0)) {
      const text = texts.get(`web/lib/${path}`);
      for (const [, name] of text.matchAll(/from '(\.[^']+)'/g)) {
        const target = join(path, '..', name);
        const floor = floorOf(target);
        if (floor < 0 || floor > floorOf(path)) up.push(`${path} imports ${target}`);
      }
    }
    assert.deepEqual(up, []);
  });

  it('has a page that imports the public entries of the package, and web/tasks', () => {
    const entries = Object.keys(manifest.exports).map((entry) => manifest.name + entry.slice(1));
    const others = [...Object.keys(manifest.devDependencies), 'virtual'];
    const isPublic = (name) => entries.includes(name) || others.includes(name.split(/[/:]/)[0]);
    const specifiers = [
      /^(?:import|export) (?:[\w*{},\s]*? from )?'([^']+)'/gm,
      /\bimport\(\s*'([^']+)'/g,
      /\bnew URL\(\s*'([^']+)',\s*import\.meta\.url/g,
      /^\s*@import (?:url\()?['"]([^'"]+)['"]/gm,
    ];
    const problems = [];
    let count = 0;
    for (const [path, text] of texts) {
      const inTasks = below('web/tasks')(path);
      if (!inTasks && !below('web/demo')(path)) continue;
      for (const [, name] of specifiers.flatMap((pattern) => [...text.matchAll(pattern)])) {
        const isFile = name.startsWith('.');
        const folders = inTasks ? ['web/tasks'] : ['web/demo', 'web/tasks'];
        const isAllowed = isFile
          ? below(...folders)(join(path, '..', name))
          : isPublic(name) && !inTasks;
        ++count;
        if (!isAllowed) problems.push(`${path} imports ${name}`);
      }
    }
    assert.ok(count > 400, `${count} imports`);
    assert.deepEqual(problems, []);
  });

  it('lists its sources in CMake', () => {
    const cmake = (path) => basename(path) === 'CMakeLists.txt' || path.endsWith('.cmake');
    assert.deepEqual(find(/\bGLOB(_RECURSE)?\b/, cmake), []);
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
    const undone = RegExp(
      `\\b(${['TO' + 'DO', 'FIX' + 'ME', 'XX' + 'X', 'HA' + 'CK'].join('|')})\\b`,
    );
    // Concatenated, so that this line does not match.
    const kinds = ['sk' + 'ip', 'to' + 'do', 'on' + 'ly'].join('|');
    const skipped = RegExp(
      `\\b(it|test|describe)\\.(${kinds})\\(|\\bGTEST_SK${''}IP\\b|\\bDISA${''}BLED_`,
    );
    const other = (path) => path !== 'package-lock.json' && path !== 'tests/release/house.test.js';
    assert.deepEqual([...find(undone, other), ...find(skipped, other)], []);
  });
});
