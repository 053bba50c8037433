"""Position: playing, status, lines, deadness; against OpenSpiel where it is installed."""

from __future__ import annotations

import copy
import pickle
import random
from collections import Counter
from collections.abc import Callable
from typing import Any, get_type_hints
from unittest.mock import ANY

import pytest
from conftest import SPREAD, positions, reachable, slow_lines
from hypothesis import given
from hypothesis import strategies as st

from noughts import (
    Game,
    IllegalMove,
    InvalidPosition,
    Mark,
    Position,
    Setup,
    Status,
    analyze,
    best_moves,
    certify,
    move_values,
    perft,
    review,
    value,
    verdict,
)
from noughts.rules.legality import Reason
from noughts.rules.perft import count_games
from noughts.rules.position import Move
from noughts.words import brief

STANDARD, MISERE = Game(), Game(misere=True)
PERFT = [1, 9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872]


def stands_alone(game: Game, line: tuple[int, ...], held: set[int]) -> bool:
    """Is a line no part of a longer run, where only exactly k count?"""
    if not game.exact or game.k == 1:
        return True
    rows, columns = zip(*(divmod(cell, game.columns) for cell in line), strict=True)
    down, right = rows[1] - rows[0], columns[1] - columns[0]
    beside = [(rows[0] - down, columns[0] - right), (rows[-1] + down, columns[-1] + right)]
    return not any(
        0 <= row < game.rows and 0 <= column < game.columns and row * game.columns + column in held
        for row, column in beside
    )


def slow_status(position: Position) -> Status:
    """The status by the rules alone, cell by cell."""
    game = position.game
    for mark, bits in ((Mark.X, position.x), (Mark.O, position.o)):
        held = set(game.cells_of(bits))
        if any(held.issuperset(line) and stands_alone(game, line, held) for line in slow_lines(game)):
            winner = mark.other if game.misere else mark
            return Status.X_WINS if winner is Mark.X else Status.O_WINS
    return Status.DRAW if position.marks == game.cells else Status.ONGOING


def test_perft_of_3x3_at_every_depth() -> None:
    for game in (STANDARD, MISERE):
        level = Counter({game.start(): 1})
        for count in PERFT:
            assert sum(level.values()) == count
            after: Counter[Position] = Counter()
            for position, ways in level.items():
                for cell in position.moves():
                    after[position.play(cell)] += ways
            level = after
        assert not level


def test_3x3_has_5478_positions_958_of_them_final() -> None:
    for game in (STANDARD, MISERE):
        statuses = Counter(position.status for position in reachable(game))
        x_lines, o_lines = (Status.O_WINS, Status.X_WINS) if game.misere else (Status.X_WINS, Status.O_WINS)
        assert len(reachable(game)) == 5478
        assert (statuses[x_lines], statuses[o_lines], statuses[Status.DRAW]) == (626, 316, 16)


def test_the_sides_are_those_of_the_player_to_move_and_the_other() -> None:
    for position in reachable(STANDARD):
        mine, theirs = position.sides
        assert (mine, theirs) == ((position.x, position.o) if position.turn is Mark.X else (position.o, position.x))
        assert mine.bit_count() == position.marks // 2


@pytest.mark.parametrize("game", [STANDARD, MISERE, Game(3, 4, 3), Game(2, 5, 3), Game(3, 3, 2)], ids=str)
def test_status_is_that_of_the_rules_on_every_reachable_position(game: Game) -> None:
    for position in reachable(game):
        assert position.status is slow_status(position)
        assert position.is_over is (position.moves() == [])


@pytest.mark.parametrize("game", [STANDARD, MISERE], ids=str)
def test_a_position_is_the_same_whether_it_was_played_or_made_from_its_sets(game: Game) -> None:
    for played in reachable(game):
        made = Position.unchecked(game, played.x, played.o)
        assert (made.turn, made.status, made.playable) == (played.turn, played.status, played.playable)


@given(positions())
def test_status_of_a_played_position_is_that_of_its_text(position: Position) -> None:
    parsed = Position.parse(str(position))
    assert parsed == position
    assert (parsed.status, parsed.turn, parsed.moves()) == (position.status, position.turn, position.moves())
    assert position.status is slow_status(position)


@given(positions())
def test_lines_are_all_completed_lines_of_their_owner(position: Position) -> None:
    game = position.game
    held = [set(game.cells_of(bits)) for bits in (position.x, position.o)]
    expected = {
        line
        for line in slow_lines(game)
        if any(cells.issuperset(line) and stands_alone(game, line, cells) for cells in held)
    }
    assert set(position.lines()) == expected
    assert len(position.lines()) == len(expected)
    if expected:
        completer = position.winner.other if game.misere else position.winner
        assert completer is position.turn.other


def test_one_move_can_complete_several_lines() -> None:
    cross = Position.parse("3x5k3:O.XOO/XX.XX/O.XOO").play("c2")
    assert cross.winner is Mark.X
    assert set(cross.lines()) == {(5, 6, 7), (6, 7, 8), (7, 8, 9), (2, 7, 12)}


def test_a_move_that_fills_the_board_and_wins_is_a_win() -> None:
    assert Position.parse("XOX/OXO/OX.").play("c1").status is Status.X_WINS


def test_draw_is_a_full_board_without_a_line() -> None:
    drawn = Position.parse("XOX/XOO/OXX")
    assert (drawn.status, drawn.winner, drawn.lines(), drawn.moves()) == (Status.DRAW, None, (), [])


def test_misere_makes_the_completer_lose() -> None:
    lost = Position.parse("3x3k3m:XX./OO./...").play("c3")
    assert (lost.status, lost.winner, lost.lines()) == (Status.O_WINS, Mark.O, ((0, 1, 2),))


# Deadness


def all_ends_are_draws(position: Position, known: dict[Position, bool]) -> bool:
    """The definition of is_dead, by playing every game out."""
    if position not in known:
        moves = position.moves()
        if moves:
            known[position] = all(all_ends_are_draws(position.play(cell), known) for cell in moves)
        else:
            known[position] = position.status is Status.DRAW
    return known[position]


@pytest.mark.parametrize("name", ["3x3k3", "3x3k3m", "3x3k2", "3x4k4", "2x5k3", "1x6k3", "1x1k1"])
def test_dead_means_that_every_way_on_ends_in_a_draw(name: str) -> None:
    known: dict[Position, bool] = {}
    for position in reachable(Game.parse(name)):
        assert position.is_dead is all_ends_are_draws(position, known), position


# Moves


def test_a_cell_a_pair_and_a_text_name_the_same_move() -> None:
    assert get_type_hints(Position.play_plain)["move"] == Move == int | tuple[int, int] | str
    start = Game(4, 5, 4).start()
    assert start.play(7) == start.play((1, 2)) == start.play("c3") == start.play("C3")


def test_moves_ascend_and_are_the_empty_cells() -> None:
    for game in SPREAD:
        position, first = game.start(), (game.rows - 1) * game.columns if game.gravity else 0
        cells = list(range(first, game.cells))
        assert position.moves() == cells
        if game.cells > 1 and game.k > 1:
            opened = [first + 1 - game.columns] if game.gravity else []
            assert position.play(first + 1).moves() == [*opened, cells[0], *cells[2:]]


HOW = "give a cell, a (row, column) pair or a text such as a1"
OFF = "is not on the board of 3 rows and 3 columns"


@pytest.mark.parametrize(
    ("move", "says"),
    [
        (0, "a3 is taken by X"),
        ("c3", "c3 is taken by O"),
        ((1, 1), "b2 is taken by X"),
        (9, f"9 {OFF}"),
        (-1, f"-1 {OFF}"),
        (10**100, f"a number of more than 20 digits {OFF}"),
        ((3, 0), f"(3, 0) {OFF}"),
        ((0, 3), f"(0, 3) {OFF}"),
        ((-1, 0), f"(-1, 0) {OFF}"),
        ((0, -1), f"(0, -1) {OFF}"),
        ("d1", "d1 is not on the board: its cells run from a1 to c3"),
        (True, f"True is not a move: {HOW}"),
        (1.0, f"1.0 is not a move: {HOW}"),
        (None, f"None is not a move: {HOW}"),
        ((1, 2, 3), f"(1, 2, 3) is not a move: {HOW}"),
        ((1,), f"(1,) is not a move: {HOW}"),
        ((1, "2"), f"(1, '2') is not a move: {HOW}"),
        ([1, 2], f"[1, 2] is not a move: {HOW}"),
    ],
)
def test_an_illegal_move_is_refused_by_name(move: object, says: str) -> None:
    with pytest.raises(IllegalMove) as caught:
        Position.parse("X.O/.X./..O").play(move)  # type: ignore[arg-type]
    assert str(caught.value) == says


@pytest.mark.parametrize("text", ["a0", "", "a1 ", "\u0430" + "1", "a" * 10_000_000])
def test_a_text_that_names_no_move_is_refused(text: str) -> None:
    with pytest.raises(IllegalMove, match=f"^{brief(text)} is not a move"):
        Position.parse("X.O/.X./..O").play(text)


@pytest.mark.parametrize("side", [3, 32, 33])  # up to 1024 cells the bit of each is kept, beyond that it is made
def test_the_first_and_the_last_cell_may_be_played_and_those_beside_the_board_may_not(side: int) -> None:
    position = Game(side, side, 3).start()
    for cell in (0, side**2 - 1):
        assert position.game.cells_of(position.play(cell).x) == [cell]
    for cell in (-1, side**2):
        with pytest.raises(IllegalMove, match="is not on the board"):
            position.play(cell)


def test_every_pair_on_the_board_names_its_cell_and_no_other_does() -> None:
    position = Game(3, 4, 3).start()
    pairs = [(row, column) for row in range(-1, 5) for column in range(-1, 6)]
    for row, column in pairs:
        if row in range(3) and column in range(4):
            assert position.cell((row, column)) == row * 4 + column
        else:
            with pytest.raises(IllegalMove) as caught:
                position.cell((row, column))
            assert str(caught.value) == f"({row}, {column}) is not on the board of 3 rows and 4 columns"


def test_whatever_counts_as_a_whole_number_names_a_cell() -> None:
    class Number:
        def __init__(self, number: int) -> None:
            self.number = number

        def __index__(self) -> int:
            return self.number

    position = Game(3, 4, 3).start()
    assert position.cell(Number(7)) == position.cell((Number(1), Number(3))) == 7  # type: ignore[arg-type]
    assert (position.cell(0), position.cell(11), position.cell((2, 3))) == (0, 11, 11)


def test_no_move_after_the_end() -> None:
    with pytest.raises(IllegalMove) as caught:
        Position.parse("XXX/OO./...").play("c1")
    assert str(caught.value) == "c1 cannot be played: the game is over (x_wins)"


# A frozen, hashable value


@given(positions())
def test_copies_and_pickles_are_equal(position: Position) -> None:
    for twin in (copy.copy(position), copy.deepcopy(position), pickle.loads(pickle.dumps(position))):
        assert twin == position
        assert hash(twin) == hash(position)
        assert twin.status is position.status


def test_a_position_never_changes() -> None:
    position = Game().start()
    with pytest.raises(AttributeError, match=r"^a Position never changes: x cannot be set; play\(\) gives a new one$"):
        position.x = 1
    with pytest.raises(AttributeError, match=r"^a Position never changes: x cannot be deleted$"):
        del position.x
    with pytest.raises(AttributeError):
        position.colour = 1


def test_a_position_is_shown_as_the_code_that_makes_it() -> None:
    assert repr(Position.parse("xo./.x./...")) == "Position.parse('XO./.X./...')"
    assert repr(Game(1, 4, 2).start()) == "Position.parse('1x4k2:....')"


def test_a_position_knows_its_code_and_its_canonical_twin() -> None:
    assert Position.parse("X../.OO/.X.").code == 4700
    assert Position.parse("..X/.../...").canonical() == Position.parse("X../.../...")
    assert Position.parse("..X/O../...").canonical().canonical() == Position.parse("..X/O../...").canonical()


def test_hashes_tell_positions_apart() -> None:
    assert len({hash(position) for position in reachable(Game())}) == 5478


def test_positions_that_differ_only_in_one_players_marks_differ() -> None:
    assert Position.parse("XO./.../...") != Position.parse("X.O/.../...")
    assert Position.parse("XO./.../...") != Position.parse(".OX/.../...")


def test_positions_of_different_games_differ() -> None:
    assert Game().start() != Game(misere=True).start()
    assert (Game().start() == ".../.../...") is False
    assert Game().start() == ANY


@pytest.mark.parametrize(("x", "o", "reason"), [(0b111, 0, Reason.COUNTS), (0, 0b1, Reason.COUNTS), (1, 1, None)])
def test_the_constructor_checks(x: int, o: int, reason: Reason | None) -> None:
    with pytest.raises(InvalidPosition) as caught:
        Position(Game(), x, o)
    assert caught.value.reason is reason
    assert str(caught.value).startswith(reason.value if reason else "these are not two separate sets")


def test_a_board_that_can_arise_makes_a_position() -> None:
    position = Position(*Setup(Game(), 1, 0))
    assert position.turn is Mark.O
    assert position == position.unchecked(Game(), 1, 0) == position.parse("X../.../...")


def test_an_error_without_a_reason_has_none() -> None:
    assert InvalidPosition("no board").reason is None


WAYS: dict[str, dict[object, str]] = {
    "Position": {
        Setup(Game(), 1, 0): "a Setup: Position(*setup) checks it",
        "X../.../...": "a text: Position.parse(text) reads it",
        Game(): "a Game: game.start() is its empty board",
        5: "5",
    },
    "Game": {
        Setup(Game(), 1, 0): "a Setup: setup.game is its game, Position(*setup) checks it",
        "3x3k3": "a text: Game.parse(text) reads it",
        Game().start(): "a Position: position.game is its game",
        5: "5",
    },
}


@pytest.mark.parametrize(
    ("name", "kind", "call"),
    [
        ("analyze", "Position", analyze),
        ("verdict", "Position", verdict),
        ("value", "Position", value),
        ("move_values", "Position", move_values),
        ("best_moves", "Position", best_moves),
        ("perft", "Position", lambda thing: perft(thing, 1)),
        ("count_games", "Position", count_games),
        ("review", "Position", lambda thing: review(thing, [])),
        ("certify", "Game", lambda thing: certify(lambda position: position.moves()[0], thing)),
        ("Position", "Game", Position),
    ],
)
def test_what_is_in_another_form_is_refused_with_the_way_to_the_right_one(
    name: str, kind: str, call: Callable[[Any], object]
) -> None:
    for thing, way in WAYS[kind].items():
        with pytest.raises(TypeError) as problem:
            call(thing)
        assert str(problem.value) == f"{name} takes a {kind}, not {way}"


def test_statuses_have_the_names_and_numbers_of_arrays_and_json() -> None:
    assert {str(status): status.value for status in Status} == {"ongoing": 0, "x_wins": 1, "o_wins": 2, "draw": 3}
    assert [status.winner for status in Status] == [None, Mark.X, Mark.O, None]
    assert [(str(mark), str(mark.other)) for mark in Mark] == [("X", "O"), ("O", "X")]


# OpenSpiel, an outside oracle for the rules


@pytest.fixture(scope="module")
def spiel():  # type: ignore[no-untyped-def]
    return pytest.importorskip("pyspiel", reason="OpenSpiel is not installed: pip install open_spiel")


def assert_agrees_to_the_end(position: Position, state, rng: random.Random) -> None:  # type: ignore[no-untyped-def]
    while True:
        assert position.is_over is state.is_terminal()
        assert position.moves() == sorted(state.legal_actions())
        if position.is_over:
            score = {Mark.X: 1, Mark.O: -1, None: 0}[position.winner]
            assert state.returns() == [score, -score]
            return
        cell = rng.choice(position.moves())
        position = position.play(cell)
        state.apply_action(cell)


def test_openspiel_tic_tac_toe_agrees_on_every_position(spiel) -> None:  # type: ignore[no-untyped-def]
    theirs: dict[str, object] = {}
    todo = [spiel.load_game("tic_tac_toe").new_initial_state()]
    while todo:
        state = todo.pop()
        text = str(state).replace("\n", "/").upper()
        if text in theirs:
            continue
        theirs[text] = state
        todo += [state.child(action) for action in state.legal_actions()]
    ours = {str(position): position for position in reachable(Game())}
    assert ours.keys() == theirs.keys()
    for text, position in ours.items():
        state = theirs[text]
        assert position.moves() == sorted(state.legal_actions())  # type: ignore[attr-defined]
        score = {Mark.X: 1, Mark.O: -1, None: 0}[position.winner]
        assert state.returns() == [score, -score]  # type: ignore[attr-defined]


@given(st.integers(1, 10), st.integers(1, 10), st.integers(1, 10), st.integers())
def test_openspiel_mnk_agrees_on_random_games(spiel, rows, columns, k, seed) -> None:  # type: ignore[no-untyped-def]
    game = Game(rows, columns, 1 + (k - 1) % max(rows, columns))
    # Its m is the number of columns and its n that of rows.
    state = spiel.load_game(f"mnk(m={columns},n={rows},k={game.k})").new_initial_state()
    assert_agrees_to_the_end(game.start(), state, random.Random(seed))
