"""The variants of the classic game: corners may touch, ships may be bent, any fleet on any field, the wall rule.

`Rules` defines a variant, `VariantField` is a player's own field, `VariantRadar` what is known of the other's,
`VariantGunner` the computer's aim, and `Variants` the two-player game with the turns of `classic`.

Cells are y * width + x from the top left. A ship is identified by its shape, a number 0..SHAPES-1 for a form in one
orientation, and the upper left corner of its bounding box. Nothing is allocated after construction.
"""

from .classic import NOT_NOW, Classic
from .const import TYPE_CHECKING
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

if TYPE_CHECKING:
    from .rng import Rng


class Variants(Classic):
    """A two-player game under any Rules, in `fleet`; set them before start().

    For the rest see seabattle.classic.Classic.

    max_cells: of the largest field, 100..MAX_CELLS; the object starts with the classic 10x10.
    """

    # To Classic these are the same: it uses only what both kinds have.
    fleet: Rules
    fields: tuple[VariantField, VariantField]  # type: ignore[assignment]
    radars: tuple[VariantRadar, VariantRadar]  # type: ignore[assignment]

    def __init__(self, rng: "Rng", max_cells: int = MAX_CELLS) -> None:
        self.fleet = Rules()
        self.fields = (VariantField(max_cells), VariantField(max_cells))
        self.radars = (VariantRadar(max_cells), VariantRadar(max_cells))
        self._begin(rng)

    def put(self, player: int, shape: int, x: int, y: int) -> int:
        """Place a ship by its shape instead of its length; return what VariantField.place() returns, or NOT_NOW."""
        if not self.placing(player):
            return NOT_NOW
        return self.fields[player].place(shape, x, y)
