// The lines of HTML that put what is shown into another page: the compact page, in a frame.

import { writeAddress } from '../address.js';
import { captionOf } from './caption.js';

const attribute = (text) =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');

/** `shown` is what is shown; without its selection the frame would begin at another one. */
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
