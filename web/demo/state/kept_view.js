// The view of a state, such as that of a link, in a model that has just been opened: what the model has not is left out.

import { isWord, keysOf, placeOfPart, readBlocks, writeBlocks } from '../blocks.js';

/** @import { Block } from '../blocks.js' */
/** @import { Mode } from '../types' */
/** @import { Stacks } from '../worker/messages' */
/** @import { State } from './types' */

/**
 * Fields of the state that a newly opened model changes.
 * @param {Pick<State, 'mode' | 'part' | 'head' | 'block' | 'row' | 'column'>} state
 * @param {Mode[]} modes the first by default
 * @param {Stacks} stacks by name, such as 'self' or 'cross'
 * @returns {Partial<State>}
 */
export function keptIn({ mode, part, head, block, row, column }, modes, stacks) {
  const isMode = modes.includes(mode);
  // Self has one stack: of an encoder–decoder the encoder.
  const names = Object.keys(stacks);
  const own = isMode && mode === 'self' ? names.slice(-1) : names;
  const isPart = own.includes(placeOfPart(part).stack) && hasPart(part, stacks);
  const isThere = isMode && (isPart || part === '');
  const { heads } = stacks[isPart ? placeOfPart(part).stack : own[0]];
  return {
    mode: isMode ? mode : modes[0],
    part: isThere ? part : '',
    head: isThere && head < heads ? head : 0,
    block: writeBlocks(readBlocks(block).filter((one) => hasBlock(one, stacks))),
    row: isThere ? row : null,
    column: isThere ? column : null,
  };
}

/**
 * Rollouts are those of stacks of two layers or more.
 * @param {string} id
 * @param {Stacks} stacks
 */
function hasPart(id, stacks) {
  const [stack, name] = id.split('.');
  const { layers } = stacks[stack];
  return name === 'rollout'
    ? stack !== 'cross' && layers > 1
    : /^\d+$/.test(name) && Number(name) < layers;
}

/**
 * @param {Block} block
 * @param {Stacks} stacks
 */
function hasBlock(block, stacks) {
  const { stack, layer = 0, head = 0 } = block;
  if (isWord(block)) return Object.keys(stacks).some((one) => keysOf(one) === stack);
  return Object.hasOwn(stacks, stack) && layer < stacks[stack].layers && head < stacks[stack].heads;
}
