// attention-wasm/models: every field of a config.json with every value that it should not have.
import { describe } from 'node:test';
import { holdConfigs, hugeValues, oddValues } from '../../support/js/hostile_configs.js';

describe('a config.json', () => holdConfigs(() => [...hugeValues, ...oddValues]));
