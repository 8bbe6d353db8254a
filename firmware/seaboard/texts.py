"""The texts of seaboard.words in the language that was chosen, and in no other: each language is a module of its own,
which is unloaded when its texts have been taken.
"""

import gc

from . import local_words, words
from .unloading import unload


class Texts:
    """`blob` holds all texts of the language, `start(number)` says where one begins; each ends before a zero byte."""

    def __init__(self) -> None:
        self.local = False
        self.at = bytearray(2 * words.TEXTS)
        self.blob = b""
        self.choose(0)

    def extend(self, local: bool, language: int) -> None:
        """Have the texts of the other games as well, or no more. Allocates."""
        self.local = local
        self.at = bytearray(2 * (local_words.TEXTS if local else words.TEXTS))
        self.choose(language)

    def choose(self, language: int) -> None:
        """0 English, 1 Russian. Takes some milliseconds, and allocates."""
        self.blob = b""  # the language before goes first: there may be no room for both
        gc.collect()
        blob = _texts(language)
        if self.local:
            blob += _local_texts(language)
        self.blob = blob
        at = self.at
        n = 0
        begin = True
        for i in range(len(blob)):
            if begin:
                at[n] = i & 255
                at[n + 1] = i >> 8
                n += 2
            begin = not blob[i]

    def start(self, number: int) -> int:
        return self.at[2 * number] | self.at[2 * number + 1] << 8


def _texts(language: int) -> bytes:
    if language:
        from .words_ru import TEXTS
    else:
        from .words_en import TEXTS
    unload("seaboard.words_ru" if language else "seaboard.words_en")
    return TEXTS


def _local_texts(language: int) -> bytes:
    if language:
        from .local_words_ru import TEXTS
    else:
        from .local_words_en import TEXTS
    unload("seaboard.local_words_ru" if language else "seaboard.local_words_en")
    return TEXTS
