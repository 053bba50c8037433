"""Who can be played against on a board, and a move that one of them makes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from noughts.analysis import Analysis, analyze
from noughts.play.registry import PLAYERS, find_player
from noughts.rules.answer import Answer
from noughts.rules.game import Cell, Game
from noughts.rules.position import Move, Position

ADDED = "Somebody else's program, which was added where this server was started."


class NotAsked(ValueError):
    """The question contradicts itself or lacks something."""


@dataclass(frozen=True)
class Opponent(Answer):
    """A player; `refusal` says why it does not play this game, `number` what a number after its name means."""

    name: str
    title: str  # as a heading
    kind: Literal["level", "algorithm", "bot"]  # was it made for people to play against, or added by somebody?
    summary: str
    plays: bool
    refusal: str | None
    number: str | None

    @staticmethod
    def of(name: str, game: Game) -> Opponent:
        """The player of this name before this game."""
        player = PLAYERS[name]()
        refusal = player.refusal(game.start())
        return Opponent(
            name, name.replace("-", " ").capitalize(), "level" if name.startswith("level-") else "algorithm",
            player.summary(game), refusal is None, refusal, player.number or None,
        )  # fmt: skip


@dataclass(frozen=True)
class Opponents(Answer):
    """Who plays a game, and its empty board."""

    keys = "game board=game.start# players"

    game: Game
    bots: tuple[str, ...] = ()  # the names of those that somebody has added

    @property
    def players(self) -> tuple[Opponent, ...]:
        """All players, whether or not they play this game."""
        own = (Opponent.of(name, self.game) for name in PLAYERS)
        return (*own, *(Opponent(name, name, "bot", ADDED, True, None, None) for name in self.bots))


@dataclass(frozen=True)
class MoveChosen(Answer):
    """A move and who made it."""

    keys = "player seed @cell"

    game: Game
    player: str | None
    seed: int
    cell: Cell


@dataclass(frozen=True)
class MoveMade(Answer):
    """A move, who made it, and the analysis of the position after it."""

    keys = "*chosen analysis"

    chosen: MoveChosen
    analysis: Analysis

    @property
    def cell(self) -> Cell:
        """Where the mark was put."""
        return self.chosen.cell


def choose_move(position: Position, player: str | None = None, seed: int = 0, move: Move | None = None) -> MoveChosen:
    """The move that a player chooses, or the one that is given."""
    if (player is None) is (move is None):
        raise NotAsked("give either a player who is to move, or the move that is to be made")
    cell = find_player(player or "", seed)(position) if move is None else position.cell(move)
    return MoveChosen(position.game, player, seed, cell)


def make_move(position: Position, player: str | None = None, seed: int = 0, move: Move | None = None) -> MoveMade:
    """Make a move: the one that a player chooses, or the one that is given; then what is known of the position.

    >>> made = make_move(Position.parse("XX./OO./..."), "perfect")
    >>> made.cell, made.analysis.sentence
    (2, 'X has won.')
    """
    chosen = choose_move(position, player, seed, move)
    return MoveMade(chosen, analyze(position.play(chosen.cell)))
