"""The menu of games at one screen: which one, number of players, and the variant of the classic game."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from pathlib import Path

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, Vertical
from textual.screen import Screen
from textual.widgets import Input, RadioSet

from seabattle import variants
from seabattle.variants import MAX_LENGTH, Rules
from seabattle_host.errors import UserError
from seabattle_host.games.field_view import CLASSIC, MELEE, NAMES, usual_letters
from seabattle_host.games.journal import unfinished
from seabattle_host.games.rules import CLASSIC_VARIANT, Variant, checked, variant
from seabattle_host.games.setup import KINDS, LOT, Setup, any_seed, check_names
from seabattle_host.language.messages import tr
from seabattle_host.language.text import LETTERS
from seabattle_host.player.parameters import LEVELS
from seabattle_host.tui.widgets import Choice, KeyBar, Plain, Stepper, Tick

_SHIPS_MOST = 20
"""Most ships of one length that can be chosen here; the command line accepts more."""

_WIDE = 12


class Following(RadioSet):
    """A radio set whose choice follows the cursor."""

    def action_next_button(self) -> None:
        """Choose the next one."""
        super().action_next_button()
        self._choose()

    def action_previous_button(self) -> None:
        """Choose the previous one."""
        super().action_previous_button()
        self._choose()

    def _choose(self) -> None:
        # mounting the set also moves the cursor once, without a choice of the user
        if self.has_focus:
            self.action_toggle_button()


class Pick(Stepper):
    """A stepper for words."""

    def __init__(self, label: str, words: Sequence[str], value: int = 0, **kwargs: str | None):
        super().__init__(label, 0, len(words) - 1, value, **kwargs)
        self.words = words

    def render(self) -> Text:
        less = "◂" if self.value > self.low else " "
        more = "▸" if self.value < self.high else " "
        return Text(f" {self.label} {less} {self.words[self.value]} {more} ")


class GamesMenu(Screen[Setup | None]):
    """Dismissed with the chosen setup, or None."""

    BINDINGS = [
        Binding("f5", "start", show=False),
        Binding("enter", "start", show=False, priority=True),
        Binding("f7", "usual", show=False),
        Binding("f8", "large", show=False),
        Binding("up", "app.focus_previous", show=False),
        Binding("down", "app.focus_next", show=False),
        Binding("f6", "resume", show=False),
        Binding("f10,escape", "dismiss(None)", show=False),
    ]

    def __init__(self, archive: Path | None = None) -> None:
        """archive: the file of games; journals of unfinished games are next to it."""
        super().__init__()
        self._left = [game for game in unfinished(archive) if not game.chat]
        """Games that can be resumed, the newest last."""

    def compose(self) -> ComposeResult:
        yield Plain(tr("menu_title"), id="title")
        with Horizontal(id="start"):
            with Vertical(id="menu-game", classes="panel"):
                with Following(id="kind", compact=True):
                    for kind in KINDS:
                        yield Choice(tr(f"menu_{kind}"), kind == CLASSIC, name=kind)
                yield Stepper(tr("menu_people"), 1, KINDS[CLASSIC], 1, id="people", classes="gap")
                yield Plain(tr("menu_people_note"))
                yield Plain(tr("menu_names"), classes="gap")
                yield Input(id="names", compact=True, placeholder="A, B", max_length=70)
                yield Pick(tr("menu_level"), tuple(LEVELS), len(LEVELS) - 1, id="level", classes="gap")
                yield Stepper(tr("menu_away"), 0, 99, 0, id="away")
                yield Pick(tr("menu_first"), (tr("menu_by_lot"), *NAMES[:2]), id="first")
                yield Tick(tr("menu_lot"), id="lot", compact=True, classes="gap")
            with Vertical(id="menu-rules", classes="panel"):
                low, high = variants.SIZE_LEAST, variants.SIZE_MOST
                width, height, *ships = CLASSIC_VARIANT[:7]
                yield Stepper(tr("menu_width").ljust(_WIDE), low, high, width, id="width")
                yield Stepper(tr("menu_height").ljust(_WIDE), low, high, height, id="height")
                for length, count in zip(range(MAX_LENGTH, 0, -1), ships, strict=True):
                    label = tr("menu_decks", length=length).ljust(_WIDE)
                    yield Stepper(label, 0, _SHIPS_MOST, count, id=f"ships-{length}")
                yield Tick(tr("menu_corners"), id="corners", compact=True)
                yield Tick(tr("menu_bent"), id="bent", compact=True)
                yield Tick(tr("menu_walls"), id="walls", compact=True)
                yield Plain(tr("menu_letters"))
                with Following(id="letters", compact=True):
                    for name in LETTERS:
                        yield Choice(tr(f"menu_{name}"), name == usual_letters(), name=name)
        yield Plain("", id="problem")
        yield KeyBar()

    def on_mount(self) -> None:
        self.query_one("#menu-game").border_title = tr("menu_game")
        self.query_one("#menu-rules").border_title = tr("menu_rules")
        self.query_one("#kind").focus()
        self._show()

    def on_radio_set_changed(self) -> None:
        self._show()

    @property
    def kind(self) -> str:
        """The chosen game."""
        return self._chosen("kind", CLASSIC)

    def _chosen(self, group: str, usual: str) -> str:
        pressed = self.query_one(f"#{group}", RadioSet).pressed_button
        return (pressed.name if pressed else None) or usual

    def _show(self) -> None:
        classic = self.kind == CLASSIC
        people = self.query_one("#people", Stepper)
        people.high = KINDS[self.kind]
        people.value = min(people.value, people.high)
        people.refresh()
        self.query_one("#lot").display = self.kind == MELEE
        self.query_one("#first").display = classic
        self.query_one("#menu-rules").display = classic
        self.query_one("#problem", Plain).update("")
        keys = [("Enter", tr("key_start"), "screen.start"), ("Tab", tr("key_next_item"), "app.focus_next")]
        if classic:
            keys += [("F7", tr("key_usual"), "screen.usual"), ("F8", tr("key_large"), "screen.large")]
        if self._left:
            keys.insert(1, ("F6", tr("key_resume"), "screen.resume"))
        self.query_one(KeyBar).show([*keys, ("Esc", tr("key_back_menu"), "screen.dismiss(None)")])

    def _put(self, variant: Variant) -> None:
        width, height, *ships = variant[:7]
        self.query_one("#width", Stepper).value = width
        self.query_one("#height", Stepper).value = height
        for length, count in zip(range(MAX_LENGTH, 0, -1), ships, strict=True):
            self.query_one(f"#ships-{length}", Stepper).value = count

    def _chosen_variant(self) -> Variant:
        n5, n4, n3, n2, n1 = (self.query_one(f"#ships-{n}", Stepper).value for n in range(MAX_LENGTH, 0, -1))
        width, height = self.query_one("#width", Stepper).value, self.query_one("#height", Stepper).value
        corners, bent, walls = (self.query_one(f"#{name}", Tick).value for name in ("corners", "bent", "walls"))
        return width, height, n5, n4, n3, n2, n1, corners, bent, walls

    def action_usual(self) -> None:
        """Set the classic fleet on 10x10."""
        self._put(CLASSIC_VARIANT)

    def action_large(self) -> None:
        """Set the fleet with a five-deck ship on 15x15."""
        rules = Rules()
        rules.large()
        self._put(variant(rules))

    def action_start(self) -> None:
        """Play, if the rules are playable."""
        variant = CLASSIC_VARIANT
        if self.kind == CLASSIC:
            variant = self._chosen_variant()
            try:
                checked(variant)
            except UserError as error:
                self.query_one("#problem", Plain).update(str(error))
                return
        try:
            names = check_names(self.query_one("#names", Input).value.split(","), self.kind)
        except UserError as error:
            self.query_one("#problem", Plain).update(str(error))
            return
        level = list(LEVELS.values())[self.query_one("#level", Pick).value]
        away = float(self.query_one("#away", Stepper).value)
        people = self.query_one("#people", Stepper).value
        letters = self._chosen("letters", "latin") if self.kind == CLASSIC else "latin"
        lot = self.kind == MELEE and self.query_one("#lot", Tick).value
        first = (LOT, *NAMES[:2])[self.query_one("#first", Pick).value] if self.kind == CLASSIC else LOT
        self.dismiss(Setup(self.kind, people, any_seed(), letters, lot, variant, first, names, level, away))

    def action_resume(self) -> None:
        """Resume the game that was left last."""
        if self._left:
            game = self._left[-1]
            self.dismiss(dataclasses.replace(game.setup, journal=str(game.path)))
