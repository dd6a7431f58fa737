// <attention-map> where there is no page, and where something only pretends to be one, as in component tests: it is
// defined, made, given what a framework gives it, and draws nothing.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { defineAttentionMap } from 'attention-wasm/heatmap';

/** As much of an element as jsdom and happy-dom have alike; their canvas has no context. */
class PretendedElement {
  style = {};
  isConnected = false;
  #attributes = new Map();
  addEventListener() {}
  append() {}
  attachShadow() {
    return new PretendedElement();
  }
  setAttribute(name, value) {
    this.#attributes.set(name, value);
    if (this.constructor.observedAttributes?.includes(name)) {
      this.attributeChangedCallback(name, null, value);
    }
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

  it('is not defined where there are no elements', () => {
    assert.doesNotThrow(() => defineAttentionMap());
  });

  const observer = class {
    observe() {}
    disconnect() {}
  };
  const pages = {
    'jsdom has: no observers, no style sheets': {},
    'happy-dom has: observers, no canvas': {
      ResizeObserver: observer,
      matchMedia: () => ({ addEventListener() {} }),
    },
  };
  for (const [what, more] of Object.entries(pages)) {
    it(`draws nothing with what ${what}`, async () => {
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
      assert.equal(element.selected, null);
      assert.throws(() => element.toSVG(), /has no picture yet/);
      element.disconnectedCallback();
    });
  }
});
