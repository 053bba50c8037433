"""Does a player answer alike whenever it is asked? A proof about its answers is one about its play only if it does.

answers       what it chose when it was first asked, by position
asked again   the same positions: in the reverse order, in an order of chance, and as whole games one after another,
              sides changing, since that is what a player with a memory is made for
fresh         a player of a user's file then goes on in a new process, where nothing is remembered and sets of texts
              have another order; a function of this process cannot be had anew
difference    a position, what the player answered at first, and what later
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from dataclasses import dataclass
from functools import cache, partial
from random import Random
from time import monotonic

from noughts.play.player import Forfeit, Player, decide, describe
from noughts.progress import Progress
from noughts.rules.answer import Answer
from noughts.rules.game import Cell, Game
from noughts.rules.marks import Mark
from noughts.rules.notation import format_moves
from noughts.rules.position import Position

GAMES = 2000  # that are played: all that there are against a player of fixed choices on 3x3
PATIENCE = 10.0  # seconds for playing them

Answers = dict[Position, list[Cell]]


@dataclass(frozen=True)
class Difference(Answer):
    """A position in which a player did not answer as at first: both answers in words, and when the second was given."""

    keys = "position answers when"

    position: Position
    first: str
    later: str
    when: str

    @property
    def answers(self) -> tuple[str, str]:
        """Both answers, in the order in which they were given."""
        return self.first, self.later


@dataclass
class Check:
    """How a player was asked again, and the first difference, if there was one."""

    fresh: bool = False  # were there other processes than the first?
    games: int = 0
    difference: Difference | None = None

    @property
    def assumes(self) -> str:
        """What is assumed of a player of which no difference was seen."""
        asked = "3 times, in 3 processes and in as many orders" if self.fresh else "twice, in two orders in one process"
        return (
            f"it always answers as it did here: each position was asked {asked}, and in {self.games:,} games that were "
            "played to the end. What it may do later, elsewhere or by a rarer chance has not shown itself."
        )


def asking_again(player: Player, game: Game, answers: Answers) -> Generator[Progress, None, Check]:
    """Ask a player once more for all that it answered, until an answer differs."""
    check, rng = Check(hasattr(player, "renew")), Random(0)
    orders = {"when asked again, in the reverse order": list(reversed(answers))}
    if check.fresh:
        orders["when asked in a fresh process, in another order"] = rng.sample(list(answers), len(answers))
    for number, (when, positions) in enumerate(orders.items()):
        if number:
            renew(player)
        check.difference = yield from _asking(player, positions, answers, when)
        if check.difference:
            return check
    renew(player)
    answered, end = first_answers(answers, getattr(player, "symmetric", False)), monotonic() + PATIENCE
    against = [Opposition(mark, rng) for mark in Mark]
    while against and check.games < GAMES and not check.difference and (monotonic() < end or not check.games):
        opposition = against.pop(0)
        check.difference = opposition.play(player, game, answered)
        check.games += 1
        yield Progress(f"games of {describe(player)}", check.games, 0)
        if () not in opposition.played:  # there are other games
            against.append(opposition)
    return check


def play_again(
    player: Player, mark: Mark, game: Game, lost: Iterable[Cell], forfeit: Forfeit | None, answers: Answers
) -> Difference | None:
    """Play a lost game again from its start, fresh if that can be; None if the player can lose it again so."""
    renew(player)
    when = "when the game that it lost was played again from the start"
    position = game.start()
    for cell in lost:
        if position.turn is mark:
            now = _answer(player, position)
            if isinstance(now, Forfeit) or cell not in now:
                return Difference(position, words(position, answers[position]), words(position, now), when)
        position = position.play(cell)
    if forfeit and not isinstance(now := _answer(player, position), Forfeit):
        return Difference(position, forfeit.problem, words(position, now), when)
    return None


def renew(player: Player) -> None:
    """Let a player go on in a fresh process, if it is of the kind that can."""
    getattr(player, "renew", lambda: None)()


def words(position: Position, answer: Iterable[Cell] | Forfeit) -> str:
    """An answer in words: the moves, or what the player did instead.

    >>> words(Game().start(), [0, 4])
    'a3 or b2'
    """
    if isinstance(answer, Forfeit):
        return answer.problem
    return " or ".join(format_moves(position.game, sorted(set(answer))))


def _answer(player: Player, position: Position) -> list[Cell] | Forfeit:
    try:
        return decide(player, position)
    except Forfeit as forfeit:
        return forfeit


def _asking(
    player: Player, positions: list[Position], answers: Answers, when: str
) -> Generator[Progress, None, Difference | None]:
    for number, position in enumerate(positions):
        now = _answer(player, position)
        if isinstance(now, Forfeit) or set(now) != set(answers[position]):
            return Difference(position, words(position, answers[position]), words(position, now), when)
        if number % 100 == 0:
            yield Progress(f"{describe(player)} again", number, len(positions))
    return None


# Whole games


def first_answers(answers: Answers, symmetric: bool) -> Callable[[Position], list[Cell] | None]:
    """The cells that the player chose among in a position, or in one symmetric to it; None where it was not asked."""
    name = Position.canonical if symmetric else lambda position: position
    asked = {name(position): position for position in answers}

    @cache
    def cells(position: Position) -> list[Cell] | None:
        first = asked.get(name(position))
        if first is None or first == position:
            return None if first is None else answers[first]
        after = {name(first.play(cell)) for cell in answers[first]}
        return [cell for cell in position.moves() if name(position.play(cell)) in after]

    return cells


class Opposition:
    """All that can be played against one side, in an order of chance, and no game twice before all were played."""

    def __init__(self, mark: Mark, rng: Random) -> None:
        self.mark = mark
        self.rng = rng
        self.played: set[tuple[Cell, ...]] = set()  # beginnings of games of which none is left to play

    def play(self, player: Player, game: Game, answered: Callable[[Position], list[Cell] | None]) -> Difference | None:
        """One game, as far as it is known; where the player plays something else than it chose, a difference."""
        position = game.start()
        cells: tuple[Cell, ...] = ()
        way = [position]
        while not position.is_over:
            if position.turn is not self.mark:
                moves = position.moves()
                cell = self.rng.choice([move for move in moves if (*cells, move) not in self.played] or moves)
            else:
                first = answered(position)
                if first is None:
                    break
                now = _answer(partial(player), position)  # which has no choices, only a move
                if isinstance(now, Forfeit) or now[0] not in first:
                    after = f", after {' '.join(format_moves(game, cells))}" if cells else ""
                    return Difference(position, words(position, first), words(position, now), f"in a game{after}")
                cell = now[0]
            position = position.play(cell)
            cells = (*cells, cell)
            way.append(position)
        self._tick_off(cells, way)
        return None

    def _tick_off(self, cells: tuple[Cell, ...], way: list[Position]) -> None:
        """This game was played, and with it every beginning of it from which nothing else can come."""
        self.played.add(cells)
        while cells:
            cells, position = cells[:-1], way[len(cells) - 1]
            if position.turn is not self.mark and any((*cells, move) not in self.played for move in position.moves()):
                return
            self.played.add(cells)
