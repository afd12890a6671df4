"""The shipped inventory: what NLTK's reader finds in it, where else it may come from, and what it costs."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
import zipfile
from pathlib import Path

import pytest

from synteval.errors import InputError, NotInstalledError, SyntevalError
from synteval.resources import resource
from synteval.senses import inventory as module
from synteval.senses.inventory import Inventory, fingerprint, load_inventory, locate

ARCHIVE = resource("models", "wordnet", "wordnet.zip")


@pytest.fixture(scope="module")
def inventory() -> Inventory:
    return load_inventory()


def test_synsets_have_princetons_offsets(inventory: Inventory) -> None:
    assert inventory.version == "3.0"
    assert inventory.synsets("cosmonaut") == inventory.synsets("astronaut") == {"wn30-09818022-n"}
    assert "wn30-00001740-n" in inventory.synsets("entity")


def test_every_relation_and_count_is_there(inventory: Inventory) -> None:
    first, *others = inventory.lemmas("dog", "n")
    assert first.key() == "dog%1:05:00::" and first.count() == 42
    synset = first.synset()
    assert synset.lexname() == "noun.animal"
    assert {parent.name() for parent in synset.hypernyms()} == {"canine.n.02", "domestic_animal.n.01"}
    assert "flag.n.07" in {part.name() for part in synset.part_meronyms()}
    assert len(others) == 6
    assert inventory.lemmas("hot", "a")[0].antonyms()[0].name() == "cold"


def test_glosses_and_examples_are_not(inventory: Inventory) -> None:
    synset = inventory.lemmas("dog", "n")[0].synset()
    assert synset.definition() == "" and synset.examples() == []


def test_senses_are_in_order_of_frequency(inventory: Inventory) -> None:
    counts = [lemma.count() for lemma in inventory.lemmas("dream", "n")]
    assert counts == sorted(counts, reverse=True) and counts[0] == 31


def test_base_forms_come_from_exceptions_and_rules(inventory: Inventory) -> None:
    assert [lemma.name() for lemma in inventory.lemmas("mice", "n")][:1] == ["mouse"]
    assert [lemma.name() for lemma in inventory.lemmas("Churches", "n")][:1] == ["church"]
    # A word that is an entry is not reduced further, though "as" is an entry too.
    assert {lemma.name() for lemma in inventory.lemmas("ass", "n")} == {"ass"}


def test_a_sense_key_names_its_synset(inventory: Inventory) -> None:
    assert inventory.synset_of_key("dream%1:12:00::") == inventory.synset_of_key("ambition%1:12:00::")
    for key in ("dream%1:99:99::", "dream", "", "a%b:c"):
        with pytest.raises(InputError, match=r"no sense key of WordNet 3\.0"):
            inventory.synset_of_key(key)


def test_a_synset_is_told_in_words(inventory: Inventory) -> None:
    assert inventory.words("wn30-09818022-n") == ("astronaut", "spaceman", "cosmonaut")
    for name in ("wn30-00000001-n", "wn30-99999999-n", "wn31-09818022-n", "noun.person", "mine", ""):
        assert inventory.words(name) == ()


@pytest.mark.parametrize("word", ["", "\ud800", "zzxqy", "x" * 10_000, "_", "-", "a\nb", "\0"])
def test_strange_words_have_no_senses(inventory: Inventory, word: str) -> None:
    assert inventory.lemmas(word, "n") == ()
    assert inventory.synsets(word) == frozenset()


def test_a_compound_is_a_kind_of_its_last_word(inventory: Inventory) -> None:
    assert inventory.is_compound(inventory.lemmas("lung_cancer", "n")[0], "cancer")
    assert not inventory.is_compound(inventory.lemmas("hot_dog", "n")[0], "dog")
    assert not inventory.is_compound(inventory.lemmas("take_place", "v")[0], "place")


def test_threads_may_share_it(inventory: Inventory) -> None:
    """NLTK's reader seeks and reads in shared files; without a lock the threads would read each other's lines."""
    words = sorted({name for name in inventory._reader.all_lemma_names() if name.startswith("c")})[:400]
    fresh, alone = Inventory(inventory._reader), Inventory(inventory._reader)
    expected = [alone.synsets(word) for word in words]
    found: list[list[frozenset[str]]] = [[] for _ in range(4)]

    def look_up(place: int) -> None:
        found[place] = [fresh.synsets(word) for word in words]

    inventory._reader._synset_offset_cache.clear()
    threads = [threading.Thread(target=look_up, args=(place,)) for place in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [expected] * 4


def test_it_is_small() -> None:
    folder = ARCHIVE.parent
    assert sum(file.stat().st_size for file in folder.iterdir()) <= 6_000_000
    assert {"LICENSE", "README.md"} <= {file.name for file in folder.iterdir()}


def test_it_loads_quickly() -> None:
    """At most 2.5 s of a processor, in a process of its own, with NLTK's import."""
    code = (
        "import time; start = time.process_time()\n"
        "from synteval.senses import load_inventory; load_inventory()\n"
        "print(time.process_time() - start)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=120)
    assert float(done.stdout) < 2.5


def test_asking_for_the_fingerprint_loads_nothing() -> None:
    code = (
        "import sys\n"
        "from synteval.senses import SenseTagger\n"
        "print(SenseTagger('first').fingerprint, any(name.startswith('nltk') for name in sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout.split() == [f"first@{fingerprint()}-1", "False"]


def test_a_folder_of_the_users_serves_as_well(tmp_path: Path) -> None:
    with zipfile.ZipFile(ARCHIVE) as archive:
        archive.extractall(tmp_path)
    own = load_inventory(str(tmp_path / "wordnet"))
    assert own.synsets("cosmonaut") == {"wn30-09818022-n"}
    assert fingerprint(str(tmp_path / "wordnet")).startswith("wordnet-")
    assert fingerprint(str(tmp_path / "wordnet")) != fingerprint()


def test_what_is_no_wordnet_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no WordNet at .*nowhere"):
        load_inventory(str(tmp_path / "nowhere"))
    with pytest.raises(InputError, match="is no WordNet that NLTK can read"):
        load_inventory(str(tmp_path))
    (tmp_path / "broken.zip").write_bytes(b"PK not a zip")
    with pytest.raises(InputError, match="is no WordNet that NLTK can read"):
        load_inventory(str(tmp_path / "broken.zip"))


def test_a_missing_nltk_wordnet_is_named_with_its_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    import nltk.data

    monkeypatch.setattr(nltk.data, "path", [])
    with pytest.raises(NotInstalledError, match=r"nltk\.downloader wordnet"):
        locate("nltk")


def test_a_missing_archive_is_named_with_its_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    def gone(*parts: str) -> Path:
        raise SyntevalError(f"{'/'.join(parts)} is missing from the installation; reinstall")

    monkeypatch.setattr(module, "resource", gone)
    with pytest.raises(SyntevalError, match=r"models/wordnet/wordnet.zip is missing"):
        locate()


def test_the_load_is_paid_once(inventory: Inventory) -> None:
    start = time.perf_counter()
    assert load_inventory() is inventory
    assert time.perf_counter() - start < 0.1
    assert module._load.cache_info().currsize >= 1


def test_a_damaged_archive_is_refused_and_a_group_writable_one_is_not(tmp_path: Path) -> None:
    """In a process of its own: pip installs group-writable files under umask 002."""
    code = (
        "import sys; from pathlib import Path; import synteval.senses.inventory as m\n"
        "f = m.ModelFiles; m.ModelFiles = lambda name: f(Path(sys.argv[1]))\n"
        "print(len(m.load_inventory().synsets('dog')))"
    )
    for name in ("wordnet.zip", "manifest.json"):
        (tmp_path / name).write_bytes((locate().parent / name).read_bytes())
        (tmp_path / name).chmod(0o664)
    done = subprocess.run([sys.executable, "-c", code, str(tmp_path)], capture_output=True, text=True)
    assert done.stdout == "8\n", done.stderr
    data = bytearray((tmp_path / "wordnet.zip").read_bytes())
    data[1000] ^= 1
    (tmp_path / "wordnet.zip").write_bytes(data)
    done = subprocess.run([sys.executable, "-c", code, str(tmp_path)], capture_output=True, text=True)
    assert "is damaged" in done.stderr and "reinstall" in done.stderr
