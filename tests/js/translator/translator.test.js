// attention-wasm/translator: PyTorch's results for the same weights, and the structure of results.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { loadAttention } from 'attention-wasm';
import { loadModel } from 'attention-wasm/models';
import { loadTranslator } from 'attention-wasm/translator';
import { copyNumbersAndNames } from '../../../web/lib/translator/copy_numbers_and_names.js';
import { explainBitDifference, explainDifference } from '../../support/js/compare.js';
import { root } from '../../support/js/package.js';

const readJson = (...path) => JSON.parse(readFileSync(join(root, ...path), 'utf8'));
const weightsFile = readFileSync(join(root, 'web/model/english_french.safetensors'));

const checkpoint = {
  config: readJson('web/model/config.json'),
  weights: weightsFile,
  tokenizer: readJson('web/model/tokenizer.json'),
};
const translator = await loadTranslator();
const sentence = 'The pink elephant tried to get into the car.';

const rowsOf = ({ data, dims }) => {
  const width = dims.at(-1);
  return Array.from({ length: data.length / width }, (_, n) =>
    data.subarray(n * width, (n + 1) * width),
  );
};

const assertRowsSumTo1 = (tensor) => {
  for (const row of rowsOf(tensor)) {
    assert.ok(Math.abs(row.reduce((sum, x) => sum + x, 0) - 1) < 1e-5);
  }
};

describe('loadTranslator({ api })', () => {
  it('uses that instance, as { attention } does', async () => {
    const api = await loadAttention({ kernels: 'simd' }); // an instance of its own
    const before = api.memoryBytes();
    const own = await loadTranslator({ api });
    assert.ok(api.memoryBytes() > before);
    const { text } = await loadTranslator({ attention: api }).then((one) =>
      one.translate(sentence),
    );
    assert.equal(own.translate(sentence).text, text);
    await assert.rejects(loadTranslator({ api, attention: api }), /^TypeError: api and attention/);
  });
});

const idsOf = ({ tokens }) => tokens.map(({ id }) => id);

describe('loadTranslator({ loadModel })', () => {
  const texts = [
    sentence,
    'Zuko was born in 1992.',
    "Don't eat 日本 at Ann's!",
    'word '.repeat(60),
    '',
  ];
  const vectors = true;
  const edits = [
    { at: 'scores', stack: 'cross', layer: 1, head: 2, to: 'blocked' },
    { at: 'scores', stack: 'encoder', layer: [0, 1, 2, 3, 4], key: [0], to: 'blocked' },
  ];

  it('translates as the translator alone', async () => {
    const own = await loadTranslator({ loadModel });
    for (const text of texts) {
      for (const options of [{ vectors }, { vectors, edits }, { target: 'Le chien dort ici.' }]) {
        const expected = translator.translate(text, options);
        assert.deepEqual(own.translate(text, options), expected, text);
      }
      assert.deepEqual(own.encode(text, { vectors }), translator.encode(text, { vectors }));
      assert.deepEqual(own.nextWords(text), translator.nextWords(text));
    }
    assert.deepEqual([...own.tensors], [...translator.tensors]);
    own.delete();
  });

  it('has a model with the same numbers', async () => {
    const own = await loadTranslator({ loadModel });
    const { model } = own;
    assert.equal(translator.model, undefined);
    for (const text of texts) {
      for (const changes of [{}, { edits }]) {
        const shown = translator.translate(text, { vectors, ...changes });
        const input = { ids: idsOf(shown.source), decoderIds: idsOf(shown.inputs) };
        const result = model.run(input, { attentions: true, projections: true, ...changes });
        for (const stack of ['encoder', 'decoder', 'cross']) {
          shown.vectors[stack].forEach((layer, n) => {
            const found = result.projections[stack][n];
            for (const name of ['query', 'key', 'value']) {
              const { data, dims } = layer[name];
              const expected = { data, dims: dims.slice(1) };
              assert.equal(
                explainBitDifference(found[name], expected),
                '',
                `${stack} ${n} ${name}`,
              );
            }
            const weights = result.attentions[stack][n];
            assert.equal(explainBitDifference(weights, shown.attention[stack][n]), '');
          });
        }
        const [{ context }] = shown.vectors.cross;
        assert.equal(explainBitDifference(result.encoderHidden, context), '');
      }
    }
    own.delete();
    assert.throws(() => model.run({ ids: [2] }), /the model was deleted/);
  });

  it('needs loadModel() on the same instance', async () => {
    const elsewhere = async (source) =>
      loadModel(source, { api: await loadAttention({ kernels: 'simd' }) });
    for (const wrong of [elsewhere, async () => ({}), true]) {
      await assert.rejects(loadTranslator({ loadModel: wrong }), TypeError);
    }
  });
});

describe('tokenize()', () => {
  it('has the tokens of a translation', () => {
    for (const text of [sentence, "Don't go ; he said : no !", '']) {
      const { source, target, inputs, text: french } = translator.translate(text);
      assert.deepEqual(translator.tokenize(text), source);
      assert.deepEqual(translator.tokenize(text, 'source'), source);
      assert.deepEqual(translator.tokenize(french, 'target'), target);
      assert.deepEqual(translator.tokenize(french, 'inputs'), inputs);
    }
  });

  it('refuses other texts and roles', () => {
    assert.throws(() => translator.tokenize(5), TypeError);
    assert.throws(() => translator.tokenize('a'.repeat(10_001)), RangeError);
    assert.throws(() => translator.tokenize('a', 'memory'), RangeError);
  });
});

describe('the numbers of the translator', async () => {
  const { cases, memoryStep, logitsStep } = readJson('tests/vectors/translator.json');
  const model = await loadModel(checkpoint);
  after(() => model.delete());
  const every = ({ data, dims }, step) =>
    rowsOf({ data, dims }).flatMap((row) => [...row.filter((_, at) => at % step === 0)]);
  const close = (got, want, tolerance, what) =>
    assert.equal(
      explainDifference(
        { data: Float32Array.from(got), dims: [got.length] },
        { data: Float64Array.from(want), dims: [want.length] },
        tolerance,
      ),
      '',
      what,
    );

  for (const { english, french, source, target, ...want } of cases) {
    it(`are PyTorch's for "${english}"`, () => {
      const shown = translator.translate(english, { target: french });
      assert.deepEqual(
        shown.source.tokens.map(({ id }) => id),
        [...source, 2],
      );
      assert.deepEqual(
        shown.target.tokens.map(({ id }) => id),
        [...target, 2],
      );
      const ids = { ids: [...source, 2], decoderIds: [1, ...target] };
      const { encoderHidden, logits } = model.run(ids);
      // PyTorch quantizes rows too. Where it rounds a float32 number otherwise, the integer may be the next one: float64
      // in its place moves the encoder's output by 3e-4, and logits by 2e-3.
      close(every(encoderHidden, memoryStep), want.memory, 6e-4, 'memory');
      close(every(logits, logitsStep), want.logits, 4e-3, 'logits');
      close(shown.logProbabilities, want.logProbabilities, 2e-3, 'log probabilities');
      close(shown.attention.cross.at(-1).data, want.crossWeights, 5e-4, 'cross-attention');
    });
  }
});

describe('a translation', () => {
  const translation = translator.translate(sentence, { vectors: true });
  const { source, target, inputs, attention, vectors } = translation;
  const [from, to] = [source.tokens.length, target.tokens.length];
  const { heads } = translator;

  it('has the weights of every layer and head', () => {
    assert.deepEqual(
      attention.encoder.map(({ dims }) => dims),
      attention.encoder.map(() => [heads, from, from]),
    );
    assert.deepEqual(
      attention.decoder.map(({ dims }) => dims),
      attention.decoder.map(() => [heads, to, to]),
    );
    assert.deepEqual(
      attention.cross.map(({ dims }) => dims),
      attention.decoder.map(() => [heads, to, from]),
    );
    for (const layers of Object.values(attention)) layers.forEach(assertRowsSumTo1);
  });

  it('is causal in the decoder only', () => {
    for (const { data } of attention.decoder) {
      data.forEach((weight, at) => {
        if (at % to > Math.floor(at / to) % to) assert.equal(weight, 0);
      });
    }
  });

  it('labels rows with the predicted tokens, and columns with the input tokens', () => {
    assert.equal(target.text, translation.text);
    assert.equal(target.tokens.at(-1).text, '</s>');
    assert.equal(source.tokens.at(-1).text, '</s>');
    assert.equal(inputs.tokens[0].text, '<s>');
    assert.deepEqual(
      inputs.tokens.slice(1).map(({ id }) => id),
      target.tokens.slice(0, -1).map(({ id }) => id),
    );
  });

  it('equals the result for its own text as `target`', () => {
    const forced = translator.translate(sentence, { target: translation.text });
    assert.equal(forced.text, translation.text);
    forced.attention.cross.forEach((weights, n) => {
      assert.equal(explainBitDifference(weights, attention.cross[n]), '');
    });
  });

  it('has vectors from which the weights follow', async () => {
    const api = await loadAttention();
    for (const [part, causal] of Object.entries({ encoder: false, decoder: true, cross: false })) {
      vectors[part].forEach(({ query, key, value, x, context }, n) => {
        assert.equal(x.dims[0], attention[part][n].dims[1]);
        assert.equal(context.dims[0], attention[part][n].dims[2]);
        const { weights } = api.attention(query, key, value, { causal, weights: true });
        const want = { ...attention[part][n], dims: weights.dims };
        assert.equal(explainDifference(weights, want, 1e-5), '', `${part} ${n}`);
      });
    }
  });

  it('has the tensors of a layer and of embed(), from which the vectors follow', async () => {
    const { embed, MultiHeadAttention } = await loadAttention();
    const { tensors, heads } = translator;
    const { vectors } = translator.encode(sentence, { vectors: true });
    const layer = MultiHeadAttention.fromTorch(tensors, {
      heads,
      prefix: 'encoder.layers.1.self_attn.',
    });
    const { x, query } = vectors.encoder[1];
    assert.equal(explainBitDifference(layer.project(x).query, query), '');
    layer.delete();
    assert.deepEqual(embed([5, 4095], tensors.get('embedding.weight')).dims, [2, x.dims[1]]);
    assert.deepEqual(
      [...tensors.keys()].filter((name) => name.endsWith('.scales')),
      [],
    );
    tensors.clear();
    assert.ok(translator.tensors.has('embedding.weight'));
  });

  it('is at least as likely with more beams', () => {
    const total = ({ logProbabilities }) => logProbabilities.reduce((sum, x) => sum + x, 0);
    const mean = (result) => total(result) / result.logProbabilities.length;
    const greedy = translator.translate(sentence, { beam: 1 });
    assert.ok(mean(translation) >= mean(greedy) - 1e-6);
  });

  it('calls onToken after each step', () => {
    const seen = [];
    const { text } = translator.translate(sentence, {
      beam: 1,
      onToken: (soFar) => seen.push(soFar),
    });
    assert.equal(seen.at(-2).text, text);
    seen.forEach(({ tokens }, n) => assert.equal(tokens.length, n + 1));
  });

  it('can be computed step by step, and stopped', async () => {
    const { memoryBytes } = await loadAttention();
    const steps = translator.steps(sentence, { beam: 2 });
    const texts = [];
    let result = steps.next();
    for (; !result.done; result = steps.next()) texts.push(result.value.text);
    assert.deepEqual(result.value, translator.translate(sentence, { beam: 2 }));
    assert.ok(texts.length > 3);
    const leave = () => {
      for (const { tokens } of translator.steps(sentence)) if (tokens.length === 2) break;
    };
    leave();
    const before = memoryBytes();
    for (let n = 0; n < 50; n++) leave();
    assert.equal(memoryBytes(), before);
    assert.throws(() => translator.steps('Go!', { beam: 0 }), RangeError);
    assert.throws(() => translator.steps('Go!', { onToken: () => {} }), TypeError);
  });

  it('can omit weights', () => {
    assert.equal('attention' in translator.translate('Go!', { attention: false }), false);
    assert.equal('attention' in translator.encode('Go!', { attention: false }), false);
  });

  it('of an empty text is empty', () => {
    for (const text of ['', '  \n ']) {
      const { text: french, source: read, target: said } = translator.translate(text);
      assert.equal(french, '');
      assert.deepEqual([read.tokens.length, said.tokens.length], [1, 1]);
    }
  });
});

describe('the checkpoint of the translator', () => {
  it('is loaded by loadModel(), which generates the same translations', async () => {
    const model = await loadModel(checkpoint);
    assert.equal(model.type, 'nn_transformer');
    const { ids } = model.run(sentence);
    assert.deepEqual(
      ids,
      translator.encode(sentence).source.tokens.map(({ id }) => id),
    );
    for (const beam of [1, 4]) {
      let text = '';
      for await (const token of model.generate(sentence, { beam })) text += token.text;
      assert.equal(text, translator.translate(sentence, { beam }).text);
    }
    model.delete();
  });

  it('has the int8 error in float32, and is refused without scales', async () => {
    const [stored, floats] = [
      await loadModel(checkpoint),
      await loadModel(checkpoint, { weights: 'float32' }),
    ];
    assert.ok(floats.memoryBytes > 3 * stored.memoryBytes);
    const [a, b] = [stored, floats].map((model) => model.run(sentence, { decoder: 'Le' }).logits);
    // Logits are up to 20; activations are quantized to 14 bits in every product.
    assert.equal(explainDifference(a, b, 2e-2), '');
    for (const model of [stored, floats]) model.delete();
    const weights = new Map(translator.tensors);
    const name = 'encoder.layers.0.linear1.weight';
    weights.set(name, { ...weights.get(name), scales: undefined });
    await assert.rejects(loadModel({ ...checkpoint, weights }), {
      name: 'RangeError',
      message: new RegExp(`'${name}' is int8 and needs '${name}.scales'`),
    });
  });
});

describe('numbers and names that a translation lost', () => {
  /** A text of words between spaces as its tokens, one for each word. */
  function tokensOf(text) {
    let start = 0;
    const tokens = text.split(' ').map((word, n) => {
      const token = { text: word, word: n, special: false, start, end: start + word.length };
      start = token.end + 1;
      return token;
    });
    return { text, tokens };
  }
  /** The result of copyNumbersAndNames(), if row n attends to column columns[n] and its token has probability sure[n]. */
  function carried(english, french, columns, sure) {
    const [source, target] = [tokensOf(english), tokensOf(french)];
    const [rows, width] = [target.tokens.length, source.tokens.length];
    const data = new Float32Array(rows * width);
    columns.forEach((column, row) => (data[row * width + column] = 1));
    const cross = { data, dims: [1, rows, width] };
    return copyNumbersAndNames(
      source,
      target,
      cross,
      target.tokens.map((_, n) => Math.log(sure?.[n] ?? 0.9)),
    );
  }

  it('are corrected by the alignment', () => {
    assert.equal(carried('in 1992 and 47', 'en 192 et 4', [0, 1, 2, 3]), 'en 1992 et 47');
    assert.equal(carried('he has 4071', 'il a 4', [0, 1, 0]), 'il a 4071');
    assert.equal(
      carried('I saw Björn', "J'ai vu Bjar", [0, 1, 2], [0.9, 0.9, 0.2]),
      "J'ai vu Björn",
    );
    assert.equal(carried('I saw Whiskers', "J'ai vu Whisk", [0, 1, 2]), "J'ai vu Whiskers");
    assert.equal(carried('Fyodor saw Ann', 'Fdor a vu Ann', [0, 1, 1, 2]), 'Fyodor a vu Ann');
  });

  it('stay if none is lost, or if the model is sure of another form', () => {
    assert.equal(carried('in 1992', 'en 1992', [0, 1]), null);
    assert.equal(carried('in London', 'à Londres', [0, 1], [0.9, 0.97]), null);
    assert.equal(carried('Turn right', 'Tourne à droite', [0, 1, 1], [0.4, 0.9, 0.9]), null);
    assert.equal(carried('two dogs', '2 chiens', [0, 1]), null);
    assert.equal(carried('over 10 , 000 dogs', 'plus de 9000 chiens', [0, 0, 1, 4]), null);
    assert.equal(carried('They saw Ann', 'Ils ont vu Ann', [0, 1, 1, 2], [0.1, 0.9]), null);
    assert.equal(carried('Mercedes has dogs', 'Mes chiens sont là', [0, 2, 1, 1]), null);
    assert.equal(carried('I like Montreal', "J'aime Montréal", [1, 2], [0.9, 0.9]), null);
    assert.equal(carried('a Russian said', 'un Russe dit', [0, 1, 2], [0.9, 0.1]), null);
  });

  it('are those of the source in translate(), whose weights belong to the corrected text', () => {
    for (const number of ['83', '1992', '40718', '999999']) {
      const { text, target, attention } = translator.translate(`I counted ${number} birds.`);
      assert.ok(text.includes(number), text);
      assert.equal(target.text, text);
      assert.equal(attention.cross.at(-1).dims[1], target.tokens.length);
    }
  });
});

describe('encode()', () => {
  it('is the encoder of translate()', () => {
    const { source, output, attention } = translator.encode(sentence);
    const translated = translator.translate(sentence);
    assert.deepEqual(source, translated.source);
    assert.equal(output.dims[0], source.tokens.length);
    attention.encoder.forEach((weights, n) => {
      assert.equal(explainBitDifference(weights, translated.attention.encoder[n]), '');
    });
  });
});

/** Names of the methods of strings and regular expressions that act() calls with a text. */
function methodsUsedOn(text, act) {
  const used = [];
  const restore = [String.prototype, RegExp.prototype].flatMap((prototype) =>
    Object.entries(Object.getOwnPropertyDescriptors(prototype))
      .filter(([name, { value }]) => typeof value === 'function' && name !== 'constructor')
      .map(([name, descriptor]) => {
        const method = descriptor.value;
        prototype[name] = function watched(...given) {
          if (this === text || given[0] === text) used.push(name);
          return method.apply(this, given);
        };
        return () => Object.defineProperty(prototype, name, descriptor);
      }),
  );
  try {
    act();
  } finally {
    for (const put of restore) put();
  }
  return used;
}

describe('invalid input', () => {
  const refused = (options, name, message) =>
    assert.throws(() => translator.translate('Go!', options), { name, message });

  it('is refused with a message', () => {
    assert.throws(() => translator.translate(7), {
      name: 'TypeError',
      message: 'the text of translate() must be a string, found 7',
    });
    assert.throws(() => translator.encode('a '.repeat(600)), {
      name: 'RangeError',
      message: 'text has 600 tokens; the limit is 512',
    });
    // Refused before normalization and tokenization, which are slow for long texts.
    const endless = '\u{1f600}'.repeat(6000);
    for (const [name, call] of Object.entries({
      text: () => translator.translate(endless),
      target: () => translator.nextWords('Go!', { target: endless }),
      begin: () => translator.translate('Go!', { begin: endless }),
    })) {
      const message = `${name} has 12000 characters; the limit is 10000`;
      const methods = methodsUsedOn(endless, () =>
        assert.throws(call, { name: 'RangeError', message }),
      );
      assert.deepEqual(methods, []);
    }
    const used = methodsUsedOn('Go!', () => translator.translate('Go!'));
    assert.ok(used.includes('replace') && used.includes('normalize'), used.join());
    assert.equal(translator.encode(' '.repeat(9_999) + 'a').source.tokens.length, 2);
    refused({ beam: 0 }, 'RangeError', 'beam is 0 but must be an integer from 1 to 32');
    refused({ beam: 1.5 }, 'RangeError', 'beam is 1.5 but must be an integer from 1 to 32');
    refused(
      { maxTokens: 513 },
      'RangeError',
      'maxTokens is 513 but must be an integer from 1 to 512',
    );
    refused({ onToken: 1 }, 'TypeError', 'onToken must be a function, found 1');
    refused({ target: 1 }, 'TypeError', 'target must be a string, found 1');
    refused(
      { beams: 2 },
      'TypeError',
      "translate() has no option 'beams'; it has attention, vectors, edits, beam, target, begin, maxTokens, wordLogProbabilities, onToken",
    );
  });

  it('leaves no memory allocated: 200 translations, one deleted translator', async () => {
    const { memoryBytes } = await loadAttention();
    translator.translate(sentence);
    const before = memoryBytes();
    for (let n = 0; n < 200; n++) translator.translate('Go away!', { beam: 1 + (n % 4) });
    assert.equal(memoryBytes(), before);
    const other = await loadTranslator();
    other.delete();
    other.delete();
    assert.throws(() => other.translate('Go!'), { name: 'DeletedError' });
    for (let n = 0; n < 10; n++) (await loadTranslator()).delete();
    assert.ok(memoryBytes() <= before + 2 ** 25);
  });
});

describe('loading', () => {
  const bytes = () =>
    weightsFile.buffer.slice(weightsFile.byteOffset, weightsFile.byteOffset + weightsFile.length);

  it('accepts weights as bytes, a response or a URL, and another instance of the library', async () => {
    const want = translator.translate('Go!', { beam: 1 }).text;
    const attention = await loadAttention({ kernels: 'simd' });
    for (const options of [
      { weights: bytes() },
      { weights: new Uint8Array(bytes()) },
      { weights: new Response(bytes()) },
      { weights: Promise.resolve(bytes()), attention },
      {
        weights: new URL(`data:application/octet-stream;base64,${weightsFile.toString('base64')}`),
      },
      { tokenizer: checkpoint.tokenizer, config: checkpoint.config },
    ]) {
      const loaded = await loadTranslator(options);
      assert.equal(loaded.translate('Go!', { beam: 1 }).text, want);
      loaded.delete();
    }
  });

  it('reports how many bytes of the weights have come', async (t) => {
    const half = weightsFile.length >> 1;
    const unfinished = []; // responses, whose second half comes when the loader has reported of the first
    const server = createServer((request, response) => {
      const length = request.url === '/sized' && { 'content-length': weightsFile.length };
      response.writeHead(200, { ...length }).write(weightsFile.subarray(0, half));
      unfinished.push(response);
    }).listen(0, '127.0.0.1');
    t.after(() => server.close());
    await once(server, 'listening');
    const origin = `http://127.0.0.1:${server.address().port}`;
    for (const [options, total] of [
      [{ weights: new URL('/sized', origin) }, weightsFile.length],
      [{ weights: new URL('/unknown', origin) }, null],
      [{}, weightsFile.length],
    ]) {
      const reports = [];
      const onProgress = (progress) => {
        reports.push(progress);
        unfinished.pop()?.end(weightsFile.subarray(half));
      };
      const loaded = await loadTranslator({ ...options, onProgress });
      assert.equal(
        loaded.translate('Go!', { beam: 1 }).text,
        translator.translate('Go!', { beam: 1 }).text,
      );
      loaded.delete();
      assert.deepEqual(reports.at(-1), { loaded: weightsFile.length, total, file: 'weights' });
      if (options.weights) assert.ok(reports.length > 1 && reports[0].loaded <= half);
    }
  });

  it('reads a tokenizer with a token behind the last row, an error where it is used', async () => {
    const { tokenizer } = checkpoint;
    const rows = Object.keys(tokenizer.model.vocab).length;
    const added_tokens = [...tokenizer.added_tokens, { id: rows, content: '<img>', special: true }];
    const loaded = await loadTranslator({ tokenizer: { ...tokenizer, added_tokens } });
    const want = translator.translate('Go!').text;
    assert.equal(loaded.translate('Go!').text, want);
    assert.throws(() => loaded.translate('Go <img>'), {
      name: 'RangeError',
      message: new RegExp(
        `is ${rows}, the token '<img>', but the embedding of the model has ${rows} rows$`,
      ),
    });
    loaded.delete();
  });

  it('refuses invalid weight files', async () => {
    await assert.rejects(loadTranslator({ weights: 'model.safetensors' }), {
      name: 'TypeError',
      message: "weights must be bytes, a Response or a URL, found 'model.safetensors'",
    });
    await assert.rejects(loadTranslator({ weights: new Uint8Array(20) }), RangeError);
    const page = new URL('data:text/html,<!doctype html><title>Not found</title>');
    for (const name of ['weights', 'tokenizer']) {
      await assert.rejects(loadTranslator({ [name]: page }), {
        name: 'RangeError',
        message: new RegExp(`^(the )?${name} .* an HTML page`),
      });
    }
    await assert.rejects(loadTranslator({ wights: 1 }), TypeError);
  });
});
