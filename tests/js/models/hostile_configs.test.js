// attention-wasm/models: every field of a config.json with the largest integer that is accepted, and with one of the other
// values that it should not have.
import { describe } from 'node:test';
import { holdConfigs, hugeValues, oddValues } from '../../support/js/hostile_configs.js';

const [largest, ...others] = [...hugeValues, ...oddValues];

// In steps without a common divisor with the number of values: each comes to each field of some model.
let at = 0;
const next = () => others[(at += 7) % others.length];

describe('a config.json', () => holdConfigs(() => [largest, next()]));
