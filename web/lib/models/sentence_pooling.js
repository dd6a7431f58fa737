// Reads the pooling of a sentence encoder from modules.json and 1_Pooling/config.json (the format of
// sentence-transformers).
import { isInnerPath } from './sources/file_text.js';

const modes = [
  ['pooling_mode_mean_tokens', 'mean'],
  ['pooling_mode_cls_token', 'cls'],
];

const kindOf = (module) => String(module?.type).split('.').at(-1);

/** { mode, isNormalized }, or undefined if the files are missing or describe unsupported pooling. */
export async function readPooling(source) {
  const modules = await source.json('modules.json');
  if (!Array.isArray(modules)) return undefined;
  const kinds = modules.map(kindOf);
  const pooling = modules.find((module) => kindOf(module) === 'Pooling');
  const isKnown = kinds.every((kind) => ['Transformer', 'Pooling', 'Normalize'].includes(kind));
  if (!isKnown || !isInnerPath(pooling?.path)) return undefined;
  const config = (await source.json(`${pooling.path}/config.json`)) ?? {};
  const enabled = Object.keys(config).filter((name) => /^pooling_mode_/.test(name) && config[name]);
  const mode = modes.find(([name]) => enabled.length === 1 && enabled[0] === name)?.[1];
  return mode && { mode, isNormalized: kinds.includes('Normalize') };
}
