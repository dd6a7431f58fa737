// node web/model/referents.js [--weights FILE]
// Share of sentences in which an encoder head attends more from a pronoun to its noun than to another noun (or more from
// that noun to the pronoun), for each head. Chance is one half. Sentences come in pairs that differ in a word or two and
// exchange the right noun, so that position alone does not help: referent_cases.js and referent_pairs.json.
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { mergeWords } from 'attention-wasm/translator';
import { cases } from './referent_cases.js';
import { loadShipped } from './shipped.js';

const { values } = parseArgs({ options: { weights: { type: 'string' } } });
const { translator } = await loadShipped(values.weights);
const { known, unseen } = JSON.parse(
  readFileSync(new URL('referent_pairs.json', import.meta.url), 'utf8'),
);
const headOf = (noun) => noun.split(' ').at(-1);
const casesOf = (pairs) =>
  pairs.flatMap(([one, two]) => [
    { english: one.english, referent: headOf(one.referent), other: headOf(two.referent) },
    { english: two.english, referent: headOf(two.referent), other: headOf(one.referent) },
  ]);

function report(title, list) {
  const right = new Map();
  for (const { english, referent, other } of list) {
    const { source, attention } = translator.encode(english);
    const words = [];
    for (const { word, text } of source.tokens) words[word] = (words[word] ?? '') + text;
    const [wanted, unwanted] = [referent, other].map((word) => words.indexOf(word));
    const it = words.findLastIndex((word) => ['it', 'they', 'them'].includes(word));
    attention.encoder.forEach((weights, layer) => {
      const { data, dims } = mergeWords(weights, source.tokens, source.tokens);
      const [heads, rows, columns] = dims;
      for (let head = 0; head < heads; head++) {
        const at = (row, column) => data[(head * rows + row) * columns + column];
        for (const [way, isRight] of [
          ['from the pronoun', at(it, wanted) > at(it, unwanted)],
          ['to the pronoun', at(wanted, it) > at(unwanted, it)],
        ]) {
          const key = `layer ${layer + 1}, head ${head + 1}, ${way}`;
          right.set(key, (right.get(key) ?? 0) + Number(isRight));
        }
      }
    });
  }
  console.log(`${title}: ${list.length} sentences; the five best heads`);
  for (const [key, found] of [...right].sort((a, b) => b[1] - a[1]).slice(0, 5))
    console.log(`  ${key}: ${found} (${((100 * found) / list.length).toFixed(0)} %)`);
}

report('referent_cases.js', cases);
report('known pairs', casesOf(known));
report('unseen pairs', casesOf(unseen));
