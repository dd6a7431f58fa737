// attention-wasm/heatmap in real browsers, under a strict content security policy: pixels have the weights' colors, screen
// readers read the drawn values, and pointer and keys reach every cell.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { formatValue } from '../../../web/lib/heatmap/number_formats.js';
import { launch, listen, serve } from '../../support/js/browser.js';
import { root } from '../../support/js/package.js';
import { randomWeights } from '../../support/browser/heatmap_weights.js';

// Neither inline styles nor inline scripts.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:";

for (const name of ['chromium', 'firefox']) {
  describe(`the heat map in ${name}`, { timeout: 240_000 }, () => {
    let server;
    let browser;
    let page;
    let said;

    before(async () => {
      server = await serve([root], { headers: { 'Content-Security-Policy': policy } });
      browser = await launch(name);
      page = await browser.newPage();
      said = listen(page);
      await open(page, { width: 1000, height: 800 });
    });

    after(async () => {
      await browser?.close();
      await server?.close();
    });

    async function open(tab, viewport) {
      await tab.setViewport(viewport);
      await tab.goto(`${server.url}tests/support/browser/heatmap.html`);
      await tab.waitForFunction('globalThis.ready');
    }

    /** A heat map of `rows` × `columns` random weights in the page, with labels. */
    const make = (rows, columns, options = {}, attributes = {}) =>
      page.evaluate(
        (r, c, given, own) => {
          const labels = (count, letter) =>
            Array.from({ length: count }, (_, i) => `${letter}${i}`);
          globalThis.tools.make(
            {
              weights: { data: globalThis.tools.randomWeights(r, c), dims: [r, c] },
              rowLabels: labels(r, 'row'),
              columnLabels: labels(c, 'col'),
              ...given,
            },
            own,
          );
        },
        rows,
        columns,
        options,
        attributes,
      );
    const spoken = () => page.evaluate('tools.spoken(made.canvas)');
    const told = () => page.evaluate('made.told.splice(0)');
    const boxOf = (cell) => page.evaluate((at) => globalThis.made.map.boxOf(at), cell);

    /** Colors of all cells, drawn (near a corner, beside the number) and expected. */
    const colors = (surface = [255, 255, 255], scale = 'blues') =>
      page.evaluate(
        (behind, colorsName) => {
          const { canvas, map } = globalThis.made;
          const { createRamp, pixelsOf } = globalThis.tools;
          const pixel = pixelsOf(canvas);
          const { data, dims } = globalThis.made.weights;
          const ramp = createRamp({ colors: colorsName, surface: behind, signed: false });
          const top = Math.max(...data);
          const found = [];
          data.forEach((weight, at) => {
            const cell = { row: Math.floor(at / dims[1]), column: at % dims[1] };
            const { x, y, width } = map.boxOf(cell);
            const inset = width >= 20 ? 6 : width / 2 - 0.5;
            const index = Math.round(255 * (weight / top) ** 0.7);
            const fill = ramp.fill[index].match(/\d+/g).map(Number);
            found.push({ drawn: pixel(x + inset, y + inset), fill });
          });
          return found;
        },
        surface,
        scale,
      );

    const assertColors = (found, away) => {
      found.forEach(({ drawn, fill }, at) => {
        const most = Math.max(...drawn.map((channel, i) => Math.abs(channel - fill[i])));
        assert.ok(most <= away, `cell ${at} is ${drawn}, and should be ${fill}`);
      });
    };

    /** A heat map whose cross-hair is on an added first row and column, so that it covers no tested cell. */
    const makePlain = async (rows, columns, options = {}) => {
      await make(rows, columns, options);
      await page.evaluate(
        (r, c) => {
          globalThis.made.weights = { data: globalThis.tools.randomWeights(r, c), dims: [r, c] };
        },
        rows,
        columns,
      );
    };

    it('works behind a proxy, as of Vue’s reactive()', async () => {
      await make(2, 3);
      const found = await page.evaluate(() => {
        const proxy = new Proxy(globalThis.made.map, {});
        const first = proxy.selected;
        proxy.select({ row: 1, column: 2 });
        proxy.update({ colors: 'blues' });
        const { width } = proxy.boxOf(proxy.selected);
        return { first, selected: proxy.selected, isBox: width > 0 };
      });
      const [first, selected] = [0, 1].map((row) => ({ row, column: 2 * row }));
      assert.deepEqual(found, { first, selected, isBox: true });
    });

    it('draws every weight in its color, from large cells to cells of a few pixels', async () => {
      for (const [rows, columns] of [
        [1, 1],
        [6, 6],
        [14, 9],
        [60, 60],
      ]) {
        for (const scale of ['blues', 'cividis']) {
          await makePlain(rows, columns, { colors: scale });
          const found = await colors([255, 255, 255], scale);
          // The cross-hair covers small cells.
          const free = found.filter((_, at) => {
            return rows < 20 || (at % columns > 1 && at >= 2 * columns);
          });
          assert.ok(free.length > 0);
          assertColors(free, 3);
        }
      }
    });

    it('is sharp at other pixel densities', async () => {
      for (const deviceScaleFactor of [2, 1.5]) {
        await page.setViewport({ width: 1000, height: 800, deviceScaleFactor });
        await makePlain(40, 40);
        const size = await page.evaluate('[made.canvas.width, made.canvas.clientWidth]');
        assert.deepEqual(size, [600 * deviceScaleFactor, 600]);
        const found = await colors();
        assertColors(
          found.filter((_, at) => at % 40 > 1 && at >= 80),
          3,
        );
      }
      await page.setViewport({ width: 1000, height: 800 });
    });

    it('is a grid for screen readers, and follows keys', async () => {
      await make(30, 20, { label: 'Who reads whom', selected: { row: 3, column: 4 } });
      const weights = randomWeights(30, 20);
      const says = async (row, column) => {
        const now = await spoken();
        const value = formatValue(weights[row * 20 + column]);
        assert.deepEqual(now, {
          role: 'grid',
          name: 'Who reads whom',
          size: [30, 20],
          row,
          column,
          text: `row${row} → col${column}: ${value}`,
        });
      };
      await says(3, 4);
      await page.keyboard.press('Tab');
      assert.equal(await page.evaluate('document.activeElement === made.canvas'), true);
      const path = [
        ['ArrowRight', 3, 5],
        ['ArrowDown', 4, 5],
        ['ArrowLeft', 4, 4],
        ['ArrowUp', 3, 4],
        ['End', 3, 19],
        ['ArrowRight', 3, 19],
        ['Home', 3, 0],
        ['PageDown', 29, 0],
        ['PageUp', 0, 0],
      ];
      for (const [key, row, column] of path) {
        await page.keyboard.press(key);
        await says(row, column);
        const [[kind, cell]] = await told();
        assert.deepEqual([kind, cell.row, cell.column], ['select', row, column]);
        assert.equal(cell.value, weights[row * 20 + column]);
        assert.equal(cell.rowLabel, `row${row}`);
      }
      await page.keyboard.down('Control');
      await page.keyboard.press('End');
      await page.keyboard.up('Control');
      await says(29, 19);
    });

    it('reads out the hovered cell, and redraws only the cross-hair', async () => {
      await make(60, 60);
      await page.evaluate(() => {
        const counts = (globalThis.counts = { drawn: 0, images: 0 });
        const { prototype } = CanvasRenderingContext2D;
        for (const method of ['fillRect', 'fill', 'fillText', 'putImageData', 'stroke']) {
          const own = prototype[method];
          globalThis.restore ??= [];
          globalThis.restore.push(() => (prototype[method] = own));
          prototype[method] = function (...args) {
            counts.drawn++;
            return own.apply(this, args);
          };
        }
      });
      const { x, y, width } = await boxOf({ row: 20, column: 31 });
      const before = await page.evaluate('made.canvas.toDataURL()');
      await page.evaluate('counts.drawn = 0');
      await page.mouse.move(x + width / 2, y + width / 2);
      const drawn = await page.evaluate('counts.drawn');
      assert.ok(drawn > 0 && drawn < 40, `${drawn} things drawn`);
      const hovers = await told();
      assert.deepEqual(hovers.length, 1);
      assert.deepEqual([hovers[0][0], hovers[0][1].row, hovers[0][1].column], ['hover', 20, 31]);
      // The frame moves to the hovered cell; the selection stays.
      assert.notEqual(await page.evaluate('made.canvas.toDataURL()'), before);
      assert.equal((await spoken()).row, 0);
      await page.mouse.move(900, 700);
      assert.deepEqual(await told(), [['hover', null]]);
      assert.equal(await page.evaluate('made.canvas.toDataURL()'), before);
      // Pointing at a row label hovers the row.
      await page.mouse.move(10, y + width / 2);
      const [[, { row, column }]] = await told();
      assert.deepEqual([row, column], [20, 0]);
      await page.mouse.click(x + width / 2, y + width / 2);
      const all = await told();
      assert.ok(
        all.some(([kind, cell]) => kind === 'select' && cell.row === 20 && cell.column === 31),
      );
      assert.equal((await spoken()).column, 31);
      // An update draws many more cells, so the count is meaningful.
      await page.evaluate('counts.drawn = 0; made.map.update({ colors: "greys" })');
      assert.ok((await page.evaluate('counts.drawn')) > 60);
      await page.evaluate('restore.forEach((back) => back())');
    });

    it('has the cross-hair at the selected cell: red row, blue column', async () => {
      await make(8, 8, { selected: { row: 2, column: 5 } });
      const { x, y, width } = await boxOf({ row: 2, column: 5 });
      const at = (left, top) =>
        page.evaluate((l, t) => globalThis.tools.pixel(globalThis.made.canvas, l, t), left, top);
      const first = await boxOf({ row: 2, column: 0 });
      const [r, , b] = await at(first.x + width / 2, first.y - 1);
      assert.ok(r > 150 && b < 90, `${r} and ${b} in the frame of the row`);
      const top = await boxOf({ row: 0, column: 5 });
      const [red, , blue] = await at(top.x - 1, top.y + width / 2);
      assert.ok(blue > 110 && red < 90, `${red} and ${blue} in the frame of the column`);
      const [ink] = await at(x - 1, y + width / 2);
      assert.ok(ink < 90, `${ink} in the frame of the cell`);
      const [chip] = await at(first.x - 12, first.y + width / 2 - 9);
      assert.ok(chip > 150, `${chip} behind the label of the row`);
    });

    it('zooms and scrolls by keys, wheel and drag, and back', async () => {
      await make(200, 200);
      const zoomed = () => page.evaluate('made.map.boxOf({ row: 0, column: 0 }).width');
      const all = await zoomed();
      await page.focus('canvas');
      for (let i = 0; i < 6; i++) await page.keyboard.press('+');
      const large = await zoomed();
      assert.ok(large > 5 * all, `${large} of ${all}`);
      // The selected cell is scrolled into view.
      await page.keyboard.press('End');
      const inSight = await page.evaluate(() => {
        const { x, y, width } = globalThis.made.map.boxOf(globalThis.made.map.selected);
        return x > 50 && x + width <= 600 && y > 30 && y + width <= 600;
      });
      assert.ok(inSight);
      const corner = () => page.evaluate('made.map.boxOf({ row: 0, column: 0 })');
      const scrolled = await corner();
      await page.mouse.move(400, 300);
      await page.mouse.down();
      await page.mouse.move(430, 320, { steps: 3 });
      await page.mouse.up();
      const dragged = await corner();
      assert.ok(dragged.x > scrolled.x + 20, `${dragged.x} after ${scrolled.x}`);
      // A drag selects nothing.
      assert.equal((await told()).filter(([kind]) => kind === 'select').length, 1);
      await page.mouse.wheel({ deltaY: 120 });
      await page.evaluate('tools.nextFrame()');
      const wheeled = await corner();
      assert.ok(wheeled.y < dragged.y, `${wheeled.y} after ${dragged.y}`);
      await page.keyboard.press('0');
      assert.equal(await zoomed(), all);
    });

    it('leaves the wheel to the page if all cells are visible', async () => {
      const prevented = await page.evaluate(() => {
        const { canvas } = globalThis.tools.make({ weights: [[1, 2]] });
        const wheel = (options) => {
          const event = new WheelEvent('wheel', { deltaY: 50, cancelable: true, ...options });
          canvas.dispatchEvent(event);
          return event.defaultPrevented;
        };
        return [wheel({}), wheel({ ctrlKey: true })];
      });
      assert.deepEqual(prevented, [false, true]);
    });

    it('supports other wheel units, buttons and keys', async () => {
      await make(200, 200);
      const seen = await page.evaluate(async () => {
        const { canvas, map, told } = globalThis.made;
        const corner = () => map.boxOf({ row: 0, column: 0 });
        const send = (Kind, type, options) => {
          const event = new Kind(type, {
            cancelable: true,
            clientX: 300,
            clientY: 300,
            ...options,
          });
          canvas.dispatchEvent(event);
          return event.defaultPrevented;
        };
        const move = async (Kind, type, options) => {
          const before = corner();
          send(Kind, type, options);
          await globalThis.tools.nextFrame();
          const { x, y, width } = corner();
          return [x - before.x, y - before.y, width / before.width];
        };
        const doubled = await move(MouseEvent, 'dblclick');
        const byLine = await move(WheelEvent, 'wheel', { deltaMode: 1, deltaY: 2 });
        const aside = await move(WheelEvent, 'wheel', { deltaY: 20, shiftKey: true });
        const byPage = await move(WheelEvent, 'wheel', { deltaMode: 2, deltaY: -1 });
        const pinched = await move(WheelEvent, 'wheel', {
          deltaMode: 1,
          deltaY: -10,
          ctrlKey: true,
        });
        const again = await move(MouseEvent, 'dblclick');
        const hovers = told.length;
        const other = await move(PointerEvent, 'pointerdown', { pointerType: 'mouse', button: 2 });
        send(PointerEvent, 'pointermove', { pointerType: 'touch', pointerId: 7 });
        const alt = send(KeyboardEvent, 'keydown', { key: 'ArrowDown', altKey: true });
        const unknown = send(KeyboardEvent, 'keydown', { key: 'F7' });
        const hovered = told.length - hovers;
        const at = map.cellAt({ clientX: 300, clientY: 300 });
        const outside = map.cellAt({ clientX: -300, clientY: -300 });
        const blob = await map.toPNG();
        globalThis.tools.make({ weights: [], rowLabels: [], columnLabels: [] });
        const empty = globalThis.made.map;
        const nothing = [
          empty.boxOf({ row: 0, column: 0 }),
          empty.cellAt({ clientX: 9, clientY: 9 }),
        ];
        return {
          ...{ doubled, byLine, aside, byPage, pinched, again, other, alt, unknown, hovered },
          ...{ at, outside, type: blob.type, nothing },
        };
      });
      const near = (got, want) =>
        assert.ok(Math.abs(got - want) < 1.5, `${got} instead of ${want}`);
      near(seen.doubled[2], 3);
      near(seen.byLine[1], -32);
      near(seen.aside[0], -20);
      assert.ok(seen.byPage[1] > 20);
      assert.ok(Math.abs(seen.pinched[2] - 2 ** 0.8) < 0.05, `${seen.pinched[2]}`);
      assert.ok(seen.again[2] < 0.3);
      assert.deepEqual(seen.other, [0, 0, 1]);
      assert.deepEqual([seen.alt, seen.unknown, seen.hovered], [false, false, 0]);
      assert.ok(seen.at.row >= 0 && seen.at.column >= 0);
      assert.equal(seen.outside, null);
      assert.equal(seen.type, 'image/png');
      assert.deepEqual(
        seen.nothing.map((part) => part ?? null),
        [null, null],
      );
    });

    it('pinches with two fingers', async () => {
      await make(120, 120);
      const sizes = await page.evaluate(() => {
        const { canvas, map } = globalThis.made;
        const size = () => map.boxOf({ row: 0, column: 0 }).width;
        const send = (type, pointerId, clientX, clientY) =>
          canvas.dispatchEvent(
            new PointerEvent(type, { pointerId, clientX, clientY, pointerType: 'touch' }),
          );
        const before = size();
        send('pointerdown', 1, 300, 300);
        send('pointerdown', 2, 320, 300);
        for (let x = 330; x <= 420; x += 10) send('pointermove', 2, x, 300);
        send('pointerup', 1, 300, 300);
        send('pointerup', 2, 420, 300);
        return [before, size()];
      });
      assert.ok(sizes[1] > 4 * sizes[0], sizes.join());
    });

    it('keeps its scroll position when a zoomed canvas shrinks or is hidden', async () => {
      await make(200, 200, { selected: { row: 100, column: 120 } });
      const boxes = await page.evaluate(async () => {
        const { map, canvas } = globalThis.made;
        const { nextFrame } = globalThis.tools;
        const box = () => map.boxOf({ row: 100, column: 120 });
        const isInSight = () => box().x > 0 && box().x < canvas.clientWidth && box().y > 0;
        map.zoomBy(20);
        const before = isInSight();
        canvas.style.width = '400px';
        await nextFrame();
        const smaller = isInSight() && box().y < canvas.clientHeight;
        canvas.hidden = true;
        canvas.style.display = 'none';
        await nextFrame();
        map.zoomBy(1.1);
        map.select({ row: 100, column: 119 });
        map.hover({ row: 3 });
        canvas.style.display = '';
        canvas.hidden = false;
        await nextFrame();
        return { before, smaller, back: isInSight() && box().y < canvas.clientHeight };
      });
      assert.deepEqual(boxes, { before: true, smaller: true, back: true });
    });

    it('draws once the page gives it a size', async () => {
      const found = await page.evaluate(async () => {
        const { make, nextFrame } = globalThis.tools;
        const { canvas, map } = make({ weights: [[1, 2]] }, { className: 'stage absent' });
        map.hover({ row: 0 });
        map.select({ row: 0, column: 1 });
        const before = map.boxOf({ row: 0, column: 0 });
        canvas.className = 'stage';
        await nextFrame();
        return { before, after: map.boxOf({ row: 0, column: 0 })?.width > 0 };
      });
      assert.deepEqual(found, { before: null, after: true });
    });

    it('follows the size of its canvas, and keeps a size without CSS', async () => {
      const sizes = await page.evaluate(async () => {
        const { make, nextFrame } = globalThis.tools;
        const weights = [
          [1, 2],
          [3, 4],
        ];
        const { canvas } = make({ weights });
        canvas.style.width = '300px';
        await nextFrame();
        const followed = [canvas.width, canvas.height];
        const bare = make({ weights }, { className: '', width: 320, height: 240 });
        await nextFrame();
        const kept = [bare.canvas.clientWidth, bare.canvas.clientHeight];
        bare.map.destroy();
        const attributes = bare.canvas.getAttributeNames().sort();
        return { followed, kept, attributes, children: bare.canvas.childElementCount };
      });
      const ratio = await page.evaluate('devicePixelRatio');
      assert.deepEqual(sizes.followed, [300 * ratio, 600 * ratio]);
      assert.deepEqual(sizes.kept, [320, 240]);
      assert.deepEqual(
        sizes.attributes.filter((one) => /aria|role|tabindex/.test(one)),
        [],
      );
      assert.equal(sizes.children, 0);
    });

    it('takes its colors from the page, at once when they change', async () => {
      await make(6, 6);
      const seen = await page.evaluate(async () => {
        const { canvas, map } = globalThis.made;
        const { pixel, nextFrame } = globalThis.tools;
        const last = () => {
          const { x, y } = map.boxOf({ row: 0, column: 5 });
          return pixel(canvas, x + 6, y + 6);
        };
        const day = last();
        document.body.style.background = '#101216';
        document.body.style.color = 'oklch(0.95 0 0)';
        await nextFrame();
        const night = last();
        canvas.style.setProperty('--heatmap-surface', '#400000');
        document.documentElement.className = 'another';
        await nextFrame();
        const own = last();
        document.body.removeAttribute('style');
        document.documentElement.className = '';
        return { day, night, own };
      });
      assert.ok(Math.min(...seen.day) > 200, `${seen.day}`);
      assert.ok(Math.max(...seen.night) < 80, `${seen.night}`);
      assert.ok(seen.own[0] > seen.night[0] + 20, `${seen.own} after ${seen.night}`);
    });

    it('exports the whole matrix as PNG and SVG', async () => {
      await makePlain(60, 60, { selected: { row: 1, column: 1 } });
      const files = await page.evaluate(async () => {
        const { map, weights } = globalThis.made;
        map.zoomBy(8);
        const blob = await map.toPNG({ width: 500, selected: false });
        const image = await createImageBitmap(blob);
        const copy = new OffscreenCanvas(image.width, image.height).getContext('2d');
        copy.drawImage(image, 0, 0);
        const { data } = copy.getImageData(0, 0, image.width, image.height);
        const svg = map.toSVG({ width: 500 });
        const parsed = new DOMParser().parseFromString(svg, 'image/svg+xml');
        const ramp = globalThis.tools.createRamp({ colors: 'blues', surface: [255, 255, 255] });
        const strongest = weights.data.indexOf(Math.max(...weights.data));
        const wanted = ramp.fill[255].match(/\d+/g).map(Number);
        let found = 0;
        for (let i = 0; i < data.length; i += 4) {
          if (wanted.every((channel, at) => data[i + at] === channel)) found++;
        }
        return {
          type: blob.type,
          size: [image.width, image.height],
          found,
          strongest,
          corner: [...data.subarray(0, 4)],
          errors: parsed.querySelectorAll('parsererror').length,
          texts: Array.from(parsed.querySelectorAll('text'), ({ textContent }) => textContent),
          paths: parsed.querySelectorAll('path').length,
        };
      });
      assert.deepEqual([files.type, files.size[0], files.errors], ['image/png', 1000, 0]);
      assert.ok(files.size[1] > 800, `${files.size}`);
      assert.deepEqual(files.corner, [255, 255, 255, 255]);
      assert.ok(files.found > 20, `${files.found} pixels of the strongest color`);
      assert.ok(files.texts.includes('row1') && files.texts.includes('col1'), `${files.texts}`);
      assert.ok(files.paths > 50, `${files.paths}`);
    });

    it('exports light or dark regardless of the page', async () => {
      await make(4, 4);
      const corners = await page.evaluate(async () => {
        const { map } = globalThis.made;
        const corner = async (dark) => {
          const image = await createImageBitmap(await map.toPNG({ dark }));
          const copy = new OffscreenCanvas(image.width, image.height).getContext('2d');
          copy.drawImage(image, 0, 0);
          return copy.getImageData(0, 0, 1, 1).data[0];
        };
        const surface = (svg) => /<rect width="100%" height="100%" fill="([^"]+)"/.exec(svg)[1];
        return {
          png: [await corner(true), await corner(false), await corner(undefined)],
          svg: [map.toSVG({ dark: true }), map.toSVG({ dark: false }), map.toSVG()].map(surface),
        };
      });
      assert.deepEqual(corners.png, [21, 255, 255]);
      assert.deepEqual(corners.svg, [
        'rgb(21, 24, 29)',
        'rgb(255, 255, 255)',
        'rgb(255, 255, 255)',
      ]);
    });

    it('draws any script, no cell, one cell, and NaN', async () => {
      const labels = [
        'שלום',
        'مرحبا',
        '茶',
        'नमस्ते',
        '👩‍👩‍👧‍👦',
        'e\u0301',
        '\n',
        'Donaudampfschiff'.repeat(9),
      ];
      const sizes = await page.evaluate((words) => {
        const { make, pixel } = globalThis.tools;
        const draw = (options) => {
          const { canvas, map } = make(options);
          return [map.selected, globalThis.tools.spoken(canvas).text, pixel(canvas, 300, 300)];
        };
        const n = words.length;
        const weights = new Float32Array(n * n).fill(0.1);
        return [
          draw({ weights, rowLabels: words, columnLabels: words }),
          draw({ weights: [], rowLabels: [], columnLabels: [] }),
          draw({ weights: [], rowLabels: words, columnLabels: [] }),
          draw({ weights: [[NaN, -Infinity, Infinity, 1]] }),
          draw({ weights: [[0.5]], labels: false, legend: false }),
        ];
      }, labels);
      assert.equal(sizes[0][1], 'שלום → שלום: 0.10000');
      assert.deepEqual(sizes[1].slice(0, 2), [null, 'Nothing to see']);
      assert.deepEqual(sizes[2].slice(0, 2), [null, 'Nothing to see']);
      assert.equal(sizes[3][1], '1 → 1: not a number');
      // Without labels and legend, the cell fills the canvas.
      assert.notDeepEqual(sizes[4][2], [255, 255, 255]);
      await page.focus('canvas');
      for (const key of ['ArrowDown', '+', 'End', '0']) await page.keyboard.press(key);
    });

    it('is unchanged by a refused update', async () => {
      await make(6, 6);
      const result = await page.evaluate(() => {
        const { canvas, map } = globalThis.made;
        const before = canvas.toDataURL();
        let message = '';
        try {
          map.update({ rowLabels: ['a'] });
        } catch (error) {
          message = error.message;
        }
        map.update({ rowTitle: 'x' });
        map.update({ rowTitle: null });
        return { message, same: canvas.toDataURL() === before };
      });
      assert.match(result.message, /rowLabels must have 6 labels/);
      assert.equal(result.same, true);
    });

    it('draws 512 × 512 cells by few calls, and copies them when the pointer moves', async () => {
      /** Calls of canvas methods by another matrix and by another cell under the pointer. */
      const callsFor = async (side) => {
        await make(side, side);
        return page.evaluate((length) => {
          const { map } = globalThis.made;
          const { randomWeights: numbers } = globalThis.tools;
          const prototype = CanvasRenderingContext2D.prototype;
          const methods = Object.entries(Object.getOwnPropertyDescriptors(prototype)).filter(
            ([, { value }]) => typeof value === 'function',
          );
          const callsOf = (act) => {
            const calls = { all: 0, putImageData: 0, drawImage: 0 };
            for (const [method, { value }] of methods) {
              prototype[method] = function count(...given) {
                ++calls.all;
                if (method in calls) ++calls[method];
                return value.apply(this, given);
              };
            }
            act();
            for (const [method, descriptor] of methods) {
              Object.defineProperty(prototype, method, descriptor);
            }
            return calls;
          };
          const weights = { data: numbers(length, length, 3), dims: [length, length] };
          return {
            redraw: callsOf(() => map.update({ weights })),
            hover: callsOf(() => map.hover({ row: length - 2, column: length - 3 })),
          };
        }, side);
      };
      const { redraw, hover } = await callsFor(512);
      assert.deepEqual([redraw.putImageData, redraw.drawImage], [1, 2]);
      assert.ok(redraw.all < 1000, `${redraw.all} calls`);
      assert.deepEqual([hover.putImageData, hover.drawImage], [0, 1]);
      assert.deepEqual((await callsFor(256)).hover, hover);
    });

    describe('<attention-map>', () => {
      const write = (html) =>
        page.evaluate(async (text) => {
          document.body.innerHTML = text;
          await globalThis.tools.nextFrame();
        }, html);

      it('is written in HTML, and as high as its matrix', async () => {
        await write(
          '<attention-map weights="[[0.9, 0.1], [0.2, 0.8]]" row-labels="made tea" column-labels=\'["an uncle", "tea"]\' label="Two words"></attention-map>',
        );
        const seen = await page.evaluate(() => {
          const element = document.querySelector('attention-map');
          const canvas = element.shadowRoot.querySelector('canvas');
          const told = [];
          for (const type of ['select', 'hover']) {
            element.addEventListener(type, ({ detail }) => told.push([type, detail]));
          }
          globalThis.made = { canvas, told };
          element.focus();
          return {
            spoken: globalThis.tools.spoken(canvas),
            height: element.clientHeight,
            focused: element.shadowRoot.activeElement === canvas,
            zoom: element.shadowRoot.querySelector('.zoom').hidden,
          };
        });
        assert.equal(seen.spoken.name, 'Two words');
        assert.equal(seen.spoken.text, 'made → an uncle: 0.90000');
        assert.ok(seen.height > 150 && seen.height < 300, `${seen.height}`);
        assert.deepEqual([seen.focused, seen.zoom], [true, true]);
        await page.keyboard.press('ArrowDown');
        const [[type, detail]] = await told();
        assert.deepEqual([type, detail.rowLabel, detail.value], ['select', 'tea', 0.2]);
        assert.deepEqual(await page.evaluate('document.querySelector("attention-map").selected'), {
          row: 1,
          column: 0,
        });
      });

      it('accepts options from scripts, before and after it is in the page', async () => {
        const seen = await page.evaluate(async () => {
          const { nextFrame, spoken: say, randomWeights: some } = globalThis.tools;
          const element = document.createElement('attention-map');
          element.update({ weights: [[1, 2, 3]] });
          document.body.replaceChildren(element);
          await nextFrame();
          const canvas = element.shadowRoot.querySelector('canvas');
          const first = say(canvas).size;
          element.update({ weights: { data: some(300), dims: [300, 300] }, label: 'Many' });
          element.setAttribute('colors', 'viridis');
          await nextFrame();
          const many = say(canvas);
          const buttons = [...element.shadowRoot.querySelectorAll('button')];
          const png = await element.toPNG();
          const svg = element.toSVG();
          element.remove();
          const left = canvas.getAttributeNames().filter((one) => one.startsWith('aria'));
          document.body.append(element);
          await nextFrame();
          return {
            first,
            many: [...many.size, many.name],
            again: say(canvas).size,
            names: buttons.map((button) => button.getAttribute('aria-label')),
            shown: !element.shadowRoot.querySelector('.zoom').hidden,
            png: png.type,
            svg: svg.slice(0, 4),
            left,
          };
        });
        assert.deepEqual(seen, {
          first: [1, 3],
          many: [300, 300, 'Many'],
          again: [300, 300],
          names: ['Zoom out', 'Zoom in', 'Show all'],
          shown: true,
          png: 'image/png',
          svg: '<svg',
          left: [],
        });
        const zoom = await page.evaluateHandle(
          'document.querySelector("attention-map").shadowRoot.querySelectorAll("button")[1]',
        );
        await zoom.click();
        const buttons = () =>
          page.evaluate(() => {
            const { shadowRoot } = document.querySelector('attention-map');
            return Array.from(shadowRoot.querySelectorAll('button'), (button) => [
              button.getAttribute('aria-disabled'),
              button === shadowRoot.activeElement,
            ]);
          });
        assert.deepEqual(await buttons(), [
          ['false', false],
          ['false', true],
          ['false', false],
        ]);
        // At maximum zoom the disabled button keeps the focus.
        for (let clicks = 0; clicks < 12; clicks++) await zoom.click();
        assert.deepEqual((await buttons())[1], ['true', true]);
        await page.evaluate('document.querySelector("attention-map").fit()');
        assert.deepEqual(await buttons(), [
          ['true', false],
          ['false', true],
          ['true', false],
        ]);
      });

      it('hovers and selects without redrawing all cells', async () => {
        const counts = await page.evaluate(async () => {
          const element = document.querySelector('attention-map');
          const context = CanvasRenderingContext2D.prototype;
          const own = context.fillText;
          let texts = 0;
          context.fillText = function (...args) {
            texts++;
            return own.apply(this, args);
          };
          const during = (act) => {
            texts = 0;
            act();
            return texts;
          };
          const counted = {
            hover: during(() => element.hover({ row: 3, column: 4 })),
            select: during(() => element.select({ row: 5, column: 6 })),
            zoom: during(() => element.zoomBy(2)),
          };
          element.hover(null);
          context.fillText = own;
          return { ...counted, selected: element.selected };
        });
        assert.ok(counts.hover > 0 && counts.hover < 12, JSON.stringify(counts));
        assert.ok(counts.select > 0 && counts.select < 12, JSON.stringify(counts));
        assert.ok(counts.zoom > 20, JSON.stringify(counts));
        assert.deepEqual(counts.selected, { row: 5, column: 6 });
      });

      it('shows errors in its options, and recovers', async () => {
        await write('<attention-map weights="[[1, 2], [3]]"></attention-map>');
        const message = () =>
          page.evaluate(
            'document.querySelector("attention-map").shadowRoot.querySelector("[role=alert]").textContent',
          );
        assert.match(await message(), /weights\[1\] must have 2 numbers/);
        await page.evaluate(
          'document.querySelector("attention-map").setAttribute("weights", "[1")',
        );
        assert.match(await message(), /attribute weights of <attention-map> must be JSON/);
        await page.evaluate(async () => {
          document.querySelector('attention-map').setAttribute('weights', '[[1]]');
          await globalThis.tools.nextFrame();
        });
        assert.equal(await message(), '');
      });
    });

    it('draws a thumbnail with a pixel for each cell', async () => {
      const seen = await page.evaluate(() => {
        const canvas = document.createElement('canvas');
        document.body.replaceChildren(canvas);
        const weights = [
          [1, 0, 0],
          [0, 0, 1],
        ];
        globalThis.tools.thumbnail(canvas, { weights });
        const { data } = canvas.getContext('2d').getImageData(0, 0, 3, 2);
        const dark = [...data].filter((_, i) => i % 4 === 0).map((red) => red < 60);
        return { size: [canvas.width, canvas.height], dark };
      });
      assert.deepEqual(seen, { size: [3, 2], dark: [true, false, false, false, false, true] });
    });

    it('prints nothing on the console under its content security policy', () => {
      assert.deepEqual(said, []);
    });
  });
}
