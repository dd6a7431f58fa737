// The tooltip of the list of heads.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { headTitle } from '../../../web/demo/page/views/head_of_picture.js';

const previous = {
  says: 'Previous word',
  share: 0.914,
  entropy: 1.44,
  distance: 2.34,
  unit: 'word',
};
const first = {
  ...{ says: 'One word', of: '“the”', share: 0.5, general: 0.256 },
  ...{ entropy: 0.04, distance: 12.4, unit: 'token' },
};
const pictureOf = (parts) => ({ heads: 2, average: false, roles: [previous, first], ...parts });

describe('the tooltip of the list of heads', () => {
  it('says the role of the chosen head, its reach and the texts it was measured on', () => {
    assert.equal(
      headTitle(pictureOf(), 0),
      'Previous word (0.91), entropy 1.4 bits, 2.3 words away, measured on this text',
    );
    assert.equal(
      headTitle(pictureOf(), 1),
      'One word (“the” 0.50 here, 0.26 in general), entropy 0.0 bits, 12 tokens away, ' +
        'measured on this text (here) and on 16 fixed sentences (in general)',
    );
  });

  it('has no distance between two texts, and a dash for what was not measured', () => {
    const roles = [{ ...first, share: null, distance: null }];
    assert.match(
      headTitle(pictureOf({ heads: 1, roles }), 0),
      /^One word \(“the” – here, 0\.26 in general\), entropy 0\.0 bits, measured on/,
    );
  });

  it('is that of the last head if the chosen one does not exist, of the average if that is shown', () => {
    assert.equal(headTitle(pictureOf(), 7), headTitle(pictureOf(), 1));
    assert.equal(headTitle(pictureOf({ average: true }), 1), headTitle(pictureOf(), 0));
  });

  it('is empty without a role', () => {
    assert.equal(headTitle(null, 0), '');
    assert.equal(headTitle(pictureOf({ roles: undefined }), 0), '');
    assert.equal(headTitle(pictureOf({ roles: [undefined, first] }), 0), '');
  });
});
