// The server of the page and of the browser tests: no request ends it, and only reads are answered.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { serve } from '../../web/static_server.js';

const text = '0123456789';

describe('serve()', () => {
  const folder = mkdtempSync(join(tmpdir(), 'attention-server-'));
  let server;
  before(async () => {
    writeFileSync(join(folder, 'digits.txt'), text);
    writeFileSync(join(folder, 'index.html'), '<title>Start</title>');
    server = await serve([folder]);
  });
  after(async () => {
    await server.close();
    rmSync(folder, { recursive: true });
  });

  /** The answer to a request as it is written, which fetch() would refuse to send: its head and its body. */
  async function ask(line, ...headers) {
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
    const host = headers.some((header) => /^host:/i.test(header)) ? [] : ['Host: localhost'];
    socket.write([line, 'Connection: close', ...host, ...headers, '', ''].join('\r\n'));
    let answer = '';
    socket.setTimeout(120_000, () => socket.destroy());
    socket.setEncoding('utf8').on('data', (chunk) => (answer += chunk));
    await once(socket, 'close');
    const [head, ...body] = answer.split('\r\n\r\n');
    return { head, status: Number(head.split(' ')[1]), body: body.join('') };
  }

  it('refuses targets that are no path', async () => {
    for (const target of ['//', '///', '//[', '//a/digits.txt', '/\\', 'http://[/', '*']) {
      const { status } = await ask(`GET ${target} HTTP/1.1`);
      assert.equal(status, target === '/\\' ? 404 : 400, target);
    }
    assert.equal((await ask('GET /digits.txt HTTP/1.1')).body, text);
  });

  it('answers GET and HEAD only', async () => {
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE']) {
      const { status, head } = await ask(`${method} /digits.txt HTTP/1.1`);
      assert.equal(status, 405, method);
      assert.match(head, /\r\nallow: GET, HEAD\r\n/i, method);
    }
    const { status, head, body } = await ask('HEAD /digits.txt HTTP/1.1');
    assert.deepEqual([status, body], [200, '']);
    assert.match(head, /\r\ncontent-length: 10\r\n/i);
  });

  it('answers as this machine only', async () => {
    const statusFor = async (host) => (await ask('GET / HTTP/1.1', `Host: ${host}`)).status;
    for (const host of [
      'localhost',
      'LOCALHOST:80',
      'a.localhost:1',
      '127.0.0.1:8080',
      '[::1]:1',
    ]) {
      assert.equal(await statusFor(host), 200, host);
    }
    for (const host of ['example.org', 'localhost.example.org:8080', 'notlocalhost', '']) {
      assert.equal(await statusFor(host), 421, host);
    }
  });

  it('reads ranges, and ignores those that name none', async () => {
    const range = async (value) => {
      const { status, body } = await ask('GET /digits.txt HTTP/1.1', `Range: ${value}`);
      return [status, body];
    };
    assert.deepEqual(await range('bytes=2-5'), [206, '2345']);
    assert.deepEqual(await range('bytes=7-'), [206, '789']);
    assert.deepEqual(await range('bytes=7-99'), [206, '789']);
    assert.equal((await range('bytes=10-'))[0], 416);
    const ignored = [
      'bytes=5-2',
      'bytes=0-0',
      'bytes=-3',
      'bytes=0-1,3-4',
      'items=1-2',
      'bytes=a-b',
    ];
    for (const value of ignored) assert.deepEqual(await range(value), [200, text], value);
  });

  it('closes the connection where a file is lost', async () => {
    const lasting = await serve([folder], { maxAge: 60 });
    rmSync(join(folder, 'digits.txt'));
    await assert.rejects(fetch(`${lasting.url}digits.txt`).then((answer) => answer.text()));
    assert.equal((await fetch(lasting.url)).status, 200);
    await lasting.close();
    writeFileSync(join(folder, 'digits.txt'), text);
  });
});
