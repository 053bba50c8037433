"""The course of a game: what is proven and what is believed are told apart."""

from __future__ import annotations

import pytest

from noughts import Game, native
from noughts.account import review
from noughts.course import EARLY, MUCH, NODES, Course, following
from noughts.engine import EngineError
from noughts.progress import finish

pytestmark = pytest.mark.skipif(native.core() is None, reason="the engine needs the native core")

GAME = ["h8", "i9", "h9", "h10", "g8", "i8", "i10", "f7", "j11", "k12", "g7", "g6"]  # X lets an advantage slip


def course(game: str, moves: list[str], nodes: int = 2000) -> Course:
    return finish(following(Game.parse(game).start(), moves, nodes=nodes))


def test_a_proven_mistake_is_never_only_believed() -> None:
    moves = ["b2", "b3", "a1", "c3", "a3", "c1", "a2"]
    account = review(Game().start(), moves)
    found = course("3x3k3", moves)
    assert found.review == account
    proven = {moment.number for moment in found.course if moment.mistake == "proven"}
    assert proven == {slip.number for slip in account.slips} != set()
    assert all(moment.proven and moment.view is None for moment in found.course)  # 3x3 is known: nothing is guessed
    assert all(moment.chance in (0, 0.5, 1) for moment in found.course)


def test_a_believed_mistake_cost_the_one_who_made_it_much_and_was_not_the_engines_move() -> None:
    found = course("15x15k5", GAME, NODES)
    believed = [moment for moment in found.course if moment.mistake == "believed"]
    assert believed
    for moment in believed:
        before = moment.before
        assert before
        assert before.view
        assert moment.judged
        assert not before.proven
        sign = 1 if before.position.turn.value == "X" else -1
        assert sign * (before.chance - moment.chance) >= MUCH
        assert moment.better == before.view.move != moment.judged.cell
        assert before.position.marks >= EARLY
        assert moment.text.startswith("The engine believes: ")


def test_the_course_has_every_position_in_order_and_its_events_come_from_the_end() -> None:
    told = []
    found = finish(following(Game(7, 7, 5).start(), ["d4", "e5", "d5"], nodes=300), told.append)
    assert [moment.number for moment in found.course] == [0, 1, 2, 3]
    back, looked = told[:-4], told[-4:]  # the look back at the game comes first, a step for each position and each move
    assert [(event.done, event.total) for event in back] == [(step, 7) for step in range(1, 8)]
    assert [event.moment.number for event in looked] == [3, 2, 1, 0]
    assert [event.moment.chance for event in reversed(looked)] == [moment.chance for moment in found.course]


def test_where_the_engine_does_not_play_it_says_so() -> None:
    with pytest.raises(EngineError, match="does not know gravity"):
        course("6x7k4g", ["d1"])
