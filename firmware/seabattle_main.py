"""Starts a game that mip has installed: `import seabattle_main`, at the prompt or in a main.py.

mip would overwrite a main.py that is there already, so its package has none. A board that has no main.py gets one from
the first start, which starts the game whenever the power comes on; one that is there stays as it is.
"""

import os

LINE = "import seabattle_main\n"
"""All of such a main.py; what has more in it is somebody else's."""


def start_from_now_on() -> None:
    """Have the game start with the board, unless something else does."""
    try:
        os.stat("main.py")
    except OSError:
        with open("main.py", "w") as file:
            file.write(LINE)
        print("seabattle: main.py written, the game will start with the board")


start_from_now_on()
import seabattle_start  # noqa: E402, F401  (firmware/main.py under this name)
