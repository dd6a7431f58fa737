// Which model an address names: the text, and the hash of a model's files.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { writeSafetensors } from 'attention-wasm/safetensors';
import {
  isSameModel,
  modelInWords,
  readIdentity,
  writeIdentity,
} from '../../web/demo/model_identity.js';
import { identityOf } from '../../web/demo/worker/models/identity.js';
import { chosenFolder } from '../../web/demo/worker/models/model_folder.js';
import { escapingPaths } from '../support/js/escaping_paths.js';
import { hostileNames } from '../support/js/hostile_names.js';

const config = '{"model_type":"gpt2"}';
const weights = (last, name = 'wte') =>
  writeSafetensors({
    [name]: {
      data: Float32Array.from({ length: 4000 }, (_, at) => (at === 3999 ? last : at)),
      dims: [40, 100],
    },
  });

async function identified(contents, model = { type: 'gpt2', name: 'mine' }) {
  const folder = chosenFolder(
    Object.entries(contents).map(([path, content]) => ({
      path,
      file: new File([content], path.split('/').at(-1)),
    })),
  );
  for (const path of ['model.safetensors', 'other.safetensors']) await folder.source.bytes(path);
  return identityOf(folder, model);
}

describe('the identity of a model', () => {
  it('is read as it was written, whatever the name', () => {
    const names = [...hostileNames, ...escapingPaths].map(String).filter((name) => name.trim());
    for (const name of ['a b', 'OWNER/name', '”', ...names]) {
      const one = { type: 'deberta-v2', bytes: 548105171, hash: '0f86d081', name };
      const read = readIdentity(writeIdentity(one));
      assert.ok(read, name);
      assert.deepEqual({ ...read, name: '' }, { ...one, name: '' });
      assert.equal(writeIdentity(read), writeIdentity(one));
    }
    for (const text of [
      '',
      'gpt2',
      'gpt2 5 0f86d081 ',
      'gpt2 5 0F86D081 a',
      'gpt2 -5 0f86d081 a',
    ]) {
      assert.equal(readIdentity(text), null, text);
    }
  });

  it('is the same under another name, and another with another type, size or hash', () => {
    const one = 'gpt2 5 0f86d081 a';
    assert.equal(isSameModel(one, 'gpt2 5 0f86d081 b c'), true);
    for (const other of ['bert 5 0f86d081 a', 'gpt2 6 0f86d081 a', 'gpt2 5 0f86d082 a', '']) {
      assert.equal(isSameModel(one, other), false, other);
      assert.equal(isSameModel(other, one), false, other);
    }
  });

  it('is named in sentences', () => {
    assert.equal(
      modelInWords('gpt2 548105171 0f86d081 my gpt2'),
      '“my gpt2” (gpt2, 523 MB of weights, 0f86d081)',
    );
  });

  it('has the published FNV-1a hash of a config without weights', async () => {
    // Test vector of the authors of the hash, Fowler, Noll and Vo.
    assert.equal(await identified({ 'config.json': 'foobar' }), 'gpt2 0 bf9cf968 mine');
  });

  it('depends on the config, the header and the numbers of the weights', async () => {
    const files = (content, last, name) => ({
      'config.json': content,
      'model.safetensors': weights(last, name),
    });
    const own = await identified(files(config, 1));
    const in_ = (contents) =>
      Object.fromEntries(Object.entries(contents).map(([path, one]) => [`renamed/${path}`, one]));
    assert.equal(await identified(in_(files(config, 1))), own);
    assert.match(own, RegExp(`^gpt2 ${weights(1).length} `));
    const others = {
      'another config': files('{"model_type": "gpt2"}', 1),
      'another header': files(config, 1, 'wpe'),
      'another checkpoint': files(config, 2),
    };
    for (const [what, contents] of Object.entries(others)) {
      assert.equal(isSameModel(await identified(contents), own), false, what);
    }
  });
});
