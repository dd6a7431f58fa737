// The reader's model in the store: what is asked of the worker and once, what its answers change, and which are dropped.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { choose } from '../../../web/demo/state/changes.js';
import {
  askedFor,
  cancelModel,
  chooseWeights,
  closeModel,
  dropModel,
  hasModelRoom,
  keepModel,
  lookAtPicture,
  openModel,
  removeModel,
} from '../../../web/demo/state/own_model.js';
import { came, follow, restarted } from '../../../web/demo/state/questions.js';
import { openFiles } from '../../../web/demo/state/files.js';
import { initialStore } from '../../../web/demo/state/store.js';
import { initialState } from '../../../web/demo/state_fields.js';

const stacks = { self: { layers: 2, heads: 2 } };
const identity = (id) => `gpt2 10${id} 0000000${id} model ${id}`;
const card = (id, more = {}) => {
  return {
    id,
    name: `model ${id}`,
    identity: identity(id),
    card: [],
    isKept: false,
    seesPictures: false,
    ...more,
  };
};
const opened = (id, more = {}) => ({
  ...{ text: `model ${id} is open`, model: card(id, more), modes: ['self'], stacks, kept: [] },
});
const start = (chosen = {}) => follow(initialStore({ ...initialState, mode: 'cross', ...chosen }));
const does = (store, change, ...what) => follow(change(store, ...what));
const answerTo = (store, name, what) => follow(came(store, name, store.answers[name].key, what));
const files = (...names) => ({ entries: [], files: names.map((name) => ({ name, type: '' })) });
const says = ({ ownModel: { text, isProblem } }) => [text, isProblem];

describe('the model of the reader', () => {
  it('lists what is kept where its room is shown, once', () => {
    assert.equal(start().answers.models, undefined);
    const store = start({ source: 'own' });
    assert.deepEqual(store.answers.models.question, { id: 0 });
    const kept = [{ place: 'one', name: 'one', size: '1 MB', identity: '' }];
    const asked = store.asked.picture;
    const known = answerTo(store, 'models', { answer: { text: '', model: null, kept } });
    assert.deepEqual([known.ownModel.kept, says(known)], [kept, ['', false]]);
    assert.equal(known.asked.picture, asked, 'nothing has other vectors');
    assert.equal(follow(known), known);
  });

  it('is opened as the state says, and begins anew after another source', () => {
    let store = does(start({ mode: 'learn', head: 3, part: 'cross.1' }), dropModel, files('a'));
    assert.deepEqual([store.chosen.mode, hasModelRoom(store)], ['self', true]);
    assert.deepEqual(store.ownModel.far, { text: 'Looking at the files' });
    assert.equal(store.answers.model.question.from.weights, 'as stored');
    store = answerTo(store, 'model', { step: { text: 'Reading', fraction: 0.5 } });
    assert.equal(store.ownModel.far.fraction, 0.5);
    const asked = store.asked.picture;
    store = answerTo(store, 'model', { answer: opened(1) });
    const { source, part, head } = store.chosen;
    assert.deepEqual([source, part, head], ['own', '', 0]);
    assert.deepEqual(says(store), ['model 1 is open', false]);
    assert.deepEqual([store.ownModel.order, store.ownModel.far], [null, null]);
    assert.ok(store.asked.picture > asked);
    // The view stays in the next model, as far as that has it.
    store = does(store, choose, { part: 'self.1', head: 1 });
    store = does(does(store, chooseWeights, 'int8'), openModel, { address: 'a/b' });
    assert.deepEqual(store.answers.model.question.from, { address: 'a/b', weights: 'int8' });
    store = answerTo(store, 'model', { answer: opened(2) });
    assert.deepEqual([store.chosen.part, store.chosen.head], ['self.1', 1]);
  });

  it('stays as it is when another cannot be opened, which is said until another source is chosen', () => {
    let store = does(start({ source: 'ngrams' }), dropModel, files('a'));
    store = answerTo(store, 'model', { problem: 'no config' });
    assert.deepEqual(says(store), ['no config.', true]);
    assert.deepEqual([store.chosen.source, hasModelRoom(store)], ['ngrams', true]);
    store = does(store, choose, { source: 'model' });
    assert.equal(hasModelRoom(store), false);
    assert.equal(hasModelRoom(does(store, choose, { source: 'ngrams' })), false);
    // It is still looked at by who leaves while it is being read.
    store = does(does(store, dropModel, files('a')), choose, { source: 'ngrams' });
    store = answerTo(store, 'model', { problem: 'no config' });
    assert.equal(hasModelRoom(store), true);
  });

  it('is that of the newest order: of an older one only what is open counts', () => {
    const first = does(start({ source: 'own' }), openModel, { address: 'a/b' });
    const { key } = first.answers.model;
    const second = does(first, openModel, { address: 'c/d' });
    assert.equal(came(second, 'model', key, { problem: 'Opening was canceled' }), second);
    assert.equal(came(second, 'model', key, { step: { text: 'x' } }), second);
    const open = came(second, 'model', key, { answer: opened(1) });
    assert.deepEqual([open.ownModel.model.id, open.ownModel.order.id], [1, second.ownModel.last]);
    const closed = does(open, closeModel);
    const problem = answerTo(closed, 'model', { problem: 'no config' });
    assert.deepEqual([says(problem), problem.ownModel.order], [['no config.', true], null]);
  });

  it('looks at a picture, which another model does not have', () => {
    let store = does(start({ source: 'own' }), openModel, { address: 'a/b' });
    store = answerTo(store, 'model', { answer: opened(1, { seesPictures: true }) });
    const picture = { name: 'four.png', type: 'image/png' };
    store = does(store, dropModel, { entries: [], files: [picture] });
    assert.deepEqual(store.answers.model.question.from, { picture });
    assert.equal(store.ownModel.far.text, 'Looking at four.png');
    const bitmap = {};
    const asked = store.asked.picture;
    store = answerTo(store, 'model', {
      answer: { text: 'seen', model: store.ownModel.model, kept: [], bitmap },
    });
    assert.equal(store.ownModel.bitmap, bitmap);
    assert.ok(store.asked.picture > asked);
    store = answerTo(does(store, keepModel), 'model', {
      answer: { text: 'kept', model: card(1, { isKept: true }), kept: [] },
    });
    assert.equal(store.ownModel.bitmap, bitmap);
    store = answerTo(does(store, openModel, {}), 'model', { answer: opened(2) });
    assert.equal(store.ownModel.bitmap, null);
    const { from } = does(store, lookAtPicture, picture).answers.model.question;
    assert.deepEqual(from, { picture });
  });

  it('is kept, closed and removed; opening is canceled', () => {
    let store = does(start({ source: 'own' }), openModel, { address: 'a/b' });
    store = answerTo(store, 'model', { answer: opened(1) });
    store = does(store, keepModel);
    assert.equal(store.answers.model.question.from, undefined);
    assert.deepEqual(store.ownModel.far, { text: 'Keeping' });
    const canceled = does(store, cancelModel);
    assert.ok(canceled.answers.cancel);
    assert.deepEqual(follow(canceled), canceled);
    store = answerTo(canceled, 'model', { problem: 'Keeping was canceled' });
    assert.deepEqual(says(store), ['Keeping was canceled.', true]);
    const one = { place: 'one_00000001', name: 'one' };
    store = does(store, removeModel, one);
    assert.equal(store.answers.models.question.remove, one);
    store = does(store, closeModel);
    assert.equal(store.answers.models.question.close, true);
    const asked = store.asked.picture;
    store = answerTo(store, 'models', { answer: { text: 'closed', model: null, kept: [] } });
    assert.deepEqual([store.ownModel.model, says(store)], [null, ['closed', false]]);
    assert.ok(store.asked.picture > asked);
    store = answerTo(does(store, removeModel, { place: 'two', name: 'two' }), 'models', {
      problem: 'no room',
    });
    assert.deepEqual(says(store), ['no room.', true]);
  });

  it('is closed with its worker, and what is kept is listed again', () => {
    const quiet = restarted(start({ source: 'own' }));
    assert.deepEqual(says(quiet), ['', false]);
    let store = does(start({ source: 'own' }), openModel, { address: 'a/b' });
    const { key } = store.answers.model;
    const before = store.answers.models.key;
    store = does(store, restarted);
    assert.deepEqual(says(store), ['Your model is closed: it did not answer.', true]);
    assert.equal(store.ownModel.order, null);
    assert.notEqual(store.answers.models.key, before);
    assert.equal(came(store, 'model', key, { answer: opened(1) }), store);
  });

  it('is asked for by a link, which then names the model that is shown', () => {
    const link = { source: 'own', mode: 'self', part: 'self.1', head: 1, model: identity(1) };
    const linked = start(link);
    assert.deepEqual(askedFor(linked), { model: identity(1) });
    const opening = does(linked, openModel, { address: 'a/b' });
    assert.equal(askedFor(opening), null, 'while it is being read');
    const own = answerTo(opening, 'model', { answer: opened(1) });
    assert.deepEqual([own.chosen.model, own.ownModel.asked], [identity(1), '']);
    assert.deepEqual([own.chosen.part, own.chosen.head, askedFor(own)], ['self.1', 1, null]);
    // Another one: both are named, and the address has the one that is shown.
    const other = answerTo(opening, 'model', { answer: opened(2) });
    assert.deepEqual([other.chosen.model, other.ownModel.asked], [identity(2), identity(1)]);
    assert.deepEqual([other.chosen.part, other.chosen.head], ['self.1', 1]);
    const replaced = answerTo(does(other, openModel, { address: 'c/d' }), 'model', {
      answer: opened(3),
    });
    assert.deepEqual([replaced.chosen.model, replaced.ownModel.asked], [identity(3), '']);
    // Renamed.
    const renamed = opened(1, { identity: identity(1).replace('model 1', 'moved') });
    const moved = answerTo(opening, 'model', { answer: renamed });
    assert.deepEqual([moved.chosen.model, moved.ownModel.asked], [renamed.model.identity, '']);
  });

  it('is asked for by an address while another one is open, and by none after it was closed', () => {
    let store = does(start({ source: 'own' }), openModel, { address: 'a/b' });
    store = answerTo(store, 'model', { answer: opened(1) });
    assert.deepEqual([store.chosen.model, store.ownModel.asked], [identity(1), '']);
    const elsewhere = does(store, choose, { model: identity(2) });
    assert.deepEqual(
      [elsewhere.chosen.model, elsewhere.ownModel.asked],
      [identity(1), identity(2)],
    );
    assert.equal(does(store, choose, { model: '' }).ownModel.asked, '');
    const stopped = does(store, restarted);
    assert.deepEqual(askedFor(stopped), { model: identity(1) }, 'its worker was stopped');
    const closed = answerTo(does(store, closeModel), 'models', {
      answer: { text: 'closed', model: null, kept: [] },
    });
    assert.deepEqual([closed.chosen.model, askedFor(closed)], ['', null]);
    // A model that is dropped onto another source is asked for by nobody.
    const dropped = does(start({ source: 'ngrams', model: identity(2) }), dropModel, files('a'));
    assert.equal(answerTo(dropped, 'model', { answer: opened(1) }).ownModel.asked, '');
  });

  it('is not asked for where files are', () => {
    const linked = start({ source: 'files', file: 'weights.npy', model: identity(1) });
    assert.deepEqual(askedFor(linked), { file: 'weights.npy' });
    const opening = does(linked, openFiles, [{ name: 'weights.npy' }]);
    assert.equal(askedFor(opening), null, 'while it is being read');
    const answer = { text: 'open', files: [{ id: 1, name: 'weights.npy', says: '' }] };
    const open = answerTo(opening, 'files', { answer });
    assert.equal(askedFor(open), null);
  });

  it('opens in Cross after one that has Self alone, if it has both; a link keeps its mode', () => {
    const pair = { cross: stacks.self, decoder: stacks.self, encoder: stacks.self };
    const both = { ...opened(2), modes: ['cross', 'self'], stacks: pair };
    const alone = answerTo(does(start({ source: 'own', mode: 'self' }), openModel, {}), 'model', {
      answer: opened(1),
    });
    const after = answerTo(does(alone, openModel, {}), 'model', { answer: both });
    assert.equal(after.chosen.mode, 'cross');
    const linked = answerTo(does(start({ source: 'own', mode: 'self' }), openModel, {}), 'model', {
      answer: both,
    });
    assert.equal(linked.chosen.mode, 'self');
    const encoder = does(after, choose, { mode: 'self', part: 'encoder.1' });
    const next = answerTo(does(encoder, openModel, {}), 'model', {
      answer: { ...both, model: card(3) },
    });
    assert.deepEqual([next.chosen.mode, next.chosen.part], ['self', 'encoder.1']);
  });
});
