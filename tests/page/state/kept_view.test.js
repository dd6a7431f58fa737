// The view of a link in a model that is opened after it: layer, head, pair and blocks stay where the model has them.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readAddress } from '../../../web/demo/page/address.js';
import { keptIn } from '../../../web/demo/state/kept_view.js';

const one = { self: { layers: 6, heads: 4 } };
const two = {
  cross: { layers: 2, heads: 4 },
  decoder: { layers: 2, heads: 4 },
  encoder: { layers: 3, heads: 8 },
};
const link = '#source=own&part=self.4&head=3&row=3&column=1&block=self.4.3:3-1,self:2,self.5.0';
const before = (hash, more) => ({ ...readAddress(hash), ...more });
const inOne = (hash) => keptIn(before(hash), ['self'], one);
const inTwo = (hash) => keptIn(before(hash), ['cross', 'self'], two);

describe('the view of a link', () => {
  it('is kept by a model that has it', () => {
    const { mode, part, head, row, column, block } = before(link);
    assert.deepEqual(inOne(link), { mode, part, head, row, column, block });
    assert.deepEqual([part, head, row, column], ['self.4', 3, 3, 1]);
    assert.equal(inOne('#source=own&part=self.rollout').part, 'self.rollout');
    const translated =
      '#source=own&mode=cross&part=encoder.2&head=7&row=1&block=cross.1:0-1,encoder:4';
    const kept = inTwo(translated);
    assert.deepEqual(
      [kept.mode, kept.part, kept.head, kept.row, kept.block],
      ['cross', 'encoder.2', 7, 1, 'cross.1:0-1,encoder:4'],
    );
  });

  it('falls back for what the model has not, and only for that', () => {
    for (const [hash, found] of Object.entries({
      '#source=own&part=self.6&head=3&row=2': { part: '', head: 0, row: null },
      '#source=own&part=self.1&head=4&row=2': { part: 'self.1', head: 0, row: 2 },
      '#source=own&head=3&row=2': { part: '', head: 3, row: 2 },
      '#source=own&part=encoder.0&row=2': { part: '', head: 0, row: null },
      '#source=own&part=constructor.0': { part: '' },
      '#source=own&mode=cross&part=cross.1&head=1&row=2': { mode: 'self', part: '', row: null },
      '#source=own&block=self.6:1-2,self.0.4,encoder:1,self.5.3:1-2': { block: 'self.5.3:1-2' },
    })) {
      const kept = inOne(hash);
      for (const [name, value] of Object.entries(found)) {
        assert.equal(kept[name], value, `${name} of ${hash}`);
      }
    }
    // Self shows the encoder only.
    assert.equal(inTwo('#source=own&mode=self&part=decoder.0').part, '');
    assert.equal(inTwo('#source=own&mode=self&head=7').head, 7);
    assert.equal(inTwo('#source=own&mode=cross&head=7').head, 0);
    assert.equal(inTwo('#source=own&mode=cross&part=cross.rollout').part, '');
  });
});
