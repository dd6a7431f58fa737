// Random actions of a reader, by what is there: each resolves to what was done, in words. An action draws its numbers
// before it looks at the page, so that one element more changes no later action.

/** @import { Page } from 'puppeteer-core' */
import { dropFile, dropModel, modelSays } from './page_driver.js';
import { settled } from './settled_page.js';
import { shuffled } from '../js/random_tensors.js';
import { decoderFiles, fillingFiles, seeingFiles, writingFiles } from '../js/whole_models.js';

const models = {
  decoder: decoderFiles(),
  filling: fillingFiles(),
  writing: writingFiles(),
  seeing: seeingFiles(),
};
// They play, save, keep, leave the page or go on to a file dialog.
const excluded =
  '#play, #learn-play, #learn-use, #learn-save, #present, .present, [data-export], [name="paper"], [type="file"], ' +
  'a, .skip, .own-model button, .open-files button, .sheet textarea, .copied';

/** A visible element of a selector, by a number from 0 to 1: a handle, or null. */
async function pickOne(page, selector, at) {
  const handle = await page.evaluateHandle(
    (one, not, share) => {
      const isUsable = (element) => element.checkVisibility({ visibilityProperty: true });
      const all = Array.from(document.querySelectorAll(one)).filter(
        (element) =>
          !element.matches(`:disabled, ${not}`) &&
          isUsable(/** @type {HTMLInputElement} */ (element).labels?.[0] ?? element),
      );
      return all[Math.floor(share * all.length)] ?? null;
    },
    selector,
    excluded,
    at,
  );
  return handle.asElement();
}

/** Uses a control as its kind is used; `at`: a number from 0 to 1. Resolves to what it is called. */
const use = (handle, at) =>
  handle.evaluate((control, share) => {
    const label = control.labels?.[0] ?? control;
    const name = control.getAttribute('aria-label') ?? label.textContent;
    const what = `${control.localName} “${name.replace(/\s+/g, ' ').trim().slice(0, 60)}”`;
    const tell = (...types) => {
      for (const type of types) control.dispatchEvent(new Event(type, { bubbles: true }));
    };
    if (control.localName === 'select') {
      const options = Array.from(control.options).filter(({ disabled }) => !disabled);
      control.value = options[Math.floor(share * options.length)].value;
      tell('input', 'change');
      return `${what}: ${control.value}`;
    }
    if (['range', 'number'].includes(control.type)) {
      const [min, max] = [control.min, control.max].map((one) => Number(one) || 0);
      control.value = control.type === 'range' ? min + share * (max - min) : Math.round(9 * share);
      tell('input', 'change');
      return `${what}: ${control.value}`;
    }
    control.focus();
    control.click();
    return what;
  }, at);

const using =
  (...selectors) =>
  async (page, { first, second }) => {
    const control = await pickOne(page, selectors.join(), first);
    return control && use(control, second);
  };

/** Clicks a place of an element with the mouse, and takes the mouse away. */
async function clickAt(page, handle, x, y) {
  const place = await handle.evaluate(
    (one, across, down) => {
      one.scrollIntoView({ block: 'nearest', inline: 'nearest' });
      const { left, right, top, bottom } = one.getBoundingClientRect();
      const [from, to] = [Math.max(left, 0), Math.min(right, innerWidth)];
      const [high, low] = [Math.max(top, 0), Math.min(bottom, innerHeight)];
      return { x: from + across * (to - from), y: high + down * (low - high) };
    },
    x,
    y,
  );
  await page.mouse.click(place.x, place.y);
  await settled(page);
  await page.mouse.move(1, 1);
}

async function clickWord(page, { first }) {
  const word = await pickOne(page, '.sentences [role="option"]', first);
  if (!word) return null;
  const text = await word.evaluate(({ textContent }) => textContent);
  await clickAt(page, word, 0.5, 0.5);
  return `word “${text}”`;
}

async function clickCell(page, { first, second }) {
  const view = await pickOne(page, '.stage [data-view]:not([hidden])', 0);
  if (!view) return null;
  const canvas = await view.evaluateHandle((room) => {
    const map = room.querySelector('attention-map');
    return map?.shadowRoot?.querySelector('canvas') ?? room.querySelector('table, canvas') ?? room;
  });
  await clickAt(page, canvas, first, second);
  return `picture at ${first.toFixed(2)}, ${second.toFixed(2)}`;
}

const keys = [
  ...['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'Home', 'End', 'Escape'],
  ...['x', 'X', 'h', 'u', 'w', 'x', 'h'],
];
async function pressKey(page, { first, second }) {
  const places =
    '.sentence, attention-map, .heads-view [tabindex="0"], .view [tabindex="0"], .tour h2, #how';
  const place = await pickOne(page, places, first);
  if (!place) return null;
  await place.focus();
  const key = keys[Math.floor(second * keys.length)];
  await page.keyboard.press(key);
  return `key ${key} in ${await place.evaluate((one) => one.id || one.localName)}`;
}

const written = [' tea', 'x', ' and', 'Backspace', 'Delete', ' the cat', '.'];
async function type(page, { first, second, third }) {
  const field = await page.evaluateHandle((share) => {
    const all = Array.from(document.querySelectorAll('.sheet textarea')).filter((one) =>
      one.checkVisibility(),
    );
    return all[Math.floor(share * all.length)] ?? null;
  }, first);
  const text = field.asElement();
  if (!text) return null;
  const at = await text.evaluate((one, share) => {
    const area = /** @type {HTMLTextAreaElement} */ (one);
    const caret = Math.floor(share * (area.value.length + 1));
    area.focus();
    area.setSelectionRange(caret, caret);
    return caret;
  }, second);
  const word = written[Math.floor(third * written.length)];
  if (['Backspace', 'Delete'].includes(word)) await page.keyboard.press(word);
  else {
    for (const letter of word) {
      await page.keyboard.type(letter);
      await settled(page);
    }
  }
  return `“${word}” typed at ${at} of ${await text.evaluate(({ id }) => id)}`;
}

/** Opens More with its settings, if need be, and uses one of them. */
async function set(page, numbers) {
  const more = await pickOne(page, '#more[aria-expanded="false"]', 0);
  await more?.evaluate((button) => button.click());
  const fold = await pickOne(page, '[data-fold="settings"]:not([open]) summary', 0);
  await fold?.evaluate((summary) => summary.click());
  await settled(page);
  const panel = '#settings-panel';
  return using(`${panel} input`, `${panel} select`, `${panel} button`)(page, numbers);
}

/** @typedef {{ first: number, second: number, third: number }} Numbers each from 0 to 1 */
/**
 * Kinds of actions: how many chances each has, and what it does with random numbers.
 * @type {{ name: string, chances: number, act: (page: Page, numbers: Numbers) => Promise<string | null> }[]}
 */
const kinds = [
  { name: 'word', chances: 4, act: clickWord },
  { name: 'cell', chances: 4, act: clickCell },
  { name: 'key', chances: 5, act: pressKey },
  { name: 'type', chances: 3, act: type },
  { name: 'set', chances: 3, act: set },
  { name: 'view', chances: 2, act: using('[name="view"]', '[name="of-view"]') },
  { name: 'layer', chances: 2, act: using('#part', '#head') },
  { name: 'block', chances: 2, act: using('.block-it button', '.what-if .reaches label') },
  { name: 'menu', chances: 2, act: using('[role="menuitem"]') },
  { name: 'undo', chances: 1, act: using('.what-if button') },
  { name: 'flow', chances: 2, act: using('#how') },
  {
    name: 'inside',
    chances: 1,
    act: using('.flow button', '.flow summary', '.flow input'),
  },
  { name: 'example', chances: 1, act: using('.examples button') },
  { name: 'next', chances: 1, act: using('.next-words button') },
  { name: 'mode', chances: 1, act: using('[name="mode"]') },
  { name: 'source', chances: 1, act: using('#source') },
  { name: 'tour', chances: 3, act: using('.tour button', '.tour input', '.tour select') },
  {
    name: 'learn',
    chances: 3,
    act: using('.learn-room button', '.learn-room input', '.learn-room select'),
  },
  {
    name: 'any',
    chances: 3,
    act: using('main button', 'main summary', 'main input', 'main select', '.masthead button'),
  },
];

/** Does an action that the page has room for; resolves to what was done. */
export async function actAtRandom(page, random) {
  const tickets = kinds.flatMap((kind) => Array.from({ length: kind.chances }, () => kind));
  const order = shuffled(random, tickets.length);
  const [first, second, third] = [random.uniform(), random.uniform(), random.uniform()];
  for (const ticket of order) {
    const { name, act } = tickets[ticket];
    const done = await act(page, { first, second, third });
    if (done === null) continue;
    await settled(page);
    return `${name}: ${done}`;
  }
  return 'nothing';
}

/** Opens what belongs to an address, as randomAddress() names it. */
export async function openGiven(page, { model, file, content }) {
  if (model === undefined) return dropFile(page, file, content);
  const says = await dropModel(page, models[model]);
  if (model !== 'seeing') return says;
  await page.evaluate(async () => {
    const canvas = document.createElement('canvas');
    canvas.width = canvas.height = 8;
    const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'));
    ['#ff0000', '#00ff00', '#0000ff', '#ffffff'].forEach((color, at) => {
      context.fillStyle = color;
      context.fillRect(4 * (at % 2), 4 * Math.floor(at / 2), 4, 4);
    });
    const blob = await new Promise((/** @type {BlobCallback} */ done) => canvas.toBlob(done));
    const data = new DataTransfer();
    data.items.add(new File([/** @type {Blob} */ (blob)], 'four.png', { type: 'image/png' }));
    /** @type {Element} */ (document.querySelector('.model-says')).textContent = '';
    const given = { dataTransfer: data, bubbles: true, cancelable: true };
    document.querySelector('main')?.dispatchEvent(new DragEvent('drop', given));
  });
  return modelSays(page);
}
