// What the page's modules and their tests must not do: what is not defined, not used, or nearly always a fault.

import js from '@eslint/js';
import globals from 'globals';


export default [
  { ignores: ['**/toml-parser.js', '**/answers/**'] },
  js.configs.recommended,
  {
    languageOptions: { globals: globals.browser },
    rules: {
      eqeqeq: 'error',
      // Names of files may have any.
      'no-control-regex': 'off',
      'no-implicit-coercion': 'error',
      'no-unused-vars': ['error', { args: 'none', ignoreRestSiblings: true }],
      'no-var': 'error',
      'object-shorthand': 'error',
      'prefer-const': 'error',
    },
  },
  { files: ['**/service.js'], languageOptions: { globals: globals.serviceworker } },
  { files: ['**/*-worker.js'], languageOptions: { globals: globals.worker } },
  // These run in Node, and partly in the page.
  { files: ['**/*.mjs'], languageOptions: { globals: { ...globals.node, axe: 'readonly' } } },
];
