"""`synteval parse`: a file of texts (or of trees in another format) to CoNLL-U, brackets or JSON."""

from __future__ import annotations

import json
import warnings
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from synteval.cli.options import check_writable, parsing_options, reading, write_output
from synteval.cli.progress import reporter

if TYPE_CHECKING:
    from synteval.io import Segments
    from synteval.metrics.views import Parses


@click.command(short_help="Parse a file and write CoNLL-U, brackets or JSON.")
@click.argument("file", type=click.Path(allow_dash=True))
@click.option("--to", type=click.Choice(["conllu", "ptb", "json"]), default="conllu", show_default=True)
@click.option("--input", "input_format", metavar="FORMAT", help="text, ptb or conllu (default: by the file's ending).")
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Write to this file.")
@parsing_options
def parse(file: str, to: str, input_format: str | None, output: Path | None, quiet: bool, **options: Any) -> None:
    """Parse FILE, one segment a line; `-` is standard input.

    `--to ptb` writes one segment a line, the trees of its sentences side by side; `--to conllu` marks each sentence
    with `# segment_id = N`; `--to json` writes one object a segment and line. Trees given in one format can be written
    in another.
    """
    from synteval.io import format_brackets, format_conllu, read_segments
    from synteval.metrics.views import Parses, View

    if quiet:
        warnings.simplefilter("ignore")
    check_writable(output)
    segments = read_segments(file, input_format)
    heads = options["dependencies"] == "heads"
    parses = Parses(**reading(options))
    view = View(heads, None)
    if to == "ptb" or heads:
        _require_trees(segments, parses)
    if segments.parses is not None:
        found: Iterable[Any] = parses.segments(segments.parses, view)
    else:
        texts = list(segments.texts)
        todo = parses.missing(texts)
        with reporter(quiet)("parsing", todo) as advance:
            parses.fill(texts, [], advance)
        found = _streamed(parses, texts, view)
    writer = {"ptb": format_brackets, "conllu": format_conllu, "json": format_json}[to]
    write_output(writer(found), output)


def _require_trees(segments: Segments, parses: Parses) -> None:
    """Raise where neither the file nor the parser has constituency trees, before anything is parsed."""
    from synteval.errors import MissingLayerError

    if segments.parses is None:
        if "tree" not in parses.parser.layers:
            raise MissingLayerError(
                f"parser {parses.parser.name!r} makes no constituency trees; use --parser en, or --to conllu with "
                "--dependencies native"
            )
        return
    for number, segment in enumerate(segments.parses, start=1):
        if any(sentence.tree is None for sentence in segment):
            raise MissingLayerError(
                f"{segments.path}: segment {number} has no constituency tree; use --to conllu with --dependencies "
                "native, or parse the text"
            )


def _streamed(parses: Parses, texts: list[str], view: Any) -> Iterator[Any]:
    """Decoded a thousand at a time: a file of a million lines fits into memory as text, not as trees."""
    for start in range(0, len(texts), 1000):
        yield from parses.segments(texts[start : start + 1000], view)


def format_json(segments: Iterable[Any]) -> Iterator[str]:
    """One JSON object a segment: its sentences with every layer there is; spans are positions in the segment's text."""
    for number, segment in enumerate(segments, start=1):
        yield (
            json.dumps({"segment_id": number, "sentences": [_sentence(s) for s in segment]}, ensure_ascii=False) + "\n"
        )


def _sentence(sentence: Any) -> dict[str, Any]:
    from synteval.structures.brackets import to_brackets

    record: dict[str, Any] = {"text": sentence.text, "forms": sentence.forms.list()}
    for layer in ("lemmas", "upos", "xpos", "relations"):
        if (column := getattr(sentence, layer)) is not None:
            record[layer] = column.list()
    if sentence.heads is not None:
        record["heads"] = (sentence.heads + 1).tolist()
        record["scheme"] = sentence.scheme
    if sentence.spans is not None:
        record["spans"] = (sentence.spans + sentence.offset).tolist()
    if sentence.tree is not None:
        record["tree"] = to_brackets(sentence.tree)
    if sentence.senses is not None:
        record["senses"] = [list(keys) for keys in sentence.senses]
    return record
