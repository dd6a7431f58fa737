// Memory of the page under random typing for minutes, in all views, modes and kinds: samples, growth and rest.
// node tests/page/typing_soak.js [--minutes 10] [--browser chromium] [--seed WORD]
import { parseArgs } from 'node:util';
import { launch } from '../support/js/browser.js';
import { soakPage } from '../support/browser/soak_page.js';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    browser: { type: 'string', default: 'chromium' },
    seed: { type: 'string', default: 'soak' },
  },
});
const english = (number) => number.toLocaleString('en');
const line = (held) =>
  Object.entries(held)
    .map(([name, number]) => `${name} ${english(number)}`)
    .join(', ');

const browser = await launch(values.browser);
try {
  const { done, samples, grown, said } = await soakPage(values.browser, browser, {
    seconds: 60 * Number(values.minutes),
    seed: values.seed,
    report: ({ seconds, letters, held }) =>
      console.log(`${Math.round(seconds)} s, ${english(letters)} letters: ${line(held)}`),
  });
  console.log(
    `${english(done.letters)} letters and ${english(done.changes)} changes; ` +
      `from the first half to the second, of ${samples.length} looks: ${line(grown)}`,
  );
  for (const one of said) console.log(one);
} finally {
  await browser.close();
}
