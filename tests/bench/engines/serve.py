"""The loop of every engine's process: plays for the requested time and reports the counts."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable


def serve(play: Callable[[], tuple[int, int]]) -> None:
    """For each line with a number of seconds, play games for that long and print the counts.

    play: plays one game and returns all its shots and those of its winner. A line of output has the games, their shots,
    the winners' shots, and the processor time in seconds. Ends with the input.
    """
    play()  # one-time costs of the first game
    for line in sys.stdin:
        games = shots = winner_shots = 0
        began = time.process_time()
        while (spent := time.process_time() - began) < float(line):
            all_shots, winners = play()
            games += 1
            shots += all_shots
            winner_shots += winners
        print(games, shots, winner_shots, spent, flush=True)
