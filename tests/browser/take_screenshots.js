// Pictures of the page to be looked at: every view, light and dark, on a phone, a tablet and a desk.
//   node tests/browser/take_screenshots.js [FOLDER]      default: .build/screenshots

import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { launch } from '../support/browser.js';
import { root } from '../support/package.js';
import { drawn, servePage } from './page_driver.js';

const folder = resolve(process.argv[2] ?? join(root, '.build/screenshots'));
const elephant = 'first=The+pink+elephant+tried+to+get+into+the+car+but+it+was+too&row=2&column=3';
const views = {
  start: '',
  tea: '#first=Zuko+made+his+uncle+tea&row=4&column=3',
  causal: `#${elephant}&causal=yes`,
  masked: `#${elephant}&causal=yes&stage=masked`,
  lines: `#${elephant}&view=lines&heads=4`,
  heads: `#${elephant}&view=heads&heads=8`,
  table: `#${elephant}&view=table`,
  cross: '#mode=cross&first=Zuko+made+his+uncle+tea&row=4&column=1&heads=2',
  difference: `#${elephant}&kind=elu&stage=difference`,
  long: `#first=${'The+quick+brown+fox+jumps+over+the+lazy+dog.+'.repeat(20)}`,
  arabic: `#first=${encodeURIComponent('خيط حرير على حيط خليل، وحيط خليل على خيط حرير')}&row=1&column=9`,
  files: '#source=files',
  lookup: '#mode=lookup',
};

mkdirSync(folder, { recursive: true });
const server = await servePage();
const browser = await launch('chromium');
try {
  for (const theme of ['light', 'dark']) {
    for (const width of [360, 768, 1440]) {
      for (const [name, hash] of Object.entries(views)) {
        const page = await browser.newPage();
        await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: theme }]);
        await page.setViewport({ width, height: 900 });
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
  console.log(`${Object.keys(views).length * 6} pictures are in ${folder}`);
} finally {
  await browser.close();
  await server.close();
}
