"""ESK and WSK: the common subsequences that make up the kernel of a sentence and its best counterpart.

Every common subsequence of words and senses is listed with its weight: the sum, over its occurrences in both sentences,
of decay to the number of words skipped. These weights add up to the kernel of `metrics.subsequence_kernel`. There are
too many to list where subsequences are long or sentences very long; what is not listed is one line a length.

A segment of several sentences is explained sentence by sentence: each candidate sentence with the reference sentence
it resembles most, as precision has it; shares divide the score among them. Unlicensed and missing are words that share
no attribute with any word of the other side.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from synteval.explain.closest import among_references, closest_reference
from synteval.explain.explanation import Drawing, Explanation, Fragment, strongest
from synteval.metrics.base import Chunk
from synteval.metrics.esk import ESK, WSK
from synteval.metrics.subsequence_kernel import AttributeSequences, subsequence_kernel
from synteval.senses.inventory import load_inventory
from synteval.structures import Segment, Sentence

Node = tuple[Hashable, ...]
# Subsequences by their attributes: how often, and their weight.
_Ending = dict[tuple[Hashable, ...], tuple[int, float]]

# Subsequences longer than this, or of sentences with more pairs of equal attributes, are not listed one by one.
_LISTED_LENGTH = 3
_LISTED_CELLS = 1000


@dataclass(frozen=True)
class _Cell:
    """An attribute that node `left` of the one sentence shares with node `right` of the other."""

    left: int
    right: int
    attribute: Hashable
    text: str


def explain(name: str, metric: WSK, pair: Chunk, score: float, counts: Mapping[str, Any]) -> Explanation:
    """The explanation of the pair."""
    closest, own_score = closest_reference(metric, pair, lambda row: tuple(row[:3]))
    hypothesis, reference = pair.hypotheses[0], pair.references[0][closest]
    part = own_score / (len(pair.references[0]) if metric.multi_ref == "mean" else 1)
    aligned = list(_aligned(metric, hypothesis, reference))
    whole = sum(similarity for _, _, similarity in aligned)
    weights: dict[tuple[str, int, tuple[str, ...]], float] = defaultdict(float)
    times: dict[tuple[str, int, tuple[str, ...]], int] = defaultdict(int)
    shares: dict[tuple[str, int, tuple[str, ...]], float] = defaultdict(float)
    for candidate, counterpart, similarity in aligned:
        found = list(common_subsequences(metric, candidate, counterpart))
        kernel = sum(weight for _, _, weight in found)
        for key, count, weight in found:
            weights[key] += weight
            times[key] += count
            shares[key] += part * (similarity / whole) * (weight / kernel)
    matched = [Fragment(key[0], key[1], times[key], weights[key], shares[key], key[2]) for key in weights]
    nodes = [[node for sentence in segment for node in metric.nodes(sentence)] for segment in (hypothesis, reference)]
    return Explanation(
        name,
        score,
        counts,
        kind="common subsequence",
        order="length",
        matched=strongest(matched),
        unlicensed=_strangers(nodes[0], nodes[1]),
        missing=_strangers(nodes[1], nodes[0]),
        reference=closest + 1,
        hypothesis_drawing=_row(nodes[0], nodes[1]),
        reference_drawing=_row(nodes[1], nodes[0]),
        note=among_references(metric, pair, closest),
    )


def _aligned(metric: WSK, hypothesis: Segment, reference: Segment) -> Iterator[tuple[Sentence, Sentence, float]]:
    """Each candidate sentence that resembles any of the reference, the one it resembles most, and the similarity."""
    for candidate in hypothesis:
        if not reference:
            return
        one = Chunk([(candidate,)] * len(reference), [[(sentence,)] for sentence in reference])
        similarities = metric.statistics(one)[:, 0].tolist()
        best = max(range(len(reference)), key=similarities.__getitem__)
        if similarities[best] > 0:
            yield candidate, reference[best], similarities[best]


def common_subsequences(
    metric: WSK, one: Sentence, other: Sentence
) -> Iterator[tuple[tuple[str, int, tuple[str, ...]], int, float]]:
    """(text, length, senses), occurrences and weight of every common subsequence of two sentences."""
    left, right = metric.nodes(one), metric.nodes(other)
    counts = [Counter(attribute for node in side for attribute in dict.fromkeys(node)) for side in (left, right)]
    common = sum(times * counts[1][attribute] for attribute, times in counts[0].items())
    longest = min(metric.d, _LISTED_LENGTH) if common <= _LISTED_CELLS else 0
    cells = _cells(left, right) if longest else []
    # Of each cell the subsequences that end there: occurrences and weight.
    ending: list[_Ending] = [{(cell.attribute,): (1, 1.0)} for cell in cells]
    words = {cell.attribute: cell.text for cell in reversed(cells)}
    for length in range(1, longest + 1):
        if length > 1:
            ending = _longer(cells, ending, metric.decay)
        summed: _Ending = {}
        for found in ending:
            for key, (count, weight) in found.items():
                had = summed.get(key, (0, 0.0))
                summed[key] = had[0] + count, had[1] + weight
        for key, (count, weight) in summed.items():
            senses = tuple(_sense(metric, str(attribute[0])) for attribute in key if isinstance(attribute, tuple))
            if weight:
                yield (" ".join(words[attribute] for attribute in key), length, senses), count, weight
    if longest < metric.d:
        sequences = AttributeSequences.of([left, right])
        upto = [
            float(subsequence_kernel(sequences, [0], [1], length, metric.decay)[0]) if length else 0.0
            for length in range(longest, metric.d + 1)
        ]
        for length, (shorter, longer) in enumerate(pairwise(upto), start=longest + 1):
            if longer > shorter:
                yield (f"(all of length {length})", length, ()), 1, longer - shorter


def _sense(metric: WSK, key: str) -> str:
    """A sense with the words that have it, where WordNet knows them."""
    if not isinstance(metric, ESK) or not key.startswith("wn"):
        return key
    words = load_inventory().words(key)
    return f"{key}: {', '.join(words)}" if words else key


def _cells(left: Sequence[Node], right: Sequence[Node]) -> list[_Cell]:
    places: dict[Hashable, list[int]] = defaultdict(list)
    for number, node in enumerate(right):
        for attribute in dict.fromkeys(node):
            places[attribute].append(number)
    cells = []
    for number, node in enumerate(left):
        for attribute in dict.fromkeys(node):
            for partner in places.get(attribute, ()):
                words = str(node[0]), str(right[partner][0])
                cells.append(_Cell(number, partner, attribute, words[0] if words[0] == words[1] else "~".join(words)))
    return cells


def _longer(cells: Sequence[_Cell], ending: Sequence[_Ending], decay: float) -> list[_Ending]:
    """Every subsequence extended by every cell that follows its last on both sides."""
    longer: list[_Ending] = []
    for cell in cells:
        found: _Ending = {}
        for before, shorter in zip(cells, ending, strict=True):
            if before.left < cell.left and before.right < cell.right:
                factor = decay ** (cell.left - before.left - 1 + cell.right - before.right - 1)
                for attributes, (count, weight) in shorter.items():
                    key = (*attributes, cell.attribute)
                    had = found.get(key, (0, 0.0))
                    found[key] = had[0] + count, had[1] + weight * factor
        longer.append(found)
    return longer


def _strangers(here: Sequence[Node], there: Sequence[Node]) -> tuple[Fragment, ...]:
    """The words of the one side that share nothing with the other."""
    known = {attribute for node in there for attribute in node}
    counts: dict[str, int] = defaultdict(int)
    for node in here:
        if known.isdisjoint(node):
            counts[str(node[0])] += 1
    return strongest(Fragment(word, 1, times, times) for word, times in counts.items())


def _row(here: Sequence[Node], there: Sequence[Node]) -> Drawing:
    """The words side by side, marked where they share something with the other side."""
    known = {attribute for node in there for attribute in node}
    words = tuple(str(node[0]) for node in here)
    marks = tuple(float(not known.isdisjoint(node)) for node in here)
    return Drawing(words, (-1,) * len(words), ("",) * len(words), marks)
