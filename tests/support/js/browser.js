// Real browsers for the tests: the machine's own Chromium and Firefox, headless, and a server for their pages.

import assert from 'node:assert/strict';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { after, before, describe } from 'node:test';
import puppeteer from 'puppeteer-core';
import { countBrowser } from './browser_coverage.js';

export { serve } from '../../../web/static_server.js';

const commands = {
  chromium: ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'],
  firefox: ['firefox-esr', 'firefox'],
};

function findExecutable(names) {
  const folders = [...(process.env.PATH ?? '').split(delimiter).filter(Boolean), '/usr/bin'];
  for (const name of names) {
    for (const folder of folders) {
      try {
        const path = join(folder, name);
        accessSync(path, constants.X_OK);
        return path;
      } catch {
        // Not installed.
      }
    }
  }
  throw new Error(`none of ${names.join(', ')} is on PATH: bash .ci/setup.sh test installs it`);
}

/**
 * @param {'chromium' | 'firefox'} name
 * @param {object} [options] of puppeteer
 * @returns {Promise<import('puppeteer-core').Browser>} close it when done
 */
export async function launch(name, options) {
  const browser = patient(closedInTime(await start(name, options)), name);
  const folder = process.env.NODE_V8_COVERAGE;
  return folder && name === 'chromium' ? countBrowser(browser, folder) : browser;
}

const secondsToWait = 120;
const slowdown = Number(process.env.ATTENTION_SLOWDOWN ?? 1);

/** Pages wait long for what they are asked, because the machine may be busy, and are slowed down in Chromium. */
function patient(browser, name) {
  const newPage = browser.newPage.bind(browser);
  browser.newPage = async () => {
    const page = await newPage();
    page.setDefaultTimeout(secondsToWait * 1000);
    if (slowdown > 1 && name === 'chromium') await page.emulateCPUThrottling(slowdown);
    return page;
  };
  return browser;
}

const secondsToClose = 20;

/** Kills the browser if it does not close: a suite would wait for it until its own limit, and fail. */
function closedInTime(browser) {
  const close = browser.close.bind(browser);
  browser.close = async () => {
    const timer = setTimeout(() => browser.process()?.kill('SIGKILL'), secondsToClose * 1000);
    await close().finally(() => clearTimeout(timer));
  };
  return browser;
}

function start(name, options) {
  const executablePath = findExecutable(commands[name]);
  if (name === 'firefox') {
    return puppeteer.launch({
      browser: 'firefox',
      protocol: 'webDriverBiDi',
      executablePath,
      headless: true,
      extraPrefsFirefox: {
        // Firefox requests an icon by itself and reports the page's policy refusing it.
        'browser.chrome.site_icons': false,
        // Clocks are not rounded to milliseconds.
        'privacy.reduceTimerPrecision': false,
      },
      ...options,
    });
  }
  return puppeteer.launch({
    browser: 'chrome',
    executablePath,
    headless: true,
    args: [
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      // Chromium's sandbox refuses to run as root.
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
    ],
    ...options,
  });
}

/**
 * Test suites of `define` in Chromium and in Firefox, each in a page of `server().url`, a server of this
 * checkout, that runs a script of tests/support/browser; `said` collects its console messages.
 */
export function inBrowsers(server, script, define) {
  for (const name of /** @type {const} */ (['chromium', 'firefox'])) {
    describe(name, () => {
      /** @type {{ browser?: import('puppeteer-core').Browser, page?: import('puppeteer-core').Page, said: string[] }} */
      const at = { said: [] };
      before(async () => {
        const browser = await launch(name);
        at.browser = browser;
        Object.assign(at, await openScript(browser, server(), script));
      });
      after(() => at.browser?.close());
      define(at);
    });
  }
}

/** Opens a page that runs a script of tests/support/browser. */
export async function openScript(browser, { url }, script) {
  const page = await browser.newPage();
  const said = listen(page);
  const folder = new URL('tests/support/browser/', url);
  await page.goto(new URL('blank.html', folder).href);
  await page.addScriptTag({ type: 'module', url: new URL(script, folder).href });
  return { page, said };
}

/** Fails if a page has printed anything, or if a test message does not arrive. */
export async function assertSilent(page, said) {
  assert.deepEqual(said, []);
  await Promise.all([
    new Promise((resolve) => page.once('console', resolve)),
    page.evaluate(() => console.debug('a word')),
  ]);
  assert.deepEqual(said, ['console debug: a word']);
}

/** All messages of a page: console messages of any level, from it and its workers, and errors. */
export function listen(page) {
  const said = [];
  const onConsole = (message) => said.push(`console ${message.type()}: ${message.text()}`);
  page.on('console', onConsole);
  page.on('workercreated', (worker) => worker.on('console', onConsole));
  page.on('pageerror', (error) => said.push(`error: ${error}`));
  page.on('requestfailed', (request) => said.push(`failed request: ${request.url()}`));
  return said;
}
