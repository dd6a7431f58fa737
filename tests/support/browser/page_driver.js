// Drives the page by keyboard and mouse, and reads its visible state.

/** @import { Browser } from 'puppeteer-core' */
import { join } from 'node:path';
import { after, before } from 'node:test';
import { launch, listen, serve } from '../js/browser.js';
import { root } from '../js/package.js';

export const policy =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self' https:; " +
  "style-src 'self'; img-src 'self' data:";

/** The built page, served with its policy from a path of its own. maxAge: seconds that browsers keep its files. */
export const servePage = (maxAge = 3600, asked = (/** @type {string} */ _path) => {}) =>
  serve([join(root, '.build/page')], {
    headers(path) {
      asked(path);
      return { 'Content-Security-Policy': policy };
    },
    maxAge,
  });

/** The page and a browser for all tests of a suite: { url, server, browser }. */
export function startPage(name) {
  /** @type {{ url: string, server: Awaited<ReturnType<typeof serve>> | null, browser: Browser | null }} */
  const demo = { url: '', server: null, browser: null };
  before(async () => {
    const server = await servePage();
    Object.assign(demo, { server, url: server.url });
    demo.browser = await launch(name);
  });
  after(async () => {
    await demo.browser?.close();
    await demo.server?.close();
  });
  return demo;
}

/** Hash of the source "n-grams": vectors from spelling, which need no model and whose numbers tests can compute. */
export const spelling =
  '#source=ngrams&first=How+much+wood+would+a+woodchuck+chuck+if+a+woodchuck+could+chuck+wood%3F' +
  '&second=The+tea+his+uncle+drank+was+made+by+Zuko&row=5&column=9&merge=no&hideSpecial=no';

/** Without a service worker, which stores all files first, a page opens in two thirds of the time. */
const withoutServiceWorker = (page) =>
  page.evaluateOnNewDocument(() => Reflect.deleteProperty(Navigator.prototype, 'serviceWorker'));

/**
 * Opens the page at a state link, with More, its settings and the flow open; `said` collects its console messages and
 * errors.
 * options.offline: whether it has its service worker.
 */
export async function open(
  browser,
  url,
  hash = spelling,
  /** @type {{ folded?: boolean, offline?: boolean }} */ { folded, offline } = {},
) {
  const page = await browser.newPage();
  const said = listen(page);
  await page.setViewport({ width: 1280, height: 900 });
  if (!offline) await withoutServiceWorker(page);
  await page.goto(url + hash);
  await drawn(page);
  if (!folded) await unfold(page);
  return { page, said };
}

/** The address that the page has now: puppeteer's page.url() is told of changes later. */
export const addressOf = (page) => page.evaluate(() => location.href);

/** Opens More, its settings, the flow and its box “Weight”; later pages start closed. */
export async function unfold(page) {
  await page.evaluate(() => {
    /** @type {HTMLElement | null} */ (
      document.querySelector('#more[aria-expanded="false"]')
    )?.click();
    const settings = /** @type {HTMLDetailsElement} */ (
      document.querySelector('[data-fold="settings"]')
    );
    settings.open = true;
    /** @type {HTMLElement | null} */ (
      document.querySelector('#how[aria-expanded="false"]')
    )?.click();
  });
  await drawn(page);
  if (!(await page.$('.box [aria-expanded="true"]')) && (await page.$('.box.of-weight'))) {
    await openBox(page, 'weight');
  }
  await page.evaluate(() => localStorage.clear());
}

/** Opens a box of the flow, which is open. */
export async function openBox(page, id) {
  await page.waitForSelector(`.box.of-${id}`);
  await page.evaluate((one) => {
    /** @type {HTMLElement | null} */ (
      document.querySelector(`.box.of-${one} [aria-expanded="false"]`)
    )?.click();
  }, id);
  await drawn(page);
  await page.waitForSelector(`#flow-${id}`);
}

const boxesOfStages = {
  raw: 'score',
  scaled: 'scale',
  masked: 'scale',
  difference: 'row',
  moved: 'value',
};

/** The map draws a stage of the computation. */
export async function chooseStage(page, stage) {
  if (stage === 'weights') {
    if (await page.$('.drawn-stage button')) await click(page, '.drawn-stage button');
    return;
  }
  await openBox(page, boxesOfStages[stage]);
  await page.evaluate((value) => {
    const box = /** @type {HTMLInputElement} */ (
      document.querySelector(`.whole-matrix [value="${value}"]`)
    );
    if (!box.checked) box.click();
  }, stage);
  await drawn(page);
}

/** Waits until the worker has answered and the answer is drawn. */
export async function drawn(page) {
  await page.waitForFunction(
    () => /** @type {HTMLElement} */ (document.querySelector('main')).dataset.waiting === 'false',
    { timeout: 60_000 },
  );
  await page.evaluate(
    () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
  );
}

export async function typeInto(page, id, value) {
  await page.evaluate((field) => {
    const element = /** @type {HTMLInputElement} */ (document.getElementById(field));
    element.focus();
    element.select();
  }, id);
  await page.keyboard.type(value);
  await drawn(page);
}

export async function paste(page, id, value) {
  await page.evaluate(
    (field, pasted) => {
      const element = /** @type {HTMLInputElement} */ (document.getElementById(field));
      element.value = pasted;
      element.dispatchEvent(new Event('input', { bubbles: true }));
    },
    id,
    value,
  );
  await drawn(page);
}

export async function press(page, key) {
  await page.keyboard.press(key);
  await drawn(page);
}

/** Clicks an element with the mouse. */
export async function click(page, selector) {
  await (await page.$(selector)).click();
  await drawn(page);
}

/** Chooses a radio button or switch by name and value; the view “table” by the switch of its entry. */
export async function choose(page, name, value) {
  if (name === 'view' && ['matrix', 'table'].includes(value)) {
    await page.evaluate((isWanted) => {
      const boxOf = (attributes) =>
        /** @type {HTMLInputElement} */ (document.querySelector(attributes));
      const labelOf = (box) => /** @type {HTMLLabelElement} */ (box.closest('label'));
      labelOf(boxOf('[name="view"][value="matrix"]')).click();
      const digits = boxOf('[name="of-view"][value="table"]');
      if (digits.checked !== isWanted) labelOf(digits).click();
    }, value === 'table');
    await drawn(page);
    return;
  }
  const selector = `input[name="${name}"][value="${value}"]`;
  await page.evaluate((one) => {
    const box = /** @type {Element} */ (document.querySelector(one));
    /** @type {HTMLLabelElement} */ (box.closest('label')).click();
  }, selector);
  await drawn(page);
}

export async function pick(page, id, value) {
  await page.select(`#${id}`, value);
  await drawn(page);
}

/** Clicks an example by its name. */
export async function startExample(page, name) {
  await page.evaluate((wanted) => {
    const all = Array.from(document.querySelectorAll('.examples button'));
    const found = all.find(({ textContent }) => textContent === wanted);
    /** @type {HTMLElement} */ (found).click();
  }, name);
  await drawn(page);
}

/** Sets a slider and fires its input event. */
export async function slide(page, id, value) {
  await page.evaluate(
    (field, number) => {
      const input = /** @type {HTMLInputElement} */ (document.getElementById(field));
      input.value = number;
      input.dispatchEvent(new Event('input', { bubbles: true }));
    },
    id,
    value,
  );
  await drawn(page);
}

/** The words of the sentence below the picture, and the numbers of the open box “Weight”. */
export function read(page) {
  return page.evaluate(() => {
    const textOf = (selector) => document.querySelector(selector)?.textContent ?? '';
    const message = /** @type {HTMLElement} */ (document.querySelector('.message'));
    return {
      query: textOf('.looking .is-read'),
      key: textOf('.looking .is-seen'),
      share: textOf('.looking strong'),
      weight: textOf('.cell-numbers .weight'),
      score: textOf('.cell-numbers .score'),
      moved: textOf('.cell-numbers .moved-length'),
      sum: textOf('.cell-numbers .row-sum'),
      marks: textOf('.cell-numbers .marks'),
      pair: textOf('.pair-title'),
      message: message.hidden ? '' : message.textContent,
    };
  });
}

/** The words of the selected or hovered pair. */
export async function readPair(page) {
  const { query, key } = await read(page);
  return [query, key];
}

/** Name of the view that is shown. */
export const shownView = (page) =>
  page.$eval('[data-view]:not([hidden])', (room) => room.dataset.view);

/** The table view: { columns, rows, cells } as text. Leaves the page in this view. */
export async function readTable(page, stage) {
  await choose(page, 'view', 'table');
  if (stage) await chooseStage(page, stage);
  // A model may be open before it has computed.
  await page.waitForFunction(() => document.querySelector('.view.table table') !== null);
  return page.evaluate(() => {
    const table = /** @type {Element} */ (document.querySelector('.view.table table'));
    const texts = (cells) => Array.from(cells, (cell) => cell.textContent);
    return {
      columns: texts(table.querySelectorAll('thead th')),
      rows: texts(table.querySelectorAll('tbody th')),
      cells: Array.from(table.querySelectorAll('tbody tr'), (row) =>
        texts(row.querySelectorAll('td')),
      ),
    };
  });
}

/** The words of a text view (`first-words` or `second-words`) with their colors and states. */
export function readSentence(page, id = 'first-words') {
  return page.evaluate((element) => {
    const list = /** @type {HTMLElement} */ (document.getElementById(element));
    const options = /** @type {HTMLElement[]} */ (
      Array.from(list.querySelectorAll('[role="option"]'))
    );
    return {
      text: list.textContent,
      words: options.map((option) => option.textContent),
      numbers: options.map((option) => option.dataset.weight),
      read: options.findIndex((option) => option.matches('.read')),
      looked: options.findIndex((option) => option.matches('.looked')),
      fills: options.map((option) => getComputedStyle(option).backgroundColor),
      inks: options.map((option) => getComputedStyle(option).color),
      direction: getComputedStyle(list).direction,
    };
  }, id);
}

/** Texts of the details of a box of the flow: sums by their step. */
export async function readBox(page, id) {
  await openBox(page, id);
  return page.evaluate(() => {
    const sums = Object.fromEntries(
      Array.from(document.querySelectorAll('.flow .step'), (step) => [
        step.id.replace('step-', ''),
        Array.from(step.querySelectorAll('.sum'), (line) => line.textContent),
      ]),
    );
    return {
      sums,
      mix: Array.from(document.querySelectorAll('.mix li .symbol'), (one) => one.textContent),
      strips: Array.from(document.querySelectorAll('.flow .details canvas'), (one) =>
        one.getAttribute('aria-label'),
      ),
    };
  });
}

/** Opens the page with prefers-color-scheme: dark. */
export async function openDark(browser, url, { width = 1280, height = 900 } = {}) {
  const page = await browser.newPage();
  await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: 'dark' }]);
  await page.setViewport({ width, height });
  await withoutServiceWorker(page);
  await page.goto(url);
  await drawn(page);
  return page;
}

/** Pixels by which the page is wider than its window. */
export const overflow = (page) =>
  page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    return scrollWidth - clientWidth;
  });

/** Collects the page's downloads as { name, type, text | bytes } instead of saving them. */
export function catchFiles(page) {
  return page.evaluate(() => {
    globalThis.caught = [];
    const blobs = new Map();
    const make = URL.createObjectURL.bind(URL);
    URL.createObjectURL = (blob) => {
      const url = make(blob);
      blobs.set(url, blob);
      return url;
    };
    HTMLAnchorElement.prototype.click = function click() {
      globalThis.caught.push({ name: this.download, blob: blobs.get(this.href) });
    };
  });
}

/** Exports in one format; returns the file's name, type and text. */
export async function exported(page, way) {
  await page.evaluate(() => {
    globalThis.caught.length = 0;
    /** @type {Element} */ (document.querySelector('.exported')).textContent = '';
  });
  await page.evaluate((name) => {
    const button = document.querySelector(`[data-export="${name}"]`);
    /** @type {HTMLElement} */ (button).click();
  }, way);
  await page.waitForFunction(
    () => /** @type {Element} */ (document.querySelector('.exported')).textContent !== '',
  );
  return page.evaluate(async () => {
    const says = /** @type {Element} */ (document.querySelector('.exported')).textContent;
    const copied = /** @type {HTMLTextAreaElement} */ (document.querySelector('.copied'));
    const [file] = globalThis.caught;
    if (!file) return { says, text: copied.hidden ? null : copied.value };
    const { name, blob } = file;
    return { says, name, type: blob.type, size: blob.size, text: await blob.text() };
  });
}

/** Drops a file on the page; resolves when the page has shown a message about it. */
export async function dropFile(page, name, content) {
  const bytes = Array.from(Buffer.from(content));
  await page.evaluate(
    (fileName, numbers) => {
      /** @type {Element} */ (document.querySelector('.files-say')).textContent = '';
      const drop = /** @type {Element} */ (document.querySelector('.drop'));
      const data = new DataTransfer();
      data.items.add(new File([Uint8Array.from(numbers)], fileName));
      for (const type of ['dragover', 'drop']) {
        drop.dispatchEvent(
          new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true }),
        );
      }
    },
    name,
    bytes,
  );
  await page.waitForFunction(
    () => /** @type {Element} */ (document.querySelector('.files-say')).textContent !== '',
    {
      timeout: 30_000,
    },
  );
  await drawn(page);
  return page.$eval('.files-say', (element) => element.textContent);
}

/** Drops the files of the reader's model, { name: content }; resolves to what the page says about them. */
export async function dropModel(page, files) {
  const list = Object.entries(files).map(([name, content]) => [name, [...Buffer.from(content)]]);
  await page.evaluate((dropped) => {
    const data = new DataTransfer();
    for (const [name, bytes] of dropped) data.items.add(new File([Uint8Array.from(bytes)], name));
    const says = document.querySelector('.model-says');
    if (says) says.textContent = '';
    for (const type of ['dragover', 'drop']) {
      const given = { dataTransfer: data, bubbles: true, cancelable: true };
      /** @type {HTMLElement} */ (document.querySelector('main')).dispatchEvent(
        new DragEvent(type, given),
      );
    }
  }, list);
  return modelSays(page);
}

/** Waits until the page says something about a model and has drawn it; resolves to the text. */
export async function modelSays(page) {
  await page.waitForFunction(() => document.querySelector('.model-says')?.textContent, {
    timeout: 60_000,
  });
  await drawn(page);
  return page.$eval('.model-says', ({ textContent }) => textContent);
}
