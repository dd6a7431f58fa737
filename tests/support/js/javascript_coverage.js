// Branch coverage of web/lib from V8's counts in Node.js and in Chromium (browser_coverage.js): monocart-coverage-reports
// finds the branches in the syntax and maps the counts of built files to their sources.
import { readFileSync, readdirSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CoverageReport } from 'monocart-coverage-reports';

import { root } from './package.js';

const read = (...path) => readFileSync(join(root, ...path), 'utf8');

/** Source map of a built file, with the paths of its sources from the root. */
const mapOf = (path) =>
  JSON.parse(read('.build/maps', `${basename(path)}.map`).replaceAll('"../lib/', '"web/lib/'));

/** Function from an entry of V8 to entries with source text: one for a file of web/built or web/lib, else none. */
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

/** Number of branches of a file, and the lines of those not taken. */
function branchesOf({ b: counts, branchMap }) {
  // A branch counted in a built file and in the source itself comes twice, sometimes with another end.
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
      // The missing `else` of an `if` has no location of its own.
      if (count === 0) missing.push(locations[n].start.line ?? loc.start.line);
    });
  }
  return { all, missing: missing.sort((a, b) => a - b) };
}

/**
 * @param {string} folder with the files that NODE_V8_COVERAGE makes engines write
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
