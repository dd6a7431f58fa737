// Writes sentence_pieces.json: small models of SentencePiece and the ids that spm_encode gives for some texts. The map of a
// normalizer is made of a few rules, because the usual ones have 240 kB.
//   node tests/vectors/sentence_pieces.js
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  encodedBySpm,
  inNewFolder,
  textsToEncode,
  trainedModel,
  trainingTexts,
} from '../support/js/sentence_pieces.js';

// Code points, a tab, and what they become: one for one, one for several, several for one, one for nothing,
// a key that begins with another.
const rules = [
  'E9\t65',
  'FB01\t66 69',
  '65 301\tE9',
  '45 301\tC9',
  '9\t20',
  '200B\t',
  '3000\t20',
  '7A\t73',
  '7A 7A\t74',
];
const models = [
  { model_type: 'unigram', vocab_size: 140 },
  { model_type: 'unigram', vocab_size: 330, byte_fallback: true, remove_extra_whitespaces: false },
  { model_type: 'unigram', vocab_size: 150, user_defined_symbols: '<sep>,the ,th,en,ou' },
  { model_type: 'bpe', vocab_size: 180 },
  { model_type: 'bpe', vocab_size: 400, byte_fallback: true, add_dummy_prefix: false },
  { model_type: 'bpe', vocab_size: 180, user_defined_symbols: '<sep>,the , x,ab' },
  { model_type: 'char', vocab_size: 90, treat_whitespace_as_suffix: true },
];

const english = trainingTexts().filter((text) => /^[\x20-\x7eéàè]+$/.test(text));
const repeated = ['zzz zz z', 'l'.repeat(41), 'se'.repeat(30), 'the tenth men, oouen'];
const texts = ['', ' ', ...repeated, ...textsToEncode(58, 'pieces')];
const cases = models.map((options) =>
  inNewFolder((folder) => {
    writeFileSync(join(folder, 'rules.tsv'), `${rules.join('\n')}\n`);
    const all = { ...options, normalization_rule_tsv: 'rules.tsv' };
    const path = trainedModel(folder, english, all);
    const model = readFileSync(path).toString('base64');
    return { options, model, ids: encodedBySpm(path, texts).map((ids) => ids.join(' ')) };
  }),
);
const file = new URL('sentence_pieces.json', import.meta.url);
writeFileSync(file, `${JSON.stringify({ texts, cases }, null, 1)}\n`);
