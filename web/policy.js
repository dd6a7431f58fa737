// What the pages may do (Content-Security-Policy), said here once.

const page = {
  'default-src': "'none'",
  'script-src': "'self' 'wasm-unsafe-eval'",
  'connect-src': "'self'",
  'style-src': "'self'",
  'img-src': "'self' data:",
};

// In a frame with the attribute sandbox the compact page's worker is started by an address that is a script.
const embedded = { ...page, 'worker-src': "'self' data:" };

// Examples with markup run in a frame.
const reference = { ...page, 'frame-src': "'self'" };

// What a reader has typed is a module made of a Blob; a pool's worker may be one. No other site may frame this one.
const typedCode = {
  ...page,
  'script-src': "'self' blob: 'wasm-unsafe-eval'",
  'style-src': "'self' 'unsafe-inline'",
  'img-src': "'self' data: blob:",
  'frame-ancestors': "'self'",
};

const policies = [
  [/\/api\/run\//, typedCode],
  [/\/api\//, reference],
  [/\/embed\.html$/, embedded],
];

/** The policy of a path: its own files and WebAssembly; only in api/run/ also code that was typed. */
export function policyOf(path) {
  const [, directives = page] = policies.find(([pattern]) => pattern.test(path)) ?? [];
  return Object.entries(directives)
    .map((directive) => directive.join(' '))
    .join('; ');
}

/** What the server of the page says of a path. A frame with the attribute sandbox is of no origin, and no files are secret. */
export const headersOf = (path) => ({
  'Content-Security-Policy': policyOf(path),
  'Access-Control-Allow-Origin': '*',
});
