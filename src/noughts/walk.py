"""A proof to walk through: what was proven of a position, in words, and the strategies themselves.

    show(position)      what is proven within a budget of nodes: about a second
    showing(position)   the same for as long as one likes, as long work that tells how far it is

A strategy is a list of its positions, the first first: in each the winner's move, and for every reply the number of the
position that follows it. Whoever has it can try to refute the win without asking again: every reply is answered.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from functools import cached_property
from time import monotonic
from typing import Literal

from noughts.progress import Progress
from noughts.proofs import Verdict
from noughts.proofs.certificate import Held, Move, Part, count, plies
from noughts.proofs.prove import InvalidProof, Proven, prove
from noughts.rules.answer import Answer
from noughts.rules.game import Bits, Cell, Game
from noughts.rules.marks import Mark, X
from noughts.rules.notation import format_move, format_moves
from noughts.rules.position import Position
from noughts.shapes import called, from_left, has_shapes
from noughts.words import listing, some

PROVERS = ("rules", "stealing", "threats", "pairing")  # those whose proofs can be walked through
NODES = 600_000  # of `show`
FIRST, MORE = 1_000_000, 4  # of `showing`: so many at first, then so many times as many
MAX_SECONDS = 60.0
MAX_STRATEGY = 5_000  # positions of a strategy that is told whole


@dataclass(frozen=True)
class StrategyStep(Answer):
    """A position of a strategy: the winner's move there, and which position follows what reply."""

    keys = "cell move=cell@ does lacks line idle replies"

    game: Game
    cell: Cell | None  # None where the other moves first
    does: str
    lacks: tuple[Cell, ...]  # where the winner would complete a line next
    line: tuple[Cell, ...]  # the line that the move completes
    idle: int | None  # what follows every reply but these; None when the game is won
    replies: dict[Cell, int]


@dataclass(frozen=True)
class Claimed(Answer):
    """What one player does for sure, and how: a strategy that wins, or pairs that hold."""

    keys = "side what text size most steps pairs@ pair_cells=pairs first@ first_cell=first"

    game: Game
    side: Mark
    what: Literal["wins", "holds", "stealing", "over"]
    text: str
    size: int = 0  # positions of the strategy
    most: int | None = None  # plies
    steps: tuple[StrategyStep, ...] = ()  # none where there are too many
    pairs: tuple[tuple[Cell, Cell], ...] = ()
    first: Cell | None = None


@dataclass(frozen=True)
class ProofShown(Answer):
    """What is proven of a position, and the proof to walk through."""

    keys = (
        "position.game position position.turn *verdict verdict.how verdict.line@ sentence claims nodes seconds "
        "board=position#"
    )

    proven: Proven

    @property
    def position(self) -> Position:
        """The position that was asked about."""
        return self.proven.position

    @property
    def verdict(self) -> Verdict:
        """What is proven of it."""
        return self.proven.verdict

    @property
    def nodes(self) -> int:
        """How many positions were looked at."""
        return self.proven.nodes

    @property
    def seconds(self) -> float:
        """How long that took."""
        return self.proven.seconds

    @cached_property
    def claims(self) -> tuple[Claimed, ...]:
        """What each player does for sure."""
        return tuple(_claimed(self.position, part) for part in self.verdict.certificate)

    @property
    def sentence(self) -> str:
        """What is proven, in one sentence."""
        if not self.claims:
            return f"Nothing is proven here within {self.nodes:,} positions."
        return " ".join(f"{claim.text}." for claim in self.claims)


def show(position: Position, nodes: int = NODES) -> ProofShown:
    """What is proven of a position within so many nodes, and the proof.

    >>> shown = show(Position.parse("7x8k5:......../..O...../..XXX.../..O...../....O.../......../........"))
    >>> shown.sentence
    'X wins by force within 3 moves, counting both sides: every reply is answered.'
    >>> step = shown.claims[0].steps[0]
    >>> step.does, step.lacks
    ('makes an open four: a5 and f5 both complete it', (16, 21))
    """
    return ProofShown(prove(position, nodes=nodes, only=PROVERS))


def require_provable(position: Position) -> None:
    """Refuse a position of a game of which nothing is proven."""
    if why := position.game.rule.refusal(["gravity", "misere"]):
        raise InvalidProof(f"nothing is proven of {position.game}: {why}")


def showing(position: Position, seconds: float = MAX_SECONDS) -> Generator[Progress, None, ProofShown]:
    """Look for a proof for up to so many seconds: each event tells how many positions the next look takes at most."""
    some("seconds", seconds, MAX_SECONDS, InvalidProof)
    until, nodes = monotonic() + seconds, FIRST
    while True:
        yield Progress("looking for a proof", nodes, 0)
        found = prove(position, seconds=max(0.01, until - monotonic()), nodes=nodes, only=PROVERS)
        if found.verdict.is_exact or found.nodes < nodes or monotonic() >= until:
            return ProofShown(found)
        nodes *= MORE


# What is told


def _claimed(position: Position, part: Part) -> Claimed:
    game, side, other = position.game, part.side, part.side.other
    if isinstance(part.proof, Move):
        numbers = _numbered(part.proof)
        most = plies(part.proof) + (part.proof.cell is None)
        text = f"{side} wins by force within {most} moves, counting both sides: every reply is answered"
        if len(numbers) > MAX_STRATEGY:
            text += f" (the strategy has {len(numbers):,} positions, too many to walk through here)"
            return Claimed(game, side, part.what, text, len(numbers), most)
        steps = _steps(position, part.proof, numbers, side)
        return Claimed(game, side, part.what, text, len(numbers), most, steps)
    if isinstance(part.proof, Held):
        pairs, first = part.proof
        by = f"{other}'s every line is met by a pair" if pairs else f"no line is open to {other} any more"
        after = f"; {side} begins with {format_move(game, first)}" if first is not None else ""
        return Claimed(game, side, part.what, f"{side} cannot lose here: {by}{after}", pairs=pairs, first=first)
    if isinstance(part.proof, str):
        text = f"{side} cannot lose here: a search of the whole game has an answer to all that {other} can do"
        return Claimed(game, side, part.what, text, count(part))
    said = {
        "stealing": f"{side} cannot lose here: a win of {other}'s could be stolen, as an extra mark never hurts",
        "over": f"{side} has won" if position.winner is side else "the game is over",
    }
    return Claimed(game, side, part.what, said[part.what])


def _numbered(root: Move) -> dict[int, tuple[int, Move]]:
    """The positions of a strategy, each with its number; the first is 0."""
    numbers: dict[int, tuple[int, Move]] = {}
    waiting = [root]
    while waiting:
        move = waiting.pop()
        if id(move) not in numbers:
            numbers[id(move)] = len(numbers), move
            waiting += [each for each in (*(after for _, after in move.replies), move.idle) if each]
    return numbers


def _steps(
    position: Position, root: Move, numbers: dict[int, tuple[int, Move]], side: Mark
) -> tuple[StrategyStep, ...]:
    """Each position told as it first arises: what the winner's move makes there."""
    game = position.game
    own, other = (position.x, position.o) if side is X else (position.o, position.x)
    marks: dict[int, tuple[Bits, Bits]] = {id(root): (own, other)}
    steps: list[StrategyStep | None] = [None] * len(numbers)
    waiting = [root]
    while waiting:
        move = waiting.pop()
        number = numbers[id(move)][0]
        if steps[number]:
            continue
        mine, theirs = marks[id(move)]
        if move.cell is not None:
            mine |= 1 << move.cell
        steps[number] = _step(game, move, mine, theirs, numbers, side)
        for reply, after in ((None, move.idle), *move.replies):
            if after:
                marks.setdefault(id(after), (mine, theirs | (0 if reply is None else 1 << reply)))
                waiting.append(after)
    return tuple(step for step in steps if step)


def _step(
    game: Game, move: Move, mine: Bits, theirs: Bits, numbers: dict[int, tuple[int, Move]], side: Mark
) -> StrategyStep:  # fmt: skip
    free = game.full & ~(mine | theirs)
    lacks = from_left(game, game.rule.completing(mine) & free)
    lines = [line for line in game.rule.lines_in(mine) if move.cell in line] if move.idle is None else []
    return StrategyStep(
        game,
        move.cell,
        _does(game, move, lacks, side.other),
        () if lines else lacks,
        tuple(lines[0]) if lines else (),
        numbers[id(move.idle)][0] if move.idle else None,
        {reply: numbers[id(after)][0] for reply, after in move.replies},
    )


def _does(game: Game, move: Move, lacks: tuple[Cell, ...], other: Mark) -> str:
    """What a move of the winner does, in words."""
    if move.cell is None:
        return f"{other} is to move"
    if move.idle is None:
        return "completes a line"
    four, three = (called(game, "four"), called(game, "three")) if has_shapes(game) else ("threat", "move")
    names = format_moves(game, lacks)
    if len(lacks) == 1:
        return f"makes a {four}: {other} must answer {names[0]}"
    if lacks:
        return f"makes an open {four}: {listing(names)} both complete it"
    met = listing(format_moves(game, [reply for reply, _ in move.replies]), "or")
    return f"makes a {three}: only {met} could upset it"
