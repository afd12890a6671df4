"""`synteval demo`: Liu & Gildea's example (2005, figure 1) from raw text to scores."""

from __future__ import annotations

from typing import Any

import click

from synteval.cli.options import parsing_options, reading

REFERENCE = "I had a dog."
SYSTEMS = {"same-shape": "I have the dog.", "same-words": "A dog I had."}


@click.command(short_help="A small built-in example through the whole way.")
@parsing_options
def demo(quiet: bool, **options: Any) -> None:
    """Parse two outputs and a reference, and score them with syntactic and lexical metrics.

    The first output has the shape of the reference in other words, the second its words in another order. Word n-grams
    prefer the second; the subtree metrics, which look at syntax, the first (Liu & Gildea 2005, figure 1).
    """
    from synteval.metrics.registry import load_metrics
    from synteval.metrics.views import Parses, View
    from synteval.results import evaluate, render
    from synteval.results.comparison import Findings
    from synteval.structures.brackets import segment_to_brackets

    settings = reading(options)
    parses = Parses(**settings)
    texts = {"reference": REFERENCE, **SYSTEMS}
    click.echo(f"parser {parses.parser.fingerprint}\n")
    width = max(len(name) for name in texts)
    for name, text in texts.items():
        (segment,) = parses.segments([text], View(False, None))
        click.echo(f"{name:<{width}}  {text}")
        if all(sentence.tree is not None for sentence in segment):
            click.echo(f"{'':<{width}}  {segment_to_brackets(segment)}")
    click.echo("")
    metrics = load_metrics(["stm", "tkm", "hwcm", "depf", "bleu:effective_order=always", "chrf"])
    systems = {name: [text] for name, text in SYSTEMS.items()}
    run = evaluate(systems, [[REFERENCE]], metrics, parses.parser, cache=parses.store)
    for part in render.corpus_text(run, Findings()):
        click.echo(part, nl=False)
