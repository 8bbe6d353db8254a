"""The settings, which are loaded when they are opened from the main menu."""

from . import words
from .screens import List


class Settings(List):
    """What is kept in the board."""

    def enter(self):
        super().enter()
        self.start(words.S_TITLE)
        self.add_all(words.S_LANGUAGE, words.S_RESET)
        self.line = 0
        board = self.app.board
        if hasattr(board, "lines"):
            self.line = board.lines.index(board.line)
            self.add(words.S_LINE)

    def value(self, word):
        p = self.panel
        kept = self.app.kept
        if word == words.S_NICK:
            n = kept.nick_size
            # where it is too long for the row, it goes over the end of its heading
            p.pen = min(p.pen, p.stop - n - 1)
            p.put(32)
            self.right(n)
            p.letters(kept.data, kept.nick_at, kept.nick_at + n)
            return
        value = self._word(word, kept)
        if value:
            t = self.app.texts
            i = t.start(value)
            n = 0
            while t.blob[i + n]:
                n += 1
            self.right(n)
            p.word(value)

    def _word(self, word, kept):
        if word == words.S_LANGUAGE:
            return words.V_LANGUAGE
        if word == words.S_LETTERS:
            return words.V_CP866 if kept.letters else words.V_ASCII
        if word == words.S_LEVEL:
            return words.V_RANDOM + kept.level - 1
        if word == words.S_TAGGED:
            return words.V_TAGGED if kept.tagged else words.V_RAW
        if word == words.S_SOUND:
            return words.V_ON if kept.sound else words.V_OFF
        if word == words.S_LINE:
            return words.V_UART + self.line
        return 0

    def changes(self, word):
        return word != words.S_NICK and word != words.S_RESET

    def change(self, word, by):
        app = self.app
        kept = app.kept
        if word == words.S_LANGUAGE:
            kept.language = 1 - kept.language
            app.texts.choose(kept.language)
        elif word == words.S_LETTERS:
            kept.letters = not kept.letters
        elif word == words.S_LEVEL:
            kept.level = (kept.level - 1 + by) % 4 + 1
        elif word == words.S_TAGGED:
            kept.tagged = not kept.tagged
        elif word == words.S_SOUND:
            kept.sound = not kept.sound
            app.sound(1)
        elif word == words.S_LINE:
            self.line = (self.line + by) % len(app.board.lines)
        kept.changed = True

    def chosen(self, word):
        if word == words.S_NICK:
            self.ui.letters.write_nick(self)
        elif word == words.S_RESET:
            self.app.kept.reset()
            self.ui.say(words.CLEARED)
        else:
            self.change(word, 1)

    def left(self):
        self.app.kept.save()
        board = self.app.board
        if hasattr(board, "lines") and board.lines[self.line] != board.line:
            # the cables are made when the board starts
            board.choose_line(board.lines[self.line])
        self.ui.back()
