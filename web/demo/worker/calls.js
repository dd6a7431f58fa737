// Calls from the page to its worker, and their answers: a message { type: method, id, question, events } is answered by
// any number of events { type: event, id, … }, then by one end: { type: 'done', id, result } or { type: 'problem', id,
// message }.

import { messageOf } from '../../lib/arguments/message_of.js';

/** @import { Call, CallMessage, CallName, Events, Methods, PendingCall, Question, Result } from './messages' */

/** The error of calls whose worker was stopped. */
export class Stopped extends Error {
  constructor() {
    super('it was stopped');
  }
}

/**
 * The page's end.
 * @param {(call: Call) => void} post
 */
export function createCaller(post) {
  /** @type {Map<number, PendingCall>} */
  const pending = new Map();
  let last = 0;
  return {
    /**
     * @template {CallName} Name
     * @param {Name} type
     * @param {Question<Name>} question
     * @param {Events} on functions by the names of events
     * @returns {Promise<Result<Name>>}
     */
    call(type, question, on = {}) {
      return new Promise((resolve, reject) => {
        const id = ++last;
        post({ type, id, question, events: Object.keys(on) });
        pending.set(id, { on, resolve, reject });
      });
    },

    /**
     * Passes a message on to its call; false if it belongs to none.
     * @param {CallMessage} message
     */
    hear({ type, id, ...what }) {
      const one = pending.get(id);
      if (!one) return false;
      if (type !== 'done' && type !== 'problem') {
        one.on[type]?.(what);
        return true;
      }
      pending.delete(id);
      if (type === 'done') one.resolve(what.result);
      else one.reject(new Error(what.message));
      return true;
    },

    isBusy: () => pending.size > 0,

    /** Ends all calls: their worker was stopped. */
    stop() {
      for (const { reject } of pending.values()) reject(new Stopped());
      pending.clear();
    },
  };
}

/**
 * Values whose buffers are moved to the page instead of copied.
 * @type {WeakSet<object>}
 */
const moved = new WeakSet();

/**
 * Marks an event or a result: its buffers are moved to the page, and are lost here.
 * @template {object} T
 * @param {T} value
 */
export function transfer(value) {
  moved.add(value);
  return value;
}

/**
 * Array buffers in a value.
 * @param {unknown} value
 * @param {Set<Transferable>} [found]
 * @returns {Transferable[]}
 */
export function buffersIn(value, found = new Set()) {
  if (ArrayBuffer.isView(value)) found.add(/** @type {ArrayBuffer} */ (value.buffer));
  else if (value !== null && typeof value === 'object') {
    for (const one of Object.values(value)) buffersIn(one, found);
  }
  return [...found];
}

/** @param {unknown} value */
const buffersToMove = (value) =>
  typeof value === 'object' && value !== null && moved.has(value) ? buffersIn(value) : [];

/**
 * The worker's end: the listener of its messages.
 * @param {Methods} methods
 * @param {(message: object, buffers: Transferable[]) => void} post
 */
export const answerCalls =
  (methods, post) =>
  /** @param {{ data: Call }} event */
  async ({ data: { type, id, question, events } }) => {
    /** @type {Events} */
    const on = {};
    for (const event of events) {
      on[event] = (value) => post({ type: event, id, ...value }, buffersToMove(value));
    }
    const method = /** @type {(question: unknown, on: Events) => unknown} */ (methods[type]);
    try {
      const result = await method(question, on);
      post({ type: 'done', id, result }, buffersToMove(result));
    } catch (error) {
      post({ type: 'problem', id, message: messageOf(error) }, []);
    }
  };
