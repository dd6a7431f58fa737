// node web/model/everyday.js [--write]
// Counts right, acceptable and wrong translations of the everyday sentences (tests/vectors/own_sentences.json). A
// translation equal to a reference is right; others have a reader's judgement in judgements.json or are counted as
// "not read". --write updates the table in everyday.md.
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { loadShipped } from './shipped.js';

const { values } = parseArgs({
  options: { weights: { type: 'string' }, write: { type: 'boolean', default: false } },
});
const here = (name) => new URL(name, import.meta.url);
const readJson = (name) => JSON.parse(readFileSync(here(name), 'utf8'));
const { sentences, showpieces } = readJson('../../tests/vectors/own_sentences.json');
const judgements = new Map(
  readJson('judgements.json').map(({ translation, judged }) => [translation, judged]),
);
const { translator } = await loadShipped(values.weights);

function judge({ english, french, category = 'the first forty' }) {
  const { text } = translator.translate(english, { attention: false });
  const judged = french.includes(text) ? 'right' : (judgements.get(text) ?? 'not read');
  return { english, french, category, text, judged };
}
const everyday = sentences.map(judge);
const shown = showpieces.map(judge);

const kinds = ['right', 'acceptable', 'wrong', 'not read'];
const counted = (list) =>
  kinds
    .map((kind) => [kind, list.filter(({ judged }) => judged === kind).length])
    .filter(([, count]) => count > 0)
    .map(([kind, count]) => `${count} ${kind}`)
    .join(', ');
const parts = [
  ['All 120', everyday],
  ['The first 40', everyday.slice(0, 40)],
  ['The other 80', everyday.slice(40)],
];
for (const [what, list] of parts) console.log(`${what}: ${counted(list)}`);
for (const { english, text, judged } of [...everyday, ...shown])
  if (judged === 'not read')
    console.log(`${JSON.stringify({ english, translation: text, judged: '' })},`);

if (values.write) {
  const row = (...cells) => `| ${cells.join(' | ')} |`;
  const table = (list) => [
    row('English', 'Translation', 'Judged', 'Renderings that were thought of'),
    row('---', '---', '---', '---'),
    ...list.map(({ english, text, judged, french }) =>
      row(english, text, judged === 'right' ? 'right' : `**${judged}**`, french.join('<br>')),
    ),
  ];
  const categories = [...new Set(everyday.map(({ category }) => category))];
  const text = [
    '# Everyday sentences',
    '',
    'What `web/model/everyday.js` writes: the sentences written for this project, none of them in the corpus, as the',
    'translator renders them (beam 4), and what a reader says of each: _right_, _acceptable_ (the meaning is whole, a',
    'word or a form is not what a French speaker would choose), or _wrong_.',
    '',
    ...parts.map(([what, list]) => `- ${what}: ${counted(list)}`),
    `- Showpieces: ${counted(shown)}`,
    ...categories.flatMap((category) => [
      '',
      `## ${category[0].toUpperCase()}${category.slice(1)}`,
      '',
      ...table(everyday.filter((one) => one.category === category)),
    ]),
    '',
    '## Showpieces',
    '',
    ...table(shown),
    '',
  ].join('\n');
  writeFileSync(here('everyday.md'), text);
}
