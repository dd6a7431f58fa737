// Drives the page as somebody at the keyboard and the mouse would, and reads off it what it shows.

/** Everything that a page says: console messages of any level, errors, and what did not load. */
export function listen(page) {
  const said = [];
  page.on('console', (message) => said.push(`console ${message.type()}: ${message.text()}`));
  page.on('pageerror', (error) => said.push(`error: ${error}`));
  page.on('requestfailed', (request) => said.push(`failed request: ${request.url()}`));
  return said;
}

/** Until the page has computed and drawn: it draws in the next frame. */
export async function drawn(page) {
  await page.waitForFunction(
    () => Number(document.querySelector('[role="grid"]')?.getAttribute('aria-rowcount')) > 0,
    { timeout: 10_000 },
  );
  await page.evaluate(
    () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
  );
}

export async function typeInto(page, id, value) {
  await page.evaluate((field) => {
    document.getElementById(field).focus();
    document.getElementById(field).select();
  }, id);
  await page.keyboard.type(value);
  await drawn(page);
}

export async function paste(page, id, value) {
  await page.evaluate(
    (field, pasted) => {
      const element = document.getElementById(field);
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

/** What can be read off the page, by eyes and by other means. */
export function read(page) {
  return page.evaluate(() => {
    const textOf = (selector) => document.querySelector(selector).textContent;
    const grid = document.querySelector('[role="grid"]');
    const details = document.querySelector('details');
    details.open = true;
    const cell = document.getElementById(grid.getAttribute('aria-activedescendant'));
    return {
      size: [grid.getAttribute('aria-rowcount'), grid.getAttribute('aria-colcount')].map(Number),
      row: Number(cell.parentElement.getAttribute('aria-rowindex')) - 1,
      column: Number(cell.getAttribute('aria-colindex')) - 1,
      spoken: cell.textContent,
      query: textOf('.query bdi'),
      key: textOf('.key bdi'),
      weight: textOf('.readout .weight'),
      score: textOf('.readout .score'),
      sum: textOf('.readout .sum'),
      picture: document.querySelector('canvas').toDataURL(),
    };
  });
}

export async function readTable(page) {
  await page.evaluate(() => (document.querySelector('details').open = true));
  await page.waitForSelector('details table td');
  return page.evaluate(() =>
    Array.from(document.querySelectorAll('details tbody tr'), (line) =>
      Array.from(line.querySelectorAll('td'), (cell) => cell.textContent),
    ),
  );
}

/** The page for a reader who prefers dark colours; Firefox can be told so only by a dark frame. */
export async function openDark(name, browser, url) {
  const page = await browser.newPage();
  if (name === 'chromium') {
    await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: 'dark' }]);
    await page.setViewport({ width: 800, height: 900 });
    await page.goto(url);
    return page;
  }
  await page.setViewport({ width: 900, height: 900 });
  await page.setContent(
    `<iframe style="color-scheme: dark" width="800" height="800" src="${url}"></iframe>`,
  );
  return page.waitForFrame((frame) => frame.url() === url);
}

/** Luminance (WCAG 2) of the page's paper and ink, and of its matrix on average. */
export function readColors(page) {
  return page.evaluate(() => {
    const luminance = (rgb) => {
      const [r, g, b] = rgb.map((channel) => {
        const c = channel / 255;
        return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
      });
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const parse = (color) =>
      color
        .match(/[\d.]+/g)
        .slice(0, 3)
        .map(Number);
    const { backgroundColor, color } = getComputedStyle(document.body);
    // From a copy, made for being read: the page's own canvas is not.
    const { width, height } = document.querySelector('canvas');
    const copy = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true });
    copy.drawImage(document.querySelector('canvas'), 0, 0);
    const { data } = copy.getImageData(0, 0, width, height);
    let [sum, count] = [0, 0];
    for (let i = 0; i < data.length; i += 4) {
      if (data[i + 3] < 255) continue;
      sum += luminance([...data.subarray(i, i + 3)]);
      count++;
    }
    return {
      paper: luminance(parse(backgroundColor)),
      ink: luminance(parse(color)),
      matrix: sum / count,
    };
  });
}

/** The words of a text view, `#reading-words` or `#context-words`, with their colours and states. */
export function readSentence(page, id = 'reading-words') {
  return page.evaluate((element) => {
    const list = document.getElementById(element);
    const options = Array.from(list.querySelectorAll('[role="option"]'));
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

export async function hover(page, x, y) {
  await page.mouse.move(x, y);
  await drawn(page);
}

/**
 * Finds cells by moving the pointer over the matrix: where, in the canvas, the middles of its columns
 * and rows are. Away from the cells the readout goes back to the selected one, whose own column and
 * row therefore are not among those found.
 */
export async function findCells(page) {
  const box = await (await page.$('canvas')).boundingBox();
  await hover(page, 2, 2);
  const selected = await read(page);
  const scan = async (part, length, place) => {
    const met = new Map();
    for (let at = 12; at < length; at += 24) {
      const [x, y] = place(at);
      await hover(page, box.x + x, box.y + y);
      const word = await page.$eval(`.${part} bdi`, (element) => element.textContent);
      if (word !== selected[part]) met.set(word, [...(met.get(word) ?? []), at]);
    }
    return new Map([...met].map(([word, places]) => [word, (places[0] + places.at(-1)) / 2]));
  };
  return {
    box,
    columns: await scan('key', box.width, (x) => [x, 0.6 * box.height]),
    rows: await scan('query', box.height, (y) => [0.5 * box.width, y]),
  };
}

/** The colour of the canvas at a place in CSS pixels, as getComputedStyle() would write it. */
export function readPixel(page, x, y) {
  return page.evaluate(
    (left, top) => {
      const at = [left, top].map((length) => Math.round(length * devicePixelRatio));
      const copy = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
      copy.drawImage(document.querySelector('canvas'), ...at, 1, 1, 0, 0, 1, 1);
      const [r, g, b] = copy.getImageData(0, 0, 1, 1).data;
      return `rgb(${r}, ${g}, ${b})`;
    },
    x,
    y,
  );
}
