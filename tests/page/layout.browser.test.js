// Layout: text, picture and read-out on the first screen with few controls, and the text edited in place.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  choose,
  click,
  drawn,
  open,
  paste,
  pick,
  press,
  read,
  readSentence,
  readTable,
  spelling,
  startPage,
} from '../support/browser/page_driver.js';

const screens = [
  [1440, 900],
  [1280, 720],
  [390, 844],
];

describe('the layout of the page', { timeout: 300_000 }, () => {
  const demo = startPage('chromium');

  it('has text, picture and read-out in the first screen', async () => {
    const states = ['', '#mode=self', '#mode=cross&view=lines', '#source=ngrams&heads=4'];
    for (const hash of states) {
      const { page } = await open(demo.browser, demo.url, hash, { folded: true });
      for (const [width, height] of screens) {
        await page.setViewport({ width, height });
        await drawn(page);
        const places = await page.evaluate(() =>
          ['.modes', '.sentences', '.views', '.stage', '.looking'].map((selector) => {
            const {
              top,
              bottom,
              height: own,
            } = document.querySelector(selector).getBoundingClientRect();
            return { selector, top: top + scrollY, bottom: bottom + scrollY, own };
          }),
        );
        for (const { selector, top, bottom, own } of places) {
          const where = `${selector} of ${hash} at ${width} × ${height}: ${top} to ${bottom}`;
          assert.ok(top >= 0 && bottom <= height && own > 15, where);
        }
      }
      await page.close();
    }
  });

  it('shows whole lines of two texts on a phone', async () => {
    const elephant = 'The pink elephant tried to get into the car but it was too big.';
    const hash = `#mode=cross&row=12&text=${encodeURIComponent(elephant)}`;
    const { page } = await open(demo.browser, demo.url, hash, { folded: true });
    for (const width of [360, 390, 430]) {
      await page.setViewport({ width, height: 844 });
      await drawn(page);
      const cut = await page.$$eval('.sheet .sentence', (all) =>
        all.map(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight),
      );
      assert.deepEqual(cut, [0, 0], `${width}`);
    }
    await page.close();
  });

  it('has few controls at first sight, and nothing between the texts and the row of the map', async () => {
    for (const [width, height, most] of [
      [1440, 900, 24],
      [390, 844, 20],
    ]) {
      const page = await demo.browser.newPage();
      const isPhone = width < 500;
      await page.setViewport({ width, height, isMobile: isPhone, hasTouch: isPhone });
      await page.goto(demo.url);
      await drawn(page);
      const found = await controlsInSight(page);
      assert.ok(found.length <= most, `${width} × ${height}: ${found.length}, ${found.join('; ')}`);
      const [texts, row, map] = await page.evaluate(() =>
        ['.sentences', '.toolbar', '.stage'].map((selector) => {
          const { top, bottom } = document.querySelector(selector).getBoundingClientRect();
          return [top, bottom];
        }),
      );
      assert.ok(row[0] - texts[1] < 16 && map[0] - row[1] < 16, `${texts}, ${row}, ${map}`);
      await page.close();
    }
  });

  it('has no layout shift when its script comes late', async () => {
    for (const [width, height] of screens) {
      // A profile without stored settings.
      const context = await demo.browser.createBrowserContext();
      const page = await context.newPage();
      await page.setViewport({ width, height });
      const slow = { latency: 50, download: 1e5, upload: 1e5 }; // bytes per second
      await page.emulateNetworkConditions(slow);
      await page.evaluateOnNewDocument(() => {
        globalThis.shifts = [];
        new PerformanceObserver((list) => {
          for (const { value, sources } of list.getEntries()) {
            globalThis.shifts.push([value, sources.map(({ node }) => node?.className ?? '')]);
          }
        }).observe({ type: 'layout-shift', buffered: true });
      });
      await page.goto(demo.url);
      await drawn(page);
      const shifts = await page.evaluate(() => globalThis.shifts);
      const sum = shifts.reduce((all, [value]) => all + value, 0);
      assert.ok(sum < 0.05, `${width} × ${height}: ${JSON.stringify(shifts)}`);
      await context.close();
    }
  });

  it('opens with a translation, one click from self-attention', async () => {
    const { page, said } = await open(demo.browser, demo.url, '', { folded: true });
    const { query, key } = await read(page);
    assert.deepEqual([query, key], ['rouge', 'red']);
    assert.equal(
      (await readSentence(page)).words.join(' '),
      'La voiture rouge est devant la maison',
    );
    await choose(page, 'mode', 'self');
    const { words } = await readSentence(page);
    assert.equal(words.join(' '), 'The red car is in front of the house');
    await page.reload();
    await drawn(page);
    assert.equal(await page.evaluate(() => document.body.dataset.mode), 'self');
    assert.deepEqual(said, []);
    await page.close();
  });

  it('edits a text in place', async () => {
    const { page } = await open(demo.browser, demo.url, spelling, { folded: true });
    const field = () =>
      page.evaluate(() => {
        const { activeElement: one } = document;
        return [one.id, one.selectionStart, one.selectionEnd];
      });
    // A click selects a word, a double click edits it.
    await click(page, '#first-words-2');
    assert.equal((await read(page)).query, 'wood');
    assert.equal((await field())[0], 'first-words');
    await press(page, 'Enter');
    assert.deepEqual(await field(), ['first', 9, 13]);
    await page.keyboard.press('ArrowRight');
    await page.keyboard.type('en');
    await drawn(page);
    assert.ok((await readSentence(page)).text.startsWith('How much wooden would'));
    assert.equal((await read(page)).query, 'wooden');
    // The visible words are at the positions of the field's characters.
    const seen = await page.evaluate(() => {
      const style = getComputedStyle(document.getElementById('first'));
      const words = document.getElementById('first-words');
      return {
        letters: style.webkitTextFillColor,
        words: getComputedStyle(words).visibility,
        text: words.textContent === document.getElementById('first').value,
      };
    });
    assert.deepEqual(seen, { letters: 'rgba(0, 0, 0, 0)', words: 'visible', text: true });
    // A click after the last word puts the caret there; a key pressed on a word goes into the text.
    await page.focus('#first-words');
    await page.keyboard.type('!');
    await drawn(page);
    assert.ok((await page.$eval('#first', ({ value }) => value)).endsWith('chuck wood?!'));
    await page.close();
  });

  it('shows a typed character before its picture is ready', async () => {
    const { page } = await open(
      demo.browser,
      demo.url,
      '#source=ngrams&text=The+old+man,+and+his+dog',
      {
        folded: true,
      },
    );
    await page.focus('#first');
    const seen = await page.evaluate(() => {
      const field = document.getElementById('first');
      const words = document.getElementById('first-words');
      const write = (value) => {
        field.value = value;
        field.dispatchEvent(new Event('input', { bubbles: true }));
        const options = words.querySelectorAll('[role="option"]');
        const isAbove = getComputedStyle(field).webkitTextFillColor === 'rgba(0, 0, 0, 0)';
        return [words.textContent, isAbove, Array.from(options, (one) => one.textContent).join()];
      };
      return [
        write('The older man, and his dog'), // within a word
        write('The older man, x and his dog'), // between two
        write('Another text altogether'), // in all words: the field's own characters are visible
      ];
    });
    assert.deepEqual(seen, [
      ['The older man, and his dog', true, 'The,older,man,and,his,dog'],
      ['The older man, x and his dog', true, 'The,older,man,and,his,dog'],
      ['The older man, x and his dog', false, 'The,older,man,and,his,dog'],
    ]);
    await drawn(page);
    const { words } = await readSentence(page);
    assert.deepEqual(words, ['Another', 'text', 'altogether']);
    await page.close();
  });

  it('handles other scripts byte by byte, and points to Spelling', async () => {
    const hash = `#mode=self&text=${encodeURIComponent('I like 猫 and 👍')}`;
    const { page, said } = await open(demo.browser, demo.url, hash, { folded: true });
    const { words } = await readSentence(page);
    assert.deepEqual(words, ['I', 'like', '猫', 'and', '👍']);
    const { rows } = await readTable(page);
    assert.deepEqual(rows, ['I', 'like', '猫', 'and', '👍']);
    const note = () => page.$eval('.note', (one) => one.textContent);
    assert.match(await note(), /vectors from Spelling suit any writing/);
    await choose(page, 'mode', 'cross');
    assert.match(await note(), /vectors from Spelling suit any writing/);
    await paste(page, 'second', 'I like my cat.');
    assert.doesNotMatch(await note(), /Spelling/);
    assert.deepEqual(said, []);
    await page.close();
  });

  it('names both fields after their text in parts without cross-attention', async () => {
    const { page } = await open(demo.browser, demo.url, '#mode=cross&part=decoder.1');
    const names = () =>
      page.$$eval('.first-line label, .second-line label', (all) =>
        all.reverse().map((label) => {
          const [name, says] = label.querySelectorAll('.given-name, .given-name + small');
          return [name, says]
            .map(({ textContent }) => textContent)
            .filter(Boolean)
            .join(': ');
        }),
      );
    const { text } = await readSentence(page, 'second-words');
    assert.match(text, /^La voiture/);
    assert.deepEqual(await names(), [
      'French: each word as it is written',
      'French: what it looks back at',
    ]);
    // Text typed in the second field is still the English text.
    await page.focus('#second');
    assert.equal((await names())[1], 'English');
    await page.focus('#play');
    assert.equal((await names())[1], 'French: what it looks back at');
    await pick(page, 'part', 'encoder.0');
    assert.deepEqual(await names(), ['English: each word', 'English: what it looks at']);
    await pick(page, 'part', 'cross.0');
    assert.deepEqual(await names(), ['French: by the model', 'English']);
    await page.close();
  });

  it('repeats no text, and overlaps no weights', async () => {
    const { page } = await open(demo.browser, demo.url, '#mode=cross');
    const said = await page.evaluate(() =>
      ['.note', '.inspector'].map((one) => document.querySelector(one).innerText),
    );
    assert.match(said[0], /Each row shows where the model looks/);
    assert.doesNotMatch(said[1], /Each row/);
    await page.goto(`${demo.url}#text=The+pink+elephant+tried.&merge=no&hideSpecial=no`);
    await page.reload();
    await drawn(page);
    const boxes = await page.$$eval('#first-words [role="option"]', (options) =>
      options
        .filter((one) => getComputedStyle(one, '::after').visibility === 'visible')
        .map((one) => {
          const { left, width, top } = one.getBoundingClientRect();
          const wide = parseFloat(getComputedStyle(one, '::after').width);
          return { from: left + width / 2 - wide / 2, to: left + width / 2 + wide / 2, top };
        }),
    );
    assert.ok(boxes.length > 5);
    boxes.slice(1).forEach(({ from, top }, at) => {
      assert.ok(top !== boxes[at].top || from >= boxes[at].to - 1, JSON.stringify(boxes));
    });
    await page.close();
  });

  it('shows the head’s number in full, without layout shifts', async () => {
    const { page } = await open(demo.browser, demo.url, '#mode=self');
    for (const width of [320, 390, 640, 768, 960, 1152, 1280, 1408, 1600]) {
      await page.setViewport({ width, height: 800 });
      const isPhone = width <= 640;
      const isOpen = await page.$eval('#choices', (one) => one.ariaExpanded === 'true');
      if (isPhone && !isOpen) await click(page, '#choices');
      const seen = [];
      for (const head of ['0', '3', 'average']) {
        await pick(page, 'head', head);
        seen.push(
          await page.evaluate(() => {
            const [chooser, name] = ['#head', '.head-name'].map((one) =>
              document.querySelector(one),
            );
            const fill = (one) => getComputedStyle(one).webkitTextFillColor;
            const boxOf = (one) => one.getBoundingClientRect();
            const [outer, inner] = [chooser, name].map(boxOf);
            const isInside = inner.left >= outer.left && inner.right <= outer.right - 16;
            return {
              name: name.textContent,
              isWhole: isInside && inner.width > 30 && name.scrollWidth <= name.clientWidth,
              fills: [chooser, chooser.options[0]].map((one) => fill(one) === 'rgba(0, 0, 0, 0)'),
              list: chooser.selectedOptions[0].text,
              places: ['.toolbar', '#head', '.stage'].map((selector) => {
                const { left, top, width: wide } = boxOf(document.querySelector(selector));
                return [left, top - outer.top, wide].map(Math.round);
              }),
            };
          }),
        );
      }
      for (const { name: one, isWhole, fills, list, places } of seen) {
        assert.ok(isWhole, `${width}: ${one}`);
        assert.deepEqual(fills, [true, false]); // the list names roles, the closed control the number
        assert.ok(list.startsWith(one), list);
        assert.deepEqual(places, seen[0].places, `${width}`);
      }
      assert.deepEqual(
        seen.map((one) => one.name),
        ['Head 1', 'Head 4', 'All, averaged'],
      );
    }
    await page.close();
  });
});

/** Names of everything in the window that can be focused or clicked. */
const controlsInSight = (page) =>
  page.evaluate(() => {
    const kinds =
      'a[href], button, input:not([type=hidden]), select, textarea, summary, [contenteditable=""], [contenteditable=true], ' +
      '[role=button], [role=tab], [role=radio], [role=switch], [role=slider], [role=textbox], [tabindex]:not([tabindex="-1"])';
    const names = [];
    const visit = (root) => {
      for (const one of root.querySelectorAll('*')) {
        if (one.shadowRoot) visit(one.shadowRoot);
        if (
          !one.matches(kinds) ||
          one.disabled ||
          !one.checkVisibility({ visibilityProperty: true })
        )
          continue;
        const { top, bottom, left, right, width, height } = one.getBoundingClientRect();
        const isIn = bottom > 0 && right > 0 && top < innerHeight && left < innerWidth;
        if (!isIn || width === 0 || height === 0) continue;
        names.push(one.getAttribute('aria-label') ?? one.id ?? one.textContent);
      }
    };
    visit(document);
    return names;
  });
