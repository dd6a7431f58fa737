// The model families: for each model_type, the function that describes a model from its config.
import { describe } from '../../arguments/describe.js';
import { ignoring } from './ignored_fields.js';
import { albert } from './families/albert.js';
import { bart } from './families/bart.js';
import { bert } from './families/bert.js';
import { bloom } from './families/bloom.js';
import { codegen } from './families/codegen.js';
import { cohere } from './families/cohere.js';
import { debertaV2 } from './families/deberta_v2.js';
import { dinov2 } from './families/dinov2.js';
import { distilbert } from './families/distilbert.js';
import { electra } from './families/electra.js';
import { esm } from './families/esm.js';
import { falcon } from './families/falcon.js';
import { gemma } from './families/gemma.js';
import { gemma2 } from './families/gemma2.js';
import { gemma3Text } from './families/gemma3_text.js';
import { gpt2 } from './families/gpt2.js';
import { gptBigcode } from './families/gpt_bigcode.js';
import { gptNeo } from './families/gpt_neo.js';
import { gptNeox } from './families/gpt_neox.js';
import { gptj } from './families/gptj.js';
import { granite } from './families/granite.js';
import { llama } from './families/llama.js';
import { m2m100 } from './families/m2m_100.js';
import { marian } from './families/marian.js';
import { mbart } from './families/mbart.js';
import { mistral } from './families/mistral.js';
import { modernbert } from './families/modernbert.js';
import { mpnet } from './families/mpnet.js';
import { mpt } from './families/mpt.js';
import { nnTransformer } from './families/nn_transformer.js';
import { olmo2 } from './families/olmo2.js';
import { opt } from './families/opt.js';
import { pegasus } from './families/pegasus.js';
import { phi } from './families/phi.js';
import { phi3 } from './families/phi3.js';
import { qwen2 } from './families/qwen2.js';
import { qwen3 } from './families/qwen3.js';
import { roberta } from './families/roberta.js';
import { robertaPrelayernorm } from './families/roberta_prelayernorm.js';
import { smollm3 } from './families/smollm3.js';
import { stablelm } from './families/stablelm.js';
import { starcoder2 } from './families/starcoder2.js';
import { t5 } from './families/t5.js';
import { vit } from './families/vit.js';

const families = new Map(
  Object.entries({
    bert,
    roberta,
    'xlm-roberta': roberta,
    camembert: roberta,
    'roberta-prelayernorm': robertaPrelayernorm,
    mpnet,
    modernbert,
    'deberta-v2': debertaV2,
    esm,
    distilbert,
    albert,
    electra,
    gpt2,
    gpt_neo: gptNeo,
    gpt_neox: gptNeox,
    llama,
    mistral,
    qwen2,
    qwen3,
    phi,
    phi3,
    gemma,
    gemma2,
    gemma3_text: gemma3Text,
    olmo2,
    granite,
    smollm3,
    stablelm,
    cohere,
    starcoder2,
    opt,
    bloom,
    falcon,
    mpt,
    gptj,
    codegen,
    gpt_bigcode: gptBigcode,
    bart,
    mbart,
    marian,
    pegasus,
    m2m_100: m2m100,
    t5,
    nn_transformer: nnTransformer,
    vit,
    dinov2,
  }),
);

/** All values of model_type that load. */
export const modelTypes = [...families.keys()];

/** The family's description of the model with this config: stacks, tensor names, options and heads. */
export function describeModel(fields) {
  const type = fields.get('model_type');
  const family = families.get(type);
  if (family) {
    /** @type {object & { ignoredFields?: string[] }} */
    const described = family(fields);
    const { ignoredFields, ...description } = described;
    return { ...description, isIgnored: ignoring(ignoredFields) };
  }
  if (type === undefined) throw new RangeError("config.json has no 'model_type'");
  if (typeof type !== 'string') {
    throw new RangeError(`'model_type' of config.json must be a string, found ${describe(type)}`);
  }
  throw new RangeError(
    `config.json has the model_type '${type.slice(0, 60)}', but this reads ${modelTypes.join(', ')}`,
  );
}
