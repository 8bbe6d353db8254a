"""Heap use of statements on MicroPython: `heap.py STATEMENT...` prints the bytes that each leaves in use.

One number a line; the statements share one set of names. The 32-bit interpreter needs `wasm.py --collect` for this,
which is safe because the collector is called from the top level only.
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
