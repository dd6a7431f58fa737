// The hook points of a model, and random edits of them.
import { seeded } from './random_tensors.js';

const everyPlace = [
  ...['resid_pre', 'q', 'k', 'v', 'scores', 'pattern', 'z', 'attn_out', 'resid_mid', 'mlp_out'],
  ...['resid_post', 'head_out', 'value_out'],
];
const ofCross = everyPlace.filter((at) => !/^(resid|mlp)/.test(at));

export const isEditable = (at) => !/^(head|value)_out|content/.test(at);

/** Whether attention and feed-forward of a layer have the same input; such layers have no resid_mid. */
function hasParallelLayers(type, config) {
  const isNew = config.new_decoder_architecture === true;
  const byType = {
    gpt_neox: config.use_parallel_residual ?? true,
    falcon: isNew || (config.parallel_attn ?? true),
    stablelm: config.use_parallel_residual ?? false,
  };
  return byType[type] ?? ['phi', 'gptj', 'codegen', 'cohere'].includes(type);
}

/** Every hook point of a model as { at, stack }. */
export function placesOf({ type, config, description }) {
  const isParallel = hasParallelLayers(type, config);
  const ofStack = everyPlace.filter((at) => at !== 'resid_mid' || !isParallel);
  const places = Object.keys(description).flatMap((stack) => ofStack.map((at) => ({ at, stack })));
  const { positionTerms } = description.self?.layers[0] ?? {};
  for (const at of positionTerms ? ['content_content', ...positionTerms] : []) {
    places.push({ at, stack: 'self' });
  }
  if (description.decoder) places.push(...ofCross.map((at) => ({ at, stack: 'cross' })));
  return places;
}

/** The captured tensors of a result by "stack place layer". */
export const listed = (result) =>
  new Map(
    result.captured.map(({ at, layer, stack, tensor }) => [`${stack} ${at} ${layer}`, tensor]),
  );

const { normal, integer } = seeded('edits');

export const normals = (dims) => ({
  data: Array.from({ length: dims.reduce((a, b) => a * b, 1) }, normal),
  dims,
});

/** Edits of one place in all ways: each operation, all and some heads and positions, tensors that stretch. */
export function editsOf({ at, stack }, layer, dims) {
  const all = dims.length === 3 ? dims : [1, ...dims];
  const [heads, rows, columns] = all;
  const rowField = at === 'k' || at === 'v' || at === 'value_out' ? 'key' : 'query';
  const isPairs = at === 'scores' || at === 'pattern';
  const hasHeads = dims.length === 3;
  const base = { at, layer, stack };
  const one = {
    ...base,
    ...(hasHeads && { head: heads - 1 }),
    [rowField]: [rows - 1, 0],
    ...(isPairs && { key: [1, 0] }),
  };
  const chosen = [...(hasHeads ? [1] : []), 2, isPairs ? 2 : columns];
  return [
    { ...base, to: 'zero' },
    { ...one, to: 'zero' },
    { ...base, to: { set: normals(dims) } },
    { ...one, to: { set: normals(chosen) } },
    { ...base, [rowField]: 1, to: { add: normals([isPairs ? 1 : columns]) } },
    { ...base, to: { add: normals([rows, 1]) } },
    { ...one, to: { scale: -0.5 } },
    ...(at === 'pattern'
      ? [
          { ...base, to: 'uniform' },
          { ...base, query: [rows - 1], to: 'uniform' },
        ]
      : []),
    ...(at === 'scores'
      ? [
          // null: −∞, of a pair that is visible in the last row, and in no causal first row.
          {
            ...one,
            to: {
              set: [
                [null, 0.5],
                [null, 1],
              ],
            },
          },
          { ...one, to: 'blocked' },
          { ...base, key: 0, to: 'blocked' },
        ]
      : []),
  ];
}

/** Two edits of each hook point, in any layer. captured: of listed(). */
export const editsOfAll = (places, captured) =>
  places
    .filter(({ at }) => isEditable(at))
    .flatMap((place) => {
      const layer = integer(0, 1);
      const { dims } = captured.get(`${place.stack} ${place.at} ${layer}`);
      const possible = editsOf(place, layer, dims);
      return [
        possible[integer(0, possible.length - 1)],
        { ...place, layer: [1, 0], to: { scale: 0.75 } },
      ];
    });
