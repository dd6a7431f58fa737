// The tokens of a C++ text, without comments and preprocessor lines, with pairs of brackets.

const space = /(?:\s|\/\/[^\n]*|\/\*[^]*?\*\/|(?<=^|\n)[ \t]*#(?:\\\n|[^\n])*)+/y;
const forms = [
  ['name', /[A-Za-z_]\w*/y],
  ['number', /\.?\d(?:['.\w]|(?<=[eEpP])[+-])*/y],
  ['text', /"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])+'/y],
  ['sign', /<=>|->\*|\.\.\.|[-+*/%&|^=!<>]=|->|\+\+|--|&&|\|\||::|<<|[^\s\w]/y],
];
const closing = { '(': ')', '[': ']', '{': '}' };

function matched(form, text, at) {
  form.lastIndex = at;
  return form.exec(text)?.[0];
}

/** Tokens as { kind, text, from, to, loose }; loose: between spaces, as binary operators, unlike template brackets. */
export function tokensOf(text) {
  const tokens = [];
  let at = 0;
  while (at < text.length) {
    at += matched(space, text, at)?.length ?? 0;
    if (at === text.length) break;
    const [kind, found] =
      forms.map(([name, form]) => [name, matched(form, text, at)]).find(([, one]) => one) ?? [];
    const to = at + found.length;
    const loose = /\s/.test(text[at - 1] ?? ' ') && /\s/.test(text[to] ?? ' ');
    tokens.push({ kind, text: found, from: at, to, loose });
    at = to;
  }
  pairBrackets(tokens);
  return tokens;
}

/** Gives brackets the index of their partner (`pair`), and every token that of its enclosing bracket (`inside`; -1: none). */
function pairBrackets(tokens) {
  const open = [];
  const innermost = () => open.at(-1) ?? -1;
  tokens.forEach((token, index) => {
    const opener = tokens[innermost()]?.text;
    const isAngle = token.kind === 'sign' && !token.loose;
    if (token.text === closing[opener] || (isAngle && token.text === '>' && opener === '<')) {
      token.pair = open.pop();
      tokens[token.pair].pair = index;
      token.inside = innermost();
      return;
    }
    token.inside = innermost();
    const isOpening = Object.hasOwn(closing, token.text) && token.kind === 'sign';
    if (isOpening || (isAngle && token.text === '<' && isTemplate(tokens, index))) open.push(index);
  });
}

/** True if a "<" begins template arguments: after a name, or after operator(). */
const isTemplate = (tokens, at) =>
  tokens[at - 1]?.kind === 'name' || tokens[at - 3]?.text === 'operator';
