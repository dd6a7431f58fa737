// How a sentence encoder makes one vector of many: modules.json and 1_Pooling/config.json, as the sentence encoders
// that are published have them beside their model.
import { isInnerPath } from './sources/inner_path.js';

const modes = [
  ['pooling_mode_mean_tokens', 'mean'],
  ['pooling_mode_cls_token', 'cls'],
];

const kindOf = (module) => String(module?.type).split('.').at(-1);

/** { mode, isNormalised }, or undefined where the files say nothing, or something that is not built. */
export async function readPooling(source) {
  const modules = await source.json('modules.json');
  if (!Array.isArray(modules)) return undefined;
  const kinds = modules.map(kindOf);
  const pooling = modules.find((module) => kindOf(module) === 'Pooling');
  const isKnown = kinds.every((kind) => ['Transformer', 'Pooling', 'Normalize'].includes(kind));
  if (!isKnown || !isInnerPath(pooling?.path)) return undefined;
  const config = (await source.json(`${pooling.path}/config.json`)) ?? {};
  const asked = Object.keys(config).filter((name) => /^pooling_mode_/.test(name) && config[name]);
  const mode = modes.find(([name]) => asked.length === 1 && asked[0] === name)?.[1];
  return mode && { mode, isNormalised: kinds.includes('Normalize') };
}
