#!/usr/bin/python3
"""python3 web/model/export.py CHECKPOINT FILE.safetensors [--towards CHECKPOINT FACTOR]

Writes the averaged weights of a checkpoint of train.py: matrices as int8 with a scale for each row (beside
them, as NAME.scales), everything else as float32. With --towards those that lie so far on the way from this
checkpoint to another: 0 this one, 0.5 half way, 1 the other, beyond that further the same way.
"""
import argparse

import torch

from safetensors_file import quantised_weights, write_safetensors

DATA = (
    "Sentence pairs: Tatoeba (tatoeba.org) and www.manythings.org/anki, CC BY 2.0 FR; "
    "African Storybook (africanstorybook.org), CC BY; composed pairs of this project."
)

if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("checkpoint")
    parser.add_argument("file")
    parser.add_argument("--towards", nargs=2)
    given = parser.parse_args()
    checkpoint = torch.load(given.checkpoint, map_location="cpu")
    average = checkpoint["average"]
    if given.towards:
        other = torch.load(given.towards[0], map_location="cpu")["average"]
        factor = float(given.towards[1])
        average = {name: own + factor * (other[name] - own) for name, own in average.items()}
    metadata = {
        "format": "pt",
        "heads": str(checkpoint["sizes"]["heads"]),
        "epochs": str(checkpoint["epoch"]),
        "data": DATA,
    }
    write_safetensors(given.file, quantised_weights(average), metadata)
