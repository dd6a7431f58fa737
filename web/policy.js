// The Content-Security-Policy of all pages.

const closed = {
  'default-src': "'none'",
  'script-src': "'self' 'wasm-unsafe-eval'",
  'connect-src': "'self'",
  'style-src': "'self'",
  'img-src': "'self' data:",
};

// The page and its worker fetch models from any address that the reader enters.
const page = { ...closed, 'connect-src': "'self' https:" };

// In a sandboxed frame, the compact page starts its worker from a blob address.
const embedded = { ...closed, 'worker-src': "'self' data:" };

// Examples with HTML run in a frame.
const reference = { ...closed, 'frame-src': "'self'" };

// Code that a reader types runs as a module from a Blob, and so may a pool's worker. No other site may frame this page.
const typedCode = {
  ...closed,
  'script-src': "'self' blob: 'wasm-unsafe-eval'",
  'style-src': "'self' 'unsafe-inline'",
  'img-src': "'self' data: blob:",
  'frame-ancestors': "'self'",
};

/** @type {[pattern: RegExp, directives: Record<string, string>][]} */
const policies = [
  [/\/api\/run\//, typedCode],
  [/\/api\//, reference],
  [/\/embed\.html$/, embedded],
];

/**
 * The policy of a path: its own files and WebAssembly; connections to other servers for the page only; typed code in api/run/
 * only.
 */
export function policyOf(path) {
  const [, directives] = policies.find(([pattern]) => pattern.test(path)) ?? [path, page];
  return Object.entries(directives)
    .map((directive) => directive.join(' '))
    .join('; ');
}

/** Response headers of a path. Sandboxed frames have no origin and no file is secret, so every origin may read. */
export const headersOf = (path) => ({
  'Content-Security-Policy': policyOf(path),
  'Access-Control-Allow-Origin': '*',
});
