// Serves the built page on localhost until Ctrl+C:   node web/serve.js [--port N]

import { messageOf } from './lib/arguments/message_of.js';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { headersOf } from './policy.js';
import { serve } from './static_server.js';

function wantedPort() {
  const { values } = parseArgs({ options: { port: { type: 'string' } } });
  const given = values.port ?? (process.env.PORT || '8080');
  const port = Number(given);
  if (!/^\d+$/.test(given) || port > 65535) {
    throw new Error(`the port must be a whole number from 0 (any free one) to 65535, not ${given}`);
  }
  return port;
}

try {
  const page = fileURLToPath(new URL('../.build/page/', import.meta.url));
  if (!existsSync(page)) throw new Error('the page is not built yet: npm run build');
  const { url, close } = await serve([page], {
    headers: headersOf,
    port: wantedPort(),
    attempts: 50,
  });
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, close);
  console.log(`attention-wasm: the page is at ${url} (Ctrl+C stops it)`);
} catch (error) {
  console.error(`attention-wasm: ${messageOf(error)}`);
  process.exitCode = 1;
}
