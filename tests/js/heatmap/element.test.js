// <attention-map> without a page, and in an emulated one, as in component tests: it is defined and created, accepts the
// properties that a framework sets, and has a picture that draws nothing.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { defineAttentionMap, heatmap, thumbnail } from '../../../web/lib/heatmap.js';

/** The common subset of an element in jsdom and happy-dom, whose canvas has no context. */
class PretendedElement {
  style = {};
  isConnected = false;
  #attributes = new Map();
  addEventListener() {}
  append() {}
  replaceChildren() {}
  remove() {}
  getBoundingClientRect() {
    return { left: 0, top: 0, width: 0, height: 0 };
  }
  attachShadow() {
    return new PretendedElement();
  }
  setAttribute(name, value) {
    this.#attributes.set(name, value);
    if (this.constructor.observedAttributes?.includes(name)) {
      this.attributeChangedCallback(name, null, value);
    }
  }
  getAttribute(name) {
    return this.#attributes.get(name) ?? null;
  }
  removeAttribute(name) {
    this.#attributes.delete(name);
  }
  hasAttribute(name) {
    return this.#attributes.has(name);
  }
  getContext() {
    return null;
  }
}

const pretended = (more) => ({
  HTMLElement: PretendedElement,
  document: { createElement: () => new PretendedElement() },
  CSSStyleSheet: class {},
  CustomEvent: class {},
  ...more,
});

describe('<attention-map> without a page', () => {
  let kept;
  before(() => (kept = Object.getOwnPropertyDescriptors(globalThis)));
  after(() => {
    for (const name of Object.keys(pretended({ ResizeObserver: 0, matchMedia: 0 }))) {
      if (kept[name]) Object.defineProperty(globalThis, name, kept[name]);
      else delete globalThis[name];
    }
    delete globalThis.customElements;
  });

  it('is not defined without custom elements', () => {
    assert.doesNotThrow(() => defineAttentionMap());
  });

  const observer = class {
    observe() {}
    disconnect() {}
  };
  const pages = {
    'jsdom: no observers, no style sheets': {},
    'happy-dom: observers, no canvas': {
      ResizeObserver: observer,
      matchMedia: () => ({ addEventListener() {} }),
    },
  };
  for (const [what, more] of Object.entries(pages)) {
    it(`has a picture that draws nothing in ${what}`, async () => {
      let Made;
      Object.assign(globalThis, pretended(more));
      globalThis.customElements = { get: () => undefined, define: (_name, made) => (Made = made) };
      defineAttentionMap();
      const element = new Made();
      element.setAttribute('weights', '[[0.9, 0.1]]');
      element.isConnected = true;
      element.connectedCallback();
      element.rowLabels = ['tea'];
      element.columnLabels = '["made", "tea"]';
      await new Promise((resolve) => setTimeout(resolve));
      assert.deepEqual(element.weights, [[0.9, 0.1]]);
      assert.deepEqual(element.rowLabels, ['tea']);
      assert.deepEqual(element.columnLabels, ['made', 'tea']);
      assert.match(element.toSVG(), /^<svg/);
      element.select({ row: 0, column: 1 });
      assert.deepEqual(element.selected, { row: 0, column: 1 });
      element.isConnected = false;
      element.disconnectedCallback();
      assert.throws(() => element.toSVG(), /has no picture yet/);
    });

    it(`has a heatmap() and a thumbnail() that draw nothing in ${what}`, async () => {
      Object.assign(globalThis, pretended(more));
      const canvas = new PretendedElement();
      const chosen = [];
      const options = {
        weights: [
          [0.9, 0.1],
          [0.4, 0.6],
        ],
        onSelect: (cell) => chosen.push(cell),
      };
      const map = heatmap(canvas, options);
      assert.equal(canvas.getAttribute('role'), 'grid');
      map.select({ row: 1, column: 0 });
      assert.deepEqual(map.selected, { row: 1, column: 0 });
      map.hover({ row: 0 });
      map.zoomBy(2);
      map.fit();
      assert.equal(map.boxOf({ row: 0, column: 0 }), null);
      assert.equal(map.cellAt({ clientX: 1, clientY: 1 }), null);
      assert.ok(map.heightFor(300) > 100);
      assert.match(map.toSVG(), /^<svg/);
      await assert.rejects(map.toPNG(), /2d context/);
      map.update({ weights: [[1, 0, 0]] });
      assert.equal(canvas.getAttribute('aria-colcount'), 3);
      assert.throws(() => map.update({ weights: 'tea' }), TypeError);
      const { destroy } = map; // methods work without their object, for example in an effect of React
      destroy();
      assert.equal(canvas.getAttribute('role'), null);
      assert.equal(thumbnail(canvas, { weights: [[1]] }), undefined);
      assert.throws(() => thumbnail(canvas, {}), TypeError);
    });
  }
});
