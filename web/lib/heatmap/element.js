// <attention-map>: the heat map as a custom element, with zoom buttons where cells are small. Options are attributes in
// HTML, and properties or update() in scripts.

import { messageOf } from '../arguments/message_of.js';
import { canDraw } from './can_draw.js';
import { heatmap } from './component.js';
import { newElement } from './elements.js';
import { heatmapKinds } from './options.js';

const zoomStep = 1.5;
const minZoomForButtons = 2.5; // a smaller maximum zoom needs no buttons

const tint = (percent) => `background:color-mix(in srgb,currentColor ${percent}%,transparent)`;
const sheetText =
  ':host{display:block;position:relative;min-width:12rem}' +
  ':host([hidden]),.zoom[hidden],p:empty{display:none}' +
  'canvas{display:block;width:100%;border-radius:4px;outline-offset:2px}' +
  ':host([fill]),:host([fill]) canvas{height:100%}' +
  ':focus-visible{outline:2px solid var(--heatmap-focus,currentColor)}' +
  '.zoom{position:absolute;top:0;left:0;display:flex;gap:2px}' +
  '@media print{.zoom{display:none}}' +
  'button{width:28px;height:28px;padding:0;border:0;border-radius:6px;cursor:pointer;' +
  `${tint(10)};color:inherit;font:600 15px/1 inherit}` +
  `button:hover{${tint(20)}}` +
  'button[aria-disabled=true]{opacity:.4;cursor:default}' +
  'p{margin:0}';

// Options that can be attributes, and the parsers of their text.
const json = (input, attribute) => {
  try {
    return JSON.parse(input);
  } catch {
    throw new TypeError(`the attribute ${attribute} of <attention-map> must be JSON`);
  }
};
const words = (input, attribute) =>
  /^\s*\[/.test(input) ? json(input, attribute) : input.split(/\s+/).filter(Boolean);
const text = (input) => input;
/** @type {Record<string, (input: string, attribute: string) => unknown>} */
const readers = {
  weights: json,
  unseen: json,
  rowLabels: words,
  columnLabels: words,
  domain: (input, attribute) => (input[0] === '[' ? json(input, attribute) : input),
  rowTitle: text,
  columnTitle: text,
  valueTitle: text,
  label: text,
  colors: text,
};
const attributeOf = (option) => option.replace(/[A-Z]/, (capital) => `-${capital.toLowerCase()}`);

/** Creates the class; in a function because HTMLElement does not exist on servers. */
function createClass() {
  return class AttentionMap extends HTMLElement {
    static observedAttributes = this.#addMembers();

    /** Adds what options and the heat map have; returns the names of the attributes. */
    static #addMembers() {
      // Every option is a property too: frameworks set properties where they exist.
      for (const option of Object.keys(heatmapKinds)) {
        if (/^on[A-Z]|^selected$/.test(option)) continue;
        const attribute = attributeOf(option);
        const property = {
          get() {
            return this.#options[option];
          },
          set(value) {
            const read = typeof value === 'string' && readers[option];
            try {
              this.update({ [option]: read ? read(value, attribute) : (value ?? null) });
            } catch (error) {
              this.#showMessage(messageOf(error));
            }
          },
        };
        // Vue looks for a property with the name that the template uses.
        for (const name of [option, attribute]) {
          Object.defineProperty(this.prototype, name, property);
        }
      }
      // Methods of the heat map.
      for (const name of [
        'select',
        'hover',
        'cellAt',
        'zoomBy',
        'fit',
        'heightFor',
        'toPNG',
        'toSVG',
      ]) {
        this.prototype[name] = function forward(...input) {
          return Reflect.get(this.#requirePicture(), name)(...input);
        };
      }
      return Object.keys(readers).map(attributeOf);
    }

    #options = {};
    /** @type {ReturnType<typeof heatmap> | null} */
    #picture = null;
    #canvas = newElement('canvas', { part: 'canvas' });
    #message = newElement('p', { part: 'message', role: 'alert' });
    #group = newElement('div', { part: 'zoom' }, { className: 'zoom', hidden: true });
    #buttons = [
      {
        textContent: '−',
        title: 'Zoom out',
        act: () => this.#requirePicture().zoomBy(1 / zoomStep),
      },
      { textContent: '+', title: 'Zoom in', act: () => this.#requirePicture().zoomBy(zoomStep) },
      { textContent: '⤢', title: 'Show all', act: () => this.#requirePicture().fit() },
    ].map(({ textContent, title, act }) => {
      const names = { part: 'button', type: 'button', 'aria-label': title };
      const button = newElement('button', names, { textContent, title });
      button.addEventListener('click', act);
      return button;
    });
    #isScheduled = false;
    #isOutdated = true; // whether the options changed since the last drawing
    /** @type {ResizeObserver | null} */
    #observer = null;

    // Callbacks of the heat map become events.
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
      // Properties set before the element was defined: deletes the own ones and sets those of the class.
      for (const name of Object.keys(this)) {
        if (!Object.hasOwn(heatmapKinds, name)) continue;
        const value = this[name];
        delete this[name];
        this[name] = value;
      }
    }

    connectedCallback() {
      this.#scheduleDraw();
      if (!canDraw(this.#canvas)) return;
      const observer = new ResizeObserver(() => this.#takeHeight());
      observer.observe(this);
      this.#observer = observer;
    }

    disconnectedCallback() {
      this.#observer?.disconnect();
      this.#picture?.destroy();
      this.#picture = null;
    }

    attributeChangedCallback(name, _before, value) {
      this[name] = value;
    }

    /** Changes options of heatmap(); absent ones stay. Draws before the next frame. */
    update(options) {
      Object.assign(this.#options, options);
      this.#scheduleDraw();
    }

    get selected() {
      return this.#picture?.selected ?? null;
    }

    set selected(selected) {
      this.update({ selected });
    }

    // Combines several changes in a row into one drawing.
    #scheduleDraw() {
      this.#isOutdated = true;
      if (this.#isScheduled) return;
      this.#isScheduled = true;
      queueMicrotask(() => {
        this.#isScheduled = false;
        if (this.isConnected) this.#draw();
      });
    }

    #requirePicture() {
      this.#draw();
      if (this.#picture) return this.#picture;
      throw new Error(
        '<attention-map> has no picture yet: it needs weights and must be in the page',
      );
    }

    #draw() {
      if (!this.#isOutdated || !this.isConnected || !this.#options.weights) return;
      this.#isOutdated = false;
      try {
        const options = { ...this.#options, ...this.#callbacks };
        if (this.#picture) this.#picture.update(options);
        else {
          this.#canvas.style.height = this.hasAttribute('fill') ? '' : '1px';
          this.#picture = heatmap(this.#canvas, options);
        }
        this.#showMessage('');
      } catch (error) {
        this.#showMessage(messageOf(error));
        return;
      }
      this.#takeHeight();
      delete this.#options.selected;
    }

    // Sets the height that the matrix needs at this width, unless the attribute `fill` is set.
    #takeHeight() {
      if (!this.#picture || this.hasAttribute('fill')) return;
      const height = `${this.#picture.heightFor(this.#canvas.clientWidth)}px`;
      if (this.#canvas.style.height !== height) this.#canvas.style.height = height;
    }

    #showButtons({ zoom, maxZoom }) {
      this.#group.hidden = maxZoom < minZoomForButtons;
      // Not disabled: a button that has the focus would lose it.
      this.#buttons.forEach((button, at) => {
        button.setAttribute('aria-disabled', at === 1 ? zoom >= maxZoom : zoom <= 1);
      });
    }

    #showMessage(message) {
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
