// The indirect object experiment (Wang et al., 2022, arXiv 2211.00593) on a folder with GPT-2 small, beside published
// numbers; without a folder, time and memory on a seeded model of its shape.
//
//   node tests/bench/indirect_object.js [FOLDER]
//
// Prompts and the expected numbers of [1] and [2] are those of TransformerLens' demos, whose texts begin with <|endoftext|>:
//   [1] demos/Exploratory_Analysis_Demo.ipynb: the mean logit difference of 8 prompts
//   [2] demos/Direct_Logit_Attribution_Demo.ipynb: heads of the first prompt, Mary − John, at the last position
//   [3] Wang et al., §3.4: the logit difference falls by 5 % without the three Name Movers, which are replaced by means over
//       other texts; here, they are set to zero, so that the fall may differ
import { ablate, loadModel, sweep } from '../../web/built/models.node.js';
import { gpt2, seededTensors } from './model_shapes.js';

const endOfText = 50_256;
const prompts = [
  ['When John and Mary went to the shops, John gave the bag to', ' Mary', ' John'],
  ['When John and Mary went to the shops, Mary gave the bag to', ' John', ' Mary'],
  ['When Tom and James went to the park, James gave the ball to', ' Tom', ' James'],
  ['When Tom and James went to the park, Tom gave the ball to', ' James', ' Tom'],
  ['When Dan and Sid went to the shops, Sid gave an apple to', ' Dan', ' Sid'],
  ['When Dan and Sid went to the shops, Dan gave an apple to', ' Sid', ' Dan'],
  ['After Martin and Amy went to the park, Amy gave a drink to', ' Martin', ' Amy'],
  ['After Martin and Amy went to the park, Martin gave a drink to', ' Amy', ' Martin'],
];
const publishedDifference = 3.5519; // [1]
const publishedHeads = [
  [9, 9, 1.9583],
  [9, 6, 1.6281],
  [10, 7, -1.4267],
  [11, 1, -0.9117],
  [11, 10, -0.9042],
  [10, 0, 0.637],
  [10, 10, 0.4524],
  [8, 10, 0.4264],
]; // [2]: layer, head, part
const nameMovers = [
  [9, 9],
  [9, 6],
  [10, 0],
];

const mean = (numbers) => numbers.reduce((a, b) => a + b, 0) / numbers.length;

/** Prompts as { ids, right, wrong }; of a model without a tokenizer, one with other ids. */
function readPrompts({ tokenizer, vocabularySize }) {
  if (!tokenizer) {
    const ids = Array.from({ length: 15 }, (_, n) => (n * 7919) % vocabularySize);
    return [{ ids, right: 3, wrong: 5 }];
  }
  const idsOf = (text) => tokenizer.encodePlain(text);
  return prompts.map(([text, right, wrong]) => {
    const [answers, others] = [right, wrong].map(idsOf);
    return { ids: [endOfText, ...idsOf(text)], right: answers[0], wrong: others[0] };
  });
}

const differenceOf =
  ({ right, wrong }) =>
  ({ logits: { data, dims } }) => {
    const row = data.subarray(-dims.at(-1));
    return row[right] - row[wrong];
  };

function attributeHeads(model, first) {
  const { ids, right, wrong } = first;
  const result = model.run({ ids }, { attribution: true });
  const { total, parts } = model.attribute(result, { token: right, against: wrong });
  const sum = parts.reduce((all, { value }) => all + value, 0);
  console.log(
    `\nDirect logit attribution of the first prompt: ${total.toFixed(4)}, parts sum to ${sum.toFixed(4)}`,
  );
  for (const [layer, head, expected] of publishedHeads) {
    const { value } = parts.find((one) => one.layer === layer && one.head === head);
    console.log(
      `  ${`${layer}.${head}`.padStart(5)}  ${value.toFixed(4).padStart(8)}   published ${expected}`,
    );
  }
}

const cpuSeconds = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
};

/**
 * All heads of the first prompt without one head each. Every eighth run is followed by the same run with all layers and
 * positions, so that both are measured under the same load.
 */
async function sweepHeads(model, first) {
  const { ids } = first;
  const edit = (layer, head) => ablate(layer, head);
  const metric = differenceOf(first);
  const single = { runs: 0, seconds: 0 };
  const onProgress = ({ done }) => {
    if (done % 8 !== 0) return;
    const begin = cpuSeconds();
    const at = done - 1;
    model.run({ ids }, { edits: edit(Math.floor(at / model.heads), at % model.heads) });
    single.seconds += cpuSeconds() - begin;
    single.runs++;
  };
  const options = { edit, metric, position: ids.length - 1, onProgress };
  const start = cpuSeconds();
  const { values, base } = await sweep(model, { ids }, options);
  const swept = cpuSeconds() - start - single.seconds;
  const changes = Array.from(values, (value, at) => [value - base, at]).sort(([a], [b]) => a - b);
  const named = ([change, at]) =>
    `${Math.floor(at / model.heads)}.${at % model.heads} ${change.toFixed(3)}`;
  console.log(
    `\nLogit difference ${base.toFixed(4)}; changes without one head, of ${values.length}:`,
  );
  console.log(`  falls: ${changes.slice(0, 5).map(named).join(', ')}`);
  console.log(`  rises: ${changes.slice(-5).reverse().map(named).join(', ')}`);
  const whole = (single.seconds / single.runs) * values.length;
  console.log(
    `\n${values.length} runs of ${ids.length} tokens: sweep() ${swept.toFixed(1)} s, one by one ${whole.toFixed(1)} s of one core (${(whole / swept).toFixed(2)}×)`,
  );
}

const [folder] = process.argv.slice(2);
const source = folder ?? { config: gpt2.config, weights: seededTensors(gpt2) };
const model = await loadModel(source);
console.log(folder ? `GPT-2 small in ${folder}` : 'A seeded model of the shape of GPT-2 small');
const texts = readPrompts(model);
const differences = texts.map((text) => differenceOf(text)(model.run({ ids: text.ids })));
console.log(
  `Mean logit difference ${mean(differences).toFixed(4)}${folder ? `, published ${publishedDifference}` : ''}`,
);
if (folder) attributeHeads(model, texts[0]);
await sweepHeads(model, texts[0]);
const without = texts.map((text) => {
  const edits = nameMovers.flatMap(([layer, head]) => ablate(layer, head));
  return differenceOf(text)(model.run({ ids: text.ids }, { edits }));
});
console.log(
  `Mean logit difference without 9.9, 9.6 and 10.0: ${mean(without).toFixed(4)}${folder ? ' (published, with means instead of zeros: −5 %)' : ''}`,
);
console.log(`Peak memory ${Math.round(process.resourceUsage().maxRSS / 1024)} MB`);
model.delete();
