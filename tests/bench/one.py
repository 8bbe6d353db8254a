"""One section of the figures, in a process of its own: `python -m tests.bench.one NAME [--quick]`.

Prints a line of JSON for each figure as soon as it is measured. Exit status 1, with the reason in the last line of the
standard error, if something cannot be measured.
"""

from __future__ import annotations

import importlib
import json
import sys
import traceback


def main(argv: list[str]) -> int:
    try:
        module = importlib.import_module(f"tests.bench.bench_{argv[0]}")
        for figure in module.figures("--quick" in argv[1:]):
            print(json.dumps(figure._asdict()), flush=True)
    except Exception as error:
        traceback.print_exc()
        print(" ".join(str(error).split()) or type(error).__name__, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
