#!/usr/bin/python3
"""python3 web/model/train.py DATA CHECKPOINTS --minutes N [--start FILE.safetensors]

Trains the English-French Transformer on what prepare.js wrote to DATA, on the CPU (Debian: python3-torch,
libopenblas0-openmp), for so many minutes: the rate falls along a cosine of the time spent. Stopped and started
again, it goes on from the last checkpoint. --start begins with the weights of another model of the same
vocabulary and width; what this one has more of (layers, feed-forward) is added so that it changes nothing yet.

Source: Vaswani et al., "Attention Is All You Need" (2017); norms before each part as in Xiong et al.,
"On Layer Normalization in the Transformer Architecture" (2020); consistency of two passes with different
dropout: Liang et al., "R-Drop: Regularized Dropout for Neural Networks" (2021).
"""
import argparse
import math
import os
import random
import time
from pathlib import Path

os.environ.setdefault("OMP_WAIT_POLICY", "passive")  # threads that spin while they wait cost half the time

import numpy as np
import torch
from torch.nn import functional as F

from network import END, PAD, START, Translator, grown
from passes import decoded_of, smoothed_loss, two_pass_loss
from safetensors_file import weights_of

MODEL = {
    "vocabulary": 4096,
    "dim": 192,
    "heads": 4,
    "feedforward": 1024,
    "encoder_layers": 5,
    "decoder_layers": 2,
}
BATCH_TOKENS = 2600  # of the padded target
WARM_UP_STEPS = 400
LABEL_SMOOTHING = 0.05
DROPOUT = 0.12
LINK_WEIGHT = 0.2  # of the link loss
CONSISTENCY = 1.0  # weight of the divergence between the two passes
WEIGHT_DECAY = 0.02
AVERAGED_EVERY = 4  # steps
SAVED_EVERY = 240  # seconds


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


def read_links(file):
    """For some pairs, by number: where in the source the pronoun is and where the noun it stands for begins and
    ends."""
    if not file.exists():
        return {}
    rows = np.fromfile(file, dtype=np.uint32).astype(np.int64).reshape(-1, 4)
    return {row[0]: row[1:] for row in rows}


def links_of(links, group):
    rows = [(place, *links[n]) for place, n in enumerate(group) if n in links]
    return torch.tensor(rows) if rows else None


def padded(rows, before=(), after=()):
    width = max(map(len, rows)) + len(before) + len(after)
    table = np.full((len(rows), width), PAD, dtype=np.int64)
    for n, row in enumerate(rows):
        begin = len(before)
        table[n, :begin] = before
        table[n, begin : begin + len(row)] = row
        table[n, begin + len(row) : begin + len(row) + len(after)] = after
    return torch.from_numpy(table)


def groups_of(pairs, shuffle, batch_tokens):
    """Numbers of pairs of like lengths, together in batches."""
    order = list(range(len(pairs)))
    if shuffle:
        shuffle.shuffle(order)
    # A little noise in the lengths, so that the same pairs do not always meet.
    noise = (lambda: shuffle.random() * 1.5) if shuffle else (lambda: 0)
    lengths = [(len(target) + noise(), len(source)) for source, target in pairs]
    order.sort(key=lambda n: lengths[n])
    groups = []
    group = []
    longest = 0
    for n in order:
        longest = max(longest, len(pairs[n][1]) + 1, len(pairs[n][0]) + 1)
        if group and longest * (len(group) + 1) > batch_tokens:
            groups.append(group)
            group = []
            longest = max(len(pairs[n][1]), len(pairs[n][0])) + 1
        group.append(n)
    groups.append(group)
    if shuffle:
        shuffle.shuffle(groups)
    return groups


def batch_of(pairs, group):
    """(source ++ </s>, <s> ++ target, target ++ </s>)"""
    sources = [pairs[n][0] for n in group]
    targets = [pairs[n][1] for n in group]
    return padded(sources, after=[END]), padded(targets, before=[START]), padded(targets, after=[END])


def perplexity(model, pairs):
    model.eval()
    total = count = 0
    with torch.no_grad():
        for group in groups_of(pairs, None, BATCH_TOKENS):
            source, shifted, target = batch_of(pairs, group)
            is_token = target != PAD
            logits = model.logits(decoded_of(model, source, shifted, None)[is_token])
            total += F.cross_entropy(logits, target[is_token], reduction="sum").item()
            count += is_token.sum().item()
    return math.exp(total / count)


def rate_at(step, done, peak):
    """Rises to the peak, then falls to nearly nothing along a cosine of the time."""
    warm = min(1.0, (step + 1) / WARM_UP_STEPS)
    return peak * warm * (0.005 + 0.995 * 0.5 * (1 + math.cos(math.pi * min(1.0, done))))


class Threads:
    """One thread or two, whichever was faster of late: on a machine with other work two wait for each other."""

    tried, every = 8, 240  # steps

    def __init__(self, limit):
        self.limit = limit
        self.since = time.time()
        self.times = [0.0, 0.0]

    def choose(self, step):
        if self.limit == 1:
            torch.set_num_threads(1)
            return
        place = step % self.every
        if place in (self.tried, 2 * self.tried):
            self.times[place // self.tried - 1] = time.time() - self.since
        if place % self.tried == 0 and place <= 2 * self.tried:
            self.since = time.time()
        trying = [1, 2][place // self.tried] if place < 2 * self.tried else None
        torch.set_num_threads(trying or (1 if self.times[0] <= self.times[1] else 2))


class Adam:
    """AdamW on all weights as one row of numbers, with their running average. Source: Loshchilov & Hutter,
    "Decoupled Weight Decay Regularization" (2019)."""

    first, second, tiny = 0.9, 0.98, 1e-9

    def __init__(self, model, averaged):
        self.kept = averaged
        self.weights = list(model.parameters())
        sizes = [weight.numel() for weight in self.weights]
        self.flat = torch.cat([weight.detach().flatten() for weight in self.weights])
        self.gradient = torch.zeros_like(self.flat)
        decays = [torch.full((size,), WEIGHT_DECAY if weight.dim() > 1 else 0.0)
                  for size, weight in zip(sizes, self.weights)]
        self.decay = torch.cat(decays)
        for weight, numbers, gradient in zip(
            self.weights, self.flat.split(sizes), self.gradient.split(sizes)
        ):
            weight.data = numbers.view(weight.shape)
            weight.grad = gradient.view(weight.shape)
        self.mean = torch.zeros_like(self.flat)
        self.square = torch.zeros_like(self.flat)
        self.average = self.flat.clone()
        self.steps = 0

    def state(self):
        return {name: getattr(self, name) for name in ("flat", "mean", "square", "average", "steps")}

    def load(self, state):
        for name in ("flat", "mean", "square", "average"):
            getattr(self, name).copy_(state[name])
        self.steps = state["steps"]

    @torch.no_grad()
    def step(self, rate):
        norm = self.gradient.norm()
        if norm > 1:
            self.gradient.div_(norm)
        self.steps += 1
        self.mean.lerp_(self.gradient, 1 - self.first)
        self.square.mul_(self.second).addcmul_(self.gradient, self.gradient, value=1 - self.second)
        spread = (self.square / (1 - self.second**self.steps)).sqrt_().add_(self.tiny)
        self.flat.addcmul_(self.decay, self.flat, value=-rate)
        self.flat.addcdiv_(self.mean, spread, value=-rate / (1 - self.first**self.steps))
        self.gradient.zero_()
        if self.steps % AVERAGED_EVERY == 0:
            kept = min(self.kept, (1 + self.steps) / (10 + self.steps))
            self.average.lerp_(self.flat, 1 - kept**AVERAGED_EVERY)

    def averaged(self):
        """The model with its averaged weights."""
        model = Translator(**MODEL)
        sizes = [weight.numel() for weight in self.weights]
        for weight, numbers in zip(model.parameters(), self.average.split(sizes)):
            weight.data = numbers.view(weight.shape)
        return model


def train(data, folder, minutes, start, two_passes_from, averaged, rate, max_threads):
    torch.manual_seed(1)
    model = Translator(**MODEL)
    if start:
        grown(model, weights_of(start)[0])
    optimizer = Adam(model, averaged)
    threads = Threads(max_threads)
    validation = read_pairs(data / "validation.bin")
    epoch = 0
    spent = 0.0  # seconds
    checkpoint = folder / "last.pt"
    if checkpoint.exists():
        state = torch.load(checkpoint)
        optimizer.load(state["optimizer"])
        epoch, spent = state["epoch"], state["spent"]
    whole = minutes * 60
    noise = np.random.Generator(np.random.SFC64(1000 + optimizer.steps))
    begun = time.time() - spent
    saved = time.time()

    def save(name="last.pt"):
        state = {
            "average": optimizer.averaged().state_dict(),
            "optimizer": optimizer.state(),
            "epoch": epoch,
            "spent": time.time() - begun,
            "sizes": MODEL,
        }
        torch.save(state, folder / "writing.pt")
        (folder / "writing.pt").rename(folder / name)

    def report(*words):
        print(f"{(time.time() - begun) / 60:6.1f} min, step {optimizer.steps}, epoch {epoch}:", *words, flush=True)

    report(f"perplexity {perplexity(optimizer.averaged(), validation):.3f}")
    while time.time() - begun < whole:
        files = len(list(data.glob("train_*.bin")))
        pairs = read_pairs(data / f"train_{epoch % files}.bin")
        links = read_links(data / f"links_train_{epoch % files}.bin")
        shuffle = random.Random(optimizer.steps)
        twice = (time.time() - begun) / whole >= two_passes_from
        running = count = link_running = link_count = 0.0
        for n, group in enumerate(groups_of(pairs, shuffle, BATCH_TOKENS // (2 if twice else 1))):
            threads.choose(n)
            done = (time.time() - begun) / whole
            if done >= 1:
                break
            source, shifted, target = batch_of(pairs, group)
            dropout = (DROPOUT, noise)
            if twice:
                loss = two_pass_loss(
                    model, source, shifted, target, LABEL_SMOOTHING, dropout, CONSISTENCY
                )
            else:
                loss, linked = smoothed_loss(
                    model, source, shifted, target, LABEL_SMOOTHING, dropout, links_of(links, group), LINK_WEIGHT
                )
                if linked is not None:
                    link_running += linked
                    link_count += 1
            optimizer.step(rate_at(optimizer.steps, done, rate))
            running += loss
            count += 1
            if count == 200:
                linked = f", of links {link_running / link_count:.3f}" if link_count else ""
                report(f"loss {running / count:.3f}{linked}, {torch.get_num_threads()} threads")
                running = count = link_running = link_count = 0.0
            if time.time() - saved > SAVED_EVERY:
                save()
                saved = time.time()
        epoch += 1
        report(f"perplexity {perplexity(optimizer.averaged(), validation):.3f}, {len(pairs)} pairs")
        save()
        saved = time.time()


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("data", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--minutes", type=float, required=True)
    parser.add_argument("--start")
    # A share of the time, from which on each batch is half as large and read twice.
    parser.add_argument("--two-passes-from", type=float, default=1.0)
    # The decay of the running average of the weights, which is what is kept.
    parser.add_argument("--averaged", type=float, default=0.999)
    parser.add_argument("--rate", type=float, default=1.2e-3)  # peak
    parser.add_argument("--threads", type=int, choices=(1, 2), default=2)  # max
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    train(
        given.data,
        given.folder,
        given.minutes,
        given.start,
        given.two_passes_from,
        given.averaged,
        given.rate,
        given.threads,
    )
