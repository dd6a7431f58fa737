// Parts of page_record.js that need no browser: its addresses set every field of the page's state to values that are
// valid, and its comparison names each kind of difference.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fields, initialState } from '../../web/demo/state_fields.js';
import { compareRecords } from '../support/js/compare_records.js';
import { randomAddress } from '../support/js/random_addresses.js';

const count = 300;

describe('addresses of the recorder', () => {
  const drawn = Array.from({ length: count }, (_, index) => randomAddress('1', index));

  it('set every field to several values, all of them valid', () => {
    const seen = new Map(Object.keys(fields).map((name) => [name, new Set()]));
    for (const { hash } of drawn) {
      for (const [name, text] of new URLSearchParams(hash.slice(1))) {
        assert.notEqual(fields[name].read(text), undefined, `${name}=${text}`);
        seen.get(name).add(text);
      }
    }
    for (const [name, texts] of seen) {
      const others = [...texts].filter((text) => text !== String(initialState[name]));
      assert.ok(others.length > 0, `${name} always has its default`);
    }
  });

  it('open each kind of model, and given arrays', () => {
    const opened = new Set(drawn.map(({ opens }) => opens?.model ?? opens?.file));
    assert.deepEqual([...opened].sort(), [
      ...['decoder', 'filling', 'seeing', 'tensors.json', 'weights.json', 'writing'],
      undefined,
    ]);
  });

  it('are those of their seed', () => {
    assert.deepEqual(randomAddress('1', 7), drawn[7]);
    assert.notDeepEqual(randomAddress('2', 7), drawn[7]);
  });
});

describe('the comparison of two recordings', () => {
  const page = {
    index: 0,
    address: '#mode=self',
    steps: [
      {
        did: 'open',
        address: '#mode=self',
        sentence: 'Reading',
        message: '',
        tree: ['main', '  list'],
      },
      { did: 'key: x', address: '#row=1', sentence: 'Reading', message: '', tree: ['main'] },
    ],
    exports: {
      csv: { says: 'saved', name: 'a.csv', text: ',a\r\na,1\r\n' },
      json: { says: 'saved', name: 'a.json', text: '{"weights":{"data":[0.5,0.25]}}' },
    },
    stops: ['button, “Play”', 'button, “More”'],
    back: { address: '#mode=self', sentence: 'Reading' },
    says: [],
  };
  const record = { seed: '1', pages: [page] };
  const compare = (change) => {
    const after = structuredClone(record);
    change(after.pages[0]);
    return compareRecords(record, after);
  };

  it('finds none in equal ones', () => {
    assert.deepEqual(
      compare(() => {}),
      { common: 1, count: 0, lines: [] },
    );
  });

  it('names each difference with the two values', () => {
    const expected = [
      [
        (one) => (one.steps[1].sentence = 'Writing'),
        'after action 1: sentence',
        '"Reading" → "Writing"',
      ],
      [
        (one) => one.steps[0].tree.push('  button'),
        'as it opens: accessibility tree',
        '+   button',
      ],
      [(one) => (one.steps[1].did = 'key: h'), 'after action 1: action', '"key: x" → "key: h"'],
      [(one) => one.stops.reverse(), 'focus stops', '- button, “Play”', '+ button, “Play”'],
      [
        (one) => (one.exports.json.text = '{"weights":{"data":[0.5,0.26]}}'),
        'exported json: text',
        '.weights.data[1]: 0.25 → 0.26',
      ],
      [
        (one) => (one.exports.csv.text = ',a\r\na,2\r\n'),
        'exported csv: text',
        '- a,1\r',
        '+ a,2\r',
      ],
      [(one) => (one.back = null), 'address after Back', '"#mode=self" → undefined'],
      [(one) => one.says.push('error: x'), 'console', '+ error: x'],
      [(one) => (one.failed = 'late'), 'failed', 'undefined → "late"'],
    ];
    for (const [change, ...parts] of expected) {
      const { count: differing, lines } = compare(change);
      assert.equal(differing, 1);
      assert.equal(lines[0], '0: #mode=self');
      for (const part of parts)
        assert.ok(
          lines.some((line) => line.trim() === part.trim()),
          part,
        );
    }
  });

  it('is of the addresses that both have', () => {
    assert.throws(() => compareRecords(record, { ...record, seed: '2' }), /seed is 1 in one .* 2/);
    const elsewhere = { ...record, pages: [{ ...page, index: 1 }] };
    assert.throws(() => compareRecords(record, elsewhere), /no address in common/);
    const both = { ...record, pages: [...elsewhere.pages, page] };
    assert.deepEqual(compareRecords(record, both), { common: 1, count: 0, lines: [] });
  });
});
