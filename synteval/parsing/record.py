"""The binary record of a parsed segment, as the cache stores it.

    b"SY"  version (1 byte)  0  CRC-32 of the rest (4 bytes)  zlib stream with a preset dictionary  token vectors

In the stream: one table of the distinct strings, and for each sentence its text and one array of small integers that
holds all layers one after the other. Token vectors, where there are some, are 8-bit integers behind the stream:
squeezing them would cost more time than it saves space. Whatever does not fit the format, or fails the checksum, is a
damaged record and is never believed.
"""

from __future__ import annotations

import io
import struct
import zlib
from collections.abc import Sequence
from typing import Any

import msgpack
import numpy as np
import numpy.typing as npt

from synteval.errors import CacheError
from synteval.structures import EMPTY, NONTERMINAL, IntArray, Segment, Sentence, Strings, Tree

VERSION = 1
_HEADER = struct.Struct("<2sBBI")
_MAGIC = b"SY"
_WIDTHS: dict[int, npt.DTypeLike] = {1: np.uint8, 2: np.uint16, 4: np.int32}
_LEMMAS, _UPOS, _XPOS, _SPANS, _HEADS, _TREE, _SENSES, _EMPTIES, _VECTORS = (1 << bit for bit in range(9))
# 0, 1, 2, ...: sliced, which is quicker than made.
_NUMBERS = np.arange(4096, dtype=np.int32)

# Frequent strings of the records, the most frequent last, as deflate wants it.
# Part of the format: a change is a new version.
_FREQUENT = """
    csubj:pass xcomp ccomp acl:relcl acl advcl parataxis expl fixed flat appos vocative discourse list orphan
    goeswith reparandum dep dislocated nmod:desc nmod:unmarked obl:unmarked obl:agent nsubj:outer det:predet
    compound:prt iobj cc:preconj SYM INTJ PRT WHADVP WHPP CONJP FRAG INTJ LST NAC NX QP RRC SINV SQ SBARQ UCP
    WHADJP X PRN ADJP ADVP SBAR WHNP PDT POS RBR RBS RP UH WP$ WRB JJR JJS LS EX FW NNPS HYPH AFX NFP ADD -LRB-
    -RRB- `` '' PRP$ VBG VBN VBP VBZ MD WDT WP nsubj:pass aux:pass nmod:poss nummod SCONJ CCONJ NUM PART PROPN
    ADV ADJ AUX VERB PRON DET ADP PUNCT NOUN CC CD TO PRP VB VBD RB NNS JJ NNP IN DT NN PP VP NP S conj cc mark
    cop aux advmod amod compound obl obj nmod nsubj case det punct root ud clearnlp en have it you that is was
    for on with as at by this from not be are of in and to a the . ,
"""
_DICTIONARY = "\0".join(_FREQUENT.split()).encode()


class DamagedRecordError(CacheError):
    """Bytes that are no record, or no longer the record that was written."""


def encode(segment: Segment) -> bytes:
    """The record of a segment. Annotations are not part of it, nor are vectors of other numbers than 8-bit integers."""
    index: dict[str, int] = {}
    vectors: list[bytes] = []
    sentences = [_pack(sentence, index, vectors) for sentence in segment]
    table: str | list[str] = list(index)
    if not any("\0" in value for value in index):
        table = "\0".join(index)
    payload = msgpack.packb([table, sentences], use_bin_type=True, unicode_errors="surrogatepass")
    squeeze = zlib.compressobj(6, zlib.DEFLATED, -15, zdict=_DICTIONARY)
    data = b"".join([squeeze.compress(payload), squeeze.flush(), *vectors])
    return _HEADER.pack(_MAGIC, VERSION, 0, zlib.crc32(data)) + data


def checked(record: bytes) -> bytes:
    """The record itself, if its format, version and checksum are right. Raises DamagedRecordError."""
    if len(record) < _HEADER.size:
        raise DamagedRecordError("a record of the parse cache is cut short")
    magic, version, reserved, checksum = _HEADER.unpack_from(record)
    if magic != _MAGIC or version != VERSION or reserved:
        raise DamagedRecordError(f"a record of the parse cache has format {magic!r} version {version}, not {VERSION}")
    if zlib.crc32(memoryview(record)[_HEADER.size :]) != checksum:
        raise DamagedRecordError("a record of the parse cache fails its checksum")
    return record


def decode(record: bytes) -> Segment:
    """The segment of a record. Raises DamagedRecordError."""
    data = checked(record)[_HEADER.size :]
    try:
        stream = zlib.decompressobj(-15, zdict=_DICTIONARY)
        payload = stream.decompress(data)
        table, sentences = msgpack.unpackb(payload, raw=False, unicode_errors="surrogatepass", strict_map_key=False)
        strings = tuple(table.split("\0")) if isinstance(table, str) else tuple(table)
        vectors = io.BytesIO(stream.unused_data)
        segment = tuple([_unpack(packed, strings, vectors) for packed in sentences])
        if vectors.read(1):
            raise ValueError("more vectors than words")
        return segment
    except (ValueError, TypeError, IndexError, KeyError, zlib.error, msgpack.UnpackException) as error:
        raise DamagedRecordError(f"a record of the parse cache cannot be read ({error})") from None


def _codes(column: Strings, index: dict[str, int]) -> IntArray:
    table = column.table
    # A plain loop: for the few tokens of a sentence it is quicker than finding the distinct codes.
    codes = [index.setdefault(table[code], len(index)) for code in column.codes.tolist()]
    return np.array(codes, dtype=np.int32)


def _pack(sentence: Sentence, index: dict[str, int], vectors: list[bytes]) -> list[Any]:
    flags = 0
    arrays: list[npt.NDArray[np.integer]] = [_codes(sentence.forms, index)]
    for bit, column in ((_LEMMAS, sentence.lemmas), (_UPOS, sentence.upos), (_XPOS, sentence.xpos)):
        if column is not None:
            flags |= bit
            arrays.append(_codes(column, index))
    if sentence.spans is not None:
        flags |= _SPANS
        starts, ends = sentence.spans[:, 0], sentence.spans[:, 1]
        # Gaps and lengths are small and repetitive, positions are not.
        arrays += [np.diff(ends, prepend=np.int32(0)) - (ends - starts), ends - starts]
    if sentence.heads is not None and sentence.relations is not None:
        flags |= _HEADS
        arrays += [sentence.heads + 1, _codes(sentence.relations, index)]
    nodes = 0
    if sentence.tree is not None:
        flags |= _TREE | (_EMPTIES if (sentence.tree.tokens == EMPTY).any() else 0)
        nodes = len(sentence.tree)
        arrays += _tree_arrays(sentence.tree, index)
    if sentence.senses is not None:
        flags |= _SENSES
        keys = Strings.of(key for token in sentence.senses for key in token)
        arrays += [np.array([len(token) for token in sentence.senses], dtype=np.int32), _codes(keys, index)]
    flat = np.concatenate(arrays) if arrays else np.zeros(0, dtype=np.int32)
    low, high = (int(flat.min()), int(flat.max())) if len(flat) else (0, 0)
    width = 4 if low < 0 or high > 65535 else 2 if high > 255 else 1
    raw = flat.astype(_WIDTHS[width]).tobytes()
    dimensions: list[int] = []
    if sentence.vectors is not None and sentence.vectors.dtype == np.int8:
        flags |= _VECTORS
        dimensions = [sentence.vectors.shape[1]]
        vectors.append(sentence.vectors.tobytes())
    return [sentence.text, sentence.offset, sentence.scheme, flags, len(sentence), nodes, width, raw, *dimensions]


def _tree_arrays(tree: Tree, index: dict[str, int]) -> list[IntArray]:
    """Distance to the parent; kind (0 inner, 1 the next token, 2 empty element); labels of all nodes but the tokens."""
    words = tree.tokens >= 0
    kinds = np.where(words, 1, np.where(tree.tokens == EMPTY, 2, 0)).astype(np.int32)
    others = Strings(tree.labels.table, tree.labels.codes[~words])
    return [np.arange(len(tree), dtype=np.int32) - tree.parents, kinds, _codes(others, index)]


def _unpack(packed: Sequence[Any], strings: tuple[str, ...], behind: io.BytesIO) -> Sentence:
    text, offset, scheme, flags, count, nodes, width, raw, *rest = packed
    flat = np.frombuffer(raw, dtype=_WIDTHS[width]).astype(np.int32)
    forms = flat[:count]
    at = count
    lemmas = upos = xpos = spans = heads = relations = tree = senses = vectors = None
    if flags & _LEMMAS:
        lemmas = Strings(strings, flat[at : at + count])
        at += count
    if flags & _UPOS:
        upos = Strings(strings, flat[at : at + count])
        at += count
    if flags & _XPOS:
        xpos = Strings(strings, flat[at : at + count])
        at += count
    if flags & _SPANS:
        lengths = flat[at + count : at + 2 * count]
        spans = np.empty((count, 2), dtype=np.int32)
        np.add.accumulate(flat[at : at + count] + lengths, out=spans[:, 1])
        np.subtract(spans[:, 1], lengths, out=spans[:, 0])
        at += 2 * count
    if flags & _HEADS:
        heads = flat[at : at + count] - 1
        relations = Strings(strings, flat[at + count : at + 2 * count])
        at += 2 * count
    if flags & _TREE:
        kinds = flat[at + nodes : at + 2 * nodes]
        words = np.flatnonzero(kinds == 1)
        # A tree either holds all tokens or, where its labels are bare, none.
        held = len(words)
        numbers = _NUMBERS if nodes <= len(_NUMBERS) else np.arange(nodes, dtype=np.int32)
        parents = numbers[:nodes] - flat[at : at + nodes]
        at += 2 * nodes
        labels = np.empty(nodes, dtype=np.int32)
        labels[kinds != 1] = flat[at : at + nodes - held]
        labels[words] = forms[:held]
        tokens = np.full(nodes, NONTERMINAL, dtype=np.int32)
        tokens[words] = numbers[:held]
        if flags & _EMPTIES:
            tokens[kinds == 2] = EMPTY
        tree = Tree(Strings(strings, labels), parents, tokens)
        at += nodes - held
    if flags & _SENSES:
        sizes = flat[at : at + count].tolist()
        at += count
        keys = [strings[code] for code in flat[at : at + sum(sizes)].tolist()]
        at += len(keys)
        ends = np.cumsum(sizes).tolist()
        senses = tuple([tuple(keys[end - size : end]) for size, end in zip(sizes, ends, strict=True)])
    if flags & _VECTORS:
        dimensions = rest.pop()
        vectors = np.frombuffer(behind.read(count * dimensions), dtype=np.int8).reshape(count, dimensions)
    if at != len(flat) or rest:
        raise ValueError(f"{len(flat) - at} numbers too many")
    return Sentence(
        text,
        Strings(strings, forms),
        lemmas,
        upos,
        xpos,
        spans,
        heads,
        relations,
        scheme,
        tree,
        senses,
        vectors,
        offset,
    )
