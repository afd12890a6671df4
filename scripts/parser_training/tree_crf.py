"""The inside algorithm over a batch of span charts, with the outside pass as its gradient."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor


class _TreeLogPartition(torch.autograd.Function):
    """log of the sum over binary trees of exp(sum of span scores); autograd would copy the chart n times."""

    @staticmethod
    def forward(context: Any, scores: Tensor, lengths: Tensor) -> Tensor:
        count, posts = scores.shape[:2]
        n = posts - 1
        by_start = scores.new_zeros(count, posts, posts)  # [start, width]
        by_end = scores.new_zeros(count, posts, posts)  # [end, n - width]
        starts = torch.arange(n)
        by_start[:, starts, 1] = by_end[:, starts + 1, n - 1] = scores[:, starts, starts + 1]
        for width in range(2, n + 1):
            starts = torch.arange(n - width + 1)
            sums = by_start[:, : n - width + 1, 1:width] + by_end[:, width:, n - width + 1 : n]
            total = sums.logsumexp(-1) + scores[:, starts, starts + width]
            by_start[:, starts, width] = by_end[:, starts + width, n - width] = total
        context.save_for_backward(scores, lengths, by_start, by_end)
        return by_start[torch.arange(count), 0, lengths]

    @staticmethod
    def backward(context: Any, *gradients: Tensor) -> tuple[Tensor, None]:
        scores, lengths, by_start, by_end = context.saved_tensors
        count, posts = scores.shape[:2]
        n = posts - 1
        out_start = torch.zeros_like(by_start)
        out_end = torch.zeros_like(by_end)
        out_start[torch.arange(count), 0, lengths] = gradients[0]
        marginals = torch.zeros_like(scores)
        for width in range(n, 0, -1):
            starts = torch.arange(n - width + 1)
            outside = out_start[:, starts, width] + out_end[:, starts + width, n - width]
            marginals[:, starts, starts + width] = outside
            if width > 1:
                sums = by_start[:, : n - width + 1, 1:width] + by_end[:, width:, n - width + 1 : n]
                shares = sums.softmax(-1) * outside[..., None]
                out_start[:, : n - width + 1, 1:width] += shares
                out_end[:, width:, n - width + 1 : n] += shares
        return marginals, None


def tree_log_partition(scores: Tensor, lengths: Tensor) -> Tensor:
    """scores[batch, start, end] over fenceposts 0..n, lengths[batch] <= n."""
    result: Tensor = _TreeLogPartition.apply(scores, lengths)
    return result
