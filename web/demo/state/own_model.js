// The reader's model in the store: what is opened, kept, closed and removed, what is open, and what is said about it.

import { placeOfPart } from '../blocks.js';
import { isOfTexts } from '../texts.js';
import { askPicture, choose } from './changes.js';
import { keptIn } from './kept_view.js';
import { isSameModel } from '../model_identity.js';

/** @import { ModelFrom, OpenModel } from '../worker/messages' */
/** @import { Came, DroppedFiles, ModelOrder, ModelsOrder, OwnModel, Store } from './types' */

/** @type {OwnModel} */
export const noModel = {
  ...{ model: null, bitmap: null, kept: [], weights: 'as stored' },
  ...{ order: null, far: null, modelsOrder: { id: 0 }, last: 0 },
  ...{ text: '', isProblem: false, said: 0, droppedIn: null, asked: '' },
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
 * A dropped model or file is looked at until its reader goes on to another source of vectors; the state names the open model.
 * @param {Store} store
 */
export const followModel = (store) => named(left(store));

/**
 * The state names the model that is shown. One that it named before is the one for which this view was made.
 * @param {Store} store
 */
function named(store) {
  const { chosen, ownModel } = store;
  const identity = ownModel.model?.identity ?? chosen.model;
  if (chosen.source !== 'own' || chosen.model === identity) return store;
  const isOther = chosen.model !== '' && !isSameModel(chosen.model, identity);
  return withModel(
    { ...store, chosen: { ...chosen, model: identity } },
    { asked: isOther ? chosen.model : '' },
  );
}

/** @param {Store} store */
function left(store) {
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
 * @param {{ place: string, name: string }} kept
 */
export const removeModel = (store, kept) => orderModels(store, { remove: kept });

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
  const next = withModel(withoutName(said, isSame), { model, kept, bitmap: seen });
  const isReplaced = ownModel.model !== null;
  const placed = modes && stacks ? goTo(next, modes, stacks, isReplaced) : next;
  return isSame && !bitmap ? placed : askPicture(placed);
}

/**
 * Of a model that is closed or replaced the state names nothing; nor does the next one show its view. One that the state
 * names and that is not open is that of a link.
 * @param {Store} store
 * @param {boolean} isSame
 */
function withoutName(store, isSame) {
  const { chosen, ownModel } = store;
  if (isSame || (!ownModel.model && chosen.source === 'own')) return store;
  return withModel({ ...store, chosen: { ...chosen, model: '' } }, { asked: '' });
}

/**
 * A newly opened model is shown as the state says, as far as it can; after another source it begins anew.
 * @param {Store} store
 * @param {NonNullable<OpenModel['modes']>} modes
 * @param {NonNullable<OpenModel['stacks']>} stacks
 * @param {boolean} isReplaced another model was open
 */
function goTo(store, modes, stacks, isReplaced) {
  const { chosen } = store;
  if (chosen.source === 'own') {
    // An encoder–decoder opens in Cross after a model that has Self alone.
    const isElsewhere = isReplaced && !Object.hasOwn(stacks, placeOfPart(chosen.part).stack);
    const mode = isElsewhere && chosen.mode === 'self' ? modes[0] : chosen.mode;
    return choose(store, keptIn({ ...chosen, mode }, modes, stacks));
  }
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
    ...{ model: null, bitmap: null, order: null, far: null, modelsOrder: { id: 0 }, asked: '' },
  });
  return order || model ? say(next, 'Your model is closed: it did not answer.', true) : next;
}

/**
 * The model, or the names of the files, that the address names and that are not open; null for none.
 * @param {Store} store
 */
export function askedFor({ chosen: { source, model, file }, ownModel, files }) {
  if (source === 'own' && model !== '' && !ownModel.model && !ownModel.order) return { model };
  if (source === 'files' && file !== '' && files.open.length + files.orders.length === 0)
    return { file };
  return null;
}
