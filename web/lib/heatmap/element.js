// <attention-map>: the heat map as an element, with buttons to zoom where cells are small. Attributes are
// for what is written in HTML, properties and update() for what a script has.

import { canDraw } from './can_draw.js';
import { heatmap } from './component.js';
import { makeElement } from './made_element.js';
import { heatmapKinds } from './options.js';

const zoomStep = 1.5;
const seldomZoomed = 2.5; // a matrix whose cells can hardly grow needs no buttons

const tinted = (share) => `background:color-mix(in srgb,currentColor ${share}%,transparent)`;
const sheetText =
  ':host{display:block;position:relative;min-width:12rem}' +
  ':host([hidden]),.zoom[hidden],p:empty{display:none}' +
  'canvas{display:block;width:100%;border-radius:4px;outline-offset:2px}' +
  ':host([fill]) canvas{height:100%}' +
  ':focus-visible{outline:2px solid var(--heatmap-focus,currentColor)}' +
  '.zoom{position:absolute;top:0;left:0;display:flex;gap:2px}' +
  '@media print{.zoom{display:none}}' +
  'button{width:28px;height:28px;padding:0;border:0;border-radius:6px;cursor:pointer;' +
  `${tinted(10)};color:inherit;font:600 15px/1 inherit}` +
  `button:hover{${tinted(20)}}` +
  'button[aria-disabled=true]{opacity:.4;cursor:default}' +
  'p{margin:0}';

// Options that can be written as text, and how those are read that are not text themselves.
const json = (given, attribute) => {
  try {
    return JSON.parse(given);
  } catch {
    throw new TypeError(`the attribute ${attribute} of <attention-map> must be JSON`);
  }
};
const words = (given, attribute) =>
  /^\s*\[/.test(given) ? json(given, attribute) : given.split(/\s+/).filter(Boolean);
const text = (given) => given;
const readers = {
  weights: json,
  unseen: json,
  rowLabels: words,
  columnLabels: words,
  domain: (given, attribute) => (given[0] === '[' ? json(given, attribute) : given),
  rowTitle: text,
  columnTitle: text,
  valueTitle: text,
  label: text,
  colors: text,
};
const attributeOf = (option) => option.replace(/[A-Z]/, (letter) => `-${letter.toLowerCase()}`);

/** Makes the class when there are elements at all, which a server does not have. */
function createClass() {
  return class AttentionMap extends HTMLElement {
    static observedAttributes = Object.keys(readers).map(attributeOf);

    // Every option is a property too: frameworks hand over what they have as properties, where there are any.
    static {
      for (const option of Object.keys(heatmapKinds)) {
        if (/^on[A-Z]|^selected$/.test(option)) continue;
        const attribute = attributeOf(option);
        const property = {
          get() {
            return this.#given[option];
          },
          set(value) {
            const read = typeof value === 'string' && readers[option];
            try {
              this.update({ [option]: read ? read(value, attribute) : (value ?? null) });
            } catch (error) {
              this.#say(error.message);
            }
          },
        };
        // Vue looks for a property of the name that stands in the template.
        for (const name of [option, attribute]) {
          Object.defineProperty(this.prototype, name, property);
        }
      }
      // What a picture can do, the element does with the one that it has.
      for (const name of ['select', 'hover', 'zoomBy', 'fit', 'heightFor', 'toPNG', 'toSVG']) {
        this.prototype[name] = function ask(...given) {
          return this.#now()[name](...given);
        };
      }
    }

    #given = {};
    #picture = null;
    #canvas = makeElement('canvas', { part: 'canvas' });
    #message = makeElement('p', { part: 'message', role: 'alert' });
    #group = makeElement('div', { part: 'zoom' }, { className: 'zoom', hidden: true });
    #buttons = [
      ['−', 'Zoom out', () => this.zoomBy(1 / zoomStep)],
      ['+', 'Zoom in', () => this.zoomBy(zoomStep)],
      ['⤢', 'Show all', () => this.fit()],
    ].map(([textContent, title, act]) => {
      const names = { part: 'button', type: 'button', 'aria-label': title };
      const button = makeElement('button', names, { textContent, title });
      button.addEventListener('click', act);
      return button;
    });
    #waiting = false;
    #isOld = true; // what is drawn is not what was given
    #observer = null;

    // Whoever listens to the element listens to events.
    #callbacks = {
      onSelect: (detail) => this.dispatchEvent(new CustomEvent('select', { detail })),
      onHover: (detail) => this.dispatchEvent(new CustomEvent('hover', { detail })),
      onView: (view) => this.#showButtons(view),
    };

    constructor() {
      super();
      const root = this.attachShadow({ mode: 'open', delegatesFocus: true });
      const sheet = new CSSStyleSheet();
      sheet.replaceSync?.(sheetText);
      root.adoptedStyleSheets = [sheet];
      this.#group.append(...this.#buttons);
      root.append(this.#canvas, this.#group, this.#message);
      // Properties that were set before the element was defined.
      for (const name of Object.keys(this)) {
        if (!Object.hasOwn(heatmapKinds, name)) continue;
        const value = this[name];
        delete this[name];
        this[name] = value;
      }
    }

    connectedCallback() {
      this.#later();
      if (!canDraw(this.#canvas)) return;
      this.#observer = new ResizeObserver(() => this.#takeHeight());
      this.#observer.observe(this);
    }

    disconnectedCallback() {
      this.#observer?.disconnect();
      this.#picture?.destroy();
      this.#picture = null;
    }

    attributeChangedCallback(name, _before, value) {
      this[name] = value;
    }

    /** Options of heatmap(); what is not named stays. Drawn before the next frame. */
    update(options) {
      Object.assign(this.#given, options);
      this.#later();
    }

    get selected() {
      return this.#picture?.selected ?? null;
    }

    set selected(selected) {
      this.update({ selected });
    }

    // Several attributes and options that are set one after the other are one change.
    #later() {
      this.#isOld = true;
      if (this.#waiting) return;
      this.#waiting = true;
      queueMicrotask(() => {
        this.#waiting = false;
        if (this.isConnected) this.#draw();
      });
    }

    #now() {
      this.#draw();
      if (this.#picture) return this.#picture;
      throw new Error(
        '<attention-map> has no picture yet: it needs weights and a place in the page',
      );
    }

    #draw() {
      if (!this.#isOld || !this.#observer || !this.isConnected || !this.#given.weights) return;
      this.#isOld = false;
      try {
        const options = { ...this.#given, ...this.#callbacks };
        if (this.#picture) this.#picture.update(options);
        else {
          this.#canvas.style.height = this.hasAttribute('fill') ? '' : '1px';
          this.#picture = heatmap(this.#canvas, options);
        }
        this.#say('');
      } catch (error) {
        this.#say(error.message);
        return;
      }
      this.#takeHeight();
      delete this.#given.selected;
    }

    // As tall as the matrix is at this width, unless it fills what it was given.
    #takeHeight() {
      if (!this.#picture || this.hasAttribute('fill')) return;
      const height = `${this.#picture.heightFor(this.#canvas.clientWidth)}px`;
      if (this.#canvas.style.height !== height) this.#canvas.style.height = height;
    }

    #showButtons({ zoom, mostZoom }) {
      this.#group.hidden = mostZoom < seldomZoomed;
      // Not disabled: a button that has the focus would lose it.
      this.#buttons.forEach((button, at) => {
        button.setAttribute('aria-disabled', at === 1 ? zoom >= mostZoom : zoom <= 1);
      });
    }

    #say(message) {
      if (this.#message.textContent !== message) this.#message.textContent = message;
    }
  };
}

/** Names the element; once, and where there is a page. */
export function defineAttentionMap(name = 'attention-map') {
  const registry = globalThis.customElements;
  if (!registry || registry.get(name)) return;
  registry.define(name, createClass());
}
