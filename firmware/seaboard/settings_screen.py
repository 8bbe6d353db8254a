"""The settings screen, loaded when it is opened from the main menu."""

from seabattle.const import TYPE_CHECKING

from . import words
from .screens import List

if TYPE_CHECKING:
    from .storage import Storage


class Settings(List):
    """The settings saved on the board."""

    def enter(self) -> None:
        super().enter()
        self.start(words.S_TITLE)
        self.add_all(words.S_LANGUAGE, words.S_RESET)
        self.line = 0
        board = self.app.board
        if hasattr(board, "lines"):
            self.line = board.lines.index(board.line)
            self.add(words.S_LINE)

    def value(self, word: int) -> None:
        p = self.panel
        storage = self.app.storage
        if word == words.S_NICK:
            n = storage.nick_size
            # if it is too long for the row, it overwrites the end of its label
            p.pen = min(p.pen, p.stop - n - 1)
            p.put(32)
            self.right(n)
            p.letters(storage.data, storage.nick_at, storage.nick_at + n)
            return
        value = self._word(word, storage)
        if value:
            t = self.app.texts
            i = t.start(value)
            n = 0
            while t.blob[i + n]:
                n += 1
            self.right(n)
            p.word(value)

    def _word(self, word: int, storage: "Storage") -> int:
        if word == words.S_LANGUAGE:
            return words.V_LANGUAGE
        if word == words.S_LETTERS:
            return words.V_CP866 if storage.letters else words.V_ASCII
        if word == words.S_LEVEL:
            return words.V_RANDOM + storage.level - 1
        if word == words.S_TAGGED:
            return words.V_TAGGED if storage.tagged else words.V_RAW
        if word == words.S_SOUND:
            return words.V_ON if storage.sound else words.V_OFF
        if word == words.S_LINE:
            return words.V_UART + self.line
        return 0

    def changes(self, word: int) -> bool:
        return word != words.S_NICK and word != words.S_RESET

    def change(self, word: int, by: int) -> None:
        app = self.app
        storage = app.storage
        if word == words.S_LANGUAGE:
            storage.language = 1 - storage.language
            app.texts.choose(storage.language)
        elif word == words.S_LETTERS:
            storage.letters = not storage.letters
        elif word == words.S_LEVEL:
            storage.level = (storage.level - 1 + by) % 4 + 1
        elif word == words.S_TAGGED:
            storage.tagged = not storage.tagged
        elif word == words.S_SOUND:
            storage.sound = not storage.sound
            app.sound(1)
        elif word == words.S_LINE:
            self.line = (self.line + by) % len(app.board.lines)
        storage.changed = True

    def chosen(self, word: int) -> None:
        if word == words.S_NICK:
            self.ui.letters.write_nick(self)
        elif word == words.S_RESET:
            self.app.storage.reset()
            self.ui.show_message(words.CLEARED)
        else:
            self.change(word, 1)

    def left(self) -> None:
        self.app.storage.save()
        board = self.app.board
        if hasattr(board, "lines") and board.lines[self.line] != board.line:
            # lines are set up when the board starts
            board.choose_line(board.lines[self.line])
        self.ui.back()
