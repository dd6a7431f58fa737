"""The Transformer of network.py for training: the same numbers as its modules give, with dropout where a part
joins the residual stream, matrix products in bfloat16 (on AMX or AVX-512 several times as fast), and the
gradient of the loss with respect to the logits written out."""
import numpy as np
import torch
from torch.nn import functional as F

from network import PAD, positions


class Product(torch.autograd.Function):
    """x Wᵀ: both rounded to bfloat16, the result float32."""

    @staticmethod
    def forward(context, x, weight):
        x, weight = x.bfloat16(), weight.bfloat16()
        context.save_for_backward(x, weight)
        return (x @ weight.t()).float()

    @staticmethod
    def backward(context, gradient):
        x, weight = context.saved_tensors
        gradient = gradient.bfloat16()
        return (gradient @ weight).float(), (gradient.t() @ x).float()


class FeedForward(torch.autograd.Function):
    """relu(x W₁ᵀ + b₁) W₂ᵀ + b₂ of rows, what lies between in bfloat16 throughout."""

    @staticmethod
    def forward(context, x, wide, wide_bias, narrow, narrow_bias):
        x, wide, narrow = x.bfloat16(), wide.bfloat16(), narrow.bfloat16()
        hidden = (x @ wide.t()).add_(wide_bias.bfloat16()).relu_()
        context.save_for_backward(x, wide, narrow, hidden)
        return (hidden @ narrow.t()).float().add_(narrow_bias)

    @staticmethod
    def backward(context, gradient):
        x, wide, narrow, hidden = context.saved_tensors
        rounded = gradient.bfloat16()
        behind = torch.ops.aten.threshold_backward(rounded @ narrow, hidden, 0)
        ones = torch.ones(1, len(x), dtype=torch.bfloat16)
        return (
            (behind @ wide).float(),
            (behind.t() @ x).float(),
            (ones @ behind)[0].float(),
            (rounded.t() @ hidden).float(),
            gradient.sum(0),
        )


def linear(x, weight, bias):
    shape = x.shape[:-1]
    return (Product.apply(x.reshape(-1, x.shape[-1]), weight) + bias).view(*shape, -1)


def dropped(x, dropout):
    """Zeros for a share of the numbers; the bytes of a fast generator decide."""
    if dropout is None:
        return x
    share, noise = dropout
    limit = round(256 * share)
    words = noise.integers(0, 2**64, size=-(-x.numel() // 8), dtype=np.uint64, endpoint=False)
    drawn = torch.from_numpy(words.view(np.uint8)[: x.numel()]).view(x.shape)
    return x * (drawn >= limit).float().mul_(256 / (256 - limit))


class Attention(torch.autograd.Function):
    """softmax(Q Kᵀ / √d + mask) V of all heads. queries: [batch, rows, dim]; others: keys and values side by
    side, [batch, columns, 2 dim]; products in bfloat16."""

    @staticmethod
    def forward(context, queries, others, mask, heads):
        batch, rows, dim = queries.shape
        share = dim // heads
        apart = lambda x, parts: x.bfloat16().view(batch, -1, parts, heads, share).permute(2, 0, 3, 1, 4)
        query = apart(queries, 1).reshape(batch * heads, rows, share)
        key, value = apart(others, 2).reshape(2, batch * heads, -1, share)
        scores = (query @ key.transpose(1, 2)).float().mul_(share**-0.5)
        scores.view(batch, heads, rows, -1).add_(mask)
        weights = scores.softmax(-1).bfloat16()
        context.save_for_backward(query, key, value, weights)
        context.heads = heads
        mixed = (weights @ value).view(batch, heads, rows, share)
        return mixed.transpose(1, 2).float().reshape(batch, rows, dim)

    @staticmethod
    def backward(context, gradient):
        query, key, value, weights = context.saved_tensors
        heads, share = context.heads, query.shape[-1]
        batch, rows, dim = gradient.shape
        mixed = gradient.bfloat16().view(batch, rows, heads, share).transpose(1, 2)
        mixed = mixed.reshape(batch * heads, rows, share)
        of_weights = (mixed @ value.transpose(1, 2)).float()
        plain = weights.float()
        scores = of_weights.sub_((of_weights * plain).sum(-1, keepdim=True)).mul_(plain)
        scores = scores.mul_(share**-0.5).bfloat16()
        together = lambda x: x.view(-1, batch, heads, x.shape[-2], share).permute(1, 3, 0, 2, 4)
        of_query = together(scores @ key).float().reshape(batch, rows, dim)
        pair = torch.stack((scores.transpose(1, 2) @ query, weights.transpose(1, 2) @ mixed))
        return of_query, together(pair).float().reshape(batch, -1, 2 * dim), None, None


def attention(part, x, memory, mask, heads):
    """The multi-head attention of a layer: of x to the memory, or to itself where the memory is x."""
    dim = x.shape[-1]
    weight, bias = part.in_proj_weight, part.in_proj_bias
    queries = linear(x, weight[:dim], bias[:dim])
    others = linear(memory, weight[dim:], bias[dim:])
    attended = Attention.apply(queries, others, mask, heads)
    return linear(attended, part.out_proj.weight, part.out_proj.bias)


def link_loss(part, normed, hidden, links, heads):
    """How far the first head of a layer is from attending from pronouns to the nouns that they stand for: the mean
    of -log of the attention weight that the tokens of the noun have together. links: rows of the number of the
    sentence, the position of the pronoun, and where the noun begins and ends."""
    row, pronoun, begin, end = links.unbind(1)
    dim = normed.shape[-1]
    share = dim // heads
    weight, bias = part.in_proj_weight, part.in_proj_bias
    queries = F.linear(normed[row, pronoun], weight[:share], bias[:share])
    keys = F.linear(normed[row], weight[dim : dim + share], bias[dim : dim + share])
    scores = (keys @ queries[:, :, None])[..., 0] * share**-0.5 + hidden[row, 0, 0]
    columns = torch.arange(normed.shape[1])
    outside = (columns < begin[:, None]) | (columns >= end[:, None])
    return (scores.logsumexp(1) - scores.masked_fill(outside, -1e9).logsumexp(1)).mean()


def to_itself(layer, x, mask, heads):
    normed = layer.norm1(x)
    return attention(layer.self_attn, normed, normed, mask, heads)


def feed_forward(layer, x):
    wide, narrow = layer.linear1, layer.linear2
    rows = x.reshape(-1, x.shape[-1])
    return FeedForward.apply(rows, wide.weight, wide.bias, narrow.weight, narrow.bias).view(x.shape)


def embedded(model, ids, dropout):
    x = model.embedding(ids) * model.scale + positions(ids.shape[1], model.embedding.embedding_dim)
    return dropped(x, dropout)


def decoded_of(model, source, target, dropout, links=None, on_links=None):
    """What the decoder gives for each token of the target: [batch, length, dim]. on_links(loss) is called with the
    link loss of the last encoder layer where there are links."""
    heads = model.heads
    hidden = torch.zeros(source.shape).masked_fill_(source == PAD, -1e9)[:, None, None, :]
    x = embedded(model, source, dropout)
    for layer in model.encoder.layers:
        if links is not None and layer is model.encoder.layers[-1]:
            on_links(link_loss(layer.self_attn, layer.norm1(x), hidden, links, heads))
        x = x + dropped(to_itself(layer, x, hidden, heads), dropout)
        x = x + dropped(feed_forward(layer, layer.norm2(x)), dropout)
    memory = model.encoder.norm(x)
    length = target.shape[1]
    ahead = torch.full((length, length), -1e9).triu(1)
    x = embedded(model, target, dropout)
    for layer in model.decoder.layers:
        x = x + dropped(to_itself(layer, x, ahead, heads), dropout)
        attended = attention(layer.multihead_attn, layer.norm2(x), memory, hidden, heads)
        x = x + dropped(attended, dropout)
        x = x + dropped(feed_forward(layer, layer.norm3(x)), dropout)
    return model.decoder.norm(x)


def smoothed(logits, probabilities, wanted, smoothing):
    """The loss summed over rows, and its gradient with respect to the logits, written over `probabilities`."""
    places = wanted[:, None]
    of_wanted = probabilities.gather(1, places).clamp_min_(1e-30).log_()
    of_mean = logits.mean(1, keepdim=True) - logits.gather(1, places) + of_wanted
    loss = -((1 - smoothing) * of_wanted + smoothing * of_mean).sum()
    gradient = probabilities.sub_(smoothing / logits.shape[1])
    gradient.scatter_add_(1, places, torch.full((len(wanted), 1), smoothing - 1.0))
    return loss.item(), gradient


def smoothed_loss(model, source, shifted, target, smoothing, dropout, links=None, link_weight=0.0):
    """Cross-entropy with label smoothing and so many times the link loss, the gradient added to the model's;
    returns the loss per token and the link loss."""
    is_token = target != PAD
    wanted = target[is_token]
    linked = []
    decoded = decoded_of(model, source, shifted, dropout, links, linked.append)[is_token]
    logits = Product.apply(decoded, model.embedding.weight)
    with torch.no_grad():
        loss, gradient = smoothed(logits, logits.softmax(1), wanted, smoothing)
        gradient /= len(wanted)
    weighted = [link_weight * one for one in linked]
    torch.autograd.backward([logits, *weighted], [gradient, *(None for _ in weighted)])
    return loss / len(wanted), linked[0].item() if linked else None


def two_pass_loss(model, source, shifted, target, smoothing, dropout, consistency):
    """Each sentence read twice with different dropout: the mean of the two cross-entropies and, so much times,
    the divergences between what the passes expect, both ways."""
    is_token = torch.cat((target, target)) != PAD
    wanted = torch.cat((target, target))[is_token]
    decoded = decoded_of(model, torch.cat((source, source)), torch.cat((shifted, shifted)), dropout)
    logits = Product.apply(decoded[is_token], model.embedding.weight)
    with torch.no_grad():
        log_probabilities = logits.log_softmax(1)
        probabilities = log_probabilities.exp()
        half = len(wanted) // 2
        # d (p - q)·(log p - log q) / d logits of p = p (d - p·d) + p - q with d = log p - log q; for q alike.
        apart = log_probabilities[:half] - log_probabilities[half:]
        p, q = probabilities[:half], probabilities[half:]
        both = torch.empty_like(probabilities)
        both[:half] = p * (apart - (p * apart).sum(1, keepdim=True) + 1) - q
        both[half:] = q * ((q * apart).sum(1, keepdim=True) - apart + 1) - p
        loss, gradient = smoothed(logits, probabilities, wanted, smoothing)
        gradient.add_(both, alpha=consistency)
        gradient /= len(wanted)
    logits.backward(gradient)
    return loss / len(wanted)
