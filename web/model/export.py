#!/usr/bin/python3
"""python3 web/model/export.py CHECKPOINT FILE.safetensors

Writes the averaged weights of a checkpoint of train.py: matrices as int8 with a scale for each row (beside
them, as NAME.scales), everything else as float32.
"""
import sys

import torch

from safetensors_file import quantised_weights, write_safetensors

DATA = (
    "Sentence pairs: Tatoeba (tatoeba.org) and www.manythings.org/anki, CC BY 2.0 FR; "
    "African Storybook (africanstorybook.org), CC BY; composed pairs of this project."
)

if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    checkpoint = torch.load(sys.argv[1], map_location="cpu")
    metadata = {
        "format": "pt",
        "heads": str(checkpoint["sizes"]["heads"]),
        "epochs": str(checkpoint["epoch"]),
        "data": DATA,
    }
    write_safetensors(sys.argv[2], quantised_weights(checkpoint["average"]), metadata)
