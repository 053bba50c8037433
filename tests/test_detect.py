"""Detectors: every one of them says what the rules say, after every move and every undo."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from random import Random
from typing import Any

import pytest
from conftest import SPREAD, reachable

from noughts import Game, IllegalMove, Mark, Position, Status, threats
from noughts.detect import DETECTORS, EXHIBITS, Incremental, UnsupportedGame, line_owner
from noughts.detect.lookup import Lookup, table

BOARDS = [*SPREAD, *map(Game.parse, ("5x5k5", "5x5k5m", "1x19k5", "4x4k4", "4x5k4", "19x19k19"))]
INCREMENTAL = [name for name, detector in DETECTORS.items() if issubclass(detector, Incremental)]


def supported(names: list[str], games: list[Game]) -> list[tuple[str, Game]]:
    return [(name, game) for name in names for game in games if DETECTORS[name].supports(game)]


def pairs(names: list[str], games: list[Game], slow: str = "") -> pytest.MarkDecorator:
    """A test for each detector and each of these games that it takes; one game may be left to the slow tests."""
    cases = [
        pytest.param(name, game, id=f"{name}-{game}", marks=[pytest.mark.slow] * (str(game) == slow))
        for name, game in supported(names, games)
    ]
    return pytest.mark.parametrize(("name", "game"), cases)


def follow(name: str, game: Game) -> Incremental:
    detector = DETECTORS[name](game)
    assert isinstance(detector, Incremental)
    return detector


def lively_game(game: Game, rng: Random) -> Iterator[Position]:
    """A random game in which one player, after some random moves, goes for a line and so often gets it."""
    position, lines = game.start(), list(game.lines())
    aim, keen = rng.choice(lines), rng.choice(list(Mark))
    noise = rng.randrange(min(game.cells, 50))
    yield position
    while not position.is_over:
        moves = position.moves()
        if position.marks >= noise and position.turn is keen:
            if game.bits_of(aim) & (position.o if keen is Mark.X else position.x):
                aim = rng.choice(lines)
            moves = [cell for cell in aim if cell in moves] or moves
        position = position.play(rng.choice(moves))
        yield position


def lively_games(game: Game, number: int = 6) -> Iterator[list[Position]]:
    for seed in range(number):
        yield list(lively_game(game, Random(f"{game} {seed}")))


# They agree


@pairs(list(DETECTORS), [Game.parse(name) for name in ("3x3k3", "3x3k3m", "3x4k3", "4x3k3")], slow="4x3k3")
def test_every_detector_agrees_on_every_reachable_position(name: str, game: Game) -> None:
    winner = DETECTORS[name](game).winner
    wrong = [position for position in reachable(game) if winner(position) is not line_owner(position)]
    assert not wrong


@pairs(list(DETECTORS), BOARDS)
def test_every_detector_agrees_on_random_games(name: str, game: Game) -> None:
    detector = DETECTORS[name](game)
    for played in lively_games(game):
        for position in played:
            assert detector.winner(position) is line_owner(position)


def test_the_random_games_end_in_every_way() -> None:
    ends = Counter(played[-1].status for game in BOARDS for played in lively_games(game))
    assert min(ends[status] for status in (Status.X_WINS, Status.O_WINS, Status.DRAW)) >= 10
    several = [played[-1] for game in BOARDS for played in lively_games(game) if len(played[-1].lines()) > 1]
    assert several, "no game here completes two lines with one move"


def test_the_line_owner_is_the_loser_in_misere() -> None:
    standard, misere = Position.parse("XXX/OO./..."), Position.parse("3x3k3m:XXX/OO./...")
    assert line_owner(standard) is line_owner(misere) is Mark.X
    assert (standard.winner, misere.winner) == (Mark.X, Mark.O)
    assert all(algorithm(misere.game).winner(misere) is Mark.X for algorithm in DETECTORS.values())


@pytest.mark.parametrize("name", ["shifts", "last_move", "line_sums", "line_counts"])
def test_the_largest_boards_are_judged(name: str) -> None:
    for text in ("256x256k256", "256x256k5"):
        game = Game.parse(text)
        for line in (next(game.lines()), list(game.lines())[-1]):
            others = [cell for cell in range(0, game.cells, 7) if cell not in line][: game.k - 1]
            position = Position.unchecked(game, game.bits_of(line), game.bits_of(others))
            almost = Position.unchecked(game, game.bits_of(line[:-1]), game.bits_of(others))
            detector = DETECTORS[name](game)
            assert detector.winner(position) is Mark.X
            assert detector.winner(almost) is None


# Move by move


def agrees(detector: Incremental, position: Position) -> None:
    """The detector that followed the game knows what the position knows."""
    assert detector.status is position.status
    assert detector.turn is position.turn
    assert set(detector.lines()) == set(position.lines())
    assert len(detector.lines()) == len(position.lines())
    for mark in Mark:
        assert detector.winning_moves(mark) == threats.winning_moves(position, mark)
    assert detector.blocking_moves() == threats.blocking_moves(position)


@pairs(INCREMENTAL, [Game.parse(name) for name in ("3x3k3", "3x3k3m")])
def test_incremental_detectors_agree_along_every_edge(name: str, game: Game) -> None:
    detector, seen = follow(name, game), set()

    def walk(position: Position) -> None:
        for cell in position.moves():
            after = position.play(cell)
            assert detector.play(cell) is (line_owner(after) is not None)
            if after not in seen:
                seen.add(after)
                agrees(detector, after)
                walk(after)
            assert detector.undo() == cell
        agrees(detector, position)

    walk(game.start())
    assert len(seen) == 5477
    assert vars(detector) == vars(follow(name, game)), "undo did not bring the tables back"


@pairs(INCREMENTAL, BOARDS)
def test_incremental_detectors_agree_after_every_move_and_every_undo(name: str, game: Game) -> None:
    detector, fresh = follow(name, game), vars(follow(name, game))
    for played in lively_games(game):
        moves = [game.cells_of((after.x | after.o) ^ (before.x | before.o))[0] for before, after in pairwise(played)]
        for cell, after in zip(moves, played[1:], strict=True):
            assert detector.play(cell) is (line_owner(after) is not None)
            agrees(detector, after)
        for cell, before in zip(reversed(moves), reversed(played[:-1]), strict=True):
            assert detector.undo() == cell
            agrees(detector, before)
        assert vars(detector) == fresh


@pairs(INCREMENTAL, [Game()])
def test_a_move_that_fills_the_board_and_completes_a_line_is_no_draw(name: str, game: Game) -> None:
    full, drawn = Position.parse("XOX/OXO/OX."), Position.parse("XOX/XOO/OX.")
    for position, line in ((full, True), (drawn, False)):
        detector = follow(name, game)
        xs, os = game.cells_of(position.x), game.cells_of(position.o)
        for pair in zip(xs, os, strict=True):
            assert not any(detector.play(cell) for cell in pair)
        assert detector.play(8) is line
        assert detector.status is (Status.X_WINS if line else Status.DRAW)


@pairs(INCREMENTAL, [Game()])
def test_judging_a_position_leaves_the_followed_game_alone(name: str, game: Game) -> None:
    detector = follow(name, game)
    detector.play(4)
    position = game.start().play(4)
    assert detector.winner(Position.parse("XXX/OO./...")) is Mark.X
    agrees(detector, position)


@pairs(INCREMENTAL, [Game()])
def test_illegal_moves_are_refused_and_change_nothing(name: str, game: Game) -> None:
    detector = follow(name, game)
    with pytest.raises(IllegalMove, match="there is no move to take back"):
        detector.undo()
    detector.play(6)
    with pytest.raises(IllegalMove, match="a1 is taken by X"):
        detector.play(6)
    for cell in (-1, 9):
        with pytest.raises(IllegalMove, match=f"{cell} is not a cell of 3x3k3: they run from 0 to 8"):
            detector.play(cell)
    agrees(detector, game.start().play(6))
    for cell in (0, 7, 1, 8):
        detector.play(cell)
    with pytest.raises(IllegalMove, match=r"c3 cannot be played: the game is over \(x_wins\)"):
        detector.play(2)
    assert detector.lines() == ((6, 7, 8),)


# The registry


@pytest.mark.parametrize("name", DETECTORS)
def test_every_detector_introduces_itself(name: str) -> None:
    detector = DETECTORS[name]
    assert detector.__module__ == f"noughts.detect.{name}"
    assert detector.source in {"prajoda", "gordon", "lastmove", "noughts"}
    assert detector.idea.endswith(".")
    assert "O(" in detector.cost
    assert detector.supports(Game()) is detector.supports(Game(misere=True)) is True


@pytest.mark.parametrize(
    ("name", "game"),
    [("magic_square", "4x4k4"), ("magic_square", "3x3k2"), ("magic_labels", "4x4k4"), ("magic_labels", "5x5k4"),
     ("lookup", "5x5k4"), ("lookup", "25x1k3")],
)  # fmt: skip
def test_a_board_that_is_not_supported_is_refused(name: str, game: str) -> None:
    detector = DETECTORS[name]
    assert not detector.supports(Game.parse(game))
    with pytest.raises(UnsupportedGame, match=f"^{name} does not take {game}: it works on "):
        detector(Game.parse(game))


@pytest.mark.parametrize("name", DETECTORS)
def test_a_rule_that_a_detector_lacks_is_refused_before_the_board_is_looked_at(name: str) -> None:
    kind: Any = type("Lacking", (DETECTORS[name],), {"lacks": ("misere",)})
    assert kind.refusal(Game()) is None
    for game in ("3x3k3m", "40x40k7m"):
        assert not kind.supports(Game.parse(game))
        with pytest.raises(UnsupportedGame, match=f"^lacking does not take {game}: it does not know misere, where "):
            kind(Game.parse(game))


def test_a_refusal_calls_a_detector_what_people_type() -> None:
    assert {name: kind.name() for name, kind in (DETECTORS | EXHIBITS).items()} == {
        name: name for name in (*DETECTORS, *EXHIBITS)
    }


def test_most_detectors_support_every_board() -> None:
    for name in ("shifts", "last_move"):
        assert all(DETECTORS[name].supports(game) for game in BOARDS)
    for name in ("line_sums", "line_counts"):
        assert all(DETECTORS[name].supports(game) is not game.rule.exact for game in BOARDS)
    assert all(DETECTORS["line_masks"].supports(game) for game in [*BOARDS, Game(256, 256, 5)])


def test_line_masks_too_many_to_keep_are_made_when_tried() -> None:
    game = Game(200, 200, 5)
    masks = DETECTORS["line_masks"](game)
    before = game.start()
    for number in range(4):
        before = before.play((199, 195 + number)).play((0, 2 * number))
    assert masks.winner(before) is None
    assert masks.winner(before.play((199, 199))) is Mark.X


# The table of all sets


@pytest.mark.parametrize("game", ["1x1k1", "1x3k2", "3x3k1", "3x3k3", "2x5k3", "5x2k2", "4x4k3", "4x4k4"])
def test_the_table_holds_the_answer_for_every_set(game: str) -> None:
    board = Game.parse(game)
    answers = table(board)
    for bits in range(1 << board.cells):
        assert bool(answers[bits >> 3] >> (bits & 7) & 1) is board.rule.has_line(bits)


def test_the_table_stays_small() -> None:
    sizes = {str(game): len(table(game)) for game in map(Game.parse, ("3x3k3", "4x4k4", "4x5k4"))}
    assert sizes == {"3x3k3": 64, "4x4k4": 8_192, "4x5k4": 131_072}
    assert Lookup.supports(Game(4, 6, 4)) is not Lookup.supports(Game(5, 5, 4))
