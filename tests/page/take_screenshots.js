// Screenshots of every view, light and dark, for phones, tablets and desktops.
// node tests/page/take_screenshots.js [FOLDER]      default: .build/screenshots

import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { launch } from '../support/js/browser.js';
import { root } from '../support/js/package.js';
import { drawn, servePage } from '../support/browser/page_driver.js';

const folder = resolve(process.argv[2] ?? join(root, '.build/screenshots'));
const spelled = 'source=ngrams';
const elephant = `${spelled}&first=The+pink+elephant+tried+to+get+into+the+car+but+it+was+too&row=2&column=3`;
const translated = 'mode=cross&first=&row=2&column=1';
const views = {
  start: '',
  encoder: '#part=encoder.2&view=heads',
  self: '#mode=self',
  pieces:
    '#first=The+pink+elephant+tried+to+get+into+the+car.&merge=no&hideSpecial=no&row=2&column=3',
  translation: `#${translated}`,
  lines: `#${translated}&view=lines&average=yes`,
  decoder: `#${translated}&part=decoder.1`,
  forced: '#mode=cross&first=Une+auto+rouge+est+l%C3%A0.&second=A+red+car+is+there.&row=2&column=1',
  causal: `#${elephant}&causal=yes`,
  masked: `#${elephant}&causal=yes&stage=masked`,
  spelled: `#${spelled}&mode=cross&first=Zuko+made+his+uncle+tea&second=The+tea+was+made+by+Zuko&row=4&column=1`,
  heads: `#${elephant}&view=heads&heads=8`,
  table: `#${elephant}&view=table`,
  compare: `#${translated}&view=compare`,
  effect_of_heads: `#${translated}&sweep=heads`,
  effect_of_words: `#${translated}&sweep=words`,
  difference: `#${elephant}&kind=elu&stage=difference`,
  long: `#${spelled}&first=${'The+quick+brown+fox+jumps+over+the+lazy+dog.+'.repeat(20)}`,
  arabic: `#${spelled}&first=${encodeURIComponent('خيط حرير على حيط خليل، وحيط خليل على خيط حرير')}&row=1&column=9`,
  files: '#source=files',
  own_model: '#source=own&mode=self',
  learn: '#mode=learn',
  ...Object.fromEntries(
    Array.from({ length: 13 }, (_, step) => [`tour_${step + 1}`, `#tour=${step}`]),
  ),
};

const screens = [
  [320, 640],
  [390, 844],
  [768, 1024],
  [1280, 720],
  [1440, 900],
];

mkdirSync(folder, { recursive: true });
const server = await servePage();
const browser = await launch('chromium');
try {
  for (const theme of ['light', 'dark']) {
    for (const [width, height] of screens) {
      for (const [name, hash] of Object.entries(views)) {
        const page = await browser.newPage();
        await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: theme }]);
        await page.setViewport({ width, height });
        await page.goto(server.url + hash);
        await drawn(page);
        await page.screenshot({
          path: join(folder, `${name}-${theme}-${width}.png`),
          fullPage: true,
        });
        await page.close();
      }
    }
  }
  console.log(`${Object.keys(views).length * 2 * screens.length} pictures are in ${folder}`);
} finally {
  await browser.close();
  await server.close();
}
