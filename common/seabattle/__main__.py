"""`python -m seabattle` on a PC is the command `seabattle`. Nothing imports this file, so that boards never get it."""

import runpy  # type: ignore[import-not-found, unused-ignore]

runpy.run_module("seabattle_host", run_name="__main__", alter_sys=True)
