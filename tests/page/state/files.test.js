// The reader's files in the store: opened and closed in their order; what they change, and what closing the last one
// restores.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { choose } from '../../../web/demo/state/changes.js';
import { closeFile, openFiles } from '../../../web/demo/state/files.js';
import { came, follow, restarted } from '../../../web/demo/state/questions.js';
import { initialStore } from '../../../web/demo/state/store.js';
import { initialState } from '../../../web/demo/state_fields.js';

const file = (name) => ({ name });
const opened = (names, more = {}) => ({
  text: `“${names.at(-1)}” is open`,
  files: names.map((name, at) => ({ id: at + 1, name, says: 'an array' })),
  ...more,
});
const start = (chosen = {}) => initialStore({ ...initialState, mode: 'cross', ...chosen });
const does = (store, change, ...what) => follow(change(store, ...what));
const answerTo = (store, what) => follow(came(store, 'files', store.answers.files.key, what));

describe('the files of the reader', () => {
  it('are opened one after another, each once', () => {
    let store = does(start(), openFiles, [file('q.npy'), file('k.npy')]);
    assert.equal(store.chosen.source, 'files');
    assert.equal(store.answers.files.question.file.name, 'q.npy');
    const first = store.answers.files.key;
    store = does(store, closeFile, 7);
    assert.equal(store.answers.files.key, first, 'it waits');
    store = answerTo(store, { answer: opened(['q.npy'], { state: { text: 'a b' } }) });
    const { text, row, file: names } = store.chosen;
    assert.deepEqual([text, row, names], ['a b', null, 'q.npy']);
    assert.equal(store.answers.files.question.file.name, 'k.npy');
    assert.equal(came(store, 'files', first, { answer: opened([]) }), store, 'an older answer');
    store = answerTo(store, { problem: '“k.npy” cannot be read' });
    assert.deepEqual(
      [store.files.text, store.files.isProblem, store.files.open.length, store.chosen.file],
      ['“k.npy” cannot be read.', true, 1, 'q.npy'],
    );
    assert.equal(store.answers.files.question.close, 7);
  });

  it('restore what they changed and nobody changed since, when the last one is closed', () => {
    const before = start({ text: 'my text', mode: 'learn' });
    let store = does(before, openFiles, [file('q.npy')]);
    assert.equal(store.chosen.mode, 'self');
    store = answerTo(store, {
      answer: opened(['q.npy'], { state: { text: 'a b', causal: true } }),
    });
    store = does(store, choose, { causal: false });
    store = does(store, closeFile, 1);
    store = answerTo(store, { answer: opened([]) });
    const { source, text, mode, causal, file: names } = store.chosen;
    assert.deepEqual([source, text, mode, names], ['model', 'my text', 'learn', '']);
    assert.equal(causal, false, 'the reader’s own choice');
  });

  it('have the view of the address, or of the link that they were saved with', () => {
    const linked = start({ source: 'files', file: 'q.npy', text: 'typed', row: 1 });
    let store = does(linked, openFiles, [file('q.npy')]);
    store = answerTo(store, { answer: opened(['q.npy'], { state: { text: 'x', mode: 'self' } }) });
    assert.deepEqual([store.chosen.text, store.chosen.row], ['typed', 1]);
    const asked = store.asked.picture;
    store = answerTo(does(store, openFiles, [file('q.npy')]), { answer: opened(['q.npy']) });
    assert.ok(store.asked.picture > asked, 'its vectors may differ');
    const saved = { row: 3, mode: 'self', source: 'model' };
    store = does(start(), openFiles, [file('a.json')]);
    store = answerTo(store, { answer: opened(['a.json'], { saved, state: {} }) });
    const { row, mode, source, file: names } = store.chosen;
    assert.deepEqual([row, mode, source, names], [3, 'self', 'files', 'a.json']);
  });

  it('are closed with their worker', () => {
    let store = does(start(), openFiles, [file('q.npy'), file('k.npy')]);
    const { key } = store.answers.files;
    store = answerTo(store, { answer: opened(['q.npy']) });
    const late = store.answers.files.key;
    store = does(store, restarted);
    assert.deepEqual([store.files.open, store.files.orders], [[], []]);
    assert.match(store.files.text, /closed: the computation was stopped/);
    assert.equal(store.chosen.source, 'model');
    for (const one of [key, late])
      assert.equal(came(store, 'files', one, { answer: opened(['k']) }), store);
  });
});
