// Which dropped files are a model's, and which the reader's arrays; the folder of files with a prefix.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { areOfModel } from '../../web/demo/page/own_files/dropped_on_page.js';
import { chosenFiles } from '../../web/demo/page/own_model/dropped_files.js';
import { chosenFolder } from '../../web/demo/worker/models/model_folder.js';

const filesOf = (names) =>
  names.map((name) => ({ name, type: name.endsWith('.png') ? 'image/png' : '' }));
const isModel = (names, isWanted) => areOfModel(filesOf(names), isWanted);

describe('dropped files', () => {
  it('are a model where a config comes with weights', () => {
    for (const isWanted of [false, true]) {
      assert.equal(isModel(['config.json', 'model.safetensors'], isWanted), true);
      assert.equal(isModel(['tiny_gemma_config.json', 'tiny_gemma.safetensors'], isWanted), true);
      for (const names of [
        ['weights.npy'],
        ['attention.npz'],
        ['weights.json'],
        ['q.safetensors', 'k.safetensors'],
        ['model.zip'],
        ['model.pt'],
        ['weights.pkl'],
        ['config.json', 'pytorch_model.bin'],
      ]) {
        assert.equal(isModel(names, isWanted), false, `${names}`);
      }
    }
    for (const names of [
      ['tokenizer_config.json', 'a.safetensors'],
      ['cat.png'],
      ['config.json'],
    ]) {
      assert.equal(isModel(names, false), false, `${names}`);
    }
    assert.equal(isModel(['cat.png'], true), true);
    assert.equal(isModel(['model.safetensors'], true), true);
    assert.equal(isModel(['config.json', 'tokenizer.json'], true), true);
  });

  it('have SentencePiece’s models among those of a model', () => {
    const names = ['config.json', 'tokenizer.model', 'spiece.model', 'README.md'];
    assert.deepEqual(
      chosenFiles(filesOf(names)).map(({ path }) => path),
      names.slice(0, 3),
    );
  });

  it('with a prefix are a folder', async () => {
    const names = [
      'tiny_config.json',
      'tiny.safetensors',
      'tiny_tokenizer.json',
      'tokenizer_config.json',
    ];
    const folder = chosenFolder(names.map((path) => ({ path, file: new File([path], path) })));
    const found = { 'config.json': 0, 'tokenizer.json': 2, 'tokenizer_config.json': 3 };
    for (const [path, at] of Object.entries(found)) {
      assert.equal(await folder.source.text(path), names[at], path);
    }
    assert.equal((await folder.source.bytes('model.safetensors')).name, names[1]);
    assert.equal(await folder.weightsName(), 'tiny');
    const two = chosenFolder(
      ['a_config.json', 'b_config.json'].map((path) => ({ path, file: new File([path], path) })),
    );
    assert.equal(await two.source.text('config.json'), undefined, 'which of the two?');
  });
});
