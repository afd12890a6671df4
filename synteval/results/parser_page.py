"""A comparison of parsers as one page that opens from disk: the table, and sentence by sentence what each got wrong.

The page holds no script and asks the network for nothing; all text in it is escaped.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from synteval.relations.grs import GR, GRSentence
from synteval.relations.match import without_passives
from synteval.results.parser_comparison import ParserComparison, ParserResult, micro_f
from synteval.results.parser_tables import comparison_rows

_STYLE = """
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 70rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; } .wide { overflow-x: auto; }
th, td { padding: .15rem .7rem; text-align: right; } th:first-child, td:first-child { text-align: left; }
thead th { border-bottom: 2px solid; } tbody tr:nth-child(even) { background: #8881; }
details { border-top: 1px solid #8884; padding: .4rem 0; } summary { cursor: pointer; }
code { white-space: nowrap; } li { list-style: none; } ul { padding-left: .5rem; margin: .2rem 0; }
.missing { color: light-dark(#a33, #f99); } .spurious { color: light-dark(#85590b, #fc6); }
.columns { display: flex; flex-wrap: wrap; gap: 0 2.5rem; } h3 { margin: .6rem 0 0; font-size: 1rem; }
"""


def comparison_page(comparison: ParserComparison, gold: Sequence[GRSentence]) -> str:
    """The page as HTML."""
    return "\n".join(_lines(comparison, gold)) + "\n"


def _lines(comparison: ParserComparison, gold: Sequence[GRSentence]) -> Iterator[str]:
    names = [escape(result.name) for result in comparison.results]
    hierarchy = comparison.matcher.hierarchy
    policy = "default-src 'none'; style-src 'unsafe-inline'"
    yield '<!doctype html><html lang="en"><head><meta charset="utf-8">'
    yield f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
    yield '<meta name="viewport" content="width=device-width"><title>Parsers on grammatical relations</title>'
    yield f"<style>{_STYLE}</style></head><body><main><h1>Parsers on grammatical relations</h1>"
    yield f"<p>{len(gold)} sentences, relations of {escape(hierarchy.name)}, match {escape(comparison.matcher.match)}; "
    yield "precision, recall and F in percent.</p>"
    yield '<div class="wide"><table><thead><tr><th scope="col">relation</th>'
    yield "".join(f'<th scope="col" colspan="3">{name}</th>' for name in names) + "</tr></thead><tbody>"
    for label, prfs in comparison_rows(comparison):
        cells = "".join(f"<td>{100 * v:.1f}</td>" for prf in prfs for v in (prf.precision, prf.recall, prf.f))
        yield f"<tr><th scope='row'>{escape(label)}</th>{cells}</tr>"
    yield "</tbody></table></div><h2>Speed and coverage</h2><ul>"
    for result in comparison.results:
        yield f"<li>{escape(result.name)} ({escape(result.fingerprint)}): {result.speed:.1f} sentences a second, "
        yield f"{result.covered} of {result.sentences} parsed</li>"
    for (first, second), test in comparison.paired.items():
        yield f"<li>{escape(first)} − {escape(second)}: micro F {100 * test.difference:+.1f}, p = {test.p:.4f} "
        yield f"(Holm {test.p_holm:.4f})</li>"
    yield "</ul><h2>Sentences, those first on which the parsers differ most</h2>"
    for place in by_difference(comparison):
        yield from _sentence(comparison.results, gold, place, comparison)
    yield "</main></body></html>"


def by_difference(comparison: ParserComparison) -> list[int]:
    """The places of the sentences, by the difference between the best and the worst F; then by the worst."""
    scores = [micro_f(result.scores.sentence_counts().astype(float)) for result in comparison.results]
    places = range(len(scores[0]) if scores else 0)

    def key(place: int) -> tuple[float, float]:
        values = [float(column[place]) for column in scores]
        return -(max(values) - min(values)), min(values)

    return sorted(places, key=key)


def _sentence(
    results: Sequence[ParserResult], gold: Sequence[GRSentence], place: int, comparison: ParserComparison
) -> Iterator[str]:
    standard = without_passives(gold[place].relations, comparison.matcher.hierarchy)
    counts = [result.scores.sentence_counts()[place : place + 1].astype(float) for result in results]
    summary = " · ".join(
        f"{escape(result.name)} {100 * float(micro_f(count)[0]):.0f}"
        for result, count in zip(results, counts, strict=True)
    )
    yield f"<details><summary>{place + 1}. {escape(gold[place].text)} <small>({summary})</small></summary>"
    yield '<div class="columns">'
    for result in results:
        tried = without_passives(result.relations[place], comparison.matcher.hierarchy)
        pairs = result.scores.pairs[place]
        missing = [gr for i, gr in enumerate(standard) if i not in {mine for mine, _, _ in pairs}]
        spurious = [gr for i, gr in enumerate(tried) if i not in {theirs for _, theirs, _ in pairs}]
        yield f"<section><h3>{escape(result.name)}: {len(pairs)} of {len(standard)} found</h3><ul>"
        yield from _items("missing", missing)
        yield from _items("spurious", spurious)
        yield "</ul></section>"
    yield "</div></details>"


def _items(kind: str, grs: Sequence[GR]) -> Iterator[str]:
    for gr in grs:
        yield f'<li class="{kind}">{kind} <code>{escape(str(gr))}</code></li>'
