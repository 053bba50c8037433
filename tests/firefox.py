"""Firefox for the tests of the page, by Marionette, the protocol that it speaks itself: no driver stands between.

    length:[0, number, "WebDriver:Navigate", {…}]   ->   length:[1, number, error or null, result]

Import this module first: it skips where there is no Firefox.
"""

from __future__ import annotations

import json
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from conftest import eventually

FIREFOX = shutil.which("firefox-esr") or shutil.which("firefox")

if FIREFOX is None:
    pytest.skip(
        "Firefox is not installed: the page is not tried in it (apt install firefox-esr)", allow_module_level=True
    )

PREFERENCES = {
    "marionette.port": 0,
    "browser.shell.checkDefaultBrowser": False,
    "datareporting.policy.dataSubmissionEnabled": False,
    "app.normandy.enabled": False,
    "network.captive-portal-service.enabled": False,
    "ui.prefersReducedMotion": 1,
}


class Firefox:
    """One window of a Firefox that runs."""

    def __init__(self, port: int) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=60)
        self.stream = self.socket.makefile("rb")
        self._read()  # who it is
        self.number = 0
        self.ask("WebDriver:NewSession")

    def ask(self, command: str, **values: Any) -> Any:
        """What a command gives; its complaint is an error."""
        self.number += 1
        message = json.dumps([0, self.number, command, values]).encode()
        self.socket.sendall(b"%d:%s" % (len(message), message))
        _, _, problem, result = self._read()
        if problem:
            raise RuntimeError(problem["message"])
        return result["value"] if isinstance(result, dict) and "value" in result else result

    def _read(self) -> Any:
        length = b""
        while (sign := self.stream.read(1)) != b":":
            length += sign
        return json.loads(self.stream.read(int(length)))

    def go(self, address: str) -> None:
        """Open an address."""
        self.ask("WebDriver:Navigate", url=address)

    def run(self, script: str, *values: Any) -> Any:
        """What a script gives that ends with a return; a promise is awaited."""
        return self.ask("WebDriver:ExecuteScript", script=script, args=values)

    def wait_for(self, script: str) -> None:
        """Wait until an expression is true."""
        eventually(lambda: self.run(f"return Boolean({script})"))

    def press(self, selector: str) -> None:
        """Press the first thing that a selector finds, as a person does."""
        self.wait_for(f"document.querySelector({json.dumps(selector)})")
        middle = (
            "const found = document.querySelector(arguments[0]); found.scrollIntoView({ block: 'center' });"
            "const { x, y, width, height } = found.getBoundingClientRect(); return [x + width / 2, y + height / 2]"
        )
        x, y = self.run(middle, selector)
        moves = [{"type": "pointerMove", "x": round(x), "y": round(y)}, {"type": "pointerDown"}, {"type": "pointerUp"}]
        self._act("pointer", [{"button": 0, **each} for each in moves])

    def type(self, keys: str) -> None:
        """Press keys, wherever the focus is."""
        actions = [{"type": kind, "value": key} for key in keys for kind in ("keyDown", "keyUp")]
        self._act("key", actions)

    def _act(self, kind: str, actions: list[dict[str, Any]]) -> None:
        self.ask("WebDriver:PerformActions", actions=[{"type": kind, "id": kind, "actions": actions}])


@contextmanager
def firefox() -> Iterator[Firefox]:
    """A Firefox with a profile of its own."""
    with tempfile.TemporaryDirectory() as profile:
        lines = [f"user_pref({json.dumps(name)}, {json.dumps(value)});" for name, value in PREFERENCES.items()]
        (Path(profile) / "user.js").write_text("\n".join(lines), encoding="utf-8")
        command = [str(FIREFOX), "--headless", "--marionette", "--no-remote", "--profile", profile, "about:blank"]
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        told = Path(profile) / "MarionetteActivePort"
        try:
            eventually(lambda: told.exists() and told.read_text().strip())
            window = Firefox(int(told.read_text()))
            with window.socket, window.stream:
                yield window
        finally:
            process.terminate()
            process.wait(20)
