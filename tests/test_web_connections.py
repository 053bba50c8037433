"""The server takes in as many clients as its files allow, and tells the others so: it never breaks under them."""

from __future__ import annotations

import re
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest

pytest.importorskip("uvicorn", reason="the web tests need the extra: pip install noughts[web]")
resource = pytest.importorskip("resource", reason="limits of files are of POSIX")

from noughts.web import server  # noqa: E402

PATIENCE = 60  # seconds: only there to end a hang
FILES, CLIENTS = 100, 400
GET = b"GET /api/v1/games HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
LIMITED = (
    f"import resource; resource.setrlimit(resource.RLIMIT_NOFILE, ({FILES}, {FILES})); "
    "from noughts.__main__ import main; main()"
)


def test_who_is_out_of_reach_is_noticed() -> None:
    with server.bind(port=0) as door, socket.create_connection(door.getsockname()), door.accept()[0] as let_in:
        assert let_in.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE)
        for name, value in server.MISSED.items():
            if hasattr(socket, name):
                assert let_in.getsockopt(socket.IPPROTO_TCP, getattr(socket, name)) == value


def test_who_serves_lets_in_as_many_as_the_system_allows() -> None:
    """A Mac lets a process open 256 files at first, and thirty tablets open 180 connections."""
    limits = "from resource import *; setrlimit(RLIMIT_NOFILE, (256, 1500)); "
    asks = "from noughts.web import server; server.let_more_in(); print(server.Connection.most)"
    told = subprocess.run([sys.executable, "-c", limits + asks], capture_output=True, text=True, check=True)
    assert told.stdout == "750\n"


@contextmanager
def limited() -> Iterator[tuple[Any, tuple[str, int], list[str]]]:
    """A server that may open few files: its process, its place, and at the end what it said."""
    line = [sys.executable, "-c", LIMITED, "serve", "--no-browser", "--port", "0"]
    said: list[str] = []
    with subprocess.Popen(line, stderr=subprocess.PIPE, text=True) as process:
        try:
            assert process.stderr
            found = re.search(r"http://(.+):(\d+)/", process.stderr.readline())
            assert found
            place = found[1], int(found[2])
            answered(place)
            yield process, place, said
            assert process.poll() is None, "it has ended by itself"
            process.terminate()
            said += process.stderr.readlines()
        finally:
            process.kill()


def answered(place: tuple[str, int]) -> None:
    """It answers, at once or when it has seen that others are gone."""
    end = time.monotonic() + PATIENCE
    while True:
        try:
            with urlopen(f"http://{place[0]}:{place[1]}/api/v1/games", timeout=PATIENCE) as answer:
                assert answer.status == 200
                return
        except OSError:
            assert time.monotonic() < end, "nobody is answered any more"
            time.sleep(0.05)


def refused(client: socket.socket) -> bool:
    """Was this silent client told to go?"""
    try:
        told = client.recv(1000)
    except TimeoutError:
        return False
    except ConnectionError:
        return True
    assert not told or told.startswith(b"HTTP/1.1 503 "), told
    return True


def test_more_clients_than_files_are_told_so_and_harm_nobody() -> None:
    with limited() as (_, place, said), ExitStack() as stack:
        first = stack.enter_context(socket.create_connection(place, timeout=PATIENCE))
        clients = [stack.enter_context(socket.create_connection(place, timeout=PATIENCE)) for _ in range(CLIENTS)]
        clients[-1].settimeout(15)  # less than the time for which those who are let in may be silent
        assert refused(clients[-1])
        first.sendall(GET)
        assert first.recv(1000).startswith(b"HTTP/1.1 200 ")
        for client in clients:
            client.settimeout(0.01)
        gone = sum(map(refused, clients))
        assert gone >= CLIENTS - FILES // 2
        stack.close()
        answered(place)
    assert not said or said == ["noughts: stopped\n"], "".join(said)[:2000]


@pytest.mark.skipif(sys.platform != "linux", reason="asks Linux which files are open")
def test_a_server_out_of_files_closes_on_new_clients_and_goes_on() -> None:
    """Whatever has taken the files: here it may open no more than it has open."""
    with limited() as (process, place, said):
        opened = {int(path.name) for path in Path(f"/proc/{process.pid}/fd").iterdir()}
        resource.prlimit(process.pid, resource.RLIMIT_NOFILE, (min({*range(FILES)} - opened), FILES))
        with ExitStack() as stack:
            clients = [stack.enter_context(socket.create_connection(place, timeout=15)) for _ in range(40)]
            assert refused(clients[-1]), "the first may have found a place, and are held as long as they may be silent"
        resource.prlimit(process.pid, resource.RLIMIT_NOFILE, (FILES, FILES))
        answered(place)
    assert not said or said == ["noughts: stopped\n"], "".join(said)[:2000]


@pytest.mark.parametrize(("files", "most"), [(64, 32), (256, 128), (1024, 512), (1_000_000, 1000), (-1, 1000)])
def test_half_of_the_files_are_for_clients(monkeypatch: pytest.MonkeyPatch, files: int, most: int) -> None:
    monkeypatch.setattr(resource, "getrlimit", lambda _: (files, files))
    assert server.most_connections() == most


def test_a_client_beyond_the_limit_is_refused_with_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server.Connection, "most", 1)
    with server.in_background() as address:
        place = address.split("/")[2].rsplit(":", 1)
        with socket.create_connection((place[0], int(place[1])), timeout=PATIENCE) as first:
            first.sendall(GET)
            assert first.recv(1000).startswith(b"HTTP/1.1 200 ")
            with socket.create_connection((place[0], int(place[1])), timeout=PATIENCE) as second:
                head, _, body = b"".join(iter(lambda: second.recv(1000), b"")).partition(b"\r\n\r\n")
            assert head.startswith(b"HTTP/1.1 503 ")
            assert f"content-length: {len(body)}".encode() in head
            assert b"at most 1 connections" in body
            first.sendall(GET)
            assert first.recv(100), "whoever was there first stays"
