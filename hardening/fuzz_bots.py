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

from fuzzing import HERE, mutated, one_line, seeds
from laws import require, require_alone

from noughts import Game
from noughts.play import CannotPlay, Forfeit, InvalidPlayer, bot, gomocup

LIMIT, LOADING = 0.2, 1.0
LONGEST = 15  # seconds: a start, two answers and a farewell, on a busy machine
MOVES = 2
FRAME = b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%b"
SEEDS = [line.split(b"|") for line in seeds("bots")]  # of each what it is, what it does at the end, and what it says
place, folder = ("", 0), Path()
answers: list[bytes] = []


def made(rng: random.Random) -> bytes:
    """A program, some of whose answers are those of others."""
    says = [*rng.choice(SEEDS)]
    for _ in range(rng.choice((0, 0, 1, 2))):
        says[rng.randrange(1, len(says))] = rng.choice(rng.choice(SEEDS)[1:])
    kind, _, data = b"\n".join(says[: rng.choice((1, 2, 3, 9, 9, 9))]).partition(b" ")
    others = [b"\n".join(seed) for seed in SEEDS] + [b"x" * 2_000_000]
    return kind + b" " + (mutated(rng, data, others) if rng.random() < 0.4 else data)


def law(data: bytes) -> str:
    """Play two moves against it."""
    kind, _, rest = data.partition(b" ")
    (folder / "says").write_bytes(rest)
    says = [each.replace(b"\\r\\n", b"\r\n") for each in rest.split(b"\n")[1:]]
    answers[:] = [each if each.startswith(b"HTTP") else FRAME % (len(each), each) for each in says]
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
