// ESLint: its recommended rules, plus the manners that it can hold.

import js from '@eslint/js';
import globals from 'globals';

export default [
  { ignores: ['.build/', 'web/built/', 'node_modules/'] },
  js.configs.recommended,
  {
    files: ['**/*.js'],
    languageOptions: { ecmaVersion: 2022, sourceType: 'module' },
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
  { files: ['web/demo/**'], languageOptions: { ecmaVersion: 2025 } }, // import attributes, which Vite removes
  {
    // What runs in browsers, workers and Node alike may use only what all of them have.
    files: ['web/lib/**/*.js', 'web/tasks/*.js'],
    ignores: ['web/lib/command.js'],
    languageOptions: { globals: { ...globals['shared-node-browser'], ...globals.es2022 } },
  },
  {
    // The picture is for pages.
    files: ['web/lib/heatmap/**/*.js'],
    languageOptions: { globals: globals.browser },
  },
  {
    files: [
      'web/demo/**/*.js',
      'tests/**/*.browser.test.js',
      'tests/support/browser/*.js',
      'tests/page/*.js',
      'tests/bench/keystrokes.js',
      'tests/bench/learn_pictures.js',
      'tests/bench/page_blocks.js',
    ],
    languageOptions: { globals: { ...globals.browser, ...globals.worker } },
  },
  {
    // What a reader copies, and what runs in the pages of the reference.
    files: ['web/reference/{page,run,runtimes}/*.js'],
    languageOptions: { globals: { ...globals.browser, ...globals.worker } },
  },
  {
    files: ['web/reference/runtimes/*.cjs'],
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
