// attention-wasm/models: how model.generate() picks tokens, stops, and frees memory, with a model in which each token is
// followed by the next id. text_tokens.test.js has its numbers, beam_search.test.js its beams and signals.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loadAttention } from 'attention-wasm';
import { loadModel } from 'attention-wasm/models';
import { pickToken, requireLogits } from '../../../web/lib/models/run/pick_token.js';
import { byteLevel, cases, numbered, withTokens } from '../../support/js/models_with_tokens.js';
import { seededWeights } from '../../support/js/seeded_weights.js';

async function withModel(source, use, options) {
  const model = await loadModel(source, options);
  try {
    return await use(model);
  } finally {
    model.delete();
  }
}

async function all(generated) {
  const tokens = [];
  for await (const token of generated) tokens.push(token);
  return tokens;
}
const idsOf = (tokens) => tokens.map(({ id }) => id);

const sourceOf = (name) => ({ config: cases[name].config, weights: seededWeights(cases[name]) });

/** A Llama whose layers add 0: token n + 1 follows token n. The tokens spell `abécdefghi`; é is two byte tokens. */
function counting() {
  const { config } = cases.llama;
  const weights = seededWeights(cases.llama);
  for (const [name, { data }] of weights) {
    if (/(o_proj|down_proj)\.(weight|bias)$/.test(name)) data.fill(0);
    if (name === 'model.norm.weight') data.fill(1);
  }
  // Vectors of equal length: each has the largest dot product with itself.
  const vectors = weights.get('model.embed_tokens.weight').data;
  const [count, width] = weights.get('model.embed_tokens.weight').dims;
  vectors.forEach((_, at) => {
    vectors[at] = (Math.floor(at / width) + 1) & (1 << (at % width)) ? 1 : -1;
  });
  const words = weights.get('lm_head.weight').data;
  words.forEach((_, at) => {
    words[at] = vectors[(at + (count - 1) * width) % words.length];
  });
  const tokenizer = {
    pre_tokenizer: { type: 'ByteLevel', add_prefix_space: false, use_regex: true },
    decoder: { type: 'ByteLevel' },
    model: { type: 'BPE', vocab: numbered([...'abÃ©cdefghi']), merges: [], unk_token: null },
  };
  return { config: { ...config, eos_token_id: 9 }, weights, tokenizer };
}

describe('generation', () => {
  it('ends at the end token, after maxTokens, at a stop id and at a stop string', () =>
    withModel(counting(), async (model) => {
      for (const [options, want] of [
        [{}, [1, 2, 3, 4, 5, 6, 7, 8, 9]],
        [{ maxTokens: 1 }, [1]],
        [{ stop: 4 }, [1, 2, 3, 4]],
        [{ stop: [7, 2] }, [1, 2]],
        [{ stop: 'cd' }, [1, 2, 3, 4, 5]],
        // Stop strings in the prompt do not count.
        [{ stop: ['a', 'ab', 'é'] }, [1, 2, 3]],
      ]) {
        assert.deepEqual(idsOf(await all(model.generate('a', options))), want);
      }
    }));

  it('stops at the text of a special token, alone, in a list, within a text, and by beams', () => {
    const source = counting();
    const { vocab } = source.tokenizer.model;
    const [letter] = Object.keys(vocab).filter((token) => vocab[token] === 5);
    delete vocab[letter];
    source.tokenizer.added_tokens = [{ id: 5, content: '<end>', special: true }];
    return withModel(source, async (model) => {
      for (const stop of ['<end>', ['z', '<end>'], 'c<end>']) {
        const tokens = await all(model.generate('a', { stop }));
        assert.deepEqual(idsOf(tokens), [1, 2, 3, 4, 5], stop);
        assert.equal(tokens.at(-1).text, '');
      }
      assert.deepEqual(
        idsOf(await all(model.generate('a', { stop: '<end>', beam: 3 }))),
        idsOf(await all(model.generate('a', { stop: 5, beam: 3 }))),
      );
      assert.equal(model.tokenizer.specialIdOf('<end>'), 5);
      assert.equal(model.tokenizer.specialIdOf('a'), undefined);
    });
  });

  it('never chooses a banned token, nor the last of several right after the others', async () => {
    const source = counting();
    const lists = [[6], [1, 2], [0, 1, 3], [2, 3, 4, 5], [9]];
    const config = { ...source.config, bad_words_ids: lists };
    const isBanned = (ids, id) =>
      lists.some(
        (list) =>
          list.join() !== '9' && // the end token alone, as in Hugging Face transformers
          [...ids, id].slice(-list.length).join() === list.join(),
      );
    await withModel({ ...source, config }, async (model) => {
      for (const beam of [1, 3]) {
        const written = [0];
        for (const { id, logits } of await all(
          model.generate({ ids: [0] }, { maxTokens: 8, logits: true, beam }),
        )) {
          assert.equal(isBanned(written, id), false, `${written}, ${id}`);
          const allowed = [...logits.data.keys()].filter((one) => !isBanned(written, one));
          const best = allowed.reduce((a, b) => (logits.data[b] > logits.data[a] ? b : a));
          if (beam === 1) assert.equal(id, best, `${written}`);
          written.push(id);
        }
        assert.ok(written.length > 2);
      }
      // The prompt counts: 2 may not follow 1.
      assert.notEqual(idsOf(await all(model.generate({ ids: [1] }, { maxTokens: 1 })))[0], 2);
    });
    for (const wrong of [[1], [[]], [[1], ['a']], [[-1]]]) {
      const refused = loadModel({ ...source, config: { ...config, bad_words_ids: wrong } });
      await assert.rejects(refused, {
        name: 'RangeError',
        message: /^'bad_words_ids\[\d\]' of config\.json must/,
      });
    }
  });

  it('refuses logits by which no token can be chosen, and says at which token', async () => {
    const broken = (change) => {
      const source = counting();
      change(source.weights);
      return source;
    };
    const row = (weights, name, n) => {
      const { data, dims } = weights.get(name);
      return data.subarray(n * dims[1], (n + 1) * dims[1]);
    };
    for (const [change, token, found] of [
      [(weights) => (weights.get('model.norm.weight').data[0] = NaN), 1, /NaN/],
      [(weights) => row(weights, 'lm_head.weight', 4).fill(Infinity), 1, /id 4 is NaN/],
      // The vector of token 3, which is the input of the fourth token.
      [(weights) => row(weights, 'model.embed_tokens.weight', 3).fill(NaN), 4, /NaN/],
    ]) {
      await withModel(broken(change), async (model) => {
        for (const options of [{}, { seed: 1, temperature: 1e-9 }, { beam: 2 }]) {
          await assert.rejects(all(model.generate({ ids: [0] }, options)), ({ name, message }) => {
            assert.equal(name, 'RangeError');
            // A beam's second sequence may have the vector sooner.
            const position = options.beam ? '\\d' : token;
            assert.match(message, new RegExp(`^generated token ${position} cannot be chosen: `));
            assert.match(message, found);
            return true;
          });
        }
      });
    }
    const none = new Float32Array(3).fill(-Infinity);
    assert.throws(() => requireLogits(none, 0), /all logits are -Infinity/);
    requireLogits(Float32Array.of(-Infinity, 0), 0);
  });

  it('returns a character once all of its bytes are generated', () =>
    withModel(counting(), async (model) => {
      const told = (await all(model.generate('a', { maxTokens: 4 }))).map(({ token, text }) => [
        token,
        text,
      ]);
      assert.deepEqual(told, [
        ['b', 'b'],
        ['Ã', ''],
        ['©', 'é'],
        ['c', 'c'],
      ]);
      const { config, weights } = counting();
      await withModel({ config, weights }, async (bare) => {
        const [first] = await all(bare.generate({ ids: [0] }, { maxTokens: 1 }));
        assert.deepEqual(first, { id: 1, token: undefined, text: '' });
      });
    }));

  it('continues a prompt of ids that ends within a character, and stops', () =>
    withModel(counting(), async (model) => {
      const texts = async (ids, options) =>
        (await all(model.generate({ ids }, options))).map(({ text }) => text);
      // Ids 2 and 3 are the bytes of é, 9 is the end.
      assert.deepEqual(await texts([0, 1, 2], { maxTokens: 3 }), ['é', 'c', 'd']);
      assert.deepEqual(await texts([2], { stop: 'éc' }), ['é', 'c']);
      assert.deepEqual(await texts([3, 3], { stop: 'cd' }), ['c', 'd']);
      // The prompt's last byte stays incomplete: it is no generated text.
      const { config, weights, tokenizer } = counting();
      const [a, b] = ['Ã', '©'].map((token) => tokenizer.model.vocab[token]);
      Object.assign(tokenizer.model.vocab, { Ã: b, '©': a });
      await withModel({ config, weights, tokenizer }, async (swapped) => {
        const cut = await all(swapped.generate({ ids: [0, 3] }, { maxTokens: 2, stop: 'c' }));
        assert.deepEqual(
          cut.map(({ text }) => text),
          ['c'],
        );
      });
    }));

  it('ends when the model is deleted', async () => {
    for (const beam of [1, 2]) {
      const model = await loadModel(counting());
      const tokens = model.generate('a', { beam });
      if (beam === 1) assert.equal((await tokens.next()).value.id, 1);
      model.delete();
      await assert.rejects(tokens.next(), /was deleted/);
    }
  });

  it('frees its caches if memory runs out, the model is deleted, or it is done', async () => {
    const real = await loadAttention();
    const { config } = cases.bart;
    for (const [failing, use] of [
      ['createCache', (model) => assert.rejects(all(model.generate(cases.bart.input)), RangeError)],
      [
        'projectMemory',
        (model) => assert.rejects(all(model.generate(cases.bart.input)), RangeError),
      ],
      ['nothing', (model) => all(model.generate(cases.bart.input, { maxTokens: 2 }))],
      [
        'model',
        (model) => {
          const options = { stop: [], beam: 2, signal: new AbortController().signal };
          return assert.rejects(all(model.generate(cases.bart.input, options)), /deleted/);
        },
      ],
    ]) {
      const held = new Set();
      let layers = 0;
      let loaded;
      const watched = (layer) => {
        const isLast = ++layers === config.encoder_layers + config.decoder_layers;
        for (const name of ['createCache', 'projectMemory']) {
          const make = layer[name].bind(layer);
          layer[name] = (...given) => {
            if (isLast && name === failing) throw new RangeError('no memory');
            const made = make(...given);
            held.add(made);
            if (failing === 'model') setImmediate(() => loaded.delete());
            const free = made.delete.bind(made);
            made.delete = () => {
              held.delete(made);
              free();
            };
            return made;
          };
        }
        return layer;
      };
      const fromWeights = (...given) => watched(real.TransformerLayer.fromWeights(...given));
      const api = { ...real, TransformerLayer: Object.assign(() => {}, { fromWeights }) };
      await withModel(
        sourceOf('bart'),
        async (model) => {
          loaded = model;
          await use(model);
          assert.equal(held.size, 0, failing);
        },
        { api },
      );
    }
  });
});

describe('the first decoder input', () => {
  const source = withTokens('bart', 258, byteLevel([['a', 't']]));
  source.weights.delete('final_logits_bias'); // of the words of the fixture
  const start = source.config.decoder_start_token_id;

  it('is the start token and a text, given ids, or the text itself for classification', async () => {
    await withModel(source, (model) => {
      const read = (input, options) => model.run(input, options).decoderIds;
      const [at, b] = model.tokenizer.encode('atb').ids;
      assert.deepEqual(read('b'), [start]);
      assert.deepEqual(read('b', { decoder: 'atb' }), [start, at, b]);
      assert.deepEqual(read({ ids: [7], decoderIds: [9, 8] }), [9, 8]);
      assert.throws(() => read({ ids: [7], decoderIds: [9] }, { decoder: 'b' }), TypeError);
    });
    const { ids } = cases['bart, classes'].input;
    const classes = sourceOf('bart, classes');
    await withModel(classes, (model) => {
      const wanted = [classes.config.decoder_start_token_id, ...ids.slice(0, -1)];
      assert.deepEqual(model.run({ ids }).decoderIds, wanted);
      assert.throws(() => model.run({ ids }, { decoder: 'b' }), /tokenizer/);
    });
    classes.config = { ...classes.config, decoder_start_token_id: undefined };
    await withModel(classes, (model) => {
      assert.throws(() => model.run({ ids }), /'decoder_start_token_id'/);
    });
  });

  it('is limited by the positions', () =>
    withModel(source, (model) => {
      const decoderIds = Array(99).fill(1);
      assert.throws(() => model.run({ ids: [7], decoderIds }), /99 tokens/);
      const generating = all(model.generate({ ids: [7], decoderIds }));
      return assert.rejects(generating, /99 tokens/);
    }));
});

describe('a text that is too long for the encoder', () => {
  const source = withTokens('bart', 258, byteLevel([['a', 't']]));
  source.weights.delete('final_logits_bias'); // of the words of the fixture

  it('is cut by truncate, which a decoder refuses', async () => {
    const text = 'abcdefghijkl';
    const options = { maxTokens: 2, logits: true };
    await withModel(source, async (model) => {
      assert.throws(() => model.generate(text, options), /12 tokens, but the model has .* 10/);
      const cut = await all(model.generate(text, { ...options, truncate: true }));
      assert.deepEqual(cut, await all(model.generate(text.slice(0, 10), options)));
      const shorter = await all(model.generate(text, { ...options, truncate: true, maxInput: 3 }));
      assert.deepEqual(shorter, await all(model.generate('abc', options)));
    });
    await withModel(withTokens('gpt2', 258, byteLevel([['a', 't']])), (model) =>
      assert.throws(() => model.generate('ab', { truncate: true }), {
        name: 'TypeError',
        message: /^the option truncate of generate\(\) needs an encoder–decoder.*gpt2/,
      }),
    );
  });
});

describe('options of generate()', () => {
  it('are accepted at their limits only', () =>
    withModel(counting(), async (model) => {
      for (const [name, taken, beyond] of [
        ['maxTokens', 1, 0],
        ['topK', 1, 0],
        ['topK', 1, 0.5],
        ['seed', 0, -1],
        ['beam', 64, 65],
        ['beam', 1, 0],
        ['maxInput', 1, 0],
        ['temperature', 1e300, Infinity],
        ['temperature', 0, NaN],
        ['temperature', 0, -1],
        ['attentions', [0, 1], [0, 2]],
      ]) {
        await all(model.generate('a', { maxTokens: 1, [name]: taken }));
        const names = { name: 'RangeError', message: new RegExp(name) };
        assert.throws(() => model.generate('a', { [name]: beyond }), names);
      }
      for (const stop of ['', -1, 0.5, [null], ['a', '']]) {
        const names = { name: 'TypeError', message: /stop/ };
        assert.throws(() => model.generate('a', { stop }), names);
      }
      assert.throws(() => model.generate('a', { beam: 2, temperature: 1e-9 }), RangeError);
      assert.throws(() => model.generate('a', { beams: 4 }), /'beams'/);
      assert.equal((await all(model.generate('a', { beam: 2, temperature: 0 })))[0].id, 1);
    }));
});

describe('the next token', () => {
  // Probabilities 1/8, 4/8, 2/8, 1/8.
  const logits = Float32Array.from([1, 4, 2, 1], Math.log);
  const pick = (random, { bannedIds = [], ...how }) =>
    pickToken(logits, {
      temperature: 1,
      random: () => random,
      bannedIds: new Set(bannedIds),
      ...how,
    });

  for (const [what, how, numbers, want] of [
    ['its share', {}, [0.12, 0.13, 0.62, 0.63, 0.87, 0.88], [0, 1, 1, 2, 2, 3]],
    ['its share of all', { topK: 4 }, [0.12, 0.13, 0.62, 0.88], [0, 1, 1, 3]],
    ['its share of the likeliest two', { topK: 2 }, [0, 0.66, 0.67, 0.99], [1, 1, 2, 2]],
    // Squares: 1, 16, 4, 1 of 22; square roots: 1, 2, 1.414, 1 of 5.414.
    ['half the temperature', { temperature: 0.5 }, [0.04, 0.05, 0.77, 0.78], [0, 1, 1, 2]],
    ['twice the temperature', { temperature: 2 }, [0.18, 0.19, 0.55, 0.56], [0, 1, 1, 2]],
    ['no chance', { temperature: 0 }, [0.9], [1]],
    ['no chance, but the likeliest', { temperature: 0, bannedIds: [1] }, [0], [2]],
    ['no chance, of two the first', { temperature: 0, bannedIds: [1, 2] }, [0], [0]],
    ['no chance, but the last', { temperature: 0, bannedIds: [0, 1, 2] }, [0], [3]],
    ['its share of what is not bannedIds', { bannedIds: [1] }, [0.2, 0.3], [0, 2]],
    ['one that is left', { bannedIds: [0, 1, 3] }, [0, 0.49, 0.51], [2, 2, 2]],
    ['the likeliest where chance is used up', { bannedIds: [1] }, [1], [2]],
  ]) {
    it(`is chosen by ${what}`, () =>
      assert.deepEqual(
        numbers.map((random) => pick(random, how)),
        want,
      ));
  }
});
