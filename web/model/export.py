#!/usr/bin/python3
"""python3 web/model/export.py CHECKPOINT FILE.safetensors

Writes the averaged weights of a checkpoint of train.py: matrices as int8 with a scale for each row (beside
them, as NAME.scales), everything else as float32.
"""
import json
import sys

import torch


def quantised(matrix):
    scales = matrix.abs().amax(dim=1).clamp_min(1e-12) / 127
    return (matrix / scales[:, None]).round().to(torch.int8), scales


def tensors_of(weights):
    tensors = {}
    for name, weight in weights.items():
        if weight.dim() == 2:
            tensors[name], tensors[f"{name}.scales"] = quantised(weight)
        else:
            tensors[name] = weight.float()
    return tensors


def write_safetensors(file, tensors, metadata):
    """8 bytes with the length of the header, the header in JSON, the numbers: those of 32 bits first."""
    names = sorted(tensors, key=lambda name: (tensors[name].element_size() == 1, name))
    header = {"__metadata__": metadata}
    end = 0
    for name in names:
        tensor = tensors[name]
        start, end = end, end + tensor.numel() * tensor.element_size()
        header[name] = {
            "dtype": "I8" if tensor.dtype == torch.int8 else "F32",
            "shape": list(tensor.shape),
            "data_offsets": [start, end],
        }
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    with open(file, "wb") as out:
        out.write(len(text).to_bytes(8, "little") + text)
        for name in names:
            out.write(tensors[name].contiguous().numpy().tobytes())


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    checkpoint = torch.load(sys.argv[1], map_location="cpu")
    metadata = {
        "format": "pt",
        "heads": str(checkpoint["sizes"]["heads"]),
        "epochs": str(checkpoint["epoch"]),
        "data": "Sentence pairs: Tatoeba (tatoeba.org) and www.manythings.org/anki, CC BY 2.0 FR.",
    }
    write_safetensors(sys.argv[2], tensors_of(checkpoint["average"]), metadata)
