"""Words of a Penn tree for the relation rules: headword dependencies whose labels are constituents.

Each constituent hands up its headword (grammars/heads/lexical.toml); the headword of another child depends on it with
the label PARENT/CHILD, such as `S/NP`, `VP/PP`, `NP/DT`: the constituent in which they meet and the child's category.
In a constituent with a conjunction the first conjunct is the head; the others have the label `conj`, the conjunction
`cc`. A flat noun phrase (CNN's distributors and part owners) is cut at its commas and conjunctions, and each part has
its own head.
"""

from __future__ import annotations

from collections.abc import Sequence

from synteval.errors import MissingLayerError, StructureError
from synteval.parsing.english_lemmas import english_lemmas
from synteval.parsing.heads import HeadRules, head_rules
from synteval.relations.words import Words
from synteval.structures import NONTERMINAL, ROOT, Sentence

NOUN_PHRASES = frozenset({"NP", "NML", "NX", "NAC"})
NOUNS = frozenset({"NN", "NNS", "NNP", "NNPS", "NML", "NX", "$", "%", "CD", "QP"})
CONJUNCTIONS = frozenset({"CC", "CONJP"})
COMMAS = frozenset({",", ":"})
COMPLEMENTS = frozenset({"NP", "PP", "ADJP", "S", "SBAR", ",", ":"})


def headword_words(sentence: Sentence) -> Words:
    """The words of a sentence with a constituency tree."""
    tree = None if sentence.tree is None else sentence.tree.normalised()
    if tree is None:
        raise MissingLayerError("headword relations need a constituency tree; choose a parser that makes one")
    if (tree.tokens >= 0).sum() != len(sentence):
        raise StructureError("headword relations need a tree with words")
    rules = head_rules("lexical")
    labels, parents, tokens = tree.labels.list(), tree.parents.tolist(), tree.tokens.tolist()
    children: list[list[int]] = [[] for _ in labels]
    headword = list(tokens)
    heads, relations = [ROOT] * len(sentence), [""] * len(sentence)
    tags = [""] * len(sentence)
    # Children stand after their parents, so going backwards a node's children are complete when it is reached.
    for node in range(len(labels) - 1, -1, -1):
        inner = children[node][::-1]
        if tokens[node] == NONTERMINAL:
            if not inner:
                raise StructureError(f"headword relations need words: {labels[node]!r} has none")
            if len(inner) == 1 and tokens[inner[0]] >= 0:
                tags[tokens[inner[0]]] = labels[node]
            head, edges = attach(labels[node], [labels[child] for child in inner], rules)
            headword[node] = headword[inner[head]]
            for dependent, governor, relation in edges:
                heads[headword[inner[dependent]]] = headword[inner[governor]]
                relations[headword[inner[dependent]]] = relation
        if parents[node] >= 0:
            children[parents[node]].append(node)
    relations[headword[0]] = "root"
    forms = sentence.forms.list()
    xpos = tags if sentence.xpos is None else sentence.xpos.list()
    lemmas = english_lemmas(forms, xpos) if sentence.lemmas is None else sentence.lemmas.list()
    upos = [""] * len(forms) if sentence.upos is None else sentence.upos.list()
    return Words(forms, lemmas, upos, xpos, heads, relations, list(range(len(forms))))


def attach(parent: str, labels: Sequence[str], rules: HeadRules) -> tuple[int, list[tuple[int, int, str]]]:
    """The position of the head child, and (child, its governor, relation) for every other."""
    members, governors = _coordination(parent, labels, rules)
    if not members:
        head = _verb_before_complements(parent, labels)
        head = rules.head(parent, labels) if head is None else head
        return head, [(i, head, _relation(parent, labels, i, head)) for i in range(len(labels)) if i != head]
    edges = []
    for i, label in enumerate(labels):
        if i == members[0]:
            continue
        if i in members:
            edges.append((i, members[0], "conj"))
        elif label in CONJUNCTIONS:
            edges.append((i, members[0], "cc"))
        else:
            edges.append((i, governors.get(i, members[0]), f"{parent}/{label}"))
    return members[0], edges


def _relation(parent: str, labels: Sequence[str], child: int, head: int) -> str:
    """PARENT/CHILD. A prepositional phrase beside another, `PP+`, belongs to whatever governs both; a conjunction that
    begins a clause is `cc`; a relative pronoun may stand in a plain NP."""
    if labels[child] == "CC" and child < head:
        return "cc"
    if parent == "SBAR" and labels[child] == "NP" and child < head:
        return "SBAR/WHNP"
    joined = "+" if parent == labels[head] == "PP" else ""
    return f"{parent}{joined}/{labels[child]}"


def _verb_before_complements(parent: str, labels: Sequence[str]) -> int | None:
    """In (VP fell (NP points) , (VP followed ...)) the inner phrase follows no auxiliary: the verb is the head."""
    if parent != "VP" or "VP" not in labels:
        return None
    verbs = [i for i, label in enumerate(labels[: labels.index("VP")]) if label.startswith("VB")]
    between = labels[verbs[-1] + 1 : labels.index("VP")] if verbs else []
    return verbs[-1] if any(label in COMPLEMENTS for label in between) else None


def _coordination(parent: str, labels: Sequence[str], rules: HeadRules) -> tuple[list[int], dict[int, int]]:
    """The conjuncts among the children, if any, and which of them governs each word of a flat noun phrase."""
    words = [i for i, label in enumerate(labels) if label not in rules.punctuation]
    conjunctions = [i for i in words if labels[i] in CONJUNCTIONS and i > words[0]]
    if not conjunctions or conjunctions[-1] == words[-1]:
        return [], {}
    last = conjunctions[-1]
    if parent in NOUN_PHRASES and any(labels[i] in NOUNS for i in words if i > last):
        return _flat_noun_phrase(labels, words, last)
    after = next(i for i in words if i > last)
    before = [i for i in words if i < last and labels[i] not in CONJUNCTIONS]
    alike = [i for i in words if i > last and labels[i] in {labels[j] for j in before}]
    if alike:
        after = alike[0]
    same = [i for i in before if labels[i] == labels[after]]
    if parent == "UCP" or not same:
        same = before if parent == "UCP" else before[-1:]
    return ([*same, after], {}) if same else ([], {})


def _flat_noun_phrase(labels: Sequence[str], words: list[int], last: int) -> tuple[list[int], dict[int, int]]:
    """Parts between commas and conjunctions, each headed by its last noun. Where the part before the conjunction has no
    noun, only modifiers are coordinated, which a flat tree does not show."""
    parts: list[list[int]] = [[]]
    for i, label in enumerate(labels):
        if label in CONJUNCTIONS or label in COMMAS:
            parts.append([])
        elif i in words:
            parts[-1].append(i)
    members, governors = [], {}
    for part in filter(None, parts):
        nouns = [i for i in part if labels[i] in NOUNS or labels[i] == "NP"]
        if not nouns:
            if part[-1] < last:
                return [], {}
            continue
        members.append(nouns[-1])
        governors.update(dict.fromkeys(part, nouns[-1]))
    return (members, governors) if len(members) > 1 and members[-1] > last else ([], {})
