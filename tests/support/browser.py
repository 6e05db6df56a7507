"""A headless Chromium that tests drive over the DevTools pipe: pages, clicks and typing, paper."""

from __future__ import annotations

import base64
import json
import os
import re
import select
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
needs_browser = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium (Debian: apt install chromium)")

_QUIET = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
)  # fmt: skip
_PATIENCE = 60.0  # seconds

LOOK = """
  found.wide = document.documentElement.scrollWidth - document.documentElement.clientWidth;
  found.broken = [...document.images].filter(image => !image.naturalWidth).length;
  found.width = innerWidth;
"""


class Tab:
    """One tab of the browser."""

    def __init__(self, browser: Browser, session: str) -> None:
        self._browser, self._session = browser, session

    def go(self, address: str) -> None:
        """Open an address, and wait until the page is loaded."""
        self._call("Page.navigate", url=address)
        self.wait("document.readyState === 'complete' && location.href !== 'about:blank'")

    def run(self, script: str) -> Any:
        """Return the value of a script, which may be a promise."""
        return self._value(self._start(script))

    def _start(self, script: str) -> int:
        """Begin to run a script; return the number of its answer."""
        values = {"expression": script, "awaitPromise": True, "returnByValue": True}
        return self._browser.send("Runtime.evaluate", self._session, **values)

    def _value(self, number: int) -> Any:
        """Return the value of a script that was begun."""
        found = self._browser.answer(number)
        if "exceptionDetails" in found:
            raise AssertionError(found["exceptionDetails"]["exception"].get("description", found))
        return found["result"].get("value")

    def look(self, page: Path, script: str, width: int, silent: bool = True) -> dict[str, Any]:
        """Return the object that `script` filled in a page of this width; if `silent`, its console must stay empty.

        The script may `await`. Timers run in virtual time, so a busy machine changes nothing. It stands still until the
        script has begun: its budget would be used up before, and no timer of the script would end.
        """
        self.size(width, 900)
        self.go(page.as_uri())
        self._call("Emulation.setVirtualTimePolicy", policy="pause")
        begun = self._start(f"(async () => {{ const found = {{}}; {script}\n return found; }})()")
        self._call("Emulation.setVirtualTimePolicy", policy="advance", budget=1_000_000)
        found = self._value(begun)
        assert not silent or self.complaints == [], self.complaints
        return dict(found)

    @property
    def complaints(self) -> list[str]:
        """What stands in the console: of the page itself, and errors and warnings of the browser."""
        return self._browser.complaints_of(self._session)

    def count_sheets(self, page: Path) -> int:
        """Return the number of sheets of paper of a page."""
        self.go(page.as_uri())
        paper = base64.b64decode(self._call("Page.printToPDF", printBackground=False)["data"])
        return len(re.findall(rb"/Type */Page\b", paper))

    def wait(self, script: str, seconds: float = _PATIENCE) -> float:
        """Wait until a script gives a true value; return the seconds."""
        began = time.monotonic()
        # A page that is just being loaded has no body yet.
        while not self.run(f"(() => {{ try {{ return Boolean({script}); }} catch {{ return false; }} }})()"):
            if time.monotonic() - began > seconds:
                raise AssertionError(f"not in {seconds} s: {script}\n{self.run('document.body.innerText')[:3000]}")
            time.sleep(0.02)
        return time.monotonic() - began

    def size(self, width: int, height: int, dark: bool = False) -> None:
        """Set the size of the window and the colour scheme."""
        self._call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self._call("Emulation.setEmulatedMedia", features=[scheme])

    def picture(self) -> bytes:
        """Return what the window shows as PNG."""
        return base64.b64decode(self._call("Page.captureScreenshot", format="png")["data"])

    def _call(self, method: str, **values: Any) -> dict[str, Any]:
        return self._browser.call(method, self._session, **values)


class Browser:
    """The browser, with its messages that were no answers."""

    def __init__(self, out: int, into: int) -> None:
        self._out, self._into, self._number, self._buffer = out, into, 0, b""
        self._events: list[dict[str, Any]] = []
        self._answers: dict[int, dict[str, Any]] = {}
        self._tabs: list[str] = []

    def call(self, method: str, session: str = "", **values: Any) -> dict[str, Any]:
        """Send a command and return its answer."""
        return self.answer(self.send(method, session, **values))

    def send(self, method: str, session: str = "", **values: Any) -> int:
        """Send a command; return the number of its answer."""
        self._number += 1
        message: dict[str, Any] = {"id": self._number, "method": method, "params": values}
        if session:
            message["sessionId"] = session
        os.write(self._out, json.dumps(message).encode() + b"\0")
        return self._number

    def answer(self, number: int) -> dict[str, Any]:
        """Return the answer with this number; messages that are no answers are kept."""
        while number not in self._answers:
            message = self._read()
            if "id" in message:
                self._answers[message["id"]] = message
            else:
                self._events.append(message)
        answer = self._answers.pop(number)
        assert "error" not in answer, answer
        return dict(answer["result"])

    def open(self) -> Tab:
        """Open a tab."""
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self._tabs.append(target)
        for domain in ("Page", "Runtime", "Log"):
            self.call(f"{domain}.enable", session)
        return Tab(self, session)

    def close_tabs(self) -> None:
        """Close all tabs and forget their messages."""
        while self._tabs:
            self.call("Target.closeTarget", targetId=self._tabs.pop())
        self._events.clear()

    def complaints_of(self, session: str) -> list[str]:
        """Return what the page of a tab wrote to the console, and the browser about it as errors and warnings."""
        found = []
        for event in self._events:
            values = event.get("params", {})
            if event.get("sessionId") != session:
                continue
            if event.get("method") == "Log.entryAdded" and values["entry"]["level"] in ("error", "warning"):
                found.append(f"{values['entry']['text']} {values['entry'].get('url', '')}")
            if event.get("method") == "Runtime.exceptionThrown":
                found.append(str(values["exceptionDetails"]))
            if event.get("method") == "Runtime.consoleAPICalled":
                found.append(str(values["args"]))
        return found

    def _read(self) -> dict[str, Any]:
        end = time.monotonic() + _PATIENCE
        while b"\0" not in self._buffer:
            ready, _, _ = select.select([self._into], [], [], max(0.0, end - time.monotonic()))
            assert ready, "the browser does not answer"
            self._buffer += os.read(self._into, 1 << 20)
        line, _, self._buffer = self._buffer.partition(b"\0")
        return dict(json.loads(line))


@contextmanager
def open_browser(folder: Path) -> Iterator[Browser]:
    """Provide a browser with a new profile in a folder."""
    from_us, to_them = os.pipe()
    from_them, to_us = os.pipe()

    def place() -> None:  # the browser reads descriptor 3 and writes descriptor 4
        one, other = os.dup(from_us), os.dup(to_us)
        os.dup2(one, 3)
        os.dup2(other, 4)

    command = [str(CHROMIUM), *_QUIET, f"--user-data-dir={folder / 'profile'}", "--remote-debugging-pipe"]
    silent = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    process = subprocess.Popen(command, close_fds=False, preexec_fn=place, **silent)
    try:
        yield Browser(to_them, from_them)
    finally:
        process.kill()
        process.wait()
        for each in (from_us, to_them, from_them, to_us):
            os.close(each)
