// What the tests run of web/lib, as V8 counts it in Node.js and in Chromium (browser_coverage.js), branch by branch:
// monocart-coverage-reports finds the branches in the syntax and brings the counts of built files back to their sources.
import { readFileSync, readdirSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CoverageReport } from 'monocart-coverage-reports';

import { root } from './package.js';

const read = (...path) => readFileSync(join(root, ...path), 'utf8');

/** The map of a built file, with its sources by their paths from the root. */
const mapOf = (path) =>
  JSON.parse(read('.build/maps', `${basename(path)}.map`).replaceAll('"../lib/', '"web/lib/'));

/** A file of web/built or web/lib by its address, with its text; undefined of any other. */
function createEntries() {
  const known = new Map();
  return ({ url, functions }) => {
    const path = url.startsWith('file:') ? relative(root, fileURLToPath(url)) : '';
    if (!/^web\/(built|lib)\/.*\.js$/.test(path) || path.endsWith('_code.js')) return [];
    if (!known.has(path)) {
      const isBuilt = path.startsWith('web/built/');
      known.set(path, { source: read(path), ...(isBuilt && { sourceMap: mapOf(path) }) });
    }
    return [{ url, functions, ...known.get(path) }];
  };
}

/** Lines of the branches of a file that were not taken, and how many branches there are. */
function branchesOf({ b: counts, branchMap }) {
  // One that a built file has and the source itself comes twice, now and then with another end.
  const merged = new Map();
  for (const [id, taken] of Object.entries(counts)) {
    const { type, loc, locations } = branchMap[id];
    const key = `${type} ${loc.start.line}:${loc.start.column}`;
    const before = merged.get(key)?.taken ?? [];
    merged.set(key, { loc, locations, taken: taken.map((count, n) => count + (before[n] ?? 0)) });
  }
  const missing = [];
  let all = 0;
  for (const { loc, locations, taken } of merged.values()) {
    all += taken.length;
    taken.forEach((count, n) => {
      // Of an `if` without an `else`, what is passed over has no place of its own.
      if (count === 0) missing.push(locations[n].start.line ?? loc.start.line);
    });
  }
  return { all, missing: missing.sort((a, b) => a - b) };
}

/**
 * @param {string} folder of files as NODE_V8_COVERAGE has them written
 * @returns {Promise<Map<string, { all: number, missing: number[] }>>} by path
 */
export async function countJavaScript(folder) {
  const outputDir = join(root, '.build/coverage-js-report');
  const report = new CoverageReport({
    ...{ outputDir, clean: true, cleanCache: true, logging: 'error', reports: ['json'] },
    all: { dir: [join(root, 'web/lib')], filter: (path) => path.endsWith('.js') },
    sourceFilter: (path) => path.startsWith('web/lib/'),
    sourcePath: (path) => path.replace(/^.*(?=web\/lib\/)/, ''),
  });
  const entry = createEntries();
  for (const name of readdirSync(folder)) {
    const entries = JSON.parse(readFileSync(join(folder, name), 'utf8')).result.flatMap(entry);
    if (entries.length > 0) await report.add(entries);
  }
  await report.generate();
  const found = JSON.parse(readFileSync(join(outputDir, 'coverage-final.json'), 'utf8'));
  return new Map(
    Object.entries(found).map(([path, file]) => [
      path.replace(/^.*(?=web\/lib\/)/, ''),
      branchesOf(file),
    ]),
  );
}
