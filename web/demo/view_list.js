// Views of the picture, in the order of their menu. Menu, room, address, the controls that have an effect, and what the
// worker adds to the picture follow from a view's line; its component is page/views/NAME_view.js, which exports
// create(room, handlers) and imports its style.

/**
 * @typedef {object} View
 * @property {string} name
 * @property {string} title
 * @property {'head' | 'layer' | 'all'} shows
 * @property {'thumbnails' | 'beside'} [needs]
 * @property {Record<string, string>} [without]
 * @property {string} [of]
 */

/**
 * `name`: value of the state's field `view`, and name of the component; `title`: its name in the menu. `shows`: 'head',
 * one head at any stage; 'layer', weights of all heads of the layer; 'all', those of every layer. `needs`: what the
 * worker adds, 'thumbnails' of all heads, or the alternative 'beside'. `without`: controls without effect, and why.
 * `of`: the view that this one is a switch of, instead of an entry of the menu.
 * @type {View[]}
 */
export const views = [
  { name: 'matrix', title: 'Matrix', shows: 'head' },
  {
    name: 'lines',
    title: 'Lines',
    shows: 'layer',
    without: {
      perRow: 'Lines are as strong as their weights.',
      colors: 'Lines have the colors of their heads.',
    },
  },
  {
    name: 'heads',
    title: 'Heads',
    shows: 'all',
    needs: 'thumbnails',
    without: { threshold: 'The small pictures have all weights.' },
  },
  {
    name: 'table',
    title: 'Table of five digits',
    shows: 'head',
    of: 'matrix',
    without: {
      threshold: 'The table has all numbers.',
      perRow: 'The table has no colors.',
      colors: 'The table has no colors.',
    },
  },
  { name: 'compare', title: 'Compare', shows: 'head', needs: 'beside' },
];

/** @param {string} name one of the list */
export const viewNamed = (name) => /** @type {View} */ (views.find((view) => view.name === name));
