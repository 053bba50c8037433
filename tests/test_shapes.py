"""Fours and threes by name: what is said of them is what plain trying shows."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from noughts import Game, Mark, Position
from noughts.analysis import analyze
from noughts.proofs import fours
from noughts.rules.game import Bits, Cell, Direction
from noughts.rules.position import replay
from noughts.shapes import Shape, deeds, facing, promising, shapes, told

GAMES = ["6x6k4", "7x7k5", "8x8k5e", "8x9k6", "5x9k4e"]
GOMOKU = Game(15, 15, 5)


def positions(name: str, number: int, seed: int) -> Iterator[Position]:
    game, source = Game.parse(name), random.Random(seed)
    found = 0
    while found < number:
        position = game.start()
        for _ in range(source.randrange(4, 3 * game.cells // 4)):
            if not position.is_over:
                position = position.play(source.choice(position.moves()))
        if not position.is_over:
            found += 1
            yield position


def at(moves: str, game: Game = GOMOKU) -> Position:
    return replay(game.start(), moves.split())[-1]


def completing(game: Game, own: Bits, free: Bits, direction: Direction | None = None) -> set[Cell]:
    ways = None if direction is None else [direction]
    return set(game.cells_of(game.rule.completing(own, ways) & free))


def sides(position: Position, owner: Mark) -> tuple[Bits, Bits]:
    return (position.x, position.o) if owner is Mark.X else (position.o, position.x)


@pytest.mark.parametrize("name", [*GAMES, "5x5k3", "3x4k3e"])
def test_fours_are_completed_exactly_where_a_line_is(name: str) -> None:
    for position in positions(name, 150, 1):
        for owner in Mark:
            own, _ = sides(position, owner)
            fours = [each for each in shapes(position, owner) if each.kind == "four"]
            assert {cell for four in fours for cell in four.completes} == completing(position.game, own, position.empty)
            assert all(four.open is (len(four.completes) > 1) for four in fours)
            assert all(four.meets == (four.completes if len(four.completes) == 1 else ()) for four in fours)


@pytest.mark.parametrize("name", [*GAMES, "5x5k3", "3x4k3e", "15x15k5"])
def test_a_four_has_the_marks_of_its_name_and_both_its_ends(name: str) -> None:
    for position in positions(name, 100, 5):
        game = position.game
        for owner in Mark:
            own, _ = sides(position, owner)
            for four in (each for each in shapes(position, owner) if each.kind == "four"):
                marks = game.bits_of(four.marks)
                assert len(four.marks) == game.k - 1
                ends = {cell for cell in game.cells_of(position.empty) if game.rule.has_line(marks | 1 << cell)}
                if game.exact:  # other marks of theirs may make it too long
                    ends = {cell for cell in ends if game.rule.has_line(own | 1 << cell)}
                assert {*four.completes} == ends, str(position)


def way(shape: Shape) -> Direction:
    """The direction in which its marks lie."""
    game, (first, second) = shape.game, sorted(shape.marks)[:2]
    (r, c), (row, column) = divmod(first, game.columns), divmod(second, game.columns)
    sign = (column > c) - (column < c)
    return next(each for each in game.directions if each == ((row > r) * 1, sign))


def open_fours(game: Game, own: Bits, free: Bits, direction: Direction) -> set[Cell]:
    """The moves after which two cells or more complete a line in this direction, with the move in it."""
    before = completing(game, own, free, direction)
    return {
        cell
        for cell in game.cells_of(free)
        if len(completing(game, own | 1 << cell, free & ~(1 << cell), direction) - before) > 1
    }


@pytest.mark.parametrize("name", GAMES)
def test_threes_are_what_one_move_makes_an_open_four_of(name: str) -> None:
    seen = 0
    for position in positions(name, 150, 2):
        game = position.game
        for owner in Mark:
            own, _ = sides(position, owner)
            if completing(game, own, position.empty):
                continue  # one who has a four has no use for a three
            threes = [each for each in shapes(position, owner) if each.kind == "three"]
            seen += len(threes)
            for direction in game.directions:
                made = {cell for each in threes if way(each) == direction for cell in each.completes}
                assert made == open_fours(game, own, position.empty, direction), str(position)
    assert seen > 5


@pytest.mark.parametrize("name", GAMES)
def test_a_three_is_met_exactly_where_it_says(name: str) -> None:
    seen = 0
    for position in positions(name, 150, 3):
        game = position.game
        for owner in Mark:
            own, _ = sides(position, owner)
            threes = [each for each in shapes(position, owner) if each.kind == "three"]
            if completing(game, own, position.empty) or len(threes) != 1:
                continue
            [three] = threes
            seen += 1
            for cell in game.cells_of(position.empty):
                is_met = not open_fours(game, own, position.empty & ~(1 << cell), way(three))
                assert is_met is (cell in three.meets), (str(position), cell)
    assert seen > 5


@pytest.mark.parametrize("name", ["3x3k2", "6x7k4g", "5x5k4m", "40x40k5"])
def test_other_games_have_no_shapes(name: str) -> None:
    position = Game.parse(name).start()
    assert shapes(position) == ()
    assert promising(position) == []


@pytest.mark.parametrize(
    ("moves", "said"),
    [
        ("h8 e5 g7 a5 o15 b5 i9", ["the three at g7 h8 i9 must be met at f6, j10 or k11, or by a four of your own"]),
        ("h8 h9 g7 a1 i9", ["the three at g7 h8 i9 must be met at f6 or j10"]),
        ("c3 b3 d3 h8 e3 o15 f3", ["the four at c3 d3 e3 f3 must be met at g3"]),
        ("c3 b9 d3 h8 e3 o15 f3", ["the four at c3 d3 e3 f3 cannot be met: b3 and g3 complete it"]),
        ("c3 b9 d3 h8 e3 o15 f3 a1 h3", ["the four at c3 d3 e3 f3 cannot be met: b3 and g3 complete it"]),
        ("c3 b3 d3 h8 e3 o15 f3 a1 h3", ["the four at c3 d3 e3 f3 must be met at g3"]),
        ("c3 b3 d3 h8 e3 i9 f3 j10", []),  # X completes a line, and need not care
    ],
)
def test_what_must_be_met_is_said(moves: str, said: list[str]) -> None:
    assert list(facing(at(moves))) == said


def test_shapes_are_called_by_their_marks() -> None:
    [three] = shapes(at("c3 a1 d3 f6", Game(6, 6, 4)))
    assert (three.kind, three.name) == ("three", "two")
    assert str(three).startswith("the two at c3 d3")


def test_several_shapes_have_a_plural() -> None:
    rows = ".XXXXX... X........ X..O.O.O. X........ X..O.O.O. X........ .....O... ...O.O... ....O...."
    assert deeds(Position.parse(f"9x9k7:{rows.replace(' ', '/')}"), 0) == [
        "makes two sixes at once: g9 and a3 complete them"
    ]


def test_moves_say_what_they_make_and_meet() -> None:
    facing_three = at("h8 h9 g7 a1 i9")
    cell = facing_three.cell("j10")
    assert deeds(facing_three, cell) == ["meets the three at g7 h8 i9"]
    own = at("h8 h9 g7 a1 i9 o15")
    assert deeds(own, own.cell("j10")) == ["makes an open four: f6 and k11 both complete it"]
    assert deeds(own, own.cell("k11")) == ["makes a four: O must answer j10"]


def test_words_are_only_left_out_where_there_is_nothing_to_say() -> None:
    for position in positions("7x7k5", 20, 4):
        sharp = set(promising(position))
        assert all(not deeds(position, cell) for cell in position.moves() if cell not in sharp)


def test_a_forced_win_is_told_move_by_move() -> None:
    position = Position.parse(
        "9x9k5:........./.....X.../.....X.O./.O....O../....X..O./..OXX.X../........./...O...../........."
    )
    assert told(position, fours.search(position).line).split("; ") == [
        "f4 makes a four", "O must answer h4", "f6 then makes a second one", "O must answer f5",
        "g7 makes an open four: c3 and h8 both complete it", "O answers h8 with a four of their own",
        "X completes a line on c3",
    ]  # fmt: skip
    found = analyze(position)
    assert found.story == (told(position, found.verdict.line),)


def test_a_four_on_the_way_is_told_as_one_and_met() -> None:
    position = at("h8 c1 b1 d1 i8 e1 j8")
    line = [position.cell(move) for move in ("f1", "g1", "a15", "g8", "a14", "f8")]
    assert told(position, line).split("; ") == [
        "O answers f1 with a four of their own", "g1 meets the four", "O answers a15",
        "g8 makes an open four: f8 and k8 both complete it", "O answers a14", "X completes a line on f8",
    ]  # fmt: skip


def test_three_in_a_row_has_twos() -> None:
    position = Position.parse("XX./.O./...")
    assert facing(position) == ("the two at a3 b3 must be met at c3",)
    assert deeds(position, 2) == ["makes a two: X must answer a1"]  # c3
    assert deeds(position, 3) == ["makes a two"]  # a2: X completes a line on c3 and answers nothing
    assert shapes(Position.parse("5x5k3:...../...../..X../...../....O")) == ()  # a lone mark is no shape
