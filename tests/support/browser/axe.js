// Accessibility violations that axe-core finds on a page.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const all = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** Violations of WCAG 2.2 AA and of axe's own best practice, as texts. */
export const problems = (page) => violationsOf(page, { type: 'tag', values: all });

/** Contrast violations in dark colors; the other rules do not depend on colors. */
export async function darkProblems(page) {
  await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: 'dark' }]);
  const found = await violationsOf(page, { type: 'rule', values: ['color-contrast'] });
  await page.emulateMediaFeatures([]);
  return found;
}

async function violationsOf(page, runOnly) {
  // Colors are measured after transitions have ended.
  await page.evaluate(async () => {
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    // Those in a closed <details> do not run.
    const transitions = document
      .getAnimations()
      .filter((one) => one instanceof CSSTransition)
      .filter(({ effect }) => effect instanceof KeyframeEffect && effect.target?.checkVisibility());
    await Promise.allSettled(transitions.map(({ finished }) => finished));
  });
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe);
  const { violations } = await page.evaluate(
    (only) => globalThis.axe.run(document, { runOnly: only, resultTypes: ['violations'] }),
    runOnly,
  );
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 160)} ${failureSummary}`),
  );
}
