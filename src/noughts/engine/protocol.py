"""The engine behind the Gomocup protocol, by which managers such as Piskvork and c-gomoku-cli play engines.

A manager sends a command a line, and gets a line for it; coordinates are `column,row`, from 0 at the top left. What it
tells with INFO is not answered. What cannot be done is answered with ERROR and a sentence, what is not known with
UNKNOWN.

    START 15            OK                 TURN 7,7     8,7            the opponent's move, and mine
    INFO rule 1                            BOARD        9,9            a whole board: lines x,y,1 (mine) and x,y,2, DONE

A move never takes longer than the manager allows: what the clock leaves is shared out, less a margin for the way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from importlib.metadata import version
from queue import SimpleQueue
from threading import Event, Thread
from time import monotonic

from noughts.engine import MOST_SECONDS, Engine, EngineError
from noughts.engine.opening import TRIALS, first_mark, lay_three, prefers
from noughts.native import MAX_THREADS
from noughts.proofs.fours import MAX_SIDE
from noughts.rules.game import Cell, Game
from noughts.rules.position import Position
from noughts.words import brief, whole

LEAST_SIDE = 5
EXACTLY_FIVE = 1  # the bit of INFO rule; of the others (continuous, renju, caro) none is known
TURN = 5000  # milliseconds for a move, unless the manager says otherwise
UNLIMITED = 2147483647  # what a manager sends as time_left where there is no match clock
MOVES_LEFT = 20  # moves that the rest of a match clock has to do for
MARGIN, SHARE = 70, 0.03  # milliseconds, and the share of a move, that are kept for the way to the manager
FLOOR = 0.2  # of a very short move is still used to think
OVERHEAD = 90 << 20  # bytes that the program takes besides the engine's table
MEMORY_MB = 256  # for the table, where memory is not limited
LONGEST_LINE = 4096
AGAIN = 0.02  # seconds after which thinking is ended again, once END has come


class Mistaken(ValueError):
    """A command that cannot be carried out, and why."""


class Brain:
    """One game after another, as a manager commands: `answer` takes a line and gives the lines to send back."""

    def __init__(self, threads: int = 1, seed: int = 0) -> None:
        self.threads, self.seed = whole("threads", threads, 1, MAX_THREADS, EngineError), seed
        self.info: dict[str, int] = {"timeout_turn": TURN}
        self.size: tuple[int, int] | None = None  # rows, columns
        self.mine: list[Cell] = []
        self.theirs: list[Cell] = []
        self.listed: list[str] | None = None  # the lines of a board that is on its way
        self.swapping = False
        self.over = False
        self.began = 0.0  # when what is answered now came in: a board, when its first line did
        self._engine: tuple[tuple[Game, int], Engine] | None = None

    def answer(self, line: str, began: float | None = None) -> str | None:
        """What to answer to a line that came in at `began`; None for nothing."""
        if self.listed is None:
            self.began = monotonic() if began is None else began
        try:
            return self._listing(line) if self.listed is not None else self._command(line)
        except (Mistaken, EngineError) as problem:
            return f"ERROR {problem}"
        except MemoryError:
            return "ERROR there is not enough memory"

    def stop(self) -> None:
        """End the thinking: the manager has sent END."""
        if engine := self._engine:
            engine[1].stop()

    def _command(self, line: str) -> str | None:
        word, _, rest = line.strip().partition(" ")
        if not word:
            return None
        command = getattr(self, f"do_{word.lower()}", None) if word.isascii() and word.isalnum() else None
        return f"UNKNOWN {brief(line.strip())}" if command is None else command(rest.strip())

    # What a manager commands

    def do_about(self, _: str) -> str:
        """Who this is."""
        return f'name="noughts", version="{version("noughts")}", author="the noughts authors", country="-"'

    def do_info(self, text: str) -> None:
        """A limit, a rule, or anything else; what is not understood does not matter."""
        key, _, number = text.partition(" ")
        try:
            self.info[key.lower()] = int(number)
        except ValueError:
            return

    def do_start(self, text: str) -> str:
        """An empty square board."""
        (side,) = self._numbers(text, 1)
        return self._start(side, side)

    def do_rectstart(self, text: str) -> str:
        """An empty board of so many columns and rows."""
        columns, rows = self._numbers(text, 2)
        return self._start(rows, columns)

    def do_restart(self, _: str) -> str:
        """The board empty again."""
        rows, columns = self._started()
        return self._start(rows, columns)

    def do_begin(self, _: str) -> str:
        """The first move of the game is mine."""
        self._started()
        if self.mine or self.theirs:
            raise Mistaken("the board is not empty")
        return self._move()

    def do_turn(self, text: str) -> str:
        """The opponent's move; then mine."""
        self.theirs.append(self._free(text))
        try:
            return self._move()
        except (Mistaken, EngineError):
            self.theirs.pop()
            raise

    def do_play(self, text: str) -> str:
        """A move that the manager makes for me."""
        cell = self._free(text)
        self.mine.append(cell)
        return self._at(cell)

    def do_suggest(self, _: str) -> str:
        """The move that I would make, which is not made."""
        return f"SUGGEST {self._at(self._choose())}"

    def do_takeback(self, text: str) -> str:
        """Take a mark off the board."""
        cell = self._cell(*self._numbers(text, 2))
        for marks in (self.mine, self.theirs):
            if cell in marks:
                marks.remove(cell)
                return "OK"
        raise Mistaken(f"there is no mark on {text}")

    def do_board(self, _: str) -> None:
        """The lines of a whole board follow."""
        self._started()
        self.listed, self.swapping = [], False

    def do_swap2board(self, _: str) -> None:
        """The marks of an opening follow: none, three or five."""
        self._started()
        self.listed, self.swapping = [], True

    def do_end(self, _: str) -> None:
        """The last command."""
        self.over = True

    # The lines of a board

    def _listing(self, line: str) -> str | None:
        assert self.listed is not None
        if line.strip().upper() != "DONE":
            if len(self.listed) <= MAX_SIDE * MAX_SIDE:
                self.listed.append(line.strip())
            return None
        listed, self.listed = self.listed, None
        return self._swap2(listed) if self.swapping else self._board(listed)

    def _board(self, listed: list[str]) -> str:
        before = self.mine, self.theirs
        self.mine, self.theirs = [], []
        try:
            for text in listed:
                column, row, whose = self._numbers(text, 3)
                if whose not in (1, 2):
                    raise Mistaken(f"{brief(text)}: the third number must be 1 (mine) or 2 (the opponent's)")
                (self.mine if whose == 1 else self.theirs).append(self._free(f"{column},{row}"))
            return self._move()
        except (Mistaken, EngineError):
            self.mine, self.theirs = before
            raise

    def _swap2(self, listed: list[str]) -> str:
        self.mine, self.theirs = [], []
        game, seconds = self._game(), self._seconds()
        if len(listed) not in (0, 3, 5):
            raise Mistaken(f"an opening has no marks, three or five, not {len(listed)}")
        position = game.start()
        for text in listed:
            cell = self._cell(*self._numbers(text, 2))
            if not position.empty >> cell & 1:
                raise Mistaken(f"{text} is taken")
            position = position.play(cell)
        if not listed:
            return " ".join(map(self._at, lay_three(self.engine(), self.seed, seconds=seconds / TRIALS)))
        better, view = prefers(self.engine(), position, seconds=seconds)
        return self._at(view.move) if better else "SWAP"

    # Thinking

    def engine(self) -> Engine:
        """The engine for this board, rule and memory."""
        key = self._game(), self._memory_mb()
        if self._engine is None or self._engine[0] != key:
            self._engine = None  # the memory of the one before comes first
            self._engine = key, Engine(key[0], self.threads, key[1])
        return self._engine[1]

    def _move(self) -> str:
        cell = self._choose()
        self.mine.append(cell)
        return self._at(cell)

    def _choose(self) -> Cell:
        game = self._game()
        if not self.mine and not self.theirs:
            return first_mark(game, self.seed)
        first, second = (self.mine, self.theirs) if len(self.mine) == len(self.theirs) else (self.theirs, self.mine)
        if len(first) - len(second) not in (0, 1):
            raise Mistaken(f"it is not my turn with {len(self.mine)} marks of mine and {len(self.theirs)} of the other")
        position = Position.unchecked(game, game.bits_of(first), game.bits_of(second))
        if position.is_over:
            raise Mistaken(f"the game is over ({position.status})")
        return self.engine().think(position, seconds=self._seconds()).move

    def _seconds(self) -> float:
        """How long this move may take from now on, so that the answer is there in time."""
        turn = float(self.info["timeout_turn"])
        left = self.info.get("time_left", self.info.get("timeout_match", 0) or UNLIMITED)
        if left < UNLIMITED:
            turn = min(turn, max(0.0, left) / MOVES_LEFT * (2 if left > 60_000 else 1)) if turn else left / MOVES_LEFT
        spent = 1000 * (monotonic() - self.began)
        use = max(turn - MARGIN - SHARE * turn, FLOOR * turn) - spent
        return min(max(use, 1.0), 1000 * MOST_SECONDS) / 1000

    def _memory_mb(self) -> int:
        most = self.info.get("max_memory", 0)
        return MEMORY_MB if most <= 0 else min(MEMORY_MB, max(1, (most - OVERHEAD >> 20) * 3 // 4))

    # The board

    def _start(self, rows: int, columns: int) -> str:
        for side in (rows, columns):
            if not LEAST_SIDE <= side <= MAX_SIDE:
                raise Mistaken(f"a board has from {LEAST_SIDE} to {MAX_SIDE} rows and columns here, not {side}")
        self.size = rows, columns
        self.mine, self.theirs = [], []
        if not self.info.get("rule", 0) & ~EXACTLY_FIVE:
            self.engine().forget()  # made now, when no clock runs
        return "OK"

    def _started(self) -> tuple[int, int]:
        if self.size is None:
            raise Mistaken("there is no board yet: START comes first")
        return self.size

    def _game(self) -> Game:
        rows, columns = self._started()
        rule = self.info.get("rule", 0)
        if rule & ~EXACTLY_FIVE:
            raise Mistaken(f"rule {rule} is not known here: only 0 (five or more) and 1 (exactly five)")
        return Game(rows, columns, 5, exact=bool(rule & EXACTLY_FIVE))

    def _numbers(self, text: str, count: int) -> list[int]:
        try:
            found = [int(part) for part in text.split(",")]
        except ValueError:
            found = []
        if len(found) != count:
            raise Mistaken(
                f"expected {count} number{'s, with commas between them' if count > 1 else ''}: {brief(text)}"
            )
        return found

    def _cell(self, column: int, row: int) -> Cell:
        rows, columns = self._started()
        if not (0 <= column < columns and 0 <= row < rows):
            raise Mistaken(f"{column},{row} is not on the board")
        return row * columns + column

    def _free(self, text: str) -> Cell:
        cell = self._cell(*self._numbers(text, 2))
        if cell in self.mine or cell in self.theirs:
            raise Mistaken(f"{text} is taken")
        return cell

    def _at(self, cell: Cell) -> str:
        _, columns = self._started()
        return f"{cell % columns},{cell // columns}"


def serve(lines: Iterable[str], write: Callable[[str], object], brain: Brain) -> None:
    """Answer the lines of a manager until END, or until there are no more; END stops the thinking too."""
    waiting: SimpleQueue[tuple[str, float] | None] = SimpleQueue()
    done = Event()

    def listen() -> None:
        for line in lines:
            waiting.put((line[:LONGEST_LINE], monotonic()))
            if line.strip().upper() == "END":
                break
        brain.over = True
        waiting.put(None)
        brain.stop()
        while not done.wait(AGAIN):  # it may have begun to think since
            brain.stop()

    Thread(target=listen, name="noughts: the manager's lines", daemon=True).start()
    while (each := waiting.get()) is not None:
        line, began = each
        if (found := brain.answer(line, began)) is not None:
            write(found)
    done.set()
