// node web/model/calibration.js TEST.json
// Calibration over all next tokens of the references: mean probability of the likeliest token and its accuracy in ten
// bins, and the expected calibration error.
// Source: Guo et al., "On Calibration of Modern Neural Networks" (2017).
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { loadShipped } from './shipped.js';

const bins = 10;

const { values, positionals } = parseArgs({
  options: { weights: { type: 'string' } },
  allowPositionals: true,
});
if (positionals.length !== 1) throw new Error('usage: node web/model/calibration.js TEST.json');
const sentences = JSON.parse(readFileSync(positionals[0], 'utf8'));
const { translator, model: load } = await loadShipped(values.weights);
const model = await load();
const start = 1;

const counts = Array.from({ length: bins }, () => ({ tokens: 0, sure: 0, right: 0 }));
for (const { english, french } of sentences) {
  for (const text of french) {
    const { source, target } = translator.translate(english, { target: text, attention: false });
    const ids = ({ tokens }) => tokens.map(({ id }) => id);
    const wanted = ids(target);
    const decoderIds = [start, ...wanted.slice(0, -1)];
    const { data, dims } = model.run({ ids: ids(source), decoderIds }).logits;
    wanted.forEach((id, n) => {
      const row = data.subarray(n * dims[1], (n + 1) * dims[1]);
      const most = row.reduce((a, b) => Math.max(a, b));
      const sure = 1 / row.reduce((sum, x) => sum + Math.exp(x - most), 0);
      const bin = counts[Math.min(bins - 1, Math.floor(sure * bins))];
      bin.tokens++;
      bin.sure += sure;
      bin.right += row[id] === most ? 1 : 0;
    });
  }
}
const all = counts.reduce((sum, { tokens }) => sum + tokens, 0);
const apart = counts.reduce((sum, { sure, right }) => sum + Math.abs(sure - right), 0);
for (const { tokens, sure, right } of counts.filter((bin) => bin.tokens > 0)) {
  const percent = (x) => ((100 * x) / tokens).toFixed(1).padStart(5);
  console.log(`sure ${percent(sure)} %, right ${percent(right)} %, ${tokens} tokens`);
}
console.log(`expected calibration error ${((100 * apart) / all).toFixed(2)} % over ${all} tokens`);
