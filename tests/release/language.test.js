// Identifiers use the field's words: none contains a word of the list below.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import ts from 'typescript';
import { root } from '../support/js/package.js';

// Words with several meanings, or another word than the field's, and what to use instead.
const words = new Set(
  [
    'told said given put', // message, option, input, result
    'kept', // returned, retained
    'wanted asked', // requested
    'looks sees', // attends to, is visible to
    'turned', // rotated, transposed
    'evened', // normalized
    'widen narrow', // up and down projection, low precision
    'part parts piece pieces share shares', // range, slice, block, tile, shard
    'rise absorb spoil poisoned weigh', // update_max, accumulate, propagate_nan, has_nan, normalize
    'most least usual', // max, min, default
    'door doors wall walls', // entry points, boundaries
    'letter letters', // character
    'forgotten nobody untold whoever',
  ]
    .join(' ')
    .split(' '),
);

// Public names, names of other interfaces, and words in their own sense: at most 20.
const exceptions = new Set([
  'keptLength', // KeyValueCache
  'biasPart', // Linear.fill()
  'widen', // TransformerLayer.fromWeights(), and the conversion to float32
  'widenBias',
  'narrow',
  'narrowBias',
  'putImageData', // the DOM
  'web/lib/heatmap/element.js: part', // ::part() of CSS
  'ModelPieces', // loadModel()
  'parts', // of a pair of texts
  'pieces', // the option --pieces of the command
]);

// Terms of the field that contain a word of the list.
const terms = /in_?place|at_?least_|(word|sentence)_?pieces?/gi; // kinds of tokenizers

const folders = ['include', 'src', 'web/lib'];

/** The words of an identifier: keptLength → kept, length. */
function wordsOf(identifier) {
  const spaced = identifier
    .replace(terms, '')
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2');
  return spaced.toLowerCase().match(/[a-z]+/g) ?? [];
}

const isBad = (identifier) => wordsOf(identifier).some((word) => words.has(word));

/** The identifiers of a C++ source, without comments, strings and #include lines. */
function cppIdentifiers(source) {
  const prose =
    /\/\*[^]*?\*\/|\/\/.*|R"(\w*)\([^]*?\)\1"|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)'|^#include.*/gm;
  return source.replace(prose, ' ').match(/[A-Za-z_]\w*/g) ?? [];
}

/** The identifiers of a JavaScript or TypeScript source. */
function jsIdentifiers(path, source) {
  const identifiers = [];
  const visit = (node) => {
    if (ts.isIdentifier(node) || ts.isPrivateIdentifier(node)) identifiers.push(node.text);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, source, ts.ScriptTarget.Latest));
  return identifiers;
}

const identifiersOf = (path, source) =>
  /\.(h|cpp)$/.test(path) ? cppIdentifiers(source) : jsIdentifiers(path, source);

describe('the language of identifiers', () => {
  it('finds a word in names of every style, and none in comments and strings', () => {
    const js =
      "const keptRows = 1; // said\nf`share ${x.shareOf} part`; '#told'; this.#given; /asked/;";
    assert.deepEqual(jsIdentifiers('a.js', js).filter(isBad), ['keptRows', 'shareOf', '#given']);
    const cpp = 'int kMostRows = 2; /* said */ auto narrow_weights = "told"; parted(highest);';
    assert.deepEqual(cppIdentifiers(cpp).filter(isBad), ['kMostRows', 'narrow_weights']);
  });

  it(`uses the field's words in ${folders.join(', ')}`, () => {
    const args = ['ls-files', '-z', '-co', '--exclude-standard', '--', ...folders];
    const paths = execFileSync('git', args, { cwd: root }).toString().split('\0');
    const found = [];
    for (const path of paths) {
      if (!/\.(h|cpp|jsx?|ts)$/.test(path) || !existsSync(join(root, path))) continue;
      const identifiers = identifiersOf(path, readFileSync(join(root, path), 'utf8'));
      for (const name of new Set(identifiers.filter(isBad))) {
        const isException = exceptions.has(name) || exceptions.has(`${path}: ${name}`);
        if (!isException) found.push(`${path}: ${name}`);
      }
    }
    assert.deepEqual(found, []);
    assert.ok(exceptions.size <= 20, `${exceptions.size} exceptions`);
  });
});
