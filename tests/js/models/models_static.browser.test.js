// Files of attention-wasm/models that load late: in module service workers, which have no import(), and from a server that
// fails once.

import assert from 'node:assert/strict';
import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { loadModel } from 'attention-wasm/models';
import sirv from 'sirv';
import { inBrowsers, serve } from '../../support/js/browser.js';
import { cases } from '../../support/js/models_with_tokens.js';
import { root } from '../../support/js/package.js';
import { decoderFiles } from '../../support/js/whole_models.js';
import { runModelCases, runText } from '../../support/browser/models_cases.js';

/** A folder with the folder `model`, and the path of that. */
async function folderWithModel() {
  const folder = await mkdtemp(join(tmpdir(), 'attention-wasm-late-'));
  const model = join(folder, 'model');
  await mkdir(model);
  for (const [name, content] of Object.entries(decoderFiles())) {
    await writeFile(join(model, name), content);
  }
  return { folder, model };
}

describe('models in module service workers', { timeout: 300_000 }, () => {
  let server;
  let place;
  before(async () => {
    place = await folderWithModel();
    server = await serve([root, place.folder]);
  });
  after(async () => {
    await server?.close();
    await rm(place.folder, { recursive: true, force: true });
  });

  inBrowsers(
    () => server,
    'models_service_page.js',
    (at) => {
      const ask = (question) => at.page.evaluate((name) => globalThis.ask(name), question);

      it('have the bits of Node.js, all families, by attention-wasm/models-static', async () => {
        assert.deepEqual(await ask('runCases'), await runModelCases(loadModel, cases));
        assert.deepEqual(await ask('runSources'), [await runText(loadModel, place.model)]);
      });

      it('are refused by attention-wasm/models, which names the other entry', async () => {
        assert.match(
          await ask('refusal'),
          /^models_families\.js of attention-wasm could not be loaded: .*'attention-wasm\/models-static'/,
        );
      });
    },
  );
});

describe('a file of models that a server refuses once', { timeout: 120_000 }, () => {
  let server;
  let close;
  let place;
  let refused;
  before(async () => {
    place = await folderWithModel();
    const handlers = [root, place.folder].map((folder) => sirv(folder, { dev: true }));
    refused = new Set();
    const web = createServer((request, response) => {
      // Once for each browser.
      const browser = request.headers['user-agent'];
      if (request.url.endsWith('/models_families.js') && !refused.has(browser)) {
        refused.add(browser);
        response.writeHead(503).end();
        return;
      }
      handlers[0](request, response, () =>
        handlers[1](request, response, () => response.writeHead(404).end()),
      );
    });
    await new Promise((resolve) => web.listen(0, '127.0.0.1', resolve));
    server = { url: `http://localhost:${web.address().port}/` };
    close = () => {
      web.close();
      web.closeAllConnections();
    };
  });
  after(async () => {
    close?.();
    await rm(place.folder, { recursive: true, force: true });
  });

  inBrowsers(
    () => server,
    'models_page.js',
    (at) => {
      it('is named, and loads with the next call, in Firefox in the next page', async () => {
        const refusal = () => at.page.evaluate(() => globalThis.refusal('/model/'));
        assert.match(
          await refusal(),
          /^models_families\.js of attention-wasm could not be loaded: ./,
        );
        const isFirefox = (await at.browser.version()).toLowerCase().includes('firefox');
        if (isFirefox) {
          const script = new URL('tests/support/browser/models_page.js', server.url).href;
          await at.page.reload();
          await at.page.addScriptTag({ type: 'module', url: script });
        }
        assert.equal(await refusal(), '');
      });
    },
  );
});
