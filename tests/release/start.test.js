// The page's server, started by the program of `npm start`.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { root } from '../support/js/package.js';

const address =
  /^attention-wasm: the page is at (http:\/\/localhost:(\d+)\/) \(Ctrl\+C stops it\)\n$/;

/** Starts the server; resolves when it has printed something or has ended. */
async function start(args, env = {}) {
  const server = spawn(process.execPath, [join(root, 'web/serve.js'), ...args], {
    env: { ...process.env, PORT: '', ...env },
  });
  const printed = { out: '', err: '' };
  server.stdout.setEncoding('utf8').on('data', (text) => (printed.out += text));
  server.stderr.setEncoding('utf8').on('data', (text) => (printed.err += text));
  const ended = once(server, 'close').then(([code, signal]) => ({ code, signal, ...printed }));
  await Promise.race([once(server.stdout, 'data'), ended]);
  const [, url, port] = address.exec(printed.out) ?? [];
  const stop = (signal = 'SIGINT') => {
    server.kill(signal);
    return ended;
  };
  return { url, port: Number(port), ended, stop };
}

describe('the server of the page', () => {
  it('prints its address, serves the page with its policy, and ends on Ctrl+C', async () => {
    const { url, stop } = await start(['--port', '0']);
    try {
      assert.ok(url);
      const page = await fetch(url);
      assert.equal(page.status, 200);
      assert.match(page.headers.get('content-type'), /^text\/html/);
      assert.equal(
        page.headers.get('content-security-policy'),
        "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self' https:; style-src 'self'; img-src 'self' data:",
      );
      const html = await page.text();
      assert.match(html, /<title>/);
      // Every file that the page refers to is served.
      const named = [...html.matchAll(/\b(?:src|href)="([^"#:]+)"/g)].map(([, path]) => path);
      assert.ok(
        named.some((path) => /\.js$/.test(path)),
        named.join(', '),
      );
      for (const path of named) {
        const answer = await fetch(new URL(path, url));
        assert.equal(answer.status, 200, path);
        await answer.arrayBuffer();
      }
      const missing = await fetch(new URL('nothing-here', url));
      assert.equal(missing.status, 404);
      assert.ok(missing.headers.get('content-security-policy'));
    } finally {
      const { code, signal, err } = await stop();
      assert.deepEqual({ code, signal, err }, { code: 0, signal: null, err: '' });
    }
  });

  it('takes the next free port', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const taken = other.address().port;
    const { port, stop } = await start([], { PORT: String(taken) });
    const { code } = await stop('SIGTERM');
    other.close();
    assert.equal(code, 0);
    assert.ok(port > taken && port < taken + 50, `${port}`);
  });

  it('refuses what is no port, with a sentence', async () => {
    for (const args of [
      ['--port', 'x'],
      ['--port', '65536'],
      ['--post', '1'],
    ]) {
      const { ended } = await start(args);
      const { code, out, err } = await ended;
      assert.equal(code, 1);
      assert.equal(out, '');
      assert.match(err, /^attention-wasm: .+\n$/s);
    }
  });
});
