// Which of a family's heads the file has, and its tensors. heads.js says what a head is.
const namesOf = ({ steps }) =>
  steps.flatMap(({ linear, norm, words, bias }) => [
    ...[linear, norm, words].filter(Boolean).flatMap((name) => [`${name}.weight`, `${name}.bias`]),
    ...(bias ? [bias] : []),
  ]);

/** Whether the words are the embedding itself: as the config says, else as the family does, else as the file has it. */
function areTied({ words, tied, ownWords }, names, c) {
  const own = names.has(spelledWeight(words));
  if (ownWords && own) return false;
  return c.get('tie_word_embeddings') ?? tied ?? !own;
}

const spelledWeight = (words) =>
  words
    .split('|')
    .map((name) => `${name}.weight`)
    .join('|');

function isThere({ on, steps, needed }, names, { c, pooler }) {
  if (on === 'pooled' && !pooler) return false;
  return steps.every((step) => {
    if (step.linear) return names.has(`${step.linear}.weight`);
    if (!step.words) return true;
    return needed || areTied(step, names, c) || names.has(spelledWeight(step.words));
  });
}

/** One step with its tensors; width: of the rows that come, replaced by that of the rows that go. */
function planStep(step, names, state) {
  const { c, stack, width, isLast } = state;
  if (typeof step === 'string') return { activation: step };
  if (step.linear) {
    const rows = step.rows ?? (isLast ? null : 'as before');
    const weight = names.take(`${step.linear}.weight`, [
      rows === 'as before' ? width : rows,
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
  // Tensors of a head that is not the one are no strangers.
  for (const name of heads.flatMap(namesOf)) names.has(name);
  const head = heads.find((one) => isThere(one, names, { c, pooler }));
  if (!head) return undefined;
  const width = head.on === 'pooled' ? pooler.rows : stack.width;
  const state = { c, stack, width: head.on === 'first and mean' ? 2 * width : width };
  const lastLinear = head.steps.filter((one) => one.linear).at(-1);
  const steps = head.steps.map((step) => {
    state.isLast = step === lastLinear;
    return planStep(step, names, state);
  });
  return { on: head.on, follows: head.follows ?? false, steps };
}
