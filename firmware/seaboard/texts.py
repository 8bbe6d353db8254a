"""The texts of seaboard.words in the language that was chosen."""

from . import words


class Texts:
    """`blob` holds all texts of the language, `start(number)` says where one begins; each ends before a zero byte."""

    def __init__(self):
        self.at = bytearray(2 * words.TEXTS)
        self.blob = b""
        self.choose(0)

    def choose(self, language):
        """0 English, 1 Russian. Takes some milliseconds."""
        self.blob = blob = words.RUSSIAN if language else words.ENGLISH
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
