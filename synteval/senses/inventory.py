"""The sense inventory: WordNet, read by NLTK's own reader from models/wordnet or from the user's NLTK data.

A synset is named `wn30-09818022-n`: the version of WordNet, the byte offset, the part of speech (`s`, a satellite, is
written `a`). Two words share a sense when they share a synset, so synsets, not sense keys, are what is compared.

NLTK reads a file of the user's only below the directories of `nltk.data.path`, whose folder is registered there, and
only where no other account can write it. The shipped archive is checked against its SHA-256 and handed to NLTK from
memory: installed files are group-writable under many a umask.
"""

from __future__ import annotations

import functools
import hashlib
import io
import lzma
import re
import threading
import warnings
import zipfile
from pathlib import Path
from typing import Any, Literal

from synteval.errors import InputError, NotInstalledError, SyntevalError
from synteval.model_files import ModelFiles
from synteval.resources import resource

PartOfSpeech = Literal["n", "v", "a", "r"]
PARTS_OF_SPEECH: tuple[PartOfSpeech, ...] = ("n", "v", "a", "r")
SHIPPED = "shipped"
# The longest entry of WordNet 3.0 has 71 characters: a longer word is in no inventory, and is not kept in memory.
_LONGEST = 120
_loading = threading.Lock()


class Inventory:
    """Look-ups in one WordNet. Threads may share it: NLTK's reader seeks in open files, so one reads at a time."""

    def __init__(self, reader: Any) -> None:
        self._reader = reader
        self._lock = threading.RLock()
        self.version = str(reader.get_version())
        self._prefix = "wn" + re.sub(r"\W", "", self.version)
        self._lemmas: dict[tuple[str, str], tuple[Any, ...]] = {}
        self._compounds: dict[tuple[str, str], bool] = {}
        self._synsets: dict[str, frozenset[str]] = {}
        self._longest_entry = _longest_entries(reader)

    def lemmas(self, word: str, part_of_speech: PartOfSpeech) -> tuple[Any, ...]:
        """NLTK's lemmas of a word, the most frequent sense first: of the word itself, else of its base form."""
        if len(word) > _LONGEST:
            return ()
        key = (word, part_of_speech)
        found = self._lemmas.get(key)
        if found is None:
            with self._lock:
                found = self._lemmas[key] = tuple(self._find(word.lower(), part_of_speech))
        return found

    def _find(self, word: str, part_of_speech: PartOfSpeech) -> list[Any]:
        for form in dict.fromkeys((word, word.replace("-", "_"), word.replace("-", ""))):
            # `morphy` names the word itself where it is an entry.
            base = self._reader.morphy(form, part_of_speech)
            if base is not None:
                return list(self._reader.lemmas(base, part_of_speech))
        return []

    def derives(self, form: str, lemma: str, part_of_speech: PartOfSpeech) -> bool:
        """Whether WordNet's own morphology takes `form` for one of `lemma`, or knows no such form."""
        if form == lemma or not self.lemmas(form, part_of_speech):
            return True
        synsets = {item.synset() for item in self.lemmas(lemma, part_of_speech)}
        with self._lock:
            return not synsets.isdisjoint(self._reader.synsets(form, part_of_speech))

    def synsets(self, word: str) -> frozenset[str]:
        """The names of all synsets of a word, of any part of speech and through its base forms."""
        if len(word) > _LONGEST:
            return frozenset()
        found = self._synsets.get(word)
        if found is None:
            with self._lock:
                synsets = self._reader.synsets(word.lower())
                found = self._synsets[word] = frozenset(self.name(synset) for synset in synsets)
        return found

    def name(self, synset: Any) -> str:
        """The name of NLTK's synset: version, offset, part of speech."""
        return f"{self._prefix}-{synset.offset():08d}-{synset.pos().replace('s', 'a')}"

    def words(self, name: str) -> tuple[str, ...]:
        """The words of the synset of this name; none where it is no name of a synset of this inventory."""
        from nltk.corpus.reader.wordnet import WordNetError

        found = re.fullmatch(rf"{self._prefix}-(\d{{8}})-([nvar])", name)
        if found is None:
            return ()
        try:
            with self._lock, warnings.catch_warnings():
                # For an offset where no synset begins, NLTK warns and gives None.
                warnings.simplefilter("ignore")
                synset = self._reader.synset_from_pos_and_offset(found[2], int(found[1]))
        except (WordNetError, ValueError):
            return ()
        return () if synset is None else tuple(word.replace("_", " ") for word in synset.lemma_names())

    def synset_of_key(self, key: str) -> str:
        """The name of the synset of a sense key such as `dream%1:12:00::`. Raises InputError for an unknown key."""
        from nltk.corpus.reader.wordnet import WordNetError

        try:
            with self._lock:
                return self.name(self._reader.lemma_from_key(key).synset())
        except (WordNetError, ValueError, KeyError):
            raise InputError(f"{key!r} is no sense key of WordNet {self.version}") from None

    def with_hypernyms(self, synset: Any, steps: int) -> list[Any]:
        """The synset and its hypernyms (of an instance: its classes) up to `steps` steps away, nearest first."""
        found, last = {synset.offset(): synset}, [synset]
        with self._lock:
            for _ in range(steps):
                above = [parent for child in last for parent in child.hypernyms() + child.instance_hypernyms()]
                last = sorted({parent.offset(): parent for parent in above}.values(), key=lambda item: item.offset())
                for parent in last:
                    found.setdefault(parent.offset(), parent)
        return list(found.values())

    def is_compound(self, lemma: Any, head: str) -> bool:
        """Whether an entry of several words is a kind of what its last word names: lung cancer is, hot dog is not."""
        key = (lemma.key(), head)
        found = self._compounds.get(key)
        if found is None:
            with self._lock:
                kinds = set(self._reader.synsets(head, "n")) if lemma.synset().pos() == "n" else set()
                above = {synset for path in lemma.synset().hypernym_paths() for synset in path} if kinds else set()
                found = self._compounds[key] = not kinds.isdisjoint(above)
        return found

    def longest_entry(self, word: str) -> int:
        """How many tokens the longest entry that begins with this word has, hyphens counted; 1 where none is longer."""
        return self._longest_entry.get(word, 1)


def _longest_entries(reader: Any) -> dict[str, int]:
    longest: dict[str, int] = {}
    for entry in reader.all_lemma_names():
        if "_" not in entry and "-" not in entry:
            continue
        words = re.split("[_-]", entry)
        # Tokenizers make a token of a hyphen, and writers put one where WordNet has a space.
        length = 2 * len(words) - 1
        if length > longest.get(words[0], 1):
            longest[words[0]] = length
    return longest


def load_inventory(wordnet: str = SHIPPED) -> Inventory:
    """The inventory, loaded once a process: "shipped", "nltk" (the user's own NLTK data) or the path of a WordNet.

    A path is a folder with WordNet's files (`data.noun`, `index.noun`, ...) or a zip with such a folder in it.
    """
    with _loading:
        return _load(wordnet)


@functools.cache
def _load(wordnet: str) -> Inventory:
    from nltk.corpus.reader import WordNetCorpusReader

    class Reader(WordNetCorpusReader):  # type: ignore[misc, unused-ignore]
        """NLTK's reader without the map to other versions, which wants a second WordNet."""

        def __init__(self, root: Any) -> None:
            # NLTK warns where the second argument, its multilingual data, is None; nothing here reads it.
            super().__init__(root, False)

        def map_wn(self, version: str = "wordnet") -> None:
            return None

    path = locate(wordnet)
    try:
        return Inventory(Reader(_shipped() if wordnet == SHIPPED else _root(path)))
    except PermissionError as error:
        raise InputError(
            f"{path} may not be read as a WordNet ({str(error).splitlines()[0]}); "
            "NLTK refuses files that other accounts own or may write: chmod go-w them, or copy them to your own"
        ) from None
    except (OSError, ValueError, LookupError, AssertionError, EOFError, zipfile.BadZipFile, lzma.LZMAError) as error:
        detail = (str(error).splitlines() or [type(error).__name__])[0]
        raise InputError(f"{path} is no WordNet that NLTK can read ({detail}); give a folder with data.noun") from None


def locate(wordnet: str = SHIPPED) -> Path:
    """The file or folder of the inventory. Raises where there is none; reads nothing."""
    if wordnet == SHIPPED:
        return resource("models", "wordnet", "wordnet.zip")
    if wordnet == "nltk":
        return _nltk_data()
    path = Path(wordnet).expanduser()
    if not path.exists():
        raise InputError(
            f"no WordNet at {wordnet}; valid: shipped, nltk, or the path of a folder or zip with data.noun"
        )
    return path


def _nltk_data() -> Path:
    import nltk.data

    for name in ("corpora/wordnet", "corpora/wordnet.zip"):
        try:
            return Path(str(nltk.data.find(name)))
        except LookupError:
            continue
    raise NotInstalledError("NLTK has no WordNet here; get it with: python -m nltk.downloader wordnet")


def _shipped() -> Any:
    """The shipped archive, verified, as NLTK's pointer to files in a zip."""
    from nltk.data import ZipFilePathPointer

    files = ModelFiles("wordnet")
    archive = zipfile.ZipFile(io.BytesIO(files.read("wordnet.zip")))
    archive.filename = str(files.folder / "wordnet.zip")
    _register(files.folder)
    return ZipFilePathPointer(archive, "wordnet/")


def _register(folder: Path) -> None:
    """Name a folder among those that NLTK may read."""
    import nltk.data

    if str(folder) not in nltk.data.path:
        nltk.data.path.append(str(folder))


def _root(path: Path) -> Any:
    from nltk.data import FileSystemPathPointer, ZipFilePathPointer

    _register(path.resolve().parent)
    if path.is_dir():
        return FileSystemPathPointer(str(path.resolve()))
    return ZipFilePathPointer(str(path.resolve()), "wordnet/")


@functools.cache
def fingerprint(wordnet: str = SHIPPED) -> str:
    """What identifies the inventory in signatures and in the cache, such as `wordnet-19942a23`. Loads no inventory."""
    path = locate(wordnet)
    digest = hashlib.sha256()
    try:
        files = sorted(path.glob("data.*")) + sorted(path.glob("index.*")) if path.is_dir() else [path]
        for file in files:
            with file.open("rb") as stream:
                while block := stream.read(1 << 20):
                    digest.update(block)
    except OSError as error:
        raise SyntevalError(f"{path} cannot be read ({error.strerror}); check its permissions") from None
    return f"wordnet-{digest.hexdigest()[:8]}"
