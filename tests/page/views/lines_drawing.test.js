// Links between words: the colors of heads.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { schemeObservable10 } from 'd3-scale-chromatic';
import { colorOfHead } from '../../../web/demo/page/views/lines_drawing.js';

describe('colors of heads', () => {
  it('are the ten of d3-scale-chromatic, again from the eleventh head on', () => {
    const colors = Array.from({ length: 20 }, (_, head) => colorOfHead(head));
    assert.deepEqual(colors, [...schemeObservable10, ...schemeObservable10]);
  });
});
