// Roles of heads and their numbers, for every head of the translator, against a second implementation.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loadTranslator } from 'attention-wasm/translator';
import { reachOf, roleText } from '../../../web/demo/page/views/head_of_picture.js';
import { answerTo } from '../../support/js/page_answer.js';
import { assertShows, headOf } from '../../support/js/page_numbers.js';

const translator = await loadTranslator();
const english = 'The red car is in front of the house.';
const elephant = 'The pink elephant tried to get into the car but it was too big.';
const plain = { merge: false, hideSpecial: false };

const pictureOf = async (state) =>
  (await answerTo({ source: 'model', ...plain, ...state })).picture;

/** As is said beside the grid of heads. */
const saidOf = ({ role }) => (role ? [roleText(role), ...reachOf(role)] : []);

describe('roles of heads', () => {
  it('agree with a second implementation', async () => {
    const { thumbnails } = await pictureOf({ mode: 'cross', view: 'heads', text: elephant });
    const { source, target, inputs, attention: weights } = translator.translate(elephant);
    const textsOf = ({ tokens }) => tokens.map((token) => token.text);
    assert.equal(unitOf(target), 'token');
    const parts = {
      cross: [weights.cross, target, source, null],
      decoder: [weights.decoder, target, inputs, 1],
      encoder: [weights.encoder, source, source, 0],
    };
    const said = new Set();
    for (const one of thumbnails) {
      const [stack, layer] = one.part.split('.');
      const [layers, rows, columns, shift] = parts[stack];
      const all = layers[layer];
      const want = roleOf(headOf(all, one.head), unitOf(rows), textsOf(columns), shift, all.dims);
      assertRole(saidOf(one), want, `${one.part}, head ${one.head}`);
      said.add(want.says);
    }
    const count = Object.values(weights).reduce((sum, layers) => sum + layers.length, 0);
    assert.equal(thumbnails.length, count * translator.heads);
    assert.ok(said.size > 2, 'all heads do the same');
  });

  it('are those of the list of heads', async () => {
    const { roles } = await pictureOf({ mode: 'self', text: english });
    const { source, attention: weights } = translator.encode(english);
    const columns = source.tokens.map((token) => token.text);
    const { dims } = weights.encoder[0];
    assert.equal(roles.length, translator.heads);
    roles.forEach((role, head) => {
      const want = roleOf(headOf(weights.encoder[0], head), unitOf(source), columns, 0, dims);
      assertRole(saidOf({ role }), want, `head ${head}`);
    });
  });

  it('are absent where weights are negative', async () => {
    const spelled = { source: 'ngrams', mode: 'self', text: 'one stone and two stones', heads: 4 };
    const negative = await pictureOf({ ...spelled, view: 'heads', kind: 'cosine' });
    assert.deepEqual(negative.thumbnails.map(saidOf), [[], [], [], []]);
    const positive = await pictureOf({ ...spelled, view: 'heads' });
    assert.ok(positive.thumbnails.every((one) => saidOf(one).length > 1));
  });
});

function assertRole(says, want, what) {
  const [, label, number] = /^(.*) \((?:largest )?([\d.]+)(?: here, [\d.–]+ in general)?\)$/.exec(
    says[0],
  );
  assert.equal(label, want.says, what);
  assertShows(number, want.share, what);
  const rest = says.slice(1);
  if (want.entropy !== null)
    assertShows(/[\d.]+/.exec(rest[0])[0], want.entropy, `${what}, entropy`);
  if (want.distance === null) assert.ok(rest.length < 2, `${what}: ${rest}`);
  else assertShows(/[\d.]+/.exec(rest[1])[0], want.distance, `${what}, distance`);
}

/** Unit: word, or token if none has several. */
const unitOf = ({ tokens }) =>
  new Set(tokens.map(({ word }) => word)).size < tokens.length ? 'token' : 'word';

/** The role of a head, from an independent implementation. */
function roleOf(weights, unit, columns, shift, [, height, width]) {
  const at = (row, column) => weights[row * width + column];
  const rows = Array.from({ length: height }, (_, row) => row);
  const places = columns.map((_, column) => column);
  const mean = (list) => list.reduce((a, b) => a + b, 0) / list.length;
  const shares = columns.map((label, column) => ({
    says: `mostly “${label}”`,
    share: mean(rows.map((row) => at(row, column))),
  }));
  if (shift !== null) {
    const diagonals = { itself: 0, [`previous ${unit}`]: 1, [`next ${unit}`]: -1 };
    for (const [says, distance] of Object.entries(diagonals)) {
      const on = rows.map((row) => [row, row - distance + shift]);
      const inside = on.filter(([, column]) => column >= 0 && column < width);
      shares.push({ says, share: mean(inside.map(([row, column]) => at(row, column))) });
    }
  }
  const best = shares.toSorted((a, b) => b.share - a.share)[0];
  const sharp = mean(rows.map((row) => Math.max(...places.map((column) => at(row, column)))));
  const entropy = mean(
    rows.map((row) =>
      places.reduce((sum, column) => {
        const weight = at(row, column);
        return weight > 0 ? sum - weight * Math.log2(weight) : sum;
      }, 0),
    ),
  );
  const distances = rows.flatMap((row) =>
    places.map((column) => at(row, column) * Math.abs(row - column + shift)),
  );
  const distance = shift === null ? null : distances.reduce((a, b) => a + b, 0) / height;
  if (best.share >= 0.4) return { ...best, entropy, distance };
  if (sharp >= 0.4) return { says: `mostly one ${unit} per row`, share: sharp, entropy, distance };
  return { says: 'spread out', share: sharp, entropy, distance };
}
