"""Who can be played against on a board, and a move that one of them makes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from noughts.analysis import Analysis, analyze
from noughts.play.registry import PLAYERS, find_player
from noughts.rules.answer import Answer
from noughts.rules.game import Cell, Game
from noughts.rules.position import Move, Position


class NotAsked(ValueError):
    """The question contradicts itself or lacks something."""


@dataclass(frozen=True)
class Opponent(Answer):
    """A player; `refusal` says why it does not play this game, `number` what a number after its name means."""

    keys = "name title kind summary plays refusal number"

    name: str
    game: Game

    @property
    def title(self) -> str:
        """Its name as a heading."""
        return self.name.replace("-", " ").capitalize()

    @property
    def kind(self) -> Literal["level", "algorithm"]:
        """Was it made for people to play against?"""
        return "level" if self.name.startswith("level-") else "algorithm"

    @property
    def summary(self) -> str:
        """What it does, in a sentence."""
        return PLAYERS[self.name]().summary(self.game)

    @property
    def plays(self) -> bool:
        """Does it play this game?"""
        return self.refusal is None

    @property
    def refusal(self) -> str | None:
        """Why it does not play this game."""
        return PLAYERS[self.name]().refusal(self.game.start())

    @property
    def number(self) -> str | None:
        """What a number after its name means."""
        return PLAYERS[self.name].number or None


@dataclass(frozen=True)
class Opponents(Answer):
    """Who plays a game, and its empty board."""

    keys = "game board=game.start# players"

    game: Game

    @property
    def players(self) -> tuple[Opponent, ...]:
        """All players, whether or not they play this game."""
        return tuple(Opponent(name, self.game) for name in PLAYERS)


@dataclass(frozen=True)
class MoveMade(Answer):
    """A move, who made it, and the analysis of the position after it."""

    keys = "player seed @cell analysis"

    game: Game
    player: str | None
    seed: int
    cell: Cell
    analysis: Analysis


def make_move(position: Position, player: str | None = None, seed: int = 0, move: Move | None = None) -> MoveMade:
    """Make a move: the one that a player chooses, or the one that is given; then what is known of the position.

    >>> made = make_move(Position.parse("XX./OO./..."), "perfect")
    >>> made.cell, made.analysis.sentence
    (2, 'X has won.')
    """
    if (player is None) is (move is None):
        raise NotAsked("give either a player who is to move, or the move that is to be made")
    cell = find_player(player or "", seed)(position) if move is None else position.cell(move)
    return MoveMade(position.game, player, seed, cell, analyze(position.play(cell)))
