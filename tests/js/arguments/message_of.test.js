// The message of anything that can be thrown.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { runInNewContext } from 'node:vm';
import { messageOf } from '../../../web/lib/arguments/message_of.js';

describe('the message of a thrown value', () => {
  it('is that of an error, of this realm or another, or of an object that has one', () => {
    for (const thrown of [
      new RangeError('too large'),
      runInNewContext("new Error('too large')"),
      { message: 'too large' },
    ]) {
      assert.equal(messageOf(thrown), 'too large');
    }
  });

  it('is the value as a text for anything else', () => {
    const cases = { null: null, undefined, 404: 404, 'no network': 'no network' };
    for (const [text, thrown] of Object.entries(cases)) assert.equal(messageOf(thrown), text);
  });
});
