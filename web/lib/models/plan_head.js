// The plan of a head: which of the family's heads the file has, and its tensors. See head_types.js.

const namesOf = ({ steps }) =>
  steps.flatMap(({ linear, norm, words, bias }) => [
    ...[linear, norm, words].filter(Boolean).flatMap((name) => [`${name}.weight`, `${name}.bias`]),
    ...(bias ? [bias] : []),
  ]);

/** Whether output and input embeddings are tied: by the config, else by the family, else by the tensors of the file. */
function areTied({ words, tied, ownWords }, names, c) {
  const hasOwn = names.has(spelledWeight(words));
  if (ownWords && hasOwn) return false;
  return c.get('tie_word_embeddings') ?? tied ?? !hasOwn;
}

const spelledWeight = (words) =>
  words
    .split('|')
    .map((name) => `${name}.weight`)
    .join('|');

function isPresent({ on, steps, isRequired }, names, { c, pooler }) {
  if (on === 'pooled' && !pooler) return false;
  return steps.every((step) => {
    if (step.linear) return names.has(`${step.linear}.weight`);
    if (!step.words) return true;
    return isRequired || areTied(step, names, c) || names.has(spelledWeight(step.words));
  });
}

/** One step with its tensors. state.width is the width of its input, updated to that of its output. */
function planStep(step, names, state) {
  const { c, stack, width, isLast } = state;
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
        bias: names.take(`${step.norm}.bias`, [width]),
      },
      epsilon: stack.options.epsilon,
    };
  }
  const { words } = stack.embed;
  const [vocabulary] = words.dims;
  const bias = step.bias && names.has(step.bias) && names.take(step.bias, [vocabulary]);
  const own =
    !areTied(step, names, c) && names.take(spelledWeight(step.words), [vocabulary, width]);
  return { words: own || words, bias: bias || undefined, scale: step.scale ?? 1 };
}

export function planHead(names, heads, { c, stack, pooler }) {
  // Tensors of the other heads count as known.
  for (const name of heads.flatMap(namesOf)) names.has(name);
  const head = heads.find((one) => isPresent(one, names, { c, pooler }));
  if (!head) return undefined;
  const width = head.on === 'pooled' ? pooler.rows : stack.width;
  const state = { c, stack, width: head.on === 'first and mean' ? 2 * width : width };
  const lastLinear = head.steps.filter((one) => one.linear).at(-1);
  const steps = head.steps.map((step) => {
    state.isLast = step === lastLinear;
    return planStep(step, names, state);
  });
  return { on: head.on, isLanguageModel: head.isLanguageModel ?? false, steps };
}
