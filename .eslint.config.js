// ESLint: its recommended rules, the imports that each folder may have, and the manners that it can hold.

import { readFileSync } from 'node:fs';
import { posix } from 'node:path';
import js from '@eslint/js';
import globals from 'globals';

const manifest = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'));

// Views of the module's memory are detached when it grows.
const memory = [
  'Identifier[name=/^(HEAPU?\\d+|HEAPF\\d+|wasmMemory)$/]',
  "MemberExpression[property.name='buffer'][object.name='memory']",
  "MemberExpression[property.name='buffer'][object.property.name='memory']",
].map((selector) => ({ selector, message: "heap.js alone may access the module's memory." }));

const enumNumbers = {
  selector:
    'Property[key.name=/^(gaussian|bfloat16|gelu_tanh|efficient|biased)$/] > Literal[raw=/^\\d/]',
  message: 'Numbers of enums are in C++; the module describes them.',
};

const staticBlocks = {
  selector: 'StaticBlock',
  message: 'Chrome 93 and Firefox 92 do not have it.',
};

const omittedTests = {
  selector:
    'CallExpression[callee.object.name=/^(it|test|describe)$/][callee.property.name=/^(skip|todo|only)$/]',
  message: 'All tests run.',
};

// Methods newer than ES2022, which the oldest supported engines lack.
const newerMethods = 'findLast findLastIndex fromAsync toReversed toSorted toSpliced withResolvers'
  .split(' ')
  .map((property) => ({ property, message: 'Chrome 93 and Firefox 92 do not have it.' }));

// Tests do not depend on the machine's speed: they count work, or hold the timers of a page.
const clocks = [
  ['performance', 'now'],
  ['Date', 'now'],
  ['process', 'hrtime'],
  ['process', 'cpuUsage'],
].map(([object, property]) => ({ object, property, message: 'No test depends on a clock.' }));

/** Forbids imports that match, also by import() and as addresses of workers; `syntax`: what else is forbidden. */
function restrictImports(files, pattern, message, syntax) {
  const value = `[value=/${pattern.replaceAll('/', '\\u002F')}/]`; // a selector's pattern cannot contain a slash
  const address = "NewExpression[callee.name='URL'][arguments.1.object.type='MetaProperty']";
  const late = ['ImportExpression', address].map((node) => {
    return { selector: `${node} > Literal${value}`, message };
  });
  return {
    files,
    rules: {
      'no-restricted-imports': ['error', { patterns: [{ regex: pattern, message }] }],
      'no-restricted-syntax': ['error', ...syntax, ...late],
    },
  };
}

// Allowed imports of each folder of the library, besides its own files.
const call = ['arguments', 'module', 'attention', 'layers'];
const floors = {
  ...Object.fromEntries(call.map((folder, floor) => [folder, call.slice(0, floor)])),
  safetensors: ['arguments'],
  text: ['arguments'],
  heatmap: ['arguments'],
  training: ['arguments', 'module'],
  models: ['arguments', 'module', 'safetensors', 'safetensors.js', 'index.js'],
  'models/sources': ['arguments', 'safetensors', 'safetensors.js'],
  'models/tokenizer': ['arguments', 'module', 'safetensors', 'models/sources'],
  'models/config': ['arguments', 'safetensors'],
  'models/run': [
    ...['arguments', 'module', 'safetensors', 'models/sources', 'models/config'],
    'models/inside/interventions.js',
  ],
  'models/inside': ['arguments', 'models/run', 'models/components_of.js'],
  pool: ['arguments', 'module', 'index.js', 'core.js'],
  translator: ['arguments', 'module', 'models', 'safetensors.js', 'index.js'],
  command: ['arguments', 'heatmap', 'heatmap.js'],
};
floors.command.push('text', 'text.js', 'translator');
floors.translator.push('../model', 'model'); // web/model: from web/lib, and in addresses from web/built
const libraryImports = Object.entries(floors).flatMap(([folder, others]) =>
  [0, 1, 2].map((depth) => {
    const from = posix.join(folder, 'x/'.repeat(depth));
    const allowed = others.map((other) => posix.relative(from, other).replaceAll('.', '\\.'));
    return restrictImports(
      [`web/lib/${folder}/${'*/'.repeat(depth)}*.js`],
      `^(?=(?:\\.\\./){${depth + 1}})(?!(?:${allowed.join('|') || 'nothing'})(?:/|$))`,
      `web/lib/${folder} may import itself and ${others.join(', ') || 'nothing'}.`,
      [...memory, enumNumbers, staticBlocks],
    );
  }),
);
libraryImports.push(
  restrictImports(
    ['web/lib/load.js'],
    `^\\.(?!/(?:${call.join('|')})/)`,
    `load.js may import ${call.join(', ')}.`,
    [...memory, enumNumbers, staticBlocks],
  ),
);

// The page imports the package as others do, by its entries; besides itself, web/tasks, the list of model types, so that its
// text names what loads, the generator of random numbers and the message of what was thrown.
const entries = Object.keys(manifest.exports).map((entry) => manifest.name + entry.slice(1));
const packages = [...entries, 'virtual:.*'].join('|');
const pageImports = [1, 2, 3, 4, 5].map((depth) =>
  restrictImports(
    [`web/demo/${'*/'.repeat(depth - 1)}*.{js,jsx}`],
    `^(?:\\.\\./){${depth}}(?!tasks/|lib/(?:models/config/supported_types|models/run/random_numbers|arguments/message_of)\\.js$)|^(?!\\.)(?!(?:${packages})$)`,
    'The page may import web/demo, web/tasks, three files of web/lib and entries of the package.',
    memory,
  ),
);
pageImports.push(
  restrictImports(
    ['web/demo/page/component.jsx'],
    '^(?!\\.|preact$|preact/hooks$)',
    'Preact is imported by page/component.jsx, which imports nothing else from outside.',
    memory,
  ),
  restrictImports(
    ['web/demo/worker/sources/files/npz_file.js'],
    '^(?!\\.|fflate$)',
    'The reader of .npz files imports fflate, and nothing else from outside.',
    memory,
  ),
  restrictImports(
    ['web/tasks/*.js'],
    '^(?!\\./|\\.\\./lib/models/run/random_numbers\\.js$)',
    'web/tasks may import itself and the generator of random numbers.',
    memory,
  ),
);

export default [
  { ignores: ['.build/', 'web/built/', 'node_modules/'] },
  js.configs.recommended,
  {
    files: ['**/*.{js,jsx}'],
    languageOptions: {
      ecmaVersion: 2022,
      sourceType: 'module',
      parserOptions: { ecmaFeatures: { jsx: true } },
    },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      'array-callback-return': 'error',
      'consistent-return': 'error',
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      'no-eval': 'error',
      'no-implied-eval': 'error',
      'no-new-func': 'error',
      'no-throw-literal': 'error',
      'no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_', destructuredArrayIgnorePattern: '^_' },
      ],
      'no-var': 'error',
      'object-shorthand': 'error',
      'prefer-const': 'error',
    },
  },
  {
    // The type checker sees every line.
    files: ['web/**/*.{js,jsx}', 'tests/support/**/*.js'],
    rules: {
      'no-warning-comments': [
        'error',
        { terms: ['@ts-ignore', '@ts-expect-error', '@ts-nocheck'], location: 'anywhere' },
      ],
    },
  },
  {
    files: ['web/**/*.{js,jsx}'],
    rules: { 'no-restricted-syntax': ['error', ...memory, enumNumbers, staticBlocks] },
  },
  {
    files: ['tests/**/*.js'],
    rules: { 'no-restricted-syntax': ['error', ...memory, omittedTests] },
  },
  {
    // Benchmarks, the runner, and what runs for a given time.
    files: ['tests/**/*.js'],
    ignores: [
      'tests/bench/**',
      'tests/run.js',
      'tests/support/runner/*.js',
      'tests/release/soak.js',
      'tests/support/browser/soak_page.js',
      'tests/support/js/fuzz_reader.js',
    ],
    rules: { 'no-restricted-properties': ['error', ...clocks] },
  },
  ...libraryImports,
  ...pageImports,
  {
    // The second reads the module's memory as foreign code could.
    files: ['web/lib/module/heap.js', 'tests/support/js/module_memory.js'],
    rules: { 'no-restricted-syntax': 'off' },
  },
  { files: ['web/demo/**'], languageOptions: { ecmaVersion: 2025 } }, // import attributes, which Vite removes
  {
    // What runs in browsers, workers and Node alike may use only what all of them have.
    files: ['web/lib/**/*.js', 'web/tasks/*.js'],
    ignores: ['web/lib/command.js'],
    languageOptions: { globals: { ...globals['shared-node-browser'], ...globals.es2022 } },
    rules: { 'no-restricted-properties': ['error', ...newerMethods] },
  },
  {
    // The picture is for pages.
    files: ['web/lib/heatmap/**/*.js'],
    languageOptions: { globals: globals.browser },
  },
  {
    files: [
      'web/demo/**/*.{js,jsx}',
      'tests/**/*.browser.test.js',
      'tests/support/browser/*.js',
      'tests/page/*.js',
      'tests/bench/keystrokes.js',
      'tests/bench/learn_pictures.js',
    ],
    languageOptions: { globals: { ...globals.browser, ...globals.worker } },
  },
  {
    // What a reader copies, and what runs in the pages of the reference.
    files: ['web/reference/{page,run}/*.js', 'web/reference/guides/examples/**/*.{js,jsx}'],
    languageOptions: { globals: { ...globals.browser, ...globals.worker, chrome: 'readonly' } },
  },
  {
    files: ['web/reference/guides/examples/*.cjs'],
    languageOptions: { sourceType: 'commonjs', globals: globals.node },
  },
  {
    files: [
      '.eslint.config.js',
      'web/*.js',
      'web/reference/*.js',
      'web/lib/command.js',
      'web/model/**/*.js',
      'tests/**/*.js',
    ],
    languageOptions: { globals: globals.node },
  },
];
