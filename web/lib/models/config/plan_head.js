// The plan of a head: which of the family's heads the file has, and its tensors. See head_types.js.
import { joined } from './tensor_names.js';

const biasOf = ({ words, bias }) => [bias, joined(words, '.bias')].filter(Boolean).join('|');

const namesOf = ({ steps }) =>
  steps.flatMap((step) => {
    const { linear, norm, words } = step;
    return [
      ...[linear, norm].filter(Boolean).flatMap((name) => [`${name}.weight`, `${name}.bias`]),
      ...(words ? [joined(words, '.weight'), biasOf(step)] : []),
    ];
  });

/** Whether a head without a matrix of its own has that of the input. */
export const areTied = (c) => c.flag('tie_word_embeddings', true);

function isPresent({ on, steps }, names, { c, pooler }) {
  if (on === 'pooled' && !pooler) return false;
  return steps.every((step) => {
    if (step.linear) return names.has(`${step.linear}.weight`);
    if (!step.words) return true;
    return areTied(c) || names.has(joined(step.words, '.weight'));
  });
}

/** The product with a table of token embeddings: the head's own where the file has one, else that of the input. */
function planWords(step, names, { c, stack, width }) {
  const { words } = stack.embed;
  const [vocabulary] = words.dims;
  const own = joined(step.words, '.weight');
  const bias = biasOf(step);
  return {
    words: names.has(own) || !areTied(c) ? names.take(own, [vocabulary, width]) : words,
    bias: names.has(bias) ? names.take(bias, [vocabulary]) : undefined,
    scale: step.scale ?? 1,
    softcap: step.softcap,
  };
}

/** One step with its tensors. state.width is the width of its input, updated to that of its output. */
function planStep(step, names, state) {
  const { stack, width, isLast } = state;
  if (typeof step === 'string') return { activation: step };
  if (step.linear) {
    const rows = step.rows ?? (isLast ? null : 'same width');
    const weight = names.take(`${step.linear}.weight`, [
      rows === 'same width' ? width : rows,
      width,
    ]);
    state.width = weight.dims[0];
    const bias = names.has(`${step.linear}.bias`)
      ? names.take(`${step.linear}.bias`, [state.width])
      : undefined;
    return { linear: { weight, bias } };
  }
  if (step.norm) {
    return {
      norm: {
        weight: names.take(`${step.norm}.weight`, [width]),
        ...(!step.withoutBias && { bias: names.take(`${step.norm}.bias`, [width]) }),
      },
      epsilon: stack.options.epsilon,
    };
  }
  return planWords(step, names, state);
}

/** A sentence about a head that the config names and the file lacks, as in embedding models of causal types; else undefined. */
export function missingHead(heads, head, c) {
  const named = head ? undefined : heads.find(({ isNamed }) => isNamed);
  if (!named) return undefined;
  const { words } = named.steps.at(-1);
  return (
    `the model has no head: config.json names ${(c.list('architectures') ?? []).join(', ')} without tied ` +
    `embeddings, but the weights have no '${words}.weight'`
  );
}

export function planHead(names, heads, { c, stack, pooler }) {
  // Tensors of the other heads count as known.
  for (const name of heads.flatMap(namesOf)) names.has(name);
  const head = heads.find((one) => isPresent(one, names, { c, pooler }));
  if (!head) return undefined;
  const width = head.on === 'pooled' ? pooler.rows : stack.outWidth;
  const state = { c, stack, width: head.on === 'first and mean' ? 2 * width : width };
  const lastLinear = head.steps.filter((one) => one.linear).at(-1);
  const steps = head.steps.map((step) => {
    state.isLast = step === lastLinear;
    return planStep(step, names, state);
  });
  return { on: head.on, isLanguageModel: head.isLanguageModel ?? false, steps };
}
