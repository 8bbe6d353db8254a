"""A real Firefox, driven over its own WebDriver BiDi, without a separate driver."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import re
import signal
import subprocess
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import aiohttp

SOON = 60.0

STILL = """async (e) => {
  e.scrollIntoView({block: "center"});
  const place = () => JSON.stringify(e.getBoundingClientRect());
  for (let was = "", now = place(); ; was = now, now = place()) {
    if (was === now) return e;
    await new Promise(requestAnimationFrame);
  }
}"""
"""An element, once it is at the same place in two frames: content appearing above moves it."""


class Refused(Exception):
    """The browser refused a command."""


class Firefox:
    """One window."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse[bool]):
        self._socket = socket
        self._count = 0
        self._window = ""

    async def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Send a command of the protocol and return its result."""
        self._count += 1
        await self._socket.send_json({"id": self._count, "method": method, "params": parameters})
        while True:
            answer = json.loads((await self._socket.receive(SOON)).data)
            if answer.get("id") == self._count:
                if answer["type"] != "success":
                    raise Refused(answer)
                result: dict[str, Any] = answer["result"]
                return result

    async def begin(self, width: int, height: int) -> None:
        """Find the window, and give the page in it this size."""
        await self.call("session.new", capabilities={})
        self._window = (await self.call("browsingContext.getTree"))["contexts"][0]["context"]
        # keys are lost before the window has the focus
        await self.call("browsingContext.activate", context=self._window)
        viewport = {"width": width, "height": height}
        await self.call("browsingContext.setViewport", context=self._window, viewport=viewport)

    async def go(self, url: str) -> None:
        """Open a page."""
        await self.call("browsingContext.navigate", context=self._window, url=url, wait="complete")

    async def of(self, expression: str) -> Any:
        """Evaluate an expression in the page and return its value."""
        return (await self._evaluated(expression)).get("value")

    async def _evaluated(self, expression: str) -> dict[str, Any]:
        target = {"context": self._window}
        told = await self.call("script.evaluate", expression=expression, target=target, awaitPromise=True)
        assert told["type"] == "success", told
        result: dict[str, Any] = told["result"]
        return result

    async def until(self, expression: str) -> None:
        """Wait until an expression is true in the page."""
        deadline = asyncio.get_running_loop().time() + SOON
        while not await self.of(f"Boolean({expression})"):
            assert asyncio.get_running_loop().time() < deadline, expression
            await asyncio.sleep(0.01)

    async def click(self, selector: str) -> None:
        """Click a visible element."""
        quoted = json.dumps(selector)
        deadline = asyncio.get_running_loop().time() + SOON
        while True:
            await self.until(f"document.querySelector({quoted})?.offsetParent")
            element = await self._evaluated(f"({STILL})(document.querySelector({quoted}))")
            # by the element, not by a place: it may have moved again
            origin = {"type": "element", "element": {"sharedId": element["sharedId"]}}
            press = [
                {"type": "pointerMove", "x": 0, "y": 0, "origin": origin},
                {"type": "pointerDown", "button": 0},
                {"type": "pointerUp", "button": 0},
            ]
            try:
                await self._act({"type": "pointer", "id": "mouse", "actions": press})
                return
            except Refused:
                # the page has drawn it anew, and nothing was pressed
                assert asyncio.get_running_loop().time() < deadline, selector

    async def type(self, text: str) -> None:
        """Press keys."""
        keys = [{"type": kind, "value": char} for char in text for kind in ("keyDown", "keyUp")]
        await self._act({"type": "key", "id": "keys", "actions": keys})

    async def _act(self, source: dict[str, Any]) -> None:
        await self.call("input.performActions", context=self._window, actions=[source])


@contextlib.asynccontextmanager
async def firefox(folder: Path, width: int = 1280, height: int = 900) -> AsyncIterator[Firefox]:
    """A Firefox with a profile of its own in this folder, ended afterwards."""
    profile = folder / "firefox"
    profile.mkdir()
    home = {"HOME": str(profile), "MOZ_HEADLESS": "1"}
    process = subprocess.Popen(
        ["firefox-esr", "--no-remote", "--profile", str(profile), "--remote-debugging-port", "0"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        env={**os.environ, **home},
        start_new_session=True,
    )
    assert process.stderr is not None
    loop = asyncio.get_running_loop()
    try:
        address = await asyncio.wait_for(loop.run_in_executor(None, _address, process), SOON)
        async with aiohttp.ClientSession() as session:
            found = Firefox(await session.ws_connect(f"{address}/session", max_msg_size=0))
            await found.begin(width, height)
            yield found
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        process.stderr.close()


def _address(process: subprocess.Popen[bytes]) -> str:
    """Return its address, as printed by itself."""
    assert process.stderr is not None
    for line in process.stderr:
        if told := re.search(rb"WebDriver BiDi listening on (ws://\S+)", line):
            return told[1].decode()
    raise AssertionError("Firefox has ended")
