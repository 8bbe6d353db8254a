"""The board's texts in the other games, in English; generated from the catalogues by source/generate.py.

Code page 866, a zero byte after each text.
"""

TEXTS = (
    b"VARIANTS\x00Five-deck\x00Corners\x00Bent\x00apart\x00touch\x00Placing...\x00Esc: turn\x00Hold OK: turn\x00Fire"
    b"!\x00Its field\x00New game\x00Mine\x00Its\x00Round #\x00Fire?\x00No more guns\x00Fired at before\x00Aim first"
    b"\x00You hit:\x00It hit:\x00nothing\x00carrier\x00battleship\x00cruiser\x00submarine\x00destroyer\x00Both fleet"
    b"s are sunk.\x00Your own ship\x00is out.\x00You: A\x00"
)
