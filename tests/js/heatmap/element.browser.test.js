// <attention-map> as frameworks use it: options as properties, set before and after it is defined, and events.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { launch, listen, serve } from '../../support/js/browser.js';
import { root } from '../../support/js/package.js';

describe('<attention-map fill>', { timeout: 120_000 }, () => {
  it('has the height of its container', async () => {
    const server = await serve([root]);
    const browser = await launch('chromium');
    try {
      const page = await browser.newPage();
      await page.goto(`${server.url}tests/support/browser/heatmap_element.html`);
      const heights = await page.evaluate(async () => {
        const { defineAttentionMap } = await import('../../../web/built/heatmap.js');
        defineAttentionMap();
        const found = {};
        for (const display of ['block', 'grid', 'flex']) {
          const container = document.createElement('div');
          container.style.cssText = `display: ${display}; height: 300px; width: 400px`;
          container.innerHTML = '<attention-map fill weights="[[0.9, 0.1]]"></attention-map>';
          document.body.append(container);
          const [element] = container.children;
          await new Promise(requestAnimationFrame);
          const canvas = element.shadowRoot.querySelector('canvas');
          found[display] = [element.clientHeight, canvas.clientHeight];
        }
        return found;
      });
      assert.deepEqual(heights, { block: [300, 300], grid: [300, 300], flex: [300, 300] });
    } finally {
      await browser.close();
      await server.close();
    }
  });
});

describe('<attention-map> and its properties', { timeout: 120_000 }, () => {
  let server;
  before(async () => (server = await serve([root])));
  after(() => server?.close());

  for (const name of ['chromium', 'firefox']) {
    it(`draws options set as properties, in ${name}`, async () => {
      const browser = await launch(name);
      try {
        const page = await browser.newPage();
        const said = listen(page);
        await page.goto(`${server.url}tests/support/browser/heatmap_element.html`);
        const found = await page.evaluate(async () => {
          const { defineAttentionMap } = await import('../../../web/built/heatmap.js');
          const element = document.createElement('attention-map');
          const weights = { data: Float32Array.of(0.9, 0.1, 0.2, 0.8), dims: [1, 2, 2] };
          // Before the definition these are own properties of the element.
          Object.assign(element, { weights, head: 0, rowLabels: ['made', 'tea'], unrelated: 1 });
          document.body.append(element);
          defineAttentionMap();
          await new Promise(requestAnimationFrame);
          const first = element.toSVG();
          const own = Object.keys(element);
          // Its height follows from its matrix.
          const high = element.clientHeight - element.heightFor(element.clientWidth);
          const events = [];
          element.addEventListener('select', ({ detail }) => events.push(detail.columnLabel));
          element.columnLabels = '["his", "uncle"]'; // React's way to set attributes in JSX
          element.selected = { row: 1, column: 1 };
          element.colors = 'viridis';
          await new Promise(requestAnimationFrame);
          element.shadowRoot
            .querySelector('canvas')
            .dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowLeft' }));
          const second = element.toSVG();
          element.columnLabels = null;
          element['row-labels'] = ['one']; // Vue's way to set properties by template names
          await new Promise(requestAnimationFrame);
          const { textContent: message } = element.shadowRoot.querySelector('[role=alert]');
          const { weights: given, label, selected } = element;
          return {
            first,
            own,
            high,
            second,
            events,
            message,
            same: given === weights,
            label,
            selected,
          };
        });
        assert.match(found.first, />made</);
        assert.deepEqual(found.own, ['unrelated']);
        assert.ok(Math.abs(found.high) < 1, `${found.high}`);
        assert.match(found.second, />uncle</);
        assert.deepEqual(found.events, ['his']);
        assert.equal(found.message, 'rowLabels must have 2 labels as weights has, found 1');
        assert.equal(found.same, true);
        assert.equal(found.label, undefined);
        assert.deepEqual(found.selected, { row: 1, column: 0 });
        assert.deepEqual(said, []);
      } finally {
        await browser.close();
      }
    });
  }
});
