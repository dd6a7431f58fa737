// Addresses of the first version set what they set then.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readAddress, writeAddress } from '../../web/demo/page/address.js';
import { fields, initialState } from '../../web/demo/state_fields.js';
import { pageAddresses } from '../support/js/page_addresses.js';

describe('an address of the first version', () => {
  it('sets its fields, and no other', () => {
    for (const { address, state } of pageAddresses) {
      const found = readAddress(address);
      for (const name of Object.keys(fields)) {
        const expected = name in state ? state[name] : initialState[name];
        assert.deepEqual(found[name], expected, `${name} of ${address}`);
      }
      assert.deepEqual(readAddress(writeAddress(found)), found, address);
    }
  });

  it('is in the list for every field', () => {
    const missing = Object.keys(fields).filter(
      (name) => !pageAddresses.some(({ state }) => name in state),
    );
    assert.deepEqual(missing, []);
  });
});
