// What a broken rule ends in: the class of the error, its whole sentence (or a pattern of it), and no memory asked for.
import assert from 'node:assert/strict';

/** For an API: a function that calls and expects just that error. */
export function refusalsOf(api) {
  return (call, Kind, message) => {
    const before = api.memoryBytes();
    assert.throws(call, (error) => {
      assert.equal(error.constructor, Kind, `${error.name}: ${error.message}`);
      if (typeof message === 'string') assert.equal(error.message, message);
      else assert.match(error.message, message);
      return true;
    });
    assert.equal(api.memoryBytes(), before, 'nothing was allocated');
  };
}
