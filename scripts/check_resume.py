"""Kill scoring runs at random moments and finish them: the scores must be those of an undisturbed run, every time.

    python scripts/check_resume.py [--kills 200] [--segments 400] [--seed 1]

Every kill is `kill -9`. The same command then runs to its end on the cache that the killed one left.
"""

from __future__ import annotations

import argparse
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

SUBJECTS = ["The dog", "A cat", "My old friend", "Nobody", "The man who came in"]
VERBS = ["barks", "has seen the film", "walked home", "did not know it", "gave her a book"]


def scoring(folder: Path, *more: str) -> subprocess.Popen[str]:
    """A scoring run, started."""
    command = [sys.executable, "-c", "from synteval.cli.main import main; main()", "score", "h.txt", "-r", "r.txt"]
    command += ["--level", "both", "--format", "json", *more]
    return subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def main() -> int:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--kills", type=int, default=200)
    arguments.add_argument("--segments", type=int, default=400)
    arguments.add_argument("--seed", type=int, default=1)
    options = arguments.parse_args()
    rng = random.Random(options.seed)
    texts = [f"{s} {v} {n} times." for n in range(options.segments) for s in SUBJECTS for v in VERBS][
        : options.segments
    ]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "h.txt").write_text("\n".join(texts) + "\n")
        (folder / "r.txt").write_text("\n".join(text.replace("The", "A") for text in texts) + "\n")
        start = time.perf_counter()
        expected, _ = scoring(folder, "--no-cache").communicate()
        whole = time.perf_counter() - start
        killed = finished = different = caches = 0
        while killed < options.kills:
            cache = ("--cache-dir", str(folder / f"cache{caches}"))
            victim = scoring(folder, *cache)
            try:
                output, _ = victim.communicate(timeout=rng.uniform(0.05, whole))
            except subprocess.TimeoutExpired:
                victim.send_signal(signal.SIGKILL)
                victim.communicate()
                killed += 1
                output, _ = scoring(folder, *cache).communicate()
            finished += 1
            different += output != expected
            caches += 1
    print(f"{killed} killed, {finished} finished, {different} different from an undisturbed run")
    return int(different > 0 or not expected)


if __name__ == "__main__":
    raise SystemExit(main())
