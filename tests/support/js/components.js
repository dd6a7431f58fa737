// Components of the page as HTML, without a browser.

import { renderToString } from 'preact-render-to-string';

export const written = (component) => renderToString(component);

/** Text of HTML without its tags, spaces as one. */
export const textOf = (html) =>
  html
    .replace(/<[^>]*>/g, '')
    .replace(/\s+/g, ' ')
    .trim();
