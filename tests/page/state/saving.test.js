// Saving and copying in the store: asked for once each time, and said again though it is the same.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { came, follow, restarted } from '../../../web/demo/state/questions.js';
import { choosePaper, save } from '../../../web/demo/state/saving.js';
import { initialStore } from '../../../web/demo/state/store.js';
import { initialState } from '../../../web/demo/state_fields.js';

const does = (store, change, ...what) => follow(change(store, ...what));

describe('what is saved', () => {
  it('is asked for once, with the colors that were chosen, and not again of a new worker', () => {
    let store = follow(initialStore(initialState));
    assert.equal(store.answers.saved, undefined);
    store = does(does(store, choosePaper, 'dark'), save, 'png');
    assert.deepEqual(store.answers.saved.question, { format: 'png', paper: 'dark' });
    const { key } = store.answers.saved;
    assert.equal(does(store, choosePaper, 'light').answers.saved.key, key);
    assert.equal(does(store, restarted).answers.saved.key, key);
    store = follow(came(store, 'saved', key, { answer: 'a.png is saved.' }));
    assert.deepEqual([store.saving.says, store.saving.said], ['a.png is saved.', 1]);
    store = does(store, save, 'png');
    assert.notEqual(store.answers.saved.key, key);
    assert.equal(came(store, 'saved', key, { answer: 'late' }), store);
    store = came(store, 'saved', store.answers.saved.key, { answer: 'a.png is saved.' });
    assert.equal(store.saving.said, 2);
  });

  it('may be a text to copy, until something else is saved', () => {
    let store = does(initialStore(initialState), save, 'link');
    store = came(store, 'saved', store.answers.saved.key, { step: { copied: 'https://a.b' } });
    assert.deepEqual([store.saving.copied, store.saving.says], ['https://a.b', '']);
    assert.equal(does(store, save, 'csv').saving.copied, null);
  });
});
