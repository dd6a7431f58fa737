// WebKit, the engine of Safari, for the tests: Debian's MiniBrowser on a virtual screen, driven by W3C
// WebDriver. Its pages have the puppeteer methods that page_driver.js uses.

/** @import { AddressInfo } from 'node:net' */
/** @import { Readable } from 'node:stream' */
import { spawn } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const keys = {
  ...{ ArrowLeft: '\ue012', ArrowUp: '\ue013', ArrowRight: '\ue014', ArrowDown: '\ue015' },
  ...{ Home: '\ue011', End: '\ue010', PageUp: '\ue00e', PageDown: '\ue00f' },
  ...{ Enter: '\ue007', Escape: '\ue00c', Tab: '\ue004', Backspace: '\ue003' },
};

/** Paths of WebKitGTK's MiniBrowser on Debian and related systems. */
function findMiniBrowser() {
  const folders = ['/usr/libexec', '/usr/lib']
    .filter(existsSync)
    .flatMap((folder) => [folder, ...readdirSync(folder).map((name) => join(folder, name))]);
  for (const folder of folders) {
    for (const version of ['webkit2gtk-4.1', 'webkit2gtk-4.0', 'webkitgtk-6.0']) {
      const path = join(folder, version, 'MiniBrowser');
      if (existsSync(path)) return path;
    }
  }
  throw new Error('there is no MiniBrowser of WebKitGTK: bash .ci/setup.sh test installs it');
}

/** Starts a virtual screen (Xvfb); resolves to its process and name. */
function openScreen() {
  const screen = spawn(
    'Xvfb',
    ['-displayfd', '3', '-screen', '0', '1600x1400x24', '-nolisten', 'tcp'],
    {
      stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    },
  );
  return new Promise((resolve, reject) => {
    screen.on('error', reject);
    screen.on('exit', (code) => reject(new Error(`Xvfb ended with ${code}`)));
    let said = '';
    const output = /** @type {Readable} */ (screen.stdio[3]);
    output.on('data', (part) => {
      said += part;
      if (said.includes('\n')) resolve({ screen, display: `:${said.trim()}` });
    });
  });
}

const freePort = () =>
  new Promise((resolve, reject) => {
    const server = createServer().on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = /** @type {AddressInfo} */ (server.address());
      server.close(() => resolve(port));
    });
  });

/** @returns {Promise<{ newPage(): Promise<object>, close(): Promise<void> }>} */
export async function launchWebKit() {
  const binary = findMiniBrowser();
  const { screen, display } = await openScreen();
  const port = await freePort();
  const driver = spawn('WebKitWebDriver', [`--port=${port}`, '--host=127.0.0.1'], {
    stdio: 'ignore',
    env: {
      ...process.env,
      DISPLAY: display,
      GDK_BACKEND: 'x11',
      WEBKIT_DISABLE_COMPOSITING_MODE: '1',
    },
  });
  const started = new Promise((_, reject) => driver.on('error', reject));
  const sessions = new Set();

  async function ask(method, path, body) {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      body: body && JSON.stringify(body),
    });
    const { value } = await response.json();
    if (response.ok) return value;
    throw new Error(`${value.error}: ${value.message}`);
  }

  async function newPage() {
    const options = { binary, args: ['--automation'] };
    const { sessionId } = await ask('POST', '/session', {
      capabilities: { alwaysMatch: { 'webkitgtk:browserOptions': options } },
    });
    sessions.add(sessionId);
    const path = `/session/${sessionId}`;
    await ask('POST', `${path}/timeouts`, { script: 60_000, pageLoad: 60_000 });
    return createPage({
      get: (what) => ask('GET', path + what),
      post: (what, body = {}) => ask('POST', path + what, body),
      async close() {
        sessions.delete(sessionId);
        await ask('DELETE', path);
      },
    });
  }

  const ready = (async () => {
    for (let wait = 0; wait < 100; wait++) {
      try {
        return await ask('GET', '/status');
      } catch {
        await sleep(50);
      }
    }
    throw new Error('WebKitWebDriver does not answer');
  })();
  await Promise.race([ready, started]);

  return {
    newPage,
    async close() {
      for (const id of [...sessions]) await ask('DELETE', `/session/${id}`).catch(() => {});
      driver.kill();
      screen.removeAllListeners('exit');
      screen.kill();
    },
  };
}

function createPage({ get, post, close }) {
  // Functions are sent as source text; their results return as JSON.
  async function evaluate(act, ...args) {
    const body = typeof act === 'function' ? `(${act})(...given)` : `(${act})`;
    const { value, error } = await post('/execute/async', {
      script:
        `const given = [...arguments]; const done = given.pop();\n` +
        `(async () => ${body})().then((value) => done({ value }), (error) => done({ error: String(error) }));`,
      args,
    });
    if (error) throw new Error(error);
    return value ?? undefined;
  }

  const press = (...list) =>
    post('/actions', {
      actions: [
        {
          type: 'key',
          id: 'keyboard',
          actions: list.flatMap((key) => [
            { type: 'keyDown', value: keys[key] ?? key },
            { type: 'keyUp', value: keys[key] ?? key },
          ]),
        },
      ],
    });

  async function clickAt({ x, y }) {
    const move = { type: 'pointerMove', x: Math.round(x), y: Math.round(y), duration: 0 };
    await post('/actions', {
      actions: [
        {
          type: 'pointer',
          id: 'mouse',
          parameters: { pointerType: 'mouse' },
          actions: [move, { type: 'pointerDown', button: 0 }, { type: 'pointerUp', button: 0 }],
        },
      ],
    });
  }

  const page = {
    goto: (url) => post('/url', { url }),
    reload: () => post('/refresh'),
    evaluate,
    $eval: (selector, act, ...args) =>
      evaluate(
        `(${act})(document.querySelector(${JSON.stringify(selector)}), ...${JSON.stringify(args)})`,
      ),
    focus: (selector) => page.$eval(selector, (element) => element.focus()),
    async waitForFunction(act, { timeout = 120_000 } = {}, ...args) {
      const end = AbortSignal.timeout(timeout);
      for (;;) {
        if (await evaluate(act, ...args)) return;
        if (end.aborted) throw new Error(`waited ${timeout} ms for ${act}`);
        await sleep(20);
      }
    },
    async $(selector) {
      return {
        async click() {
          const place = await page.$eval(selector, (element) => {
            element.scrollIntoView({ block: 'center' });
            const { x, y, width, height } = element.getBoundingClientRect();
            return { x: x + width / 2, y: y + height / 2 };
          });
          await clickAt(place);
        },
      };
    },
    select: (selector, value) =>
      evaluate(
        (one, wanted) => {
          const element = document.querySelector(one);
          element.value = wanted;
          element.dispatchEvent(new Event('change', { bubbles: true }));
        },
        selector,
        value,
      ),
    keyboard: { press: (key) => press(key), type: (text) => press(...text) },
    /** The window is slightly larger than the viewport. */
    async setViewport({ width, height }) {
      await post('/window/rect', { x: 0, y: 0, width, height: height + 60 });
    },
    screenshot: async () => Buffer.from(await get('/screenshot'), 'base64'),
    close,
  };
  return page;
}
