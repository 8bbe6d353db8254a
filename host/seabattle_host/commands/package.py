"""`seabattle package`: the game as a package for mip, MicroPython's package installer.

The package is a folder with the compiled modules and a package.json that lists them; mpremote installs it from the
folder, and a board with a network from wherever the folder is served. The package.json at the root of the checkout
lists the sources instead, for boards with enough memory to compile them, and is written by `python -m
seabattle_host.commands.package`.

With --frozen the folder holds sources, and a manifest.py with which MicroPython's build freezes them into an image.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path, PurePosixPath

from seabattle_host import __version__, assets
from seabattle_host.boards import deploy
from seabattle_host.commands import board_options, options
from seabattle_host.errors import UserError
from seabattle_host.language.messages import tr
from seabattle_host.language.system import why

NAME = "package.json"
MANIFEST = "manifest.py"
_LIB = "lib/"


def register(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the command and its options."""
    about = tr("package_about")
    parser = subparsers.add_parser("package", help=about, description=about)
    parser.add_argument("folder", type=Path, metavar="FOLDER", help=tr("help_package_folder"))
    names = [kind.name for kind in deploy.kinds()]
    about = tr("help_board_for", names=", ".join(names))
    options.with_choices(parser.add_argument("--board", metavar="NAME", required=True, help=about), names)
    board_options.add(parser)
    parser.add_argument("--frozen", action="store_true", help=tr("help_frozen"))
    options.add_lang(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Write the package; return the exit status."""
    kind = deploy.kind_by_name(args.board)
    changes = board_options.changes(args, kind)
    folder: Path = args.folder
    name = MANIFEST if args.frozen else NAME
    try:
        if folder.is_dir() and any(folder.iterdir()) and not (folder / name).is_file():
            raise UserError(tr("folder_taken", path=folder))
        folder.mkdir(parents=True, exist_ok=True)  # before compiling, which takes seconds
        files = deploy.frozen_files(kind, changes) if args.frozen else deploy.packaged_files(kind, changes)
        for path, data in files.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_bytes(data)
        if not args.frozen:
            (folder / NAME).write_text(listing({path: path for path in files}), encoding="utf-8")
    except OSError as error:
        raise UserError(tr("folder_failed", path=folder, reason=why(error))) from None
    print(tr("packaged", count=len(files), board=kind.name, path=folder / name))
    if args.frozen:
        print(tr("how_to_freeze", board=kind.values["DOWNLOAD"], path=(folder / name).absolute()))
    else:
        print(tr("how_to_install", path=folder / name))
    return 0


def listing(files: dict[str, str]) -> str:
    """Return the text of a package.json.

    files: path in a board's lib -> path of the file relative to the package.json, without `..`: not every server
    understands that.
    """
    urls = [[target.removeprefix(_LIB), source] for target, source in sorted(files.items())]
    lines = ",\n".join(f"    {json.dumps(url)}" for url in urls)
    return f'{{\n  "urls": [\n{lines}\n  ],\n  "deps": [],\n  "version": {json.dumps(__version__)}\n}}\n'


def of_sources() -> str:
    """Return the package.json of the checkout: all sources except a board's board.py."""
    root = assets.common().parent
    found = {f"{path}.py": assets.firmware() / name for path, name in deploy.STARTS.items()}
    for kind in deploy.kinds():
        found.update({f"{path}.py": source for path, source in deploy.modules(kind).items()})
    return listing({path: str(PurePosixPath(source.relative_to(root))) for path, source in found.items()})


def main() -> int:
    """Write the package.json of the checkout."""
    (assets.common().parent / NAME).write_text(of_sources(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
