// <attention-map>: the heat map as an element, with buttons to zoom where cells are small. Attributes are
// for what is written in HTML, update() for what a script has.

import { heatmap } from './component.js';

const zoomStep = 1.5;
const seldomZoomed = 2.5; // a matrix whose cells can hardly grow needs no buttons

const sheetText = `
:host { display: block; position: relative; min-width: 12rem; }
:host([hidden]) { display: none; }
canvas { display: block; width: 100%; border-radius: 4px; outline-offset: 2px; }
:host([fill]) canvas { height: 100%; }
canvas:focus-visible { outline: 2px solid var(--heatmap-focus, currentColor); }
.zoom { position: absolute; top: 0; left: 0; display: flex; gap: 2px; }
@media print { .zoom { display: none; } }
.zoom[hidden] { display: none; }
button {
  width: 28px; height: 28px; padding: 0; border: 0; border-radius: 6px; cursor: pointer;
  background: color-mix(in srgb, currentColor 10%, transparent); color: inherit; font: 600 15px/1 inherit;
}
button:hover { background: color-mix(in srgb, currentColor 20%, transparent); }
button[aria-disabled='true'] { opacity: 0.4; cursor: default; }
button:focus-visible { outline: 2px solid var(--heatmap-focus, currentColor); }
p { margin: 0; }
p:empty { display: none; }
`;

// Attributes: how each is read, and the option that it is.
const json = (value, name) => {
  try {
    return JSON.parse(value);
  } catch {
    throw new TypeError(`the attribute ${name} of <attention-map> must be JSON`);
  }
};
const words = (value, name) => {
  return value.trim().startsWith('[') ? json(value, name) : value.split(/\s+/).filter(Boolean);
};
const attributes = {
  weights: ['weights', json],
  unseen: ['unseen', json],
  'row-labels': ['rowLabels', words],
  'column-labels': ['columnLabels', words],
  'row-title': ['rowTitle', String],
  'column-title': ['columnTitle', String],
  'value-title': ['valueTitle', String],
  label: ['label', String],
  colors: ['colors', String],
  domain: ['domain', (value, name) => (value.startsWith('[') ? json(value, name) : value)],
};

/** Makes the class when there are elements at all, which a server does not have. */
function createClass() {
  return class AttentionMap extends HTMLElement {
    static observedAttributes = Object.keys(attributes);

    #given = {};
    #picture = null;
    #canvas = null;
    #buttons = null;
    #message = null;
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
      sheet.replaceSync(sheetText);
      root.adoptedStyleSheets = [sheet];
      this.#canvas = document.createElement('canvas');
      this.#canvas.setAttribute('part', 'canvas');
      this.#message = Object.assign(document.createElement('p'), { role: 'alert' });
      this.#message.setAttribute('part', 'message');
      root.append(this.#canvas, this.#createButtons(), this.#message);
    }

    connectedCallback() {
      this.#later();
      this.#observer = new ResizeObserver(() => this.#takeHeight());
      this.#observer.observe(this);
    }

    disconnectedCallback() {
      this.#observer?.disconnect();
      this.#picture?.destroy();
      this.#picture = null;
    }

    attributeChangedCallback(name, _before, value) {
      const [option, read] = attributes[name];
      try {
        this.#given[option] = value === null ? null : read(value, name);
      } catch (error) {
        this.#say(error.message);
        return;
      }
      this.#later();
    }

    /** Options of heatmap(); what is not named stays. Drawn before the next frame. */
    update(options) {
      Object.assign(this.#given, options);
      this.#later();
    }

    select(cell) {
      this.#now().select(cell);
    }

    /** Puts the cross-hair on a cell, a row or a column without selecting it, and back with `null`. */
    hover(cell) {
      this.#now().hover(cell);
    }

    get selected() {
      return this.#picture?.selected ?? null;
    }

    zoomBy(factor) {
      this.#now().zoomBy(factor);
    }

    fit() {
      this.#now().fit();
    }

    toPNG(options) {
      return this.#now().toPNG(options);
    }

    toSVG(options) {
      return this.#now().toSVG(options);
    }

    #createButtons() {
      const group = document.createElement('div');
      group.className = 'zoom';
      group.hidden = true;
      group.setAttribute('part', 'zoom');
      const button = (text, label, act) => {
        const made = Object.assign(document.createElement('button'), {
          type: 'button',
          textContent: text,
          title: label,
        });
        made.setAttribute('part', 'button');
        made.setAttribute('aria-label', label);
        made.addEventListener('click', act);
        return made;
      };
      this.#buttons = {
        group,
        out: button('−', 'Zoom out', () => this.zoomBy(1 / zoomStep)),
        in: button('+', 'Zoom in', () => this.zoomBy(zoomStep)),
        all: button('⤢', 'Show all', () => this.fit()),
      };
      group.append(this.#buttons.out, this.#buttons.in, this.#buttons.all);
      return group;
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
      if (!this.#isOld || !this.isConnected || !this.#given.weights) return;
      this.#isOld = false;
      try {
        if (this.#picture) this.#picture.update({ ...this.#given, ...this.#callbacks });
        else this.#create();
        this.#say('');
      } catch (error) {
        this.#say(error.message);
        return;
      }
      this.#takeHeight();
      delete this.#given.selected;
    }

    #create() {
      this.#canvas.style.height = this.hasAttribute('fill') ? '' : '1px';
      this.#picture = heatmap(this.#canvas, { ...this.#given, ...this.#callbacks });
    }

    // As tall as the matrix is at this width, unless it fills what it was given.
    #takeHeight() {
      if (!this.#picture || this.hasAttribute('fill')) return;
      const height = `${this.#picture.heightFor(this.#canvas.clientWidth)}px`;
      if (this.#canvas.style.height !== height) this.#canvas.style.height = height;
    }

    #showButtons({ zoom, mostZoom }) {
      const { group, out, in: into, all } = this.#buttons;
      group.hidden = mostZoom < seldomZoomed;
      // Not disabled: a button that has the focus would lose it.
      for (const one of [out, all]) one.setAttribute('aria-disabled', String(zoom <= 1));
      into.setAttribute('aria-disabled', String(zoom >= mostZoom));
    }

    #say(text) {
      if (this.#message.textContent !== text) this.#message.textContent = text;
    }
  };
}

/** Names the element; once, and where there is a page. */
export function defineAttentionMap(name = 'attention-map') {
  const registry = globalThis.customElements;
  if (!registry || registry.get(name)) return;
  registry.define(name, createClass());
}
