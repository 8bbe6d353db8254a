"""The first screen: port, nick and role."""

from __future__ import annotations

from rich.text import Text
from textual import work
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, Vertical
from textual.message import Message
from textual.screen import Screen
from textual.widgets import Input, OptionList, RadioSet
from textual.widgets.option_list import Option

from seabattle_host.errors import UserError
from seabattle_host.language import messages
from seabattle_host.language.messages import template, tr
from seabattle_host.line.port_errors import found_ports
from seabattle_host.player.parameters import ROLES, nick_bytes
from seabattle_host.records.settings import Preferences
from seabattle_host.tui.start_options import StartOptions
from seabattle_host.tui.widgets import Choice, KeyBar, Plain, Tick

_LOOK_SECONDS = 1.5
"""Interval at which the list of ports is updated."""

BOARD, OTHER, HISTORY, GAMES = "board", "other", "history", "games"
_PORT = "port "


class StartScreen(Screen[None]):
    """Choose a port, a nick and a role. Sends `Connect`."""

    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (60, "-wide")]

    BINDINGS = [
        Binding("f1,question_mark", "app.help", show=False),
        Binding("f9", "language", show=False),
        Binding("f10,escape", "app.leave", show=False),
    ]

    class Connect(Message):
        """The player has chosen. url: of a port, empty for a virtual board."""

        def __init__(self, url: str):
            self.url = url
            super().__init__()

    class Games(Message):
        """The player wants a game at one screen."""

    class PortsFound(Message):
        """The serial ports found, with what is known of each."""

        def __init__(self, ports: list[tuple[str, str]]):
            super().__init__()
            self.ports = ports

    def __init__(self, preferences: Preferences, options: StartOptions):
        super().__init__()
        self.preferences = preferences
        self.options = options
        self.ports: list[tuple[str, str]] | None = None

    def compose(self) -> ComposeResult:
        options, preferences = self.options, self.preferences
        nick = options.nick or preferences.nick
        pressed = options.role or preferences.role
        bell = preferences.bell if options.bell is None else options.bell
        fair = preferences.fair if options.fair is None else options.fair
        yield Plain(tr("title"), id="title")
        with Horizontal(id="start"):
            with Vertical(id="where", classes="panel"):
                yield OptionList(id="ports", compact=True, markup=False)
                yield Input(id="address", placeholder=tr("address_example"), compact=True)
            with Vertical(id="who", classes="panel"):
                yield Plain(tr("nick"))
                yield Input(nick, id="nick", placeholder=tr("nick_example"), compact=True)
                yield Plain(tr("role"), classes="gap")
                with RadioSet(id="role", compact=True):
                    for role in ROLES:
                        yield Choice(tr(f"role_{role}"), role == pressed, name=role)
                yield Tick(tr("bell"), bell, id="bell", compact=True, classes="gap")
                yield Tick(tr("fair"), fair, id="fair", compact=True)
        yield Plain("", id="problem")
        yield KeyBar()

    def on_mount(self) -> None:
        self._fill()
        self.look_for_ports()
        self._looking = self.set_interval(_LOOK_SECONDS, self.look_for_ports)

    def on_screen_suspend(self) -> None:
        """Stop looking for ports under another screen: a change here would redraw all of that one."""
        self._looking.pause()

    def on_screen_resume(self) -> None:
        """Look for ports again."""
        self._looking.resume()

    def _fill(self) -> None:
        """Set the content of new widgets."""
        self.query_one("#where").border_title = tr("where_title")
        self.query_one("#who").border_title = tr("who_title")
        self.query_one("#address").display = False
        self.query_one(KeyBar).show(
            [
                ("Enter", tr("key_connect"), "screen.connect"),
                ("Tab", tr("key_next"), "app.focus_next"),
                ("F1", tr("key_help"), "app.help"),
                ("F9", template("language_name", messages.next_language()), "screen.language"),
                ("F10", tr("key_leave"), "app.leave"),
            ]
        )
        self.query_one("#ports").focus()
        ports, self.ports = self.ports, None
        self._show_ports(ports or [])

    @work(thread=True, exclusive=True, group="ports")
    def look_for_ports(self) -> None:
        """Find the serial ports, which may take the system a while."""
        self.post_message(self.PortsFound(found_ports()))

    def on_start_screen_ports_found(self, event: PortsFound) -> None:
        """Update the list, unless the screen was left or its widgets are about to be replaced by `_fill`."""
        if self.query("#ports"):
            self._show_ports(event.ports)
        else:
            self.ports = event.ports

    def _show_ports(self, ports: list[tuple[str, str]]) -> None:
        listed = self.query_one("#ports", OptionList)
        if ports == self.ports and listed.option_count:
            return
        self.ports = ports
        chosen = listed.highlighted_option.id if listed.highlighted_option else None
        remembered = self.preferences.port
        devices = [device for device, _about in ports]
        options: list[Option] = []
        if remembered and remembered not in devices:
            options.append(_option(remembered, tr("port_last_absent") if "://" not in remembered else tr("port_last")))
        for device, about in sorted(ports, key=lambda port: port[0] != remembered):
            last = tr("port_last") if device == remembered else ""
            options.append(_option(device, ", ".join(part for part in (about, last) if part)))
        if not ports:
            options.append(Option(Text(tr("play_ports_none"), style="dim"), disabled=True))
        options += [
            Option(tr("start_board"), id=BOARD),
            Option(tr("start_other"), id=OTHER),
            Option(tr("start_games"), id=GAMES),
            Option(tr("start_history"), id=HISTORY),
        ]
        listed.set_options(options)
        ids = [option.id for option in options]
        # a line that cannot be chosen has no id
        listed.highlighted = ids.index(chosen if chosen and chosen in ids else next(filter(None, ids)))

    def show_problem(self, line: str) -> None:
        """Show why connecting failed, or how the last session ended."""
        self.query_one("#problem", Plain).update(line)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        address = self.query_one("#address", Input)
        chosen = event.option.id or ""
        address.display = chosen == OTHER
        if chosen == OTHER:
            address.focus()
        elif chosen == GAMES:
            self.post_message(self.Games())
        elif chosen == HISTORY:
            self.app.run_worker(self.app.run_action("history"))
        else:
            self._connect(chosen.removeprefix(_PORT) if chosen != BOARD else "")

    def on_input_submitted(self, event: Input.Submitted) -> None:
        if event.input.id == "address":
            if event.value.strip():
                self._connect(event.value.strip())
            else:
                self.show_problem(tr("address_empty"))
        else:
            self.query_one("#ports").focus()

    def action_connect(self) -> None:
        """Do what Enter on the list does."""
        self.query_one("#ports", OptionList).action_select()

    async def action_language(self) -> None:
        """Switch to the next language."""
        self._remember()
        self.preferences.lang = messages.next_language()
        self.preferences.save()
        messages.use(self.preferences.lang)
        await self.recompose()
        self._fill()

    def _remember(self) -> None:
        """Keep what the fields say. From now on it applies in place of the command line's options."""
        self.preferences.nick = self.query_one("#nick", Input).value.strip()
        pressed = self.query_one("#role", RadioSet).pressed_button
        self.preferences.role = (pressed.name if pressed else None) or "auto"
        self.preferences.bell = self.query_one("#bell", Tick).value
        self.preferences.fair = self.query_one("#fair", Tick).value
        self.options.nick = self.options.role = ""
        self.options.bell = self.options.fair = None

    def _connect(self, url: str) -> None:
        self._remember()
        try:
            if self.preferences.nick:
                nick_bytes(self.preferences.nick)
        except UserError as error:
            self.show_problem(str(error))
            self.query_one("#nick").focus()
            return
        self.show_problem(tr("opening", port=url) if url else tr("starting_board"))
        self.post_message(self.Connect(url))


def _option(device: str, about: str) -> Option:
    text = Text(device)
    if about:
        text.append(f"  {about}", style="dim")
    return Option(text, id=_PORT + device)
