// Answers of a worker. What else a worker may post (it can be one of the caller's making) is refused here.
import { describe } from '../arguments/describe.js';
import { typedArrayName } from '../arguments/typed_array.js';
import { countOf } from './tensor_part.js';

const errors = { __proto__: null, TypeError, RangeError };

const isObject = (value) => typeof value === 'object' && value !== null;
const isTensor = (value) =>
  typedArrayName(value?.data) === 'Float32Array' &&
  Array.isArray(value.dims) &&
  countOf(value.dims) === value.data.length;
const isResults = (value) =>
  isObject(value) && Object.keys(value).length > 0 && Object.values(value).every(isTensor);

/** Whether it is the first message of a worker: that it has started. */
export const isGreeting = (message) => message?.here === true;

// By the name of the task; of calls each result is tensors by name.
const isResult = {
  __proto__: null,
  start: () => true,
  release: () => true,
  create: (result) => result.length === 1 && typeof result[0] === 'number',
  call: (result, count) => result.length === count && result.every(isResults),
};

/**
 * { id, error } or { id, result } of a message. held: the tasks that were sent, by id, each { name, count }, count being
 * that of its calls. Throws an Error for a message that answers none of them.
 */
export function readAnswer(message, held) {
  const refuse = (found) => {
    throw new Error(`a worker of the pool posted ${found}, which is not an answer to its tasks`);
  };
  if (!isObject(message)) refuse(describe(message));
  // What somebody added to Object.prototype is no part of it.
  const { id, result, error } = Object.assign({ __proto__: null }, message);
  const task = held.get(id);
  if (!task?.isSent) refuse(`a message with the id ${describe(id)}`);
  if (error !== undefined) {
    if (typeof error?.message !== 'string') refuse(`${describe(error)} as an error`);
    const Kind = errors[error.name] ?? Error;
    return { __proto__: null, id, error: new Kind(error.message) };
  }
  if (!Array.isArray(result) || !isResult[task.name](result, task.count)) {
    refuse(`an invalid result of '${task.name}'`);
  }
  return { __proto__: null, id, result };
}
