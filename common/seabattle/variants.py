"""The variants of the classic game: corners may touch, ships may be bent, any fleet on any field, the wall rule.

`Rules` says which variant it is, `VariantField` is a player's own field, `VariantRadar` what is known of the other's,
`VariantGunner` a computer's aim, and `Variants` the game of two players with the turns of `classic`.

Cells are y * width + x from the top left. A ship is named by its shape, a number 0..SHAPES-1 for a form in one
orientation, and the upper left corner of the box around it. After construction nothing is allocated.
"""

from .classic import NOBODY, NOT_NOW, PLACING, Classic
from .field_codes import HIT, MISS, NONE_LEFT, OUT, OVERLAP, REPEAT, SUNK, TOUCH, WALL  # noqa: F401
from .fleet import MAX_LENGTH  # noqa: F401
from .variant_field import (  # noqa: F401  (all that who plays a variant needs)
    BAD_SHAPE,
    BUSY,
    DONE,
    IMPOSSIBLE,
    KNOWN,
    NOT_FOUND,
    SHOT,
    VariantField,
)
from .variant_gunner import VariantGunner  # noqa: F401
from .variant_radar import (  # noqa: F401
    ALONG_WALL,
    FALSE_REPEAT,
    NO_PLACE,
    NO_SUCH_SHIP,
    SHIPS_TOUCH,
    VariantRadar,
    component,
)
from .variant_rules import (  # noqa: F401
    BAD_COUNT,
    BAD_SIZE,
    BENT,
    HIGH,
    LENGTH,
    MAX_CELLS,
    NO_ROOM,
    OK,
    SHAPES,
    SHIPS_MOST,
    SIZE_LEAST,
    SIZE_MOST,
    WIDE,
    Rules,
    deck_x,
    deck_y,
)


class Variants(Classic):
    """A game of two by any Rules, in `fleet`; set them before start(). For the rest see seabattle.classic.Classic.

    max_cells: of the largest field to be played on, 100..MAX_CELLS; the object begins with the classic 10x10.
    """

    def __init__(self, rng, max_cells=MAX_CELLS):
        self.rng = rng
        self.fleet = Rules()
        self.fields = (VariantField(max_cells), VariantField(max_cells))
        self.radars = (VariantRadar(max_cells), VariantRadar(max_cells))
        self.shots = [0, 0]
        self._ready = bytearray(2)
        self.stage = PLACING
        self.turn = 0
        self.winner = NOBODY
        self.proof = 0
        self.last = -1
        self.last_player = NOBODY
        self.last_result = MISS
        self.start()

    def put(self, player, shape, x, y):
        """Place a ship, which here has a shape in place of a length: VariantField.place(), or NOT_NOW."""
        if not self.placing(player):
            return NOT_NOW
        field = self.fields[player]  # a VariantField, which the checker takes for a Field
        return field.place(shape, x, y)  # type: ignore[call-arg]
