// Assertions about errors: type and named argument, or the whole message.
import assert from 'node:assert/strict';

/** Expects an error of a type whose message begins with the name of an argument or has it in quotes. */
export function assertRefuses(call, Type, argument) {
  const name = argument.replace(/[.[\]]/g, '\\$&');
  const named = new RegExp(`^(the )?${name}(?![\\w.])|'${name}'`);
  assert.throws(call, (/** @type {Error} */ error) => {
    assert.equal(error.constructor, Type, `${error.name}: ${error.message}`);
    assert.match(error.message, named);
    return true;
  });
}

/** For an API: a function that calls and expects a type and a message, or a pattern of it, and no memory asked for. */
export function refusalsOf(api) {
  return (call, Type, message) => {
    const before = api.memoryBytes();
    assert.throws(call, (/** @type {Error} */ error) => {
      assert.equal(error.constructor, Type, `${error.name}: ${error.message}`);
      if (typeof message === 'string') assert.equal(error.message, message);
      else assert.match(error.message, message);
      return true;
    });
    assert.equal(api.memoryBytes(), before, 'nothing was allocated');
  };
}
