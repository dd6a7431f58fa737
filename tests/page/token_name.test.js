// Names of tokens that are white space alone.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { tokenName } from '../../web/demo/token_name.js';

it('names white space by a sign for each character, and a word by itself', () => {
  const names = { ' tea': 'tea', ' ': '␣', '  ': '␣␣', '\n': '⏎', '\t ': '⇥␣', '': '' };
  for (const [text, name] of Object.entries(names)) assert.equal(tokenName(text), name);
});
