// Number of runs of a property: all of them in the full tier, a share in the quick one (tests/run.js sets it).

const share = Number(process.env.ATTENTION_PROPERTY_SHARE ?? 1);

/** @param {number} count runs of the full tier */
export const runCount = (count) => Math.max(Math.min(count, 8), Math.round(count * share));
