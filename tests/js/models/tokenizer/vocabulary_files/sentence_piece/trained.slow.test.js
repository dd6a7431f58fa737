// Models that spm_train makes with each option: ids of 10,000 texts are those of spm_encode.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import {
  encodedBySpm,
  inNewFolder,
  pieceTokenizer,
  textsToEncode,
  trainedModel,
  trainingOptions,
  trainingTexts,
} from '../../../../../support/js/sentence_pieces.js';

const trainedOn = trainingTexts();
const kinds = ['unigram', 'bpe'];
const cases = kinds.flatMap((model_type) =>
  Object.entries(trainingOptions).map(([name, options]) => [name, { model_type, ...options }]),
);
cases.push(['as by default', { model_type: 'char', vocab_size: 150 }]);
const perModel = Math.ceil(10_000 / cases.length);

describe('a SentencePiece model', () => {
  for (const [name, options] of cases) {
    it(`of kind ${options.model_type}, ${name}, gives the ids of spm_encode`, () => {
      inNewFolder((folder) => {
        const path = trainedModel(folder, trainedOn, options);
        const tokenizer = pieceTokenizer(readFileSync(path));
        const texts = textsToEncode(perModel, `pieces ${options.model_type} ${name}`);
        const expected = encodedBySpm(path, texts);
        for (const [n, text] of texts.entries()) {
          assert.deepEqual(tokenizer.encodePlain(text), expected[n], JSON.stringify(text));
        }
      });
    });
  }
});
