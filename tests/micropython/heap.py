"""Heap that statements take, on MicroPython: `heap.py STATEMENT...` prints the bytes that each leaves in use.

One number a line. The statements share one set of names. To be run with `wasm.py --collect` on the 32-bit interpreter: the collector is
called from the top level only.
"""

import gc
import sys

names = {}
gc.collect()
used = gc.mem_alloc()
for statement in sys.argv[1:]:
    exec(statement, names)
    gc.collect()
    now = gc.mem_alloc()
    print(now - used)
    used = now
