"use strict";
// A virtual board, run by the club: its panel as pixels and its keys as buttons.

const LONG_PRESS_MS = 600;
const ARROWS = { ArrowUp: "up", ArrowDown: "down", ArrowLeft: "left", ArrowRight: "right", Enter: "ok", " ": "ok", Escape: "back" };

const virtual = { socket: null, state: "", pressed: 0, picture: null };

function virtualSays(state) {
  virtual.state = state;
  $("virtual-state").removeAttribute("data-words");
  $("virtual-state").textContent = w("virtualState")[state];
  const on = state === "on";
  $("virtual").hidden = !on;
  $("virtual-on").hidden = on;
  $("virtual-off").hidden = !on;
  nameKeys();
}

function nameKeys() {
  for (const key of document.querySelectorAll("[data-key]")) key.setAttribute("aria-label", w("keyNames")[key.dataset.key]);
  $("keys").setAttribute("aria-label", w("keysHelp"));
  if (virtual.state) $("virtual-state").textContent = w("virtualState")[virtual.state];
  if (virtual.picture) $("pixels").setAttribute("aria-label", w("panelShows")(virtual.picture.text.map((line) => line.trim()).filter(Boolean).join(", ")));
}

function switchOn() {
  const url = new URL("play/board", document.baseURI);
  url.protocol = url.protocol.replace("http", "ws");
  url.search = new URLSearchParams({ panel: $("panel").value, language, nick: $("nick").value });
  const socket = new WebSocket(url);
  virtual.socket = socket;
  socket.onmessage = (message) => {
    const told = JSON.parse(message.data);
    if (told.refused) { virtual.socket = null; virtualSays(told.refused); socket.close(); return; }
    if (virtual.state !== "on") { virtualSays("on"); $("keys").querySelector("[data-key=ok]").focus(); }
    drawPanel(told);
  };
  socket.onclose = () => { if (virtual.socket === socket) { virtual.socket = null; virtualSays("lost"); } };
}

function switchOff() {
  const socket = virtual.socket;
  virtual.socket = null;
  if (socket) socket.close();
  virtualSays("off");
  $("virtual-on").focus();
}

function drawPanel(picture) {
  virtual.picture = picture;
  const canvas = $("pixels");
  const letters = picture.height % 8 === 0 && picture.width % 6 === 0 && picture.height <= 32;
  canvas.width = picture.width;
  canvas.height = picture.height;
  const context = canvas.getContext("2d");
  context.fillStyle = letters ? "#b6d35a" : "#07141f";
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.fillStyle = letters ? "#1c2b10" : "#d8f1ff";
  picture.rows.forEach((row, y) => {
    [...BigInt(`0x${row}`).toString(2).padStart(picture.width, "0")].forEach((pixel, x) => {
      if (pixel === "1") context.fillRect(x, y, 1, 1);
    });
  });
  canvas.setAttribute("aria-label", w("panelShows")(picture.text.map((line) => line.trim()).filter(Boolean).join(", ")));
}

function press(key) {
  if (virtual.socket && virtual.socket.readyState === WebSocket.OPEN) virtual.socket.send(key);
}

for (const key of document.querySelectorAll("[data-key]")) {
  key.addEventListener("pointerdown", () => { virtual.pressed = performance.now(); });
  key.addEventListener("click", (event) => {
    // a click by keyboard has no duration
    const long = event.detail > 0 && performance.now() - virtual.pressed > LONG_PRESS_MS;
    press(key.dataset.key === "ok" && long ? "back" : key.dataset.key);
  });
}
$("virtual").addEventListener("keydown", (event) => {
  const key = ARROWS[event.key];
  if (!key || ((event.key === "Enter" || event.key === " ") && event.target.dataset.key !== "ok" && event.target.dataset.key)) return;
  event.preventDefault();
  press(key);
});
$("virtual-on").addEventListener("click", switchOn);
$("virtual-off").addEventListener("click", switchOff);
$("language").addEventListener("click", nameKeys);
nameKeys();
