"""Read every tree of a folder of treebanks, write it again, and compare: nothing may be lost or changed.

python scripts/check_round_trips.py ../shared/data
"""

from __future__ import annotations

import argparse
from pathlib import Path

from synteval.io.files import read_lines, read_text
from synteval.structures.brackets import parse_brackets, segment_to_brackets
from synteval.structures.conllu import parse_sentence, to_conllu


def brackets(path: Path) -> tuple[int, list[str]]:
    """(trees, differences) of a file with one tree a line."""
    bad, count = [], 0
    for number, line in enumerate(read_lines(path), start=1):
        trees = parse_brackets(line, number)
        count += len(trees)
        if segment_to_brackets([tree.sentence() for tree in trees]) != line.strip():
            bad.append(f"{path}:{number}")
    return count, bad


def conllu(path: Path) -> tuple[int, list[str]]:
    """(sentences, differences) of a CoNLL-U file."""
    bad, count = [], 0
    for block in read_text(path).strip("\n").split("\n\n"):
        count += 1
        if to_conllu(parse_sentence(block.split("\n"))) != block + "\n":
            bad.append(f"{path}: sentence {count}")
    return count, bad


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    folder: Path = parser.parse_args().folder
    files = [(p, brackets) for ending in ("mrg", "ptb") for p in sorted(folder.glob(f"*/**/*.{ending}"))]
    files = [(p, check) for p, check in files if "pe08" not in p.parts]
    files += [(p, conllu) for p in sorted(folder.glob("*/**/*.conllu"))]
    total = different = 0
    for path, check in files:
        count, bad = check(path)
        total, different = total + count, different + len(bad)
        print(f"{path.relative_to(folder)}\t{count} read\t{len(bad)} differ\t{' '.join(bad[:3])}", flush=True)
    print(f"total\t{total} read\t{different} differ")
    raise SystemExit(1 if different else 0)


if __name__ == "__main__":
    main()
