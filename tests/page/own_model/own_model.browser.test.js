// The reader's model: opened from files, an address and storage; weights and words are those of attention-wasm/models in
// Node.js. All its layers are proved in sources/own_model.test.js, what moved in sources/own_model_moved.test.js.

import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import sirv from 'sirv';
import { loadModel } from 'attention-wasm/models';
import { launch, listen, serve } from '../../support/js/browser.js';
import { root } from '../../support/js/package.js';
import {
  assertPercent,
  assertShows,
  assertTable,
  headOf,
  numberOf,
} from '../../support/js/page_numbers.js';
import {
  decoderFiles,
  fillingFiles,
  seeingFiles,
  writingFiles,
} from '../../support/js/whole_models.js';
import { problems } from '../../support/browser/axe.js';
import {
  addressOf,
  catchFiles,
  choose,
  chooseStage,
  click,
  drawn,
  dropModel,
  exported,
  modelSays,
  openBox,
  paste,
  pick,
  policy,
  read,
  readBox,
  readTable,
  unfold,
} from '../../support/browser/page_driver.js';

const models = {
  decoder: decoderFiles(),
  filling: fillingFiles(),
  writing: writingFiles(),
  seeing: seeingFiles(),
};
const texts = {
  decoder: 'two cats sat',
  filling: 'the cats sat on the mat .',
  writing: 'two cats',
};

let folder; // folder of the models on disk

/** Link to a text with all tokens, none merged. */
const start = (text) =>
  `#mode=self&text=${encodeURIComponent(text)}&merge=no&hideSpecial=no&flow=yes&box=weight`;

const says = (page) => page.$eval('.model-says', ({ textContent }) => textContent);

/** The next words at this word. */
async function offered(page, title) {
  await page.waitForFunction(
    (end) =>
      document.querySelector('.next-words:not(.empty) h3 .unseen')?.textContent.endsWith(end),
    { timeout: 120_000 },
    title,
  );
  return page.$$eval('.next-words li', (all) =>
    all.map((one) => ({
      text: one.querySelector('bdi').textContent,
      probability: one.querySelector('span').textContent,
    })),
  );
}

/** Softmax of a row of logits, largest first. */
function probabilities({ data, dims }, row) {
  const logits = Array.from(data.subarray(row * dims[1], (row + 1) * dims[1]));
  const largest = Math.max(...logits);
  const sum = logits.reduce((total, logit) => total + Math.exp(logit - largest), 0);
  return logits.map((logit) => Math.exp(logit - largest) / sum).sort((a, b) => b - a);
}

/** Unfolds what opens another model. */
const openPicker = (page) =>
  page.evaluate(() => document.querySelector('.picking').setAttribute('open', ''));

/** Checks the last head of the last layer of a kind in the table; all are proved in sources/own_model.test.js. */
async function assertLastHead(page, kind, layers, labels) {
  const weights = layers.at(-1);
  const head = weights.dims[0] - 1;
  await pick(page, 'part', `${kind}.${layers.length - 1}`);
  await pick(page, 'head', String(head));
  assertTable(await readTable(page), labels, headOf(weights, head));
}

/** A server that never finishes sending weights. */
async function servePatiently(folders) {
  const handlers = folders.map((one) => sirv(one, { dev: true }));
  const server = createServer((request, response) => {
    if (request.url.endsWith('.safetensors') && !request.url.includes('english')) {
      response.writeHead(206, { 'content-range': 'bytes 0-99/100000', 'content-length': 100 });
      response.write('{');
      return;
    }
    const [first, second] = handlers;
    first(request, response, () => second(request, response, () => response.writeHead(404).end()));
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  const close = () => new Promise((done) => (server.close(done), server.closeAllConnections()));
  return { url: `http://localhost:${server.address().port}/`, close };
}

const spellings = (text, spans) => spans.map(([from, to]) => text.slice(from, to));

describe('the reader’s own model', { timeout: 600_000 }, () => {
  let server;
  let browser;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'attention-wasm-own-'));
    for (const [model, files] of Object.entries(models)) {
      await mkdir(join(folder, model));
      for (const [file, content] of Object.entries(files)) {
        await writeFile(join(folder, model, file), content);
      }
    }
    server = await serve([join(root, '.build/page'), folder], {
      headers: { 'Content-Security-Policy': policy },
    });
    browser = await launch('chromium');
  });

  after(async () => {
    await browser?.close();
    await server?.close();
    await rm(folder, { recursive: true, force: true });
  });

  async function open(hash = '') {
    const page = await browser.newPage();
    const said = listen(page);
    await page.setViewport({ width: 1280, height: 900 });
    await page.goto(server.url + hash);
    await drawn(page);
    return { page, said };
  }

  it('blocks a link in all layers: the likeliest tokens are those of run() with the edits', async () => {
    const { page, said } = await open(`${start(texts.decoder)}&row=1&column=0`);
    await dropModel(page, models.decoder);
    await page.waitForSelector('.block-it button:not([disabled])');
    const model = await loadModel(join(folder, 'decoder'));
    const { spans } = model.run(texts.decoder, {});
    const count = spans.length;
    await choose(page, 'view', 'matrix');
    await page.focus('attention-map');
    for (let row = 0; row < count; ++row) await page.keyboard.press('ArrowDown');
    for (let column = 0; column < count; ++column) await page.keyboard.press('ArrowLeft');
    await drawn(page);
    await page.keyboard.press('x');
    await page.waitForFunction(() => document.querySelector('.what-if .now')?.textContent, {
      timeout: 120_000,
    });
    await drawn(page);
    const layer = Array.from({ length: model.layers }, (_, at) => at);
    // Pieces are not merged: one token and one token.
    const edits = [{ at: 'scores', layer, query: [count - 1], key: [0], to: 'blocked' }];
    const run = model.run(texts.decoder, { logits: true, edits });
    const [was] = probabilities(model.run(texts.decoder, { logits: true }).logits, count - 1);
    const [now] = probabilities(run.logits, count - 1);
    const line = await page.$eval('.what-if .now', ({ textContent }) => textContent);
    const [shownNow, shownWas] = Array.from(line.matchAll(/: \S+ ([\d.]+)/g), ([, one]) => one);
    assertPercent(shownNow, now, 'the likeliest token');
    assertPercent(shownWas, was, 'the likeliest token before');
    const [last, first] = [count - 1, 0].map((at) => texts.decoder.slice(...spans[at]));
    const box = await page.$eval('.what-if .blocked li', ({ textContent }) => textContent);
    assert.ok(box.startsWith(`“${last}” blocked from “${first}”`), box);
    assert.match(
      await page.evaluate(() => location.hash),
      RegExp(`block=self%3A${count - 1}-0(&|$)`),
    );
    model.delete();
    assert.deepEqual(said, []);
    await page.close();
  });

  it('shows the weights that run() returns', async () => {
    const { page, said } = await open(start(texts.decoder));
    assert.equal(await dropModel(page, models.decoder), 'gpt2 is open');
    const model = await loadModel(join(folder, 'decoder'));
    const run = model.run(texts.decoder, { attentions: true, projections: true });
    const words = spellings(texts.decoder, run.spans);
    await assertLastHead(page, 'self', run.attentions.self, { rows: words, columns: words });
    // On fused kernels of a pool, too.
    await unfold(page);
    await page.waitForSelector('#fused');
    await click(page, '#fused');
    assert.equal(await page.$eval('.in-force', (one) => one.textContent), 'fused');
    await assertLastHead(page, 'self', run.attentions.self, { rows: words, columns: words });
    const card = await page.$eval('.model-card', ({ textContent }) => textContent);
    // The picture comes first: what opens another model is folded.
    assert.equal(await page.$eval('.picking', ({ open }) => open), false);
    const { layers, heads } = model;
    assert.match(card, RegExp(`gpt2.*Layers${layers}Heads${heads}Parameters.*Numbersfloat32`));
    await choose(page, 'view', 'matrix');
    const { strips } = await readBox(page, 'vectors');
    assert.ok(
      strips.some((strip) => strip.startsWith('q')),
      strips.join(),
    );
    const tensors = await page.$('[data-export="json"]');
    assert.ok(tensors);
    model.delete();
    assert.deepEqual(said, []);
    await page.close();
  });

  it('shows what moved, ‖α v W_O‖, on request: one number wherever it is shown', async () => {
    const place = { row: 4, column: 0, hideSpecial: 'no', flow: 'yes' };
    const hash = `#${new URLSearchParams({ mode: 'self', text: texts.decoder, ...place })}`;
    const { page, said } = await open(hash);
    await catchFiles(page);
    await dropModel(page, models.decoder);
    await pick(page, 'part', 'self.1');
    await pick(page, 'head', '1');
    await openBox(page, 'value');
    const hasStep = () =>
      page.$eval('#step-moved', ({ textContent }) => textContent.includes('‖α v WO‖'));
    assert.equal(await hasStep(), false, 'a run of its own, when the stage is asked for');
    await chooseStage(page, 'moved');
    assert.equal(await hasStep(), true);
    // Pieces of words are put together.
    const { sums } = await readBox(page, 'value');
    await openBox(page, 'weight');
    const shown = await read(page);
    assert.deepEqual([shown.query, shown.key], ['cats', 'two']);
    assert.ok(numberOf(shown.moved).value > 0);
    const together = sums.moved.find((line) => line.startsWith('put together'));
    assert.equal(together.split(': ')[1], shown.moved);
    const cell = await page.evaluate(
      () =>
        document
          .querySelector('.view[data-view="matrix"] attention-map')
          .shadowRoot.querySelector('[role="gridcell"]').textContent,
    );
    assertShows(/(\S+)$/.exec(cell)[1], numberOf(shown.moved).value, 'the cell', 2e-5);
    const merged = await readTable(page);
    const [r, c] = [merged.rows.indexOf('cats '), merged.columns.indexOf('two ')];
    assertShows(merged.cells[r][c], numberOf(shown.moved).value, 'the table', 2e-5);
    const csv = (await exported(page, 'csv')).text
      .trim()
      .split('\r\n')
      .map((line) => line.split(','));
    const line = csv.find(([label]) => label === 'cats ');
    assertShows(shown.moved, Number(line[csv[0].indexOf('two ')]), 'CSV', 1e-6);
    const json = JSON.parse((await exported(page, 'json')).text);
    const { data, dims: size } = json.moved;
    assertShows(shown.moved, data[(size[1] + r) * size[2] + c], 'JSON', 1e-6);
    await chooseStage(page, 'weights');
    assert.equal((await read(page)).moved, '');
    assert.deepEqual(said, []);
    await page.close();
  });

  it('offers next words, and continues from them', async () => {
    const { page } = await open(`${start(texts.decoder)}&row=3`);
    await dropModel(page, models.decoder);
    const model = await loadModel(join(folder, 'decoder'));
    const { ids, logits } = model.run(texts.decoder);
    model.delete();
    await page.evaluate(() => document.querySelector('#first-words-4').click());
    const words = await offered(page, 'after “two c”');
    const all = probabilities(logits, 4);
    assert.ok(words.length >= 1 && ids.length > 5);
    for (const { probability } of words) {
      assert.ok(
        all.some((one) => Math.abs(100 * one - parseFloat(probability)) <= 0.051),
        probability,
      );
    }
    const [first] = await page.$$('.next-words button[title]');
    const begin = (await first.evaluate(({ title }) => title)).slice('Go on from “'.length, -1);
    await first.click();
    await drawn(page);
    assert.equal(await page.$eval('#first', ({ value }) => value), begin);
    await page.close();
  });

  it('fills in what is masked', async () => {
    const { page, said } = await open(start(texts.filling));
    assert.equal(await dropModel(page, models.filling), 'bert is open');
    // [CLS] the cat ##s sat: token 4 is the fourth word on the page.
    await page.evaluate(() => document.querySelector('#first-words-4').click());
    await offered(page, 'in the place of “sat”');
    await page.evaluate(() => {
      const buttons = Array.from(document.querySelectorAll('.next-words button'));
      buttons.find(({ textContent }) => textContent === 'Mask “sat”').click();
    });
    await drawn(page);
    const masked = texts.filling.replace('sat', '[MASK]');
    assert.equal(await page.$eval('#first', ({ value }) => value), masked);
    const words = await offered(page, 'in the place of “[MASK]”');
    const model = await loadModel(join(folder, 'filling'));
    const run = model.run(masked, { attentions: true });
    const all = probabilities(run.logits, 4);
    for (const { probability } of words) {
      assert.ok(
        all.some((one) => Math.abs(100 * one - parseFloat(probability)) <= 0.051),
        probability,
      );
    }
    const label = ([from, to], at) => (from === to ? run.tokens[at] : masked.slice(from, to));
    const labels = run.spans.map(label);
    await assertLastHead(page, 'self', run.attentions.self, { rows: labels, columns: labels });
    model.delete();
    assert.deepEqual(said, []);
    await page.close();
  });

  it('generates, shows cross-attention, and accepts the reader’s text', async () => {
    const { page, said } = await open(start(texts.writing));
    assert.equal(await dropModel(page, models.writing), 'bart is open');
    const model = await loadModel(join(folder, 'writing'));
    const ids = [];
    for await (const { id } of model.generate(texts.writing)) ids.push(id);
    const written = model.tokenizer.decode(ids);
    assert.equal(await page.$eval('#first', ({ placeholder }) => placeholder), written);
    await paste(page, 'first', 'at a cat');
    const run = model.run(texts.writing, { decoder: 'at a cat', attentions: true });
    const rows = ['at', ' ', 'a', ' ', 'c', 'at', model.tokenizer.tokenOf(2)];
    const columns = spellings(texts.writing, run.spans);
    await assertLastHead(page, 'cross', run.attentions.cross, {
      rows,
      columns,
    });
    await pick(page, 'part', 'encoder.1');
    await pick(page, 'head', '1');
    assertTable(
      await readTable(page),
      { rows: columns, columns },
      headOf(run.attentions.encoder[1], 1),
    );
    model.delete();
    assert.deepEqual(said, []);
    await page.close();
  });

  it('looks at a picture, patch by patch', async () => {
    const { page, said } = await open(start(texts.decoder));
    assert.equal(await dropModel(page, models.seeing), 'vit is open');
    const message = await page.$eval('.message', ({ textContent }) => textContent);
    assert.match(message, /^Choose a picture/);
    // An 8 × 8 image of four plain colors, which resizing does not change.
    const colors = ['#ff8000', '#0000ff', '#336699', '#ffffff'];
    await page.evaluate(async (fills) => {
      const canvas = new OffscreenCanvas(8, 8);
      const context = canvas.getContext('2d');
      fills.forEach((fill, at) => {
        context.fillStyle = fill;
        context.fillRect((at % 2) * 4, Math.floor(at / 2) * 4, 4, 4);
      });
      const data = new DataTransfer();
      data.items.add(new File([await canvas.convertToBlob()], 'four.png', { type: 'image/png' }));
      document.querySelector('.model-says').textContent = '';
      const given = { dataTransfer: data, bubbles: true, cancelable: true };
      document.querySelector('main').dispatchEvent(new DragEvent('drop', given));
    }, colors);
    assert.equal(await modelSays(page), 'The model has looked at four.png');
    const [mean, deviation] = [
      [0.5, 0.4, 0.3],
      [0.5, 0.25, 0.2],
    ];
    const pixels = [0, 1, 2].map((color) =>
      Array.from({ length: 8 }, (_y, y) =>
        Array.from({ length: 8 }, (_x, x) => {
          const fill = colors[2 * Math.floor(y / 4) + Math.floor(x / 4)];
          const value = parseInt(fill.slice(1 + 2 * color, 3 + 2 * color), 16) / 255;
          return (value - mean[color]) / deviation[color];
        }),
      ),
    );
    const model = await loadModel(join(folder, 'seeing'));
    const { attentions } = model.run({ pixels }, { attentions: true });
    model.delete();
    const labels = ['[CLS]', '1,1', '1,2', '2,1', '2,2'];
    await assertLastHead(page, 'self', attentions.self, { rows: labels, columns: labels });
    assert.equal(await page.$eval('.reading', (one) => getComputedStyle(one).display), 'none');
    // A click on the last patch has it read.
    const canvas = await page.$('.patches canvas');
    const { width, height } = await canvas.boundingBox();
    await canvas.click({ offset: { x: 0.75 * width, y: 0.75 * height } });
    await drawn(page);
    assert.equal(
      await page.$eval('.looking .is-read', ({ textContent }) => textContent),
      'row 2, column 2',
    );
    assert.deepEqual(await problems(page), []);
    assert.deepEqual(said, []);
    await page.close();
  });

  it('loads from chosen files, and from an address', async () => {
    const { page } = await open('#source=own&text=two+cats');
    await page.waitForSelector('.own-model input[multiple]');
    const chooser = await page.$('.own-model input[multiple]');
    const names = Object.keys(models.decoder);
    await chooser.uploadFile(...names.map((file) => join(folder, 'decoder', file)));
    assert.equal(await modelSays(page), 'gpt2 is open');
    await openPicker(page);
    await page.type('#model-address', new URL('filling', server.url).href);
    await page.keyboard.press('Enter');
    await page.waitForFunction(() =>
      /filling is open/.test(document.querySelector('main').innerText),
    );
    assert.match(await page.$eval('.model-card', ({ textContent }) => textContent), /^filling/);
    await page.close();
  });

  it('loads from a dropped or chosen folder', async () => {
    const { page, said } = await open(start(texts.filling));
    const session = await page.createCDPSession();
    const data = { items: [], files: [join(folder, 'filling')], dragOperationsMask: 1 };
    for (const type of ['dragEnter', 'dragOver', 'drop']) {
      await session.send('Input.dispatchDragEvent', { type, x: 300, y: 300, data });
    }
    assert.equal(await modelSays(page), 'filling is open');
    const chooser = await page.$('.own-model input[webkitdirectory]');
    await chooser.uploadFile(join(folder, 'decoder'));
    await page.waitForFunction(
      () => document.querySelector('.model-says').textContent === 'decoder is open',
    );
    assert.deepEqual(said, []);
    await page.close();
  });

  it('gives a message when it cannot be opened, and the page stays the same', async () => {
    const { page } = await open(start(texts.decoder));
    await dropModel(page, models.decoder);
    const table = await readTable(page);
    const { 'model.safetensors': weights, ...rest } = models.decoder;
    const config = JSON.parse(models.decoder['config.json']);
    const broken = {
      'a pickle': [{ ...rest, 'model.safetensors': 'PK\u0003\u0004' }, /PyTorch pickle/],
      'no weights': [{ 'config.json': rest['config.json'] }, /missing model\.safetensors/],
      'no config': [{ 'model.safetensors': weights }, /missing file .*config\.json/],
      'another type': [
        { ...models.decoder, 'config.json': '{"model_type":"novel"}' },
        /model_type 'novel'/,
      ],
      'other shapes': [
        { ...models.decoder, 'config.json': JSON.stringify({ ...config, n_layer: 3 }) },
        /transformer\.h\.2|h\.2\./,
      ],
    };
    for (const [what, [files, pattern]] of Object.entries(broken)) {
      assert.match(await dropModel(page, files), pattern, what);
      assert.equal(await page.$eval('.model-loading', ({ hidden }) => hidden), true);
      assert.deepEqual(await readTable(page), table, what);
    }
    await openPicker(page);
    await page.type('#model-address', new URL('nowhere/', server.url).href);
    await page.keyboard.press('Enter');
    await page.waitForFunction(() =>
      /nowhere/.test(document.querySelector('.model-says').textContent),
    );
    assert.match(await says(page), /missing file .*config\.json/);
    assert.deepEqual(await readTable(page), table);
    await page.close();
  });

  it('shows nothing of the last answer when a text cannot be computed', async () => {
    const { page } = await open(
      '#mode=self&merge=no&hideSpecial=no&flow=yes&box=weight&text=5+3+9',
    );
    const { 'tokenizer.json': _tokenizer, ...files } = models.decoder;
    await dropModel(page, files);
    const shown = () =>
      page.evaluate(() => {
        const isSeen = (selector) =>
          document.querySelector(selector)?.checkVisibility({ visibilityProperty: true }) ?? false;
        return {
          message: document.querySelector('.message').textContent,
          words: document.querySelector('#first-words').textContent,
          seen: Object.fromEntries(
            [
              '#part',
              '#head',
              '.looking',
              '.cell-numbers .weight',
              '.block-it button',
              '.sweep',
              '.next-words ol',
              '.flow .pair-title',
              '.box .figure',
              '.stage canvas',
            ].map((selector) => [selector, isSeen(selector)]),
          ),
        };
      });
    const before = await shown();
    assert.equal(before.words, '5 3 9');
    const always = [
      '#part',
      '#head',
      '.looking',
      '.cell-numbers .weight',
      '.flow .pair-title',
      '.box .figure',
    ];
    for (const selector of always) assert.equal(before.seen[selector], true, selector);
    await paste(page, 'first', '5 3 9 4000');
    const without = await shown();
    assert.match(without.message, /4000/);
    assert.equal(without.words, '');
    for (const [selector, isSeen] of Object.entries(without.seen)) {
      assert.equal(isSeen, false, selector);
    }
    await paste(page, 'first', '5 3 9');
    assert.deepEqual(await shown(), before);
    // Another model gives its own numbers or none.
    const { 'config.json': config, 'model.safetensors': weights } = models.filling;
    await paste(page, 'first', '5 3 4000');
    await dropModel(page, { 'config.json': config, 'model.safetensors': weights });
    const { message, seen } = await shown();
    assert.match(message, /4000/);
    for (const [selector, isSeen] of Object.entries(seen)) assert.equal(isSeen, false, selector);
    await page.close();
  });

  it('can be canceled', async () => {
    const patient = await servePatiently([join(root, '.build/page'), folder]);
    const page = await browser.newPage();
    await page.goto(`${patient.url}#source=own&text=two+cats`);
    await page.waitForSelector('#model-address');
    await page.type('#model-address', new URL('decoder', patient.url).href);
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => !document.querySelector('.model-loading').hidden);
    await page.evaluate(() => document.querySelector('.model-loading button').click());
    assert.equal(await modelSays(page), 'Opening was canceled.');
    assert.equal(await page.$eval('.model-loading', ({ hidden }) => hidden), true);
    assert.equal(await dropModel(page, models.decoder), 'gpt2 is open');
    await page.close();
    await patient.close();
  });

  it('opens with the view of a link, and again after a reload', async () => {
    const view = { part: 'self.1', head: 1, row: 5, column: 1, block: 'self.1.1:5-1,self.0.0' };
    const link = new URLSearchParams({ source: 'own', mode: 'self', text: texts.decoder, ...view });
    const { page, said } = await open(`#${link}&merge=no&hideSpecial=no`);
    assert.match(await page.$eval('.message', ({ textContent }) => textContent), /^Open a model/);
    const shown = async () => {
      await page.waitForFunction(() => document.querySelector('.what-if .now')?.textContent);
      await drawn(page);
      return page.evaluate(() => ({
        ...Object.fromEntries(new URLSearchParams(location.hash.slice(1))),
        picked: [document.querySelector('#part').value, document.querySelector('#head').value],
        sentence: document.querySelector('.looking').textContent,
        blocked: document.querySelectorAll('.what-if .blocked li').length,
      }));
    };
    await dropModel(page, models.decoder);
    const first = await shown();
    for (const [name, value] of Object.entries(view)) {
      assert.equal(first[name], String(value), name);
    }
    assert.deepEqual([first.picked, first.blocked], [['self.1', '1'], 2]);
    const { spans } = await loadModel(join(folder, 'decoder')).then((model) => {
      const run = model.run(texts.decoder, {});
      model.delete();
      return run;
    });
    const [query, key] = [5, 1].map((at) => texts.decoder.slice(...spans[at]).trim());
    assert.ok(first.sentence.includes(`“${query}”`), first.sentence);
    assert.ok(first.sentence.includes(`“${key}”: you blocked it`), first.sentence);
    await page.reload();
    await drawn(page);
    await dropModel(page, models.decoder);
    assert.deepEqual(await shown(), first);
    assert.deepEqual(said, []);
    await page.close();
  });

  it('is asked for by a link in a fresh profile, and another one is told apart', async () => {
    const view = { part: 'self.1', head: 1, row: 5, column: 1 };
    const link = new URLSearchParams({ source: 'own', mode: 'self', text: texts.decoder, ...view });
    const { page: own } = await open(`#${link}&merge=no&hideSpecial=no`);
    await dropModel(own, models.decoder);
    await own.waitForFunction(() => location.hash.includes('&model=gpt2+'));
    const address = await own.evaluate(() => location.hash);
    const sentence = await own.$eval('.looking', ({ textContent }) => textContent);
    const table = await readTable(own);
    await own.close();

    const profile = await browser.createBrowserContext();
    const page = await profile.newPage();
    const said = listen(page);
    await page.goto(server.url + address);
    await drawn(page);
    const message = () => page.$eval('.message', ({ textContent }) => textContent);
    assert.match(
      await message(),
      /^This view is of the model “gpt2” \(gpt2, [\d.]+ kB of weights, /,
    );
    assert.equal(await page.$('.stage canvas'), null, 'nothing stands in');
    assert.deepEqual(await problems(page), []);
    const choose = async (model) => {
      const input = await page.$('.asked-for input[multiple]');
      await input.uploadFile(
        ...Object.keys(models[model]).map((file) => join(folder, model, file)),
      );
      await modelSays(page);
    };
    const others = () => page.$eval('.other-model', ({ textContent }) => textContent);
    await choose('decoder');
    assert.equal(await others(), '');
    assert.equal(await page.$('.asked-for *'), null);
    assert.equal(await page.$eval('.looking', ({ textContent }) => textContent), sentence);
    assert.equal(await page.evaluate(() => location.hash), address);
    assert.deepEqual(await readTable(page), table);

    await page.goto('about:blank');
    await page.goto(server.url + address);
    await drawn(page);
    await choose('filling');
    assert.match(
      await others(),
      /the link asks for “gpt2” \(gpt2, .*, and this is “bert” \(bert, /,
    );
    const shown = ['#part', '#head'].map((one) => page.$eval(one, ({ value }) => value));
    assert.deepEqual(await Promise.all(shown), ['self.1', '1']);
    await page.waitForFunction(() => location.hash.includes('&model=bert+'));
    assert.deepEqual(await problems(page), []);
    assert.deepEqual(said, []);
    await profile.close();
  });

  it('keeps several of one type, and offers the one that a link asks for', async () => {
    const { page } = await open(start(texts.decoder));
    const config = JSON.parse(models.decoder['config.json']);
    const lines = () =>
      page.$$eval('.own-model li strong', (all) => all.map((one) => one.textContent));
    const addresses = [];
    for (const epsilon of [1e-5, 1e-3]) {
      const changed = JSON.stringify({ ...config, layer_norm_epsilon: epsilon });
      await dropModel(page, { ...models.decoder, 'config.json': changed });
      const count = (await lines()).length;
      await click(page, '.model-card button');
      await page.waitForFunction(
        (before) => document.querySelectorAll('.own-model li').length > before,
        {},
        count,
      );
      await page.waitForFunction(
        (before) => location.hash.includes('model=') && location.hash !== before,
        {},
        addresses[0] ?? '',
      );
      addresses.push(await page.evaluate(() => location.hash));
    }
    assert.equal(new Set(await lines()).size, 2, 'their names differ');
    for (const address of addresses) {
      await page.goto('about:blank');
      await page.goto(server.url + address);
      await drawn(page);
      await page.waitForSelector('.asked-for button');
      await click(page, '.asked-for button');
      await modelSays(page);
      assert.equal(await page.evaluate(() => location.hash), address);
      assert.equal(await page.$eval('.other-model', ({ textContent }) => textContent), '');
    }
    for (const left of [1, 0]) {
      await openPicker(page);
      await click(page, '.own-model li button:last-child');
      await page.waitForFunction(
        (count) => document.querySelectorAll('.own-model li').length === count,
        {},
        left,
      );
    }
    await page.close();
  });

  it('says which tokens of a long text were read, where the text is', async () => {
    const { page, said } = await open('#mode=self&text=the+cat');
    await dropModel(page, models.filling);
    const wasRead = () =>
      page.$eval('.was-read', (one) =>
        one.checkVisibility() ? one.firstElementChild.textContent : '',
      );
    assert.equal(await wasRead(), '');
    const model = await loadModel(join(folder, 'filling'));
    const { maxInput } = model.description.self;
    model.delete();
    const words = (count) =>
      Array.from({ length: count }, (_, at) => 'the cat sat'.split(' ')[at % 3]);
    await paste(page, 'first', words(40).join(' '));
    assert.equal(
      await wasRead(),
      `Read: tokens 1 to ${maxInput - 1} of 42 (the model has positions for ${maxInput}).`,
    );
    const parts = await page.evaluate(() => {
      const sentence = document.querySelector('#first-words');
      return [sentence.textContent.trim(), sentence.querySelector('.unread').textContent.trim()];
    });
    // [CLS] and [SEP] are beside the words that were read.
    const [whole, rest] = parts;
    assert.ok(whole.includes(words(40).join(' ').slice(0, 20)), whole);
    assert.equal(
      rest,
      words(40)
        .slice(maxInput - 2)
        .join(' '),
    );
    // The next part of the text, with its words where they stand in the field, and back.
    const buttons = () =>
      page.$$eval('.was-read button', (all) => all.map(({ textContent }) => textContent));
    const shownWords = () =>
      page.$$eval('#first-words [role="option"]', (all) =>
        all.map(({ textContent }) => textContent.trim()),
      );
    const before = await shownWords();
    assert.deepEqual(await buttons(), ['Read on from here']);
    await click(page, '.was-read button');
    const room = maxInput - 2;
    assert.equal(
      await wasRead(),
      `Read: tokens ${room + 2} to ${2 * room + 1} of 42 (the model has positions for ${maxInput}).`,
    );
    assert.deepEqual(
      (await shownWords()).filter((word) => !word.startsWith('[')),
      words(40).slice(room, 2 * room),
    );
    assert.deepEqual(
      await page.$$eval('#first-words .unread', (all) =>
        all.map(({ textContent }) => textContent.trim()),
      ),
      [
        words(40).slice(0, room).join(' '),
        words(40)
          .slice(2 * room)
          .join(' '),
      ],
    );
    assert.match(await addressOf(page), /readFrom=/);
    assert.deepEqual(await buttons(), ['Read on from here', 'Read the beginning']);
    await click(page, '.was-read button:last-child');
    assert.deepEqual(await shownWords(), before);
    await paste(page, 'first', 'the cat');
    assert.equal(await wasRead(), '');
    assert.deepEqual(said, []);
    await page.close();
  });

  it('can be kept, reopened and removed', async () => {
    const { page } = await open(start(texts.decoder));
    await dropModel(page, models.decoder);
    assert.equal((await page.$$('.own-model li')).length, 0);
    const table = await readTable(page);
    await click(page, '.model-card button');
    await page.waitForFunction(() => document.querySelector('.own-model li'));
    assert.equal(await says(page), 'gpt2 is kept for your next visit');
    await page.reload();
    await drawn(page);
    await page.waitForSelector('.own-model li button');
    const message = await page.$eval('.message', ({ textContent }) => textContent);
    assert.match(message, /^This view is of the model “gpt2”/);
    await click(page, '.own-model li button');
    assert.equal(await modelSays(page), 'gpt2 is open');
    assert.deepEqual(await readTable(page), table);
    await openPicker(page);
    await click(page, '.own-model li button:last-child');
    await page.waitForFunction(() => !document.querySelector('.own-model li'));
    await page.reload();
    await drawn(page);
    assert.equal((await page.$$('.own-model li')).length, 0);
    await page.close();
  });

  it('shows warnings whole in its card, wrapped where the page is narrow', async () => {
    const { page, said } = await open(start(texts.decoder));
    const config = JSON.parse(models.decoder['config.json']);
    const long = `option_${'without_a_space_'.repeat(8)}`;
    await dropModel(page, {
      ...models.decoder,
      'config.json': JSON.stringify({ ...config, [long]: 1 }),
      'tokenizer_config.json': '{ "add_bos_token": true, "bos_token": "<end>" }',
    });
    for (const width of [390, 1280]) {
      await page.setViewport({ width, height: 900 });
      const shown = await page.evaluate(() => {
        const card = document.querySelector('.model-card').getBoundingClientRect();
        const rows = [...document.querySelectorAll('.model-card dl div')];
        const { scrollWidth, clientWidth } = document.documentElement;
        return {
          overflow: scrollWidth - clientWidth,
          warnings: rows
            .filter((row) => row.querySelector('dt').textContent === 'Warning')
            .map((row) => {
              const dd = row.querySelector('dd');
              const { left, right } = dd.getBoundingClientRect();
              const isInside = left >= card.left && right <= card.right;
              return { text: dd.textContent, isInside, cut: dd.scrollWidth - dd.clientWidth };
            }),
        };
      });
      assert.equal(shown.overflow, 0, `${width} px`);
      const [template, unknown, ...others] = shown.warnings;
      assert.match(template.text, /^add_bos_token of tokenizer_config\.json is true, .* is valid$/);
      assert.match(unknown.text, new RegExp(`: ${long}; results are those without them$`));
      assert.deepEqual(others, []);
      for (const { text, isInside, cut } of shown.warnings) {
        assert.ok(isInside && cut <= 0, `${width} px: ${text}`);
      }
    }
    assert.deepEqual(said, []);
    await page.close();
  });

  it('can be closed, and has no axe-core violations', async () => {
    const { page } = await open(start(texts.filling));
    await dropModel(page, models.filling);
    await page.evaluate(() => document.querySelector('.own-model summary').click());
    assert.deepEqual(await problems(page), []);
    await click(page, '.model-card button:last-child');
    assert.match(await page.$eval('.message', ({ textContent }) => textContent), /^Open a model/);
    assert.equal(await page.evaluate(() => document.activeElement.type), 'file');
    assert.deepEqual(await problems(page), []);
    await page.close();
  });
});
