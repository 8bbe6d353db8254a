"""The club: players come by serial port, TCP or websocket, wait in a queue, are paired, and play over protocol v1.0.

line.py      how bytes come and go: TCP, serial port, the inside of this process
session.py   one connection: greeted by the protocol itself, kept in sync, its nick taken, talked to
pairing.py   a master and a slave are brought to the same state and handed over to each other
relay.py     a master and a slave joined byte for byte, watched; what the game comes to
accounts.py  who a visitor is: IDs, nicks, PINs
computers.py the club's own players
store.py     players, games, moves and captures in SQLite
ratings.py   Elo from results
pins.py      PINs, kept and tried
names.py     names that can be taken for one another
conduct.py   who leaves, stalls and breaks the protocol
move_clock.py whose move a game waits for
notice.py    a word of the club's to one of two who are joined
limits.py    what the club puts up with
chat_orders.py what who waits may order in the chat
operator.py  what the operator does to the club, open or closed
metrics.py   figures for Prometheus
wording.py   addresses and results in words
party.py     one of the two of a relay, as the relay needs it
lobby.py     the club as a whole: queue, pairs, time
web.py       the page (page/), and the way in for boards and programs by websocket
play.py      the way in for people at the page
browser.py   a person at the page: what it orders; browser_view.py what it is shown
origin.py    who asks, also behind a reverse proxy
"""
