// Node.js, recognized by its version: other engines have a `process` too (the edge runtime of Next.js one with every
// function of Node.js, each of which throws).

/** The process of Node.js and of what is compatible with it, if it hands out its modules; otherwise undefined. */
export function nodeProcess() {
  const { process } = globalThis;
  return process?.versions?.node && process.getBuiltinModule ? process : undefined;
}
