#!/usr/bin/python3
"""python3 web/model/train.py DATA CHECKPOINTS

Trains the English-French Transformer on what prepare.js wrote to DATA, on the CPU (Debian: python3-torch,
libopenblas0-openmp). Stopped and started again, it goes on from the last checkpoint.

Source: Vaswani et al., "Attention Is All You Need" (2017); norms before each part as in Xiong et al.,
"On Layer Normalization in the Transformer Architecture" (2020).
"""
import math
import os
import random
import sys
import time
from pathlib import Path

os.environ.setdefault("OMP_WAIT_POLICY", "passive")  # threads that spin while they wait cost half the time

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

PAD, START, END = 0, 1, 2

MODEL = {
    "vocabulary": 4096,
    "dim": 192,
    "heads": 4,
    "feedforward": 512,
    "encoder_layers": 3,
    "decoder_layers": 2,
}
EPOCHS = 9
VARIANTS = 8
BATCH_TOKENS = 2600  # of the padded target
PEAK_RATE = 2e-3
WARM_UP_STEPS = 800
LABEL_SMOOTHING = 0.05
DROPOUT = 0.1
AVERAGED = 0.998  # decay of the running average of the weights, which is what is kept


class Translator(nn.Module):
    """Token ids -> logits. One table embeds the tokens of both languages and gives the logits."""

    def __init__(self, vocabulary, dim, heads, feedforward, encoder_layers, decoder_layers, dropout=0.0):
        super().__init__()
        self.scale = math.sqrt(dim)
        self.embedding = nn.Embedding(vocabulary, dim)
        nn.init.normal_(self.embedding.weight, std=dim**-0.5)
        layer = {
            "d_model": dim,
            "nhead": heads,
            "dim_feedforward": feedforward,
            "dropout": dropout,
            "batch_first": True,
            "norm_first": True,
        }
        self.encoder = nn.TransformerEncoder(
            nn.TransformerEncoderLayer(**layer), encoder_layers, nn.LayerNorm(dim), enable_nested_tensor=False
        )
        self.decoder = nn.TransformerDecoder(
            nn.TransformerDecoderLayer(**layer), decoder_layers, nn.LayerNorm(dim)
        )
        for weight in (*self.encoder.parameters(), *self.decoder.parameters()):
            if weight.dim() > 1:
                nn.init.xavier_uniform_(weight)
        # Dropout where a part joins the residual stream; inside attention and the feed-forward it costs
        # more time than it is worth on so few tokens.
        self.dropout = nn.Dropout(dropout)
        for layer in (*self.encoder.layers, *self.decoder.layers):
            layer.self_attn.dropout = 0.0
            layer.dropout = nn.Identity()
            if hasattr(layer, "multihead_attn"):
                layer.multihead_attn.dropout = 0.0

    def embed(self, ids):
        length = ids.shape[1]
        return self.dropout(self.embedding(ids) * self.scale + positions(length, self.embedding.embedding_dim))

    def encode(self, source):
        return self.encoder(self.embed(source), src_key_padding_mask=source == PAD)

    def decode(self, target, memory, source):
        length = target.shape[1]
        ahead = torch.ones(length, length, dtype=torch.bool).triu(1)
        return self.decoder(
            self.embed(target), memory, tgt_mask=ahead, memory_key_padding_mask=source == PAD
        )

    def forward(self, source, target):
        return self.decode(target, self.encode(source), source)

    def logits(self, decoded):
        return F.linear(decoded, self.embedding.weight)


def positions(length, dim):
    """Sinusoids as in Vaswani et al., section 3.5: [length, dim], sine and cosine side by side."""
    angles = torch.arange(length)[:, None] / 10000 ** (torch.arange(0, dim, 2) / dim)
    return torch.stack((angles.sin(), angles.cos()), dim=-1).reshape(length, dim)


def read_pairs(file):
    numbers = np.fromfile(file, dtype=np.uint16).astype(np.int64)
    pairs = []
    at = 0
    while at < len(numbers):
        middle = at + 2 + numbers[at]
        end = middle + numbers[at + 1]
        pairs.append((numbers[at + 2 : middle], numbers[middle:end]))
        at = end
    return pairs


def padded(rows, before=(), after=()):
    rows = [np.concatenate([before, row, after]).astype(np.int64) for row in rows]
    table = np.full((len(rows), max(map(len, rows))), PAD, dtype=np.int64)
    for n, row in enumerate(rows):
        table[n, : len(row)] = row
    return torch.from_numpy(table)


def batches(pairs, shuffle):
    """Pairs of like lengths together: (source ++ </s>, <s> ++ target, target ++ </s>)."""
    order = list(range(len(pairs)))
    if shuffle:
        shuffle.shuffle(order)
    order.sort(key=lambda n: (len(pairs[n][1]), len(pairs[n][0])))
    groups = []
    group = []
    longest = 0
    for n in order:
        longest = max(longest, len(pairs[n][1]) + 1, len(pairs[n][0]) + 1)
        if group and longest * (len(group) + 1) > BATCH_TOKENS:
            groups.append(group)
            group = []
            longest = max(len(pairs[n][1]), len(pairs[n][0])) + 1
        group.append(n)
    groups.append(group)
    if shuffle:
        shuffle.shuffle(groups)
    for group in groups:
        sources = [pairs[n][0] for n in group]
        targets = [pairs[n][1] for n in group]
        yield padded(sources, after=[END]), padded(targets, before=[START]), padded(targets, after=[END])


def perplexity(model, pairs):
    model.eval()
    total = count = 0
    with torch.no_grad():
        for source, shifted, target in batches(pairs, None):
            logits = model.logits(model(source, shifted))
            total += F.cross_entropy(
                logits.flatten(0, 1), target.flatten(), ignore_index=PAD, reduction="sum"
            ).item()
            count += (target != PAD).sum().item()
    return math.exp(total / count)


def rate_at(step, steps):
    """Rises to the peak, then falls to nearly nothing along a cosine."""
    if step < WARM_UP_STEPS:
        return PEAK_RATE * (step + 1) / WARM_UP_STEPS
    done = (step - WARM_UP_STEPS) / max(1, steps - WARM_UP_STEPS)
    return PEAK_RATE * (0.01 + 0.99 * 0.5 * (1 + math.cos(math.pi * min(1.0, done))))


def train(data, folder):
    torch.manual_seed(1)
    torch.set_num_threads(2)
    model = Translator(**MODEL, dropout=DROPOUT)
    average = {name: weight.clone() for name, weight in model.state_dict().items()}
    weights = [weight for weight in model.parameters() if weight.dim() > 1]
    others = [weight for weight in model.parameters() if weight.dim() <= 1]
    optimizer = torch.optim.AdamW(
        [{"params": weights, "weight_decay": 0.01}, {"params": others, "weight_decay": 0.0}],
        betas=(0.9, 0.98),
        eps=1e-9,
    )
    validation = read_pairs(data / "validation.bin")
    epoch = step = 0
    checkpoint = folder / "last.pt"
    if checkpoint.exists():
        state = torch.load(checkpoint)
        model.load_state_dict(state["model"])
        optimizer.load_state_dict(state["optimizer"])
        average, epoch, step = state["average"], state["epoch"], state["step"]
    steps = None
    while epoch < EPOCHS:
        # The pairs as they are in the first and the last epoch, varied in between.
        variant = 0 if epoch in (0, EPOCHS - 1) else epoch % VARIANTS
        pairs = read_pairs(data / f"train_{variant}.bin")
        shuffle = random.Random(epoch)
        epoch_batches = list(batches(pairs, shuffle))
        steps = steps or EPOCHS * len(epoch_batches)
        model.train()
        started = time.time()
        running = 0.0
        for n, (source, shifted, target) in enumerate(epoch_batches):
            for group in optimizer.param_groups:
                group["lr"] = rate_at(step, steps)
            decoded = model(source, shifted)
            is_token = target != PAD
            loss = F.cross_entropy(
                model.logits(decoded[is_token]), target[is_token], label_smoothing=LABEL_SMOOTHING
            )
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            step += 1
            with torch.no_grad():
                decay = min(AVERAGED, (1 + step) / (10 + step))
                for name, weight in model.state_dict().items():
                    average[name].lerp_(weight, 1 - decay)
            running += loss.item()
            if n % 100 == 99:
                print(f"epoch {epoch} {n + 1}/{len(epoch_batches)} loss {running / 100:.3f} "
                      f"{time.time() - started:.0f} s", flush=True)
                running = 0.0
        epoch += 1
        state = {
            "model": model.state_dict(),
            "optimizer": optimizer.state_dict(),
            "average": average,
            "epoch": epoch,
            "step": step,
            "sizes": MODEL,
        }
        torch.save(state, folder / "writing.pt")
        (folder / "writing.pt").rename(checkpoint)
        averaged = Translator(**MODEL)
        averaged.load_state_dict(average)
        print(f"epoch {epoch} perplexity {perplexity(averaged, validation):.3f} "
              f"{time.time() - started:.0f} s", flush=True)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    data, folder = map(Path, sys.argv[1:])
    folder.mkdir(parents=True, exist_ok=True)
    train(data, folder)
