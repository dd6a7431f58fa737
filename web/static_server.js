// Serves folders of files on localhost, compressed as static hosts do.

import { createServer } from 'node:http';
import compression from 'compression';
import sirv from 'sirv';

/**
 * @param {string[]} folders the file is taken from the first folder that has it
 * @param {{ headers?: Record<string, string> | ((path: string) => Record<string, string>), port?: number,
 *   attempts?: number, maxAge?: number }} [options]
 *   `headers` of every response, or by path; port 0 is any free port, otherwise the next `attempts - 1` ports are tried too;
 *   maxAge: seconds that browsers keep files, which must not change while they are served; none by default
 * @returns {Promise<{ url: string, close(): Promise<void> }>}
 */
export async function serve(folders, { headers = {}, port = 0, attempts = 1, maxAge } = {}) {
  const options = maxAge === undefined ? { dev: true } : { maxAge };
  const handlers = [compression(), ...folders.map((folder) => sirv(folder, options))];
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url, 'http://localhost');
    const wanted = typeof headers === 'function' ? headers(pathname) : headers;
    for (const [name, value] of Object.entries(wanted)) response.setHeader(name, value);
    const ask = (index) => {
      if (index < handlers.length) return handlers[index](request, response, () => ask(index + 1));
      return response.writeHead(404, { 'content-type': 'text/plain' }).end('Not found\n');
    };
    ask(0);
  });

  for (let candidate = port; ; candidate++) {
    try {
      await listen(server, candidate);
      break;
    } catch (error) {
      if (error.code !== 'EADDRINUSE' || candidate + 1 >= port + attempts) throw error;
    }
  }
  return {
    url: `http://localhost:${server.address().port}/`,
    close: () =>
      new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      }),
  };
}

function listen(server, port) {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject);
      resolve();
    });
  });
}
