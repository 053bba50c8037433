"""The rule `gravity`: noughts against `brute_falling`, which knows nothing of noughts, and against OpenSpiel."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
import time
import tracemalloc
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice, product
from pathlib import Path
from random import Random

import pytest
from brute_falling import Rules, lines, rackful
from conftest import native
from hypothesis import given
from hypothesis import strategies as st

from noughts import Game, IllegalMove, InvalidPosition, Mark, NotationError, Position, Setup, analyze, threats, value
from noughts.detect import DETECTORS, Incremental, UnsupportedGame, line_owner
from noughts.explain import reasons
from noughts.native import core as the_core
from noughts.native import handle as find_core
from noughts.play import PLAYERS, find_player, tactics
from noughts.proofs import PROVERS, judge
from noughts.rules.legality import Reason, check
from noughts.rules.notation import column_letters, format_move, parse_board
from noughts.rules.perft import count_games, count_games_plain, perft, perft_plain
from noughts.rules.playouts import playouts, playouts_plain
from noughts.rules.position import replay
from noughts.rules.symmetry import symmetries
from noughts.search import search
from noughts.solve import Solution, falling, plain

FOUR = Game.parse("6x7k4g")


def all_isas() -> list[str]:
    """The instruction sets that the core has kernels for here."""
    core = the_core()
    return core.isas() if core else []


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
    solves, solution = falling.supports(game), Solution.solve(game) if the_core() or game.cells <= 6 else None
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
        if solution:
            assert solution[position] == truth.values[rack], position
    if solution:
        racks = Counter(sum(map(len, rack)) for rack in truth.racks)
        classes = Counter(sum(map(len, rack)) for rack in truth.racks if rack <= rack[::-1])
        assert {level.marks: (level.positions, level.classes) for level in solution.counts if level.positions} == {
            marks: (racks[marks], classes[marks]) for marks in racks
        }


@pytest.mark.parametrize("rules", games(1, 6), ids=str)
def test_small_games_are_as_first_principles_say(rules: Rules) -> None:
    agrees(rules)


@pytest.mark.slow
@pytest.mark.parametrize("rules", [rules for rules in games(7, 12) if rules.rows > 1 or rules.columns < 10], ids=str)
def test_games_are_as_first_principles_say(rules: Rules) -> None:
    agrees(rules)


@pytest.mark.parametrize("name", ["6x7k4g", "5x6k4eg", "7x4k4g", "5x5k4gm", "9x4k4eg"])
def test_a_position_is_dead_if_no_way_to_its_end_completes_a_line(name: str) -> None:
    known: dict[Position, bool] = {}

    def dead(position: Position) -> bool:
        if position not in known:
            known[position] = not position.winner and all(dead(position.play(cell)) for cell in position.moves())
        return known[position]

    late = [
        position
        for seed in range(40)
        for position in walks(Game.parse(name), seed, peaceful=True)
        if position.empty.bit_count() <= 8
    ]
    assert [position.is_dead for position in late] == [dead(position) for position in late]
    assert len({*map(dead, late)}) == 2


def test_on_the_largest_board_it_is_seen_whether_a_position_is_dead() -> None:
    assert not Game.parse("256x256k5g").start().is_dead
    rows = ["." * 256] * 128 + ["XXO" * 85 + "X", "OOX" * 85 + "O"] * 64
    assert not Position.unchecked(Game.parse("256x256k4g"), *parse_board(f"256x256k4g:{'/'.join(rows)}")[1:]).is_dead


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


def walks(game: Game, seed: int, peaceful: bool = False) -> Iterator[Position]:
    """The positions of a random game but the last; a peaceful one has no line while there is another move."""
    random, position = Random(seed), game.start()
    while not position.is_over:
        yield position
        after = [position.play(cell) for cell in position.moves()]
        position = random.choice((peaceful and [each for each in after if not each.winner]) or after)


TWINS = [
    Game(rows, columns, k, gravity=True, exact=exact, misere=misere)
    for rows, columns, k in ((1, 6, 2), (6, 1, 3), (3, 3, 3), (4, 4, 2), (3, 5, 3), (6, 7, 4), (8, 8, 5), (16, 16, 6))
    for exact, misere in product((False, True), repeat=2)
]


@native
@pytest.mark.parametrize("game", TWINS, ids=str)
def test_random_games_are_those_of_the_twin(game: Game) -> None:
    core = find_core(game)
    assert core is not None
    for seed in range(4):
        for position in islice(walks(game, seed), 0, None, 5):
            games = max(3, 200 // game.cells)
            expected = playouts_plain(position, games, seed)
            assert playouts(position, games, seed) == expected
            x, o = game.cells_of(position.x), game.cells_of(position.o)
            for isa in all_isas():
                assert core.playouts(x, o, games, seed, threads=2, isa=isa) == expected


@native
def test_the_core_plays_on_no_board_with_a_mark_in_the_air() -> None:
    core = find_core(FOUR)
    assert core is not None
    with pytest.raises(ValueError, match="a mark hangs in the air"):
        core.playouts([0], [], 1, 1)


@native
@pytest.mark.parametrize("order", ["natural", "centre", "evaluation"])
@pytest.mark.parametrize("game", TWINS, ids=str)
def test_a_native_search_enters_the_nodes_that_its_twin_enters(game: Game, order: str) -> None:
    for algorithm, window, depth in (("minimax", "each", 3), ("alphabeta", "carried", 3), ("alphabeta", "each", 4)):
        for position in islice(walks(game, depth), 0, None, 6 if game.cells < 64 else 60):
            few = position.playable.bit_count() <= 7
            asked = {"order": order, "window": window, "depth": depth if few else 2, "limit": 10**6}
            fast, slow = (search(position, algorithm, **asked, backend=each) for each in ("native", "python"))
            assert (fast.score, fast.best, fast.nodes, fast.alpha_cuts, fast.beta_cuts, fast.moves) == (
                slow.score, slow.best, slow.nodes, slow.alpha_cuts, slow.beta_cuts, slow.moves
            )  # fmt: skip


@native
@pytest.mark.parametrize("name", ["3x3k3g", "4x3k3gm", "3x4k2eg", "2x6k3g"])
def test_a_native_search_to_the_end_is_its_twins(name: str) -> None:
    for position in islice(Game.parse(name).positions(), 300, None, 211):
        fast, slow = (search(position, backend=each) for each in ("native", "python"))
        assert (fast.score, fast.nodes, fast.moves) == (slow.score, slow.nodes, slow.moves)


def test_only_the_mirror_is_a_symmetry() -> None:
    assert [symmetry.name for symmetry in symmetries(Game.parse("4x4k4g"))] == ["identity", "left-right flip"]
    assert str(Position.parse("4x4k4g:4").canonical()) == "4x4k4g:..../..../..../X..."


# Detectors, threats and players


@pytest.mark.parametrize("name", DETECTORS)
def test_detectors_judge_every_position_or_say_why_not(name: str) -> None:
    detector = DETECTORS[name]
    for text in ("3x3k3g", "3x4k3g", "3x3k2eg", "4x3k3gm"):
        game = Game.parse(text)
        if detector.refusal(game):
            with pytest.raises(UnsupportedGame, match=f"^{name} does not take {text}: it "):
                detector(game)
            continue
        judge = detector(game)
        assert all(judge.winner(position) is line_owner(position) for position in game.positions())


@pytest.mark.parametrize("name", ["last_move", "line_counts"])
def test_a_detector_that_follows_a_game_takes_no_move_that_hangs_in_the_air(name: str) -> None:
    follow = DETECTORS[name](FOUR)
    assert isinstance(follow, Incremental)
    for cell in (35, 36, 28, 37, 21):
        follow.play(cell)
    with pytest.raises(IllegalMove, match=r"^a6 hangs in the air: a mark falls to a4$"):
        follow.play(0)
    assert follow.winning_moves(Mark.X) == [14]
    assert follow.play(38) is False
    assert follow.play(14) is True


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


# The parity of rows


@pytest.mark.parametrize("rules", [rules for rules in games(2, 10) if rules.rows > 1 and rules.k > 2], ids=str)
def test_if_the_rest_is_filled_the_row_says_who_gets_a_cell(rules: Rules) -> None:
    game, seen = Game.parse(str(rules)), 0
    for position in game.positions():
        # Where only one column has free cells, play is forced, and each cell is filled after the rest.
        while len(position.moves()) == 1 and not position.empty & ~game.column_of(position.moves()[0]):
            [cell] = position.moves()
            assert threats.Waiting(game, cell, Mark.X).gets is position.turn, position
            position, seen = position.play(cell), seen + 1
    assert seen


@pytest.mark.parametrize("name", ["3x4k3g", "4x3k3g", "3x3k2eg", "4x3k3eg", "3x3k3gm", "3x3k3"])
def test_threats_wait_where_a_mark_would_complete_a_line_but_cannot_fall_yet(name: str) -> None:
    game, odd = Game.parse(name), 0
    for position in game.positions():
        later = [] if position.is_over or game.misere else game.cells_of(position.empty & ~position.playable)
        expected = [
            (cell, mark)
            for cell in later
            for mark, own in ((Mark.X, position.x), (Mark.O, position.o))
            if game.rule.has_line(own | 1 << cell)
        ]
        found = threats.waiting(position)
        assert [(threat.cell, threat.owner) for threat in found] == expected
        for threat in found:
            row = game.rows - threat.cell // game.columns
            assert threat.parity == ("odd" if row % 2 else "even")
            assert str(threat).startswith(f"{format_move(game, threat.cell)} is an {threat.parity} threat of ")
            assert str(threat).endswith(f", {threat.owner if threat.usable else threat.owner.other} gets it")
            odd += row % 2
    assert bool(odd) is (game.gravity and not game.misere)


@pytest.mark.parametrize("name", ["3x3k3g", "4x3k3g", "3x4k3g", "2x5k2g", "5x2k2g"])
def test_the_owner_of_a_usable_threat_need_not_draw(name: str) -> None:
    """They never play right below it and take it when they can: whatever else both do, somebody completes a line."""
    game, below, safe = Game.parse(name), Game.parse(name).columns, set()

    def decided(position: Position, cell: int, owner: Mark) -> None:
        if position.is_over or (position, cell, owner) in safe:
            assert position.winner or not position.is_over, position
            return
        moves = position.moves()
        if position.turn is owner:
            moves = [cell] if cell in moves else [move for move in moves if move != cell + below]
            assert moves, position
        for move in moves:
            decided(position.play(move), cell, owner)
        safe.add((position, cell, owner))

    for position in game.positions():
        for threat in threats.waiting(position):
            if threat.usable:
                decided(position, threat.cell, threat.owner)
    assert safe


@pytest.mark.parametrize("name", ["3x4k3g", "4x3k3g", "3x3k3g", "4x3k3eg", "3x3k3gm"])
def test_in_zugzwang_one_would_rather_pass(name: str) -> None:
    game, seen = Game.parse(name), 0
    for position in game.positions():
        mine, theirs = (wins(game, own, position.moves()) for own in position.sides)
        loses = [
            cell
            for cell in position.moves()
            if cell >= game.columns and game.rule.has_line(position.sides[1] | 1 << cell - game.columns)
        ]
        stuck = not (mine or theirs or game.misere or position.is_over) and loses == position.moves()
        assert threats.zugzwang(position) is stuck, position
        if stuck:
            seen += 1
            assert plain.value(position) == ("loss", 2)
    assert bool(seen) is not game.misere


@pytest.mark.parametrize("name", ["4x3k3g", "3x4k3eg", pytest.param("4x4k3g", marks=pytest.mark.slow), "3x3k3g"])
def test_who_wins_by_zugzwang_does(name: str) -> None:
    prover, seen = PROVERS["zugzwang"], 0
    for position in Game.parse(name).positions():
        found = prover.verdict(position)
        if found.is_known:
            truth = plain.value(position)
            assert found.at_least == found.at_most == truth.outcome, position
            assert found.within is not None
            assert truth.remoteness is not None
            assert truth.remoteness <= found.within
            seen += 1
    assert seen


@native
@pytest.mark.parametrize("name", ["6x7k4g", "5x5k4g", "6x6k4eg"])
def test_who_wins_by_zugzwang_does_on_larger_boards(name: str) -> None:
    prover, seen = PROVERS["zugzwang"], 0
    for seed in range(100):
        for position in walks(Game.parse(name), seed, peaceful=True):
            found = prover.verdict(position)
            if found.is_known:
                truth = falling.value(position)
                assert truth is not None
                assert (found.at_least, found.at_most) == (truth.outcome, truth.outcome), position
                assert found.within is not None
                assert truth.plies <= found.within
                seen += 1
    assert seen > 10


def test_zugzwang_is_known_on_boards_that_no_solver_takes() -> None:
    position = Position.parse("9x7k5g:......./......./...X.../XOOX..X/OXXX.XO/OOXO.OX/XOXO.OX/XOOO.XO/OXXXOXO")
    found = analyze(position)
    assert not falling.supports(position.game)
    assert (found.verdict.outcome, found.verdict.within, found.verdict.how) == ("loss", 22, ("zugzwang",))
    assert [str(threat) for threat in found.threats if threat.usable] == [
        "e5 is an odd threat of X: if the rest is filled, X gets it"
    ]


@pytest.mark.parametrize("name", ["3x3k3g", pytest.param("4x3k3g", marks=pytest.mark.slow), "3x3k2eg", "3x3k3gm"])
def test_words_about_what_a_move_opens_are_true(name: str) -> None:
    game = Game.parse(name)
    for position in game.positions():
        own, other = position.sides
        for cell, words in reasons(judge(position)).items():
            above, after = cell - game.columns, position.play(cell)
            plain_move = above >= 0 and not game.misere and not game.rule.has_line(own | 1 << cell)
            theirs, mine = (plain_move and game.rule.has_line(side | 1 << above) for side in (other, own))
            name_above = format_move(game, above) if above >= 0 else ""
            assert (f"opens {name_above}, where {position.turn.other} completes a line" in words) is theirs
            assert (f"lets {position.turn.other} block {name_above}" in words) is (mine and not theirs)
            new = {*threats.waiting(after)}.difference(threats.waiting(position))
            made = [threat.words("becomes") for threat in new if threat.owner is position.turn]
            assert {word for word in words if " becomes " in word} == set(made)


def test_on_a_board_with_a_middle_the_centre_is_named_when_it_can_be_taken() -> None:
    said = reasons(judge(Position.parse("5x5k4g:3")))
    assert not any("takes the centre" in words for words in said.values())
    assert "takes the centre" in reasons(judge(Position.parse("5x5k4g:33")))[12]


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


@st.composite
def falling_games(draw: st.DrawFn) -> Game:
    """A game with gravity whose columns have digits."""
    rows, columns, exact, misere = draw(st.tuples(st.integers(1, 9), st.integers(1, 9), st.booleans(), st.booleans()))
    k = draw(st.integers(1, max(rows, columns)))
    return draw(st.sampled_from([FOUR, Game(rows, columns, k, gravity=True, exact=exact, misere=misere)]))


def refusal(call: Callable[[], object]) -> str | None:
    """What a call is refused with; None if it is not."""
    try:
        call()
    except ValueError as problem:
        return str(problem)
    return None


@given(falling_games(), st.lists(st.integers(0, 9), max_size=50))
def test_columns_as_digits_letters_and_cells_say_the_same(game: Game, columns: list[int]) -> None:
    position, digits = game.start(), ""
    for column in columns:
        text, number = f"{game}:{digits}{column}", len(digits) + 1
        if not 1 <= column <= game.columns:
            why = f"expected a column from 1 to {game.columns}"
            assert refusal(partial(Position.parse, text)) == f"move {number} is {column}: {why}"
            continue
        letters = column_letters(column - 1)
        if why := refusal(partial(position.play, letters)):
            full = not position.empty & game.column_of(column - 1)
            assert why == f"column {letters} is full" if full else "the game is over" in why
            assert refusal(partial(Position.parse, text)) == f"move {number} is {column}: {why}"
            continue
        cell = next(cell for cell in position.moves() if cell % game.columns == column - 1)
        after, digits = position.play(letters), f"{digits}{column}"
        assert position.play(cell) == position.play(format_move(game, cell)) == after == Position.parse(text)
        position = after
    if digits:
        letters = "".join(column_letters(int(digit) - 1) for digit in digits)
        assert Position.parse(f"{game}:{letters}") == position
    assert Position.parse(str(position)) == position


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("6x7k4g:48", "move 2 is 8: expected a column from 1 to 7"),
        ("6x7k4g:40", "move 2 is 0: expected a column from 1 to 7"),
        ("6x7k4g:1111111", "move 7 is 1: column a is full"),
        ("6x7k4g:11223344", "move 8 is 4: d2 cannot be played: the game is over (x_wins)"),
        ("3x12k3g:12", "3x12k3g has 12 columns: only up to 9 are played by their digits"),
        ("6x7k4g:dh", "move 2 is h: expected a column from a to g"),
        ("6x7k4g:aaaaaaa", "move 7 is a: column a is full"),
        ("3x15k3g:ab", "3x15k3g has 15 columns: only up to 14 are played by their letters"),
        ("6x7k4g:d4", "row 1 has 'd' in place 1: expected X, O or . for an empty cell"),
        ("6x7k4:4453", "row 1 has '4' in place 1: expected X, O or . for an empty cell"),
    ],
)
def test_columns_that_are_no_game_are_refused_in_a_sentence(text: str, said: str) -> None:
    with pytest.raises(NotationError) as refused:
        Position.parse(text)
    assert str(refused.value) == said


def test_marks_in_small_letters_are_no_columns() -> None:
    assert Position.parse("1x3k2g:xo_") == Position.parse("1x3k2g:XO.")
    assert Position.parse("1x2k2g:xo") == Position.parse("1x2k2g:XO")


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


def test_a_board_with_too_many_orders_is_said_to_be_undecided() -> None:
    board = "8x5k8g:XOXOO/OXOXX/XXOXO/OXXOX/XOXOX/OXXOX/XOOXX/OOOOO"
    assert check(board).reason is Reason.NO_TURNS, "X begins, and lies on the bottom nowhere"
    found = check(board, work=0)
    assert (found.legal, found.decided, found.reason, found.witness) == (False, None, Reason.UNDECIDED, None)
    assert found.refusal == (
        "whether some order of moves leads here could not be decided (100 boards were tried, the limit on this board)"
    )


def test_what_is_remembered_of_a_crowded_board_is_little() -> None:
    board = "/".join(["XXOO" * 16, "OOXX" * 16] * 32)  # 4,096 marks, with up to 64 to choose from before each
    tracemalloc.start()
    try:
        assert check(f"64x64k5g:{board}").legal
        assert tracemalloc.get_traced_memory()[1] < 5_000_000
    finally:
        tracemalloc.stop()


def test_every_full_board_of_connect_four_is_decided() -> None:
    random = Random(17)
    for _ in range(20):
        marks = list("XO" * 21)
        random.shuffle(marks)
        rows = ["".join(marks[row : row + 7]) for row in range(0, 42, 7)]
        assert check(f"6x7k4g:{'/'.join(rows)}").reason is not Reason.UNDECIDED


# Values


@native
@pytest.mark.parametrize("most", [30, pytest.param(250, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", ["6x7k4g", "5x5k4g", "4x5k4gm", "5x4k3eg", "6x6k5g", "5x6k4egm"])
def test_late_positions_have_the_value_that_plain_recursion_finds(name: str, most: int) -> None:
    random, game, found = Random(name), Game.parse(name), 0
    while found < most:
        position = game.start()
        while not position.is_over and position.empty.bit_count() > 11:
            position = position.play(random.choice(position.moves()))
        if not position.is_over:
            found += 1
            assert falling.value(position) == plain.value(position), position


@native
def test_the_value_in_the_how_to_is_found() -> None:
    page = (Path(__file__).parents[1] / "docs/how-to/connect-four.md").read_text(encoding="utf-8")
    asked = re.findall(r'falling\.value\(Position\.parse\("([\w:]+)"\)\) +# (.+)', page)
    assert [(text, repr(falling.value(Position.parse(text)))) for text, _ in asked] == asked
    assert asked


@native
@pytest.mark.slow
def test_the_table_of_the_explanation_is_so() -> None:
    page = (Path(__file__).parents[1] / "docs/explanation/connect-four.md").read_text(encoding="utf-8")
    head, *rows = re.findall(r"^\| (?:\d rows)? ?\|.*$", page, re.MULTILINE)
    told = {
        f"{row[2]}x{column.strip()[0]}k4g": worth.strip()
        for row in rows
        for column, worth in zip(head.split("|")[2:-1], row.split("|")[2:-1], strict=True)
        if worth.strip() and (row[2], column.strip()[0]) != ("6", "7")  # that one takes minutes
    }
    words = {"win": "X wins", "tie": "tie", "loss": "O wins"}
    found = {name: falling.value(Game.parse(name).start()) for name in told}
    assert {name: value and words[value.outcome] for name, value in found.items()} == told
    assert len(told) == 12


@native
@pytest.mark.parametrize(
    "board",
    ["..X.OOX/.OOOXOX/.XOXOXO/.XOXOOX/.OXXXOX/OXXOOXX", "...XO.O/X.OOX.O/X.XOXOX/X.OOXXO/O.XXOOX/XOXXXOO"],
)
def test_a_line_that_would_end_above_the_board_is_no_threat(board: str) -> None:
    position = Position.parse(f"6x7k4g:{board}")
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
    assert value(Position.parse("7x8k4g:1")) is None


@native
def test_what_the_solver_does_not_take_is_refused() -> None:
    for name in ("3x3k3", "16x16k5g"):
        assert not falling.supports(Game.parse(name))
        with pytest.raises(ValueError, match="is not solved position by position"):
            falling.value(Game.parse(name).start())


# An outside opinion


@pytest.mark.parametrize("most", [500, pytest.param(10_000, marks=pytest.mark.slow)])
def test_openspiel_plays_connect_four_by_the_same_rules(most: int) -> None:
    pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed")
    game, random = pyspiel.load_game("connect_four"), Random(4)
    for _ in range(most):
        state, position = game.new_initial_state(), FOUR.start()
        while not state.is_terminal():
            assert sorted(cell % 7 for cell in position.moves()) == state.legal_actions()
            column = random.choice(state.legal_actions())
            state.apply_action(column)
            position = position.play(column_letters(column))
        assert position.is_over
        returns = {None: [0, 0]}.get(position.winner) or ([1, -1] if str(position.winner) == "X" else [-1, 1])
        assert state.returns() == returns
