"use strict";
// The page of a player. It shows what the club sends and sends the player's orders: no rule of the game and nothing of
// the protocol is in here. Whatever comes from players is inserted as text, never as markup.

const WORDS = wordsOf("play"); // by language
const LOOKS = { s: "ship", x: "hit", "#": "sunk", o: "miss", "-": "empty", ".": "open", "~": "" };
const LEVELS = ["any", "random", "hunt", "density", "sharp"];

const $ = (id) => document.getElementById(id);
let language = kept("language");
if (!WORDS[language]) language = spoken(WORDS);

// Storage that survives a reload of this tab; the language survives the tab.
function kept(name, store = localStorage) { try { return store.getItem(name); } catch { return null; } }
function keep(name, value, store = localStorage) { try { if (value) store.setItem(name, value); else store.removeItem(name); } catch { /* not allowed here */ } }

function cellName(x, y) { return columns()[x] + (y + 1); }

// One seat at the club; two players at one computer have two.
class Seat {
  constructor(number) {
    this.number = number;
    this.view = null;
    this.log = [];
    this.said = 0;
    this.come = null; // the first message
    this.wait = 500;
    this.online = false;
    this.done = false;
  }
  get key() { return kept(`key${this.number}`, sessionStorage); }
  open(come) {
    if (come) this.come = come;
    this.done = false;
    const url = new URL("play/ws", document.baseURI);
    url.protocol = url.protocol.replace("http", "ws");
    const socket = new WebSocket(url);
    this.socket = socket;
    socket.onopen = () => {
      this.online = true;
      this.wait = 500;
      this.log = [];
      socket.send(JSON.stringify({ ...this.come, do: "come", key: this.key, language }));
    };
    socket.onmessage = (message) => this.take(JSON.parse(message.data));
    socket.onclose = () => {
      if (this.socket !== socket) return;
      this.online = false;
      if (!this.done) { setTimeout(() => { if (this.socket === socket && !this.done) this.open(); }, this.wait); this.wait = Math.min(5000, this.wait * 2); }
      if (seats[active] === this) show();
    };
  }
  take(view) {
    if (view.key) keep(`key${this.number}`, view.key, sessionStorage);
    if (["new", "refused", "elsewhere", "closed"].includes(view.phase)) {
      this.done = true;
      if (view.phase !== "elsewhere") keep(`key${this.number}`, null, sessionStorage);
    }
    if (view.phase === "new" && this.come && this.come.nick) { this.done = false; this.open(); return; }
    this.view = view;
    const fresh = [];
    for (const line of view.log || []) { this.log.push(line); if (line.n > this.said) { this.said = line.n; fresh.push(line); } }
    if (seats[active] === this) { show(); tell(fresh); }
    else if (seats.length > 1) changeHands();
  }
  send(what) { if (this.online) this.socket.send(JSON.stringify(what)); }
}

let seats = [new Seat(0)];
let active = 0;
let curtain = false;
let room = location.hash.slice(1);
let length = 0; // of the ship selected for placing
let upright = false;
let drag = null;
let notice = "";

const seat = () => seats[active];
const send = (what) => seat().send(what);

// The live region announces each new line once.
function tell(lines) { if (lines.length) $("said").textContent = lines.map((line) => line.text).join(". "); }

// Boards.

function build(where, size, press) {
  const box = $(where);
  if (box.dataset.size === String(size) && box.dataset.language === language) return;
  box.dataset.size = size;
  box.dataset.language = language;
  const table = element("table");
  table.setAttribute("role", "grid");
  table.setAttribute("aria-labelledby", `${where}-title`);
  const head = element("tr");
  head.setAttribute("role", "row");
  head.append(element("th"));
  head.firstChild.setAttribute("aria-hidden", "true");
  for (let x = 0; x < size; x++) { const th = element("th", columns()[x]); th.scope = "col"; th.setAttribute("role", "columnheader"); head.append(th); }
  const thead = element("thead");
  thead.setAttribute("role", "rowgroup");
  thead.append(head);
  const body = element("tbody");
  body.setAttribute("role", "rowgroup");
  for (let y = 0; y < size; y++) {
    const row = element("tr");
    row.setAttribute("role", "row");
    const th = element("th", y + 1);
    th.scope = "row";
    th.setAttribute("role", "rowheader");
    row.append(th);
    for (let x = 0; x < size; x++) {
      const td = element("td");
      td.setAttribute("role", "gridcell");
      td.tabIndex = x || y ? -1 : 0;
      td.dataset.x = x;
      td.dataset.y = y;
      row.append(td);
    }
    body.append(row);
  }
  table.append(thead, body);
  table.addEventListener("keydown", (event) => keys(event, where, size, press));
  table.addEventListener("focusin", (event) => {
    const now = event.target.closest("td");
    if (!now) return;
    for (const td of table.querySelectorAll('td[tabindex="0"]')) td.tabIndex = -1;
    now.tabIndex = 0;
    if (where === "own") preview(Number(now.dataset.x), Number(now.dataset.y));
  });
  box.replaceChildren(table);
}

function cellAt(where, x, y) { return $(where).querySelector(`td[data-x="${x}"][data-y="${y}"]`); }

function paint(where, cells, size, last, hint) {
  for (let i = 0; i < cells.length; i++) {
    const x = i % size, y = Math.floor(i / size), mark = cells[i], td = cellAt(where, x, y);
    const isLast = last && last[0] === x && last[1] === y, isHint = hint && hint[0] === x && hint[1] === y;
    const names = [LOOKS[mark], isLast ? "last" : "", isHint ? "hinted" : ""].filter(Boolean).join(" ");
    if (td.dataset.look !== names) { td.dataset.look = names; td.className = names; }
    td.dataset.mark = mark;
    const label = [cellName(x, y), w("marks")[mark], isLast ? w("last") : "", isHint ? w("hinted") : ""].filter(Boolean).join(", ");
    if (td.getAttribute("aria-label") !== label) td.setAttribute("aria-label", label);
  }
}

function keys(event, where, size, press) {
  const td = event.target.closest("td");
  if (!td) return;
  const x = Number(td.dataset.x), y = Number(td.dataset.y);
  const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1], Home: [-size, 0], End: [size, 0], PageUp: [0, -size], PageDown: [0, size] };
  const step = steps[event.key];
  if (step) {
    const go = (at, by) => Math.max(0, Math.min(size - 1, at + by));
    cellAt(where, go(x, step[0]), go(y, step[1])).focus();
  } else if (event.key === "Enter" || event.key === " ") press(x, y);
  else if (where === "own" && placing() && (event.key === "Delete" || event.key === "Backspace")) send({ do: "remove", x, y });
  else if (where === "own" && placing() && "1234".includes(event.key)) choose(Number(event.key));
  else if (where === "own" && placing() && "rRкК".includes(event.key)) { if (td.dataset.mark === "s") send({ do: "turn", x, y }); else flip(); preview(x, y); }
  else if (where === "theirs" && "hHрР".includes(event.key)) send({ do: "hint" });
  else return;
  event.preventDefault();
}

// Placing.

function placing() { return seat().view && seat().view.phase === "placing"; }

function flip() { upright = !upright; $("turn").setAttribute("aria-pressed", String(upright)); }

function choose(wanted) {
  const left = (seat().view && seat().view.toPlace) || {};
  if (left[wanted]) length = wanted;
  showYard(seat().view);
}

function pressOwn(x, y) {
  if (!placing()) return;
  if (cellAt("own", x, y).dataset.mark === "s") send({ do: "turn", x, y });
  else if (length) send({ do: "place", x, y, length, vertical: upright });
}

function preview(x, y) {
  const view = seat().view;
  for (const td of $("own").querySelectorAll(".may, .may-not")) td.classList.remove("may", "may-not");
  if (!placing() || x === undefined || Number.isNaN(x)) return;
  const moved = drag && drag.from;
  const n = drag ? drag.length : length;
  const vertical = drag ? drag.vertical : upright;
  if (!n || (!drag && cellAt("own", x, y).dataset.mark === "s")) return;
  const known = (view.legal || {})[`${n}${vertical ? "v" : "h"}`];
  const good = moved || (known && known[y * view.size + x] === "1");
  for (let i = 0; i < n; i++) {
    const td = cellAt("own", x + (vertical ? 0 : i), y + (vertical ? i : 0));
    if (td) td.classList.add(good ? "may" : "may-not");
  }
}

function under(event) {
  const hit = document.elementFromPoint(event.clientX, event.clientY);
  const td = hit && hit.closest("#own td");
  return td && td.dataset.x !== undefined ? [Number(td.dataset.x), Number(td.dataset.y)] : null;
}

function shipAt(x, y) {
  const at = (a, b) => { const td = cellAt("own", a, b); return Boolean(td) && td.dataset.mark === "s"; };
  let x0 = x, y0 = y, n = 1;
  while (at(x0 - 1, y0)) x0--;
  while (at(x0, y0 - 1)) y0--;
  const vertical = at(x0, y0 + 1);
  while (at(x0 + (vertical ? 0 : n), y0 + (vertical ? n : 0))) n++;
  return { from: [x, y], length: n, vertical, grip: vertical ? y - y0 : x - x0 };
}

function grab(event, what) {
  if (!placing() || event.button) return;
  drag = { ...what, startX: event.clientX, startY: event.clientY, moved: false };
}

function target(event) {
  const cell = under(event);
  if (!cell) return null;
  return drag.vertical ? [cell[0], cell[1] - drag.grip] : [cell[0] - drag.grip, cell[1]];
}

document.addEventListener("pointermove", (event) => {
  if (!drag) { const cell = placing() && event.pointerType === "mouse" ? under(event) : null; if (cell) preview(...cell); return; }
  if (Math.hypot(event.clientX - drag.startX, event.clientY - drag.startY) > 6) drag.moved = true;
  if (drag.moved) { const to = target(event); if (to) preview(...to); else preview(); event.preventDefault(); }
});

document.addEventListener("pointerup", (event) => {
  if (!drag) return;
  const was = drag;
  const to = was.moved ? target(event) : null;
  drag = null;
  preview();
  if (was.moved) {
    if (to && was.from) send({ do: "move", x: was.from[0], y: was.from[1], to_x: to[0], to_y: to[1], vertical: was.vertical });
    else if (to) send({ do: "place", x: to[0], y: to[1], length: was.length, vertical: was.vertical });
    else if (was.from) send({ do: "remove", x: was.from[0], y: was.from[1] });
  } else if (was.cell) pressOwn(...was.cell);
});
document.addEventListener("pointercancel", () => { drag = null; preview(); });

$("own").addEventListener("pointerdown", (event) => {
  const td = event.target.closest("td");
  if (!td || !placing()) return;
  const x = Number(td.dataset.x), y = Number(td.dataset.y);
  td.focus();
  // a touch pointer is captured by the element it went down on, unless released
  if (event.target.hasPointerCapture && event.target.hasPointerCapture(event.pointerId)) event.target.releasePointerCapture(event.pointerId);
  if (td.dataset.mark === "s") grab(event, { ...shipAt(x, y), cell: [x, y] });
  else if (length) grab(event, { length, vertical: upright, grip: 0, from: null, cell: [x, y] });
});

function showYard(view) {
  const left = view.toPlace || {};
  if (!left[length]) length = Number(Object.keys(left).sort().reverse().find((n) => left[n])) || 0;
  const mark = JSON.stringify([language, left, length]);
  if ($("ships").dataset.mark === mark) return;
  $("ships").dataset.mark = mark;
  const focused = document.activeElement && document.activeElement.dataset.length;
  $("ships").replaceChildren(...Object.keys(left).sort().reverse().map((n) => {
    const button = element("button");
    button.type = "button";
    button.dataset.length = n;
    button.disabled = !left[n];
    button.setAttribute("aria-pressed", String(Number(n) === length));
    button.setAttribute("aria-label", w("choose")(n, left[n]));
    const row = element("span");
    row.setAttribute("aria-hidden", "true");
    for (let i = 0; i < n; i++) row.append(element("i"));
    button.append(row, element("span", `× ${left[n]}`));
    button.addEventListener("click", () => choose(Number(n)));
    button.addEventListener("pointerdown", (event) => {
      if (!left[n]) return;
      if (button.hasPointerCapture(event.pointerId)) button.releasePointerCapture(event.pointerId);
      grab(event, { length: Number(n), vertical: upright, grip: 0, from: null, cell: null });
    });
    return button;
  }));
  if (focused) { const again = $("ships").querySelector(`[data-length="${focused}"]`); if (again) again.focus(); }
}

// Two players at one computer: the one with nothing to do makes room for the other.
function changeHands() {
  if (seats.length < 2 || curtain) return;
  const mine = seats[active].view, other = seats[1 - active].view;
  if (!mine || !other) return;
  const done = mine.phase === "ready" || mine.phase === "queue" || mine.phase === "seeking" || (mine.phase === "battle" && !mine.myTurn);
  const due = other.phase === "placing" || (other.phase === "battle" && other.myTurn);
  if (done && due) { curtain = true; show(); }
}
$("lift").addEventListener("click", () => { curtain = false; active = 1 - active; length = 0; show(); });

// The whole page.

function show() { keepFocus(render); }

function render() {
  document.documentElement.lang = language;
  for (const each of document.querySelectorAll("[data-words]")) each.textContent = w(each.dataset.words);
  $("language").textContent = LANGUAGES[nextLanguage(language)];
  $("language").lang = nextLanguage(language);
  document.title = w("title");
  const view = seat().view;
  const phase = view ? view.phase : seat().come || seat().key ? "seeking" : "new";
  if (seats.length > 1) changeHands();
  const game = view && view.size && !curtain && !["new", "refused", "elsewhere"].includes(phase);
  const outside = ["new", "refused", "closed"].includes(phase);
  $("start").hidden = !outside;
  $("board").hidden = !outside || Boolean(room);
  $("invited").hidden = !room;
  $("lobby").hidden = curtain || outside || !view || view.peer || !["queue", "seeking", "placing", "ready"].includes(phase) || seats.length > 1;
  $("curtain").hidden = !curtain;
  $("game").hidden = !game;
  // without a connection nobody can act: only the end of a game is still true
  $("state").textContent = curtain || (cutOff() && phase !== "over") ? "" : status(view, phase);
  const wrong = cutOff() ? w("lost") : view && view.trouble ? w("trouble") : "";
  $("trouble").textContent = wrong;
  $("trouble").hidden = !wrong;
  if (curtain) { $("curtain-title").textContent = w("pass")(seats[1 - active].come ? seats[1 - active].come.nick : ""); $("lift").focus(); }
  if (!$("lobby").hidden) showLobby(view);
  if (game) showGame(view, phase);
}

function cutOff() { return Boolean(seat().view) && !seat().online && !seat().done; }

function status(view, phase) {
  if (phase === "elsewhere") return w("elsewhere");
  if (phase === "refused") return w("refused")[view.why];
  if (phase === "closed") return w("closed");
  if (phase === "new" || !view) return phase === "seeking" ? w("seeking") : "";
  if (phase === "over") return `${w("over")[view.result.result]} ${w("how")[view.result.result][view.result.how]}`;
  if (phase === "battle") return view.myTurn ? w("yourTurn") : w("theirTurn");
  const left = view.gone && !view.peer ? `${w("gone")(view.gone)} ` : "";
  if (phase === "placing") return view.peer ? w("place") : left + w("placeEarly");
  if (phase === "ready") return view.peer ? w("waiting") : left + w("queue");
  return left + w(phase);
}

function showLobby(view) {
  const others = (view.waiting || []).join(", ");
  $("around").textContent = [others ? w("waits")(others) : w("nobody"), w("games")(view.games || 0)].join(" ");
  $("around").hidden = Boolean(room) || view.games === undefined;
  $("invitation").hidden = !room;
  $("ask-computer").hidden = Boolean(room);
  if (room && $("link").dataset.room !== room) {
    $("link").dataset.room = room;
    $("link").href = $("link").textContent = `${location.href.split("#")[0]}#${room}`;
    $("qr").src = `play/qr?room=${encodeURIComponent(room)}`;
  }
  $("qr").alt = w("qr");
}

function showGame(view, phase) {
  const size = view.size;
  build("own", size, pressOwn);
  build("theirs", size, (x, y) => send({ do: "shoot", x, y }));
  paint("own", view.own, size, view.ownLast, null);
  paint("theirs", view.theirs, size, view.theirLast, view.hint);
  $("own-title").textContent = view.me ? `${w("own")} (${view.me})` : w("own");
  $("theirs-title").textContent = view.peer ? `${w("theirs")} (${view.peer})` : w("theirs");
  const left = (what) => w("left")(Object.keys(what).sort().reverse().map((n) => w("ship")(what[n], n)).join(", "));
  $("own-left").textContent = phase === "placing" ? "" : left(view.ownLeft);
  $("theirs-left").textContent = left(view.theirLeft);
  $("theirs-part").hidden = phase === "placing" || phase === "ready";
  const mayShoot = view.myTurn && !cutOff();
  $("theirs").classList.toggle("aimed", mayShoot);
  $("yard").hidden = phase !== "placing";
  if (phase === "placing") {
    showYard(view);
    $("wall").textContent = view.wall ? w("wall")(...view.wall) : "";
    $("ready").disabled = !view.complete;
  }
  $("hint").hidden = $("aim").hidden = phase !== "battle";
  $("hint").disabled = $("aim").disabled = !mayShoot;
  $("surrender").hidden = !view.peer || !["placing", "ready", "battle"].includes(phase);
  $("again").hidden = phase !== "over" || !view.together;
  $("next").hidden = phase !== "over" || seats.length > 1;
  $("ask").hidden = !view.canAsk;
  $("key").hidden = !view.trouble;
  showLog();
}

function showLog() {
  const lines = seat().log;
  const mark = `${active} ${lines.length && lines[lines.length - 1].n} ${language}`;
  if ($("log").dataset.mark === mark) return;
  $("log").dataset.mark = mark;
  $("log").replaceChildren(...lines.slice(-120).map((line) => {
    const item = element("li");
    const who = { me: w("you"), club: w("clubName"), peer: line.name }[line.kind];
    if (who) item.append(element("b", `${who}: `));
    item.append(line.text);
    return item;
  }));
  $("log").scrollTop = $("log").scrollHeight;
}

// The player's actions.

$("theirs").addEventListener("click", (event) => {
  const td = event.target.closest("td");
  if (td) send({ do: "shoot", x: Number(td.dataset.x), y: Number(td.dataset.y) });
});
for (const button of document.querySelectorAll("[data-do]")) button.addEventListener("click", () => {
  // two players at one computer have looked at the end together
  for (const each of button.dataset.do === "again" ? seats : [seat()]) each.send({ do: button.dataset.do });
});
$("turn").addEventListener("click", flip);
$("surrender").addEventListener("click", () => $("sure").showModal());
$("no").addEventListener("click", () => $("sure").close());
$("yes").addEventListener("click", () => { $("sure").close(); send({ do: "surrender" }); });
$("leave").addEventListener("click", () => { for (const each of seats) each.send({ do: "goodbye" }); });
$("call").addEventListener("click", () => send({ do: "bot", level: $("level").value }));
$("copy").addEventListener("click", async () => {
  try { await navigator.clipboard.writeText($("link").href); $("said").textContent = w("copied"); } catch { getSelection().selectAllChildren($("link")); }
});
$("say").addEventListener("submit", (event) => {
  event.preventDefault();
  if ($("text").value.trim()) send({ do: "say", text: $("text").value });
  $("text").value = "";
});
$("language").addEventListener("click", () => {
  language = nextLanguage(language);
  keep("language", language);
  levels();
  for (const each of seats) each.send({ do: "language", language });
  show();
});

$("come").addEventListener("submit", async (event) => {
  event.preventDefault();
  const how = event.submitter ? event.submitter.value : "people";
  const nick = $("nick").value.trim();
  if (!nick) return;
  if (how === "duo" && $("nick2-label").hidden) { $("nick2-label").hidden = false; $("nick2").focus(); return; }
  keep("nick", nick);
  const come = { nick, pin: $("pin").value, size: Number($("size").value), room };
  for (const each of seats) each.done = true;
  if (how === "invite" || how === "duo") {
    if (how === "duo" || !room) come.room = (await (await fetch("play/invitation")).json()).room;
    if (how === "invite") { room = come.room; history.replaceState(null, "", `#${room}`); }
  }
  if (how === "computer") { come.bot = $("level").value; come.room = ""; room = ""; history.replaceState(null, "", location.pathname); }
  active = 0;
  seats = how === "duo" ? [new Seat(0), new Seat(1)] : [new Seat(0)];
  keep("duo", how === "duo" ? "yes" : "", sessionStorage);
  seats[0].open(come);
  if (how === "duo") {
    const second = $("nick2").value.trim() || `${nick}2`.slice(-10);
    setTimeout(() => seats[1].open({ ...come, nick: second, pin: "" }), 300);
  }
  show();
});

function levels() {
  const now = $("level").value || "any";
  $("level").replaceChildren(...LEVELS.map((level) => {
    const option = element("option", w(level === "random" ? "random_" : level));
    option.value = level;
    return option;
  }));
  $("level").value = now;
}

levels();
$("nick").value = kept("nick") || "";
if (kept("duo", sessionStorage) && kept("key1", sessionStorage)) seats = [new Seat(0), new Seat(1)];
for (const each of seats) if (each.key) each.open({});
addEventListener("hashchange", () => { if (!seat().view || seat().done) { room = location.hash.slice(1); show(); } });
addEventListener("online", () => { for (const each of seats) if (!each.online && !each.done && each.socket) each.open(); });
show();
