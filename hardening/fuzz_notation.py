"""Any text as a game, a board, a move and a record, against the slow truth.

Laws: a text is refused with one line of noughts' own, or it reads back; a board is legal exactly when the definition
says so (some order of moves leads to it, tried backwards, with lines found by walking), for the reason that it names;
its witness replays; a position has the status and the lines that walking finds; and all of that ends within seconds,
on the largest boards too.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from functools import lru_cache
from itertools import pairwise
from time import process_time
from typing import TypeVar

from fuzzing import clear, large_board, mutated, seeds
from laws import Broken, require

from noughts import Game, Position
from noughts.play.record import format_record, parse_record
from noughts.rules.encoding import code, decode
from noughts.rules.legality import Reason, check
from noughts.rules.notation import board_rows, format_board, format_move, parse_board, parse_game, parse_move
from noughts.rules.position import InvalidPosition, Setup

SMALL = 42  # cells: beyond, the truth is too slow
LONGEST = 30  # seconds of CPU time for one text
Marks = tuple[str, ...]  # the rows of a board
T = TypeVar("T")


class Target:
    """Texts."""

    name = "notation"
    guided = True
    words = (
        b"3x3k3:", b"4x4k4:", b"3x3k3m:", b"5x6k4:", b"1x1k1:", b"2x2k2m:", b"256x256k256", b"k0", b"m:", b"/", b"XXX",
        b"OOO", b"...", b"X", b"O", b".", b"_", b"xo", b"a1", b"aa10", b"iv256", b": a1 b2", b"\n", b"\xc2\xb2",
        b"\xd9\xa3", b"\xe2\x80\xa8", b"\xff", b"\0",
    )  # fmt: skip

    def __init__(self) -> None:
        self.seeds = seeds(self.name)
        self.verdicts: Counter[str] = Counter()

    def __enter__(self) -> Target:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def figures(self) -> str:
        """The boards among the texts, by their verdict."""
        names = ["legal", *map(str, Reason)]
        each = ", ".join(f"{self.verdicts[name]:,} {name.replace('_', ' ')}" for name in names)
        return f" ({self.verdicts.total():,} boards: {each})"

    def input(self, rng: random.Random) -> bytes:
        """A seed, changed, or a board: of random marks, or with a few whole lines and as many marks of the other's."""
        chance = rng.random()
        if chance < 0.01:
            return large_board(rng).encode()
        if chance < 0.5:
            return mutated(rng, rng.choice(self.seeds), self.seeds, self.words)
        rows, columns = rng.randint(1, 6), rng.randint(1, 7)
        rules = {"misere": rng.random() < 0.3, "gravity": rng.random() < 0.3}
        game = Game(rows, columns, rng.randint(1, max(rows, columns)), **rules)
        if chance < 0.75:
            marks = rng.choices("XO.", (1, 1, rng.choice((0, 0.5, 2))), k=game.cells)
        else:
            owner, other = rng.choice(("XO", "OX"))
            cells = {cell for line in rng.choices(list(game.lines()), k=rng.randint(1, 3)) for cell in line}
            marks = [owner if cell in cells else "." for cell in range(game.cells)]
            free = [cell for cell in range(game.cells) if cell not in cells]
            rng.shuffle(free)
            for cell in free[: len(cells) + rng.choice((0, -1 if owner == "X" else 1))]:
                marks[cell] = other
        if game.gravity and rng.random() < 0.8:  # the marks of each column fall
            for column in range(columns):
                marks[column::columns] = sorted(marks[column::columns], key=lambda mark: mark != ".")
        board = "".join(marks)
        return f"{game}:{'/'.join(board[at : at + columns] for at in range(0, game.cells, columns))}".encode()

    def run(self, data: bytes) -> None:
        """Read a text in every way."""
        text, began = data.decode("utf-8", "surrogateescape"), process_time()
        _read_game(text)
        _read_moves(text)
        _read_record(text)
        board = _refused_or(parse_board, text)
        if board is not None:
            self.verdicts[_judge(text, board)] += 1
        spent = process_time() - began
        require(spent <= LONGEST, f"{text[:100]!r} took {spent:.0f} seconds of CPU time: {LONGEST} should do")


def _refused_or(read: Callable[..., T], *args: object) -> T | None:
    """What a reader makes of a text, or None if it refuses it as it should."""
    try:
        return read(*args)
    except ValueError as problem:
        clear(problem, 400)
        return None


def _read_game(text: str) -> None:
    game = _refused_or(parse_game, text)
    require(game is None or str(game) == text, f"{text!r} became {game}")


def _read_moves(text: str) -> None:
    for game in (Game(), Game(1, 30, 4), Game(256, 256, 5)):
        cell = _refused_or(parse_move, game, text)
        require(cell is None or format_move(game, cell) == text.lower(), f"{text!r} became cell {cell} of {game}")


def _read_record(text: str) -> None:
    found = _refused_or(parse_record, text)
    if found is not None:
        require(parse_record(format_record(*found)) == found, f"{text!r} does not read back as a record")


def _judge(text: str, board: Setup) -> str:
    """Hold a board to its laws; the verdict on it in a word."""
    again = format_board(board)
    require(parse_board(again) == board, f"{text!r} became {again!r}, which is another board")
    marks = text.partition(":")[2] if ":" in text else text
    plain = marks.upper().replace("_", ".").replace("/", "")
    require(marks.isdigit() or "".join(board_rows(board)) == plain, f"{text!r} lost marks: {again!r}")
    verdict = check(board)
    if verdict.legal:
        _replay(board, verdict.witness or ())
        require(decode(board.game, code(board)) == board, f"{text!r} has a code that is another's")
    else:
        try:
            Position.parse(text)
            raise Broken(f"{text!r} is a position, and cannot arise")
        except InvalidPosition as problem:
            require(problem.reason is verdict.reason, f"{text!r} has two reasons: {problem.reason}, {verdict.reason}")
    if board.game.cells <= SMALL:
        _compare(text, board, tuple(board_rows(board)))
    return str(verdict.reason or "legal")


def _compare(text: str, board: Setup, rows: Marks) -> None:
    """Hold the verdict against the definition."""
    game, verdict = board.game, check(board)
    exact = game.exact and game.k > 1
    arises = can_arise(rows, game.k, exact, game.gravity)
    require(verdict.legal is arises, f"{text!r}: legal is {verdict.legal}, and should not be")
    lines = {mark: walked(rows, game.k, mark, exact) for mark in "XO"}
    difference = sum(row.count("X") - row.count("O") for row in rows)
    if verdict.legal:
        position = Position.parse(text)
        winner = next((mark for mark in "XO" if lines[mark]), None)
        if winner and game.misere:
            winner = "O" if winner == "X" else "X"
        require((position.winner and str(position.winner)) == winner, f"{text!r}: the winner is not {position.winner}")
        require(sorted(position.lines()) == sorted(lines["X"] or lines["O"]), f"{text!r}: other lines")
        require((str(position.turn) == "X") == (difference == 0), f"{text!r}: not {position.turn}'s turn")
        require(position.is_over == bool(winner or "." not in "".join(rows)), f"{text!r}: over or not")
        return
    reason = (
        Reason.FLOATING if game.gravity and _floats(rows)
        else Reason.COUNTS if difference not in (0, 1)
        else Reason.BOTH_COMPLETE if lines["X"] and lines["O"]
        else Reason.MOVE_AFTER_END if lines["O" if difference else "X"]
        else Reason.NO_LAST_MOVE if not set.intersection(*map(set, lines["X"] + lines["O"] or [(0,)]))
        else Reason.NO_TURNS if game.gravity
        else Reason.NO_ORDER
    )  # fmt: skip
    require(verdict.reason is reason, f"{text!r}: the reason is not {verdict.reason}")


def _floats(rows: Marks) -> bool:
    return any(
        above != "." and below == "." for top, under in pairwise(rows) for above, below in zip(top, under, strict=True)
    )


def _replay(board: Setup, witness: tuple[int, ...]) -> None:
    position, text = board.game.start(), format_board(board)
    for cell in witness:
        require(not position.is_over, f"{text}: the witness goes on after the end")
        position = position.play(cell)
    require((position.x, position.o) == (board.x, board.o), f"{text}: the witness leads elsewhere")


# The slow truth


def walked(rows: Marks, k: int, mark: str, exact: bool = False) -> list[tuple[int, ...]]:
    """Every line of k cells with this mark, exactly or at least, by walking from each cell in each direction."""
    height, width, found = len(rows), len(rows[0]), set()

    def is_own(row: int, column: int) -> bool:
        return 0 <= row < height and 0 <= column < width and rows[row][column] == mark

    for row in range(height):
        for column in range(width):
            for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                before, *cells, after = [(row + step * down, column + step * right) for step in range(-1, k + 1)]
                longer = exact and (is_own(*before) or is_own(*after))
                if all(is_own(r, c) for r, c in cells) and not longer:
                    found.add(tuple(r * width + c for r, c in cells))
    return sorted(found)


@lru_cache(maxsize=4096)
def can_arise(rows: Marks, k: int, exact: bool = False, gravity: bool = False) -> bool:
    """Does some order of moves lead to this board? Takes the last one back in every way, or from tops of columns."""
    difference = sum(row.count("X") - row.count("O") for row in rows)
    if difference not in (0, 1):
        return False
    mover = "X" if difference else "O"
    places = [(r, c) for r, row in enumerate(rows) for c, mark in enumerate(row) if mark == mover]
    if not places:
        return True
    if gravity:
        height = len(rows)
        places = [
            (r, c)
            for r, c in places
            if (r == 0 or rows[r - 1][c] == ".") and (r == height - 1 or rows[r + 1][c] != ".")
        ]
    for r, c in places:
        before = (*rows[:r], rows[r][:c] + "." + rows[r][c + 1 :], *rows[r + 1 :])
        over = walked(before, k, "X", exact) or walked(before, k, "O", exact)
        if not over and can_arise(before, k, exact, gravity):
            return True
    return False
