// Mutants of a C++ text, and the text with all of them in it, each behind a switch with a number
// (tests/support/cpp/mutants.h). Relies on clang-format: spaces around binary operators, none around brackets of types.
import { tokensOf } from './cpp_tokens.js';
import { wrapped } from './wrapped_text.js';

const relations = { '<': '<=', '<=': '<', '>': '>=', '>=': '>', '==': '!=', '!=': '==' };
const arithmetic = { '+': '-', '-': '+', '*': '/', '/': '*', '%': '/' };
const assignments = { '+=': '-=', '-=': '+=', '*=': '/=', '/=': '*=' };
const named = { ...relations, ...arithmetic, ...assignments };
const steps = { '++': 'down', '--': 'up' };
const intrinsics = {
  add: 'sub',
  sub: 'add',
  mul: 'add',
  div: 'mul',
  lt: 'le',
  le: 'lt',
  gt: 'ge',
  ge: 'gt',
  eq: 'ne',
  ne: 'eq',
  min: 'max',
  max: 'min',
  pmin: 'pmax',
  pmax: 'pmin',
  and: 'or',
  or: 'and',
};
// Code for the compiler only, and assertions, which the shipped build does not have.
const unread =
  /^(?:using|static_assert|assert|template|enum|case|requires|alignas|concept|noexcept|friend|consteval)$/;
const notExpressions =
  /^(?:if|for|while|switch|do|else|case|default|using|namespace|const|constexpr|static|auto|struct|class|enum|template|public|private|protected|assert|static_assert|inline|void)$/;

/** Mutants as { from, change, wraps(n) }: position, description, and the edits that add it under number n. */
export function cppMutants(text) {
  const tokens = tokensOf(text);
  const skipped = skippedTokens(tokens);
  const mutants = [];
  tokens.forEach((token, index) => {
    if (skipped[index]) return;
    for (const make of [
      operator,
      number,
      step,
      extreme,
      intrinsic,
      operands,
      condition,
      statement,
    ]) {
      mutants.push(...make(tokens, index));
    }
  });
  return mutants.sort((a, b) => a.from - b.from);
}

/** The text with the numbered mutants in it. */
export function switchableCpp(text, mutants) {
  return wrapped(
    text,
    mutants.flatMap(({ n, wraps }) => wraps(n)),
  );
}

const on = (n) => `mutants::on(${n})`;

/** A mutant of the tokens from first to last, within another expression. */
function around(tokens, first, last, change, before, after) {
  const [{ from }, { to }] = [tokens[first], tokens[last]];
  return { from, change, wraps: (n) => [{ from, to, before: before(n), after }] };
}

function skippedTokens(tokens) {
  const skipped = new Array(tokens.length).fill(false);
  const skip = (first, last) => skipped.fill(true, first, last + 1);
  tokens.forEach(({ text, kind, pair }, at) => {
    if (text === '<' && pair > at) skip(at, pair);
    if (kind !== 'name') return;
    if (text === 'if' && tokens[at + 1].text === 'constexpr') skip(at, tokens[at + 2].pair);
    else if (text === 'constexpr' && isVariable(tokens, at)) skip(at, endOf(tokens, at));
    else if (/^(?:template|noexcept|alignas|assert|static_assert)$/.test(text)) {
      if (tokens[at + 1].pair > at) skip(at, tokens[at + 1].pair);
    } else if (unread.test(text)) skip(at, endOf(tokens, at));
  });
  // The length in an array declaration, not an index.
  tokens.forEach(({ text, pair }, at) => {
    const type = tokens[at - 2];
    if (
      text === '[' &&
      type &&
      (type.kind === 'name' || /^[>&*]$/.test(type.text)) &&
      !type.loose &&
      type.text !== 'return'
    )
      skip(at, pair);
  });
  return skipped;
}

/** The last token of the statement that begins here: before the next ";" on its level, ":" of a case, or a function's "}". */
function endOf(tokens, at) {
  const { text } = tokens[at];
  const stop = text === 'case' ? ':' : ';';
  let end = at;
  while (end + 1 < tokens.length && tokens[end + 1].text !== stop) {
    end = tokens[end + 1].pair > end ? tokens[end + 1].pair : end + 1;
    if (/^(?:friend|consteval)$/.test(text) && tokens[end].text === '}') break;
  }
  return end;
}

function isVariable(tokens, at) {
  for (let i = at; i < tokens.length; ++i) {
    if (tokens[i].text === '<' && tokens[i].pair > i) i = tokens[i].pair;
    else if (tokens[i].text === '(') return false;
    else if (/^[={;]$/.test(tokens[i].text)) return true;
  }
  return false;
}

function* operator(tokens, at) {
  const { text, kind, loose, from, to } = tokens[at];
  const changed = named[text];
  if (kind !== 'sign' || !loose || changed === undefined) return;
  if (tokens[at - 1].text === 'operator') return;
  const before = (n) => ` mutants::At{${n}} ${text}`;
  const wraps = (n) => [{ from: to, to, before: before(n), after: '' }];
  yield { from, change: `${text} → ${changed}`, wraps };
}

function* number(tokens, at) {
  const { text, kind } = tokens[at];
  if (kind !== 'number') return;
  const value = Number(text.replace(/[fFuUlL]+$/, ''));
  const isWhole = /^\d+[uUlL]*$/.test(text);
  if (!isWhole && value !== 0 && value !== 1) return;
  const instead = (other) =>
    around(tokens, at, at, `${text} → ${other}`, (n) => `mutants::number(${n}, ${other}, `, ')');
  if (value !== 1 || isWhole) yield instead(value + 1);
  if (value === 1) yield instead(0);
}

/** The last token of the name at `at` with its members. */
function selected(tokens, at) {
  let end = at;
  if (tokens[end].text === '(') end = tokens[end].pair;
  for (;;) {
    const next = tokens[end + 1];
    if (!next) return end;
    if (/^(?:\.|->|::)$/.test(next.text)) end += 2;
    else if (/^[[(]$/.test(next.text) || (next.text === '<' && next.pair)) end = next.pair;
    else return end;
  }
}

function* step(tokens, at) {
  const { text } = tokens[at];
  const other = steps[text];
  if (!other || tokens[at + 1]?.kind !== 'name') return;
  if (tokens[at - 1].kind === 'name' && tokens[at - 1].text !== 'return') return;
  const end = selected(tokens, at + 1);
  const { from } = tokens[at];
  const { to } = tokens[end];
  yield {
    from,
    change: text === '++' ? '++ → --' : '-- → ++',
    wraps: (n) => [
      { from, to: from + 2, instead: `mutants::${other}(${n}, ` },
      { from: from + 2, to, before: '', after: ')' },
    ],
  };
}

function* extreme(tokens, at) {
  const { text, to } = tokens[at];
  if (!/^(?:min|max)$/.test(text) || tokens[at - 1]?.text !== '::') return;
  if (tokens[at - 2].text !== 'std' || !/^[(<]$/.test(tokens[at + 1].text)) return;
  const { from } = tokens[at - 2];
  yield {
    from,
    change: text === 'min' ? 'min → max' : 'max → min',
    wraps: (n) => [{ from, to, instead: `mutants::Extreme<${n}>::${text}` }],
  };
}

function* intrinsic(tokens, at) {
  const { text, from, to } = tokens[at];
  const [, type, name, kind] = text.match(/^wasm_([a-z0-9]+)_(\w+?)((?:_[iu]\d+x\d+)?)$/) ?? [];
  const other = intrinsics[name];
  if (!other || tokens[at + 1].text !== '(') return;
  const changed = `wasm_${type}_${other}${kind}`;
  const instead = (n) => `(${on(n)} ? simde_${changed} : simde_${text})`;
  yield { from, change: `${text} → ${changed}`, wraps: (n) => [{ from, to, instead: instead(n) }] };
}

const leftEnds = /^(?:[([{,;=?:]|return|&&|\|\||!|<<|[-+*/]=|case|else)$/;
const rightEnds = /^(?:[)\]},;?:]|&&|\|\|)$/;

/** The first token of the left operand of the operator at `at`, and the last of the right one. */
function leftOf(tokens, at, ends = leftEnds) {
  let first = at;
  while (first > 0 && !ends.test(tokens[first - 1].text)) {
    first = tokens[first - 1].pair < first ? tokens[first - 1].pair : first - 1;
  }
  // "!" belongs to its operand.
  while (tokens[first - 1]?.text === '!') --first;
  return first;
}

function rightOf(tokens, at) {
  let last = at;
  while (last + 1 < tokens.length && !rightEnds.test(tokens[last + 1].text)) {
    last = tokens[last + 1].pair > last ? tokens[last + 1].pair : last + 1;
  }
  return last;
}

/** Removes an operand of && or ||. */
function* operands(tokens, at) {
  const { text, loose } = tokens[at];
  if (!/^(?:&&|\|\|)$/.test(text) || !loose) return;
  const sides = [[leftOf(tokens, at), at - 1]];
  const right = rightOf(tokens, at);
  if (tokens[right + 1]?.text !== text) sides.push([at + 1, right]);
  for (const [first, last] of sides) {
    const before = (n) => (text === '&&' ? `(${on(n)} || (` : `(!${on(n)} && (`);
    const change = `${text} without ${tokens[first].text}…`;
    yield around(tokens, first, last, change, before, '))');
  }
}

function* condition(tokens, at) {
  const { text, kind } = tokens[at];
  const before = (n) => `(${on(n)} != static_cast<bool>(`;
  if (kind === 'name' && text === 'if' && tokens[at + 1].text === '(') {
    const last = tokens[at + 1].pair - 1;
    const isPlain = tokens
      .slice(at + 2, last + 1)
      .every((token) => token.inside !== at + 1 || !/^[=;]$/.test(token.text));
    if (isPlain) yield around(tokens, at + 2, last, 'if not', before, '))');
  }
  if (text === '?') {
    const first = leftOf(tokens, at, /^(?:[([{,;=?:]|return|<<|[-+*/]=)$/);
    yield around(tokens, first, at - 1, 'not ?', before, '))');
  }
}

const isControl = (token) => /^(?:if|for|while|switch)$/.test(token.text);

/** True if the "{" begins statements, not a type, namespace or initializer. */
function beginsCode(tokens, at) {
  const before = tokens[at - 1];
  if (!before) return false;
  if (before.text === ')' || before.text === ']') return true;
  if (/^(?:const|else|do|noexcept|override|mutable)$/.test(before.text)) return true;
  for (let i = at - 1; i > 0 && !/^[;{}()=]$/.test(tokens[i].text); --i) {
    if (tokens[i].text === '->') return true;
  }
  return false;
}

/** The token that a statement follows: a keyword if it is a branch, else punctuation; null if none begins here. */
function beginning(tokens, at) {
  const { inside } = tokens[at];
  if (inside < 0 || tokens[inside].text !== '{' || !beginsCode(tokens, inside)) return null;
  const before = tokens[at - 1];
  if (before.text === ')') {
    const head = tokens[before.pair - 1];
    return isControl(head) ? head.text : null;
  }
  return /^(?:[;{}]|else)$/.test(before.text) ? before.text : null;
}

function* statement(tokens, at) {
  const begin = beginning(tokens, at);
  if (!begin || notExpressions.test(tokens[at].text)) return;
  const { text } = tokens[at];
  let end = at;
  if (/^(?:return|continue|break)$/.test(text)) {
    // The last return of a function has no code after it.
    if (begin !== 'if') return;
  } else {
    const first = /^(?:\*|\+\+|--)$/.test(text) ? at + 1 : at;
    if (tokens[first].kind !== 'name' && tokens[first].text !== '(') return;
    end = selected(tokens, first);
    const isCall = tokens[end].text === ')' && first === at;
    const isStep = /^(?:\+\+|--)$/.test(text);
    if (/^(?:\+\+|--)$/.test(tokens[end + 1]?.text)) ++end;
    const next = tokens[end + 1]?.text;
    if (!(next === ';' && (isCall || isStep)) && !/^(?:[-+*/%&|]?=)$/.test(next)) return;
  }
  while (tokens[end].text !== ';') {
    if (++end === tokens.length) return;
    if (tokens[end].pair > end) end = tokens[end].pair;
  }
  yield around(tokens, at, end, 'dropped', (n) => `{ if (!${on(n)}) `, ' }');
}
