"""Puzzles: a position with exactly one right move, from exact values, graded by how far one must see.

win      only one move wins                        sight: the plies to the end
hold     only one move does not lose               sight: the plies until the last of the others has lost
fours    only one move begins a win by fours       sight: the plies of the shortest; every move makes a four

The first two are for boards whose values are known, such as 3x3, 4x4 and Connect Four. On a large board nobody knows
the value of every move, but which moves begin a win by fours can be searched to the end (`noughts.proofs.fours`).

puzzles.txt holds a few hundred, a line each, found by hardening/puzzles.py. That of a day follows from the date and the
file alone: nothing is fetched, and everybody has the same. A new one is added at the end of its level.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache, cached_property
from pathlib import Path
from typing import Literal

from noughts.explain import best_line, reasons
from noughts.proofs import Judged, fours, judge
from noughts.rules.answer import Answer
from noughts.rules.game import Bits, Cell, Game
from noughts.rules.marks import Mark
from noughts.rules.notation import format_move, format_moves
from noughts.rules.position import Move, Position
from noughts.shapes import called, told
from noughts.words import brief, several, whole

FILE = Path(__file__).with_suffix(".txt")
SIGHT = (3, 5, 7, 11)  # plies that one sees at most at levels 1 to 4; level 5 is whatever takes more
LEVELS = len(SIGHT) + 1
WEEK = (1, 2, 2, 3, 3, 4, 5)  # the level of a day, Monday first
LARGE = 36  # cells: on larger boards, unless marks fall, wins by fours are asked for
ENOUGH = 100_000  # nodes of a search for fours: those of the file take fewer
Kind = Literal["win", "hold", "fours"]


class NoPuzzle(ValueError):
    """There is no such puzzle: a date to come, a level that is none, a position without one right move."""


@dataclass(frozen=True)
class Puzzle(Answer):
    """A position with exactly one right move. Its solution is not among its keys."""

    keys = "date level kind sight game position position.turn task cells board=position#"

    position: Position
    kind: Kind
    sight: int
    solution: Cell
    date: str | None = None  # the day that it is the puzzle of

    @property
    def game(self) -> Game:
        """The game that is played."""
        return self.position.game

    @property
    def level(self) -> int:
        """How hard it is, from 1 to 5: by how far one must see."""
        return 1 + sum(self.sight > most for most in SIGHT)

    @property
    def cells(self) -> tuple[Cell, ...]:
        """Where one may play."""
        return tuple(self.position.moves())

    @property
    def task(self) -> str:
        """What is asked for, in a sentence or two."""
        turn = self.position.turn
        if self.kind == "fours":
            name = called(self.game, "four")
            return f"{turn} to move and win by {name}s: each move makes a {name}, which {turn.other} must answer."
        aim = "win: only one move does" if self.kind == "win" else "draw: every move but one loses"
        loses = "" if self.game.rule.completing_wins else " Whoever completes a line loses."
        return f"{turn} to move and {aim}.{loses}"

    @cached_property
    def judged(self) -> Judged:
        """What is known of the position and its moves."""
        return judge(self.position)


@dataclass(frozen=True)
class Attempt(Answer):
    """The last of the moves that were tried on a puzzle: whether it is right, why, and how the game goes on."""

    keys = "puzzle.date puzzle.level game puzzle.position right @cell line@ played sentences share"

    puzzle: Puzzle
    tried: tuple[Cell, ...]
    line: tuple[Cell, ...]  # from the opponent's answer on
    sentences: tuple[str, ...]

    @property
    def game(self) -> Game:
        """The game that is played."""
        return self.puzzle.game

    @property
    def cell(self) -> Cell:
        """The move."""
        return self.tried[-1]

    @property
    def right(self) -> bool:
        """Is it the right move?"""
        return self.cell == self.puzzle.solution

    @property
    def played(self) -> tuple[Position, ...]:
        """The positions after the move and after each of the line."""
        found = [self.puzzle.position.play(self.cell)]
        for cell in self.line:
            found.append(found[-1].play(cell))
        return tuple(found)

    @property
    def share(self) -> str:
        """The result as a text to share, which gives nothing away.

        >>> attempt(puzzle_of(Position.parse("O.X/.X./...")), ["c1", "a1"]).share
        'noughts puzzle, 3x3k3, level 1: ✗✓'
        """
        day = f" {self.puzzle.date}" if self.puzzle.date else ""
        marks = "".join("✓" if cell == self.puzzle.solution else "✗" for cell in self.tried)
        return f"noughts puzzle{day}, {self.game}, level {self.puzzle.level}: {marks}"


# Puzzles


def puzzle_of(position: Position) -> Puzzle:
    """The puzzle that a position is; NoPuzzle says why it is none.

    >>> found = puzzle_of(Position.parse("O.X/.X./..."))
    >>> found.kind, found.sight, found.level, found.solution
    ('hold', 2, 1, 6)
    """
    if position.is_over:
        raise NoPuzzle("the game is over: there is no move to find")
    if position.game.cells > LARGE and not fours.refusal(position.game):
        return _by_fours(position)
    judged = judge(position)
    if not all(verdict.is_exact for verdict in judged.moves.values()):
        raise NoPuzzle("the values of some moves are not known")
    return _by_values(judged)


def _by_values(judged: Judged) -> Puzzle:
    position, best = judged.position, judged.verdict.outcome
    right = [cell for cell, verdict in judged.moves.items() if verdict.outcome == best]
    if best == "loss" or len(right) > 1:
        raise NoPuzzle(f"{len(right)} moves are worth the same, a {best}: a puzzle has one right move")
    if len(judged.moves) == 1:
        raise NoPuzzle("there is only one move")
    others = (verdict for cell, verdict in judged.moves.items() if cell != right[0])
    seen = [judged.verdict.remoteness] if best == "win" else [verdict.remoteness for verdict in others]
    if None in seen:
        raise NoPuzzle("how far the end is cannot be told")
    sight = max(filter(None, seen))
    return Puzzle(position, "win" if best == "win" else "hold", sight, right[0])


def _by_fours(position: Position) -> Puzzle:
    rule, (_, theirs) = position.game.rule, position.sides
    if rule.completing(theirs) & position.empty:
        raise NoPuzzle(f"{position.turn.other} threatens to complete a line")
    found = fours.search(position, ENOUGH)
    right = [cell for cell in position.moves() if after_four(position, cell).wins] if found.wins else []
    if len(right) != 1:
        raise NoPuzzle(f"{len(right) or 'no'} moves begin a win by fours: a puzzle has one right move")
    return Puzzle(position, "fours", len(found.line), right[0])


def after_four(position: Position, cell: Cell) -> fours.Fours:
    """How the win by fours goes on after a move and the answer to it; without a line where there is none."""
    lacks = _lacks(after := position.play(cell))
    if after.is_over or lacks & lacks - 1:
        return fours.Fours((cell,), True, 0)
    if not lacks or after.game.rule.completing(after.sides[0]) & after.empty:
        return fours.Fours((), True, 0)
    answered = after.play(_lowest(lacks))
    found = fours.search(answered, ENOUGH) if not answered.is_over else fours.Fours((), True, 0)
    if not found.wins and not found.complete:
        raise NoPuzzle("whether a move begins a win by fours takes too long to find")
    return found


def _lacks(after: Position) -> Bits:
    """The cells on which whoever moved last would complete a line."""
    return after.game.rule.completing(after.sides[1]) & after.empty


def _lowest(cells: Bits) -> Cell:
    return (cells & -cells).bit_length() - 1


# The puzzle of a day


@cache
def collection() -> dict[int, tuple[str, ...]]:
    """The positions of the file, by level.

    >>> sorted(collection()) == list(range(1, LEVELS + 1))
    True
    """
    lines = (line.split() for line in FILE.read_text(encoding="utf-8").splitlines() if not line.startswith("#"))
    pairs = [(int(level), position) for level, position in lines]
    return {level: tuple(text for at, text in pairs if at == level) for level in range(1, LEVELS + 1)}


def daily(day: str | date | None = None, level: int | None = None, *, today: date | None = None) -> Puzzle:
    """The puzzle of a day, today's if none is given; each day has one of every level, and one of these is its own.

    >>> daily("2026-01-05").level, daily("2026-01-05", 4).level          # a Monday
    (1, 4)
    """
    today = today or date.today()
    day = today if day is None else read_day(day) if isinstance(day, str) else day
    if day > today:
        raise NoPuzzle(f"{day} is still to come: the last puzzle is that of today, {today}")
    chosen = WEEK[day.weekday()] if level is None else whole("level", level, 1, LEVELS, NoPuzzle)
    texts = collection()[chosen]
    found = puzzle_of(Position.parse(texts[_turn(day, chosen) % len(texts)]))
    return Puzzle(found.position, found.kind, found.sight, found.solution, str(day))


def _turn(day: date, level: int) -> int:
    """The how-manieth day of its level this is, so that nobody meets a puzzle again before the others had their day."""
    week, weekday = divmod(day.toordinal() - 1, len(WEEK))
    if WEEK[weekday] != level:  # not what the day itself has
        return day.toordinal()
    return week * WEEK.count(level) + WEEK[:weekday].count(level)


def read_day(text: str) -> date:
    """A date as it is written: year, month and day.

    >>> read_day("2026-02-30")
    Traceback (most recent call last):
    noughts.play.puzzles.NoPuzzle: '2026-02-30' is not a date: expected year-month-day, as in 2026-10-01
    """
    try:
        if len(text) != len("2026-10-01"):
            raise ValueError
        return date.fromisoformat(text)
    except ValueError:
        raise NoPuzzle(f"{brief(text)} is not a date: expected year-month-day, as in 2026-10-01") from None


# Answers


def attempt(puzzle: Puzzle, moves: Sequence[Move]) -> Attempt:
    """Try moves on a puzzle, one after the other: the last is judged, and answered as well as can be.

    >>> found = attempt(puzzle_of(Position.parse("O.X/.X./...")), ["c1"])
    >>> found.right, found.line, found.sentences[0]
    (False, (6,), 'c1 loses: X wins in 1 move, counting both sides.')
    """
    if not moves:
        raise NoPuzzle("no move was tried")
    tried = tuple(puzzle.position.cell(move) for move in moves)
    found = Attempt(puzzle, tried, (), ())
    told_, line = (_fours_told if puzzle.kind == "fours" else _values_told)(puzzle, found.cell)
    return Attempt(puzzle, tried, line, tuple(told_))


def solution(puzzle: Puzzle) -> Attempt:
    """The right move, why it is right, and how the game goes on."""
    return attempt(puzzle, [puzzle.solution])


Told = tuple[Iterator[str], tuple[Cell, ...]]


def _values_told(puzzle: Puzzle, cell: Cell) -> Told:
    judged = puzzle.judged
    line = tuple(best_line(judge(puzzle.position.play(cell))))
    turn, name = puzzle.position.turn, format_move(puzzle.game, cell)
    got = judged.moves[cell]

    def words() -> Iterator[str]:
        if cell == puzzle.solution:
            said = [text for text in reasons(judged)[cell] if not text.startswith("only ")]
            why = f": {'; '.join(said)}" if said else ""
            yield f"{name} is right, and the only right move{why}."
            if len(line) > 1:
                yield f"The game goes on {_sequence(puzzle, line)}."
        elif got.outcome == "tie":
            yield f"{name} lets the win slip: {turn.other} can hold the draw."
            yield f"How {turn.other} holds it: {_sequence(puzzle, line)}."
        else:
            plies = f" in {several(got.remoteness - 1, 'move')}, counting both sides" if got.remoteness else ""
            yield f"{name} loses: {turn.other} wins{plies}."
            yield f"How it is punished: {_sequence(puzzle, line)}."

    return words(), line


def _fours_told(puzzle: Puzzle, cell: Cell) -> Told:
    position, game = puzzle.position, puzzle.game
    turn, name, four = position.turn, format_move(game, cell), called(game, "four")
    after = position.play(cell)
    lacks, found = _lacks(after), after_four(position, cell)
    if found.wins:
        line = (_lowest(lacks), *found.line) if not lacks & lacks - 1 else (_lowest(lacks), _lowest(lacks & lacks - 1))
        words = [f"{name} is right, and the only right move.", f"How it is won: {told(position, (cell, *line))}."]
    elif lacks:
        line = (_lowest(lacks),)
        at = format_move(game, line[0])
        words = [f"{name} makes a {four}, but {turn.other} answers at {at}, and no win by {four}s is left."]
    else:
        line = _stopping(after)
        words = [f"{name} makes no {four}: {turn.other} need not answer it."]
        if len(line) > 1:
            words.append(f"Instead {turn.other} wins: {told(after, line)}.")
        elif line:
            words.append(f"With {turn.other} at {format_move(game, line[0])} no win by {four}s is left.")
    return iter(words), line


def _stopping(after: Position) -> tuple[Cell, ...]:
    """What the other does against a move that makes no four: a win of their own, or a mark that ends every win."""
    own = fours.search(after, ENOUGH)
    if own.wins:
        return own.line
    threat = fours.search(after, ENOUGH, passed=True)
    for cell in dict.fromkeys(threat.line):
        stopped = after.play(cell)
        if stopped.is_over or not fours.search(stopped, ENOUGH).wins:
            return (cell,)
    return ()


def _sequence(puzzle: Puzzle, line: Sequence[Cell]) -> str:
    """The moves with the marks that make them: X a3, O c1."""
    marks: tuple[Mark, Mark] = puzzle.position.turn.other, puzzle.position.turn
    names = format_moves(puzzle.game, line)
    return ", ".join(f"{marks[number % 2]} {name}" for number, name in enumerate(names))
