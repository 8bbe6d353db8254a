"""The texts of seaboard.words in the language that was chosen."""

from . import words


class Texts:
    """`blob` holds all texts of the language, `start(number)` says where one begins; each ends before a zero byte."""

    def __init__(self):
        self.more = None
        self.at = bytearray(2 * words.TEXTS)
        self.blob = b""
        self.choose(0)

    def extend(self, more, language):
        """Have another module's texts as well, whose numbers follow; None: no others any more. Allocates."""
        self.more = more
        self.at = bytearray(2 * (more or words).TEXTS)
        self.choose(language)

    def choose(self, language):
        """0 English, 1 Russian. Takes some milliseconds; allocates where there are other texts."""
        self.blob = blob = words.RUSSIAN if language else words.ENGLISH
        more = self.more
        if more is not None:
            self.blob = blob = blob + (more.RUSSIAN if language else more.ENGLISH)
        at = self.at
        n = 0
        begin = True
        for i in range(len(blob)):
            if begin:
                at[n] = i & 255
                at[n + 1] = i >> 8
                n += 2
            begin = not blob[i]

    def start(self, number):
        return self.at[2 * number] | self.at[2 * number + 1] << 8
