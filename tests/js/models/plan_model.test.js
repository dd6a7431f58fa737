// attention-wasm/models: which tensors a model is made of, before a byte of them is read: every dim of every tensor of the
// fixture is asked for, under all of its names, and what is left over is told.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { eachTensor } from '../../../web/lib/models/build_model.js';
import { ConfigFields } from '../../../web/lib/models/config_fields.js';
import { describeModel } from '../../../web/lib/models/families.js';
import { givenWeights } from '../../../web/lib/models/given_weights.js';
import { dimsOf } from '../../../web/lib/models/plan_layers.js';
import { planModel } from '../../../web/lib/models/plan_model.js';
import { TensorNames, joined } from '../../../web/lib/models/tensor_names.js';
import { cases } from '../../support/js/models_with_tokens.js';

/** Of tensors { name: dims } what a plan asks about them. */
const described = (shapes, type = 'float32') => {
  const all = new Map(Object.entries(shapes));
  return {
    names: [...all.keys()],
    has: (name) => all.has(name),
    describe: (name) => ({ dims: all.get(name), type }),
  };
};

function planned(config, shapes) {
  const fields = new ConfigFields(config);
  return planModel(describeModel(config.model_type, fields), fields, described(shapes));
}

// Of classes there may be any number.
const isFree = (name, axis) =>
  axis === 0 &&
  /^(\w+\.)?(classifier|score|qa_outputs|(classifier|classification_head)\.out_proj)\.weight$/.test(
    name,
  );

const namesIn = (plan) => {
  const names = new Set();
  eachTensor(plan, ({ name }) => names.add(name));
  return names;
};

describe('plans', () => {
  for (const [name, { config, shapes }] of Object.entries(cases)) {
    it(`ask for every dim of every tensor that is used: ${name}`, () => {
      for (const tensor of namesIn(planned(config, shapes))) {
        const dims = shapes[tensor];
        dims.forEach((dim, axis) => {
          const other = dims.map((own, n) => (n === axis ? own + 1 : own));
          const plan = () => planned(config, { ...shapes, [tensor]: other });
          if (isFree(tensor, axis)) return;
          assert.throws(
            plan,
            /^RangeError: (tensor '.*' is \[|the weights have no tensor|.* must|config)/,
            `${tensor} ${other}`,
          );
        });
      }
    });
  }

  it('have a place for each patch of a picture, which need not be a square', () => {
    const { config, shapes } = cases.vit;
    const [width] = shapes['vit.embeddings.cls_token'].slice(-1);
    const name = 'vit.embeddings.position_embeddings';
    const wide = { ...config, image_size: [17, 8], patch_size: 4 };
    const of = (count) =>
      planned(wide, { ...shapes, [name]: [1, count, width] }).stacks.self.patches;
    assert.deepEqual(of(9).places, [4, 2]);
    assert.throws(
      () => of(8),
      new RegExp(`'${name}' is \\[1, 8, ${width}\\], but config\\.json makes it \\[9, ${width}\\]`),
    );
  });

  it('leave the tensors of other heads aside, and take the first that is all there', () => {
    const { config, shapes } = cases['bert, classes'];
    const width = config.hidden_size;
    const more = { 'qa_outputs.weight': [2, width], 'qa_outputs.bias': [2] };
    const { head } = planned(config, { ...shapes, ...more });
    assert.deepEqual([head.on, head.steps[0].linear.weight.name], ['tokens', 'qa_outputs.weight']);
    assert.equal(planned(config, shapes).head.on, 'pooled');
    const bare = Object.entries(shapes).filter(([name]) => !name.includes('pooler'));
    assert.equal(planned(config, Object.fromEntries(bare)).head.on, 'tokens');
  });
});

describe('words that are to be there', () => {
  it('are asked for by models that say which word follows', () => {
    const { config, shapes } = cases.llama;
    const { 'lm_head.weight': words, ...without } = shapes;
    const plan = (more, own = without) =>
      planned({ ...config, tie_word_embeddings: false, ...more }, own);
    assert.equal(plan({}).head, undefined);
    assert.equal(plan({}, shapes).head.steps[0].words.name, 'lm_head.weight');
    assert.equal(
      plan({ tie_word_embeddings: true }).head.steps[0].words.name,
      'model.embed_tokens.weight',
    );
    assert.deepEqual(words, without['model.embed_tokens.weight']);
    assert.throws(
      () => plan({ architectures: ['LlamaForCausalLM'] }),
      /no tensor 'lm_head\.weight'/,
    );
  });
});

describe('a head that fills in words', () => {
  it('has vectors as wide as the words that they meet', () => {
    const { config, shapes } = cases['bert, masked words'];
    const at = 'cls.predictions.transform.';
    const wider = { [`${at}dense.weight`]: [9, 8], [`${at}dense.bias`]: [9] };
    for (const name of Object.keys(shapes)) {
      if (name.startsWith(`${at}LayerNorm`)) wider[name] = [9];
    }
    assert.throws(
      () => planned(config, { ...shapes, ...wider }),
      /dense\.weight' is \[9, 8\], but config\.json makes it \[8, 8\]$/,
    );
  });
});

describe('tensors within a plan', () => {
  it('are all found, with the names that they have there', () => {
    const [a, b] = ['a', 'b'].map((name) => ({ name, dims: [1] }));
    const found = [];
    const plan = {
      x: a,
      y: { z: [b, a] },
      none: null,
      text: 'a',
      count: 5,
      odd: { name: 5, dims: [] },
    };
    eachTensor(plan, (tensor, name) => found.push([tensor, name]));
    assert.deepEqual(found, [
      [a, 'x'],
      [b, '0'],
      [a, '1'],
    ]);
    eachTensor(undefined, () => assert.fail('there is none'));
  });
});

describe('names of tensors', () => {
  const names = (shapes, type) => new TensorNames(described(shapes, type), 'bert.', 'bert');

  it('may have any of the prefixes, the family’s own first', () => {
    const dims = [2];
    const all = ['bert.a', 'a', 'model.a', 'transformer.a', 'model.bert.a'];
    all.forEach((name, n) => {
      const left = Object.fromEntries(all.slice(n).map((one) => [one, dims]));
      assert.equal(names(left).find('a'), name);
    });
    assert.equal(names({ 'model.transformer.a': dims }).find('a'), undefined);
    assert.equal(names({ b: dims, 'bert.a': dims }).find('b|a'), 'b');
    assert.equal(joined('a|b', 'c|d'), 'ac|ad|bc|bd');
  });

  it('of norms may be spelled gamma and beta', () => {
    const old = names({ 'x.LayerNorm.gamma': [2], 'ln_1.beta': [2], 'dense.gamma': [2] });
    assert.equal(old.find('x.LayerNorm.weight'), 'x.LayerNorm.gamma');
    assert.equal(old.find('ln_1.bias'), 'ln_1.beta');
    assert.equal(old.find('dense.weight'), undefined);
  });

  it('have dims that may have ones before them, and nothing else', () => {
    const take = (dims, wanted, type) => names({ a: dims }, type).take('a', wanted);
    assert.deepEqual(take([1, 1, 3, 4], [3, 4]), { name: 'a', dims: [3, 4], type: 'float32' });
    assert.deepEqual(take([3, 4], [null, 4]).dims, [3, 4]);
    for (const [dims, wanted, sentence] of [
      [[2, 3], [3], "'a' is [2, 3], but config.json makes it [3]"],
      [[3, 1], [3], "'a' is [3, 1], but config.json makes it [3]"],
      [[3], [3, 4], "'a' is [3], but config.json makes it [3, 4]"],
      [[4], [1, 4], "'a' is [4], but config.json makes it [1, 4]"],
      [[3, 5], [null, 4], "'a' is [3, 5], but config.json makes it [any, 4]"],
    ]) {
      assert.throws(() => take(dims, wanted), {
        name: 'RangeError',
        message: `tensor ${sentence}`,
      });
    }
    assert.throws(() => take([2], [2], 'int8'), {
      message:
        "tensor 'a' is of type 'int8', but weights must be float32, float16, bfloat16, float64",
    });
    assert.throws(() => names({}).take('b|c', [1]), {
      message: "the weights have no tensor 'b' (nor with 'bert.' before it), which this bert needs",
    });
  });

  it('that nobody asked for are told, three of them by name', () => {
    const told = (count, also) => {
      const shapes = Object.fromEntries(Array.from({ length: count }, (_, n) => [`t${n}`, [1]]));
      const all = names({ ...shapes, known: [1], 'x.position_ids': [1] });
      all.find('known');
      try {
        return all.requireNoOthers(also);
      } catch ({ message }) {
        return message.replace(/^.* no use for: /, '');
      }
    };
    assert.equal(told(0), undefined);
    assert.equal(told(1), "'t0'");
    assert.equal(told(3), "'t0', 't1', 't2'");
    assert.equal(told(4), "'t0', 't1', 't2' and 1 more");
    assert.equal(told(3, /^t/), undefined);
  });
});

describe('heads', () => {
  it('must divide the width, and those of keys those of queries', () => {
    assert.deepEqual(dimsOf({ width: 12, heads: 3 }), {
      width: 12,
      heads: 3,
      keyDim: 4,
      kvHeads: 3,
    });
    assert.deepEqual(dimsOf({ width: 10, heads: 4, keyDim: 3, kvHeads: 2 }).kvHeads, 2);
    assert.throws(
      () => dimsOf({ width: 10, heads: 4 }),
      /4 heads for a width of 10: no whole number each/,
    );
    assert.throws(
      () => dimsOf({ width: 12, heads: 3, kvHeads: 2 }),
      /3 heads, no multiple of 2 for keys/,
    );
  });
});

describe('tensors in memory', () => {
  const one = { data: Float32Array.of(1, 2), dims: [2] };

  it('are found in a Map, an object or by a function', async () => {
    for (const source of [new Map([['a', one]]), { a: one }, (name) => ({ a: one })[name]]) {
      const weights = givenWeights(source);
      assert.deepEqual([weights.has('a'), weights.has('b')], [true, false]);
      assert.deepEqual(weights.describe('a'), { ...one, type: 'float32' });
      assert.deepEqual([...(await weights.read(['a'])).keys()], ['a']);
      assert.deepEqual([...weights.names], typeof source === 'function' ? [] : ['a']);
    }
    assert.equal(givenWeights({}).has('toString'), false);
    assert.equal(givenWeights(() => null).has('a'), false);
  });

  it('have a type by their array, and dims that are theirs', async () => {
    const read = (tensor) => givenWeights({ a: tensor }).describe('a');
    const half = { data: Uint16Array.of(1), dims: [1], type: 'bfloat16' };
    assert.deepEqual(read(half), half);
    assert.equal(read({ data: new Float64Array(0), dims: [0, 3] }).type, 'float64');
    for (const dims of [[-1], [1.5, 2], ['2'], 2, undefined]) {
      assert.throws(
        () => read({ ...one, dims }),
        /^TypeError: tensor 'a' must be \{ data, dims \}/,
      );
    }
    assert.throws(
      () => read({ ...one, dims: [3] }),
      /^RangeError: tensor 'a' has dims 3 = 3 numbers but its data holds 2$/,
    );
    assert.throws(() => read({ data: [1, 2], dims: [2] }), TypeError);
    const rows = [];
    for await (const part of givenWeights({ a: { ...one, dims: [1, 1, 2] } }).rows('a'))
      rows.push(part);
    assert.deepEqual(rows, [{ first: 0, tensor: { ...one, dims: [1, 2], type: 'float32' } }]);
  });
});
