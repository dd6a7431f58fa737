// The command with texts beyond its limits: every input path fails with the limit in the message, and endless standard
// input is not read to the end.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { writeSafetensors } from 'attention-wasm/safetensors';
import { words } from 'attention-wasm/text';
import fc from 'fast-check';
import { jsonChunks } from '../../../web/lib/command/data_formats.js';
import { limits } from '../../../web/lib/command/limits.js';
import { command, invoke, printed } from '../../support/js/command.js';
import { byteLevel, withTokens } from '../../support/js/models_with_tokens.js';

const numbers = (count) => Array.from({ length: count }, (_, at) => at).join(' ');

/** Writes the chunk again and again until the command ends: { code, err, written: bytes }. */
async function endless(args, chunk) {
  const [node, parameters, settings] = invoke(args);
  const child = spawn(node, parameters, settings);
  const err = child.stderr.toArray();
  child.stdout.resume();
  let written = 0;
  const feed = () => {
    do written += chunk.length;
    while (child.stdin.write(chunk));
  };
  child.stdin.on('drain', feed);
  child.stdin.on('error', () => {});
  feed();
  const code = await new Promise((resolve) => child.on('exit', resolve));
  return { code, err: Buffer.concat(await err).toString(), written };
}

describe('text beyond the limits', () => {
  let folder;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'attention-wasm-limits-'));
    const { config, weights, tokenizer } = withTokens('gpt2', 260, byteLevel([['a', 't']]));
    await mkdir(join(folder, 'gpt2'));
    for (const [name, content] of Object.entries({
      'config.json': JSON.stringify(config),
      'tokenizer.json': JSON.stringify(tokenizer),
      'model.safetensors': writeSafetensors(weights),
    })) {
      await writeFile(join(folder, 'gpt2', name), content);
    }
  });
  after(() => rm(folder, { recursive: true, force: true }));

  function refused({ code, err, written = 0 }, limit) {
    assert.equal(code, 2, err);
    assert.match(err, RegExp(`limit .*\\b${limit}\\b`));
    assert.ok(written < 2 ** 24, `${written} bytes were read`);
  }

  const subcommands = {
    '': { args: () => [], limit: limits.characters },
    context: { args: () => ['a', '--context', '-'], limit: limits.characters },
    'model --built-in': { args: () => ['model', '--built-in'], limit: limits.characters },
    translate: { args: () => ['translate', '--text-only'], limit: limits.lineCharacters },
    model: { args: () => ['model', join(folder, 'gpt2')], limit: limits.characters },
  };
  for (const [name, { args, limit }] of Object.entries(subcommands)) {
    it(`${name || 'words'}: standard input that never ends, without lines, words or letters`, async () => {
      for (const bytes of ['a', 'a ', '!', '\0', '\xff']) {
        refused(await endless(args(), Buffer.from(bytes.repeat(32_768), 'latin1')), limit);
      }
    });

    it(`${name || 'words'}: a large file as standard input`, async () => {
      const path = join(folder, 'large');
      const file = await open(path, 'w');
      await file.truncate(200_000_000); // zeros
      await file.close();
      const handle = await open(path);
      const [node, parameters, settings] = invoke(args());
      const child = spawn(node, parameters, { ...settings, stdio: [handle.fd, 'ignore', 'pipe'] });
      const err = child.stderr.toArray();
      const code = await new Promise((resolve) => child.on('exit', resolve));
      await handle.close();
      refused({ code, err: Buffer.concat(await err).toString() }, limit);
    });
  }

  it('lines: of words, lines without words, and several where one is asked for', async () => {
    refused(await endless([], Buffer.from('y\n'.repeat(16_384))), limits.characters);
    refused(await endless(['translate'], Buffer.alloc(32_768, '\n')), limits.blankLines);
    const { code, err } = await endless(['translate', '--csv'], Buffer.from('y\n'.repeat(16_384)));
    assert.deepEqual([code, /--csv accepts one sentence/.test(err)], [2, true], err);
  });

  it('arguments: words, characters, ids of tokens', () => {
    const many = numbers(limits.words + 1);
    for (const args of [[many], many.split(' '), ['!'.repeat(99_999)], ['a', '-c', many]]) {
      refused(command(args), limits.words);
    }
    refused(command(['a'.repeat(limits.characters + 1)]), limits.characters);
    for (const args of [[], ['--target', 'a']]) {
      refused(command(['translate', many, ...args]), limits.lineCharacters);
    }
    refused(command(['translate', 'a', '--target', '!'.repeat(99_999)]), limits.lineCharacters);
    refused(command(['translate', `a\n${many}`]), limits.lineCharacters);
    // 2 layers × 4 heads × 5590² are all weights together.
    refused(command(['model', '--built-in', many]), 5590);
    const model = ['model', join(folder, 'gpt2')];
    refused(command([...model, 'a'.repeat(limits.characters + 1)]), limits.characters);
    // 2 layers × 2 heads × 7906² are more than all weights together.
    refused(command([...model, 'a '.repeat(4000)]), 7905);
    refused(command([...model, 'a '.repeat(3000), '--generate', '2000']), 7905);
  });

  it('weights of all heads, and numbers of all vectors', () => {
    refused(command([numbers(2000), '--heads', '64']), limits.weights);
    refused(command(['a'.repeat(50_000), '--dim', '65536']), limits.spelling);
  });

  it('is read if it is just within them', () => {
    // One word of all characters, and all words of one character each in the context.
    const context = Array(limits.words).fill('a').join(' ');
    const csv = printed(['a'.repeat(limits.characters), '--context', context, '--csv']);
    assert.equal(csv.split('\n')[0].split(',').length, limits.words + 1);
  });

  it('an engine that cannot allocate an array gives a plain message', () => {
    const first = `Intl.Segmenter.prototype.segment = () => { new ArrayBuffer(2 ** 52); };`;
    const { code, err } = command(['a'], { first });
    assert.deepEqual([code, err], [1, 'attention-wasm: out of memory\n']);
  });
});

describe('the words of a long text', () => {
  it('are those of the engine, with any characters around spaces', () => {
    const segmenter = new Intl.Segmenter('en', { granularity: 'word' });
    const nothing = /^[\p{White_Space}\p{Cc}\p{Default_Ignorable_Code_Point}]*$/u;
    const pieces = [
      ' ',
      ' ',
      '\n',
      '  ',
      "'",
      '.',
      '\u0301',
      '\u200d',
      '\u2060',
      '🇫',
      '🇷',
      '👩‍👧',
      '_',
    ].concat([
      'a',
      'don',
      '3',
      'é',
      'ש',
      '"',
      '茶道',
      'カ',
      'สวัสดี',
      '좋아',
      '\ud800',
      '\r\n',
      '-',
      '\u00a0',
    ]);
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...pieces), { minLength: 900, maxLength: 4000 }),
        (list) => {
          const text = list.join('');
          const want = Array.from(segmenter.segment(text), ({ segment }) => segment);
          assert.deepEqual(
            words(text),
            want.filter((segment) => !nothing.test(segment)),
          );
        },
      ),
      { seed: 2017, numRuns: 40 },
    );
  });
});

describe('JSON in pieces', () => {
  it('is JSON.stringify() with arrays for tensors', () => {
    const value = {
      text: 'a"\u202e',
      none: undefined,
      nothing: null,
      empty: [{}, []],
      tensor: { data: Float32Array.of(0.5, -0, NaN, 1e-9, 1 / 3, 7), dims: [1, 3, 2] },
    };
    const { tensor: _, ...rest } = value;
    assert.deepEqual(JSON.parse([...jsonChunks(value)].join('')), {
      ...JSON.parse(JSON.stringify(rest)),
      tensor: [
        [
          [0.5, 0],
          [null, 1e-9],
          [0.33333334, 7],
        ],
      ],
    });
  });
});
