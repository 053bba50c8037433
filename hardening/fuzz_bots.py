"""Programs that we ask for moves: bots in lines and over HTTP, Gomocup engines. They hang, die, flood and lie.

Law: a legal move is taken; everything else loses the game, or is no bot, with the reason in one printable line, in
time; and no process is left.
"""

from __future__ import annotations

import contextlib
import random
import shlex
import socketserver
import sys
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

from fuzzing import HERE, mutated, one_line
from laws import require, require_alone

from noughts import Game
from noughts.play import CannotPlay, Forfeit, InvalidPlayer, bot, gomocup

LIMIT, LOADING = 0.2, 1.0
LONGEST = 15  # seconds: a start, two answers and a farewell, on a busy machine
MOVES = 2
JSON = [
    b'{"name": "x", "protocol": 1}', b"{}", b'{"cell": 7}', b'{"move": "h8"}', b'{"cell": [7, 8]}', b'{"cell": 225}',
    b'{"cell": true}', b'{"move": 3, "choices": []}', b'{"error": "no"}', b'{"cell": 1e400}', b"[" * 9999, b"null", b"",
]  # fmt: skip
LINES = [b"OK", b"7,7", b"8,8", b"0,0", b"7,", b"15,0", b"ERROR no", b"MESSAGE x", b"SUGGEST 1,1", b"UNKNOWN", b""]
HTTP = [b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%b", b"HTTP/1.1 500 No\r\nContent-Length: %d\r\n\r\n%b",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n%x\r\n%b", b"%d %b"]  # fmt: skip
place, folder = ("", 0), Path()
answers: list[bytes] = []


def made(rng: random.Random) -> bytes:
    """What it is, what it does at the end, and what it says first: mostly as it should."""
    kind = rng.choice((b"bot", b"gomocup", b"http"))
    good, words = ([b"OK", b"OK", b"7,7", b"8,8"], LINES) if kind == b"gomocup" else (JSON[:4], JSON)
    says = [*good[: rng.choice((0, 1, 2, 3, 4, 4, 4))], *rng.choices(words, k=rng.randrange(3))]
    if kind == b"http":
        frame = rng.choice(HTTP) if rng.random() < 0.3 else HTTP[0]
        says = [(frame % (len(each), each)).replace(b"\n", b"\\n") for each in says]
    data = b"\n".join([rng.choice((b"end", b"hang", b"die", b"flood", b"go on")), *says])
    return kind + b" " + (mutated(rng, data, [*words, b"x" * 2_000_000]) if rng.random() < 0.5 else data)


def law(data: bytes) -> str:
    """Play two moves against it."""
    kind, _, rest = data.partition(b" ")
    (folder / "says").write_bytes(rest)
    answers[:] = [each.replace(b"\\n", b"\n") for each in rest.split(b"\n")[1:]]
    liar = shlex.join([sys.executable, "-S", str(HERE / "liar.py"), str(folder / "says")])
    position, player = Game(15, 15, 5).start(), cast(Any, None)
    try:
        with contextlib.ExitStack() as stack:
            if kind == b"gomocup":
                engine = stack.enter_context(gomocup.GomocupEngine(f"gomocup:{liar}", LIMIT))
                player = gomocup.GomocupPlayer(engine)
            else:
                text = f"bot:{liar}" if kind == b"bot" else "http://{}:{}/".format(*place)
                player = bot.bot_player(stack.enter_context(bot.Bot(text, LIMIT)))
            for _ in range(MOVES):
                cell = player(position)
                require(cell in position.moves(), f"{cell} was taken for a move in {position}")
                position = position.play(cell)
        end = "moved"
    except (Forfeit, CannotPlay, InvalidPlayer) as problem:
        one_line(str(problem))
        end = "lost" if isinstance(problem, Forfeit) else "refused"
    require_alone()
    return f"{kind.decode('utf-8', 'replace')[:7]} {end}"


@contextlib.contextmanager
def around() -> Iterator[None]:
    """A folder, less patience, and the place of the bot over HTTP: each request gets the next answer, byte by byte."""
    global place, folder
    for module in (bot, gomocup):
        module.LOADING = LOADING  # type: ignore[attr-defined]
    with (
        tempfile.TemporaryDirectory(prefix="noughts-fuzz-bots-") as home,
        socketserver.ThreadingTCPServer(("127.0.0.1", 0), Answering) as server,
    ):
        place, folder, server.daemon_threads = server.server_address, Path(home), True  # type: ignore[assignment]
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield
        server.shutdown()


class Answering(socketserver.BaseRequestHandler):
    """A connection to the bot over HTTP."""

    def handle(self) -> None:
        """Answer each request, whole or not, while there are answers."""
        self.request.settimeout(5)
        with contextlib.suppress(OSError):
            while asked := self.request.recv(65536):
                while b"}" not in asked.partition(b"\r\n\r\n")[2]:
                    asked += self.request.recv(65536) or b"\r\n\r\n}"
                if not answers:
                    break
                self.request.sendall(answers.pop(0))
