// Real browsers for the tests: the machine's own Chromium and Firefox, headless, and a server for their pages.

import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
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
        // Not here.
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
  const browser = await start(name, options);
  const folder = process.env.NODE_V8_COVERAGE;
  return folder && name === 'chromium' ? countBrowser(browser, folder) : browser;
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
        // Firefox asks for an icon of its own accord, and reports it when the page's policy refuses that.
        'browser.chrome.site_icons': false,
        // What is measured is not rounded to milliseconds.
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

/** Everything that a page says: console messages of any level, its own and its workers', and errors. */
export function listen(page) {
  const said = [];
  const onConsole = (message) => said.push(`console ${message.type()}: ${message.text()}`);
  page.on('console', onConsole);
  page.on('workercreated', (worker) => worker.on('console', onConsole));
  page.on('pageerror', (error) => said.push(`error: ${error}`));
  page.on('requestfailed', (request) => said.push(`failed request: ${request.url()}`));
  return said;
}
