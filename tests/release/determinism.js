// Prints fingerprints of all test vectors' results by engine and compiler, side by side. They are the same
// everywhere and equal tests/vectors/fingerprints.json.
//   node tests/release/determinism.js [--nodes 22,24] [--arm64] [--browsers chromium,firefox,webkit] [--native PROGRAM,...]
// --nodes: other versions of Node.js (from npm, through npx) or paths; --arm64: Node.js for ARM64, run by QEMU;
// --native: builds of attention_tests.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import { loadAttention } from 'attention-wasm';
import { fused } from 'attention-wasm/fused';
import { loadAttentionPool } from 'attention-wasm/pool';
import { loadTraining } from 'attention-wasm/training';

import { arm64Node } from '../support/js/arm64.js';
import { attentionByRows, fixtureFingerprints } from '../support/js/fixture_fingerprints.js';
import { largeCallsFingerprint } from '../support/js/large_calls.js';
import { randomCallsDigest } from '../support/js/random_calls_digest.js';
import { digestOfRun, expectedDigest } from '../support/js/training_runs.js';
import { readVectors } from '../support/js/vectors.js';

const { values } = parseArgs({
  options: {
    nodes: { type: 'string', default: '' },
    arm64: { type: 'boolean', default: false },
    browsers: { type: 'string', default: 'chromium,firefox,webkit' },
    native: { type: 'string', default: '' },
    here: { type: 'boolean', default: false }, // used internally: print the fingerprints of this Node.js
  },
});
const randomCalls = 1500;
const list = (text) => text.split(',').filter(Boolean);
const fixture = (name) => readFileSync(new URL(`../vectors/${name}`, import.meta.url));
const expected = JSON.parse(fixture('fingerprints.json'));
const short = (functions) =>
  createHash('sha256')
    .update(JSON.stringify(Object.entries(functions).sort()))
    .digest('hex')
    .slice(0, 16);

/** A line of output: engine, fingerprint of each implementation, and a mark if one differs from the file. */
function line(engine, found) {
  const cells = Object.entries(found).map(([kernels, functions]) => {
    const others = Object.keys(functions).filter(
      (name) => functions[name] !== expected[kernels][name],
    );
    if (others.length > 0) process.exitCode = 1;
    return `${kernels} ${short(functions)}${others.length > 0 ? ` (not ${others.join(', ')})` : ''}`;
  });
  console.log(`${engine.padEnd(40)}${cells.join('   ')}`);
}

async function inThisNode() {
  const cases = readVectors(JSON.parse(fixture('vectors.json')), fixture('vectors.bin'));
  const found = {};
  for (const chosen of ['simd', 'reference', fused]) {
    const api = await loadAttention({ kernels: chosen });
    const { kernels } = api; // engines without relaxed SIMD run 'simd' for fused
    const byRows = { ...api, attention: attentionByRows(api) };
    const attention = cases.filter((one) => one.function === 'attention');
    found[kernels] = {
      whole: fixtureFingerprints(api, cases),
      rows: fixtureFingerprints(byRows, attention),
    };
  }
  const large = [await largeCallsFingerprint(await loadAttention())];
  for (let workers = 1; workers <= 4; workers++) {
    const pool = await loadAttentionPool({ workers });
    large.push(await largeCallsFingerprint(pool));
    await pool.close();
  }
  const training = digestOfRun(await loadTraining());
  const random = randomCallsDigest(await loadAttention(), randomCalls);
  return {
    name: `Node.js ${process.versions.node}, ${process.arch}`,
    found,
    large,
    training,
    random,
  };
}

/** `node`: the program and its first arguments. */
function inOtherNode([command, ...given]) {
  const file = fileURLToPath(import.meta.url);
  const options = { encoding: 'utf8' };
  const { status, stdout, stderr } = spawnSync(command, [...given, file, '--here'], options);
  if (status !== 0) throw new Error(`${[command, ...given].join(' ')}: ${stderr}`);
  return JSON.parse(stdout);
}

/** Digests of 50 steps of training. */
function printTraining(...digests) {
  if (digests.some((digest) => digest !== expectedDigest)) process.exitCode = 1;
  console.log(`  50 steps of training                   ${digests.join(' ')}`);
}

const part = ({ found }, name) =>
  Object.fromEntries(Object.entries(found).map(([kernels, parts]) => [kernels, parts[name]]));

function printNode(node, { large: [large], random }) {
  line(node.name, part(node, 'whole'));
  line('  attention(), each query alone', part(node, 'rows'));
  const others = node.large.filter((one) => one !== large);
  if (others.length > 0) process.exitCode = 1;
  console.log(`  large calls on 0, 1, 2, 3, 4 workers     ${node.large.join(' ')}`);
  const { digest, numbers } = node.random;
  if (digest !== random.digest) process.exitCode = 1;
  console.log(`  ${numbers.toLocaleString('en')} numbers of random calls     ${digest}`);
  printTraining(node.training);
}

async function printBrowser(name) {
  const { launch, serve } = await import('../support/js/browser.js');
  const { launchWebKit } = await import('../support/browser/webkit.js');
  const server = await serve([fileURLToPath(new URL('../..', import.meta.url))]);
  const browser = await (name === 'webkit' ? launchWebKit() : launch(name));
  try {
    const page = await browser.newPage();
    await page.goto(`${server.url}tests/support/browser/blank.html`);
    const { reports, digests } = await page.evaluate(async () => {
      await import(new URL('vectors_page.js', globalThis.location.href));
      await import(new URL('training_page.js', globalThis.location.href));
      return { reports: await globalThis.reports, digests: await globalThis.digests() };
    });
    const { page: inPage, worker } = reports;
    line(`${name}, page`, inPage.functions);
    line(`${name}, worker`, worker.functions);
    printTraining(...digests);
  } finally {
    await browser.close();
    server.close();
  }
}

/** GoogleTest compares with the same file. The reference kernels call the C library's tanh, whose bits may differ. */
function printNative(program) {
  const filter = '--gtest_filter=*Fingerprints*:*TrainingBits*';
  const { status, stdout } = spawnSync(program, [filter], { encoding: 'utf8' });
  if (status === 0) line(program, { simd: expected.simd });
  else {
    process.exitCode = 1;
    console.log(`${program}\n${stdout}`);
  }
}

const here = await inThisNode();
if (values.here) {
  process.stdout.write(JSON.stringify(here));
} else {
  const named = list(values.nodes).map((one) =>
    one.includes('/') ? [one] : ['npx', '--yes', `node@${one}`],
  );
  if (values.arm64) named.push(arm64Node());
  printNode(here, here);
  for (const node of named) printNode(inOtherNode(node), here);
  for (const name of list(values.browsers)) await printBrowser(name);
  for (const program of list(values.native)) printNative(program);
}
