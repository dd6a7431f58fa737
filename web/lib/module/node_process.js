// Detects Node.js by its version: other engines have a `process` too. In the edge runtime of Next.js it has all functions
// of Node.js, but they throw.

/** The process of Node.js or a compatible runtime, if it has getBuiltinModule(); otherwise undefined. */
export function nodeProcess() {
  const { process } = globalThis;
  return process?.versions?.node && typeof process.getBuiltinModule === 'function'
    ? process
    : undefined;
}
