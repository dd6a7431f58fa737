// web/lib/models/README.md: its table has every supported model type, families read the fields that it names, and its
// JavaScript runs.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { loadModel } from 'attention-wasm/models';
import { writeSafetensors } from 'attention-wasm/safetensors';
import { supportedTypes } from '../../../web/lib/models/config/supported_types.js';
import { tokenizerClasses } from '../../../web/lib/models/tokenizer/vocabulary_files/read_vocabulary.js';
import { root } from '../../support/js/package.js';
import { withTokens } from '../../support/js/models_with_tokens.js';
import { publishedConfigs } from '../../support/js/published_configs.js';
import { decoderFiles, fillingFiles } from '../../support/js/whole_models.js';

const folder = join(root, 'web/lib/models');
const guide = await readFile(join(folder, 'README.md'), 'utf8');

const spelled = (text) => [...text.matchAll(/`([^`]+)`/g)].map(([, code]) => code);
const rows = guide
  .slice(guide.indexOf('| `model_type`'))
  .split('\n')
  .slice(2)
  .filter((line) => line.startsWith('|'));

describe('the guide to one’s own model', () => {
  it('has each supported model type, once, as the list of the page and the reference', async () => {
    const types = rows.flatMap((row) => spelled(row.split('|')[1]));
    const named = Object.values(supportedTypes).flatMap((names) => Object.keys(names));
    const reference = await readFile(join(root, 'web/lib/types/models.d.ts'), 'utf8');
    for (const [kind, names] of Object.entries(supportedTypes)) {
      const row = reference.split('\n').find((line) => line.startsWith(` * | ${kind} |`));
      assert.deepEqual(
        spelled(row).filter((type) => type !== 'nn.Transformer'),
        Object.keys(names),
        kind,
      );
    }
    await assert.rejects(loadModel({ config: { model_type: '' }, weights: {} }), (error) => {
      const read = / this reads (.*)$/.exec(error.message)[1].split(', ');
      assert.deepEqual([...types].sort(), [...read].sort());
      assert.deepEqual([...named].sort(), [...read].sort());
      return true;
    });
  });

  it('has each class of tokenizers that is read without tokenizer.json', () => {
    const row = guide.split('\n').find((line) => line.startsWith('| tokenizers '));
    const classes = spelled(row).filter((code) => code.endsWith('Tokenizer'));
    assert.deepEqual([...classes].sort(), [...tokenizerClasses].sort());
  });

  it('names fields that the families read', async () => {
    const config = join(folder, 'config');
    const files = (await readdir(join(config, 'families'))).map((file) => `families/${file}`);
    const sources = await Promise.all(
      [...files, 'rotary_frequencies.js'].map((file) => readFile(join(config, file), 'utf8')),
    );
    const known = sources.join('\n');
    const types = new Set(rows.flatMap((row) => spelled(row.split('|')[1])));
    for (const field of rows.flatMap((row) => spelled(row.split('|').slice(2).join('|')))) {
      if (types.has(field)) continue; // "as bert"
      const ending = field.replace('…', '').replace(/^(encoder|decoder)_/, '_');
      assert.ok(known.includes(ending), field);
    }
  });

  it('names types that load and fields that they read, of well-known models', () => {
    const section = guide.split('## Well-known models')[1].split('\n## ')[0];
    const known = section.split('\n').filter((line) => line.startsWith('| '));
    assert.ok(known.length > 15);
    for (const row of known.slice(2)) {
      const [, , type, fields] = row.split('|');
      const published = publishedConfigs[spelled(type)[0]];
      assert.ok(published, row);
      for (const field of spelled(fields)) assert.ok(field in published.read, `${field}: ${row}`);
    }
  });

  it('has each warning, of files that cause it', async () => {
    const section = guide.split('## Warnings')[1].split('\n## ')[0];
    const shown = section.split('\n').filter((line) => line.startsWith('| `'));
    const patterns = shown.map((row) => {
      const [sentence] = spelled(row);
      const escaped = sentence.replace(/[{}().|$]/g, '\\$&');
      return new RegExp(`^${escaped.replace(/…|NAME|\bN$/g, '.+')}$`);
    });
    const { 'config.json': config, 'tokenizer.json': tokenizer, ...rest } = decoderFiles();
    const { added_tokens: added, ...described } = JSON.parse(tokenizer);
    const own = { 'config.json': config, 'tokenizer.json': tokenizer, ...rest };
    const chosen = (files) =>
      Object.entries({ ...own, ...files })
        .filter(([, content]) => content !== undefined)
        .map(([name, content]) => new File([content], name));
    /** A folder on a server that answers 403 for missing files. */
    const refusing = (files) => {
      const read = async (name) => {
        if (files[name] === undefined) throw Object.assign(new Error(name), { status: 403 });
        return files[name];
      };
      return {
        location: 'memory',
        text: read,
        bytes: async (name) => new Blob([await read(name)]),
      };
    };
    const llama = withTokens('llama', 258, { added_tokens: added, ...described });
    llama.weights.delete('lm_head.weight');
    const headless = {
      'config.json': JSON.stringify({
        ...llama.config,
        ...{ tie_word_embeddings: false, architectures: ['LlamaForCausalLM'] },
      }),
      'model.safetensors': Buffer.from(writeSafetensors(llama.weights)),
    };
    const lower = { ...described, normalizer: { type: 'BertNormalizer', lowercase: true } };
    const found = [];
    for (const source of [
      chosen({ 'tokenizer.json': undefined }),
      refusing(own),
      chosen({ 'model.safetensors.index.json': '{}' }),
      chosen({ 'tokenizer_config.json': '{ "add_bos_token": true, "bos_token": "<end>" }' }),
      chosen({
        'tokenizer.json': JSON.stringify({ added_tokens: added, ...lower }),
        'tokenizer_config.json': '{ "do_lower_case": false }',
      }),
      chosen(headless),
      chosen({ 'config.json': JSON.stringify({ ...JSON.parse(config), option: 1 }) }),
    ]) {
      const model = await loadModel(source);
      found.push(model.warnings);
      model.delete();
    }
    assert.equal(patterns.length, found.length);
    found.forEach((warnings, n) => {
      assert.ok(warnings.length > 0, `${n}`);
      for (const warning of warnings) {
        const rows = patterns.flatMap((pattern, row) => (pattern.test(warning) ? [row] : []));
        assert.deepEqual(rows, [n], warning);
      }
    });
  });

  it('has code that runs unchanged', async () => {
    const place = await mkdtemp(join(tmpdir(), 'attention-wasm-guide-'));
    try {
      for (const [name, content] of Object.entries(fillingFiles())) {
        await writeFile(join(place, name), content);
      }
      const picture = join(place, 'attention.svg');
      const [, lines] = /```js\n([\s\S]*?)```/.exec(guide);
      const script = lines.replace('./my-model', place).replace('attention.svg', picture);
      const said = execFileSync(process.execPath, ['--input-type=module', '-e', script], {
        cwd: root,
        encoding: 'utf8',
      });
      assert.equal(said, 'the [ 0, 3 ]\n');
      assert.match(await readFile(picture, 'utf8'), /^<svg[\s\S]*\[CLS\]/);
    } finally {
      await rm(place, { recursive: true, force: true });
    }
  });
});
