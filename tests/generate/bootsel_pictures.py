"""The pictures of docs/trouble.md on how MicroPython comes onto a Pico: by the BOOTSEL button, and with Thonny.

`python -m tests.generate.bootsel_pictures` writes docs/screens/bootsel.{en,ru}.svg and thonny.{en,ru}.svg. They are
drawn from what Raspberry Pi's documentation of the Pico and Thonny's own pages say; the windows are sketches.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from xml.sax.saxutils import escape

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "screens"

STEP_WIDTH = 220
STEP_HEIGHT = 280

INK, PAPER, BOARD, METAL, HOT, SHADE = "#222222", "#ffffff", "#1b7f4b", "#c8ccd0", "#d9480f", "#eef1f4"

BOOTSEL = {
    "en": ("Unplug the cable", "Hold the button BOOTSEL", "Plug in, then let go", "Copy the .uf2 onto the drive"),
    "ru": ("Отключите кабель", "Держите кнопку BOOTSEL", "Подключите, отпустите", "Скопируйте .uf2 на диск"),
}
DRIVE = {"en": ("RPI-RP2", "(Pico 2: RP2350)"), "ru": ("RPI-RP2", "(Pico 2: RP2350)")}

THONNY = {
    "en": (
        "Run > Configure interpreter",
        "MicroPython (Raspberry Pi Pico)",
        "Install or update",
        "Variant, then Install",
    ),
    "ru": (
        "Выполнить > Настроить\u00a0…",
        "MicroPython (Raspberry Pi Pico)",
        "Установить или обновить",
        "Вариант, затем «Установить»",
    ),
}
MENU = {
    "en": ("Run", "Run current script", "Stop/Restart backend", "Configure interpreter…"),
    "ru": ("Выполнить", "Запустить скрипт", "Стоп/Перезапуск", "Настроить интерпретатор…"),
}
LINK = {"en": ("Install or update", "MicroPython"), "ru": ("Установить или", "обновить MicroPython")}
FORM = {
    "en": ("Target volume", "MicroPython family", "Variant", "Install"),
    "ru": ("Диск", "Семейство", "Вариант", "Установить"),
}
VALUES = ("RPI-RP2", "RP2", "Pico / Pico W")


def box(x: float, y: float, w: float, h: float, fill: str = PAPER, stroke: str = INK, r: float = 0) -> str:
    return f'<rect x="{x}" y="{y}" width="{w}" height="{h}" rx="{r}" fill="{fill}" stroke="{stroke}"/>'


def text(x: float, y: float, words: str, size: int = 13, anchor: str = "start", fill: str = INK) -> str:
    return f'<text x="{x}" y="{y}" font-size="{size}" text-anchor="{anchor}" fill="{fill}">{escape(words)}</text>'


def arrow(x: float, y0: float, y1: float) -> str:
    """A thick arrow up or down."""
    tip = -12 if y1 < y0 else 12
    return (
        f'<line x1="{x}" y1="{y0}" x2="{x}" y2="{y1 - tip}" stroke="{HOT}" stroke-width="5"/>'
        f'<path d="M{x - 9} {y1 - tip} h18 l-9 {tip} z" fill="{HOT}"/>'
    )


def pico(pressed: bool, plugged: bool) -> Iterator[str]:
    """A board with its USB socket at the top, and the end of a cable."""
    cable = 66 if plugged else 52
    yield f'<line x1="110" y1="28" x2="110" y2="{cable - 18}" stroke="{INK}" stroke-width="6"/>'
    yield box(96, cable - 18, 28, 22, METAL, r=3)
    yield box(78, 92, 64, 140, BOARD, r=4)
    yield box(96, 84, 28, 22, METAL, r=2)
    if plugged:
        yield box(98, cable + 4, 24, 18, METAL)
    yield from (f'<circle cx="{x}" cy="{100 + 13 * i}" r="3" fill="#f2d16b"/>' for x in (84, 136) for i in range(10))
    yield box(98, 160, 24, 24, INK)
    yield box(96, 120, 16, 20, HOT if pressed else PAPER, r=3)
    if pressed:
        yield f'<circle cx="104" cy="130" r="20" fill="none" stroke="{HOT}" stroke-width="3"/>'
        yield text(66, 134, "BOOTSEL", 12, "end", HOT)


def bootsel(language: str) -> Iterator[Iterator[str]]:
    def unplug() -> Iterator[str]:
        yield from pico(False, False)
        yield arrow(160, 84, 44)

    def hold() -> Iterator[str]:
        yield from pico(True, False)

    def plug_in() -> Iterator[str]:
        yield from pico(True, True)
        yield arrow(160, 44, 84)

    def copy() -> Iterator[str]:
        yield box(72, 50, 76, 44, SHADE, r=3)
        yield text(110, 77, "….uf2", 14, "middle")
        yield arrow(110, 104, 140)
        yield box(50, 150, 120, 56, METAL, r=6)
        yield f'<circle cx="154" cy="192" r="4" fill="{HOT}"/>'
        name, other = DRIVE[language]
        yield text(110, 183, name, 16, "middle")
        yield text(110, 228, other, 12, "middle")

    yield from (unplug(), hold(), plug_in(), copy())


def window(title: str) -> Iterator[str]:
    yield box(12, 46, 196, 186, PAPER, r=4)
    yield box(12, 46, 196, 22, SHADE, r=4)
    yield text(20, 62, title, 10)


def thonny(language: str) -> Iterator[Iterator[str]]:
    def menu() -> Iterator[str]:
        yield from window("Thonny")
        run, *entries = MENU[language]
        yield text(22, 84, run, 12, fill=HOT)
        yield box(20, 92, 180, 84, SHADE)
        for number, entry in enumerate(entries):
            yield text(26, 112 + 26 * number, entry, 11, fill=HOT if entry.endswith("…") else INK)

    def kind() -> Iterator[str]:
        yield from window(MENU[language][3].removesuffix("…"))
        yield box(20, 84, 180, 24, PAPER, HOT)
        yield text(26, 100, THONNY[language][1], 10)

    def link() -> Iterator[str]:
        yield from window(MENU[language][3].removesuffix("…"))
        yield box(20, 84, 180, 24)
        yield text(26, 100, THONNY[language][1], 10)
        first, second = LINK[language]
        yield text(200, 204, first, 12, "end", HOT)
        yield text(200, 220, second, 12, "end", HOT)

    def form() -> Iterator[str]:
        yield from window("MicroPython")
        *names, install = FORM[language]
        for number, (name, value) in enumerate(zip(names, VALUES, strict=True)):
            y = 92 + 38 * number
            yield text(20, y, name, 11)
            yield box(20, y + 4, 180, 20, SHADE)
            yield text(26, y + 18, value, 12)
        yield box(116, 204, 84, 22, SHADE, HOT, 3)
        yield text(158, 219, install, 12, "middle", HOT)

    yield from (menu(), kind(), link(), form())


def picture(steps: Iterator[Iterator[str]], titles: tuple[str, ...]) -> str:
    """The steps from left to right, each with its number and what is done."""
    width = STEP_WIDTH * len(titles)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {STEP_HEIGHT}" width="{width}"'
        f' height="{STEP_HEIGHT}" font-family="DejaVu Sans, Verdana, sans-serif">',
        box(0, 0, width, STEP_HEIGHT, PAPER, PAPER),
    ]
    for number, (step, title) in enumerate(zip(steps, titles, strict=True)):
        lines.append(f'<g transform="translate({STEP_WIDTH * number} 0)">')
        lines += step
        lines.append(text(STEP_WIDTH / 2, 22, str(number + 1), 18, "middle"))
        lines.append(text(STEP_WIDTH / 2, 262, title, 13, "middle"))
        lines.append("</g>")
    return "\n".join([*lines, "</svg>", ""])


def pictures() -> dict[str, str]:
    """File name -> picture."""
    found = {}
    for language in ("en", "ru"):
        found[f"bootsel.{language}.svg"] = picture(bootsel(language), BOOTSEL[language])
        found[f"thonny.{language}.svg"] = picture(thonny(language), THONNY[language])
    return found


def main() -> None:
    for name, drawing in pictures().items():
        (FOLDER / name).write_text(drawing, encoding="utf-8")


if __name__ == "__main__":
    main()
