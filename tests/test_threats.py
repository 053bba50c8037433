"""Threats: the bit tricks find what the plain definitions say."""

from __future__ import annotations

from random import Random

import pytest
from conftest import SPREAD, positions, reachable
from hypothesis import given, settings
from hypothesis import strategies as st

from noughts import Game, Mark, Position
from noughts.threats import blocking_moves, completing_moves, fork_blocks, forks, winning_moves

SMALL = [game for game in SPREAD if game.cells <= 64]


class Slow:
    """The definitions: put a mark on the board and see."""

    def __init__(self, position: Position, mark: Mark) -> None:
        self.game, self.misere = position.game, position.game.misere
        self.own, self.other = (position.x, position.o) if mark is Mark.X else (position.o, position.x)
        self.over = position.is_over

    def empty(self) -> list[int]:
        return [] if self.over else self.game.cells_of(self.game.rule.playable(self.own | self.other))

    def completing(self) -> list[int]:
        return [cell for cell in self.empty() if self.game.rule.has_line(self.own | (1 << cell))]

    def winning(self) -> list[int]:
        return [] if self.misere else self.completing()

    def after(self, cell: int) -> Slow:
        """The board after a move of this player, who is still the one that we ask about."""
        after = object.__new__(Slow)
        after.game, after.misere, after.other = self.game, self.misere, self.other
        after.own = self.own | (1 << cell)
        after.over = self.game.rule.has_line(after.own)
        return after

    def turned(self) -> Slow:
        """The same board from the other side."""
        turned = object.__new__(Slow)
        turned.game, turned.misere, turned.over = self.game, self.misere, self.over
        turned.own, turned.other = self.other, self.own
        return turned

    def forks(self) -> list[int]:
        return [cell for cell in self.empty() if len(self.after(cell).winning()) >= 2]

    def fork_blocks(self) -> list[int]:
        if not self.turned().forks():
            return []
        return [cell for cell in self.empty() if not self.after(cell).turned().forks()]


def agree(position: Position) -> None:
    for mark in Mark:
        slow = Slow(position, mark)
        assert completing_moves(position, mark) == slow.completing()
        assert winning_moves(position, mark) == slow.winning()
        assert blocking_moves(position, mark) == slow.turned().winning()
        assert forks(position, mark) == slow.forks()
        assert fork_blocks(position, mark) == slow.fork_blocks()


@pytest.mark.parametrize("name", ["3x3k3", "3x3k3m"])
def test_threats_are_those_of_the_definition_on_every_reachable_position(name: str) -> None:
    for position in reachable(Game.parse(name)):
        agree(position)


@pytest.mark.parametrize("name", ["3x4k3", "4x3k3", "3x3k2", "2x4k2", "1x9k3", "4x4k3", "5x5k3g", "6x7k4g", "4x6k3eg"])
def test_threats_are_those_of_the_definition_on_a_spread_of_positions(name: str) -> None:
    game, rng = Game.parse(name), Random(name)
    for _ in range(40):
        position = game.start()
        while not position.is_over:
            agree(position)
            position = position.play(rng.choice(position.moves()))
        agree(position)


@given(positions(st.sampled_from(SMALL)))
@settings(max_examples=60)
def test_threats_are_those_of_the_definition_on_small_boards_of_every_kind(position: Position) -> None:
    agree(position)


@given(positions(st.sampled_from(SPREAD)))
@settings(max_examples=40)
def test_winning_moves_are_those_of_the_definition_on_boards_of_every_kind(position: Position) -> None:
    for mark in Mark:
        assert completing_moves(position, mark) == Slow(position, mark).completing()


@pytest.mark.parametrize("name", ["15x15k5", "19x19k5"])
def test_forks_are_those_of_the_definition_on_large_boards(name: str) -> None:
    # Marks crowded into a corner of the board and around its middle, where there is something to see.
    game, rng, found = Game.parse(name), Random(name), 0
    for top, left in ((0, 0), (5, 6), (game.rows - 6, game.columns - 6)):
        crowd = [(top + r) * game.columns + left + c for r in range(6) for c in range(6)]
        rng.shuffle(crowd)
        position = game.start()
        for cell in crowd[:22]:
            after = position.play(cell)
            position = position if after.is_over else after
        for mark in Mark:
            assert forks(position, mark) == Slow(position, mark).forks()
            assert winning_moves(position, mark) == Slow(position, mark).winning()
            found += len(forks(position, mark))
    assert found


def test_the_player_to_move_is_asked_unless_a_mark_is_given() -> None:
    position = Position.parse("XX./OO./...")
    for ask in (completing_moves, winning_moves, blocking_moves, forks, fork_blocks):
        assert ask(position) == ask(position, Mark.X)
    assert (winning_moves(position), blocking_moves(position)) == ([2], [5])
    assert (winning_moves(position, Mark.O), blocking_moves(position, Mark.O)) == ([5], [2])


def test_in_misere_there_are_cells_to_avoid_and_nothing_to_win() -> None:
    position = Position.parse("3x3k3m:XX./OO./...")
    assert completing_moves(position) == [2]
    assert completing_moves(position, Mark.O) == [5]
    for ask in (winning_moves, blocking_moves, forks, fork_blocks):
        assert ask(position) == ask(position, Mark.O) == []


def test_nothing_threatens_when_the_game_is_over() -> None:
    for text in ("XXX/OO./...", "XOX/XOO/OXX", "3x3k3m:XXX/OO./..."):
        position = Position.parse(text)
        for ask in (completing_moves, winning_moves, blocking_moves, forks, fork_blocks):
            assert ask(position) == ask(position, Mark.O) == []


def test_a_winning_move_is_not_a_fork() -> None:
    # c3 wins by the row; a2 and a1 add the column to it.
    position = Position.parse("XX./.../.OO")
    assert winning_moves(position) == [2]
    assert 2 not in forks(position)
    assert forks(position) == [3, 6]


def test_the_two_corner_trap_has_no_move_that_stops_both_forks() -> None:
    position = Position.parse("X../.O./..X")
    assert forks(position, Mark.X) == [2, 6]
    assert fork_blocks(position) == []


def test_a_winning_move_stops_every_fork() -> None:
    position = Position.parse("XX./O../O..")
    assert forks(position, Mark.O) == [4]
    assert winning_moves(position) == [2]
    assert 2 in fork_blocks(position)
