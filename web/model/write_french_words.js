// node web/model/write_french_words.js PAIRS.tsv.gz...
// Writes the set of French words of the training data, by which the page leaves out what the model makes up among next
// words. Each line of a file has English, a tab, and French.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { add, bitsPerWord, wordsOf } from '../demo/worker/models/word_set.js';

const files = process.argv.slice(2);
if (files.length === 0)
  throw new Error('usage: node web/model/write_french_words.js PAIRS.tsv.gz…');

const words = new Set();
for (const file of files) {
  const lines = gunzipSync(readFileSync(file)).toString('utf8').split('\n');
  for (const line of lines) for (const word of wordsOf(line.split('\t')[1] ?? '')) words.add(word);
}
const bytes = new Uint8Array(Math.ceil((words.size * bitsPerWord) / 8));
for (const word of words) add(bytes, word);
const text = Buffer.from(bytes).toString('base64');
writeFileSync(
  fileURLToPath(new URL('../demo/worker/models/french_words.js', import.meta.url)),
  `// The ${words.size.toLocaleString('en')} French words of the training data, as word_set.js reads them; written by web/model/write_french_words.js.\n\nexport const frenchWords =\n  '${text}';\n`,
);
console.log(`${words.size} words, ${bytes.length} bytes`);
