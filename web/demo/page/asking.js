// Passes the questions of the store on to the worker, and what comes back to the store.

import { loading } from '../state/answers.js';
import { came } from '../state/questions.js';
import { Stopped } from '../worker/calls.js';
import { messageOf } from '../../lib/arguments/message_of.js';

/** @import { OpenFiles, PageWorker, Progress } from '../worker/messages' */
/** @import { Answers, FileOrder, PageStore, QuestionName, Questions, State } from '../state/types' */

/**
 * @param {PageStore} store
 * @param {PageWorker} worker
 * @param {(link: string) => Partial<State>} readAddress
 */
export function passQuestions(store, worker, readAddress) {
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

  /**
   * The method of the worker for each row of questions.js.
   * @type {{ [Name in QuestionName]: (question: Questions[Name]['ask'], tell: (step: Questions[Name]['step']) => void) => Promise<Questions[Name]['answer']> }}
   */
  const methods = {
    picture: (state, shown) => worker.show(state, { shown, progress }),
    inspection: async (place) => place && worker.inspect(place),
    block: worker.inside,
    nextWords: worker.nextWords,
    otherWords: worker.nextWords,
    effect: worker.effect,
    difference: worker.difference,
    headScores: worker.headScores,
    files: order,
    sweep: (question, swept) => worker.sweep(question, { swept, progress }),
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
