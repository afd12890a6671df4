"""Run one of the benchmarks in scripts/benchmarks: how long things take, beside something well known.

python scripts/benchmark.py NAME [options]        python scripts/benchmark.py NAME --help
"""

from __future__ import annotations

import runpy
import sys
from pathlib import Path

FOLDER = Path(__file__).parent / "benchmarks"


def main() -> int:
    """Run the benchmark that the first argument names, with the other arguments."""
    names = sorted(path.stem for path in FOLDER.glob("*.py") if not path.stem.startswith("_"))
    if len(sys.argv) < 2 or sys.argv[1] not in names:
        print(f"{(__doc__ or '').strip()}\n\nNAME is one of: {', '.join(names)}", file=sys.stderr)
        return 2
    name = sys.argv[1]
    sys.argv[:2] = [f"benchmark.py {name}"]
    sys.path.insert(0, str(FOLDER))
    runpy.run_path(str(FOLDER / f"{name}.py"), run_name="__main__")
    return 0


if __name__ == "__main__":
    sys.exit(main())
