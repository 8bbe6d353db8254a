"""How much of a search or of random games a run of the tests covers.

`make test` takes the short sizes, a sample. Before a size is cut, plant faults and see that both sizes find the same.
With SEABATTLE_PROOF=full in the environment the proofs run in full size, as docs/proof.md states them.
"""

from __future__ import annotations

import os
from typing import TypeVar

Size = TypeVar("Size")


def proof(short: Size, full: Size) -> Size:
    """Return the full size if requested, otherwise the short one."""
    return full if os.environ.get("SEABATTLE_PROOF") == "full" else short
