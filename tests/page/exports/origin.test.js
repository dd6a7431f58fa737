// Origin of an export: its name and its content name the model or the file, the layer and the head. Tables of other results.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { captionOf } from '../../../web/demo/page/exports/caption.js';
import { toCSV, toJSON } from '../../../web/demo/page/exports/data_files.js';
import { fileName, originOf, originText } from '../../../web/demo/page/exports/origin.js';
import { tableFile } from '../../../web/demo/page/exports/tables.js';
import { initialState } from '../../../web/demo/state_fields.js';

const own = { source: 'own', model: 'gpt2 5481 0f86d081 my “gpt2”/ä' };
const parts = [
  { id: 'self.0', name: 'Layer 1', heads: 2 },
  { id: 'self.1', name: 'Layer 2', heads: 2 },
];
const label = { text: 'tea' };

function shownOf(
  chosen = own,
  { view = 'matrix', average = false, part = 'self.1', names = parts } = {},
) {
  const state = { ...initialState, ...chosen };
  const [weights] = [Float32Array.of(0.25, 1)];
  const { heads } = names.find(({ id }) => id === part);
  return {
    state,
    facts: { parts: names, part, texts: ['tea', 'tea'], options: {}, fixed: 'given' },
    picture: {
      ...{
        rows: [label],
        columns: [label],
        heads,
        average,
        oneSequence: true,
        stages: { weights },
      },
      name: names.find(({ id }) => id === part).name,
    },
    selection: { head: 1, row: 0, column: 0 },
    settings: { view, stage: 'weights' },
  };
}

describe('the origin of an export', () => {
  it('is in the name of its file', () => {
    const one = { ending: 'csv' };
    assert.equal(fileName(shownOf(), one), 'attention_my-gpt2-ä_layer-2_head-2.csv');
    const averaged = shownOf(own, { average: true });
    assert.equal(
      fileName(averaged, { what: 'scaled', ...one }),
      'attention_my-gpt2-ä_layer-2_scaled.csv',
    );
    const all = shownOf(own, { view: 'heads' });
    assert.equal(fileName(all, { ending: 'svg' }), 'attention_my-gpt2-ä.svg');
    const layer = shownOf(own, { view: 'lines' });
    assert.equal(fileName(layer, { ending: 'svg' }), 'attention_my-gpt2-ä_layer-2.svg');
    const trained = shownOf({ source: 'model' });
    assert.equal(fileName(trained, one), 'attention_layer-2_head-2.csv');
    const files = { source: 'files', file: 'q.npy/../k.npy' };
    assert.equal(fileName(shownOf(files), one), 'attention_q-..-k_layer-2_head-2.csv');
    const alone = { names: [{ id: 'own.0', name: 'weights.npy', heads: 1 }], part: 'own.0' };
    const array = shownOf({ source: 'files', file: 'weights.npy' }, alone);
    assert.equal(fileName(array, one), 'attention_weights.csv');
    assert.equal(originText(array), 'weights.npy');
    const long = { source: 'own', model: `bert 1 0f86d081 ${'/'.repeat(9)}${'b'.repeat(99)}` };
    assert.equal(fileName(shownOf(long), one), `attention_${'b'.repeat(59)}_layer-2_head-2.csv`);
  });

  it('is in the corner of a CSV, in JSON and in the caption', () => {
    const shown = shownOf();
    assert.equal(originText(shown), 'my “gpt2”/ä · Layer 2 · head 2');
    assert.equal(toCSV(shown), 'my “gpt2”/ä · Layer 2 · head 2,tea\r\ntea,1\r\n');
    const { origin } = JSON.parse(
      toJSON(shown, { options: {}, tokens: { x: null, weights: null } }),
    );
    assert.deepEqual(origin, {
      model: { name: 'my “gpt2”/ä', type: 'gpt2', bytes: 5481, hash: '0f86d081' },
      ...{ part: 'Layer 2', head: 2 },
    });
    assert.match(captionOf(shown)[1], /^my “gpt2”\/ä · Layer 2, head 2 of 2 · /);
    assert.deepEqual(originOf(shownOf({ source: 'files', file: 'a.npy/b.npy' })).files, [
      'a.npy',
      'b.npy',
    ]);
  });
});

describe('the table', () => {
  const lines = (csv) => csv.trim().split('\r\n');
  const ln = Math.log;
  const plan = {
    over: 'heads',
    cells: [0, 1].map((head) => ({ text: '', block: `self.1.${head}`, part: 'self.1', head })),
    targets: ['uncle', 'tea'].map((text) => ({ text, label: text, tokens: [0] })),
    logProbabilities: [ln(0.5), ln(0.25)],
  };

  it('of effects has a row for each head and word that was measured', () => {
    const sweep = { plan, runs: [[ln(0.25), ln(0.25)]] };
    const shown = { ...shownOf(), sweep };
    const [head, ...rows] = lines(tableFile('effects', 'csv', shown).content);
    assert.equal(head, 'model,layer,head,measured,probability before,probability now,effect');
    assert.equal(rows.length, 2, 'the second head is not measured yet');
    const [model, layer, one, word, ...numbers] = rows[0].split(',');
    assert.deepEqual([model, layer, one, word], ['my “gpt2”/ä', 'Layer 2', '1', 'uncle']);
    [0.5, 0.25, ln(0.5)].forEach((expected, at) => {
      assert.ok(Math.abs(numbers[at] - expected) < 1e-12, `${numbers[at]}`);
    });
    const json = JSON.parse(tableFile('effects', 'json', shown).content);
    assert.deepEqual([json.rows.length, json.origin.model.hash], [2, '0f86d081']);
    assert.equal(json.rows[1].measured, 'tea');
    const words = {
      ...plan,
      over: 'words',
      cells: [{ text: 'of', block: 'self:1', columns: [1] }],
    };
    const hidden = tableFile('effects', 'csv', {
      ...shown,
      sweep: { plan: words, runs: sweep.runs },
    });
    assert.match(hidden.content, /^model,hidden,measured,/);
    assert.match(
      tableFile('effects', 'csv', { ...shown, sweep: null }).none,
      /Nothing has been measured/,
    );
  });

  it('of the logit lens has the tokens after each layer', () => {
    const token = (text, probability) => ({ text, probability });
    const layers = [[token('a', 0.5), token('b', 0.25)], [token('"c",', 1)]];
    const answer = { lens: { words: true, layers }, stack: 'self', row: 3, token: 'tea' };
    const shown = { ...shownOf(), block: { answer } };
    assert.deepEqual(lines(tableFile('lens', 'csv', shown).content), [
      'model,layer,rank,token,probability',
      'my “gpt2”/ä,1,1,a,0.5',
      'my “gpt2”/ä,1,2,b,0.25',
      'my “gpt2”/ä,2,1,"""c"",",1',
    ]);
    const json = JSON.parse(tableFile('lens', 'json', shown).content);
    assert.deepEqual([json.position, json.after, json.rows.length], [4, 'tea', 3]);
    const none = { answer: { lens: { why: 'no' } } };
    assert.ok(tableFile('lens', 'csv', { ...shown, block: none }).none);
  });

  it('of heads has the scores of each', () => {
    const scores = { data: Float64Array.of(0, 0.25, 0.5, 1), dims: [2, 2] };
    const found = { means: { induction: scores }, count: 4, length: 50 };
    const rows = lines(tableFile('heads', 'csv', { ...shownOf(), scores: { found } }).content);
    assert.deepEqual(rows.slice(0, 3), [
      'model,layer,head,induction',
      'my “gpt2”/ä,1,1,0',
      'my “gpt2”/ä,1,2,0.25',
    ]);
    assert.equal(rows.length, 5);
  });

  it('of what is blocked has the words before and now', () => {
    const shown = shownOf({ ...own, block: 'self:1-0' });
    shown.facts.blocks = [{ item: 'self:1-0', says: '“a” blocked from “b”', what: '' }];
    const words = {
      isDue: false,
      answer: { before: 'x y', words: [{ text: 'his', probability: 0.25, was: 0.5 }] },
    };
    const answer = {
      kind: 'likeliest',
      at: 'At the end of the text',
      was: [{ text: 'in', probability: 0.125 }],
      now: [{ text: 'on', probability: 1 }],
    };
    const file = { ...shown, words, effect: { isDue: false, answer } };
    assert.deepEqual(lines(tableFile('blocked', 'csv', file).content).slice(1), [
      'my “gpt2”/ä,blocked,now,“a” blocked from “b”,',
      'my “gpt2”/ä,next word,before,his,0.5',
      'my “gpt2”/ä,next word,now,his,0.25',
      'my “gpt2”/ä,at the end of the text,before,in,0.125',
      'my “gpt2”/ä,at the end of the text,now,on,1',
    ]);
    const json = JSON.parse(tableFile('blocked', 'json', file).content);
    assert.deepEqual([json.block, json.position], ['self:1-0', 'after “x y”']);
    assert.ok(tableFile('blocked', 'csv', { ...file, effect: { isDue: true } }).none);
    const written = { kind: 'written', was: 'La, “a”', now: 'Le' };
    const french = { ...shown, effect: { isDue: false, answer: written } };
    assert.match(tableFile('blocked', 'csv', french).content, /,written,before,"La, “a”",\r\n/);
  });
});
