"""The rule `gravity`: noughts against `brute_falling`, which knows nothing of noughts, and against OpenSpiel."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from itertools import product
from random import Random

import pytest
from brute_falling import Rules, lines, rackful
from conftest import native
from hypothesis import given
from hypothesis import strategies as st

from noughts import Game, IllegalMove, InvalidPosition, Mark, NotationError, Position, Setup, analyze, threats, value
from noughts.play import PLAYERS, find_player, tactics
from noughts.rules.legality import Reason, check
from noughts.rules.notation import column_letters
from noughts.rules.perft import count_games, count_games_plain, perft, perft_plain
from noughts.rules.playouts import playouts
from noughts.rules.position import replay
from noughts.rules.symmetry import symmetries
from noughts.solve import TooLarge, falling, plain, solve

FOUR = Game.parse("6x7k4g")


def games(fewest: int, most: int) -> list[Rules]:
    """Every board of so many cells, every k, standard and exact, with and without misere."""
    return [
        Rules(rows, columns, k, exact, misere)
        for rows in range(1, most + 1)
        for columns in range(1, most // rows + 1)
        if rows * columns >= fewest
        for k in range(1, max(rows, columns) + 1)
        for exact, misere in product((False, True), repeat=2)
    ]


def agrees(rules: Rules) -> None:
    """Every position that can arise: its text, moves, status, lines, value, legality, and whether it is dead."""
    game, truth = Game.parse(str(rules)), rackful(rules)
    solves = falling.supports(game)
    found = {}
    for rack in truth.racks:
        text = truth.text(rack)
        witness = check(text).witness
        assert witness is not None
        found[rack] = replay(game.start(), witness)[-1]
        assert str(found[rack]) == text.removeprefix("3x3k3:")
    assert set(game.positions()) == set(found.values())
    for rack, position in found.items():
        assert str(position.status) == truth.status(rack)
        cells = {(rules.rows - 1 - len(rack[column])) * rules.columns + column for column in truth.after[rack]}
        assert set(position.moves()) == cells
        assert {tuple(sorted(line)) for line in position.lines()} == (
            lines(rules, rack, truth.owner[rack]) if rack in truth.owner else set()
        )
        assert position.is_dead == (rack in truth.dead), position
        for column, then in truth.after[rack].items():
            assert position.play(column_letters(column)) == found[then]
        assert plain.value(position) == truth.values[rack]
        if solves:
            assert falling.value(position) == truth.values[rack], position


@pytest.mark.parametrize("rules", games(1, 6), ids=str)
def test_small_games_are_as_first_principles_say(rules: Rules) -> None:
    agrees(rules)


@pytest.mark.slow
@pytest.mark.parametrize("rules", [rules for rules in games(7, 12) if rules.rows > 1 or rules.columns < 10], ids=str)
def test_games_are_as_first_principles_say(rules: Rules) -> None:
    agrees(rules)


@pytest.mark.parametrize("columns", [10, 11, 12])
def test_in_a_single_row_nothing_falls(columns: int) -> None:
    game = Game(1, columns, 3, gravity=True)
    usual = Game(1, columns, 3)
    assert all(game.rule.playable(taken) == usual.rule.playable(taken) for taken in range(game.full + 1))


@pytest.mark.parametrize("name", ["2x2k2g", "2x4k2eg", "3x3k3g", "3x3k2eg", "4x2k3g", "1x5k2eg", "2x4k3gm"])
def test_a_board_can_arise_if_play_reaches_it(name: str) -> None:
    game = Game.parse(name)
    reached = {(position.x, position.o) for position in game.positions()}
    for marks in product(range(3), repeat=game.cells):
        x, o = (game.bits_of(cell for cell, mark in enumerate(marks) if mark == which) for which in (1, 2))
        assert check(Setup(game, x, o)).legal == ((x, o) in reached)


def test_the_numbers_of_positions_are_the_published_ones() -> None:
    assert sum(1 for _ in Game.parse("3x3k3g").positions()) == 694
    counts = [perft(FOUR.start(), depth) for depth in range(7)]
    assert (
        counts
        == [perft_plain(FOUR.start(), depth) for depth in range(5)] + counts[5:]
        == [1, 7, 49, 343, 2401, 16807, 117649]
    )


@pytest.mark.slow
def test_4x4_has_161_029_positions() -> None:
    assert sum(1 for _ in Game.parse("4x4k4g").positions()) == 161_029


@native
@pytest.mark.parametrize("name", ["3x3k3g", "4x3k3gm", "2x5k3eg", "3x4k2egm", "6x7k4g", "8x8k5g", "1x6k2g", "64x1k3g"])
def test_the_core_counts_like_its_twin(name: str) -> None:
    start = Game.parse(name).start()
    for depth in range(6):
        assert perft(start, depth) == perft_plain(start, depth)
    if start.game.cells <= 10:
        assert count_games(start) == count_games_plain(start)


def test_random_games_fall() -> None:
    for seed in range(20):
        tally = playouts(FOUR.start(), 5, seed)
        assert tally.x_wins + tally.o_wins + tally.draws == 5
        assert tally == playouts(FOUR.start(), 5, seed)


def test_only_the_mirror_is_a_symmetry() -> None:
    assert [symmetry.name for symmetry in symmetries(Game.parse("4x4k4g"))] == ["identity", "left-right flip"]
    assert str(Position.parse("4x4k4g:4").canonical()) == "4x4k4g:..../..../..../X..."


# Threats and players


def wins(game: Game, own: int, cells: list[int]) -> list[int]:
    """The open cells that complete a line."""
    return [cell for cell in cells if game.rule.has_line(own | 1 << cell)]


def left(game: Game, cells: list[int], cell: int) -> list[int]:
    """The open cells after a move on one of them."""
    above = cell - game.columns
    return [*(other for other in cells if other != cell), *([above] if above >= 0 else [])]


def forks(game: Game, own: int, cells: list[int]) -> list[int]:
    """The moves that complete nothing and leave two cells that would."""
    quiet = set(cells).difference(wins(game, own, cells))
    return [cell for cell in sorted(quiet) if len(wins(game, own | 1 << cell, left(game, cells, cell))) > 1]


@pytest.mark.parametrize("name", ["3x4k3g", "3x3k2g", "4x3k3eg", "2x5k3g"])
def test_threats_are_what_trying_them_shows(name: str) -> None:
    game = Game.parse(name)
    for position in game.positions():
        cells = position.moves()
        for mark, own, other in ((Mark.X, position.x, position.o), (Mark.O, position.o, position.x)):
            assert threats.winning_moves(position, mark) == wins(game, own, cells)
            assert threats.blocking_moves(position, mark.other) == wins(game, own, cells)
            assert threats.forks(position, mark) == forks(game, own, cells)
            stops = [cell for cell in cells if not forks(game, own, left(game, cells, cell))]
            expected = sorted({*stops, *wins(game, other, cells)}) if forks(game, own, cells) else []
            assert threats.fork_blocks(position, mark.other) == expected


@pytest.mark.parametrize("name", ["3x4k3g", "4x3k3g", "3x3k2eg", "2x5k3g"])
def test_what_presses_is_never_wrong_about_the_outcome(name: str) -> None:
    for position in Game.parse(name).positions():
        if not position.is_over:
            outcome = plain.value(position).outcome
            for cells, verdict in (tactics.forced(position), tactics.urgent(position)):
                assert not cells & ~position.playable
                assert verdict == 0 or outcome == {1: "win", -1: "loss"}[verdict], position


@pytest.mark.parametrize("game", ["4x5k4g", "4x4k3gm", "4x4k3eg"])
@pytest.mark.parametrize("name", [*PLAYERS, "alphabeta:2", "minimax:2", "mcts:50"])
def test_every_player_plays_where_marks_fall_or_says_why_not(name: str, game: str) -> None:
    position, player = Game.parse(game).start(), find_player(name, 3)
    if player.refusal(position):
        with pytest.raises(ValueError, match=f"^{name} does not play {game}: "):
            player.require(position)
        return
    other = find_player("random", 5)
    while not position.is_over:
        position = position.play((player, other)[position.marks % 2](position))


# Notation


@given(st.lists(st.integers(1, 7), max_size=42), st.randoms())
def test_columns_as_digits_letters_and_cells_say_the_same(columns: list[int], random: Random) -> None:
    position, digits = FOUR.start(), ""
    for column in columns:
        try:
            after = position.play(column_letters(column - 1))
        except IllegalMove:
            with pytest.raises(NotationError, match=f"move {len(digits) + 1} is {column}: "):
                Position.parse(f"6x7k4g:{digits}{column}")
            continue
        cell = next(cell for cell in position.moves() if cell % 7 == column - 1)
        assert position.play(cell) == after
        position, digits = after, f"{digits}{column}"
    assert Position.parse(f"6x7k4g:{digits}") == position
    assert Position.parse(str(position)) == position


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("6x7k4g:48", "move 2 is 8: expected a column from 1 to 7"),
        ("6x7k4g:40", "move 2 is 0: expected a column from 1 to 7"),
        ("6x7k4g:1111111", "move 7 is 1: column a is full"),
        ("6x7k4g:11223344", "move 8 is 4: d2 cannot be played: the game is over (x_wins)"),
        ("3x12k3g:12", "3x12k3g has 12 columns: only up to 9 are played by their digits"),
        ("6x7k4:4453", "row 1 has '4' in place 1: expected X, O or . for an empty cell"),
    ],
)
def test_digits_that_are_no_game_are_refused_in_a_sentence(text: str, said: str) -> None:
    with pytest.raises(NotationError) as refused:
        Position.parse(text)
    assert str(refused.value) == said


def test_a_move_where_no_mark_can_lie_is_refused_in_a_sentence() -> None:
    position = Position.parse("6x7k4g:111111")
    for move, said in {
        "a": "column a is full",
        "b2": "b2 hangs in the air: a mark falls to b1",
        "a3": "a3 is taken by X",
        "h": "h is not on the board: its cells run from a1 to g6",
        "11": "'11' is not a move: expected a column letter, or with a row number, as in d or d1",
    }.items():
        with pytest.raises(IllegalMove) as refused:
            position.play(move)
        assert str(refused.value) == said
    with pytest.raises(IllegalMove, match="'a' is not a move: expected column letters and a row number, as in a1"):
        Game().start().play("a")


@pytest.mark.parametrize(
    ("board", "reason"),
    [("X/.", Reason.FLOATING), ("X/O", Reason.NO_TURNS), ("O/X", None), ("O/.", Reason.FLOATING)],
)
def test_boards_that_cannot_arise_have_a_reason(board: str, reason: Reason | None) -> None:
    text = f"2x2k2g:{'/'.join(row + '.' for row in board.split('/'))}"
    assert check(text).reason is reason
    if reason:
        with pytest.raises(InvalidPosition, match=reason.value):
            Position.parse(text)


def test_a_board_on_which_the_columns_allow_no_turns_cannot_arise() -> None:
    assert check("6x7k4g:......./......./......./X....../X....../OO.....").reason is Reason.NO_TURNS
    assert check("6x7k4g:......./......./......./......./X....../OX.....").witness == (36, 35, 28)


def test_every_full_board_of_connect_four_is_decided() -> None:
    random = Random(17)
    for _ in range(20):
        marks = list("XO" * 21)
        random.shuffle(marks)
        rows = ["".join(marks[row : row + 7]) for row in range(0, 42, 7)]
        assert check(f"6x7k4g:{'/'.join(rows)}").reason is not Reason.UNDECIDED


# Values


@native
@pytest.mark.parametrize("name", ["6x7k4g", "5x5k4g", "4x5k4gm", "5x4k3eg", "6x6k5g", "5x6k4egm"])
def test_late_positions_have_the_value_that_plain_recursion_finds(name: str) -> None:
    random, game, found = Random(name), Game.parse(name), 0
    while found < 60:
        position = game.start()
        while not position.is_over and position.empty.bit_count() > 11:
            position = position.play(random.choice(position.moves()))
        if not position.is_over:
            found += 1
            assert falling.value(position) == plain.value(position), position


@native
def test_a_line_that_would_end_above_the_board_is_no_threat() -> None:
    position = Position.parse("6x7k4g:..X.OOX/.OOOXOX/.XOXOXO/.XOXOOX/.OXXXOX/OXXOOXX")
    assert falling.value(position) == plain.value(position)


@native
def test_the_verdict_says_who_found_it() -> None:
    found = analyze(Position.parse("6x7k4g:44444432323211"))
    assert found.verdict.how == ("connect",)
    assert all(move.verdict.is_exact for move in found.moves)


@native
def test_threads_find_the_same() -> None:
    position = Position.parse("6x7k4g:7367215431")
    assert falling.value(position, threads=2) == falling.value(position)


@native
def test_nodes_are_counted_to_the_last() -> None:
    falling.solver(FOUR).forget()
    _, late = falling.search(Position.parse("6x7k4g:66772366717352144112"))
    _, earlier = falling.search(Position.parse("6x7k4g:4376342636"))
    assert 0 < late < 65_536 < earlier
    assert earlier % 65_536, "the core looks up from its work after so many"


@native
@pytest.mark.parametrize("rows", [61, 62, 63])
def test_a_column_of_a_whole_word_is_searched(rows: int) -> None:
    assert falling.value(Game(rows, 1, 3, gravity=True).start()) == ("tie", rows)


@native
@pytest.mark.parametrize("threads", [1, 2])
def test_ctrl_c_ends_a_search_on_all_threads(threads: int) -> None:
    # In a process of its own: a signal that comes a moment early or late would end the whole run of tests.
    lines = (
        "import signal; from noughts import Position; from noughts.solve import falling",
        "signal.signal(signal.SIGINT, signal.default_int_handler); start = Position.parse('6x7k4g:1')",
        f"print('now', flush=True); falling.value(start, threads={threads})",
    )
    with subprocess.Popen(
        [sys.executable, "-c", "\n".join(lines)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as search:
        assert search.stdout is not None
        assert search.stdout.readline() == "now\n"
        time.sleep(0.5)
        assert search.poll() is None, "alone it takes minutes"
        search.send_signal(signal.SIGINT)
        assert "KeyboardInterrupt" in search.communicate(timeout=60)[1]


@native
def test_a_search_of_too_many_nodes_is_given_up() -> None:
    assert falling.value(Position.parse("6x7k4g:12"), nodes=1000) is None
    assert value(Position.parse("6x6k4g:1")) is None


@native
def test_what_the_solver_does_not_take_is_refused() -> None:
    for name in ("3x3k3", "16x16k5g"):
        assert not falling.supports(Game.parse(name))
        with pytest.raises(ValueError, match="is not solved position by position"):
            falling.value(Game.parse(name).start())


def test_strong_solving_refuses_in_a_sentence() -> None:
    with pytest.raises(TooLarge) as refused:
        solve(Game.parse("4x4k4g"))
    assert str(refused.value) == (
        "strong solving does not take 4x4k4g: it does not know gravity, where a mark falls to the lowest free cell of "
        "its column"
    )


# An outside opinion


@pytest.mark.parametrize("games", [500, pytest.param(10_000, marks=pytest.mark.slow)])
def test_openspiel_plays_connect_four_by_the_same_rules(games: int) -> None:
    pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed")
    game, random = pyspiel.load_game("connect_four"), Random(4)
    for _ in range(games):
        state, position = game.new_initial_state(), FOUR.start()
        while not state.is_terminal():
            assert sorted(cell % 7 for cell in position.moves()) == state.legal_actions()
            column = random.choice(state.legal_actions())
            state.apply_action(column)
            position = position.play(column_letters(column))
        assert position.is_over
        returns = {None: [0, 0]}.get(position.winner) or ([1, -1] if str(position.winner) == "X" else [-1, 1])
        assert state.returns() == returns
