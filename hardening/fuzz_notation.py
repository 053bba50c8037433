"""Any text as a game, a board, a move and a record, against the slow truth.

Laws: a text is refused with one line of noughts' own, or it reads back; a board is legal exactly when the definition
says so (some order of moves leads to it, tried backwards, with lines found by walking), for the reason that it names;
its witness replays; a position has the status and the lines that walking finds.
"""

from __future__ import annotations

import random
from functools import lru_cache

from fuzzing import LARGE, board, mutated, seeds, tests, unless_refused
from laws import Broken, require

from noughts import Game, Position
from noughts.play.record import format_record, parse_record
from noughts.rules.encoding import code, decode
from noughts.rules.legality import Reason, check
from noughts.rules.notation import board_rows, format_board, format_move, parse_board, parse_game, parse_move
from noughts.rules.position import InvalidPosition, Setup

with tests():
    from brute_exact import members, walked_lines  # it knows no noughts

STEERED = "noughts"
SMALL = 42  # cells: beyond, the truth is too slow


def made(rng: random.Random) -> bytes:
    """A board, small or very seldom large, or a seed, changed."""
    chance = rng.random()
    if chance < 0.5:
        return mutated(rng, rng.choice(seeds("notation")), seeds("notation"))
    return board(rng, *rng.choices(LARGE if chance > 0.99 else range(1, 7), k=2)).encode()


def law(data: bytes) -> str:
    """Read a text in every way."""
    text = data.decode("utf-8", "surrogateescape")
    named = unless_refused(parse_game, text, limit=400)
    require(named is None or sorted(str(named)) == sorted(text), f"{text!r} became {named}")  # its letters in any order
    for game in (Game(), Game(1, 30, 4), Game(256, 256, 5)):
        cell = unless_refused(parse_move, game, text, limit=400)
        require(cell is None or format_move(game, cell) == text.lower(), f"{text!r} became cell {cell} of {game}")
    record = unless_refused(parse_record, text, limit=400)
    require(not record or parse_record(format_record(*record)) == record, f"{text!r} does not read back as a record")
    setup = unless_refused(parse_board, text, limit=400)
    return "no board" if setup is None else _judge(text, setup)


def _judge(text: str, board: Setup) -> str:
    """Hold a board to its laws; the verdict on it in a word."""
    again = format_board(board)
    require(parse_board(again) == board, f"{text!r} became {again!r}, which is another board")
    marks = text.partition(":")[2] if ":" in text else text
    plain = marks.upper().replace("_", ".").replace("/", "")
    written = len(plain) == board.game.cells and set(plain) <= set("XO.")
    same = "".join(board_rows(board)) == plain if written else board.game.gravity  # else moves, each by its column
    require(same, f"{text!r} lost marks: {again!r}")
    verdict = check(board)
    if verdict.legal:
        position = board.game.start()
        for cell in verdict.witness or ():
            require(not position.is_over, f"{text!r}: the witness goes on after the end")
            position = position.play(cell)
        require((position.x, position.o) == (board.x, board.o), f"{text!r}: the witness leads elsewhere")
        require(decode(board.game, code(board)) == board, f"{text!r} has a code that is another's")
    else:
        try:
            Position.parse(text)
            raise Broken(f"{text!r} is a position, and cannot arise")
        except InvalidPosition as problem:
            require(problem.reason is verdict.reason, f"{text!r} has two reasons: {problem.reason}, {verdict.reason}")
    if board.game.cells <= SMALL:
        _compare(text, board)
    return str(verdict.reason or "legal").replace("_", " ")


def _compare(text: str, board: Setup) -> None:
    """Hold the verdict against the definition."""
    game, verdict = board.game, check(board)
    right = can_arise(game, board.x, board.o)
    require(verdict.legal is right, f"{text!r}: legal is {verdict.legal}, and should be {right}")
    x, o = lines = [walked(game, side) for side in (board.x, board.o)]
    ahead, both = board.x.bit_count() - board.o.bit_count(), board.x | board.o
    if verdict.legal:
        position = Position.parse(text)
        winner = "XO"[bool(o) != game.misere] if x or o else None
        require((position.winner and str(position.winner)) == winner, f"{text!r}: the winner is not {position.winner}")
        require(sorted(position.lines()) == sorted(x or o), f"{text!r}: other lines")
        require((str(position.turn) == "X") == (ahead == 0), f"{text!r}: not {position.turn}'s turn")
        require(position.is_over == bool(winner or both.bit_count() == game.cells), f"{text!r}: over or not")
        return
    below = [cell + game.columns for cell in members(both) if cell + game.columns < game.cells]
    reason = (
        Reason.FLOATING if game.gravity and any(not both >> cell & 1 for cell in below)
        else Reason.COUNTS if ahead not in (0, 1)
        else Reason.BOTH_COMPLETE if x and o
        else Reason.MOVE_AFTER_END if lines[ahead]
        else Reason.NO_LAST_MOVE if not set.intersection(*map(set, x + o or [(0,)]))
        else Reason.NO_TURNS if game.gravity
        else Reason.NO_ORDER
    )  # fmt: skip
    require(verdict.reason is reason, f"{text!r}: the reason is not {verdict.reason}")


# The slow truth


def walked(game: Game, side: int) -> list[tuple[int, ...]]:
    """Every line of these cells, exactly or at least, by walking from each cell in each direction."""
    found: list[tuple[int, ...]] = walked_lines(game.rows, game.columns, game.k, game.exact and game.k > 1, side)
    return found


@lru_cache(maxsize=1 << 16)
def can_arise(game: Game, x: int, o: int) -> bool:
    """Does some order of moves lead to this board? Takes the last one back in every way, or from tops of columns."""
    ahead, both = x.bit_count() - o.bit_count(), x | o
    if ahead not in (0, 1):
        return False
    for cell in members(x if ahead else o):
        under = cell + game.columns
        if game.gravity and (both & (1 << cell >> game.columns) or (under < game.cells and not both >> under & 1)):
            continue
        before = (x ^ 1 << cell, o) if ahead else (x, o ^ 1 << cell)
        if not any(walked(game, side) for side in before) and can_arise(game, *before):
            return True
    return not x
