// `attention-wasm learn`: a task is learned, the same way each time, and saved for `attention-wasm model`.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { parseSafetensors } from 'attention-wasm/safetensors';
import { displayWidth } from '../../../web/lib/command/terminal_text.js';
import { command, invoke, printed, refusing } from '../../support/js/command.js';

describe('the command learn', () => {
  let folder;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'attention-wasm-learn-'));
  });

  after(() => rm(folder, { recursive: true, force: true }));

  it('learns to reverse with a diagonal in its cross-attention', () => {
    const { losses, right, of, example } = JSON.parse(printed(['learn', 'reverse', '--json']));
    assert.equal(losses.length, 500);
    assert.ok(right >= 0.99 * of, `${right} of ${of}`);
    assert.deepEqual(example.output, [...example.columns].reverse());
    const [{ data, dims }] = example.attention;
    assert.deepEqual(dims, [1, 8, 8]);
    for (let i = 0; i < 8; i++) assert.ok(data[i * 8 + 7 - i] > 0.5, `row ${i}`);
  });

  it('prints a loss curve and tables, the same each time', () => {
    const args = ['learn', 'sort', '--steps', '40', '--seed', '3', '--color', 'never'];
    const output = printed(args);
    assert.equal(printed(args), output);
    const lines = output.split('\n');
    assert.equal(
      lines[0],
      'sort: 6 digits from 0 to 2 in order. decoder, 2 layers, 2 heads, width 32, seed 3',
    );
    assert.match(lines[1], /^step {2}1 {2}loss 1\.\d{4} {2}█{40}$/);
    assert.equal(lines.filter((line) => /^step +\d+ {2}loss/.test(line)).length, 21);
    assert.match(output, /^\d+ of 200 unseen rows are right\.$/m);
    assert.match(output, /^Self-attention, layer 2, head 2$/m);
    const otherSeed = printed([...args.slice(0, 4), '--seed', '4', '--color', 'never']);
    assert.notEqual(otherSeed, output);
  });

  it('scales scores as requested', () => {
    const lossesOf = (...scale) => {
      const args = ['learn', 'reverse', '--steps', '30', '--json', ...scale];
      return JSON.parse(printed(args)).losses;
    };
    const own = lossesOf();
    assert.notDeepEqual(lossesOf('--scale', '1'), own);
    assert.deepEqual(lossesOf('--scale', String(1 / Math.sqrt(32))), own);
  });

  it('saves what `model` reads', async () => {
    const target = join(folder, 'model');
    printed(['learn', 'reverse', '--steps', '2', '--save', target]);
    assert.deepEqual(await readdir(target), ['config.json', 'model.safetensors']);
    const { metadata } = parseSafetensors(await readFile(join(target, 'model.safetensors')));
    assert.equal(metadata.get('format'), 'pt', 'transformers opens no other files');
    assert.match(printed(['learn', 'sort', '--steps', '2', '--save', target]), /^Saved in /m);
    const { code, out, err } = command(['model', target, '0 1 2 2 1']);
    assert.equal(code, 0);
    assert.match(out, /attention/);
    assert.match(
      err,
      /^attention-wasm: warning: the model has no tokenizer, so its input is \{ ids \}: .*\n$/,
    );
  });

  it('finds out before it learns that it cannot save', { timeout: 60_000 }, async () => {
    const file = join(folder, 'file');
    await writeFile(file, '');
    const full = join(folder, 'full');
    await mkdir(join(full, 'model.safetensors'), { recursive: true });
    const cases = [
      [file, `${file} is a file, not a folder`],
      [join(file, 'below'), `${join(file, 'below')}: not a directory`],
      [full, `${full}/model.safetensors is a folder, not a file`],
      // mkdir() of Node.js would try it forever.
      ['/proc/missing/below', '/proc/missing: no such file or directory'],
    ];
    for (const [target, sentence] of cases) {
      const { code, out, err } = command([
        'learn',
        'reverse',
        '--steps',
        '100000',
        '--save',
        target,
      ]);
      assert.deepEqual([code, out, err], [1, '', `attention-wasm: ${sentence}\n`]);
    }
    assert.deepEqual(await readdir(full), ['model.safetensors']);
    assert.deepEqual(await readFile(file, 'utf8'), '');
  });

  it('leaves no folder where it is interrupted', async () => {
    const target = join(folder, 'a/b');
    const [node, parameters, settings] = invoke([
      'learn',
      'sort',
      '--steps',
      '90000',
      '--save',
      target,
    ]);
    const running = spawn(node, parameters, settings);
    await once(running.stdout, 'data'); // the training has begun
    running.kill('SIGINT');
    await once(running, 'close');
    assert.ok(!(await readdir(folder)).includes('a'));
  });

  it('replaces a link of the name of a file, and not the file that it leads to', async () => {
    const target = join(folder, 'linked');
    const other = join(folder, 'other.json');
    await writeFile(other, 'other');
    await mkdir(target);
    await symlink(other, join(target, 'config.json'));
    printed(['learn', 'sort', '--steps', '1', '--save', target]);
    assert.equal(await readFile(other, 'utf8'), 'other');
    assert.deepEqual(await readdir(target), ['config.json', 'model.safetensors']);
    assert.equal(
      JSON.parse(await readFile(join(target, 'config.json'), 'utf8')).model_type,
      'gpt2',
    );
  });

  it('fits a narrow terminal', () => {
    const options = { env: { COLUMNS: '40' } };
    const lines = printed(['learn', 'sort', '--steps', '2'], options).split('\n');
    assert.deepEqual(
      lines.filter((line) => displayWidth(line) > 40),
      [],
    );
  });

  it('refuses unknown options and tasks', () => {
    const refuses = refusing("Try 'attention-wasm learn --help'.");
    refuses(['learn'], 'missing task: reverse, sort or repeat');
    refuses(['learn', 'add'], 'unknown task "add"; expected reverse, sort or repeat');
    refuses(['learn', 'sort', 'reverse'], '2 tasks; expected one');
    const steps = '--steps is "0"; expected an integer from 1 to 100000';
    refuses(['learn', 'sort', '--steps', '0'], steps);
    for (const scale of ['', 'x', 'NaN', '1e999']) {
      refuses(['learn', 'sort', '--scale', scale], `--scale is "${scale}"; expected a number`);
    }
    refuses(['learn', 'sort', '--save', ''], '--save is ""; expected a folder');
    refuses(['learn', 'sort', '--csv'], 'unknown option "--csv"');
  });
});
