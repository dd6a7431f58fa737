// attention-wasm/models: tokens and their spans for all kinds of tokenizers, and generated text.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loadModel } from 'attention-wasm/models';
import { writeSafetensors } from 'attention-wasm/safetensors';
import fc from 'fast-check';
import { explainDifference } from '../../../support/js/compare.js';
import { byteLevel, cases, numbered, withTokens } from '../../../support/js/models_with_tokens.js';
import { seededWeights } from '../../../support/js/seeded_weights.js';
import { randomNumbers } from '../../../../web/lib/models/run/random_numbers.js';

async function withModel(source, use, options) {
  const model = await loadModel(source, options);
  try {
    return await use(model);
  } finally {
    model.delete();
  }
}

/** Tokens and the texts of their spans: [token, text]. */
const covered = (text, { tokens, spans }) =>
  tokens.map((token, n) => [token, text.slice(...spans[n])]);

describe('tokens of a text', () => {
  it('are whole words or the unknown token for WordLevel', async () => {
    const vocab = { '?': 0, the: 1, cat: 2 };
    const tokenizer = {
      pre_tokenizer: { type: 'Whitespace' },
      model: { type: 'WordLevel', vocab, unk_token: '?' },
    };
    const { config, weights } = withTokens('bert, masked words', 3);
    await withModel({ config, weights, tokenizer }, (model) => {
      const text = 'the dog,  cat';
      const { ids, tokens, spans } = model.run(text);
      assert.deepEqual(ids, [1, 0, 0, 2]);
      assert.deepEqual(tokens, ['the', '?', '?', 'cat']);
      assert.deepEqual(
        spans.map((span) => text.slice(...span)),
        ['the', 'dog', ',', 'cat'],
      );
    });
  });

  it('use BERT’s vocab.txt, with or without accents, capitals and spaces', async () => {
    const vocabulary = '[PAD] [UNK] [CLS] [SEP] [MASK] cafe ##s un ##happy , 日 the ! ##e'.split(
      ' ',
    );
    const { config, weights } = withTokens('bert, masked words', vocabulary.length);
    const files = [
      new File([JSON.stringify(config)], 'config.json'),
      new File([writeSafetensors(weights)], 'model.safetensors'),
      new File([`${vocabulary.join('\n')}\n`], 'vocab.txt'),
    ];
    await withModel(files, (model) => {
      const text = ' Cafe\u0301s,\tUNhappy日 zzz the [MASK]!';
      const read = model.run(text);
      assert.deepEqual(covered(text, read), [
        ['[CLS]', ''],
        ['cafe', 'Cafe'], // the accent, which is dropped, has no token
        ['##s', 's'],
        [',', ','],
        ['un', 'UN'],
        ['##happy', 'happy'],
        ['日', '日'],
        ['[UNK]', 'zzz'],
        ['the', 'the'],
        ['[MASK]', '[MASK]'],
        ['!', '!'],
        ['[SEP]', ''],
      ]);
      assert.deepEqual(read.ids, [2, 5, 6, 9, 7, 8, 10, 1, 11, 4, 12, 3]);
      const pair = model.run(['the café', 'unhappy the'], { logits: false });
      assert.deepEqual(pair.tokens, [
        '[CLS]',
        'the',
        'cafe',
        '[SEP]',
        'un',
        '##happy',
        'the',
        '[SEP]',
      ]);
      assert.deepEqual(pair.parts, [0, 0, 0, 0, 1, 1, 1, 1]);
      assert.deepEqual(pair.spans.slice(3), [
        [8, 8],
        [0, 2],
        [2, 7],
        [8, 11],
        [11, 11],
      ]);
      const types = { ids: pair.ids, typeIds: [0, 0, 0, 0, 1, 1, 1, 1] };
      assert.deepEqual(model.run(types).hidden, pair.hidden);
    });
  });

  it('use BERT’s vocab.txt with other names of special tokens', async () => {
    const vocabulary = '<pad> <unk> <s> </s> <mask> the ##se a'.split(' ');
    const { config, weights } = withTokens('bert, masked words', vocabulary.length);
    const names = { unk_token: '<unk>', cls_token: { content: '<s>' }, sep_token: '</s>' };
    const files = [
      new File([JSON.stringify(config)], 'config.json'),
      new File([writeSafetensors(weights)], 'model.safetensors'),
      new File([vocabulary.join('\n')], 'vocab.txt'),
      new File([JSON.stringify(names)], 'tokenizer_config.json'),
    ];
    await withModel(files, (model) => {
      // The span after a long unknown word is correct.
      const long = 'q'.repeat(99);
      assert.deepEqual(covered(`these ${long} a`, model.run(`these ${long} a`)), [
        ['<s>', ''],
        ['the', 'the'],
        ['##se', 'se'],
        ['<unk>', long],
        ['a', 'a'],
        ['</s>', ''],
      ]);
    });
  });

  it('use BERT’s vocab.txt with other line ends and special tokens, and words of up to 100 characters', async () => {
    const { config, weights } = withTokens('bert, masked words', 5);
    const of = (text, names = {}) => [
      new File([JSON.stringify(config)], 'config.json'),
      new File([writeSafetensors(weights)], 'model.safetensors'),
      new File([text], 'vocab.txt'),
      new File([JSON.stringify(names)], 'tokenizer_config.json'),
    ];
    await withModel(of('[UNK]\r\n[CLS]\r\n[SEP]\r\na\r\n##a'), ({ tokenizer }) => {
      const idsOf = (count) => tokenizer.encode('a'.repeat(count)).ids;
      assert.deepEqual(idsOf(100), [1, 3, ...Array(99).fill(4), 2]);
      assert.deepEqual(idsOf(101), [1, 0, 2]);
      assert.equal(tokenizer.decode([]), '');
    });
    // Python appends special tokens that the file lacks.
    for (const [text, names, token, id] of [
      ['[UNK]\n[CLS]\na', {}, '[SEP]', 3],
      ['a', { unk_token: { content: 'b' } }, 'b', 1],
    ]) {
      await withModel(of(text, names), ({ tokenizer }) =>
        assert.equal(tokenizer.specialIdOf(token), id),
      );
    }
  });

  it('are bytes, several of which may be one character', async () => {
    const merges = [
      ['Ġ', 'y'],
      ['Ġy', 'o'],
      ['h', 'Ã'],
    ];
    await withModel(withTokens('gpt2', 260, byteLevel(merges)), (model) => {
      const text = 'hé 👋 yo<end>';
      const { ids, tokens, spans } = model.run(text, { logits: false });
      assert.equal(tokens[0], 'hÃ');
      assert.deepEqual(spans, [
        [0, 2],
        [1, 2],
        [2, 3],
        [3, 5],
        [3, 5],
        [3, 5],
        [3, 5],
        [6, 8],
        [8, 13],
      ]);
      assert.deepEqual([tokens.at(-2), tokens.at(-1), ids.at(-1)], ['Ġyo', '<end>', 259]);
      assert.equal(model.tokenizer.decode(ids), 'hé 👋 yo');
    });
  });

  it('are bytes after an added space or a normalization', async () => {
    const tokenizer = byteLevel(
      [
        ['Ġ', 'y'],
        ['Ã', '©'],
      ],
      true,
      { type: 'NFC' },
    );
    await withModel(withTokens('gpt2', 259, tokenizer), (model) => {
      const text = 'ye\u0301 y';
      assert.deepEqual(covered(text, model.run(text, { logits: false })), [
        ['Ġy', 'y'],
        ['Ã©', 'e'], // the composed character replaces the first of the two
        ['Ġy', 'y'],
      ]);
    });
  });

  it('are pieces with a marked space, and bytes for other characters', async () => {
    const pieces = [
      '<unk>',
      '<s>',
      '▁',
      'h',
      'i',
      '▁h',
      '▁hi',
      '<0xC3>',
      '<0xA9>',
      '<0xE2>',
      '<0x82>',
      '<0xAC>',
      'x',
    ];
    const tokenizer = {
      added_tokens: [{ id: 1, content: '<s>', special: true, normalized: false }],
      normalizer: {
        type: 'Sequence',
        normalizers: [
          { type: 'Prepend', prepend: '▁' },
          { type: 'Replace', pattern: { String: ' ' }, content: '▁' },
        ],
      },
      post_processor: {
        type: 'TemplateProcessing',
        single: [
          { SpecialToken: { id: '<s>', type_id: 0 } },
          { Sequence: { id: 'A', type_id: 0 } },
        ],
        pair: [],
        special_tokens: { '<s>': { id: '<s>', ids: [1], tokens: ['<s>'] } },
      },
      decoder: {
        type: 'Sequence',
        decoders: [
          { type: 'Replace', pattern: { String: '▁' }, content: ' ' },
          { type: 'ByteFallback' },
          { type: 'Fuse' },
          { type: 'Strip', content: ' ', start: 1, stop: 0 },
        ],
      },
      model: {
        ...{ type: 'BPE', unk_token: '<unk>', byte_fallback: true, fuse_unk: true },
        vocab: numbered(pieces),
        merges: [
          ['▁', 'h'],
          ['▁h', 'i'],
        ],
      },
    };
    await withModel(withTokens('llama', pieces.length, tokenizer), (model) => {
      const text = 'hi é€  xhi';
      const read = model.run(text);
      assert.deepEqual(covered(text, read), [
        ['<s>', ''],
        ['▁hi', 'hi'],
        ['▁', ' '],
        ['<0xC3>', 'é'],
        ['<0xA9>', 'é'],
        ['<0xE2>', '€'],
        ['<0x82>', '€'],
        ['<0xAC>', '€'],
        ['▁', ' '],
        ['▁', ' '],
        ['x', 'x'],
        ['h', 'h'],
        ['i', 'i'],
      ]);
      assert.equal(model.tokenizer.decode(read.ids), text);
    });
  });

  it('are the likeliest pieces (Unigram), in any Unicode normalization', async () => {
    const vocab = [
      ['<unk>', 0],
      ['▁hello', -1],
      ['▁fi', -1],
      ['n', -2],
      ['▁', -3],
      ['é', -3],
    ];
    const tokenizer = {
      normalizer: { type: 'NFKC' },
      pre_tokenizer: {
        type: 'Metaspace',
        replacement: '▁',
        add_prefix_space: true,
        prepend_scheme: 'always',
      },
      decoder: {
        type: 'Metaspace',
        replacement: '▁',
        add_prefix_space: true,
        prepend_scheme: 'always',
      },
      model: { type: 'Unigram', unk_id: 0, vocab },
    };
    await withModel(withTokens('llama', vocab.length, tokenizer), (model) => {
      const text = 'hello ﬁn ΩΩ né';
      const { ids, spans } = model.run(text);
      assert.deepEqual(ids, [1, 2, 3, 4, 0, 4, 3, 5]);
      assert.deepEqual(
        spans.map((span) => text.slice(...span)),
        ['hello', 'ﬁ', 'n', ' ', 'ΩΩ', ' ', 'n', 'é'],
      );
    });
  });

  it('cover any text in order, and completely with byte tokens', async () => {
    await withModel(withTokens('gpt2', 257, byteLevel([])), (model) => {
      fc.assert(
        fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 }), (text) => {
          const { spans, ids } = model.tokenizer.encode(text);
          assert.equal(ids.length, new TextEncoder().encode(text).length);
          assert.equal(spans[0][0], 0);
          assert.equal(spans.at(-1)[1], text.length);
          spans.forEach(([start, end], n) => {
            assert.ok(start < end && (n === 0 || start <= spans[n - 1][1]));
          });
        }),
        { numRuns: 300 },
      );
    });
  });
});

/** All generated tokens. */
async function all(tokens) {
  const list = [];
  for await (const token of tokens) list.push(token);
  return list;
}
const idsOf = (tokens) => tokens.map(({ id }) => id);

/** The likeliest token after the last of some logits. */
function likeliest({ data, dims }) {
  const row = [...data.slice(-dims.at(-1))];
  return row.indexOf(Math.max(...row));
}

describe('generation from a text', () => {
  const pieces = (name) => ({ config: cases[name].config, weights: seededWeights(cases[name]) });

  for (const name of ['gpt2', 'gpt_neo', 'gpt_neox', 'mistral', 'qwen2', 'qwen3', 'phi']) {
    it(`equals repeated runs of the whole text: ${name}`, () =>
      withModel(pieces(name), async (model) => {
        const ids = cases[name].input.ids.slice(0, 3);
        const wanted = { maxTokens: 5, attentions: true, logits: true };
        const written = await all(model.generate({ ids }, wanted));
        assert.equal(written.length, 5);
        for (const { id, logits, attentions } of written) {
          const whole = model.run({ ids }, { attentions: true });
          const { data, dims } = whole.logits;
          const last = { data: data.slice(-dims[1]), dims: [dims[1]] };
          assert.equal(explainDifference(logits, last, 1e-5), '');
          assert.equal(id, likeliest(whole.logits));
          attentions.self.forEach((weights, layer) => {
            const n = ids.length;
            const of = whole.attentions.self[layer];
            const heads = of.dims[0];
            const rows = Array.from({ length: heads }, (_, head) => [
              ...of.data.slice((head * n + n - 1) * n, (head + 1) * n * n),
            ]);
            const want = { data: rows.flat(), dims: [heads, 1, n] };
            assert.equal(explainDifference(weights, want, 1e-6), '');
          });
          ids.push(id);
        }
      }));
  }

  for (const name of ['bart', 'mbart', 'marian', 'm2m_100', 't5', 't5, gated']) {
    it(`equals repeated decoding of the whole text: ${name}`, () =>
      withModel(pieces(name), async (model) => {
        const { ids } = cases[name].input;
        const decoderIds = [cases[name].config.decoder_start_token_id];
        const wanted = { maxTokens: 4, attentions: 'average', logits: true };
        for await (const { id, logits, attentions } of model.generate({ ids }, wanted)) {
          const whole = model.run({ ids, decoderIds }, { attentions: 'average' });
          const { data, dims } = whole.logits;
          assert.equal(
            explainDifference(logits, { data: data.slice(-dims[1]), dims: [dims[1]] }, 1e-5),
            '',
          );
          const n = decoderIds.length;
          for (const [side, columns] of [
            ['decoder', n],
            ['cross', ids.length],
          ]) {
            assert.equal(attentions[side].length, 2);
            attentions[side].forEach((weights, layer) => {
              const rows = whole.attentions[side][layer].data.slice(-columns);
              assert.equal(
                explainDifference(weights, { data: rows, dims: [1, columns] }, 1e-6),
                '',
              );
            });
          }
          decoderIds.push(id);
        }
        assert.ok(decoderIds.length > 1);
      }));
  }

  it('ends at the end token, at `stop`, and at the last position', async () => {
    const source = pieces('gpt2');
    const ids = [4, 9, 2];
    const greedy = await withModel(source, async (model) =>
      idsOf(await all(model.generate({ ids }))),
    );
    assert.equal(greedy.length, 8); // ten positions, three used by the prompt; the last token needs none
    const end = { ...source, config: { ...source.config, eos_token_id: [greedy[2]] } };
    const upTo = greedy.slice(0, greedy.indexOf(greedy[2]) + 1);
    await withModel(end, async (model) => {
      assert.deepEqual(idsOf(await all(model.generate({ ids }))), upTo);
    });
    await withModel(source, async (model) => {
      assert.deepEqual(idsOf(await all(model.generate({ ids }, { stop: [greedy[2]] }))), upTo);
      assert.deepEqual(
        idsOf(await all(model.generate({ ids }, { maxTokens: 2 }))),
        greedy.slice(0, 2),
      );
    });
  });

  it('returns the text of its tokens, and stops at a string', async () => {
    await withModel(withTokens('gpt2', 257, byteLevel([])), async (model) => {
      const prompt = 'Once é';
      const written = await all(model.generate(prompt, { maxTokens: 30, seed: 5 }));
      const text = written.map((token) => token.text).join('');
      const whole = model.tokenizer.decode([
        ...model.tokenizer.encode(prompt).ids,
        ...idsOf(written),
      ]);
      assert.ok(whole.startsWith(prompt + text));
      const [at] = /[a-zA-Z]/.exec(text) ?? [];
      assert.ok(at !== undefined, text);
      const stopped = await all(model.generate(prompt, { maxTokens: 30, seed: 5, stop: at }));
      assert.ok(stopped.length < written.length && stopped.at(-1).text.includes(at));
    });
  });

  it('samples with mulberry32 as published', () => {
    const random = randomNumbers(1);
    const numbers = [0.6270739405881613, 0.002735721180215478, 0.5274470399599522];
    assert.deepEqual([random(), random(), random()], numbers);
  });

  it('samples by seed among the likeliest tokens only', () =>
    withModel(pieces('llama'), async (model) => {
      const draw = async (options) =>
        idsOf(await all(model.generate({ ids: [4, 9] }, { maxTokens: 12, ...options })));
      const greedy = await draw({});
      assert.deepEqual(await draw({ seed: 1 }), await draw({ seed: 1 }));
      assert.notDeepEqual(await draw({ seed: 1 }), await draw({ seed: 2 }));
      assert.deepEqual(await draw({ topK: 1, seed: 3 }), greedy);
      assert.deepEqual(await draw({ temperature: 1e-4, seed: 4 }), greedy);
      assert.deepEqual(await draw({ temperature: 0, seed: 4 }), greedy);
      // Frequencies match the probabilities within three standard deviations of 600 draws.
      const { logits } = model.run({ ids: [4, 9] });
      const row = [...logits.data.slice(-logits.dims[1])].map(Math.exp);
      const sum = row.reduce((a, b) => a + b);
      const counts = row.map(() => 0);
      for (let seed = 0; seed < 600; seed++) {
        const [first] = await draw({ seed, maxTokens: 1 });
        counts[first]++;
      }
      row.forEach((power, id) => {
        const p = power / sum;
        assert.ok(
          Math.abs(counts[id] - 600 * p) <= 3.5 * Math.sqrt(600 * p * (1 - p)) + 1,
          `${id}`,
        );
      });
    }));

  it('begins with the config’s forced token, and never generates a banned one', async () => {
    const { config, weights } = pieces('bart');
    const ids = cases.bart.input.ids;
    const begin = { config: { ...config, forced_bos_token_id: 7 }, weights };
    await withModel(begin, async (model) => {
      assert.equal((await all(model.generate({ ids }, { maxTokens: 2 })))[0].id, 7);
    });
    const [first] = await withModel({ config, weights }, (model) =>
      all(model.generate({ ids }, { maxTokens: 1 })),
    );
    const bad = { config: { ...config, bad_words_ids: [[first.id]] }, weights };
    await withModel(bad, async (model) => {
      assert.notEqual((await all(model.generate({ ids }, { maxTokens: 1 })))[0].id, first.id);
    });
    const every = Array.from({ length: config.vocab_size }, (_, id) => [id]);
    // An end token alone is never banned, as in Hugging Face transformers.
    const noEnd = { ...config, eos_token_id: null, bad_words_ids: every };
    await withModel({ config: noEnd, weights }, (model) =>
      assert.rejects(all(model.generate({ ids })), /'bad_words_ids' ban every token/),
    );
  });

  it('checks all options first', () =>
    withModel(pieces('llama'), (model) => {
      for (const [options, sentence] of [
        [{ maxTokens: 0 }, /maxTokens must be an integer of at least 1, found 0/],
        [{ temperature: -1 }, /temperature must be a number of at least 0, found -1/],
        [{ topK: 0.5 }, /topK must be an integer of at least 1, found 0\.5/],
        [{ seed: -1 }, /seed must be an integer of at least 0, found -1/],
        [{ stop: '' }, /stop must be texts or token ids, found ''/],
        [{ beams: 4 }, /generate\(\) has no option 'beams'; it has maxTokens, stop/],
      ]) {
        assert.throws(() => model.generate({ ids: [1] }, options), sentence);
      }
      assert.throws(
        () => model.generate('a'),
        /has no tokenizer: pass \{ ids \} .*save_pretrained\(folder\)/,
      );
    }));

  it('frees its caches, also if the caller stops early', () =>
    withModel(pieces('t5'), async (model) => {
      const { loadAttention } = await import('attention-wasm');
      const api = await loadAttention();
      const { ids } = cases.t5.input;
      const some = async () => {
        for await (const { id } of model.generate({ ids }, { maxTokens: 50 })) if (id >= 0) break;
      };
      await some();
      const held = api.memoryBytes();
      for (let n = 0; n < 500; n++) await some();
      assert.equal(api.memoryBytes(), held);
    }));
});
