// Answers of a worker. Rejects any other message: createWorker() may return a worker that runs other code.
import { describe } from '../arguments/describe.js';
import { sizeOf } from '../arguments/dims.js';
import { typedArrayName } from '../arguments/typed_array.js';
import { OutOfMemoryError } from '../module/errors.js';

const errors = { __proto__: null, TypeError, RangeError, OutOfMemoryError };

const isObject = (value) => typeof value === 'object' && value !== null;
const isTensor = (value) =>
  typedArrayName(value?.data) === 'Float32Array' &&
  Array.isArray(value.dims) &&
  sizeOf(value.dims) === value.data.length;
const isResults = (value) =>
  isObject(value) && Object.keys(value).length > 0 && Object.values(value).every(isTensor);

/** True if a message is the greeting that a started worker posts. */
export const isGreeting = (message) => message?.here === true;

const isColumns = (value) => typedArrayName(value) === 'Float32Array';
const isRun = ([run]) => isObject(run) && Array.isArray(run.results);

// Validators of results by the task's name. Each result of 'call' is an object of tensors.
const isResult = {
  __proto__: null,
  start: () => true,
  release: () => true,
  create: (result) => result.length === 1 && typeof result[0] === 'number',
  call: (result, count) => result.length === count && result.every(isResults),
  createLayer: () => true,
  freeLayer: () => true,
  fillTable: () => true,
  outputsPerHead: (result) => result.every(isTensor),
  freeCaches: () => true,
  connect: () => true,
  connectMemory: () => true,
  run: isRun,
};

/** { run, columns } of a message with a worker's columns for the other workers of a run, or undefined. */
export function readColumns(message) {
  const { id, run, columns } = Object.assign({ __proto__: null }, message);
  const isExchange = id === undefined && Array.isArray(columns) && columns.every(isColumns);
  return isExchange ? { run, columns } : undefined;
}

/**
 * { id, error } or { id, result, spent } of a message; spent: arrays of the task's arguments, or undefined. pending: the tasks by id, each { name, count, isSent }, with the number
 * of calls as count. Throws an Error for a message that is not an answer to one of them.
 */
export function readAnswer(message, pending) {
  const refuse = (found) => {
    throw new Error(`a worker of the pool posted ${found}, which is not an answer to its tasks`);
  };
  if (!isObject(message)) refuse(describe(message));
  // Copied without a prototype: ignores additions to Object.prototype.
  const { id, result, spent, error } = Object.assign({ __proto__: null }, message);
  const task = pending.get(id);
  if (!task?.isSent) refuse(`a message with the id ${describe(id)}`);
  if (error !== undefined) {
    if (typeof error?.message !== 'string') refuse(`${describe(error)} as an error`);
    const Kind = errors[error.name] ?? Error;
    return { __proto__: null, id, error: new Kind(error.message) };
  }
  if (!Array.isArray(result) || !isResult[task.name](result, task.count)) {
    refuse(`an invalid result of '${task.name}'`);
  }
  if (spent !== undefined && !(Array.isArray(spent) && spent.every(isColumns))) {
    refuse(`invalid memory of '${task.name}'`);
  }
  return { __proto__: null, id, result, spent };
}
