"""Build models/wordnet/wordnet.zip, the sense inventory, from WordNet 3.0 as Debian packages it.

    apt-get install wordnet-base wordnet-sense-index
    python scripts/build_wordnet.py

The files stay in Princeton's format and every synset stays at its byte offset, because an offset is part of a synset's
identity: the gloss of a synset is overwritten by spaces, which compress to nothing, never cut out.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import sys
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PARTS_OF_SPEECH = ("adj", "adv", "noun", "verb")
# Debian leaves `lexnames` out; numbers and names are those of WordNet's manual page lexnames(5WN).
LEXNAMES = re.findall(
    r"\S+",
    """
    adj.all adj.pert adv.all noun.Tops noun.act noun.animal noun.artifact noun.attribute noun.body
    noun.cognition noun.communication noun.event noun.feeling noun.food noun.group noun.location noun.motive
    noun.object noun.person noun.phenomenon noun.plant noun.possession noun.process noun.quantity
    noun.relation noun.shape noun.state noun.substance noun.time verb.body verb.change verb.cognition
    verb.communication verb.competition verb.consumption verb.contact verb.creation verb.emotion verb.motion
    verb.perception verb.possession verb.social verb.stative verb.weather adj.ppl
    """,
)
SYNTACTIC_CATEGORY = {"noun": 1, "verb": 2, "adj": 3, "adv": 4}
# A constant, so that the same input gives the same archive.
TIMESTAMP = (2006, 12, 6, 0, 0, 0)


def without_glosses(data: bytes) -> bytes:
    """A data file with everything after the `|` of a synset turned into spaces; the header (the licence) stays."""
    lines = data.split(b"\n")
    for number, line in enumerate(lines):
        if line.startswith(b" ") or b"|" not in line:
            continue
        kept = line.index(b"|") + 1
        lines[number] = line[:kept] + b" " * (len(line) - kept)
    return b"\n".join(lines)


def lexnames() -> bytes:
    """The file `lexnames`: number, name and syntactic category of every lexicographer file."""
    rows = (f"{i:02d}\t{name}\t{SYNTACTIC_CATEGORY[name.split('.')[0]]}\n" for i, name in enumerate(LEXNAMES))
    return "".join(rows).encode("ascii")


def files(source: Path) -> dict[str, bytes]:
    """What WordNetCorpusReader opens, by file name."""
    content = {"lexnames": lexnames()}
    for name in ("cntlist.rev", "index.sense"):
        content[name] = (source / name).read_bytes()
    for part in PARTS_OF_SPEECH:
        content[f"index.{part}"] = (source / f"index.{part}").read_bytes()
        content[f"{part}.exc"] = (source / f"{part}.exc").read_bytes()
        content[f"data.{part}"] = without_glosses((source / f"data.{part}").read_bytes())
    return content


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--source", type=Path, default=Path("/usr/share/wordnet"), help="directory of WordNet's files")
    parser.add_argument("--output", type=Path, default=ROOT / "models" / "wordnet" / "wordnet.zip")
    options = parser.parse_args()
    try:
        content = files(options.source)
    except FileNotFoundError as error:
        print(f"{error.filename} is missing: apt-get install wordnet-base wordnet-sense-index", file=sys.stderr)
        return 2
    options.output.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(options.output, "w", zipfile.ZIP_LZMA) as archive:
        for name, data in sorted(content.items()):
            entry = zipfile.ZipInfo(f"wordnet/{name}", TIMESTAMP)
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, data, zipfile.ZIP_LZMA)
    digest = hashlib.sha256(options.output.read_bytes()).hexdigest()
    manifest = {"version": "3.0", "sha256": {options.output.name: digest}}
    options.output.with_name("manifest.json").write_text(json.dumps(manifest, indent=1) + "\n")
    print(f"{options.output}: {len(content)} files, {options.output.stat().st_size / 1e6:.2f} MB")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
