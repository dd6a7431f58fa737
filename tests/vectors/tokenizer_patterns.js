// Writes tokenizer_patterns.json: patterns, texts, and the ends, in UTF-16 units, of the pieces into which
// the Rust library splits them.
//   node tests/vectors/tokenizer_patterns.js
import { writeFileSync } from 'node:fs';
import { RandomPatterns } from '../support/js/random_patterns.js';
import { seeded } from '../support/js/random_tensors.js';
import { splitByRust } from '../support/js/rust_patterns.js';
import { publishedPatterns } from '../../web/lib/models/tokenizer/pattern/published_patterns.js';

const texts = [
  '',
  "It's 1,234 o'clock — WE'LL see; ß naïve\r\n\r\n\tcafé",
  'Съешь же ещё этих мягких булок, 2026 г.',
  '中文分词　测试。日本語のテキスト、한국어',
  'مرحبا بالعالم ١٢٣، नमस्ते दुनिया १२३',
  'e\u0301a\u0308 👩🏽‍🚀🏳️‍🌈 x\u0085y\ufeffz\u200b',
  'HTTPServer camelCase snake_case x²+½ §4  \n  \n end  ',
];
const short = ['', 'aaab', 'Ab1\nB2\r\n', 'ſsſ K k', 'x\u0085 \ufeff\n'];

const forms = String.raw`
\h+ \H+ \s+ \S \w+ \W+ \d+ \D . \N+ \O \R ^ $ ^. .$ \A. .\z .\Z \n\Z \b \B \Aa|b\z
(?i)k (?i:s)+ (?i)[k-s] (?i)[^k] (?i)Ω a(?i)b|k (?m:.)+ (?m).\n(?-m). (?x:\s#b
)+ a{,2} a{2}? a{1,2}? a{1,2}+ a++b a*+ a?+a (?>a|aa)b (?>\s+)\S (?>a+?)b (?>\S+?) (?<=a)b (?<!a)b (?<=a|ab). (?=b). (?!b). (?<n>a)b (?#c)a
[[:alpha:]]+ [[:^alpha:]]+ [[:punct:]] \p{Punct} \p{^Punct} \P{Punct} \p{L} \p{^L} \P{L} \p{Greek} \p{greek} \p{White_Space}
[a-z&&[^b]]+ [^a-z&&b] [^[^a]] [a[^\n]] [\w&&[^\d]]+ [\p{L}\d]+ [^\p{L}] [\x41-\x{5a}] \x{1F469} \u0041 \t|\n [\]a] [a\-b]+`
  .trim()
  .split(/ |\n(?!\))/);

const random = new RandomPatterns(seeded('pattern vectors'));
const drawn = Array.from({ length: 250 }, () => [random.pattern(1), random.text(), random.text()]);

const cases = [];
for (const [pattern, ...own] of [
  ...Array.from(publishedPatterns.keys(), (pattern) => [pattern, ...texts]),
  ...forms.map((pattern) => [pattern, ...texts.slice(1, 3), ...short]),
  ...drawn,
]) {
  const split = splitByRust(pattern);
  if (split === undefined) continue;
  const pieces = [];
  for (const text of own) pieces.push([text, (await split(text)).map(([, end]) => end)]);
  cases.push([pattern, ...pieces]);
}
const lines = cases.map((one) => JSON.stringify(one)).join(',\n');
writeFileSync(new URL('tokenizer_patterns.json', import.meta.url), `[\n${lines}\n]\n`);
console.log(`${cases.length} patterns`);
