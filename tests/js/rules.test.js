// Every rule of src/calls through JavaScript: the message for a violation, no side effect, and accepted values.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { describe, it } from 'node:test';

import { loadAttention } from 'attention-wasm';
import { loadTraining } from 'attention-wasm/training';

import { refusalsOf } from '../support/js/refusals.js';
import { limitOf, patternOf, rulesOf } from '../support/js/rules.js';

const table = JSON.parse(readFileSync(new URL('../vectors/rules.json', import.meta.url), 'utf8'));
const [attention, training] = await Promise.all([loadAttention(), loadTraining()]);
const api = {
  ...attention,
  ...training,
  memoryBytes: () => attention.memoryBytes() + training.memoryBytes(),
};
const { prepare, nameOf, worded } = rulesOf(api, table);
const refuses = refusalsOf(api);

const states = (caches) => caches.map(({ length, keptLength }) => [length, keptLength]);

function refusesCall(name, change, message) {
  const { call, caches, release } = prepare(name, change);
  const before = states(caches);
  try {
    refuses(call, RangeError, message);
    assert.deepEqual(states(caches), before);
  } finally {
    release();
  }
}

/** The error that a call throws, or null. */
function errorOf(name, change) {
  const { call, release } = prepare(name, change);
  try {
    call()?.delete?.();
    return null;
  } catch (error) {
    return error;
  } finally {
    release();
  }
}

function tries(message, { call, refused, accepted = {}, message: whole, ...row }) {
  if (whole !== undefined) {
    assert.match(whole, patternOf(message), 'the rule that the row is of');
    if (row.nativeOnly) return;
    refusesCall(call, refused, worded(whole, call, refused));
    assert.ifError(errorOf(call, accepted));
  } else if (!row.nativeOnly) {
    const pattern = patternOf(message, row.name ?? nameOf(call, row.field));
    const limit = limitOf({ refused, accepted, ...row });
    for (const change of limit.refused) refusesCall(call, change, pattern);
    // Another rule may refuse the value, which may not match the other arguments.
    for (const change of limit.accepted) {
      const error = errorOf(call, change);
      if (error) assert.equal(error.constructor, RangeError, error.stack);
      assert.doesNotMatch(error?.message ?? '', pattern, JSON.stringify(change));
    }
  }
}

for (const [source, rules] of Object.entries(table.rules)) {
  describe(source, () => {
    for (const [message, rows] of Object.entries(rules)) {
      it(message, () => {
        for (const row of rows) tries(message, row);
      });
    }
  });
}

/** Messages and their fragments by file. */
function* messagesOfSources() {
  const folder = new URL('../../src/calls/', import.meta.url);
  for (const source of readdirSync(folder)) {
    const text = readFileSync(new URL(source, folder), 'utf8').replace(/^\s*\/\/.*$/gm, '');
    for (const [, made, literals] of text.matchAll(
      /\b(fail|format)\(\s*((?:"(?:[^"\\]|\\.)*"\s*)+)/g,
    )) {
      const message = [...literals.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, part]) => part);
      yield { source, message: message.join(''), isWhole: made === 'fail' };
    }
  }
}

describe('the table of rules', () => {
  const all = [...messagesOfSources()];

  it('has every rule of src/calls, and no other', () => {
    const wanted = all.filter(({ isWhole }) => isWhole).map((rule) => [rule.source, rule.message]);
    // The memory limit of calls is the one rule without a class.
    wanted.push(
      ...all
        .filter((rule) => / GiB /.test(rule.message) && !rule.isWhole)
        .map((rule) => [rule.source, rule.message]),
    );
    const listed = Object.entries(table.rules).flatMap(([source, rules]) =>
      Object.keys(rules).map((message) => [source, message]),
    );
    const unique = (rules) => [...new Set(rules.map((rule) => rule.join(': ')))].toSorted();
    assert.deepEqual(unique(listed), unique(wanted));
  });

  it('has a whole message for every rule, and reasons for what JavaScript cannot reach', () => {
    for (const [message, rows] of Object.values(table.rules).flatMap(Object.entries)) {
      assert.ok(
        rows.some((row) => row.message),
        message,
      );
      for (const { nativeOnly } of rows) {
        if (nativeOnly) assert.ok(table.nativeOnly[nativeOnly], nativeOnly);
      }
    }
  });
});
