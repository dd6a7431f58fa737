// A bound of the time that a pattern takes. A backtracking matcher tries the ways ("paths") through a text one after another,
// so the number of paths that end at the same position decides: if it has a limit for all texts, a search that starts
// at one position takes linear time, and a search of the whole text at most quadratic time. (a+)+$ has 2^n paths.
//
// The pattern becomes a nondeterministic automaton. requireFewPaths() follows all texts at once: it visits the sets of states
// that some text reaches, each state with the number of paths to it, and gives up at a number of paths or of sets.
// Atomic groups count as ordinary ones, the conditions of lookarounds as met: both only add paths.
import { spendWork } from '../budget.js';
import { Alphabet } from './alphabet.js';

const limits = {
  paths: 32, // at the same position
  states: 4000,
  sets: 4000,
};
const stepWork = 16; // of a state in a step from one set to the next

function refuse(reason) {
  throw new RangeError(
    `more than quadratic time in the worst case, as far as can be shown: ${reason}`,
  );
}

const lengthOf = ({ type, parts, body, max }) => {
  if (type === 'one') return 1;
  if (type === 'sequence') return parts.reduce((sum, one) => sum + lengthOf(one), 0);
  if (type === 'choice') return Math.max(...parts.map(lengthOf));
  if (type === 'atomic') return lengthOf(body);
  return type === 'repeat' ? (lengthOf(body) || 0) && lengthOf(body) * max : 0;
};

/**
 * States: { one, next } reads a character; { next: [...], isCondition } goes on without one, only under a condition if
 * isCondition; `accept` is the end of the match, `end` that of a lookaround.
 */
class Automaton {
  states = [];
  accept = this.#add({ next: [] });
  end = this.#add({ next: [] });
  #isBackward;

  constructor(tree, { isBackward = false } = {}) {
    this.#isBackward = isBackward;
    this.start = this.#build(tree, isBackward ? this.end : this.accept);
  }

  #add(state) {
    if (this.states.push(state) > limits.states) refuse(`it has more than ${limits.states} states`);
    return this.states.length - 1;
  }

  #build(node, next) {
    return this[`_${node.type}`](node, next);
  }

  _one = ({ source }, next) => this.#add({ one: source, next: [next] });
  _atomic = ({ body }, next) => this.#build(body, next);
  _edge = (_, next) => this.#add({ next: [next], isCondition: true });
  _choice = ({ parts }, next) => this.#add({ next: parts.map((one) => this.#build(one, next)) });

  _sequence({ parts }, next) {
    const inOrder = this.#isBackward ? parts : [...parts].reverse();
    return inOrder.reduce((after, one) => this.#build(one, after), next);
  }

  _repeat({ min, max, body }, next) {
    let first = next;
    if (max === Infinity) {
      first = this.#add({ next: [next] });
      this.states[first].next.push(this.#build(body, first));
    }
    for (let i = min; i < max && max < Infinity; ++i) {
      first = this.#add({ next: [next, this.#build(body, first)] });
    }
    for (let i = 0; i < min; ++i) first = this.#build(body, first);
    return first;
  }

  _look({ isBehind, body }, next) {
    if (isBehind !== this.#isBackward) {
      if (lengthOf(body) > limits.paths)
        refuse(`its lookaround reads more than ${limits.paths} characters`);
      requireFewPaths(body, { isBackward: isBehind });
      return this.#add({ next: [next], isCondition: true });
    }
    return this.#add({ next: [this.#build(body, this.end), next], isCondition: true });
  }
}

/** Follows texts through an automaton. Paths end where the rest of the match cannot fail any more. */
class Paths {
  #states;
  #accept;
  #alphabet;
  #never = new Map();
  #reached = new Map();

  constructor({ states, accept }) {
    this.#states = states;
    this.#accept = accept;
    const sources = states.flatMap(({ one }) => one ?? []);
    this.#alphabet = new Alphabet(sources);
  }

  /** Whether a state reaches the end of the match without a character and without a condition. */
  cannotFail(state) {
    if (!this.#never.has(state)) {
      const { one, next, isCondition } = this.#states[state];
      const value =
        state === this.#accept ||
        (one === undefined && !isCondition && next.some((other) => this.cannotFail(other)));
      this.#never.set(state, value);
    }
    return this.#never.get(state);
  }

  /** The states that read a character, and the ends, with the number of paths to each of them. */
  #reachedFrom(state) {
    const known = this.#reached.get(state);
    if (known !== undefined) return known;
    const { one, next } = this.#states[state];
    const reached = new Map();
    if (one !== undefined || next.length === 0) reached.set(state, 1);
    else this.#addAll(reached, next, 1);
    this.#reached.set(state, reached);
    return reached;
  }

  #addAll(reached, states, count) {
    for (const state of states) {
      if (this.cannotFail(state)) continue;
      for (const [other, paths] of this.#reachedFrom(state)) {
        reached.set(other, (reached.get(other) ?? 0) + count * paths);
      }
    }
    let sum = 0;
    for (const paths of reached.values()) sum += paths;
    if (sum > limits.paths) refuse(`a text has more than ${limits.paths} ways through it`);
  }

  #step(set, kind) {
    spendWork(stepWork * (1 + set.size));
    const reached = new Map();
    for (const [state, count] of set) {
      const { one, next } = this.#states[state];
      if (one !== undefined && this.#alphabet.has(one, kind)) this.#addAll(reached, next, count);
    }
    return reached;
  }

  /** Visits all sets that a text reaches from a state, or throws. */
  visit(start, seen) {
    const open = [this.#reachedFrom(start)];
    for (let set = open.pop(); set !== undefined; set = open.pop()) {
      const key = JSON.stringify([...set].sort(([a], [b]) => a - b));
      if (set.size === 0 || seen.has(key)) continue;
      seen.add(key);
      if (seen.size > limits.sets)
        refuse(`its texts reach more than ${limits.sets} sets of states`);
      for (let kind = 0; kind < this.#alphabet.size; ++kind) open.push(this.#step(set, kind));
    }
  }
}

/** Throws unless each text has at most limits.paths paths at a position, from the start and from where a match may end. */
export function requireFewPaths(tree, { isBackward = false } = {}) {
  const automaton = new Automaton(tree, { isBackward });
  const paths = new Paths(automaton);
  const seen = new Set();
  for (const state of automaton.states.keys()) {
    if (state === automaton.start || paths.cannotFail(state)) paths.visit(state, seen);
  }
}
