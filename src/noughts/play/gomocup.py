"""Engines that speak the Gomocup protocol as players: gomocup:/path/to/pbrain-x.

Such an engine plays five in a row, or exactly five. It is a program of its own, kept within a time for each move and
within memory (`process`). It is given the whole board before each move. One that is silent, late, dead, illegal or
talks nonsense loses its game, with the reason; then it is started anew.
"""

from __future__ import annotations

import re
import shlex
import shutil
from time import monotonic

from noughts.play.player import CannotPlay, Forfeit, InvalidPlayer, played
from noughts.play.process import MEMORY, Failed, Limits, Process
from noughts.play.user_file import LOADING, LONGEST, TIME_LIMIT
from noughts.rules.game import Cell, Game
from noughts.rules.position import Position
from noughts.words import brief

PREFIX = "gomocup:"
GRACE = 0.5  # seconds after its time in which an answer is still taken: the way through the pipes takes some of it
CHATTER = 10_000  # lines of MESSAGE and DEBUG before a move
FIVE = 5


def is_gomocup(text: str) -> bool:
    """Does a text name such an engine?"""
    return text.startswith(PREFIX)


class GomocupEngine:
    """An engine at work; use it in a `with` statement. InvalidPlayer says why there is none to be had."""

    def __init__(self, text: str, time_limit: float = TIME_LIMIT, memory: int = MEMORY) -> None:
        if not 0 < time_limit <= LONGEST:
            raise InvalidPlayer(f"the time limit must be from above 0 to {LONGEST:,.0f} seconds, not {time_limit:g}")
        try:
            self.command = shlex.split(text.removeprefix(PREFIX))
        except ValueError as problem:
            raise InvalidPlayer(f"{brief(text)} is not a command: {str(problem).lower()}") from None
        if not self.command:
            raise InvalidPlayer(f"{brief(text)} names no engine: expected one, as in gomocup:/path/to/pbrain-x")
        if shutil.which(self.command[0]) is None:
            raise InvalidPlayer(f"there is no program {brief(self.command[0])} that could be an engine")
        self.time_limit, self.memory = time_limit, memory
        self.name = PREFIX + re.split(r"[/\\]", self.command[0])[-1]
        self.process: Process | None = None
        self.game: Game | None = None  # that it was told to start
        self.taken: Game | None = None  # that it has taken: it cannot refuse it later

    def __enter__(self) -> GomocupEngine:
        return self

    def __exit__(self, *_: object) -> None:
        if self.process is not None:
            self.process.leave("END")
            self.process = None

    def begin(self, game: Game) -> None:
        """A new game; CannotPlay if the engine says that it does not take its board, Failed if it misbehaves."""
        if self.process is None:
            self.process = Process(self.command, limits=Limits(self.memory))
        limit = round(1000 * self.time_limit)
        for key, value in {
            "timeout_turn": limit, "timeout_match": 0, "max_memory": self.memory, "game_type": 1,
            "rule": int(game.rule.exact),
        }.items():  # fmt: skip
            self.process.send(f"INFO {key} {value}")
        square = game.rows == game.columns
        size = f"START {game.rows}" if square else f"RECTSTART {game.columns},{game.rows}"
        answer = self.hear(size, max(LOADING, self.time_limit))
        if answer.upper().startswith("OK"):
            self.game = self.taken = game
            return
        self.stop()
        if self.taken != game and answer.upper().startswith(("ERROR", "UNKNOWN")):
            raise CannotPlay(f"{self.name} does not play {game}: it answers {brief(answer, 160)}")
        raise Failed("ended", f"answered {brief(answer)} to {size}, which is not OK")

    def move(self, position: Position) -> tuple[int, int]:
        """The row and column of its move; Failed if there is none."""
        if self.game != position.game or self.process is None:
            self.begin(position.game)
        assert self.process
        self.process.send("INFO time_left 2147483647")
        if position.marks:
            columns = position.game.columns
            lines = ["BOARD"]
            for whose, side in enumerate(position.sides, 1):
                lines += [f"{cell % columns},{cell // columns},{whose}" for cell in position.game.cells_of(side)]
            asked = "\n".join([*lines, "DONE"])
        else:
            self.begin(position.game)
            asked = "BEGIN"
        answer = self.hear(asked, self.time_limit + GRACE)
        if answer.upper().startswith("SUGGEST "):
            answer = answer.partition(" ")[2]
        found = re.fullmatch(r"\s*(\d{1,3})\s*,\s*(\d{1,3})\s*", answer)
        if not found:
            self.stop()
            raise Failed("ended", f"answered {brief(answer)}, which is not a move such as 7,7")
        column, row = map(int, found.groups())
        return row, column

    def hear(self, text: str, seconds: float) -> str:
        """The answer to a command, within so many seconds; what it says to people is passed over."""
        assert self.process
        end = monotonic() + seconds
        try:
            line = self.process.ask(text, seconds)
            for _ in range(CHATTER):
                if line.strip() and not line.upper().startswith(("MESSAGE", "DEBUG")):
                    return line.strip()
                line = self.process.line(max(0.0, end - monotonic()), of=seconds)
        except Failed:
            self.process = self.game = None
            raise
        self.stop()
        raise Failed("flooded", f"talked for {CHATTER:,} lines, and made no move")

    def stop(self) -> None:
        """End the program at once."""
        process, self.process, self.game = self.process, None, None
        if process is not None:
            process.close()


class GomocupPlayer:
    """A Gomocup engine as a player."""

    def __init__(self, engine: GomocupEngine, seed: int = 0) -> None:
        self.engine = engine

    @property
    def name(self) -> str:
        """The name of its program."""
        return self.engine.name

    def __str__(self) -> str:
        return self.name

    def __call__(self, position: Position) -> Cell:
        game = position.game
        why = game.rule.refusal(["gravity", "misere"]) or (None if game.k == FIVE else "it plays five in a row")
        if why:
            raise CannotPlay(f"{self} does not play {game}: {why}")
        try:
            return played(position, self.engine.move(position))[0]
        except Failed as failed:
            raise Forfeit(position, f"it {failed.problem}") from None

    def renew(self) -> None:
        """Go on in a process which knows nothing of the one before."""
        self.engine.stop()
