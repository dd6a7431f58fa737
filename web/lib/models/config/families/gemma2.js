// Gemma 2 (Gemma Team, 2024): Gemma with norms before and after the sublayers, softcaps of scores and logits, and windows in
// every second layer.
import { causalHeads } from '../head_types.js';
import { gemma } from './gemma.js';
import { windowsOf } from './sliding_windows.js';

/** A softcap: its default if the config has no such field, none if the field is null. */
function softcapOf(c, name, defaultValue) {
  if (c.get(name) !== undefined) return c.positive(name);
  return c.isNull(name) ? undefined : defaultValue;
}

/**
 * Gemma 2 and its relatives.
 *
 * @param {import('../config_fields.js').ConfigFields} c
 * @param {{ caps?: { scores?: number, logits?: number }, isLocal: (n: number) => boolean, rotary?: object }} options
 *   caps: defaults of the softcaps; isLocal: layers with windows if the config has no layer_types
 */
export function gemmaWithOutputNorms(c, { caps = {}, isLocal, rotary }) {
  const described = gemma(c, rotary);
  const stack = described.self;
  c.require('use_bidirectional_attention', false);
  const softcap = softcapOf(c, 'attn_logit_softcapping', caps.scores);
  return {
    ...described,
    self: {
      ...stack,
      weightNames: {
        ...stack.weightNames,
        selfOutputNorm: 'post_attention_layernorm',
        feedForwardNorm: 'pre_feedforward_layernorm',
        feedForwardOutputNorm: 'post_feedforward_layernorm',
      },
      ...(softcap && { scores: { softcap } }),
      windowOf: windowsOf(c, { isLocal, size: 4096 }),
      options: { ...stack.options, scale: 1 / Math.sqrt(c.positive('query_pre_attn_scalar', 256)) },
    },
    heads: causalHeads(c, { softcap: softcapOf(c, 'final_logit_softcapping', caps.logits) }),
  };
}

export const gemma2 = (c) =>
  gemmaWithOutputNorms(c, { caps: { scores: 50, logits: 30 }, isLocal: (n) => n % 2 === 0 });
