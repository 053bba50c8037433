"""A program behind an address, with which one talks over HTTP: each question is posted, each answer is the response.

`Post` can be asked as a `Process` can, and fails as that does. What the other side does never holds this one up: the
exchange is made in a thread of its own, which is left to itself when the time is over.
"""

from __future__ import annotations

import queue
import socket
import threading
from contextlib import suppress
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from urllib.parse import urlsplit

from noughts.play.player import InvalidPlayer
from noughts.play.process import OUTPUT, Failed
from noughts.words import brief, size

SCHEMES: dict[str, type[HTTPConnection]] = {"http": HTTPConnection, "https": HTTPSConnection}
HEADERS = {"Content-Type": "application/json", "Accept": "application/json"}

Heard = queue.SimpleQueue[bytes | Failed]


class Post:
    """An address that answers; one connection is kept for all questions while that lasts."""

    def __init__(self, address: str) -> None:
        try:
            parts = urlsplit(address)
            self._host, self._port = parts.hostname or "", parts.port
        except ValueError:  # a port that is no number, a bracket that is not closed
            self._host = ""
        if not self._host or parts.scheme not in SCHEMES or not address.isascii() or not address.isprintable():
            raise InvalidPlayer(f"{brief(address)} is not an address: expected one such as http://localhost:8000/")
        self._scheme = parts.scheme
        self._path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        self._connection: HTTPConnection | None = None

    def ask(self, text: str, seconds: float) -> str:
        """The answer to what is posted, within so many seconds."""
        heard: Heard = queue.SimpleQueue()
        if self._connection is None:
            self._connection = SCHEMES[self._scheme](self._host, self._port, timeout=seconds)
        threading.Thread(target=self._exchange, args=(self._connection, text, seconds, heard), daemon=True).start()
        try:
            found = heard.get(timeout=seconds)
        except queue.Empty:
            found = _late(seconds)
        if isinstance(found, bytes):
            return found.decode(errors="replace")
        self.close()
        raise found

    def leave(self, text: str, seconds: float = 1.0) -> None:
        """Post a last line, and close."""
        with suppress(Failed):
            self.ask(text, seconds)
        self.close()

    def close(self) -> None:
        """Close the connection, also on whoever still waits for something to come through it."""
        connection, self._connection = self._connection, None
        if connection is not None and (sock := connection.sock) is not None:
            with suppress(OSError):
                sock.shutdown(socket.SHUT_RDWR)
            with suppress(OSError):
                sock.close()

    def _exchange(self, connection: HTTPConnection, text: str, seconds: float, heard: Heard) -> None:
        """Post a text, in a thread, and hand on what comes of it."""
        kept = connection.sock is not None
        try:
            try:
                heard.put(self._answer(connection, text, seconds))
            except ConnectionError:
                if not kept or self._connection is not connection:
                    raise
                connection.close()  # it was closed while nobody used it, which says nothing of the program
                heard.put(self._answer(connection, text, seconds))
        except Failed as failed:
            connection.close()
            heard.put(failed)
        except TimeoutError:
            connection.close()
            heard.put(_late(seconds))
        except (OSError, HTTPException, ValueError, AttributeError) as problem:  # of a connection closed meanwhile, too
            connection.close()
            heard.put(Failed("ended", f"cannot be reached: {_why(problem)}"))
        if self._connection is not connection:  # nobody has waited for this
            connection.close()

    def _answer(self, connection: HTTPConnection, text: str, seconds: float) -> bytes:
        connection.timeout = seconds
        if connection.sock is not None:
            connection.sock.settimeout(seconds)
        connection.request("POST", self._path, text.encode(), HEADERS)
        response = connection.getresponse()
        body = response.read(OUTPUT + 1)
        if len(body) > OUTPUT:
            raise Failed("flooded", f"wrote more than {size(OUTPUT)}, and no answer")
        if response.status != 200:
            words = brief(body.decode(errors="replace"))
            raise Failed("ended", f"answered with the status {response.status}, not 200: {words}")
        return body


def _late(seconds: float) -> Failed:
    return Failed("late", f"gave no answer within {seconds:g} s")


def _why(problem: Exception) -> str:
    return getattr(problem, "strerror", None) or brief(str(problem) or type(problem).__name__, 160)
