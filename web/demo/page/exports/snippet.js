// The lines of HTML that put what is shown into another page: the compact page, in a frame.

import { writeAddress } from '../address.js';
import { captionOf } from './caption.js';

// In ASCII alone, whatever the other page is written in.
const attribute = (text) =>
  text.replace(/[&"<>]|[^\x20-\x7e]/gu, (sign) => `&#${sign.codePointAt(0)};`);

/** `shown` is what is shown. */
export function snippet(shown) {
  const address = new URL(`embed.html${writeAddress(shown.state)}`, document.baseURI).href;
  const [texts] = captionOf(shown);
  return [
    `<iframe src="${attribute(address)}"`,
    `  title="${attribute(`Attention: ${texts}`)}"`,
    '  width="700" height="500" style="max-width: 100%; border: 0" loading="lazy"></iframe>',
    '',
  ].join('\n');
}
