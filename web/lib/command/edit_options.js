// The options --ablate and --knockout: edits of a model. Layers and heads count from 0, as in papers: 9.6 is layer 9, head 6.
import { positionsOf } from './positions.js';
import { UsageError, wrongValue } from './shell_options.js';

const stack = '(?:(?<stack>encoder|decoder|cross):)?';
const heads = '(?<layer>\\d+)(?:\\.(?<head>\\d+))?';

/** Reads the items of an option, with words that become positions when the text is known. */
const items = (pattern, expected) => (text, option) =>
  text.split(',').map((written) => {
    const item = written.trim();
    const { groups } = pattern.exec(item) ?? {};
    if (groups) return { option, item, ...groups };
    throw wrongValue(option, written, expected);
  });

/** Both options; stacks: what the command says about stacks. */
export const editOptions = (stacks) => ({
  ablate: {
    value: 'HEADS',
    text:
      'switches heads off: their output becomes 0. 9.6 is layer 9 and head 6, 9 is layer 9 with all heads, both counted ' +
      'from 0; several with commas',
    read: items(new RegExp(`^${stack}${heads}$`), 'LAYER.HEAD, such as 9.6'),
  },
  knockout: {
    value: 'LINKS',
    text:
      'hides words: with "it<-elephant", it cannot attend to elephant, in any layer; "it<-elephant@9.6" means one head, ' +
      '@9 one layer. Nothing before or after the arrow means all words. A word means all its tokens; it#2 is the second of ' +
      `several; 3 and 3-5 are token positions, counted from 0. Several with commas. ${stacks}`,
    read: items(
      new RegExp(`^${stack}(?<query>.*?)<-(?<key>.*?)(?:@${heads})?$`, 's'),
      'QUERY<-KEY, such as "it<-elephant"',
    ),
  },
});

/** @type {(option: string, item: string) => never} */
const unknownText = (option, item) => {
  throw new UsageError(
    `--${option} has "${item}", but the output is not known yet: use positions, as in decoder:1<-0`,
  );
};

/**
 * The edits of the values of both options. layers: the number of layers of each stack of the model; source: the text of the
 * first stack (see positions.js). That of a decoder is not known yet.
 */
export function editsOf({ ablate = [], knockout = [] }, layers, source) {
  const stacks = Object.keys(layers);
  return [...ablate, ...knockout].map(({ option, item, stack: named, layer, head, query, key }) => {
    const chosen = named ?? (stacks.length === 1 ? stacks[0] : undefined);
    if (!stacks.includes(chosen)) {
      const expected = stacks.length === 1 ? 'no stack' : `${stacks.join(':, ')}: before it`;
      throw new UsageError(`--${option} has "${item}"; for this model, expected ${expected}`);
    }
    const all = Array.from({ length: layers[chosen] }, (_, n) => n);
    const where = {
      stack: chosen,
      layer: layer === undefined ? all : Number(layer),
      ...(head !== undefined && { head: Number(head) }),
    };
    if (option === 'ablate') return { at: 'z', ...where, to: 'zero' };
    const isDecoder = chosen === 'decoder' || chosen === 'cross';
    const positions = (written, isKnown) => {
      if (isKnown) return positionsOf(option, written, source);
      const numbers = /^(\d+)(?:-(\d+))?$/.exec(written) ?? unknownText(option, item);
      const first = Number(numbers[1]);
      const last = Number(numbers[2] ?? first);
      return Array.from({ length: Math.max(last - first + 1, 1) }, (_, n) => first + n);
    };
    return {
      at: 'scores',
      ...where,
      ...(query && { query: positions(query, !isDecoder) }),
      ...(key && { key: positions(key, chosen !== 'decoder') }),
      to: 'blocked',
    };
  });
}
