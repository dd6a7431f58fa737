"""Reading and writing safetensors files with matrices in int8 and a scale for each row, NAME.scales."""
import json

import numpy as np
import torch


def quantised(matrix):
    scales = matrix.abs().amax(dim=1).clamp_min(1e-12) / 127
    return (matrix / scales[:, None]).round().to(torch.int8), scales


def quantised_weights(weights):
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


def read_safetensors(file):
    with open(file, "rb") as opened:
        data = opened.read()
    start = 8 + int.from_bytes(data[:8], "little")
    header = json.loads(data[8:start])
    metadata = header.pop("__metadata__")
    tensors = {}
    for name, entry in header.items():
        begin, end = (start + offset for offset in entry["data_offsets"])
        numbers = np.frombuffer(data[begin:end], dtype={"I8": np.int8, "F32": np.float32}[entry["dtype"]])
        tensors[name] = torch.from_numpy(numbers.copy()).reshape(entry["shape"])
    return tensors, metadata


def weights_of(file):
    """(weights in float32, metadata)"""
    tensors, metadata = read_safetensors(file)
    weights = {}
    for name, tensor in tensors.items():
        if name.endswith(".scales"):
            continue
        scales = tensors.get(f"{name}.scales")
        weights[name] = tensor if scales is None else tensor.float() * scales[:, None]
    return weights, metadata
