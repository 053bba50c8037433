"""Puzzles: exactly one right move, by values that another part of noughts gives; the same for everyone."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from click.testing import CliRunner

from noughts import Game, Position, native
from noughts.cli import cli
from noughts.play.puzzles import (
    LEVELS,
    WEEK,
    NoPuzzle,
    _turn,
    after_four,
    attempt,
    collection,
    daily,
    puzzle_of,
    solution,
)
from noughts.proofs import fours
from noughts.rules.notation import format_move
from noughts.solve import plain

TODAY = date(2026, 6, 1)
every = pytest.mark.parametrize("level", range(1, LEVELS + 1))


def sample(level: int, number: int) -> list[Position]:
    return [Position.parse(text) for text in collection()[level][:number]]


@every
def test_the_file_holds_puzzles_of_their_level_and_none_twice(level: int) -> None:
    assert [puzzle_of(position).level for position in sample(level, 8)] == [level] * 8
    assert len({Position.parse(text).canonical() for text in collection()[level]}) == len(collection()[level]) >= 50


@pytest.mark.slow
@pytest.mark.skipif(native.core() is None, reason="Connect Four takes too long without the native core")
@every
def test_every_line_of_the_file_is_a_puzzle_of_its_level(level: int) -> None:
    assert {puzzle_of(position).level for position in sample(level, 1000)} == {level}


def test_only_the_right_move_keeps_the_outcome_by_the_plain_solver() -> None:
    small = [position for level in (1, 2) for position in sample(level, 60) if position.game.cells == 9]
    assert len(small) >= 20
    for position in small:
        found = puzzle_of(position)
        worth = {cell: plain.value(position.play(cell)).for_mover() for cell in position.moves()}
        best = max(worth.values()).outcome
        assert [cell for cell in worth if worth[cell].outcome == best] == [found.solution]
        assert {"win": "win", "hold": "tie"}[found.kind] == best


def test_only_the_right_move_begins_a_win_by_fours_by_the_plain_search() -> None:
    large = [position for position in sample(2, 100) if position.game.cells == 225][:3]
    assert len(large) == 3
    for position in large:
        found = puzzle_of(position)
        assert (found.kind, len(fours.search(position).line)) == ("fours", found.sight)
        own, other = position.sides
        line = fours.search_plainly(position.game, own, other, 200_000).line
        assert (line[0], len(line)) == (found.solution, found.sight)
        assert [cell for cell in position.moves() if after_four(position, cell).wins] == [found.solution]


def test_a_day_has_one_puzzle_for_everybody_by_its_date_alone() -> None:
    mondays = collection()[1]
    assert str(daily("2026-01-05").position) == mondays[(date(2026, 1, 5) - date.min).days // 7 % len(mondays)]
    assert str(daily("2026-01-05", 5).position) in collection()[5]
    assert daily("2026-01-05", today=TODAY) == daily(date(2026, 1, 5))
    week = [date(2026, 1, 5) + timedelta(days) for days in range(7)]
    assert tuple(daily(day).level for day in week) == WEEK
    assert [daily(TODAY, level, today=TODAY).level for level in range(1, LEVELS + 1)] == [1, 2, 3, 4, 5]


def test_no_puzzle_comes_again_before_the_others_of_its_level_had_their_day() -> None:
    days = [date(2026, 1, 1) + timedelta(number) for number in range(4 * 366)]
    for level, texts in collection().items():
        met = [_turn(day, level) % len(texts) for day in days if WEEK[day.weekday()] == level]
        rounds = [met[start : start + len(texts)] for start in range(len(met) - len(texts))]
        assert rounds
        assert {len(set(some)) for some in rounds} == {len(texts)}


def test_what_there_is_no_puzzle_of_is_refused_in_a_sentence() -> None:
    with pytest.raises(NoPuzzle, match="2026-06-02 is still to come: the last puzzle is that of today, 2026-06-01"):
        daily("2026-06-02", today=TODAY)
    with pytest.raises(NoPuzzle, match="level must be from 1 to 5, not 6"):
        daily(TODAY, 6, today=TODAY)
    for text in ("", "tomorrow", "2026-13-01", "20260101"):
        with pytest.raises(NoPuzzle, match="is not a date: expected year-month-day"):
            daily(text)
    for text, why in {"XXX/OO./...": "the game is over", ".........": "9 moves are worth the same, a tie"}.items():
        with pytest.raises(NoPuzzle, match=why):
            puzzle_of(Position.parse(text))
    with pytest.raises(NoPuzzle, match="no moves begin a win by fours"):
        puzzle_of(Game(15, 15, 5).start())


@every
def test_a_wrong_move_is_answered_and_the_game_played_to_its_end(level: int) -> None:
    for position in sample(level, 3):
        puzzle = puzzle_of(position)
        right = solution(puzzle)
        assert right.right
        assert right.played[-1].winner is position.turn or puzzle.kind == "hold"
        wrong = next(cell for cell in puzzle.cells if cell != puzzle.solution)
        found = attempt(puzzle, [wrong, puzzle.solution, wrong])
        assert not found.right
        assert found.sentences
        assert found.share.endswith(f"level {level}: ✗✓✗")
        if puzzle.kind != "fours":
            assert found.played[-1].is_over
            assert found.played[-1].winner is not position.turn


def test_the_question_does_not_hold_its_answer() -> None:
    for level in range(1, LEVELS + 1):
        told = daily(TODAY, level, today=TODAY).to_json()
        assert not {"solution", "best", "line"} & told.keys()


def test_the_command_says_what_is_wrong_in_one_line() -> None:
    for words, problem in {
        "--date 2999-01-01": "2999-01-01 is still to come",
        "--date soon": "'soon' is not a date",
        "--date 2026-01-05 --move z9": "z9",
    }.items():
        done = CliRunner().invoke(cli, ["puzzle", *words.split()])
        assert isinstance(done.exception, ValueError)
        assert problem in str(done.exception)
    done = CliRunner().invoke(cli, ["puzzle", "--move", "a1", "--solution"])
    assert done.exit_code == 2
    shown = CliRunner().invoke(cli, ["puzzle", "--date", "2026-01-05", "--solution"])
    assert solution(daily("2026-01-05")).share not in shown.output  # nobody solved anything
    right = format_move(Game(), daily("2026-01-05").solution)
    solved = CliRunner().invoke(cli, ["puzzle", "--date", "2026-01-05", "--move", right])
    assert solved.output.splitlines()[-1] == solution(daily("2026-01-05")).share
