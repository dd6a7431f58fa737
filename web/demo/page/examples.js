// Examples of a source: a few at the text, the others in the drawer.

const atSight = 3;

/** Examples of a source in a mode: { first: those at the text, others }. */
export function examplesOf({ examples }, mode) {
  const all = examples.filter((example) => example.mode === mode);
  return { first: all.slice(0, atSight), others: all.slice(atSight) };
}
