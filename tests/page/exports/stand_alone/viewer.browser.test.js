// The empty viewer, filled by Python as its own text says, and opened from disk without a network.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { problems } from '../../../support/browser/axe.js';
import { cellsOfMap } from '../../../support/browser/cells_of_map.js';
import { catchFiles, exported, open, startPage } from '../../../support/browser/page_driver.js';
import { listen } from '../../../support/js/browser.js';
import { root } from '../../../support/js/package.js';
import { pythonWith } from '../../../support/js/python.js';

describe('the empty viewer', { timeout: 300_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'viewer-'));
  const demo = startPage('chromium');

  before(async () => {
    const { page } = await open(demo.browser, demo.url, '#source=files');
    await catchFiles(page);
    const file = await exported(page, 'viewer');
    assert.deepEqual([file.name, file.type], ['attention-viewer.html', 'text/html']);
    writeFileSync(join(folder, file.name), file.text);
    assert.equal(await page.$eval('.formats [role="status"]', (one) => one.textContent), file.says);
    await page.close();
  });

  after(() => {
    rmSync(folder, { recursive: true });
  });

  /** Opens a file of the folder in a page that may load nothing. */
  async function openFile(name) {
    const opened = await demo.browser.newPage();
    const said = listen(opened);
    const address = pathToFileURL(join(folder, name)).href;
    opened.on('request', (request) => request.url() !== address && said.push(request.url()));
    await opened.goto(address);
    return { opened, said };
  }

  /** Runs the lines that the viewer shows, IPython's IFrame left out; `given`: lines that make weights and tokens. */
  async function fill(given) {
    const { opened } = await openFile('attention-viewer.html');
    const lines = await opened.$eval('pre', (one) => one.textContent);
    await opened.close();
    const program = lines
      .replace('from IPython.display import IFrame', 'IFrame = lambda *given: None')
      .replaceAll('; IFrame', '\nIFrame');
    const { status, stderr } = spawnSync(
      pythonWith('numpy'),
      ['-c', `import numpy\n${given}\n${program}`],
      { cwd: folder },
    );
    assert.equal(status, 0, String(stderr));
  }

  it('says in itself how it is filled', async () => {
    const { opened, said } = await openFile('attention-viewer.html');
    const shown = await opened.$$eval('main > *', (all) =>
      all.filter((one) => one.checkVisibility()).map((one) => one.className),
    );
    assert.deepEqual(shown.includes('without-arrays'), true);
    assert.deepEqual(shown.includes('with-arrays'), false);
    // The guide has the same lines.
    const guide = readFileSync(join(root, 'web/reference/guides/notebook.md'), 'utf8');
    const lines = await opened.$eval('pre', (one) => one.textContent);
    assert.ok(guide.includes(`\n\`\`\`python\n${lines}\n\`\`\`\n`));
    assert.deepEqual(await problems(opened), []);
    assert.deepEqual(said, []);
    await opened.close();
  });

  it('draws the layer, example and head that is chosen, and the average', async () => {
    await fill(
      [
        'weights = numpy.random.default_rng(3).random((2, 2, 3, 4, 4))',
        'weights /= weights.sum(-1, keepdims=True)',
        'numpy.savetxt("truth.txt", weights.ravel())',
        'tokens = [["</script>", "<b>", "été", "🍵"], ["e", "f", "g", "h"]]',
      ].join('\n'),
    );
    const truth = readFileSync(join(folder, 'truth.txt'), 'utf8').split('\n').map(Number);
    const { opened, said } = await openFile('attention.html');
    await opened.waitForFunction(() => document.querySelector('.numbers').textContent !== '');
    const check = async (layer, example, heads, names) => {
      const { values, rows, columns } = await cellsOfMap(opened);
      assert.deepEqual([rows, columns], [names, names]);
      const from = (layer * 2 + example) * 3 * 16;
      for (let at = 0; at < 16; ++at) {
        const expected =
          heads.reduce((sum, head) => sum + truth[from + head * 16 + at], 0) / heads.length;
        const value = values[`${Math.floor(at / 4)},${at % 4}`];
        assert.ok(Math.abs(value - expected) < 1e-4, `${at}: ${value} for ${expected}`);
      }
    };
    await check(0, 0, [0], ['</script>', '<b>', 'été', '🍵']);
    await opened.select('#example', '1');
    await opened.select('#layer', '1');
    await opened.select('#head', '2');
    await check(1, 1, [2], ['e', 'f', 'g', 'h']);
    await opened.select('#head', '3');
    await check(1, 1, [0, 1, 2], ['e', 'f', 'g', 'h']);
    assert.deepEqual(await problems(opened), []);
    assert.deepEqual(said, []);
    await opened.close();
  });

  it('says why arrays cannot be drawn, and what their rows sum to', async () => {
    for (const [given, sentence] of [
      ['weights = numpy.full((2, 2), numpy.nan); tokens = ["a", "b"]', /line 1 has NaN/],
      ['weights = numpy.eye(2); tokens = ["a"]', /tokens has 1 name for 2 rows/],
      ['weights = numpy.eye(2) / 2; tokens = ["a", "b"]', /rows sum to 0\.500 … 0\.500/],
    ]) {
      await fill(given);
      const { opened } = await openFile('attention.html');
      await opened.waitForFunction(() => document.querySelector('.said').textContent !== '');
      assert.match(await opened.$eval('.said', (one) => one.textContent), sentence);
      await opened.close();
    }
  });
});
