"""Common parts of the screens with fields: the cursor, names of cells, the toast in a narrow box."""

from seabattle.const import TYPE_CHECKING
from seabattle.field import EMPTY as KNOWN_EMPTY
from seabattle.field import SHOT

from .keys import DOWN, LEFT, RIGHT, TYPED, UP
from .panel import EMPTY, HIT, MISS, SHIP, SUNK, WATER
from .screens import Screen

if TYPE_CHECKING:
    from seabattle.field import Field
    from seabattle.variants import VariantField

    from .panel import Panel
    from .ui import Ui


# Column letters in code page 866, by language; Russian omits Ё and Й.
_COLUMNS = (b"ABCDEFGHIJ", b"\x80\x81\x82\x83\x84\x85\x86\x87\x88\x8a")

# Looks of the opponent's cells, by code of seabattle.radar: UNKNOWN, MISS, HIT, SUNK, EMPTY.
RADAR_LOOKS = bytes((WATER, MISS, HIT, SUNK, EMPTY))


def own_look(field: "Field | VariantField", cell: int) -> int:
    """Return the look of a cell for the owner of the field."""
    mark = field.mark[cell]
    if field.ship[cell]:
        if mark & SHOT:
            return SUNK if field.is_sunk(cell) else HIT
        return SHIP
    return MISS if mark & SHOT else EMPTY if mark & KNOWN_EMPTY else WATER


class FieldScreen(Screen):
    """A screen with a cursor on a field."""

    blinks = True

    def __init__(self, ui: "Ui") -> None:
        super().__init__(ui)
        self.x = 0
        self.y = 0

    @property
    def size(self) -> int:
        return self.app.player.fleet.width

    @property
    def cell(self) -> int:
        return self.y * self.size + self.x

    def middle(self) -> None:
        """Put the cursor near the middle of the field."""
        self.x = self.y = (self.size - 1) // 2

    def move(self, k: int) -> bool:
        """Move the cursor by an arrow, wrapping at the edges, or to a typed column or row; False for any other key."""
        n = self.size
        if k == UP:
            self.y = (self.y or n) - 1
        elif k == DOWN:
            self.y = (self.y + 1) % n
        elif k == LEFT:
            self.x = (self.x or n) - 1
        elif k == RIGHT:
            self.x = (self.x + 1) % n
        elif k > TYPED:
            return self._typed(k)
        else:
            return False
        return True

    def _typed(self, k: int) -> bool:
        n = self.size
        if 48 <= k < 58:
            # a zero after a one makes ten
            y = 9 if k == 48 and not self.y else k - 49
            if 0 <= y < n:
                self.y = y
            return True
        if 97 <= k < 123:
            k -= 32
        elif 160 <= k < 176:
            k -= 32
        for letters in _COLUMNS:
            for x in range(n):
                if letters[x] == k:
                    self.x = x
                    return True
        return False

    def letter(self, x: int) -> int:
        return _COLUMNS[self.app.storage.language][x]

    def put_cell(self, cell: int) -> None:
        """Write the name of a cell: `B7`, `K10`."""
        p = self.panel
        n = self.size
        p.put(self.letter(cell % n))
        p.number(cell // n + 1)

    def my_look(self, cell: int) -> int:
        """Return the look of a cell of my field."""
        return own_look(self.app.player.field, cell)

    def toast_line(self, y: int, first: int) -> bool:
        """Show line `y - first` of the toast in row `y` of the box; False if there is none."""
        p = self.panel
        if p.rows == 2:
            # a box of two narrow rows is too small for any text: use the whole lower row
            p.covered = 1 if self.ui.toasting else -1
            if y != 1 or not self.ui.toasting:
                return False
            p.pen = p.columns
            p.stop = 2 * p.columns
            p.word(self.ui.toast)
            p.rest()
            return True
        if not self.ui.toasting or y < first:
            return False
        p.row(y)
        self.put_line(self.ui.toast, y - first)
        p.rest()
        return True

    def put_fleets(self, p: "Panel") -> None:
        """Write how many ships each side has left, mine first, `7:10`."""
        p.number(self.ships(0))
        p.put(58)
        p.number(self.ships(1))

    def ships(self, side: int) -> int:
        """Return the ships left on my side (0) or the opponent's (1)."""
        player = self.app.player
        board = player.radar if side else player.field
        n = 0
        for decks in range(1, 5):
            n += board.afloat(decks)
        return n
