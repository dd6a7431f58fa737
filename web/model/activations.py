#!/usr/bin/python3
"""python3 web/model/activations.py FILE.safetensors TOKENS.json OUT.json

What PyTorch computes from the weights that ship, for tests/js/translator/translator.test.js. TOKENS.json holds
[{ english, french, source, target }], the two last token ids without start and end.
"""
import json
import sys

import torch

from network import END, START, Translator
from safetensors_file import weights_of

SHOWN_LOGITS = 48  # of the vocabulary, evenly spread, for each row


def model_of(file):
    weights, metadata = weights_of(file)
    vocabulary, dim = weights["embedding.weight"].shape
    layers = lambda stack: 1 + max(int(n.split(".")[2]) for n in weights if n.startswith(f"{stack}.layers."))
    model = Translator(
        vocabulary,
        dim,
        int(metadata["heads"]),
        weights["encoder.layers.0.linear1.weight"].shape[0],
        layers("encoder"),
        layers("decoder"),
    )
    model.load_state_dict(weights)
    return model.eval()


def cross_weights(model, memory, target):
    """Of the last decoder layer: heads × target × source, by the layer's own parts."""
    x = model.embed(target)
    length = target.shape[1]
    ahead = torch.ones(length, length, dtype=torch.bool).triu(1)
    *before, last = model.decoder.layers
    for layer in before:
        x = layer(x, memory, tgt_mask=ahead)
    normed = last.norm1(x)
    x = x + last.self_attn(normed, normed, normed, attn_mask=ahead)[0]
    _, weights = last.multihead_attn(last.norm2(x), memory, memory, average_attn_weights=False)
    return weights[0]


def rounded(tensor):
    return [float(f"{number:.8g}") for number in tensor.flatten().tolist()]


def main(file, tokens, out):
    model = model_of(file)
    step = model.embedding.num_embeddings // SHOWN_LOGITS
    cases = []
    with torch.no_grad():
        for case in json.load(open(tokens)):
            source = torch.tensor([case["source"] + [END]])
            target = torch.tensor([[START] + case["target"]])
            memory = model.encode(source)
            logits = model.logits(model.decode(target, memory, source))[0]
            log_probabilities = logits.double().log_softmax(-1)
            wanted = torch.tensor(case["target"] + [END])
            cases.append(
                {
                    **case,
                    "memory": rounded(memory[0, :, ::8]),
                    "logits": rounded(logits[:, ::step]),
                    "logProbabilities": rounded(log_probabilities.gather(1, wanted[:, None])),
                    "crossWeights": rounded(cross_weights(model, memory, target)),
                }
            )
    text = {"memoryStep": 8, "logitsStep": step, "cases": cases}
    with open(out, "w") as file:
        json.dump(text, file, ensure_ascii=False, separators=(",", ":"))
        file.write("\n")


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    main(*sys.argv[1:])
