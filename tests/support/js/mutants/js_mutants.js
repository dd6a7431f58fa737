// Mutants of a JavaScript text, and the text with all of them in it, each behind a switch with a number (js_switch.js).
import ts from 'typescript';

import { wrapped } from './wrapped_text.js';

const { SyntaxKind } = ts;
const changed = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '==': '!=',
  '!=': '==',
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
  '%': '*',
};
const assigned = { '+=': '-=', '-=': '+=', '*=': '/=', '/=': '*=' };

/** Mutants as { from, change, wraps(n) }: position, description, and the edits that add it under number n. */
export function jsMutants(text) {
  const source = ts.createSourceFile('a.js', text, ts.ScriptTarget.ES2022, true, ts.ScriptKind.JS);
  const mutants = [];
  const visit = (node) => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return;
    for (const make of [
      operator,
      assignment,
      operands,
      number,
      step,
      extreme,
      condition,
      dropped,
    ]) {
      mutants.push(...make(node, source));
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return mutants.sort((a, b) => a.from - b.from);
}

/** The text with the numbered mutants in it; line numbers stay the same. */
export function switchableJs(text, mutants, switchAddress) {
  const names = 'on, flip, either, number, minimum, maximum';
  const given = names.replaceAll(/\w+/g, '$& as $$$$$&');
  const body = wrapped(
    text,
    mutants.flatMap(({ n, wraps }) => wraps(n)),
  );
  const [, start, rest] = body.match(/^(#!.*\n)?([^]*)$/) ?? [];
  return `${start ?? ''}import { ${given} } from ${JSON.stringify(switchAddress)}; ${rest}`;
}

const on = (n) => `$$on(${n})`;
const span = (node, source) => ({ from: node.getStart(source), to: node.getEnd() });

function around(node, source, change, before, after) {
  const { from, to } = span(node, source);
  return { from, change, wraps: (n) => [{ from, to, before: before(n), after }] };
}

const isText = (node) =>
  ts.isStringLiteralLike(node) ||
  ts.isTemplateExpression(node) ||
  (ts.isBinaryExpression(node) && (isText(node.left) || isText(node.right)));

// a < b → $$either (n, '<', a, b): each side is evaluated once, as before.
function* operator(node, source) {
  if (!ts.isBinaryExpression(node)) return;
  const sign = node.operatorToken.getText(source);
  const other = changed[sign];
  if (!other || (sign === '+' && isText(node))) return;
  const whole = span(node, source);
  const token = span(node.operatorToken, source);
  yield {
    from: token.from,
    change: `${sign} → ${other}`,
    wraps: (n) => [
      { ...whole, before: `$$either(${n}, '${sign}', '${other}', `, after: ')' },
      { ...token, instead: ',' },
    ],
  };
}

// a += b → a = $$either (n, '+', '-', a, b), where a is a name.
function* assignment(node, source) {
  if (!ts.isBinaryExpression(node)) return;
  const sign = node.operatorToken.getText(source);
  const other = assigned[sign];
  if (!other || !/^[\w.#]+$/.test(node.left.getText(source))) return;
  const { to } = span(node, source);
  const left = node.left.getText(source);
  const token = span(node.operatorToken, source);
  const plain = sign[0];
  const wraps = (n) => [
    { from: token.from, to: token.to, instead: '=' },
    {
      from: token.to,
      to,
      before: ` $$either(${n}, '${plain}', '${other[0]}', ${left},`,
      after: ')',
    },
  ];
  yield { from: token.from, change: `${sign} → ${other}`, wraps };
}

function* operands(node, source) {
  if (!ts.isBinaryExpression(node)) return;
  const { left, right } = node;
  const sign = node.operatorToken.getText(source);
  if (sign === '??' && right.getText(source) !== 'undefined') {
    yield around(right, source, '?? undefined', (n) => `(${on(n)} ? undefined : (`, '))');
  }
  if (sign !== '&&' && sign !== '||') return;
  const before = (n) => (sign === '&&' ? `(${on(n)} || (` : `(!${on(n)} && (`);
  for (const side of [left, right]) {
    // A chain is a left operand; its own operands become mutants anyway.
    if (
      side === left &&
      ts.isBinaryExpression(left) &&
      left.operatorToken.kind === node.operatorToken.kind
    )
      continue;
    const word = side.getText(source).split(/\s/)[0];
    yield around(side, source, `${sign} without ${word}`, before, '))');
  }
}

function* number(node, source) {
  const isKey = node.parent?.name === node || node.parent?.propertyName === node;
  if (!ts.isNumericLiteral(node) || isKey) return;
  const text = node.getText(source);
  const value = Number(text);
  const others = value === 1 ? [0, 2] : [value + 1];
  if (!Number.isSafeInteger(value) || /[.eExX]/.test(text)) return;
  for (const other of others) {
    yield around(node, source, `${text} → ${other}`, (n) => `$$number(${n}, ${other}, `, ')');
  }
}

function* step(node, source) {
  const isStep = ts.isPrefixUnaryExpression(node) || ts.isPostfixUnaryExpression(node);
  const signs = { [SyntaxKind.PlusPlusToken]: '++', [SyntaxKind.MinusMinusToken]: '--' };
  const sign = isStep && signs[node.operator];
  if (!sign) return;
  const name = node.operand.getText(source);
  const { from, to } = span(node, source);
  const isPrefix = ts.isPrefixUnaryExpression(node);
  const other = sign === '++' ? '--' : '++';
  const instead = isPrefix ? `${other}${name}` : `${name}${other}`;
  yield {
    from,
    change: `${sign} → ${other}`,
    wraps: (n) => [{ from, to, before: `(${on(n)} ? ${instead} : `, after: ')' }],
  };
}

function* extreme(node, source) {
  if (!ts.isPropertyAccessExpression(node)) return;
  const text = node.getText(source);
  if (!/^Math\.(?:min|max)$/.test(text)) return;
  const [now, other] = text === 'Math.min' ? ['minimum', 'Math.max'] : ['maximum', 'Math.min'];
  const { from, to } = span(node, source);
  const wraps = (n) => [{ from, to, instead: `$$${now}(${n})` }];
  yield { from, change: `${text} → ${other}`, wraps };
}

function* condition(node, source) {
  const isIf = ts.isIfStatement(node);
  if (!isIf && !ts.isConditionalExpression(node)) return;
  const asked = isIf ? node.expression : node.condition;
  yield around(asked, source, isIf ? 'if not' : 'not ?', (n) => `$$flip(${n}, `, ')');
}

const plainStatement = (node) =>
  ts.isExpressionStatement(node) &&
  !ts.isStringLiteral(node.expression) &&
  !/^super\b/.test(node.getText());
const wayOut = (node) =>
  ts.isReturnStatement(node) || ts.isThrowStatement(node) || ts.isContinueStatement(node);

/** Removes a statement; a return or break only if it is the whole body of an if. */
function* dropped(node, source) {
  const branch = ts.isIfStatement(node.parent ?? node) && node.parent.thenStatement === node;
  if (!plainStatement(node) && !(branch && wayOut(node))) return;
  yield around(node, source, 'dropped', (n) => `{ if (!${on(n)}) `, ' }');
}
