// Random user of the page: types words, deletes letters, undoes, changes view, mode and
// kind. The seed determines the actions.

import { seeded } from '../js/random_tensors.js';
import { choose, drawn, paste, pick } from './page_driver.js';

const vocabulary =
  'the old man and his dog walked along a river that came down from snow hills in spring red car house'.split(
    ' ',
  );
const views = ['matrix', 'lines', 'heads', 'table', 'compare'];
const most = 320; // max characters of the text; then it starts again

/** Acts on `page`, whose settings are unfolded: `act()` does one random action, `rest()` restores the initial state. */
export function createRestlessReader(page, seed) {
  const random = seeded(seed);
  const oneOf = (list) => list[random.integer(0, list.length - 1)];
  const { keyboard } = page;
  const done = { letters: 0, changes: 0 };

  // Half of the words are new.
  const newWord = () =>
    Array.from({ length: random.integer(2, 9) }, () => oneOf([...'aeioumnrstklp'])).join('');

  async function type() {
    const word = random.chance(0.5) ? oneOf(vocabulary) : newWord();
    await keyboard.type(` ${word}`);
    done.letters += word.length + 1;
  }
  async function shorten() {
    const count = random.integer(1, 30);
    for (let letter = 0; letter < count; letter++) await keyboard.press('Backspace');
    done.letters += count;
  }
  async function chord(key) {
    await keyboard.down('Control');
    await keyboard.press(key);
    await keyboard.up('Control');
    ++done.changes;
  }
  const undo = async () => {
    for (let times = random.integer(1, 4); times > 0; times--) await chord('z');
  };
  async function beginAnew() {
    await chord('a');
    await type();
  }
  const pause = () => drawn(page);

  /** The active text field, with the caret at its end. */
  async function takeField() {
    return page.evaluate(() => {
      const field = /** @type {HTMLInputElement} */ (document.querySelector('#first'));
      if (field.offsetParent === null) return null; // mode Lookup has no text field
      field.focus();
      field.setSelectionRange(field.value.length, field.value.length);
      return field.value.length;
    });
  }

  async function write() {
    const letters = await takeField();
    if (letters === null) return;
    if (letters > most) await beginAnew();
    for (let strokes = random.integer(2, 5); strokes > 0; strokes--) {
      await oneOf([type, type, type, shorten, undo, pause])();
    }
  }

  /** Moves the pointer over the picture and clicks. */
  async function point() {
    const box = await page.$eval('.stage', (stage) => {
      stage.scrollIntoView({ block: 'nearest' });
      const { left, top, width, height } = stage.getBoundingClientRect();
      return { left, top, width, height };
    });
    if (box.width === 0) return;
    for (let moves = random.integer(3, 9); moves > 0; moves--) {
      const [x, y] = [random.uniform(), random.uniform()];
      await page.mouse.move(box.left + x * box.width, box.top + y * box.height);
    }
    await page.mouse.down();
    await page.mouse.up();
    await keyboard.press(oneOf(['ArrowLeft', 'ArrowDown', 'End', 'Home']));
  }

  async function setKind() {
    const kinds = await page.$$eval('#kind option', (options) => options.map(({ value }) => value));
    await pick(page, 'kind', oneOf(kinds));
  }
  const change = (name, values) => () => choose(page, name, oneOf(values));
  const clickOn = (selector) =>
    page.evaluate((one) => {
      const element = /** @type {HTMLElement} */ (document.querySelector(one));
      element.click();
    }, selector);
  const toggle = (id) => () => clickOn(`#${id}`);

  async function tour() {
    await clickOn('#tour-start');
    await drawn(page);
    for (let steps = random.integer(0, 4); steps > 0; steps--) {
      await clickOn('.tour .next');
      await drawn(page);
    }
    await clickOn('.tour .end');
  }
  /** Goes to another view and back. */
  async function goBack() {
    await page.evaluate(() => {
      const box = /** @type {Element} */ (document.querySelector('[name="view"]:not(:checked)'));
      const other = /** @type {HTMLLabelElement} */ (box.closest('label'));
      if (other.offsetParent === null) return; // mode Learn has no views
      other.click();
      history.back();
    });
    await drawn(page);
  }

  const changes = [
    ...[change('view', views), change('view', views), change('view', views)],
    change('mode', ['self', 'cross', 'learn']),
    () => pick(page, 'source', oneOf(['ngrams', 'ngrams', 'model'])),
    ...[setKind, setKind, change('stage', ['raw', 'scaled', 'masked', 'weights'])],
    change('heads', ['1', '2', '4', '8']),
    ...['causal', 'merge', 'hideSpecial', 'average', 'perRow'].map(toggle),
    ...[tour, goBack, point, point],
  ];

  /** Types enough new words to fill the cache of word widths. */
  async function fillMemories() {
    for (const view of ['compare', 'matrix']) {
      await choose(page, 'view', view);
      for (let times = 0; times < 10; times++) {
        await paste(page, 'first', Array.from({ length: 250 }, newWord).join(' '));
      }
    }
  }

  return {
    done,
    fillMemories,
    /** Types text and changes settings. */
    async act() {
      await write();
      await oneOf(changes)();
      ++done.changes;
    },
    /** Restores the initial picture, to be measured. */
    async rest() {
      await drawn(page);
      // A pending update of the address may come between the change of the hash and its event.
      const goToRest = (hash) =>
        new Promise((done) => {
          const field = () => /** @type {HTMLInputElement} */ (document.querySelector('#first'));
          addEventListener('hashchange', () => done(field().value), {
            once: true, // after the page's own listener
          });
          location.hash = '';
          location.hash = hash;
        });
      while ((await page.evaluate(goToRest, atRest)) !== 'At rest nothing moves');
      await page.mouse.move(1, 1);
      await drawn(page);
    },
  };
}

export const atRest = '#source=ngrams&mode=self&heads=4&first=At+rest+nothing+moves';
