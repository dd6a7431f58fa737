// Passes the questions of the store on to the worker, and what comes back to the store.

import { loading } from '../state/answers.js';
import { came } from '../state/questions.js';
import { Stopped } from '../worker/calls.js';
import { messageOf } from '../../lib/arguments/message_of.js';
import { droppedFiles } from './own_model/dropped_files.js';

/** @import { Keeping, ModelFrom, Opened, OpenFiles, OpenModel, PageWorker, Progress } from '../worker/messages' */
/** @import { Answers, DroppedFiles, FileOrder, ModelOrder, ModelsOrder, PageStore, QuestionName, Questions, State } from '../state/types' */

/** @typedef {(order: Questions['saved']['ask'], tell: (step: Questions['saved']['step']) => void) => Promise<string>} Save */

/**
 * @param {PageStore} store
 * @param {PageWorker} worker
 * @param {(link: string) => Partial<State>} readAddress
 * @param {Save} [save] resolves to what was done, as a sentence; an embedded page saves nothing
 */
export function passQuestions(store, worker, readAddress, save = async () => '') {
  /** @param {Progress} step */
  function progress(step) {
    if (step.isLoading) store.update(loading, step);
  }

  /** @param {FileOrder} one */
  async function order({ file, close }) {
    const source = 'files';
    const answer = file
      ? worker.open({ source, file }, { progress })
      : worker.close({ source, file: close });
    const { link, ...opened } = /** @type {OpenFiles} */ (await answer);
    const saved = link === undefined ? {} : { saved: readAddress(link.slice(link.indexOf('#'))) };
    return { ...opened, ...saved };
  }

  /** @param {Promise<Opened>} answer of the source of the reader's model */
  const ofModel = async (answer) => /** @type {OpenModel} */ (await answer);

  /**
   * @param {ModelOrder} one
   * @param {(step: Progress) => void} tell
   */
  async function orderModel({ from }, tell) {
    const source = 'own';
    const on = { progress: tell };
    return ofModel(
      from
        ? worker.open({ source, file: await filesOf(from) }, on)
        : worker.keep({ source, what: { act: 'keep' } }, on),
    );
  }

  /** @param {ModelsOrder} one */
  function orderModels({ close, remove }) {
    const source = 'own';
    if (close) return ofModel(worker.close({ source }));
    /** @type {Keeping} */
    const what = remove === undefined ? { act: 'list' } : { act: 'remove', ...remove };
    return ofModel(worker.keep({ source, what }, { progress }));
  }

  /**
   * The method of the worker for each row of questions.js.
   * @type {{ [Name in QuestionName]: (question: Questions[Name]['ask'], tell: (step: Questions[Name]['step']) => void) => Promise<Questions[Name]['answer']> }}
   */
  const methods = {
    picture: (state, shown) => worker.show(state, { shown, progress }),
    stop: () => worker.stop(),
    inspection: async (place) => place && worker.inspect(place),
    block: worker.inside,
    nextWords: worker.nextWords,
    otherWords: worker.nextWords,
    effect: worker.effect,
    difference: worker.difference,
    headScores: worker.headScores,
    files: order,
    model: orderModel,
    models: orderModels,
    cancel: () => worker.cancel('own'),
    saved: save,
    sweep: (question, swept) => worker.sweep(question, { swept, progress }),
    lesson: () => worker.tour({ about: 'lesson' }),
    tour: worker.tour,
  };

  /**
   * @template {QuestionName} Name
   * @param {Name} name
   * @param {Answers[Name]} asked
   */
  async function ask(name, { key, question }) {
    /** @param {Parameters<typeof came<Name>>[3]} what */
    const take = (what) => store.update(came, name, key, what);
    try {
      take({ answer: await methods[name](question, (step) => take({ step })) });
    } catch (error) {
      // restarted() has changed the store.
      if (!(error instanceof Stopped)) take({ problem: messageOf(error) });
    }
  }

  store.subscribe(({ answers }, before) => {
    for (const name of /** @type {QuestionName[]} */ (Object.keys(answers))) {
      const asked = answers[name];
      if (asked && asked.key !== before.answers[name]?.key) ask(name, asked);
    }
  });
}

/**
 * Where the worker reads a model; of what was dropped the files.
 * @param {ModelFrom & { dropped?: DroppedFiles }} from
 * @returns {Promise<ModelFrom>}
 */
async function filesOf({ dropped, ...from }) {
  if (!dropped) return from;
  try {
    return { ...from, files: await droppedFiles(dropped) };
  } catch (error) {
    throw new Error(`The folder cannot be read: ${messageOf(error)}`, { cause: error });
  }
}
