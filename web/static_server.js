// Serves folders of files on localhost, compressed as static hosts do.

/** @import { IncomingMessage } from 'node:http' */
import { createServer } from 'node:http';
import { isIP } from 'node:net';
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
    const refusal = refusalOf(request);
    if (refusal) {
      answer(response, ...refusal);
      return;
    }
    // A file that cannot be read: without a listener the error would end the process.
    response.on('pipe', (file) => file.on('error', () => response.destroy()));
    if (!isRange(request.headers.range)) delete request.headers.range;
    const { pathname } = new URL(`http://localhost${request.url}`);
    const wanted = typeof headers === 'function' ? headers(pathname) : headers;
    for (const [name, value] of Object.entries(wanted)) response.setHeader(name, value);
    const ask = (index) => {
      if (index < handlers.length) return handlers[index](request, response, () => ask(index + 1));
      return answer(response, 404, 'Not found');
    };
    ask(0);
  });

  for (let candidate = port; ; candidate++) {
    try {
      await listen(server, candidate);
      break;
    } catch (error) {
      if (Object(error).code !== 'EADDRINUSE' || candidate + 1 >= port + attempts) throw error;
    }
  }
  return {
    url: `http://localhost:${Object(server.address()).port}/`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve(undefined));
        server.closeAllConnections();
      }),
  };
}

function answer(response, status, text, headers = {}) {
  response.writeHead(status, { 'content-type': 'text/plain', ...headers }).end(`${text}\n`);
}

/**
 * Status, text and headers of the answer to a request that is not for a file of this server, or undefined.
 *
 * @param {IncomingMessage} request
 * @returns {[status: number, text: string, headers?: Record<string, string>] | undefined}
 */
function refusalOf({ method, url = '', headers: { host } }) {
  if (method !== 'GET' && method !== 'HEAD') {
    return [405, `${method} is not supported; expected GET or HEAD`, { allow: 'GET, HEAD' }];
  }
  if (!/^\/(?!\/)/.test(url)) return [400, 'The request target must be a path'];
  if (host !== undefined && !isLocal(host)) {
    return [421, `This server is localhost, not ${host}`];
  }
  return undefined;
}

/** Whether a Host header names this machine: another name, of a site whose address leads here, could read as that site. */
function isLocal(host) {
  const name = host.replace(/:\d*$/, '').toLowerCase();
  return /^(.+\.)?localhost$/.test(name) || isIP(name.replace(/^\[(.*)\]$/, '$1')) !== 0;
}

/** Whether a Range header is of the one form that sirv reads right. HTTP allows to ignore all others. */
function isRange(text) {
  const [, first, last] = /^bytes=(\d{1,15})-(\d{0,15})$/.exec(text ?? '') ?? [];
  return (
    first !== undefined && (last === '' || (Number(last) > 0 && Number(last) >= Number(first)))
  );
}

function listen(server, port) {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject);
      resolve(undefined);
    });
  });
}
