// The tree of read_pattern.js → source of a JavaScript RegExp with the flag u.

const isShort = ({ type }) => type === 'one';

/** A quantifier of JavaScript. */
function quantifier({ min, max, isLazy }) {
  const limits = new Map([
    ['0 1', '?'],
    ['0 Infinity', '*'],
    ['1 Infinity', '+'],
  ]);
  const range = max === Infinity ? `{${min},}` : min === max ? `{${min}}` : `{${min},${max}}`;
  return (limits.get(`${min} ${max}`) ?? range) + (isLazy ? '?' : '');
}

class Writer {
  #groups = 0;

  write(node) {
    return this[node.type](node);
  }

  one = ({ source }) => source;
  edge = ({ source }) => source;
  sequence = ({ parts }) => parts.map((inner) => this.#factor(inner)).join('');
  choice = ({ parts }) => parts.map((inner) => this.write(inner)).join('|');
  repeat = (node) => this.#unit(node.body) + quantifier(node);

  #factor(node) {
    return node.type === 'choice' ? `(?:${this.write(node)})` : this.write(node);
  }

  #unit(node) {
    return isShort(node) ? this.write(node) : `(?:${this.write(node)})`;
  }

  look({ isBehind, negate, body }) {
    return `(?${isBehind ? '<' : ''}${negate ? '!' : '='}${this.write(body)})`;
  }

  /** JavaScript has atomic lookaheads, and no other atomic groups: the lookahead's text is matched again. */
  atomic({ body }) {
    const short = this.#repeatOfOne(body);
    if (short !== undefined) return short;
    const group = ++this.#groups;
    return `(?:(?=(${this.write(body)}))\\${group})`;
  }

  /** All of the same characters that follow need no group: C*+ is C*(?!C), C?+ is (?:C|(?!C)). */
  #repeatOfOne({ type, min, max, body, isLazy }) {
    if (type !== 'repeat' || isLazy || !isShort(body)) return undefined;
    const one = this.write(body);
    if (max === Infinity) return `(?:${one}${quantifier({ min, max, isLazy })}(?!${one}))`;
    return min === 0 && max === 1 ? `(?:${one}|(?!${one}))` : undefined;
  }
}

export const writePattern = (tree) => new Writer().write(tree);
