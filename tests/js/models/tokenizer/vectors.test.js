// Each component of tokenizer.json with each value of each field: ids, types, spans and decoded texts that the Rust library
// gave (tests/vectors/tokenizers.js).
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { TextTokens } from '../../../../web/lib/models/tokenizer/text_tokens.js';

const { models, texts, ids, cases } = JSON.parse(
  readFileSync(new URL('../../../vectors/tokenizers.json', import.meta.url)),
);
const common = { texts, ids };

/** What the vectors have: types 0 if all are, 0 for the spans of special tokens. */
function encoded(tokenizer, [text, second], spans) {
  const found = tokenizer.encode(text, second);
  const comparable = ([start, end], n) => (start === end && spans[n] === 0 ? 0 : [start, end]);
  return [
    found.ids,
    found.typeIds.some(Boolean) ? found.typeIds : 0,
    spans && found.spans.map(comparable),
  ];
}

function check(tokenizer, input, expected) {
  if (typeof expected === 'string') assert.equal(tokenizer.decode(input), expected);
  else if (!Array.isArray(expected)) assert.throws(() => tokenizer.encode(...input), RangeError);
  else assert.deepEqual(encoded(tokenizer, input, expected[2]), expected);
}

const kinds = ['normalizer', 'pre_tokenizer', 'post_processor', 'added_tokens', 'decoder', 'model'];
const kindOf = (one) => kinds.findLast((kind) => one[kind] && kind !== 'model') ?? 'model';

for (const kind of kinds) {
  describe(`${kind} of tokenizer.json`, () => {
    it('gives what the Rust library gives', () => {
      const chosen = cases.filter((one) => kindOf(one) === kind);
      assert.ok(chosen.length > 0);
      for (const { model, inputs, expected, ...parts } of chosen) {
        const description = { ...parts, model: models[model] ?? model };
        const tokenizer = new TextTokens(description, {});
        for (const [n, input] of (common[inputs] ?? inputs).entries()) {
          try {
            check(tokenizer, input, expected[n]);
          } catch (error) {
            error.message = `${JSON.stringify({ model, ...parts })} of ${JSON.stringify(input)}: ${error.message}`;
            throw error;
          }
        }
      }
    });
  });
}
