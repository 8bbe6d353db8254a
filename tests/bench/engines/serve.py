"""What every engine's process does: plays for as long as it is asked to, and says how far it came."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable


def serve(play: Callable[[], tuple[int, int]]) -> None:
    """For each line with a number of seconds, play games for so long and print what they came to.

    play: plays one game and gives all its shots and those of its winner. A line of output has the games, their shots,
    the winners' shots, and the processor's seconds. Ends with the input.
    """
    play()  # what only the first game pays for
    for line in sys.stdin:
        games = shots = winner_shots = 0
        began = time.process_time()
        while (spent := time.process_time() - began) < float(line):
            all_shots, winners = play()
            games += 1
            shots += all_shots
            winner_shots += winners
        print(games, shots, winner_shots, spent, flush=True)
