// Folders of a model: chosen files, a picked folder, a folder on disk, or an object; their config and their index of shards.
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, posix, win32 } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { loadModel, openFolder } from 'attention-wasm/models';
import { writeSafetensors } from 'attention-wasm/safetensors';
import { pathWithin } from '../../../../web/lib/models/sources/disk_folder.js';
import { explainBitDifference } from '../../../support/js/compare.js';
import { escapingPaths } from '../../../support/js/escaping_paths.js';
import { cases } from '../../../support/js/models_with_tokens.js';
import { seededWeights } from '../../../support/js/seeded_weights.js';

const { config, ...rest } = cases.gpt2;
const stored = seededWeights(rest);
const names = [...stored.keys()].sort();
const shardOf = (some) => writeSafetensors(new Map(some.map((name) => [name, stored.get(name)])));
const configText = JSON.stringify(config);
const indexName = 'model.safetensors.index.json';
const whole = { 'config.json': configText, 'model.safetensors': shardOf(names) };

/** The model in two shards, one of them in a folder. */
const places = ['b.safetensors', 'a/c.safetensors'];
const inShards = {
  'config.json': configText,
  [indexName]: JSON.stringify({
    weight_map: Object.fromEntries(names.map((name, n) => [name, places[n % 2]])),
  }),
  [places[0]]: shardOf(names.filter((_, n) => n % 2 === 0)),
  [places[1]]: shardOf(names.filter((_, n) => n % 2 === 1)),
};

async function logitsOf(source) {
  const model = await loadModel(source);
  try {
    return model.run({ ids: [1, 2, 3] }).logits;
  } finally {
    model.delete();
  }
}

let expected;
before(async () => {
  expected = await logitsOf({ config, weights: stored });
});
const assertLoads = async (source) =>
  assert.equal(explainBitDifference(await logitsOf(source), expected), '');

const file = (path, content) =>
  Object.defineProperty(new File([content], path.split('/').at(-1)), 'webkitRelativePath', {
    value: path,
  });

describe('chosen files', () => {
  const below = (folder, files) =>
    Object.entries(files).map(([name, content]) => file(`${folder}${name}`, content));

  it('are relative to the folder that all of them share', async () => {
    await assertLoads(below('m/', whole));
    await assertLoads(below('m/', inShards));
    const { 'config.json': text, 'model.safetensors': bytes } = whole;
    await assertLoads([new File([text], 'config.json'), new File([bytes], 'model.safetensors')]);
    for (const files of [
      [file('m/config.json', text), file('mm/model.safetensors', bytes)],
      [file('m/config.json', text), new File([bytes], 'model.safetensors')],
      below('m/n/', whole),
    ]) {
      await assert.rejects(
        loadModel(files),
        /^Error: missing file config\.json of the 2 selected files$/,
      );
    }
  });
});

describe('a picked folder', () => {
  /** A directory handle of files by path. */
  const directory = (files, name = 'm') => ({
    name,
    async getDirectoryHandle(inner) {
      const own = Object.entries(files).filter(([path]) => path.startsWith(`${inner}/`));
      if (own.length === 0) throw new DOMException('no such folder', 'NotFoundError');
      const within = own.map(([path, content]) => [path.slice(inner.length + 1), content]);
      return directory(Object.fromEntries(within), inner);
    },
    async getFileHandle(path) {
      if (!Object.hasOwn(files, path)) throw new DOMException('no such file', 'NotFoundError');
      return { getFile: async () => new File([files[path]], path) };
    },
  });

  it('may have files in its folders', async () => {
    await assertLoads(directory(whole));
    await assertLoads(directory(inShards));
  });

  it('has no file where there is none or a folder, and passes other failures on', async () => {
    const failing = (name) => ({
      name: 'm',
      getFileHandle: () => Promise.reject(Object.assign(new Error(name), { name })),
    });
    for (const name of ['NotFoundError', 'TypeMismatchError']) {
      await assert.rejects(
        loadModel(failing(name)),
        /^Error: missing file config\.json of the folder 'm'$/,
      );
    }
    await assert.rejects(loadModel(failing('NotAllowedError')), /NotAllowedError/);
  });
});

describe('a folder on disk', () => {
  let path;
  before(async () => {
    path = await mkdtemp(join(tmpdir(), 'attention-wasm-folders-'));
    await mkdir(join(path, 'a'));
    for (const [name, content] of Object.entries(inShards))
      await writeFile(join(path, name), content);
  });
  after(() => rm(path, { recursive: true, force: true }));

  it('has no file where there is none, and none at the place of a folder', async () => {
    await assertLoads(path);
    const folder = openFolder(path);
    assert.equal(await folder.text('nothing.json'), undefined);
    assert.equal(await folder.text('config.json/config.json'), undefined);
    for (const read of [folder.text, folder.bytes]) {
      await assert.rejects(read('a'), /a is a folder/);
    }
    await folder.close();
  });

  it('ignores an index beside one file of all weights, with a warning', async () => {
    const both = join(path, 'both');
    await mkdir(both);
    for (const [name, content] of Object.entries({ ...whole, [indexName]: inShards[indexName] }))
      await writeFile(join(both, name), content);
    const files = Object.entries({ ...whole, [indexName]: '{' }).map(([name, content]) =>
      file(`m/${name}`, content),
    );
    for (const source of [both, files]) {
      const model = await loadModel(source);
      model.delete();
      const [first, ...others] = model.warnings;
      assert.equal(
        first,
        'model.safetensors.index.json was ignored: the folder has model.safetensors',
      );
      assert.ok(others.every((warning) => warning.startsWith('the model has no tokenizer')));
    }
  });

  it(
    'closes its files if the model is refused',
    { skip: process.platform !== 'linux' },
    async () => {
      const index = { weight_map: { x: places[0], y: 'd.safetensors' } };
      await mkdir(join(path, 'broken'));
      await writeFile(join(path, 'broken/config.json'), configText);
      await writeFile(join(path, 'broken', indexName), JSON.stringify(index));
      await writeFile(join(path, 'broken', places[0]), inShards[places[0]]);
      const held = readdirSync('/proc/self/fd').length;
      await assert.rejects(loadModel(join(path, 'broken')), /missing shard d\.safetensors/);
      assert.equal(readdirSync('/proc/self/fd').length, held);
    },
  );

  it('has no files outside', () => {
    for (const [folder, name, paths, wanted] of [
      ['/m', 'a/b', posix, '/m/a/b'],
      ['/m', '..a', posix, '/m/..a'],
      ['/m/', 'a', posix, '/m/a'],
      ['/', 'a', posix, '/a'],
      ['/m', '../a', posix],
      ['/m', 'a/../../n', posix],
      ['/m', '/n', posix],
      ['/m', '/mm', posix],
      ['C:\\m', 'a\\b', win32, 'C:\\m\\a\\b'],
      ['C:\\m', '..\\a', win32],
      ['C:\\m', '..\\..\\a', win32],
      ['C:\\m', '\\a', win32],
      ['C:\\m', 'D:\\m\\a', win32],
      ['C:\\m', '\\\\host\\share\\a', win32],
    ]) {
      const within = () => pathWithin(folder, name, paths);
      if (wanted) assert.equal(within(), wanted);
      else assert.throws(within, RangeError, name);
    }
  });
});

describe('the files of a folder', () => {
  /** A folder as openFolder() returns it. */
  const folderOf = (files) => ({
    location: 'there',
    text: async (name) => files[name],
    bytes: async (name) => files[name] && new Blob([files[name]]),
  });

  it('may be a page of the server instead of JSON', async () => {
    for (const [text, wanted] of [
      [undefined, /^Error: missing file config\.json of there$/],
      ['<!doctype html>', /^RangeError: config\.json of there is an HTML page, not JSON$/],
      ['{', /^RangeError: config\.json of there is not JSON: /],
    ]) {
      await assert.rejects(loadModel(folderOf({ ...whole, 'config.json': text })), wanted);
    }
    await assertLoads(folderOf({ ...whole, 'tokenizer.json': ' <HTML>' }));
    await assert.rejects(
      loadModel(folderOf({ ...whole, 'tokenizer.json': '{' })),
      /^RangeError: tokenizer\.json of there is not JSON: /,
    );
  });

  it('may begin with a byte order mark', () =>
    assertLoads(folderOf({ ...whole, 'config.json': `\ufeff${configText}` })));

  /** A folder whose server answers with a status for every file that it does not have. */
  const refusing = (files, status) => {
    const read = (of) => async (name) => {
      if (Object.hasOwn(files, name)) return of(files[name]);
      throw Object.assign(new Error(`${name} returned status ${status}`), { status });
    };
    return {
      location: 'there',
      text: read(String),
      bytes: read((bytes) => new Blob([bytes])),
    };
  };
  const notRead = (name, status) => `${name} was not read: the server returned status ${status}`;

  it('count as missing, with a warning, where the server refuses an optional one', async () => {
    for (const status of [401, 403]) {
      for (const files of [whole, inShards]) {
        const model = await loadModel(refusing(files, status));
        model.delete();
        const refused = (name) => model.warnings.includes(notRead(name, status));
        assert.ok(refused('tokenizer.json') && refused('generation_config.json'), model.warnings);
        assert.equal(refused('model.safetensors'), files === inShards);
        assert.equal(new Set(model.warnings).size, model.warnings.length);
      }
    }
    await assert.rejects(loadModel(refusing(whole, 429)), /status 429/);
    await assert.rejects(loadModel(refusing(whole, 500)), /status 500/);
  });

  it('are one error where the server refuses a required one', async () => {
    const { 'config.json': _, ...withoutConfig } = inShards;
    const { [places[1]]: __, ...withoutShard } = inShards;
    for (const [files, name] of [
      [withoutConfig, 'config.json'],
      [{ 'config.json': configText }, 'model.safetensors and model.safetensors.index.json'],
      [withoutShard, places[1]],
    ]) {
      await assert.rejects(loadModel(refusing(files, 403)), {
        name: 'Error',
        message: new RegExp(`^no access to ${name} of there: the server returned status 403, `),
      });
    }
  });

  it('are shards that an index names', async () => {
    await assertLoads(folderOf(inShards));
    const dotted = JSON.parse(inShards[indexName]).weight_map;
    for (const name of Object.keys(dotted)) dotted[name] = `./${dotted[name]}`;
    await assertLoads(
      folderOf({ ...inShards, [indexName]: JSON.stringify({ weight_map: dotted }) }),
    );
    const refused = async (index, wanted, what) =>
      assert.rejects(
        loadModel(folderOf({ ...inShards, [indexName]: JSON.stringify(index) })),
        wanted,
        what,
      );
    const controls = ['a\u0000', 'a\u007f', 'a\u0085b', 'a\n', 'C:a'];
    const odd = ['', 'a//b', 'a/', ' a', 'a /b', 'a%20b', 'a?b', 'a#b', ...controls];
    const above = ['../a', 'a/../b', '/a', 'https://a', 'a/..', 'a/./b', 7, null];
    for (const place of [...above, ...odd, ...escapingPaths]) {
      const wanted = /must name its files in 'weight_map'/;
      await refused({ weight_map: { x: place } }, wanted, `${place}`);
    }
    for (const index of [null, {}, { weight_map: null }, { weight_map: {} }, []]) {
      await refused(index, /must name its files in 'weight_map'/);
    }
    await refused(
      { weight_map: { x: 'd.safetensors' } },
      /missing shard d\.safetensors of there, which its index lists/,
    );
    await assert.rejects(
      loadModel(folderOf({ ...inShards, [places[1]]: whole['model.safetensors'] })),
      /^RangeError: tensor '.*' is in a\/c\.safetensors and in b\.safetensors$/,
    );
    await assert.rejects(
      loadModel(folderOf({ 'config.json': configText })),
      /^Error: missing model\.safetensors or model\.safetensors\.index\.json of there; /,
    );
  });
});
