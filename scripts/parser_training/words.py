"""What is learnt word by word from UD treebanks: lemma tables and the tokenizer's knowledge."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from typing import Any

from parser_training.treebanks import Example
from synteval.parsing.en.lemmatizer import LONGEST_SUFFIX, apply, read_script, script_of
from synteval.parsing.en.tokenizer import Knowledge, Tokenizer

# Frequent in any English text, whether or not the treebanks have them.
ABBREVIATIONS = """
    mr. mrs. ms. dr. prof. gen. sen. rep. gov. col. lt. maj. capt. sgt. rev. hon. pres. messrs. jr. sr. st. mt. ft.
    inc. corp. co. ltd. bros. plc. llc. dept. univ. assn. ave. blvd. rd. etc. vs. al. cf. viz. approx. ca. est.
    jan. feb. apr. jun. jul. aug. sep. sept. oct. nov. dec. tue. tues. thu. thurs. fri.
    ariz. calif. colo. conn. fla. kan. md. mich. minn. mo. neb. nev. okla. pa. tenn. tex. va. wis. ala. ga. ky. n.c.
    n.h. n.j. n.m. n.y. s.c. vt. ph.d. a.m. p.m. u.s. u.k. u.n. d.c. e.g. i.e.
"""
# Words of their own when they are not capitalised.
CAPITALISED = "Ark. Art. Del. Ill. Ind. La. Mar. Mass. Miss. Mon. Ore. Sat. Sun. Wash. Wed."
NO_ABBREVIATIONS = "no. nos. fig. p. pp. et. fax. his. info. me. in. am."
PREFIXES = """
    e non pro anti pre co re post ex multi semi mid cross mini sub inter intra un ultra vice trans de bi tri mega micro
    macro neo pseudo quasi proto counter hyper extra over
"""
CUTS = {  # words that UD cuts without a mark in the text
    "cannot": (3, 3), "gonna": (3, 2), "gotta": (3, 2), "wanna": (3, 2), "dont": (2, 2), "doesnt": (4, 2),
    "didnt": (3, 2), "isnt": (2, 2), "arent": (3, 2), "wasnt": (3, 2), "werent": (4, 2), "couldnt": (5, 2),
    "wouldnt": (5, 2), "shouldnt": (6, 2), "havent": (4, 2), "hasnt": (3, 2), "hadnt": (3, 2), "aint": (2, 2),
    "im": (1, 1), "ive": (1, 2), "thats": (4, 1), "whats": (4, 1), "youre": (3, 2), "youve": (3, 2), "theyre": (4, 2),
    "lemme": (3, 2), "gimme": (3, 2), "dunno": (2, 1, 2), "y'all": (2, 3), "d'ye": (2, 2), "'tis": (2, 2),
    "'twas": (2, 3),
}  # fmt: skip


def learn_lemmas(examples: list[Example]) -> dict[str, dict[str, dict[str, str]]]:
    """Suffix rules by majority, and the forms that they get wrong."""
    counts: dict[tuple[str, str], Counter[tuple[str, str]]] = defaultdict(Counter)
    for example in examples:
        for form, tag, lemma in zip(example.words, example.xpos, example.lemmas or (), strict=True):
            form = form.replace("’", "'")
            if lemma != "_" and tag not in {"", "_", "GW"}:
                counts[tag, form.lower()][form, lemma.replace("’", "'")] += 1
    best = {key: _best_script(pairs) for key, pairs in counts.items()}
    by_suffix: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for (tag, form), script in best.items():
        # Rules are about types, so a frequent word votes hardly more than a rare one.
        weight = min(sum(counts[tag, form].values()), 3)
        for length in range(min(LONGEST_SUFFIX, len(form)) + 1):
            by_suffix[tag, form[len(form) - length :]][script] += weight
    suffixes: dict[str, dict[str, str]] = defaultdict(dict)
    for (tag, suffix), scripts in sorted(by_suffix.items(), key=lambda item: (len(item[0][1]), item[0])):
        script, count = scripts.most_common(1)[0]
        if count >= (1 if not suffix else 4) and script != _longest(suffixes[tag], suffix):
            suffixes[tag][suffix] = script
    forms: dict[str, dict[str, str]] = defaultdict(dict)
    for (tag, form), script in sorted(best.items()):
        rule = _longest(suffixes[tag], form) or "k0+"
        pairs = counts[tag, form]
        if script != rule and _correct(script, pairs) > _correct(rule, pairs):
            forms[tag][form] = script
    return {"forms": dict(forms), "suffixes": dict(suffixes)}


def _best_script(pairs: Counter[tuple[str, str]]) -> str:
    """The script that gives the lemmas of most occurrences of a form, in whatever case."""
    scripts = {script_of(form, lemma) for form, lemma in pairs}
    scripts |= {f"l{len(form)}+{lemma}" for form, lemma in pairs}
    return max(sorted(scripts, key=lambda script: (len(script), script)), key=lambda script: _correct(script, pairs))


def _correct(script: str, pairs: Counter[tuple[str, str]]) -> int:
    read = read_script(script)
    return sum(count for (form, lemma), count in pairs.items() if apply(form, read) == lemma)


def _longest(table: dict[str, str], form: str) -> str | None:
    for length in range(min(LONGEST_SUFFIX, len(form)), -1, -1):
        if form[len(form) - length :] in table:
            return table[form[len(form) - length :]]
    return None


def chunks(example: Example) -> list[tuple[str, ...]]:
    """The words of each stretch of text without a space."""
    found: list[tuple[str, ...]] = []
    current: list[str] = []
    for word, space in zip(example.words, example.spaces or (), strict=True):
        current.append(word)
        if space:
            found.append(tuple(current))
            current = []
    return [*found, tuple(current)] if current else found


def learn_tokenizer(examples: list[Example]) -> dict[str, Any]:
    """Abbreviations, prefixes, and the cuts on which the treebanks agree against the rules."""
    kept: Counter[str] = Counter()
    cut: Counter[str] = Counter()
    joined: Counter[str] = Counter()
    hyphens: Counter[str] = Counter()
    chunk_cuts: dict[str, Counter[tuple[int, ...]]] = defaultdict(Counter)
    for example in examples:
        parts = chunks(example)
        for number, words in enumerate(parts):
            core = _core(words)
            if core:
                chunk_cuts["".join(core).lower()][tuple(map(len, core))] += 1
            for word, following in zip(words, (*words[1:], ""), strict=True):
                lowered = word.lower()
                if re.fullmatch(r"[^\W\d_][\w.]*\.", lowered) and number < len(parts) - 1:
                    kept[lowered] += 1
                if following == "." and number < len(parts) - 1:
                    cut[lowered + "."] += 1
                match = re.fullmatch(r"([a-z]+)-[a-z].*", lowered)
                if match:
                    joined[match[1]] += 1
                if following == "-" and lowered.isalpha():
                    hyphens[lowered] += 1
    learnt = {word for word, count in kept.items() if count > cut[word] and count >= (1 if len(word) > 2 else 9)}
    learnt -= {*NO_ABBREVIATIONS.split(), *CAPITALISED.lower().split()}
    abbreviations = {*ABBREVIATIONS.split(), *CAPITALISED.split(), *learnt}
    prefixes = {p for p in PREFIXES.split() if hyphens[p] <= joined[p]} | {
        p for p, n in joined.items() if n >= 2 and n > hyphens[p]
    }
    tokenizer = Tokenizer(Knowledge(CUTS, frozenset(abbreviations), frozenset(prefixes)))
    exceptions = dict(CUTS)
    for chunk, cuts in chunk_cuts.items():
        best, count = cuts.most_common(1)[0]
        by_rule = tuple(end - start for start, end in tokenizer.spans(chunk))
        agreed = count >= 2 and count > 0.6 * sum(cuts.values())
        if best != by_rule and agreed and _general(chunk, best):
            exceptions[chunk] = best
        elif chunk in exceptions and count >= 2 and best != exceptions[chunk]:
            del exceptions[chunk]
    return {
        "abbreviations": sorted(abbreviations),
        "prefixes": sorted(prefixes),
        "exceptions": {chunk: list(lengths) for chunk, lengths in sorted(exceptions.items())},
    }


def _general(chunk: str, cut: tuple[int, ...]) -> bool:
    """Whether a cut says something of English rather than of one document or one slip of annotation.

    "Monday's" in one piece, "horse|s" without its apostrophe and file names do not.
    """
    if not chunk[0].isalpha() or chunk[-1] == "." or any(character in "0123456789#()" for character in chunk):
        return False
    if chunk.endswith(("'s", "’s")) and len(cut) == 1:
        return False
    return (
        cut[-1] > 1 or chunk[-1] != "s" or chunk[:-1] in {"he", "she", "there", "that", "what", "who", "here", "where"}
    )


def _core(words: tuple[str, ...]) -> tuple[str, ...]:
    """The chunk without marks at its ends."""
    begin, end = 0, len(words)
    while begin < end and not any(map(str.isalnum, words[begin])):
        begin += 1
    while end > begin and not any(map(str.isalnum, words[end - 1])):
        end -= 1
    return words[begin:end]
