// Random descriptions of tokenizers and texts: ids, token types, tokens, spans and decoded texts of the Rust library.
import { it } from 'node:test';
import { requireEqualTokenizers } from '../../../support/js/compared_tokenizers.js';

it('500 random tokenizers give what the Rust library gives', (test) =>
  requireEqualTokenizers(test, 500));
