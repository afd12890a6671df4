"""Grammatical relations of a parse, by the rules of its scheme.

    1. words: split words are joined (where relations hold word forms), function words promoted
    2. coordinations are found
    3. the rules of grammars/relations/SCHEME.toml write relations between words
    4. relative pronouns give way to their antecedents (`resolve_relatives`)
    5. subjectless clauses get the subject of the verb that governs them (`share_control`)
    6. the preset's own form: prepositions as types (`collapse_prepositions`), adjunct clauses, names of relations

Schemes: "ud"; "clearnlp", spaCy's English models; "link", Link Grammar; "headword", headword dependencies of a Penn
tree.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from synteval.errors import OptionError
from synteval.relations.coordination import Coordinations, find_coordinations
from synteval.relations.grs import GR, UNFILLED
from synteval.relations.hierarchy import Hierarchy, Options, load_hierarchy
from synteval.relations.rules import Binding, RuleSet, load_rules
from synteval.relations.words import Words, join_split, promote, relabel
from synteval.structures import Segment, Sentence

SCHEMES = ("ud", "clearnlp", "link", "headword")
SUBJECTS = frozenset({"ncsubj", "xsubj", "csubj"})
RELATIVE_PRONOUNS = frozenset({"that", "which", "who", "whom"})


@dataclass(frozen=True, slots=True)
class WordRelation:
    """A relation between words by index; `initial` in subjects, `type` where the relation has one."""

    relation: str
    head: int
    dependent: int | None
    type: str = UNFILLED
    initial: str = UNFILLED


@dataclass(frozen=True)
class Extractor:
    """Extraction for one preset. `args`, "form" or "lemma", and `options` are the preset's unless given."""

    hierarchy: Hierarchy
    options: Options
    args: str

    @classmethod
    def of(cls, preset: str = "briscoe2006", args: str | None = None, **options: bool | str) -> Extractor:
        hierarchy = load_hierarchy(preset)
        chosen = args or hierarchy.args
        if chosen not in ("form", "lemma"):
            raise OptionError(f"args={chosen!r}; valid: form, lemma")
        return cls(hierarchy, replace(hierarchy.options, **options), chosen)  # type: ignore[arg-type]

    def segment(self, segment: Segment, scheme: str | None = None) -> list[GR]:
        """The relations of all sentences of a segment; positions run on through it."""
        relations: list[GR] = []
        start = 0
        for sentence in segment:
            relations += self.sentence(sentence, scheme, start)
            start += len(sentence)
        return relations

    def sentence(self, sentence: Sentence, scheme: str | None = None, start: int = 0) -> list[GR]:
        """The relations of a sentence. `scheme` "headword" reads its constituency tree instead of its dependencies."""
        if not len(sentence):
            return []
        scheme = scheme or sentence.scheme or "ud"
        if scheme in ("headword", "collins"):
            from synteval.relations.headword import headword_words

            scheme, words = "headword", headword_words(sentence)
        else:
            words = Words.of(sentence)
        if scheme not in SCHEMES:
            raise OptionError(f"no relation rules for the scheme {scheme!r}; there are {', '.join(SCHEMES)}")
        rules = load_rules(scheme)
        if self.args == "form":
            words = join_split(words, sentence, rules.settings["abbreviations"])
        found = self.word_relations(words, rules)
        shown = words.forms if self.args == "form" else words.lemmas
        return [gr for item in found if (gr := self._gr(item, shown, words.tokens, start)) is not None]

    def word_relations(self, words: Words, rules: RuleSet) -> list[WordRelation]:
        """The relations between words, before they are written in the preset's names."""
        options = self.options
        relabel(words, rules.settings.get("relabel", ()))
        promote(words, rules.settings.get("promote", ()))
        coordinations = find_coordinations(words, rules.settings["coordination"])
        found = list(_apply(rules, words, coordinations, options.distribute_conj))
        if options.resolve_relatives:
            found = _resolve_relatives(found, words)
        if options.share_control:
            found += _shared_subjects(found, words)
        if options.collapse_prepositions:
            found = _collapse(found, words)
        if options.adjunct_clause == "xcomp":
            found = [_as_complement(item, words) for item in found]
        return list(dict.fromkeys(found))

    def _gr(self, item: WordRelation, shown: Sequence[str], tokens: Sequence[int], start: int) -> GR | None:
        relation = self.hierarchy.rename.get(item.relation, item.relation)
        if not relation:
            return None
        words = {"head": item.head, "dependent": item.dependent}
        literals = {"type": item.type, "initial": item.initial}
        slots = self.hierarchy.slots[relation]
        values, positions = [], []
        for slot in slots:
            word = words.get(slot)
            values.append(literals.get(slot, UNFILLED) if word is None else shown[word])
            positions.append(-1 if word is None else start + tokens[word] + 1)
        return GR(relation, tuple(values), tuple(positions))


def _apply(rules: RuleSet, words: Words, coordinations: Coordinations, distribute: bool) -> Iterable[WordRelation]:
    """What the rules write, with coordinations in the place of their first conjuncts."""
    for coordination in coordinations.by_first.values():
        if coordination.conjunction is not None and not distribute:
            for member in coordination.members:
                # A conjunct may begin a coordination of its own.
                inner = (member,) if member == coordination.members[0] else coordinations.as_dependent(member, False)
                for word in inner:
                    yield WordRelation("conj", coordination.conjunction, word)
    slots_of = load_hierarchy("briscoe2006").slots
    for _, binding, emit in rules.apply(words.graph()):
        relation, *slots = emit
        filled = dict(zip(slots_of[relation], slots, strict=True))
        head = binding[filled["head"]]
        kind = _literal(filled.get("type", UNFILLED), binding, words)
        initial = filled.get("initial", UNFILLED)
        if "dependent" not in filled:
            yield WordRelation(relation, head, None, kind, initial)
            continue
        dependent = binding[filled["dependent"]]
        for left in coordinations.as_head(head, dependent, distribute):
            for right in coordinations.as_dependent(dependent, distribute):
                if left != right:
                    yield WordRelation(relation, left, right, kind, initial)


def _literal(slot: str, binding: Binding, words: Words) -> str:
    return words.forms[binding[slot]].lower() if slot in binding else slot


def _resolve_relatives(found: list[WordRelation], words: Words) -> list[WordRelation]:
    """The antecedent for the pronoun. After a comma DepBank keeps `which` and `who`."""
    antecedent = {item.dependent: item.head for item in found if item.relation == "cmod"}
    resolved = []
    for item in found:
        word = item.dependent
        if (
            word is not None
            and item.relation in SUBJECTS | {"dobj", "obj2"}
            and item.head in antecedent
            and words.forms[word].lower() in RELATIVE_PRONOUNS
            and antecedent[item.head] < word
            and not (word > 0 and words.forms[word - 1] == ",")
        ):
            item = replace(item, dependent=antecedent[item.head])
        resolved.append(item)
    return resolved


def _shared_subjects(found: list[WordRelation], words: Words) -> list[WordRelation]:
    """The subjects of subjectless clauses: the object of the verb above if it has one and the clause is its complement,
    else its subject. A clause under a preposition (by quoting) belongs to the verb that governs the preposition."""
    subject = {item.head: item for item in found if item.relation == "ncsubj"}
    objects = {item.head: item.dependent for item in found if item.relation == "dobj"}
    passive = {item.head for item in found if item.relation == "passive"}
    clauses = [item for item in found if item.relation in ("xcomp", "xmod") and item.dependent is not None]
    above = {item.dependent: item.head for item in clauses if words.xpos[item.dependent or 0] == "IN"}
    members: dict[int, list[int]] = {}
    for item in found:
        if item.relation == "conj" and item.dependent is not None:
            members.setdefault(item.head, []).append(item.dependent)
    added: list[WordRelation] = []
    # A clause may get its subject from one that has got its own this way: threatened to combine to swamp.
    for item in clauses * 2:
        assert item.dependent is not None
        governor = above.get(item.head, item.head)
        # What somebody's plan *is* has no subject in DepBank.
        if words.lemmas[governor] == "be" and item.type == "to":
            continue
        controls = (
            item.relation == "xcomp" and governor == item.head and governor in objects and governor not in passive
        )
        filler = objects[governor] if controls else subject[governor].dependent if governor in subject else None
        # Coordinated clauses have their subject together: (ncsubj and it _).
        clause = item.dependent
        verbs = members.get(clause, [clause])
        if filler is None or filler == clause or not all(words.xpos[verb].startswith("V") for verb in verbs):
            continue
        if clause not in subject and not any(verb in subject for verb in verbs):
            initial = "obj" if all(verb in passive for verb in verbs) else UNFILLED
            subject[clause] = WordRelation("ncsubj", clause, filler, initial=initial)
            added.append(subject[clause])
    return added


def _collapse(found: list[WordRelation], words: Words) -> list[WordRelation]:
    """(ncmod _ eat with) (dobj with fork) as (ncmod with eat fork); (xmod _ eat without) (xcomp _ without ask) as
    (xmod without eat ask)."""
    inside: dict[int, list[WordRelation]] = {}
    for item in found:
        if (
            item.dependent is not None
            and words.xpos[item.head] in ("IN", "TO")
            and item.relation in ("dobj", "xcomp", "ccomp")
        ):
            inside.setdefault(item.head, []).append(item)
    collapsed = []
    for item in found:
        if item.head in inside and item in inside[item.head]:
            continue
        objects = inside.get(item.dependent, []) if item.dependent is not None else []
        if not objects or item.relation in ("conj", "aux", "det"):
            collapsed.append(item)
            continue
        for other in objects:
            relation = item.relation
            if other.relation != "dobj" and relation in ("ncmod", "iobj", "pmod", "pcomp"):
                relation = "xmod" if other.relation == "xcomp" else "cmod"
            collapsed.append(
                replace(item, relation=relation, dependent=other.dependent, type=words.forms[other.head].lower())
            )
    return collapsed


def _as_complement(item: WordRelation, words: Words) -> WordRelation:
    """Molla & Hutchinson 2003: a subjectless adjunct clause of a verb is XCOMP."""
    if item.relation == "xmod" and words.xpos[item.head].startswith("V"):
        return replace(item, relation="xcomp")
    return item
