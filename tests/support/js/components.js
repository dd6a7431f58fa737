// Components of the page as HTML, without a browser. Who imports this file can then load .jsx files, by import().

import '../../../web/jsx_in_node.js';
import { renderToString } from 'preact-render-to-string';

export const { h } = await import('../../../web/demo/page/component.jsx');

export const written = (component) => renderToString(component);

/** Text of HTML without its tags, spaces as one. */
export const textOf = (html) =>
  html
    .replace(/<[^>]*>/g, '')
    .replace(/\s+/g, ' ')
    .trim();
