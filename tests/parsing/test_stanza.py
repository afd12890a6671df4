"""The parser `stanza`: what it says without Stanza, and, where Stanza is installed, its real loading and parsing.

The models are small ones, trained here by Stanza's own tools (`make test-stanza`).
"""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from synteval.errors import NotInstalledError, ParserError
from synteval.parse_eval.bracketing import bracketing
from synteval.parsing.stanza import INSTALL, StanzaParser
from synteval.structures.brackets import parse_brackets, to_brackets

HAS_STANZA = importlib.util.find_spec("stanza") is not None
needs_stanza = pytest.mark.skipif(not HAS_STANZA, reason="Stanza and torch are not installed; run make test-stanza")

SUBJECTS = ["cat", "dog", "man", "bird"]
VERBS = [("sat", "sit"), ("ran", "run"), ("slept", "sleep"), ("came", "come")]


@pytest.mark.skipif(HAS_STANZA, reason="Stanza is installed")
def test_without_stanza_the_message_has_the_command() -> None:
    with pytest.raises(NotInstalledError, match="pip install 'synteval"):
        StanzaParser("en")
    (info,) = StanzaParser.about()
    assert not info.installed
    assert info.install == INSTALL


def treebank() -> str:
    """Sixteen sentences such as `The cat sat .`"""
    blocks = []
    for subject in SUBJECTS:
        for verb, lemma in VERBS:
            rows = [
                ("The", "the", "DET", "DT", 2, "det", "_"),
                (subject, subject, "NOUN", "NN", 3, "nsubj", "_"),
                (verb, lemma, "VERB", "VBD", 0, "root", "SpaceAfter=No"),
                (".", ".", "PUNCT", ".", 3, "punct", "_"),
            ]
            lines = [
                f"{i}\t{form}\t{lem}\t{upos}\t{xpos}\t_\t{head}\t{relation}\t_\t{misc}"
                for i, (form, lem, upos, xpos, head, relation, misc) in enumerate(rows, 1)
            ]
            blocks.append("\n".join([f"# text = The {subject} {verb}.", f"# sent_id = {len(blocks)}", *lines]))
    return "\n\n".join(blocks) + "\n\n"


TREES = [
    f"(ROOT (S (NP (DT The) (NN {subject})) (VP (VBD {verb})) (. .)))" for subject in SUBJECTS for verb, _ in VERBS
]


class Evaluator:
    """Between epochs Stanza scores its trees with CoreNLP, a Java program that is not here; this stands in for it."""

    def process(self, results: list[Any]) -> Any:
        from stanza.protobuf import EvaluateParserResponse

        gold, test = (
            [parse_brackets(str(tree))[0].sentence() for tree in trees]
            for trees in ([r.gold for r in results], [r.predictions[0].tree for r in results])
        )
        return EvaluateParserResponse(f1=bracketing(gold, test).brackets.f)


def train_constituency(vectors: Path, model: Path) -> None:
    """The steps of stanza.models.constituency_parser, with the other evaluator."""
    from stanza.models import constituency_parser
    from stanza.models.common.foundation_cache import FoundationCache
    from stanza.models.constituency import parser_training, tree_reader

    sizes = ("hidden_size", "transition_hidden_size", "transition_embedding_dim", "tag_embedding_dim")
    given = [option for name in (*sizes, "delta_embedding_dim") for option in (f"--{name}", "16")]
    given += ["--epochs", "20", "--epoch_size", "96", "--train_batch_size", "8", "--num_lstm_layers", "1"]
    given += ["--optim", "adamw", "--learning_rate", "0.01", "--no_multistage", "--no_checkpoint"]
    files = ["--save_dir", str(model.parent), "--save_name", model.name, "--wordvec_pretrain_file", str(vectors)]
    args = constituency_parser.parse_args([*given, *files, "--lang", "en", "--shorthand", "en_tiny", "--cpu"])
    args["save_name"] = str(model)
    trees = tree_reader.read_trees("\n".join(TREES))
    cache = FoundationCache()
    trainer, sequences, _, transitions = parser_training.build_trainer(args, trees, trees, [], cache, None)
    parser_training.iterate_training(args, trainer, trees, sequences, transitions, trees, [], [], cache, Evaluator())


def word_vectors(path: Path) -> None:
    from stanza.models.common.pretrain import Pretrain

    words = ["The", *SUBJECTS, *(verb for verb, _ in VERBS), "."]
    rows = np.random.default_rng(3).normal(size=(len(words), 8)).round(3)
    text = path.with_suffix(".txt")
    lines = [f"{word} {' '.join(map(str, row))}" for word, row in zip(words, rows.tolist(), strict=True)]
    text.write_text(f"{len(words)} 8\n" + "\n".join(lines) + "\n", encoding="utf-8")
    Pretrain(str(path), str(text)).load()


@pytest.fixture(scope="session")
def models(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder as Stanza's downloads are, with tiny models."""
    from stanza.models import lemmatizer, parser, tagger, tokenizer
    from stanza.utils.datasets import prepare_tokenizer_data

    folder = tmp_path_factory.mktemp("stanza")
    conllu, text, labels = (str(folder / name) for name in ("a.conllu", "a.txt", "a.toklabels"))
    Path(conllu).write_text(treebank(), encoding="utf-8")
    sentences = [line.removeprefix("# text = ") for line in treebank().splitlines() if line.startswith("# text")]
    Path(text).write_text(" ".join(sentences) + "\n", encoding="utf-8")
    prepare_tokenizer_data.main([text, conllu, "-o", labels, "-m", str(folder / "mwt.json")])
    common = ["--lang", "en", "--shorthand", "en_tiny", "--cpu"]

    def place(name: str) -> list[str]:
        (folder / "en" / name).mkdir(parents=True)
        return ["--save_dir", str(folder / "en" / name), "--save_name", "tiny.pt"]

    files = ["--txt_file", text, "--label_file", labels, "--dev_txt_file", text, "--dev_label_file", labels]
    files += ["--mwt_json_file", str(folder / "mwt.json"), "--dev_conll_gold", conllu]
    output = str(folder / "out.conllu")
    steps = ["--steps", "300", "--eval_steps", "300", "--report_steps", "300", "--max_seqlen", "60"]
    tokenizer.main([*common, *place("tokenize"), *files, *steps, "--batch_size", "4", "--conll_file", output])
    training = ["--train_file", conllu, "--eval_file", conllu, "--output_file", output]
    tiny = ["--no_pretrain", "--hidden_dim", "20", "--max_steps", "60", "--eval_interval", "30"]
    tagger.main([*common, *place("pos"), *training, *tiny, "--word_emb_dim", "10", "--num_layers", "1"])
    parser.main([*common, *place("depparse"), *training, *tiny, "--word_emb_dim", "10", "--num_layers", "1"])
    lemmatizer.main([*common[2:], *place("lemma"), *training, "--dict_only", "--num_epoch", "1"])
    for name in ("pretrain", "constituency"):
        place(name)
    word_vectors(folder / "en" / "pretrain" / "tiny.pt")
    train_constituency(folder / "en" / "pretrain" / "tiny.pt", folder / "en" / "constituency" / "tiny.pt")
    packages = dict.fromkeys(("tokenize", "pos", "lemma", "depparse", "constituency"), "tiny")
    entries: dict[str, Any] = {name: {"tiny": {"dependencies": []}} for name in (*packages, "pretrain")}
    entries["constituency"]["tiny"]["dependencies"] = [{"model": "pretrain", "package": "tiny"}]
    resources = {"en": {"lang_name": "English", "packages": {"default": packages}, **entries}}
    (folder / "resources.json").write_text(json.dumps(resources), encoding="utf-8")
    return folder


@needs_stanza
def test_models_of_a_folder_parse(models: Path) -> None:
    parser = StanzaParser(str(models))
    assert parser.language == "en"
    assert parser.layers == {"spans", "upos", "xpos", "lemmas", "heads", "tree"}
    (sentence,), empty = parser.parse(["The dog slept.", " "])
    assert empty == ()
    assert sentence.forms.list() == ["The", "dog", "slept", "."]
    assert sentence.scheme == "ud"
    assert sentence.spans is not None and sentence.spans.tolist() == [[0, 3], [4, 7], [8, 13], [13, 14]]
    assert sentence.heads is not None and sentence.relations is not None and sentence.lemmas is not None
    assert sentence.lemmas[2] == "sleep"
    assert (sentence.heads == -1).sum() == 1
    assert sentence.tree is not None
    assert to_brackets(sentence.tree) == TREES[SUBJECTS.index("dog") * len(VERBS) + 2]


@needs_stanza
def test_the_fingerprint_follows_the_models(models: Path) -> None:
    first = StanzaParser(f"en:{models}").fingerprint
    assert first.startswith("stanza:en@")
    model = models / "en" / "lemma" / "tiny.pt"
    content = model.read_bytes()
    try:
        model.write_bytes(content + b"\0")
        assert StanzaParser(f"en:{models}").fingerprint != first
    finally:
        model.write_bytes(content)


@needs_stanza
def test_missing_models_have_the_command(tmp_path: Path) -> None:
    with pytest.raises(NotInstalledError, match=r"stanza\.download\('xx'\)"):
        StanzaParser(f"xx:{tmp_path}")
    with pytest.raises(ParserError, match="languages with models: none"):
        StanzaParser(str(tmp_path))


@needs_stanza
def test_a_damaged_model_is_a_parser_error(models: Path, tmp_path: Path) -> None:
    import shutil

    copy = tmp_path / "copy"
    shutil.copytree(models, copy)
    (copy / "en" / "depparse" / "tiny.pt").write_bytes(b"no model")
    with pytest.raises(ParserError, match="cannot be loaded"):
        list(StanzaParser(str(copy)).parse(["The dog slept."]))
