// The reader's model in the store: what is opened, kept, closed and removed, what is open, and what is said about it.

import { isOfTexts } from '../texts.js';
import { askPicture, choose } from './changes.js';
import { keptIn } from './kept_view.js';

/** @import { ModelFrom, OpenModel } from '../worker/messages' */
/** @import { Came, DroppedFiles, ModelOrder, ModelsOrder, OwnModel, Store } from './types' */

/** @type {OwnModel} */
export const noModel = {
  ...{ model: null, bitmap: null, kept: [], weights: 'as stored' },
  ...{ order: null, far: null, modelsOrder: { id: 0 }, last: 0 },
  ...{ text: '', isProblem: false, said: 0, droppedIn: null },
};

/** @type {(store: Store, part: Partial<OwnModel>) => Store} */
const withModel = (store, part) => ({ ...store, ownModel: { ...store.ownModel, ...part } });

/**
 * @param {Store} store
 * @param {string} text a sentence
 */
const say = (store, text, isProblem = false) =>
  withModel(store, { text, isProblem, said: store.ownModel.said + 1 });

/**
 * The room of the reader's model is shown.
 * @param {Pick<Store, 'chosen' | 'ownModel'>} store
 */
export const hasModelRoom = ({ chosen, ownModel }) =>
  chosen.source === 'own' || ownModel.droppedIn !== null;

/**
 * What was dropped is looked at until its reader goes on to another source of vectors.
 * @param {Store} store
 */
export function followModel(store) {
  const { droppedIn, order } = store.ownModel;
  const hasLeft = droppedIn !== null && droppedIn !== store.chosen.source && !order;
  return hasLeft ? withModel(store, { droppedIn: null }) : store;
}

/**
 * @param {Store} store
 * @param {Omit<ModelOrder, 'id'>} order
 * @param {string} text what is done
 */
function begin(store, order, text) {
  const id = store.ownModel.last + 1;
  const begun = { order: { id, ...order }, last: id, far: { text }, text: '', isProblem: false };
  return withModel(store, begun);
}

/**
 * @param {Store} store
 * @param {ModelFrom & { dropped?: DroppedFiles }} from
 */
export const openModel = (store, from) =>
  begin(store, { from: { ...from, weights: store.ownModel.weights } }, 'Looking at the files');

/**
 * Has the open model look at a picture.
 * @param {Store} store
 * @param {File} picture
 */
export const lookAtPicture = (store, picture) =>
  begin(store, { from: { picture } }, `Looking at ${picture.name}`);

/**
 * Opens dropped files of a model, or a dropped picture in the model that is shown.
 * @param {Store} store
 * @param {DroppedFiles} dropped
 */
export function dropModel(store, dropped) {
  const { chosen, ownModel } = store;
  const inTexts = isOfTexts(chosen.mode) ? store : choose(store, { mode: 'self' });
  const next = withModel(inTexts, { droppedIn: chosen.source });
  const picture = dropped.files.find(({ type }) => type.startsWith('image/'));
  return picture && chosen.source === 'own' && ownModel.model?.seesPictures
    ? lookAtPicture(next, picture)
    : openModel(next, { dropped });
}

/**
 * Keeps the open model for the next visit.
 * @param {Store} store
 */
export const keepModel = (store) => begin(store, {}, 'Keeping');

/**
 * Ends what is being done.
 * @param {Store} store
 * @returns {Store}
 */
export const cancelModel = (store) => ({
  ...store,
  asked: { ...store.asked, cancel: store.asked.cancel + 1 },
});

/**
 * @param {Store} store
 * @param {Omit<ModelsOrder, 'id'>} order
 */
function orderModels(store, order) {
  const id = store.ownModel.last + 1;
  return withModel(store, { modelsOrder: { id, ...order }, last: id });
}

/** @param {Store} store */
export const closeModel = (store) => orderModels(store, { close: true });

/**
 * @param {Store} store
 * @param {string} name of a kept model
 */
export const removeModel = (store, name) => orderModels(store, { remove: name });

/**
 * Numbers of the models that are opened from now on.
 * @param {Store} store
 * @param {OwnModel['weights']} weights
 */
export const chooseWeights = (store, weights) => withModel(store, { weights });

/**
 * What came for the order that takes its time. A problem leaves the open model as it is.
 * @param {Store} store
 * @param {Pick<Came<'model'>, 'step' | 'answer' | 'problem' | 'isLatest'>} came
 */
export function modelCame(store, { step, answer, problem, isLatest }) {
  if (step) return isLatest ? withModel(store, { far: step }) : store;
  const droppedIn = store.ownModel.droppedIn === null ? null : store.chosen.source;
  const next = isLatest ? withModel(store, { order: null, far: null, droppedIn }) : store;
  return answer ? withAnswer(next, answer) : say(next, `${problem}.`, true);
}

/**
 * What came for an order about open and kept models.
 * @param {Store} store
 * @param {Pick<Came<'models'>, 'answer' | 'problem'>} came
 */
export const modelsCame = (store, { answer, problem }) =>
  answer ? withAnswer(store, answer) : say(store, `${problem}.`, true);

/**
 * Another model, and another picture, have other vectors; another model starts without a picture.
 * @param {Store} store
 * @param {OpenModel} answer
 */
function withAnswer(store, { text, model, kept, modes, stacks, bitmap }) {
  const { ownModel } = store;
  const isSame = model?.id === ownModel.model?.id;
  const seen = bitmap ?? (isSame ? ownModel.bitmap : null);
  const said = text === '' ? store : say(store, text);
  const next = withModel(said, { model, kept, bitmap: seen });
  const placed = modes && stacks ? goTo(next, modes, stacks) : next;
  return isSame && !bitmap ? placed : askPicture(placed);
}

/**
 * A newly opened model is shown as the state says, as far as it can; after another source it begins anew.
 * @param {Store} store
 * @param {NonNullable<OpenModel['modes']>} modes
 * @param {NonNullable<OpenModel['stacks']>} stacks
 */
function goTo(store, modes, stacks) {
  const { chosen } = store;
  if (chosen.source === 'own') return choose(store, keptIn(chosen, modes, stacks));
  return choose(store, {
    ...{ source: 'own', mode: modes[0], part: '', head: 0 },
    ...{ row: null, column: null, french: '', begin: '' },
  });
}

/**
 * The worker was stopped: the model is closed.
 * @param {Store} store
 */
export function modelStopped(store) {
  const { order, model } = store.ownModel;
  const next = withModel(store, {
    ...{ model: null, bitmap: null, order: null, far: null, modelsOrder: { id: 0 } },
  });
  return order || model ? say(next, 'Your model is closed: it did not answer.', true) : next;
}
