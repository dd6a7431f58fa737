// A server of the built page that holds files back, for states before they have come.

/** @import { AddressInfo } from 'node:net' */
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import sirv from 'sirv';
import { root } from '../js/package.js';

/** { url, release(), close() } of a server that sends a share of each held file, and the rest after release(). */
export async function serveHeld(held, share) {
  const folder = join(root, '.build/page');
  const handler = sirv(folder, { dev: true });
  let release;
  const released = new Promise((resolve) => (release = resolve));
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '', 'http://localhost');
    if (!held.test(pathname)) {
      handler(request, response, () => void response.writeHead(404).end());
      return;
    }
    const bytes = await readFile(join(folder, pathname));
    const first = Math.floor(share * bytes.length);
    const type = pathname.endsWith('.js') ? 'text/javascript' : 'application/octet-stream';
    response.writeHead(200, { 'content-length': bytes.length, 'content-type': type });
    response.write(bytes.subarray(0, first));
    await released;
    response.end(bytes.subarray(first));
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', () => done(undefined)));
  const close = () => new Promise((done) => (server.close(done), server.closeAllConnections()));
  const { port } = /** @type {AddressInfo} */ (server.address());
  return { url: `http://localhost:${port}/`, release, close };
}
