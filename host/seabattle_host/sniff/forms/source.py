"""A file for the readers: unpacked, decoded, with its beginning in memory, never the whole.

A capture may be packed with gzip, bzip2, xz or zstd; its text may be UTF-8 or UTF-16, with or without a BOM, or in a
single-byte code page; its lines may have any line ends.
"""

from __future__ import annotations

import bz2
import codecs
import gzip
import importlib
import io
import lzma
import os
import re
import shutil
import stat
import sys
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from functools import cache
from itertools import islice
from typing import IO, Any, cast

from seabattle_host.errors import UserError
from seabattle_host.language.messages import tr
from seabattle_host.language.system import why
from seabattle_host.sniff.forms import sides
from seabattle_host.sniff.forms.decoration import Peel

SAMPLE = 1 << 18
"""Bytes of the beginning by which a form is recognised."""


def _gunzip(stream: IO[bytes]) -> IO[bytes]:
    return cast(IO[bytes], gzip.GzipFile(fileobj=stream, mode="rb"))


def _unzip(stream: IO[bytes]) -> IO[bytes]:
    archive = zipfile.ZipFile(stream)
    (only,) = _inside(archive)
    return archive.open(only)


@cache
def _zstd() -> Any:
    """Return the module that unpacks zstd, None if there is none: Python has one from 3.14 on."""
    for name in ("compression.zstd", "backports.zstd"):
        try:
            return importlib.import_module(name)
        except ImportError:
            continue
    return None


def _unzstd(stream: IO[bytes]) -> IO[bytes]:
    return cast(IO[bytes], _zstd().ZstdFile(stream))


def _inside(archive: zipfile.ZipFile) -> list[str]:
    return [name for name in archive.namelist() if not name.endswith("/") and not name.startswith("__MACOSX/")]


_PACKERS: tuple[tuple[bytes, str, Any], ...] = (
    (b"\x1f\x8b", "gzip", _gunzip),
    (b"BZh", "bzip2", bz2.BZ2File),
    (b"\xfd7zXZ\0", "xz", lzma.LZMAFile),
    (b"\x5d\0\0", "lzma", lzma.LZMAFile),
    (b"PK\x03\x04", "zip", _unzip),
    (b"\x28\xb5\x2f\xfd", "zstd", _unzstd),
)
_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_ESCAPE = r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[ -/]+[0-~]|[0-~])"
_ESCAPES = re.compile(_ESCAPE)
_CODED_ESCAPES = re.compile(_ESCAPE.encode())
"""Terminal escape sequences."""

_ALIKE: dict[int, str | None] = {
    **dict.fromkeys((0x1680, *range(0x2000, 0x200B), 0x205F, 0x3000), " "),
    **dict.fromkeys((*range(0x200B, 0x2010), *range(0x202A, 0x202F), 0x2060, *range(0x2066, 0x206A), 0xFEFF)),
    **dict.fromkeys(map(ord, "\u201c\u201d\u201e"), '"'),
    **dict.fromkeys(map(ord, "\u2018\u2019\u201a"), "'"),
    **{wide: chr(wide - 0xFEE0) for wide in (*range(0xFF10, 0xFF1A), *range(0xFF21, 0xFF3B), *range(0xFF41, 0xFF5B))},
    0x2212: "-",
}
"""Characters that editors and chats substitute: wide and narrow spaces, invisible marks, quotes."""

_CODE_PAGES = (
    "cp1251", "cp866", "koi8-r", "mac-cyrillic", "iso8859-5",
    "gb18030", "big5", "shift_jis", "euc-jp", "euc-kr",
    "latin-1", "cp1250", "cp850", "mac-roman",
)  # fmt: skip
_RUSSIAN = "прием|приём|передач|отправл|принят|ведущ|ведом|мастер|запис|чтен|врем|байт|порт|данн|вход|выход|направл"
_COLUMNS = "发[→←]|收[→←]|[发收]：|【|】|：|[◆◇]|时间|時間|方向|数据|數據|發送|länge|größe|données|dirección|długość"


_BLOCK = 1 << 16
"""Bytes of lines read together."""
_LINES = 256
"""Lines read together if they have to be decoded or rewritten."""

_LOOKED_AT = 1 << 14
"""Characters looked at to plan the notation of lines."""

_WORD_END = re.compile(r".*[^\w\\.-](?=\w)", re.DOTALL)


def _is_device(name: str) -> bool:
    """Return whether this is a device that may have no end, such as a port, a disk or /dev/zero."""
    mode = os.stat(name).st_mode
    if stat.S_ISBLK(mode):
        return True
    if not stat.S_ISCHR(mode) or os.path.samefile(name, os.devnull):
        return False
    try:
        return not os.path.samestat(os.stat(name), os.fstat(0))  # a terminal under another name ends with Ctrl-D
    except OSError:
        return True


class Source:
    """One file. `wrapped` lists its packing and encoding; `cut` is set if packed data ends too early."""

    def __init__(self, name: str, data: bytes | None = None):
        """data: the content, if already in memory. Raises UserError for a file that cannot be read."""
        self._path = name
        self.name = tr("standard_input") if name == "-" else name
        """As it is told to the user."""
        self.wrapped: list[str] = []
        self.cut = False
        self._data = data
        self._spool: IO[bytes] | None = None
        self._packers: list[Any] = []
        self._skip = 0
        self._looked_at: list[str] | None = None
        self._peel: Peel | None = None
        self._rewrite: Callable[[str], str] | None = None
        try:
            self._unwrap()
            self._look()
        except OSError as error:
            raise UserError(tr("sniff_cannot_read", file=self.name, reason=why(error))) from None

    def _look(self) -> None:
        self.sample = self._beginning(SAMPLE)
        self.whole = len(self.sample) < SAMPLE
        self.encoding = self._encoding()
        """The text encoding; empty if it is not text."""
        self.head = self._head()
        """Its first lines, without line ends."""

    def open(self) -> IO[bytes]:
        """Open the content, unpacked, after any BOM."""
        stream = self._unpacked()
        if self._packers:
            stream = io.BufferedReader(cast(io.RawIOBase, _Steady(stream, self)), 1 << 16)
        stream.read(self._skip)
        return stream

    @property
    def is_packed(self) -> bool:
        """Return whether reading it means to unpack it."""
        return bool(self._packers)

    def end(self, size: int) -> bytes:
        """Return its last bytes."""
        if not self._packers:
            with self.open() as stream:
                stream.seek(max(stream.tell(), stream.seek(0, io.SEEK_END) - size))
                return stream.read()
        end = b""
        for block in self.blocks():
            end = (end + block)[-size:]
        return end

    def blocks(self, size: int = 1 << 16) -> Iterator[bytes]:
        """Yield its bytes in blocks."""
        with self.open() as stream:
            while block := stream.read(size):
                yield block

    def lines(self) -> Iterator[tuple[str, bool]]:
        """Yield its lines without line ends, each with whether it had one."""
        with self.open() as stream:
            text = io.TextIOWrapper(
                cast(io.BufferedReader, stream), encoding=self.encoding or "utf-8", errors="replace", newline=None
            )
            for line in text:
                ended = line[-1] == "\n"
                if ended:
                    line = line[:-1]
                if "\x1b" in line or not line.isascii():
                    line = _plain(line)
                if self._peel is not None and (peeled := self._peel.fullmatch(line)) is not None:
                    line = peeled[1]
                yield self._rewrite(line) if self._rewrite else line, ended

    def coded_blocks(self) -> Iterator[bytes]:
        """Yield its lines as UTF-8, many at a time.

        Each has a newline except an incomplete last line; invalid UTF-8 is left unchanged.
        """
        if self.encoding not in ("", "utf-8") or self._rewrite or self._peel:
            lines = self.lines()
            while some := [line + "\n" * ended for line, ended in islice(lines, _LINES)]:
                yield "".join(some).encode("utf-8", "surrogateescape")
            return
        with self.open() as stream:
            while block := stream.read(_BLOCK) + stream.readline():
                if b"\r" not in block and b"\x1b" not in block:
                    yield block
                    continue
                whole = bytearray()
                for coded in io.BytesIO(block):
                    if b"\r" in coded or b"\x1b" in coded:
                        text = coded.decode("utf-8", "replace").replace("\r\n", "\n").replace("\r", "\n")
                        coded = _ESCAPES.sub("", text).encode()
                    whole += coded
                yield bytes(whole)

    def beginning(self) -> list[str]:
        """Return its first lines that are not empty, without line ends.

        They are few enough to be parsed in many ways; a long one is cut at a word.
        """
        if self._looked_at is None:
            self._looked_at = []
            letters = 0
            for line in self.head:
                if letters >= _LOOKED_AT:
                    break
                if len(line) > _LOOKED_AT:
                    begin = _WORD_END.match(line, 0, _LOOKED_AT)
                    line = begin[0] if begin else line[:_LOOKED_AT]
                if line.strip():
                    self._looked_at.append(line)
                    letters += len(line)
        return self._looked_at

    def read(self, most: int) -> bytes:
        """Return the content, up to so many bytes."""
        with self.open() as stream:
            return stream.read(most)

    def seen(self, data: bytes, name: str) -> Source:
        """Return the same file with this content; name: what was done to it."""
        other = Source(self.name, data)
        other.wrapped = [*self.wrapped, name]
        other.cut = self.cut
        return other

    def rewrite(self, how: Callable[[str], str]) -> None:
        """Rewrite each line before it is read, after any earlier rewriting."""
        before = self._rewrite
        self._rewrite = how if before is None else lambda line: how(before(line))
        self._looked_at = None
        self.head = [how(line) for line in self.head]

    def peel(self, around: Peel | None) -> None:
        """Remove this decoration from each line; None restores it."""
        self._peel = around
        self._looked_at = None
        whole = self._head()
        bare = [match[1] if around and (match := around.fullmatch(line)) else line for line in whole]
        self.head = list(map(self._rewrite, bare)) if self._rewrite else bare

    @property
    def is_peeled(self) -> bool:
        """Whether a decoration of each line is removed."""
        return self._peel is not None

    def _unpacked(self) -> IO[bytes]:
        stream = self._raw()
        for packer in self._packers:
            stream = packer(stream)
        return stream

    def _raw(self) -> IO[bytes]:
        if self._data is not None:
            return io.BytesIO(self._data)
        if self._spool is None and (self._path == "-" or not os.path.isfile(self._path)):
            self._copy_to_file()
        if self._spool is not None:
            return open(os.dup(self._spool.fileno()), "rb") if self._rewound() else self._spool
        return open(self._path, "rb")

    def _copy_to_file(self) -> None:
        """Copy what can be read only once (a pipe, a device) into a temporary file."""
        if self._path != "-" and _is_device(self._path):
            raise UserError(tr("sniff_device", file=self._path))
        self._spool = tempfile.TemporaryFile()  # noqa: SIM115
        if self._path == "-":
            shutil.copyfileobj(sys.stdin.buffer, self._spool)
        else:
            with open(self._path, "rb") as pipe:
                shutil.copyfileobj(pipe, self._spool)
        self._spool.flush()

    def _rewound(self) -> bool:
        assert self._spool is not None
        self._spool.seek(0)
        return True

    def _beginning(self, size: int) -> bytes:
        with self.open() as stream:
            return stream.read(size)

    def _unwrap(self) -> None:
        for _layer in range(3):
            begin = self._beginning(8)
            for magic, name, packer in _PACKERS:
                if begin.startswith(magic) and self._can_unpack(packer):
                    self._packers.append(packer)
                    self.wrapped.append(name)
                    break
            else:
                break
        begin = self._beginning(4)
        for bom, encoding in _BOMS:
            if begin.startswith(bom):
                self._skip = len(bom)
                self._marked = encoding
                if encoding != "utf-8":
                    self.wrapped.append(encoding.upper().replace("-LE", "LE").replace("-BE", "BE"))
                return
        self._marked = ""

    def _can_unpack(self, packer: Any) -> bool:
        if packer is _unzstd:
            return _zstd() is not None
        return packer is not _unzip or self._is_one()

    def _is_one(self) -> bool:
        """Return whether an archive has exactly one readable file.

        Other programs' recordings and tables have several.
        """
        try:
            with self._unpacked() as stream, zipfile.ZipFile(stream) as archive:
                (only,) = _inside(archive)
                archive.open(only).close()
        except (zipfile.BadZipFile, RuntimeError, NotImplementedError, ValueError, OSError, EOFError, zlib.error):
            return False
        return True

    def _encoding(self) -> str:
        data = self.sample
        if self._marked:
            return self._marked
        for place, encoding in ((0, "utf-32-le"), (3, "utf-32-be")):
            if len(data) >= 16 and not len(data) % 4 and not any(data[1:-1:4] if place else data[2::4]):
                letters = data[place::4]
                if letters.count(0) == 0 and data[3 - place :: 4].count(0) == len(letters):
                    self.wrapped.append(encoding.upper())
                    return encoding
        if (len(data) >= 8 and len(data) % 2 == 0) or len(data) > 64:
            for offset, encoding in ((1, "utf-16-le"), (0, "utf-16-be")):
                zeros, others = data[offset::2], data[1 - offset :: 2]
                # in Cyrillic letters the other byte is 4, not 0
                if (
                    zeros
                    and (zeros.count(0) + zeros.count(4)) > 0.9 * len(zeros)
                    and others.count(0) * 20 < len(others)
                ):
                    self.wrapped.append(encoding.upper().replace("-LE", "LE").replace("-BE", "BE"))
                    return encoding
        # memory cards pad files with zeros
        data = data.rstrip(b"\0")
        try:
            codecs.getincrementaldecoder("utf-8")().decode(data, final=self.whole)
        except UnicodeDecodeError:
            pass
        else:
            return "utf-8" if is_text(data) else ""
        letters_beyond = sum(byte >= 0x80 for byte in data)
        if not is_text(data) or letters_beyond * 4 > 3 * len(data):
            return ""
        known, encoding = _code_page(data[: 1 << 14])
        if letters_beyond * 2 > len(data) and known * _WORDS < min(len(data), 1 << 14):
            return ""
        self.wrapped.append(encoding)
        return encoding

    def _head(self) -> list[str]:
        if not self.encoding:
            return []
        text = codecs.getincrementaldecoder(self.encoding)("replace").decode(self.sample, final=self.whole)
        lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
        if not self.whole or not lines[-1]:
            lines.pop()
        return [_plain(line) for line in lines]


_CONTROLS = bytes(set(range(32)) - set(b"\t\n\r\f\x1b\x1a"))


def is_text(data: bytes) -> bool:
    """Return whether there are no control characters except those that colour a terminal."""
    if b"\x1b" in data:
        data = _CODED_ESCAPES.sub(b"", data)
    return bool(data.strip()) and len(data.translate(None, _CONTROLS)) == len(data)


@cache
def _known_words() -> re.Pattern[str]:
    """Return a pattern of known words beyond ASCII, by which a code page is recognised."""
    words = [
        word for word in sides.WORDS if not word.isascii() and (len(word) > 3 or re.match(f"[{sides.CJK}]{{2}}", word))
    ]
    return re.compile(
        "|".join((_RUSSIAN, _COLUMNS, *sorted(map(re.escape, words), key=len, reverse=True))), re.IGNORECASE
    )


_WORDS = 16
"""Of so many letters one is of a known word where most are beyond ASCII: bytes of a line have some by chance."""


def _code_page(data: bytes) -> tuple[int, str]:
    """Return the code page in which a text has most known words, and how many letters these have."""

    def known(encoding: str) -> int:
        return sum(map(len, _known_words().findall(data.decode(encoding, "ignore"))))

    # the first of equally good ones
    count, _n, encoding = max((known(encoding), -n, encoding) for n, encoding in enumerate(("latin-1", *_CODE_PAGES)))
    return count, encoding


def _plain(line: str) -> str:
    if "\x1b" in line:
        line = _ESCAPES.sub("", line)
    return line if line.isascii() else line.translate(_ALIKE)


def _damages() -> tuple[type[Exception], ...]:
    """Return what unpackers raise at damaged data."""
    usual = (EOFError, zlib.error, lzma.LZMAError, gzip.BadGzipFile, zipfile.BadZipFile)
    return (*usual, _zstd().ZstdError) if _zstd() is not None else usual


class _Steady(io.RawIOBase):
    """A stream of unpacked data that ends at damaged data, instead of raising."""

    def __init__(self, stream: IO[bytes], source: Source):
        # data unpacked before the damage counts
        self._read = getattr(stream, "read1", stream.read)
        self._stream = stream
        self._source = source

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        try:
            data = self._read(len(buffer))
        except _damages():
            self._source.cut = True
            return 0
        except OSError as error:
            # bz2 reports damaged data like this
            if error.errno is not None:
                raise
            self._source.cut = True
            return 0
        buffer[: len(data)] = data
        return len(data)

    def close(self) -> None:
        if not self.closed:
            cast(Any, self._stream).close()
        super().close()
