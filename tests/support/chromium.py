"""A headless Chromium that tests drive: pages of a server, clicks and typing, over the DevTools pipe."""

from __future__ import annotations

import json
import os
import select
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from support.browser import CHROMIUM, QUIET

_PATIENCE = 60.0  # seconds


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
        found = self._call("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in found:
            raise AssertionError(found["exceptionDetails"]["exception"].get("description", found))
        return found["result"].get("value")

    def wait(self, script: str, seconds: float = _PATIENCE) -> float:
        """Wait until a script gives a true value; return the seconds."""
        began = time.monotonic()
        # A page that is just being loaded has no body yet.
        while not self.run(
            f"(() => {{ try {{ return Boolean({script}); }} catch {{ return false; }} }})()"
        ):
            if time.monotonic() - began > seconds:
                raise AssertionError(
                    f"not in {seconds} s: {script}\n{self.run('document.body.innerText')[:3000]}"
                )
            time.sleep(0.02)
        return time.monotonic() - began

    def size(self, width: int, height: int, dark: bool = False) -> None:
        """Set the size of the window and the colour scheme."""
        self._call(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=False,
        )
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self._call("Emulation.setEmulatedMedia", features=[scheme])

    def _call(self, method: str, **values: Any) -> dict[str, Any]:
        return self._browser.call(method, self._session, **values)


class Browser:
    """The browser, with its messages that were no answers."""

    def __init__(self, out: int, into: int) -> None:
        self._out, self._into, self._number, self._buffer = out, into, 0, b""
        self.events: list[dict[str, Any]] = []

    def call(self, method: str, session: str = "", **values: Any) -> dict[str, Any]:
        """Send a command and return its answer."""
        self._number += 1
        message: dict[str, Any] = {"id": self._number, "method": method, "params": values}
        if session:
            message["sessionId"] = session
        os.write(self._out, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._read()
            if answer.get("id") == self._number:
                assert "error" not in answer, answer
                return dict(answer["result"])
            self.events.append(answer)

    def open(self) -> Tab:
        """Open a tab."""
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log"):
            self.call(f"{domain}.enable", session)
        return Tab(self, session)

    @property
    def complaints(self) -> list[str]:
        """What the pages wrote to the console as errors and warnings."""
        found = []
        for event in self.events:
            values = event.get("params", {})
            if event.get("method") == "Log.entryAdded" and values["entry"]["level"] in (
                "error",
                "warning",
            ):
                found.append(f"{values['entry']['text']} {values['entry'].get('url', '')}")
            if event.get("method") == "Runtime.exceptionThrown":
                found.append(str(values["exceptionDetails"]))
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

    command = [str(CHROMIUM), *QUIET, f"--user-data-dir={folder / 'profile'}", "--remote-debugging-pipe"]
    silent = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    process = subprocess.Popen(command, close_fds=False, preexec_fn=place, **silent)
    try:
        yield Browser(to_them, from_them)
    finally:
        process.kill()
        process.wait()
        for each in (from_us, to_them, from_them, to_us):
            os.close(each)
