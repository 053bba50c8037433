"""The claims that concern players: the seven rules of the GamesCrafters manual, and Gordon's two random players."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

from noughts.lab.papers import see
from noughts.lab.papers.claim import Found, claim
from noughts.lab.papers.facts import GAME
from noughts.play import Certificate, certify, choices, find_player
from noughts.rules.marks import Mark
from noughts.rules.notation import format_moves
from noughts.rules.position import Position
from noughts.words import listing


@cache
def _certified(player: str) -> Certificate:
    return certify(find_player(player), GAME)


def _never_loses(player: str, mark: Mark) -> Found:
    certificate = _certified(player)
    side = certificate.x if mark is Mark.X else certificate.o
    if side.counterexample is None:
        note = f"No game is lost as {mark}, whatever the opponent does; {side.positions:,} positions explored."
        return Found(True, note)
    moves = format_moves(GAME, side.counterexample)
    lost = f"As {mark} it loses this game: {' '.join(moves)}."
    return Found(False, lost, see=see.analyse(moves=",".join(moves)))


@claim("gamescrafters", True, see.match("rules-as-printed", "perfect", 20))
def strategy_x() -> Found:
    """The seven rules ensure victory or a tie, moving first."""
    return _never_loses("rules-as-printed", Mark.X)


@claim("gamescrafters", True, see.match("perfect", "rules-as-printed", 20))
def strategy_o() -> Found:
    """The seven rules ensure victory or a tie, moving second."""
    return _never_loses("rules-as-printed", Mark.O)


@claim("gamescrafters", True, see.match("perfect", "rules", 20))
def strategy_corrected() -> Found:
    """Rules of this kind can be perfect."""
    certificate = _certified("rules")
    both = certificate.x.never_loses and certificate.o.never_loses
    return Found(both, "With corners before sides, and forks met by leaving none or by a threat, no side ever loses.")


@claim("gamescrafters", True, see.match("rules-as-printed", "rules-as-printed", 20))
def strategy_ties() -> Found:
    """If both players follow the seven rules, the game always ties."""
    player = find_player("rules-as-printed")
    ends: set[Mark | None] = set()
    seen = {GAME.start()}
    todo = [GAME.start()]
    while todo:
        position = todo.pop()
        if position.is_over:
            ends.add(position.winner)
            continue
        after = {position.play(cell) for cell in choices(player, position)} - seen
        seen |= after
        todo += after
    found = listing(sorted(f"{end} wins" if end else "draws" for end in ends))
    return Found(ends == {None}, f"Over all {len(seen):,} positions that the rules reach against themselves: {found}.")


@cache
def _random_shares(position: Position) -> tuple[Fraction, Fraction, Fraction]:
    """How often X wins, O wins and nobody, when both choose among all moves alike."""
    if position.is_over:
        winner = position.winner
        return Fraction(winner is Mark.X), Fraction(winner is Mark.O), Fraction(winner is None)
    after = [_random_shares(position.play(cell).canonical()) for cell in position.moves()]
    x, o, draw = (sum(shares, Fraction()) / len(after) for shares in zip(*after, strict=True))
    return x, o, draw


@claim("gordon", None, see.match("random", "random", 100))
def random_games() -> Found:
    """Two random players play the sample game (how often each wins is not said)."""
    x, o, draw = _random_shares(GAME.start())
    note = f"X wins {x}, O wins {o} and {draw} of the games are drawn, exactly."
    return Found([round(float(share), 4) for share in (x, o, draw)], note, None)
