"""Certification: every game of a player against all opposition, for each side.

A side is explored ply by ply: where the player is to move, all its choices; where the opponent is, all moves. A
position that comes up again is not explored again, nor, if the player's choices turn with the board, one that is
symmetric to it. Because shorter games come first, the first lost one is a shortest. Then the player is asked again
(`consistency`): one that does not answer alike has no games of its own that could be explored.

    never loses        no game is lost: a proof, not a sample; unknown of a player whose answers differ
    counterexample     a shortest lost game, which was lost when it was played again, too
    forfeit            the first bad move of a player that broke the rules: it ends the side, and counts as lost
    decision           a position that the player can be asked in, together with one of its choices there
    keeps the value    after it the player has the same outcome with best play as before it
    keeps all          and the same remoteness: it wins as fast, or loses as slowly, as can be
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass, field

from noughts.play.consistency import Answers, Check, Difference, asking_again, play_again
from noughts.play.player import Forfeit, Player, decide, describe
from noughts.progress import Progress, finish
from noughts.proofs import move_values, value
from noughts.rules.answer import Answer
from noughts.rules.game import Cell, Game
from noughts.rules.marks import Mark
from noughts.rules.position import Position, require
from noughts.rules.symmetry import orbit
from noughts.words import whole

MAX_CELLS = 20
LIMIT = 250_000  # positions a side, symmetric ones counted once: about a minute


class TooManyGames(ValueError):
    """This board has more games than are explored."""


@dataclass
class Side(Answer):
    """What was found of a player on one side."""

    keys = (
        "never_loses counterexample@ forfeit positions decisions keeps_value "
        "keeps_value_and_remoteness=keeps_all complete"
    )

    mark: Mark
    counterexample: tuple[Cell, ...] | None = None
    forfeit: Forfeit | None = None
    positions: int = 1
    decisions: int = 0
    kept_value: int = 0
    kept_all: int = 0
    judged: bool = True  # are exact values known?
    complete: bool = True  # was every game explored?
    consistent: bool = True  # does the player answer alike whenever it is asked?

    @property
    def never_loses(self) -> bool | None:
        """Is it proven (True) or refuted (False) that the player never loses on this side?"""
        return False if self.counterexample is not None else self.consistent or None

    @property
    def keeps_value(self) -> float | None:
        """The share of decisions that keep the value; None where that is unknown."""
        return self.shares[0]

    @property
    def keeps_all(self) -> float | None:
        """The share of decisions that keep value and remoteness; None where that is unknown."""
        return self.shares[1]

    @property
    def shares(self) -> tuple[float | None, float | None]:
        """The shares of decisions that keep the value, and that keep all."""
        if not (self.judged and self.complete and self.consistent and self.decisions):
            return None, None
        return self.kept_value / self.decisions, self.kept_all / self.decisions

    def judge(self, position: Position, cells: list[Cell], times: int) -> None:
        """Count these decisions so many times, by exact values."""
        self.decisions += times * len(cells)
        if not self.judged:
            return
        values = {cell: worth for cell, worth in move_values(position).items() if worth is not None}
        best = max(values.values())
        self.kept_value += times * sum(values[cell].outcome == best.outcome for cell in cells)
        self.kept_all += times * sum(values[cell] == best for cell in cells)


@dataclass(frozen=True)
class Certificate(Answer):
    """What was found of a player, on both sides."""

    keys = "player game x o consistent differs=difference check.games assumes printed_lines=printed"

    player: str
    game: Game
    x: Side
    o: Side
    check: Check = field(default_factory=Check)
    printed: int = 0  # lines that a user's function printed
    first_print: str = ""

    @property
    def difference(self) -> Difference | None:
        """Where the player did not answer as at first; None if it always did."""
        return self.check.difference

    @property
    def consistent(self) -> bool:
        """Did the player answer alike whenever it was asked?"""
        return self.difference is None

    @property
    def assumes(self) -> str | None:
        """What a proof assumes of the player, as a sentence that follows `this assumes that`; None without a proof."""
        return self.check.assumes if self.x.never_loses or self.o.never_loses else None


@dataclass(frozen=True)
class Explored(Progress):
    """How many positions were explored, and all games to what length."""

    plies: int

    @property
    def detail(self) -> str:
        """How many plies and positions, in words."""
        return f"{self.plies} plies, {self.done:,} positions"


def certify(player: Player, game: Game | None = None, *, limit: int = LIMIT) -> Certificate:
    """Prove or refute that a player never loses, for each side; neither if it does not always answer alike.

    >>> from noughts.play import PLAYERS
    >>> found = certify(PLAYERS["rules"]())
    >>> found.x.never_loses, found.o.never_loses, found.o.shares
    (True, True, (1.0, 1.0))
    >>> certify(lambda position: position.moves()[0]).o.counterexample
    (0, 1, 3, 2, 6)
    """
    return finish(certifying(player, game, limit=limit))


def certifying(
    player: Player, game: Game | None = None, *, limit: int = LIMIT
) -> Generator[Progress, None, Certificate]:
    """Prove or refute that a player never loses, as `certify` does, and tell how far it is."""
    game, limit = Game() if game is None else game, whole("limit", limit, 1)
    require(game, Game, "certify")
    if game.cells > MAX_CELLS:
        raise TooManyGames(
            f"{game} has {game.cells} cells: every game is explored only on boards of up to {MAX_CELLS} cells"
        )
    answers: Answers = {}
    x = yield from _exploring(player, game, Mark.X, limit, answers)
    o = yield from _exploring(player, game, Mark.O, limit, answers)
    check = yield from asking_again(player, game, answers)
    for side in (x, o):
        if side.counterexample is not None:
            difference = play_again(player, side.mark, game, side.counterexample, side.forfeit, answers)
            if difference:
                side.counterexample = side.forfeit = None
                check.difference = check.difference or difference
    x.consistent = o.consistent = check.difference is None
    return Certificate(describe(player), game, x, o, check)


def _exploring(player: Player, game: Game, mark: Mark, limit: int, answers: Answers) -> Generator[Explored, None, Side]:
    side = Side(mark, judged=value(game.start()) is not None)
    symmetric = getattr(player, "symmetric", False)  # then one of each class of positions stands for all
    level: dict[Position, tuple[Cell, ...]] = {game.start(): ()}  # each position with a game that leads there
    explored, plies = 1, 0
    while level:
        before, level, plies = level, {}, plies + 1
        seen: set[Position] = set()
        for position, line in before.items():
            if position.is_over:
                continue
            cells = position.moves()
            if position.turn is mark:
                try:
                    cells = answers[position] = decide(player, position)
                except Forfeit as forfeit:
                    side.counterexample, side.forfeit, side.complete = line, forfeit, False
                    return side
                side.judge(position, cells, len(orbit(position)) if symmetric else 1)
            for cell in cells:
                after = position.play(cell)
                name = after.canonical() if symmetric else after
                if name not in seen:
                    seen.add(name)
                    level[after] = (*line, cell)
            if explored + len(level) > limit:
                side.complete = False
                break
        explored += len(level)
        side.positions += sum(len(orbit(position)) for position in level) if symmetric else len(level)
        yield Explored(f"{describe(player)} as {mark}", explored, 0, plies)
        if side.never_loses and (lost := next((after for after in level if after.winner is mark.other), None)):
            side.counterexample = level[lost]
            side.complete = side.complete and side.judged  # if there is nothing else to learn, leave it at that
        if not side.complete:
            break
    if side.never_loses and not side.complete:
        counted = "classes of symmetric positions" if symmetric else "positions"
        raise TooManyGames(
            f"{describe(player)} as {mark} on {game} would have to be followed through more than {limit:,} {counted}, "
            f"the limit; it loses no game of up to {plies - 1} plies"
        )
    return side
