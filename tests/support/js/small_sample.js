// Makes a description with a difference small: without each component, step, added token, merge and character that the
// difference does not need.

/** Copies of a value that have a little less. */
function* smaller(value) {
  if (Array.isArray(value)) {
    if (value.length > 3) {
      for (const half of [value.slice(0, value.length >> 1), value.slice(value.length >> 1)])
        yield half;
    }
    for (const index of value.keys()) yield value.filter((_, n) => n !== index);
    for (const [index, one] of value.entries()) {
      for (const less of smaller(one)) yield value.map((old, n) => (n === index ? less : old));
    }
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, one] of Object.entries(value)) {
      if (['normalizer', 'pre_tokenizer', 'post_processor', 'decoder'].includes(name) && one)
        yield { ...value, [name]: null };
      const steps = ['normalizers', 'pretokenizers', 'decoders', 'processors'].find(
        (list) => one?.[list],
      );
      if (steps) for (const step of one[steps]) yield { ...value, [name]: step };
      if (name === 'vocab' || name === 'special_tokens' || name === 'precompiled_charsmap')
        continue;
      if (one === true) yield { ...value, [name]: false };
      if (typeof one === 'object')
        for (const less of smaller(one)) yield { ...value, [name]: less };
    }
  }
}

function* smallerInputs(sample) {
  for (const [name, list] of [
    ['texts', sample.texts],
    ['ids', sample.ids],
  ]) {
    if (list.length !== 1) continue;
    const [input] = list;
    if (name === 'texts' && input.length === 2)
      for (const text of input) yield { ...sample, texts: [[text]] };
    for (const [index, text] of input.entries()) {
      if (name === 'ids') yield { ...sample, ids: [input.filter((_, n) => n !== index)] };
      else {
        const characters = [...text];
        for (const at of characters.keys())
          yield {
            ...sample,
            texts: [
              input.map((old, n) =>
                n === index ? characters.filter((_, m) => m !== at).join('') : old,
              ),
            ],
          };
      }
    }
  }
}

function* candidates(sample) {
  for (const description of smaller(sample.description)) yield { ...sample, description };
  yield* smallerInputs(sample);
}

/** The smallest sample found for which `differs` resolves to true, within a number of tries. */
export async function smallSample(sample, differs, tries = 400) {
  let best = sample;
  for (let found = true; found && tries > 0;) {
    found = false;
    for (const one of candidates(best)) {
      if (tries-- <= 0) break;
      if (!(await differs(one))) continue;
      best = one;
      found = true;
      break;
    }
  }
  return best;
}
