// Python of the guide “From a notebook”, run with NumPy. PyTorch and transformers, which are too large to install for it,
// have stand-ins with the calls that the guide makes and results of their shapes.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, openAsBlob, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { close, open, read } from '../../../web/demo/worker/sources/files/open_files.js';
import { root } from '../../support/js/package.js';
import { pythonWith } from '../../support/js/python.js';

const guide = readFileSync(join(root, 'web/reference/guides/notebook.md'), 'utf8');
const [fromTransformers, fromTorch] = guide
  .split('```python\n')
  .slice(1)
  .map((block) => block.split('```')[0]);

const words = ['[CLS]', 'the', 'animal', 'was', 'too', 'tired', '.', '[SEP]'];
const standIns = `
import sys, types, numpy
random = numpy.random.default_rng(5)
class Tensor:
    def __init__(self, array): self.array = array
    def __getitem__(self, at): return Tensor(self.array[at])
    def float(self): return Tensor(self.array.astype('f4'))
    def cpu(self): return self
    def detach(self): return self
    def numpy(self): return self.array
def weights(*shape):
    array = random.random(shape)
    return Tensor(array / array.sum(-1, keepdims=True))
class NoGrad:
    def __enter__(self): pass
    def __exit__(self, *error): pass
class MultiheadAttention:
    def __init__(self, embed_dim, num_heads, batch_first): self.heads = num_heads
    def __call__(self, q, k, v, need_weights, average_attn_weights):
        assert need_weights and not average_attn_weights
        return None, weights(q.array.shape[0], self.heads, q.array.shape[1], k.array.shape[1])
torch = types.ModuleType('torch')
torch.no_grad = NoGrad
torch.stack = lambda all: Tensor(numpy.stack([one.array for one in all]))
torch.randn = lambda *shape: Tensor(random.standard_normal(shape))
torch.nn = types.SimpleNamespace(MultiheadAttention=MultiheadAttention)
words = ${JSON.stringify(words)}
class Inputs(dict):
    input_ids = Tensor(numpy.arange(len(words))[None])
class Tokenizer:
    def __call__(self, text, return_tensors): return Inputs(input_ids=Inputs.input_ids)
    def convert_ids_to_tokens(self, ids): return [words[at] for at in ids.array]
class Model:
    def __call__(self, input_ids, output_attentions):
        assert output_attentions
        return types.SimpleNamespace(attentions=tuple(weights(1, 3, len(words), len(words)) for _ in range(2)))
def model_of(name, attn_implementation):
    assert attn_implementation == 'eager'
    return Model()
transformers = types.ModuleType('transformers')
transformers.AutoTokenizer = types.SimpleNamespace(from_pretrained=lambda name: Tokenizer())
transformers.AutoModel = types.SimpleNamespace(from_pretrained=model_of)
sys.modules.update(torch=torch, transformers=transformers)
`;

describe('the guide “From a notebook”', () => {
  const folder = mkdtempSync(join(tmpdir(), 'notebook-'));
  after(() => rmSync(folder, { recursive: true }));

  /** Runs lines of the guide, opens the file that they save, and reads its picture; `truth`: the numbers in Python. */
  async function saved(lines) {
    const program = `${standIns}\n${lines}\nprint(weights.reshape(-1).tolist())`;
    const { status, stdout, stderr } = spawnSync(pythonWith('numpy'), ['-c', program], {
      cwd: folder,
    });
    assert.equal(status, 0, String(stderr));
    const file = new File([await openAsBlob(join(folder, 'attention.npz'))], 'attention.npz');
    const answer = await open(file);
    const picture = await read({ mode: 'self', first: '', second: '', heads: 1, example: 0 });
    close(answer.files.at(-1).id);
    return { text: answer.text, picture, truth: JSON.parse(String(stdout)) };
  }

  it('saves the weights and tokens of a model of transformers', async () => {
    const { text, picture, truth } = await saved(fromTransformers);
    assert.equal(text, 'attention.npz: weights 2 × 3 × 8 × 8');
    assert.deepEqual(
      picture.rows.map(({ text: word }) => word),
      words,
    );
    const found = picture.parts.flatMap(({ weights }) => [...weights.data]);
    assert.deepEqual(found, truth);
  });

  it('saves the weights of MultiheadAttention of PyTorch', async () => {
    const { picture, truth } = await saved(
      `import numpy, torch\n${fromTorch}\nweights = weights.numpy()`,
    );
    assert.equal(picture.rows.length, 6);
    const found = picture.parts.flatMap(({ weights }) => [...weights.data]);
    assert.equal(found.length, 4 * 6 * 6);
    for (const [at, value] of found.entries()) assert.ok(Math.abs(value - truth[at]) < 1e-7);
  });
});
