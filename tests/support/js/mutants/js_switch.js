// Switches of mutants: the environment variable MUTANT is the number of the active one. With MUTANTS_MET instead, the
// numbers of executed mutants are appended to that file, once per thread.
const { MUTANT, MUTANTS_MET } = globalThis.process?.env ?? {};
const chosen = MUTANT === undefined ? -1 : Number(MUTANT);
const noted = new Set();

function note(n) {
  if (noted.has(n)) return;
  noted.add(n);
  globalThis.process.getBuiltinModule('node:fs').appendFileSync(String(MUTANTS_MET), `${n}\n`);
}

export function on(n) {
  if (MUTANTS_MET !== undefined) note(n);
  return n === chosen;
}

export const flip = (n, asked) => (on(n) ? !asked : asked);
export const number = (n, other, given) => (on(n) ? other : given);
export const minimum = (n) => (on(n) ? Math.max : Math.min);
export const maximum = (n) => (on(n) ? Math.min : Math.max);

const operators = {
  '<': (a, b) => a < b,
  '<=': (a, b) => a <= b,
  '>': (a, b) => a > b,
  '>=': (a, b) => a >= b,
  '===': (a, b) => a === b,
  '!==': (a, b) => a !== b,
  '==': (a, b) => a == b, // eslint-disable-line eqeqeq -- as the text has it
  '!=': (a, b) => a != b, // eslint-disable-line eqeqeq -- as the text has it
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => a / b,
  '%': (a, b) => a % b,
};

export const either = (n, sign, other, a, b) => operators[on(n) ? other : sign](a, b);
