"""The account of a game, in words that a child understands: where it slipped, and what would have kept it.

`you` is the mark of the person who reads, or None: then both are called by their marks. Every sentence follows from
verdicts: what is unknown is left unsaid.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from typing import Literal

from noughts.explain import best_line
from noughts.progress import Progress, finish
from noughts.proofs import Judged, Verdict, judge, verdict
from noughts.proofs.verdicts import UNKNOWN, best_of_moves
from noughts.rules.answer import Answer
from noughts.rules.game import Cell, Game
from noughts.rules.marks import Mark
from noughts.rules.notation import format_move, format_moves
from noughts.rules.position import Move, Position, replay, require
from noughts.rules.value import FLIPPED, RANK, Outcome
from noughts.shapes import NUMBERS, told
from noughts.threats import completing_moves
from noughts.words import listing

MAX_REVIEW = 2**24  # moves times cells: each move is told with its position
LOOKS = 4  # closer looks for the move that lost: some tenths of a second each on a large board
TOO_LARGE = (
    "This board is too large to know every value, so noughts cannot say for sure which move was the mistake. "
    "On smaller boards the account shows it."
)


class TooLong(ValueError):
    """This game has more moves than an account of it is given for."""


@dataclass(frozen=True)
class Judgement(Answer):
    """One move of a game: what was to be had, what was got, and what would have kept it."""

    keys = (
        "number @cell turn=mark position after *got best=best.outcome best_remoteness=best.remoteness "
        "best_at_least=best.at_least best_at_most=best.at_most slipped keeping@ refutation@ text=__str__"
    )

    number: int  # from 1
    position: Position  # before the move
    cell: Cell
    after: Position
    best: Verdict
    got: Verdict
    keeping: tuple[Cell, ...] = ()  # if the move slipped: the moves that keep the outcome
    refutation: tuple[Cell, ...] = ()  # and how the opponent shows it, to the end of the game

    @property
    def game(self) -> Game:
        """The game that is played."""
        return self.position.game

    @property
    def mark(self) -> Mark:
        """The mark that was played."""
        return self.position.turn

    @property
    def is_known(self) -> bool:
        """Are the outcomes before and after the move known?"""
        return self.best.is_exact and self.got.is_exact

    @property
    def slipped(self) -> bool:
        """Did the move surely throw an outcome away?"""
        return RANK[self.got.at_most] < RANK[self.best.at_least]

    @property
    def move(self) -> str:
        """The move as text."""
        return format_move(self.game, self.cell)

    def __str__(self) -> str:
        if not self.slipped:
            return f"{self.mark} {self.move}: {self.got}"
        better = " or ".join(format_moves(self.game, self.keeping))
        refutation = " ".join(format_moves(self.game, self.refutation))
        after = f" ({refutation})" if refutation else ""
        return f"{self.mark} {self.move} threw away the {self.best.at_least} that {better} kept: now {self.got}{after}"


@dataclass(frozen=True)
class Standing(Answer):
    """How a position of the game stands, whoever is to move: one point of its history."""

    keys = "marks=position.marks outcome verdict.remoteness x_at_least x_at_most"

    position: Position
    verdict: Verdict

    @property
    def x_at_least(self) -> Outcome:
        """What X gets at least."""
        return self.verdict.at_least if self.position.turn is Mark.X else FLIPPED[self.verdict.at_most]

    @property
    def x_at_most(self) -> Outcome:
        """What X gets at most."""
        return self.verdict.at_most if self.position.turn is Mark.X else FLIPPED[self.verdict.at_least]

    @property
    def outcome(self) -> Literal["x_wins", "tie", "o_wins", "unknown"]:
        """Who wins from here, if both play as well as can be."""
        if self.verdict.outcome in ("tie", "unknown"):
            return self.verdict.outcome
        return "x_wins" if (self.verdict.outcome == "win") is (self.position.turn is Mark.X) else "o_wins"


@dataclass(frozen=True)
class TurningPoint(Answer):
    """A move that threw an outcome away, in words; `board` is the one before it."""

    keys = (
        "judged.number turn=judged.mark judged.move judged.cell keeping_cells=judged.keeping "
        "board=judged.position# sentences"
    )

    judged: Judgement
    sentences: tuple[str, ...]


@dataclass(frozen=True)
class Review(Answer):
    """A game, each of its moves judged, and its story; it can be gone through move by move."""

    keys = (
        "game start position=end end.status end.winner moves history headline cause summary turning_points lost_from "
        "judged unknown board=end#"
    )

    line: tuple[Position, ...]  # from the start to the end
    verdicts: tuple[Verdict, ...]  # on each of them
    moves: tuple[Judgement, ...]
    you: str | None = None
    open_moves: tuple[Cell, ...] = ()  # before the move from which the game is proven lost: those not known to lose

    @property
    def game(self) -> Game:
        """The game that was played."""
        return self.start.game

    @property
    def start(self) -> Position:
        """The position where the game began."""
        return self.line[0]

    @property
    def end(self) -> Position:
        """The position where the game ended, or stands."""
        return self.line[-1]

    @property
    def history(self) -> tuple[Standing, ...]:
        """How it stood before the first move and after each."""
        return tuple(map(Standing, self.line, self.verdicts))

    @cached_property
    def slips(self) -> tuple[Judgement, ...]:
        """The moves that threw an outcome away."""
        return tuple(judged for judged in self.moves if judged.slipped)

    @property
    def unknown(self) -> int:
        """How many moves could not be judged exactly."""
        return len(self.moves) - self.judged

    @property
    def judged(self) -> int:
        """How many moves could be judged exactly."""
        return sum(judged.is_known for judged in self.moves)

    def __iter__(self) -> Iterator[Judgement]:
        return iter(self.moves)

    def __len__(self) -> int:
        return len(self.moves)

    def __getitem__(self, number: int) -> Judgement:
        return self.moves[number]

    @cached_property
    def proven_from(self) -> int | None:
        """After how many moves the win of whoever wins in the end is proven, and stays so; None where it is not."""
        last = Standing(self.end, self.verdicts[-1]).outcome
        if last not in ("x_wins", "o_wins"):
            return None
        others = (number for number, each in enumerate(self.history) if each.outcome != last)
        return max(others, default=-1) + 1

    # In words

    @property
    def lost_from(self) -> TurningPoint | None:
        """The loser's move after which the game is proven lost, where it is open whether it was lost before."""
        number = self.proven_from
        if not number or self.moves[number - 1].slipped or self.verdicts[number - 1].is_exact:
            return None
        judged = replace(self.moves[number - 1], keeping=self.open_moves, refutation=self.verdicts[number].line)
        return TurningPoint(judged, tuple(self._lost(judged)))

    @property
    def headline(self) -> str:
        """How the game ended, in two or three words."""
        if not self.end.is_over:
            return "The game so far"
        winner = self.end.winner
        if winner is None:
            return "A draw"
        if self.you is None:
            return f"{winner} won"
        return "You won" if str(winner) == self.you else "You lost"

    @cached_property
    def cause(self) -> str | None:
        """What lost the game in the end, as one sees it on the board; None where nobody lost, or it shows nothing.

        >>> print(review(Game().start(), ["a3", "b3", "a2", "b2", "c3", "b1"], "X").cause)
        O had two in a line (b3 b2): b1 had to be blocked. With a1 you would have won at once.
        >>> print(review(Game.parse("3x3k3m").start(), ["b2", "a3", "c1", "b3", "a1", "c2", "c3"]).cause)
        X completed three in a line (c3 b2 a1), and here that loses. With a2 none would have been completed.
        """
        return " ".join(self._why()) or None

    @property
    def summary(self) -> str:
        """What decided the game, in a sentence or two."""
        return " ".join(self._summary())

    @property
    def turning_points(self) -> tuple[TurningPoint, ...]:
        """Each slip in words: what stood before, what was given away, what would have kept it, how it is punished."""
        return tuple(TurningPoint(judged, tuple(self._told(judged))) for judged in self.slips)

    def _summary(self) -> Iterator[str]:
        if not self.moves:
            yield "No move has been made yet."
        elif self.lost_from and not any(slip.number > self.lost_from.judged.number for slip in self.slips):
            yield self._proven(self.lost_from.judged)
        elif not self.judged and not self.slips:
            yield TOO_LARGE
        else:
            if self.unknown:
                last = all(judged.is_known for judged in self.moves[self.unknown :])
                yield (
                    f"Only {'the last ' * last}{self.judged} of {len(self.moves)} moves could be judged exactly: "
                    f"{'before that' if last else 'elsewhere'} there were too many games to try them all."
                )
            yield from self._why()
            if not self.slips:
                yield self._flawless()
            elif self.end.winner is not None:
                if self.game.rule.completing_wins:  # else what was completed says it: who begins may be lost at once
                    yield self._decisive(self.end.winner.other)
            elif self.end.is_over:
                yield f"The value changed {_times(len(self.slips))}, and in the end nobody could use it."
            else:
                yield f"The value has changed {_times(len(self.slips))} so far."

    def _why(self) -> Iterator[str]:
        """The tactical reason: what the loser let pass with the last move, or completed."""
        if self.end.winner is None or not self.moves:
            return
        last, line = self.moves[-1], self.end.lines()[0]
        if not self.game.rule.completing_wins:
            yield from self._completed(last, line)
        elif len(self.moves) > 1:
            yield from self._let_pass(self.moves[-2], last, line)

    def _completed(self, last: Judgement, line: Sequence[Cell]) -> Iterator[str]:
        """In misere: who completed a line, and whether it could be helped."""
        who, cells = self._who(last.mark), " ".join(format_moves(self.game, line))
        yield f"{_capital(who)} completed {_number(self.game.k)} in a line ({cells}), and here that loses."
        safe = sorted(set(last.position.moves()) - set(completing_moves(last.position)))
        if safe:
            yield f"With {_or(format_moves(self.game, safe))} none would have been completed."
        else:
            yield f"{_capital(who)} had no other move that does not lose at once."

    def _let_pass(self, before: Judgement, last: Judgement, line: Sequence[Cell]) -> Iterator[str]:
        """Where completing a line wins: what was to be blocked, or why it could not be."""
        game, loser, winner = self.game, self._who(before.mark), self._who(last.mark)
        own = completing_moves(before.position, before.mark)
        theirs = completing_moves(before.position, last.mark)
        cells = " ".join(format_moves(game, [cell for cell in line if cell != last.cell]))
        had = f"{_capital(winner)} had {_number(game.k - 1)} in a line ({cells})"
        if len(theirs) == 1:
            yield f"{had}: {format_move(game, theirs[0])} had to be blocked."
        elif theirs:
            places = f"{len(theirs)} places, {_or(format_moves(game, theirs), 'and')}"
            yield f"{_capital(winner)} could complete a line in {places}: only one can be blocked."
        elif game.gravity and game.rule.support(last.cell) == before.cell:
            name = format_move(game, last.cell)
            yield f"{_capital(loser)} played {before.move}, and that opened {name}, where {winner} completed a line."
        if own:
            yield f"With {_or(format_moves(game, own))} {loser} would have won at once."

    def _flawless(self) -> str:
        winner = self.end.winner
        if not self.end.is_over:
            return "Nobody has slipped so far."
        if winner is None:
            return "Nobody made a mistake. When both play well, this game ends in a draw."
        if self.unknown or self.start.marks:
            return f"From where the values are known, {winner} was winning and let nothing slip."
        return f"Nobody could have done better: {winner} wins this game from the start, whatever the other plays."

    def _decisive(self, loser: Mark) -> str:
        """The last slip of the loser is the one that counts."""
        judged = next((each for each in reversed(self.slips) if each.mark is loser), self.slips[-1])
        whose = "your" if str(judged.mark) == self.you else f"{judged.mark}'s"
        return (
            f"The move that decided it was {whose} {judged.move} (move {judged.number}): "
            f"from then on {self._who(judged.mark.other)} could force the win."
        )

    def _proven(self, judged: Judgement) -> str:
        """Where the game was lost, and that before it nothing is known."""
        loser, winner = self._who(judged.mark), self._who(judged.mark.other)
        whose = "your" if loser == "you" else f"{loser}'s"
        last = f"{whose} {judged.move} (move {judged.number})"
        over = "the game was" if self.end.is_over else "the game is"
        text = f"From {last} on {over} lost: that {winner} could force the win is proven."
        missed = next((each for each in self.history[: judged.number] if each.outcome not in ("tie", "unknown")), None)
        if missed:
            who = self._who(Mark.X if missed.outcome == "x_wins" else Mark.O)
            number = missed.position.marks - self.start.marks
            return f"{text} After move {number} {who} had a proven win already; right before {judged.move} nobody's is."
        return f"{text} Before that move nobody's win is proven." if judged.number > 1 else text

    def _lost(self, judged: Judgement) -> Iterator[str]:
        loser, winner = self._who(judged.mark), self._who(judged.mark.other)
        most = judged.got.within - 1 if judged.got.within else 0
        within = f"force a win within {most} moves" if most > 1 else "win at once" if most else "force a win"
        yield f"After {judged.move} {winner} could {within}, whatever {loser} played."
        if names := format_moves(judged.game, judged.keeping):
            was, others = "were" if loser == "you" else "was", _or(names, "and")
            not_known = "is not known to lose" if len(names) == 1 else "are not known to lose"
            yield f"Whether {loser} {was} lost before is open: {others} {not_known}."
        if judged.refutation:
            yield f"How it is won: {told(judged.after, judged.refutation)}."

    def _told(self, judged: Judgement) -> Iterator[str]:
        who, other = self._who(judged.mark), self._who(judged.mark.other)
        had = {"win": "a sure win", "tie": "a safe draw"}[judged.best.at_least]
        after = {"loss": f"then {other} could force a win", "tie": "then the win was gone"}[judged.got.at_most]
        would = {"win": "would have won", "tie": "would have kept the draw"}[judged.best.at_least]
        yield f"{who[:1].upper()}{who[1:]} had {had} and played {judged.move}: {after}."
        yield f"Better was {_or(format_moves(judged.game, judged.keeping))}: that {would}."
        if judged.got.at_most == "loss" and judged.refutation:
            yield f"How it is punished: {_sequence(judged)}."

    def _who(self, mark: Mark) -> str:
        return "you" if str(mark) == self.you else str(mark)


def review(start: Position, moves: Iterable[Move], you: str | None = None, values: bool = True) -> Review:
    """The account of a game that was played from a position: each of its moves judged; without `values`, none is.

    >>> from noughts import Game
    >>> for judgement in review(Game().start(), ["b2", "b3", "a1", "c3", "a3", "c1", "a2"]):
    ...     if judgement.slipped:
    ...         print(judgement)
    O b3 threw away the tie that a3 or c3 or a1 or c1 kept: now loss 6 (a3 c1 a2 c2 a1)
    """
    return finish(reviewing(start, moves, you, values))


def reviewing(
    start: Position, moves: Iterable[Move], you: str | None = None, values: bool = True
) -> Generator[Progress, None, Review]:
    """The account of a game, as `review` gives it, with progress: each position is judged, then each move.

    >>> print(*reviewing(Game().start(), ["b2", "b3"]), sep="; ")  # doctest: +ELLIPSIS
    looking back at the game: 1 of 5; looking back at the game: 2 of 5; ...; looking back at the game: 5 of 5
    """
    require(start, Position, "review")
    moves, game = list(moves), start.game
    if len(moves) > MAX_REVIEW // game.cells:
        raise TooLong(
            f"{len(moves):,} moves are too many for an account of {game}: the limit on this board is "
            f"{MAX_REVIEW // game.cells:,}"
        )
    line = replay(start, moves)
    cells = [before.cell(move) for before, move in zip(line, moves, strict=False)]
    verdicts, look = list[Verdict](), cache(judge)
    for position in line:
        verdicts.append(verdict(position) if values else UNKNOWN)
        yield _looked(len(verdicts), len(cells))
    _carry_back(cells, verdicts)
    for number, _ in enumerate(_judged(line, cells, verdicts, look), 1):  # slips take long, and then `look` knows them
        yield _looked(len(line) + number, len(cells))
    found = _account(line, cells, verdicts, you, look)
    for _ in range(LOOKS):  # a closer look at the position before: are all moves lost there?
        if not found.lost_from:
            break
        number = found.lost_from.judged.number - 1
        before = look(line[number])
        others = before.moves | {cells[number]: verdicts[number + 1].for_mover()}  # what is known of the one made
        known = before.verdict.narrowed(best_of_moves(others))
        if not known.is_exact:
            return replace(found, open_moves=tuple(cell for cell, each in others.items() if each.at_most != "loss"))
        verdicts[number] = verdicts[number].narrowed(known)
        _carry_back(cells, verdicts)
        found = _account(line, cells, verdicts, you, look)
    return found


def _looked(done: int, moves: int) -> Progress:
    return Progress("looking back at the game", done, 2 * moves + 1)


def _carry_back(cells: Sequence[Cell], verdicts: list[Verdict]) -> None:
    """A position is worth at least what the move that was made there is worth."""
    for number in range(len(cells) - 1, -1, -1):
        least = verdicts[number + 1].for_mover()
        if least.at_least != "loss":
            line = (cells[number], *least.line) if least.line else ()
            verdicts[number] = verdicts[number].narrowed(least._replace(at_most="win", remoteness=None, line=line))


Look = Callable[[Position], Judged]


def _account(
    line: Sequence[Position], cells: Sequence[Cell], verdicts: Sequence[Verdict], you: str | None, look: Look
) -> Review:
    return Review(tuple(line), tuple(verdicts), tuple(_judged(line, cells, verdicts, look)), you)


def _judged(
    line: Sequence[Position], cells: Sequence[Cell], verdicts: Sequence[Verdict], look: Look
) -> Iterator[Judgement]:
    """The moves, each judged by the verdicts before and after it."""
    each = zip(cells, line, line[1:], verdicts, verdicts[1:], strict=False)
    for number, (cell, before, after, best, got) in enumerate(each, 1):
        yield _judge(Judgement(number, before, cell, after, best, got.for_mover()), look)


def _judge(made: Judgement, look: Look) -> Judgement:
    """A move that was made, judged; if it slipped, with what would have kept the outcome and how it is punished."""
    if not made.slipped:
        return made
    least = RANK[made.best.at_least]
    others = look(made.position).moves.items()
    keeping = tuple(cell for cell, known in others if RANK[known.at_least] >= least) or made.best.line[:1]
    return replace(made, keeping=keeping, refutation=made.got.line or tuple(best_line(look(made.after))))


def _sequence(judged: Judgement) -> str:
    """The refutation with the marks that make its moves: X a3, O c1, X a2."""
    marks = judged.mark.other, judged.mark
    names = format_moves(judged.game, judged.refutation)
    return ", ".join(f"{marks[number % 2]} {name}" for number, name in enumerate(names))


def _or(names: Sequence[str], last: str = "or") -> str:
    """a1, b2 or c3; of many only the first few."""
    if len(names) > 6:
        every = "any of " if last == "or" else ""
        return f"{every}{len(names)} other moves, such as {names[0]} {last} {names[1]}"
    return listing(names, last)


def _capital(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}"


def _number(number: int) -> str:
    return NUMBERS[number] if number < len(NUMBERS) else str(number)


def _times(number: int) -> str:
    return {1: "once", 2: "twice"}.get(number, f"{number} times")
