// Drives the tour of the page, and reads its steps.

/** Count of its steps. */
export const stepCount = 13;

/** Waits until the step is drawn. */
export async function arrived(page, step) {
  await page.waitForFunction(
    (wanted) => {
      const tour = /** @type {HTMLElement} */ (document.querySelector('.tour'));
      const current = document.querySelector('.tour nav [aria-current]')?.textContent;
      return !tour.hidden && tour.dataset.waiting === 'false' && current === String(wanted + 1);
    },
    { timeout: 60_000 },
    step,
  );
  await page.waitForFunction(
    () => /** @type {Element} */ (document.querySelector('.ledger .spelled')).textContent !== '',
  );
}

/** Clicks a button of the tour by its text. */
export async function pressButton(page, text) {
  await page.evaluate((wanted) => {
    const all = Array.from(document.querySelectorAll('.tour .card button'));
    const found = /** @type {HTMLElement} */ (all.find((one) => one.textContent === wanted));
    found.click();
  }, text);
}

/** Content of a step: tables as text, the current number of each matrix, the chosen number. */
export const readStep = (page) =>
  page.evaluate(() => {
    const list = (selector, within = document) => Array.from(within.querySelectorAll(selector));
    return {
      title: list('.tour h2')[0].textContent,
      says: list('.tour .says')[0].textContent,
      tables: list('.tour table.number-table').map((one) =>
        list('tbody tr', one).map((line) => list('td', line).map((cell) => cell.textContent)),
      ),
      matrices: list('.tour .matrix').map((one) => one.getAttribute('aria-valuetext')),
      lines: list('.ledger .spelled p:not([hidden])').map((one) => one.textContent),
      trail: list('.ledger .trail button').map((one) => one.textContent),
      more: list('.tour .more').map((one) => one.textContent),
    };
  });

/** Number in a text such as "e of red, number 5: 0.123". */
export function saidBy(text) {
  const [[, number]] = text.matchAll(/: (\S+)$/g);
  return number;
}
