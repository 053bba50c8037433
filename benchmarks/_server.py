"""What the benchmarks of the server share: one that runs, a connection to it, and where the figures go."""

from __future__ import annotations

import asyncio
import json
import os
import platform
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from noughts import native

CORES = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []


class Connection:
    """One connection that is kept alive; HTTP as far as our own server speaks it."""

    def __init__(self, port: int, page: str = "") -> None:
        self.port, self.page = port, page
        self.later = 0  # seconds after which the last question is to be asked again
        self.reader: asyncio.StreamReader | None = None
        self.writer: asyncio.StreamWriter | None = None

    async def ask(self, method: str, path: str, body: bytes = b"", *, read: bool = True) -> tuple[int, Any]:
        """The status and the JSON of an answer; its bytes if that is not to be read."""
        if self.writer is None:
            self.reader, self.writer = await asyncio.open_connection("127.0.0.1", self.port)
        assert self.reader
        kind = f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n" if body else ""
        kind += f"X-Page: {self.page}\r\n" if self.page else ""
        self.writer.write(f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n{kind}\r\n".encode() + body)
        head = (await self.reader.readuntil(b"\r\n\r\n")).decode()
        later = re.search(r"retry-after: (\d+)", head, re.IGNORECASE)
        self.later = int(later[1]) if later else 0
        length = re.search(r"content-length: (\d+)", head, re.IGNORECASE)
        if length:
            body = await self.reader.readexactly(int(length[1]))
        else:  # events, of which the last counts
            body = b""
            while line := await self.reader.readline():
                body = line.removeprefix(b"data: ") if line.startswith(b"data: ") else body
                if line == b"0\r\n":
                    await self.reader.readline()
                    break
        return int(head.split()[1]), json.loads(body) if read else body

    async def close(self) -> None:
        """End it."""
        if self.writer:
            self.writer.close()


@contextmanager
def serving() -> Iterator[tuple[subprocess.Popen[str], int]]:
    """A server on the cores of this process, and its port."""
    command = [sys.executable, "-m", "noughts", "serve", "--no-browser", "--port", "0"]
    server = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    try:
        assert server.stderr
        found = re.search(r":(\d+)/", server.stderr.readline())
        assert found
        yield server, int(found[1])
    finally:
        server.send_signal(signal.SIGINT)
        try:
            server.wait(10)
        except subprocess.TimeoutExpired:
            server.kill()


def write(name: str, reached: bool, rows: list[dict[str, Any]]) -> None:
    """Write what was measured, and on what."""
    results = Path(__file__).parent / "results"
    results.mkdir(exist_ok=True)
    facts = {"python": platform.python_version(), "machine": platform.machine(), "core": native.status()}
    load_average = os.getloadavg() if hasattr(os, "getloadavg") else None
    found = {**facts, "cpus": os.cpu_count(), "load_average": load_average, "reached": reached, "rows": rows}
    (results / f"{name}.json").write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")
