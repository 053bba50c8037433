"""The players by name. A text such as `rules`, `alphabeta:4`, `mcts:2000` or `mcts:0.5s` (seconds) names one.

Those that search can be given seconds for a move; the others answer at once.
"""

from __future__ import annotations

from noughts.play.engine import EnginePlayer
from noughts.play.levels import Level1, Level2, Level3, Level4, Level5
from noughts.play.mcts import Mcts
from noughts.play.player import LONGEST, Choosing, InvalidPlayer
from noughts.play.rules import Rules, RulesAsPrinted
from noughts.play.simple import AlphaBeta, Minimax, Perfect, RandomPlayer
from noughts.words import brief, no_such

PLAYERS: dict[str, type[Choosing]] = {player.name: player for player in (
    RandomPlayer, RulesAsPrinted, Rules, Minimax, AlphaBeta, Perfect, Mcts, EnginePlayer,
    Level1, Level2, Level3, Level4, Level5,
)}  # fmt: skip


def find_player(text: str, seed: int = 0) -> Choosing:
    """The player that a text names, with this seed.

    >>> find_player("alphabeta:4", seed=7)
    AlphaBeta(seed=7, depth=4)
    >>> find_player("perfcet")
    Traceback (most recent call last):
    noughts.play.player.InvalidPlayer: there is no player 'perfcet': did you mean perfect?
    """
    name, colon, number = text.partition(":")
    if name not in PLAYERS:
        raise InvalidPlayer(no_such("player", name, PLAYERS))
    meaning = PLAYERS[name].number
    if not colon:
        return PLAYERS[name](seed)
    if number.endswith("s") and "seconds" in PLAYERS[name].__dataclass_fields__:  # a budget of time, as in mcts:0.5s
        return PLAYERS[name](seed, seconds=EnginePlayer.read(number[:LONGEST].removesuffix("s"), name))  # type: ignore[call-arg]
    if not meaning:
        raise InvalidPlayer(f"{name} takes no number: {brief(text)} is no player")
    return PLAYERS[name](seed, **{meaning: PLAYERS[name].read(number[: LONGEST + 1])})
