"use strict";
// A board at this browser's computer: bytes pass between its port and the club unchanged and uninterpreted. The game is
// shown as spectators see it.

const SETTINGS = { baudRate: 9600, dataBits: 8, parity: "even", stopBits: 2, bufferSize: 4096 };
const AGAIN_MS = 1000;

const board = { port: null, socket: null, reader: null, writer: null, wanted: false, lost: false, line: "", watching: null };

function boardSays(key, detail) {
  const words = w("boardPort")[key];
  $("board-state").removeAttribute("data-words");
  $("board-state").textContent = typeof words === "function" ? words(detail) : words;
  $("connect").hidden = board.wanted;
  $("disconnect").hidden = !board.wanted;
}

async function connectBoard() {
  if (!window.isSecureContext) { boardSays("insecure"); return; }
  if (!navigator.serial) { boardSays("none"); return; }
  let port;
  try { port = await navigator.serial.requestPort(); } catch { return; } // no port was chosen
  board.wanted = true;
  board.port = port;
  if (await openPort()) joinClub(); else board.wanted = false;
  $("connect").hidden = board.wanted;
  $("disconnect").hidden = !board.wanted;
}

async function openPort() {
  try {
    await board.port.open(SETTINGS);
  } catch {
    boardSays("busy");
    return false;
  }
  board.lost = false;
  board.writer = board.port.writable.getWriter();
  pump();
  boardSays("open");
  return true;
}

// Pass bytes from the port to the club, until the port is lost or closed.
async function pump() {
  const port = board.port;
  try {
    while (port.readable && board.wanted) {
      board.reader = port.readable.getReader();
      try {
        for (;;) {
          const { value, done } = await board.reader.read();
          if (done) break;
          if (board.socket && board.socket.readyState === WebSocket.OPEN) board.socket.send(value);
        }
      } catch (error) {
        // a damaged byte ends the stream, and a new one follows; a lost port has none
        if (!port.readable) throw error;
      } finally {
        board.reader.releaseLock();
      }
    }
  } catch { /* reported below */ }
  if (board.wanted && board.port === port) lostPort();
}

async function lostPort() {
  if (board.lost) return;
  board.lost = true;
  try { board.writer.releaseLock(); await board.port.close(); } catch { /* it is gone already */ }
  board.writer = null;
  boardSays("lost");
}

async function portIsBack(event) {
  if (!board.wanted || !board.lost) return;
  board.port = event.target && event.target.open ? event.target : (await navigator.serial.getPorts())[0];
  if (board.port) await openPort();
}

function joinClub() {
  const url = new URL("ws?watch=1", document.baseURI);
  url.protocol = url.protocol.replace("http", "ws");
  const socket = new WebSocket(url);
  socket.binaryType = "arraybuffer";
  board.socket = socket;
  socket.onmessage = (message) => {
    if (typeof message.data === "string") { showBoard(JSON.parse(message.data)); return; }
    if (board.writer) board.writer.write(new Uint8Array(message.data)).catch(lostPort);
  };
  socket.onclose = () => {
    if (board.socket !== socket || !board.wanted) return;
    boardSays("away");
    setTimeout(() => { if (board.socket === socket && board.wanted) joinClub(); }, AGAIN_MS);
  };
}

function showBoard(game) {
  $("board-game").hidden = !game.size;
  if (!game.size) { if (!board.lost) boardSays("open"); return; }
  if (!board.lost) boardSays("playing", game.players.map((player) => player.name).join(" - "));
  ["first", "second"].forEach((which, side) => {
    $(`board-${which}-title`).textContent = game.players[side].name;
    build(`board-${which}`, game.size, () => {});
    const last = game.last && game.last[0] !== side ? [game.last[1] - 1, game.last[2] - 1] : null;
    paint(`board-${which}`, game.fields[side], game.size, last, null);
  });
}

async function disconnectBoard() {
  board.wanted = false;
  if (board.socket) board.socket.close();
  try {
    if (board.reader) await board.reader.cancel();
    if (board.writer) board.writer.releaseLock();
    await board.port.close();
  } catch { /* it is gone already */ }
  board.port = board.writer = board.reader = null;
  $("board-game").hidden = true;
  $("connect").hidden = false;
  $("disconnect").hidden = true;
  $("board-state").textContent = w("boardHelp");
}

$("connect").addEventListener("click", connectBoard);
$("disconnect").addEventListener("click", disconnectBoard);
if (navigator.serial) {
  navigator.serial.addEventListener("connect", portIsBack);
  navigator.serial.addEventListener("disconnect", (event) => { if (event.target === board.port) lostPort(); });
}
