// The API reference in a browser: under any path, by keyboard, light and dark, with examples that are
// edited and run.

import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { writeSafetensors } from 'attention-wasm/safetensors';
import { launch, listen, serve } from '../support/js/browser.js';
import { root } from '../support/js/package.js';
import { watchPrints } from '../support/js/printed_comments.js';
import { policyOf } from '../../web/policy.js';
import { readGuides } from '../../web/reference/guides.js';
import { problems } from '../support/browser/axe.js';

const built = join(root, '.build/page');
const { exports } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
const entries = Object.keys(exports)
  .filter((path) => exports[path].types)
  .map((path) => `${path === '.' ? 'main' : path.slice(2)}.html`);
const guides = readGuides();
const pages = ['index.html', ...entries, ...guides.map(({ page }) => page)];
const read = (name) => readFile(join(built, 'api', name), 'utf8');

/** Serves the page below a path, with its own policies or one policy for all files: { url, close() }. */
async function serveBelow(path, policy = policyOf) {
  const folder = await mkdtemp(join(tmpdir(), 'attention-reference-'));
  await mkdir(dirname(join(folder, path)), { recursive: true });
  await symlink(built, join(folder, path));
  const headers = (address) => ({ 'Content-Security-Policy': policy(address) });
  const server = await serve([folder], { headers });
  const close = async () => {
    await server.close();
    await rm(folder, { recursive: true, force: true });
  };
  return { url: `${server.url}${path}/api/`, close };
}

/** The nth example of a page, from 0: actions of a reader, and its visible state. */
function exampleOn(page, index = 0) {
  const find = async (selector) => {
    const block = (await page.$$('.example:not([data-runs="node"])'))[index];
    return block.$(selector);
  };
  const button = (name) => find(`button[aria-label^="${name}"]`);
  const output = async () => (await find('.output')).evaluate((one) => one.innerText.trim());
  return {
    button,
    click: async (name) => (await button(name)).click(),
    field: () => find('textarea'),
    output,
    has: async (selector) => (await find(selector)) !== null,
    /** Runs it to its end; returns its output by lines. */
    async run() {
      const element = await button('Run');
      await element.click();
      await page.waitForFunction((one) => one.textContent === 'Run', { timeout: 60_000 }, element);
      return (await output()).split('\n');
    },
    async write(code) {
      const field = await find('textarea');
      await field.focus();
      await page.keyboard.down('Control');
      await page.keyboard.press('a');
      await page.keyboard.up('Control');
      await page.keyboard.type(code);
    },
  };
}

/** The files of a Llama of one layer with random weights. */
function tinyModel() {
  const config = {
    model_type: 'llama',
    vocab_size: 6,
    hidden_size: 8,
    num_hidden_layers: 1,
    num_attention_heads: 2,
    intermediate_size: 16,
    max_position_embeddings: 64,
    rms_norm_eps: 1e-5,
    hidden_act: 'silu',
    tie_word_embeddings: true,
  };
  const layer = 'model.layers.0.';
  const shapes = {
    'model.embed_tokens.weight': [6, 8],
    'model.norm.weight': [8],
    [`${layer}input_layernorm.weight`]: [8],
    [`${layer}post_attention_layernorm.weight`]: [8],
    [`${layer}mlp.gate_proj.weight`]: [16, 8],
    [`${layer}mlp.up_proj.weight`]: [16, 8],
    [`${layer}mlp.down_proj.weight`]: [8, 16],
  };
  for (const name of 'qkvo') shapes[`${layer}self_attn.${name}_proj.weight`] = [8, 8];
  const tensorOf = (dims) => ({
    data: Float32Array.from({ length: dims[0] * (dims[1] ?? 1) }, (_, i) => Math.sin(i + 1)),
    dims,
  });
  const tensors = Object.entries(shapes).map(([name, dims]) => [name, tensorOf(dims)]);
  const vocab = { '?': 0, the: 1, cat: 2, sat: 3, on: 4, mat: 5 };
  return {
    'config.json': JSON.stringify(config),
    'model.safetensors': writeSafetensors(Object.fromEntries(tensors)),
    'tokenizer.json': JSON.stringify({
      pre_tokenizer: { type: 'Whitespace' },
      model: { type: 'WordLevel', vocab, unk_token: '?' },
    }),
  };
}

describe('the files of the reference', () => {
  it('are a page for every entry, and what these link to', async () => {
    const texts = new Map(await Promise.all(pages.map(async (name) => [name, await read(name)])));
    const there = new Set((await readdir(built, { recursive: true })).map((path) => join(path)));
    const wrong = [];
    let count = 0;
    for (const [name, text] of texts) {
      const ids = [...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
      assert.equal(new Set(ids).size, ids.length, `${name} has an id twice`);
      for (const [, address] of text.matchAll(/ (?:href|src)="([^"]+)"/g)) {
        count++;
        const { origin, pathname, hash } = new URL(address, `http://here/api/${name}`);
        const path = pathname.slice(1).replace(/(^|\/)$/, '$1index.html');
        const target = path.startsWith('api/') ? texts.get(path.slice(4)) : '';
        const isThere = origin === 'http://here' && there.has(path);
        const anchor = decodeURIComponent(hash.slice(1));
        if (!isThere || (anchor && !target.includes(` id="${anchor}"`))) {
          wrong.push(`${name}: ${address}`);
        }
        if (address.startsWith('/')) wrong.push(`${name} is not relative: ${address}`);
      }
    }
    assert.ok(count > 500, `${count} links`);
    assert.deepEqual(wrong, []);
    assert.match(await readFile(join(built, 'index.html'), 'utf8'), /href="\.\/api\/"/);
  });

  it('find every page by the search, with a sentence', async () => {
    const entriesFound = JSON.parse(await read('search.json'));
    const found = new Set(entriesFound.map(([, address]) => address.split('#')[0]));
    assert.deepEqual([...found].sort(), pages.filter((name) => name !== 'index.html').sort());
    const texts = new Map(await Promise.all(pages.map(async (name) => [name, await read(name)])));
    for (const [name, address, sentence] of entriesFound) {
      const [page, anchor] = address.split('#');
      assert.ok(!anchor || texts.get(page).includes(` id="${anchor}"`), address);
      assert.ok(name && sentence.length > 3 && !/[`{}]/.test(sentence), `${name}: ${sentence}`);
    }
  });

  it('ask nobody else for anything, and are no part of what the page keeps', async () => {
    for (const name of ['reference.css', 'reference.js', 'run/run.css', 'run/run.js', ...pages]) {
      assert.doesNotMatch(await read(name), /(?:src|url)[=(]["']?(?:https?:)?\/\//, name);
    }
    const worker = await readFile(join(built, 'service_worker.js'), 'utf8');
    assert.doesNotMatch(worker, /\bapi\//);
  });
});

describe('the reference', { timeout: 600_000 }, () => {
  let browser;
  let server;

  before(async () => {
    server = await serveBelow('some/where');
    browser = await launch('chromium');
  });

  after(async () => {
    await browser?.close();
    await server?.close();
  });

  const open = async (path, { width = 1280, theme } = {}) => {
    const page = await browser.newPage();
    const said = listen(page);
    await page.setViewport({ width, height: 900 });
    if (theme) await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: theme }]);
    await page.goto(server.url + path);
    return { page, said };
  };

  it('runs an example, changed and unchanged, and draws its weights', async () => {
    const { page, said } = await open('text.html');
    const example = exampleOn(page);
    assert.deepEqual((await example.run())[0], '5 [ 5, 64 ] [ 5, 5 ]');
    const label = await page.$eval('.output attention-map', (map) => map.rowLabels[3]);
    assert.equal(label, 'uncle');

    await example.click('Edit');
    await example.write(
      `import { words } from 'attention-wasm/text';\nconsole.log(words('a b').length, 'é');`,
    );
    assert.deepEqual(await example.run(), ['2 é']);
    assert.equal(await example.has('attention-map'), false);

    await example.write(`import { words } from 'attention-wasm/text';\nconsole.log(1);\nwords(3);`);
    await page.keyboard.down('Control');
    await page.keyboard.press('Enter');
    await page.keyboard.up('Control');
    await page.waitForFunction(() => document.querySelector('.output .error'));
    assert.match(await example.output(), /^1\nTypeError: .*text.*3/);

    await example.write('const weights = ;');
    assert.match((await example.run()).join(), /^SyntaxError: /);

    await example.click('Reset');
    assert.equal(await example.has('textarea'), false);
    assert.match((await example.run())[0], /^5 /);
    assert.deepEqual(said, []);
    await page.close();
  });

  it('stops an example that does not end', async () => {
    const { page, said } = await open('text.html');
    const example = exampleOn(page, 1);
    await example.click('Edit');
    await example.write(`console.log('begun');\nfor (;;);`);
    await example.click('Run');
    await page.waitForFunction(() => document.body.innerText.includes('begun'));
    await example.click('Run');
    assert.match(await example.output(), /^begun\n.*stopped$/s);
    await example.click('Reset');
    assert.match((await example.run())[0], /'panic'/);
    assert.deepEqual(said, []);
    await page.close();
  });

  it('is used by the keyboard: Tab goes into the code and out of it', async () => {
    const { page } = await open('text.html');
    const active = () =>
      page.evaluate(() => {
        const { activeElement: one } = document;
        return one.getAttribute('aria-label') ?? one.textContent;
      });
    for (let step = 0; (await active()) !== 'Edit example 1'; step++) {
      assert.ok(step < 60, 'Tab does not come to the first example');
      await page.keyboard.press('Tab');
    }
    await page.keyboard.press('Enter');
    assert.equal(await active(), 'Code of example 1');
    await page.keyboard.press('Tab');
    assert.equal(await active(), 'Run example 1');
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => document.querySelector('.output attention-map'));
    await page.close();
  });

  it('finds names by the keyboard: / goes to the search, arrows and Enter follow a result', async () => {
    const { page, said } = await open('text.html');
    await page.keyboard.press('/');
    await page.keyboard.type('kEyValueCache.app');
    await page.waitForFunction(() => document.querySelector('search li'));
    assert.equal(await page.$eval('search [role="status"]', (one) => one.textContent), '1 found');
    await page.keyboard.press('ArrowDown');
    const followed = page.waitForNavigation();
    await page.keyboard.press('Enter');
    await followed;
    assert.match(await page.evaluate(() => location.href), /\/main\.html#KeyValueCache\.append$/);
    const firstOf = async (typed) => {
      await page.$eval('search input', (field) => (field.value = ''));
      await page.type('search input', typed);
      await page.waitForFunction(
        (text) => document.querySelector('search li code')?.textContent.includes(text),
        {},
        typed.replace('()', ''),
      );
      return page.$eval('search li code', (code) => code.textContent);
    };
    assert.equal(await firstOf('attention()'), 'attention');
    assert.equal(await firstOf('heatmapSVG'), 'heatmapSVG');
    await page.keyboard.press('Escape');
    assert.equal(await page.$('search li'), null);
    assert.deepEqual(said, []);
    await page.close();
  });

  it('copies an example as it was edited', async () => {
    const { page, said } = await open('text.html');
    await browser
      .defaultBrowserContext()
      .overridePermissions(new URL(server.url).origin, [
        'clipboard-read',
        'clipboard-sanitized-write',
      ]);
    const clipboard = () => page.evaluate(() => navigator.clipboard.readText());
    const example = exampleOn(page);
    await page.bringToFront();
    await example.click('Copy');
    await page.waitForSelector('button[aria-label="Copied example 1"]');
    assert.match(await clipboard(), /^import \{.*\} from 'attention-wasm/);
    await example.click('Edit');
    await example.write('let edited;');
    await (await example.button('Cop')).click();
    assert.equal(await clipboard(), 'let edited;');
    assert.deepEqual(said, []);
    await page.close();
  });

  it('draws a model that is chosen in the guide', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'attention-model-'));
    const { page, said } = await open('my_model.html');
    try {
      for (const [name, content] of Object.entries(tinyModel())) {
        await writeFile(join(folder, name), content);
      }
      await exampleOn(page).run();
      const frame = page.frames().find((one) => one.url().endsWith('run/run.html'));
      const field = await frame.$('input[type="file"]');
      await field.uploadFile(folder);
      await frame.waitForFunction(() => /layers/.test(document.body.innerText));
      const status = await frame.$eval('[role="status"]', (one) => one.textContent);
      assert.equal(status, '1 layers, 2 heads: head 1 of the last layer');
      assert.equal(await frame.$eval('canvas', (canvas) => canvas.getAttribute('role')), 'grid');
      assert.deepEqual(said, []);
    } finally {
      await page.close();
      await rm(folder, { recursive: true, force: true });
    }
  });

  it('runs markup in a frame', async () => {
    const { page, said } = await open('heatmap.html');
    const example = exampleOn(page);
    assert.deepEqual(await example.run(), ['{ row: 0, column: 0 }', 'true image/png']);
    const frame = page.frames().find((one) => one.url().endsWith('run/run.html'));
    assert.equal(await frame.$eval('canvas', (canvas) => canvas.getAttribute('role')), 'grid');
    assert.deepEqual(said, []);
    await page.close();
  });

  it('runs every example of every page: it prints what its comments say', async () => {
    let count = 0;
    for (const path of pages) {
      const { page, said } = await open(path);
      const codes = await page.$$eval('.example:not([data-runs="node"]) pre', (all) =>
        all.map((pre) => pre.textContent),
      );
      for (const [index, code] of codes.entries()) {
        const lines = await exampleOn(page, index).run();
        for (const comment of watchPrints(code).promises.values()) {
          count++;
          const kept = lines.some((line) => line && comment.startsWith(line));
          assert.ok(kept, `${path}: ${comment} is promised, printed is\n${lines.join('\n')}`);
        }
      }
      assert.deepEqual(said, [], path);
      await page.close();
    }
    assert.ok(count > 50, `${count} comments say what is printed`);
  });

  it('gives axe-core nothing to find, by day and by night, and fits a phone', async () => {
    const found = {};
    for (const path of pages) {
      for (const theme of ['light', 'dark']) {
        const { page, said } = await open(path, { width: theme === 'light' ? 1280 : 320, theme });
        if (path === 'text.html') {
          await exampleOn(page).click('Edit');
          await exampleOn(page).run();
        }
        found[`${path} ${theme}`] = await problems(page);
        const width = await page.evaluate(() => document.documentElement.scrollWidth);
        assert.ok(width <= (theme === 'light' ? 1280 : 320), `${path} is ${width} wide`);
        assert.deepEqual(said, [], path);
        await page.close();
      }
    }
    assert.deepEqual(
      Object.entries(found).filter(([, list]) => list.length > 0),
      [],
    );
  });

  it('says so where the policy of a server lets no typed code run', async () => {
    const strict = await serveBelow('strict', () => policyOf('/'));
    try {
      const page = await browser.newPage();
      await page.goto(`${strict.url}text.html`);
      assert.match((await exampleOn(page).run()).join('\n'), /its script-src needs blob:/);
      await page.close();
    } finally {
      await strict.close();
    }
  });

  it('takes code for its frame from its own page alone', async () => {
    // Either protection alone is enough: the policy of the frame, and the check in its script.
    const unlocked = await serveBelow('any', (path) => policyOf(path).replace(/; frame-anc.*/, ''));
    const stranger = await serve([await mkdtemp(join(tmpdir(), 'attention-stranger-'))]);
    try {
      for (const { url } of [server, unlocked]) {
        const page = await browser.newPage();
        const said = listen(page);
        await page.goto(stranger.url);
        await page.evaluate(async (address) => {
          const frame = document.createElement('iframe');
          frame.src = address;
          document.body.append(frame);
          await new Promise((done) => frame.addEventListener('load', done));
        }, `${url}run/run.html`);
        const frame = page.frames().find((one) => one !== page.mainFrame());
        await frame.evaluate(() => {
          // After the listener of its script, which would show the HTML.
          globalThis.heard = new Promise((done) =>
            addEventListener('message', ({ data }) => done(data)),
          );
        });
        await page.evaluate(() => {
          const [{ contentWindow }] = document.getElementsByTagName('iframe');
          contentWindow.postMessage('<p>1</p>', '*', [new MessageChannel().port2]);
        });
        assert.equal(await frame.evaluate('heard'), '<p>1</p>');
        assert.doesNotMatch(await frame.evaluate('document.body.innerHTML'), /<p>1<\/p>/);
        assert.equal(/frame-ancestors/.test(said.join()), url === server.url, said.join());
        await page.close();
      }
    } finally {
      await unlocked.close();
      await stranger.close();
    }
  });

  it('is all there without a network once one of its pages was read', async () => {
    const near = await serveBelow('near');
    try {
      const page = await browser.newPage();
      await page.goto(`${near.url}text.html`);
      await page.evaluate(() => navigator.serviceWorker.ready);
      const first = await exampleOn(page).run();
      await near.close();
      await page.reload();
      assert.deepEqual(await exampleOn(page).run(), first);
      // Pages that were not opened before: the overview and another page, with search and example.
      await page.goto(near.url);
      assert.match(await page.$eval('h1', (one) => one.textContent), /API reference/);
      await page.goto(`${near.url}growing_text.html`);
      assert.equal((await exampleOn(page).run())[0], '5 [ 1, 5 ]');
      await page.close();
    } finally {
      await near.close();
    }
  });
});
