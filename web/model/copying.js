// node web/model/copying.js
// Counts which of 160 numbers and 75 names a translation copies unchanged: eight sentence frames for numbers of two to
// six digits, years and prices, five for names. No name is in a list that training drew from.
import { parseArgs } from 'node:util';
import { randomNumbers } from '../lib/models/pick_token.js';
import { loadShipped } from './shipped.js';

const around = [
  (n) => `I counted ${n} birds on the lake.`,
  (n) => `My uncle was born in ${n}.`,
  (n) => `The new bicycle cost him ${n} euros.`,
  (n) => `Please read page ${n} until tomorrow.`,
  (n) => `Our house is ${n} metres from the sea.`,
  (n) => `${n} people signed the letter.`,
  (n) => `What happened in ${n}?`,
  (n) => `His locker has the number ${n}.`,
];
const digits = [2, 3, 4, 4, 5];
const people =
  `Adebayo Anselm Bettina Brahim Cosima Dagny Edvin Fiorella Gunnar Hortensia Ismene Jadwiga Kazuo Lisbeth Mohammad
  Nkosana Odile Przemek Quentin Roswitha Saoirse Tatyana Umberto Vaiva Wolfgang Xochitl Yevgenia Zdenek Akinyi Bjarne
  Chukwuma Dulcie Ernestine Fyodor Giselle Hamza Ignatius Joaquin Kerubo Lazarus`.split(/\s+/);
const places =
  'Aarhus Bandung Coimbra Djibouti Eskisehir Fukuoka Gaborone Hyderabad Iquitos Jaipur'.split(' ');

const { values } = parseArgs({
  options: { weights: { type: 'string' }, all: { type: 'boolean' } },
});
const { translator } = await loadShipped(values.weights);
const random = randomNumbers(13);
const pick = (list) => list[Math.floor(random() * list.length)];
const say = (english) => translator.translate(english, { attention: false }).text;
const holds = (text, part) =>
  new RegExp(`(?<![\\p{L}\\p{N}])${part}(?![\\p{L}\\p{N}])`, 'u').test(text);

function report(what, cases) {
  const counts = new Map();
  const missed = [];
  for (const { english, parts, kind } of cases) {
    const french = say(english);
    for (const part of parts) {
      const [found, all] = counts.get(kind) ?? [0, 0];
      const isThere = holds(french, part);
      if (!isThere) missed.push(`  ${english} | ${french}`);
      counts.set(kind, [found + Number(isThere), all + 1]);
    }
  }
  const [found, all] = [...counts.values()].reduce(([a, b], [c, d]) => [a + c, b + d], [0, 0]);
  console.log(`${what}: ${found} of ${all} (${((100 * found) / all).toFixed(1)} %)`);
  for (const [kind, [some, of]] of counts) console.log(`  ${kind}: ${some} of ${of}`);
  if (values.all) console.log([...new Set(missed)].join('\n'));
}

const numbers = around.flatMap((frame) =>
  Array.from({ length: 20 }, (_, n) => {
    const length = digits[n % digits.length] + (n % 10 === 9 ? 1 : 0);
    const isYear = length === 4 && n % 2 === 0;
    const number = isYear
      ? String(1400 + Math.floor(random() * 650))
      : Array.from({ length }, (_, at) => Math.floor(random() * (at ? 10 : 9)) + (at ? 0 : 1)).join(
          '',
        );
    return { english: frame(number), parts: [number], kind: `${length} digits` };
  }),
);
report('numbers', numbers);

const named = [
  (a) => ({ english: `Have you already spoken with ${a}?`, parts: [a], kind: 'one name' }),
  (a, b) => ({ english: `${a} and ${b} are playing cards.`, parts: [a, b], kind: 'two names' }),
  (a, b) => ({ english: `${a} wrote a long letter to ${b}.`, parts: [a, b], kind: 'two names' }),
];
const names = Array.from({ length: 10 }, () =>
  named.map((frame) => {
    const first = pick(people);
    return frame(first, pick(people.filter((other) => other !== first)));
  }),
).flat();
const towns = Array.from({ length: 25 }, (_, n) => ({
  english:
    n % 2 ? `The train to ${places[n % 10]} is late.` : `We spent a week in ${places[n % 10]}.`,
  parts: [places[n % 10]],
  kind: 'places',
}));
report('names', [...names, ...towns]);
