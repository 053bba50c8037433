"""The steps of the detectors: they end in the detector's verdict, and every picture on the way is true."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest
from conftest import SPREAD, positions, reachable
from hypothesis import given, settings

from noughts import Game, Mark, Position, threats
from noughts.detect import DETECTORS, EXHIBITS, Detector, Incremental, UnsupportedGame, line_owner, no_labels
from noughts.detect.labelling import combine, forced_sets, solutions
from noughts.detect.magic_square import MagicSquare
from noughts.detect.scene import Cells, Grid, Meters, Part, ShownStep, Tiles
from noughts.detect.watching import Detection, UnknownDetector, WrongOrder, limit, watch
from noughts.rules.legality import check
from noughts.rules.notation import format_move

ROLES = {"x", "o", "look", "hit", "miss", "want", "new", "later", "plus", "minus"}
OWN_STEPS = {name: kind for name, kind in DETECTORS.items() if kind.steps is not Detector.steps}


def random_position(game: Game, marks: int, seed: int = 1) -> Position:
    position, rng = game.start(), Random(seed)
    while not position.is_over and position.marks < marks:
        position = position.play(rng.choice(position.moves()))
    return position


def parts(step: ShownStep) -> list[Part]:
    return [part for row in step.draw() for part in row]


def grids(step: ShownStep) -> list[Grid]:
    return [part for part in parts(step) if isinstance(part, Grid)]


def owned_by(grid: Grid) -> set[int]:
    return {*grid.roles.get("x", ()), *grid.roles.get("o", ())}


def on(tiles: Tiles) -> set[int]:
    """The numbers of a table that are in it."""
    return {int(tile.text) for tile in tiles.tiles if {"x", "o"} & set(tile.roles)}


def holds_together(walk: Detection) -> None:
    """What is true of every walk."""
    assert sum(step.operations for step in walk.steps) == walk.total >= walk.operations
    assert [number for number, step in enumerate(walk.steps) if step.found] == [walk.found] * (walk.verdict is not None)
    assert walk.found in (None, len(walk.steps) - 1)
    for step in walk.steps:
        assert step.say.endswith(".")
        assert set(step.cells) <= ROLES
        assert all(0 <= cell < walk.position.game.cells for cells in step.cells.values() for cell in cells)


# The verdict


@pytest.mark.parametrize("step", [5, pytest.param(1, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", DETECTORS)
def test_the_steps_end_in_the_detectors_verdict_on_positions_of_3x3(name: str, step: int) -> None:
    winner = DETECTORS[name](Game()).winner
    for position in reachable(Game())[::step]:
        walk = watch(name, position)
        assert walk.verdict is winner(position) is position.winner
        assert sum(step.operations for step in walk.steps) == walk.total
        assert (walk.found is None) is (walk.verdict is None)


@given(positions())
@settings(max_examples=120)
def test_the_steps_end_in_the_detectors_verdict_on_boards_of_every_kind(position: Position) -> None:
    for name, kind in DETECTORS.items():
        if kind.supports(position.game):
            walk = watch(name, position)
            assert walk.verdict is kind(position.game).winner(position) is line_owner(position)
            holds_together(walk)


@pytest.mark.parametrize("name", EXHIBITS)
def test_the_steps_of_an_exhibit_err_as_the_exhibit_does(name: str) -> None:
    kind, rng = EXHIBITS[name], Random(name)
    failure = kind.smallest_failure()
    games = [game for game in (*SPREAD, failure.game, Game.parse("5x5k3")) if kind.supports(game) and game.cells < 80]
    tried = [random_position(game, rng.randrange(game.cells), seed) for game in games for seed in range(25)]
    for position in [failure, *tried]:
        walk = watch(name, position)
        assert walk.verdict is kind(position.game).winner(position)
        holds_together(walk)
    assert watch(name, failure).verdict is not line_owner(failure)


@pytest.mark.parametrize("name", DETECTORS)
def test_the_step_that_finds_the_line_shows_it(name: str) -> None:
    for position in reachable(Game())[::5]:
        if position.winner:
            last = watch(name, position).steps[-1]
            assert any(set(line) <= set(last.cells["hit"]) for line in position.lines())
            assert set(last.cells["hit"]) <= {cell for line in position.lines() for cell in line}


@given(positions())
@settings(max_examples=40)
def test_every_scene_keeps_to_its_grid_and_to_the_known_roles(position: Position) -> None:
    for name, kind in {**DETECTORS, **EXHIBITS}.items():
        if not kind.supports(position.game):
            continue
        for step in watch(name, position, most=12).steps:
            for part in parts(step):
                if isinstance(part, Grid):
                    squares = range(part.rows * part.columns)
                    shown = [*part.texts, *(cell for cells in part.roles.values() for cell in cells)]
                    shown += [cell for cells in (*part.marks.values(), *part.paths) for cell in cells]
                    assert all(square in squares for square in shown)
                    assert set(part.roles) <= ROLES
                elif isinstance(part, Tiles):
                    assert all(set(tile.roles) <= ROLES for tile in part.tiles)


# What is refused


@pytest.mark.parametrize(
    ("name", "game"), [("magic_square", "4x4k4"), ("magic_labels", "5x5k4"), ("lookup", "6x7k4"), ("magic_16", "3x3k3")]
)
def test_a_game_that_the_detector_does_not_take_is_refused_with_the_reason(name: str, game: str) -> None:
    with pytest.raises(UnsupportedGame, match=f"^{name} does not take {game}: it works on "):
        watch(name, Game.parse(game).start())


def test_an_unknown_detector_and_moves_that_lead_elsewhere_are_refused() -> None:
    with pytest.raises(UnknownDetector, match="there is no detector 'abacus': expected one of line_sums, line_masks"):
        watch("abacus", Game().start())
    with pytest.raises(WrongOrder, match=r"these 2 moves do not lead to XO\./\.\.\./\.\.\."):
        watch("shifts", Position.parse("XO......."), [0, 2])


# A detector without steps of its own


@pytest.mark.parametrize("name", [*DETECTORS, *EXHIBITS])
def test_any_detector_can_be_shown_in_one_step_that_says_the_verdict(name: str) -> None:
    kind = {**DETECTORS, **EXHIBITS}[name]
    game = next(game for game in (Game(), Game(4, 4, 4)) if kind.supports(game))
    for number in range(40):
        position = random_position(game, number % (game.cells + 1), number)
        detector = kind(game)
        (step,) = Detector.steps(detector, position, check(position).witness or ())
        assert step.found is detector.winner(position)
        assert ("Nobody" in step.say) is (step.found is None)
        (board,) = grids(step)
        assert {mark: game.bits_of(cells) for mark, cells in board.marks.items()} == {"X": position.x, "O": position.o}
        lines = position.lines() if step.found is line_owner(position) else ()
        assert board.paths == lines
        assert step.cells["hit"] == board.roles["hit"] == tuple(cell for line in lines for cell in line)


def test_all_of_ours_show_how_they_work() -> None:
    assert set(OWN_STEPS) >= {
        "line_sums", "line_masks", "shifts", "magic_square", "magic_labels", "last_move", "line_counts", "lookup",
    }  # fmt: skip
    assert all(kind.steps is not Detector.steps for kind in EXHIBITS.values())


# The order of the moves


@pytest.mark.parametrize("name", [name for name, kind in OWN_STEPS.items() if issubclass(kind, Incremental)])
def test_a_detector_that_follows_the_game_follows_the_moves_as_they_were_played(name: str) -> None:
    position, order = Position.parse("XXX/OO./..."), (2, 4, 0, 3, 1)
    walk = watch(name, position, order)
    assert walk.order == order
    numbers = [step.moves for step in walk.steps if step.moves is not None]
    assert numbers == sorted(numbers)
    assert numbers[-1] == len(order)
    assert format_move(position.game, 1) in " ".join(step.say for step in walk.steps if step.moves == len(order))
    assert watch(name, position).order == check(position).witness
    assert walk.operations == sum(step.operations for step in walk.steps if step.moves == len(order))


def test_what_lies_ahead_is_marked_as_later() -> None:
    walk = watch("magic_square", Position.parse("XXX/OO./..."), (2, 4, 0, 3, 1))
    for step in walk.steps[1:]:
        assert step.moves is not None
        assert step.cells.get("later", ()) == walk.order[step.moves :]


# Costs and limits


def test_costs_are_those_that_can_be_counted_by_hand() -> None:
    draw = Position.parse("XOX/XOO/OXX")
    costs = {
        "line_sums": 9 + 8 * (3 + 2),  # nine readings; eight sums of three, each compared with 3 and -3
        "line_masks": 8 * 2 * 2,  # eight masks, two players, an AND and a comparison
        "shifts": 2 * 4 * (2 * 3 + 1),  # two players, four directions, two shifts, each with two ANDs, and a test
        "magic_square": 2 + 4,  # look: a subtraction and a reading; enter: two shifts, two ORs
        "magic_labels": 2 + 4,
        "last_move": 1 + 4 * 2 + 4 + 1,  # the mark; a look either way in four directions, four tests; a second X on
        "line_counts": 3 * 2,  # three lines through a corner: read and raise
        "lookup": 2 * 5,
    }
    assert {name: watch(name, draw).operations for name in costs} == costs


@pytest.mark.parametrize("name", ["line_sums", "line_masks", "shifts", "last_move", "line_counts"])
def test_a_long_walk_is_cut_in_the_middle_and_still_counts_everything(name: str) -> None:
    position = random_position(Game.parse("32x32k6"), 150)
    whole, cut = watch(name, position, most=10**6), watch(name, position)
    assert whole.left_out == 0
    assert len(cut.steps) <= limit(position.game)
    assert (cut.total, cut.operations, cut.verdict) == (whole.total, whole.operations, whole.verdict)
    assert len(whole.steps) == len(cut.steps) + cut.left_out - (cut.left_out > 0)
    holds_together(cut)
    if cut.left_out:
        gap = next(step for step in cut.steps if "left out" in step.say)
        assert f"{cut.left_out:,} steps" in gap.say
    assert [step.say for step in cut.steps[-3:]] == [step.say for step in whole.steps[-3:]]


@pytest.mark.parametrize("most", [1, 2, 3, 5, 17])
def test_every_limit_is_kept(most: int) -> None:
    for position in reachable(Game())[::97]:
        for name in DETECTORS:
            walk = watch(name, position, most=most)
            assert len(walk.steps) <= max(3, most)
            assert walk.verdict is line_owner(position)


# The pictures


@pytest.mark.parametrize("game", ["3x3k3", "4x5k4", "8x8k5"])
def test_the_third_board_is_the_first_and_the_second_anded(game: str) -> None:
    for seed in range(6):
        position = random_position(Game.parse(game), 40, seed)
        for name in ("shifts", "line_masks"):
            for step in watch(name, position).steps[:-1]:
                if "left out" in step.say:
                    continue
                first, second, third = grids(step)
                other = owned_by(second) if name == "shifts" else set(second.roles["look"])
                assert owned_by(third) == owned_by(first) & other
                if name == "shifts":
                    assert set(first.roles["look"]) == set(second.roles["look"]) == owned_by(third)


def test_the_second_board_of_a_shift_is_the_first_moved() -> None:
    position = random_position(Game.parse("6x7k4"), 30)
    for step in watch("shifts", position).steps[:-1]:
        first, second, _ = grids(step)
        assert second.moved > 0
        arrived = {cell: cell + second.moved for cell in owned_by(second)}
        assert set(arrived.values()) <= owned_by(first)
        ways = {(to // 7 - cell // 7, to % 7 - cell % 7) for cell, to in arrived.items()}
        assert len(ways) <= 1, "all went the same way, and none round the edge"


def test_the_runs_that_are_left_are_the_runs_on_the_board() -> None:
    position = Position.parse("5x5k4:XXX.O/..XOO/.O..X/...OX/.....")
    steps = watch("shifts", position).steps[:-1]
    assert len(steps) == 2 * 4 * 2, "two players, four directions, runs of two and of four"
    for own, half in ((position.x, steps[:8]), (position.o, steps[8:])):
        for length, shown in ((2, half[::2]), (4, half[1::2])):
            starts = {cell for step in shown for cell in owned_by(grids(step)[-1])}
            assert starts == {line[0] for line in Game(5, 5, length).rule.lines_in(own)}


def test_the_sums_add_up() -> None:
    for position in reachable(Game())[::23]:
        board = {**dict.fromkeys(range(9), 0), **dict.fromkeys(position.game.cells_of(position.x), 1)}
        board |= dict.fromkeys(position.game.cells_of(position.o), -1)
        for step in watch("line_sums", position).steps[1:]:
            window = step.cells.get("look") or step.cells.get("hit")
            if window:
                terms, total = (part for part in parts(step) if isinstance(part, Tiles))
                numbers = [int(tile.text.replace("−", "-")) for tile in terms.tiles]
                assert numbers == [board[cell] for cell in window]
                assert sum(numbers) == int(total.tiles[0].text.replace("−", "-"))


def test_taken_and_pairs_are_those_of_the_detector_and_light_up_the_winning_cells() -> None:
    rng = Random(15)
    forks = 0
    for position in rng.sample(reachable(Game()), 120):
        order = check(position).witness or ()
        detector, game = MagicSquare(Game()), Game().start()
        for cell, step in zip(order, watch("magic_square", position).steps[2::2], strict=False):
            mark = detector.turn
            detector.play(cell)
            game = game.play(cell)
            tables = {part.title: on(part) for part in parts(step) if isinstance(part, Tiles) and part.title}
            for owner, (_, taken, pairs) in ((Mark.X, detector.x), (Mark.O, detector.o)):
                assert tables[f"{owner} taken"] == {number for number in range(20) if taken >> number & 1}
                assert tables[f"{owner} pairs"] == {number for number in range(20) if pairs >> number & 1}
            wins = threats.winning_moves(game, mark)
            assert list(step.cells["want"]) == wins
            assert ("a fork" in step.say) is (len(wins) > 1)
            forks += len(wins) > 1
            every = {cell for each in Mark for cell in threats.winning_moves(game, each)}
            assert set(grids(step)[0].roles["want"]) == every
    assert forks > 5


def test_the_magic_square_finds_a_fork() -> None:
    order = [6, 4, 2, 0, 8]
    position = Game().start()
    for cell in order:
        position = position.play(cell)
    last = watch("magic_square", position, order).steps[-1]
    assert last.cells["want"] == tuple(threats.winning_moves(position, Mark.X)) == (5, 7)
    pairs = next(part for part in parts(last) if isinstance(part, Tiles) and part.title == "X pairs")
    assert [(tile.text, tile.note) for tile in pairs.tiles if "want" in tile.roles] == [("6", "+ 9"), ("8", "+ 7")]
    assert last.say.endswith("X now wins with 7 or 9: a fork.")


def test_a_block_is_called_a_block() -> None:
    blocks = 0
    for position in Random(16).sample(reachable(Game()), 60):
        before = Game().start()
        for cell, step in zip(check(position).witness or (), watch("magic_square", position).steps[1::2], strict=False):
            after = before.play(cell)
            is_block = cell in threats.blocking_moves(before) and not after.winner
            assert ("a block" in step.say) is is_block
            blocks += is_block
            before = after
    assert blocks > 5


def test_in_misere_a_completing_cell_is_no_win() -> None:
    said = [step.say for step in watch("magic_square", Position.parse("3x3k3m:XX./OO./...")).steps]
    assert any("would complete a line, and lose, with" in each for each in said)
    assert not any("wins" in each for each in said)


def test_the_counters_count_the_marks_on_their_lines() -> None:
    for position in reachable(Game())[::37]:
        for step in watch("line_counts", position).steps:
            (meters,) = (part for part in parts(step) if isinstance(part, Meters))
            board = grids(step)[0].marks
            assert [meter.cells for meter in meters.meters] == list(Game().lines())
            for meter in meters.meters:
                assert meter.x == len(set(meter.cells) & set(board["X"]))
                assert meter.o == len(set(meter.cells) & set(board["O"]))


def test_of_many_counters_the_full_ones_are_shown() -> None:
    position, order = Game.parse("20x20k10").start(), []
    for number in range(10):
        for cell in (200 + number, number * 21)[: 1 + (number < 9)]:
            order.append(cell)
            position = position.play(cell)
    walk = watch("line_counts", position, order)
    (meters,) = (part for part in parts(walk.steps[-1]) if isinstance(part, Meters))
    assert walk.verdict is Mark.X
    assert (
        meters.title == f"{len(meters.meters)} of {len([1 for line in position.game.lines() if 209 in line])} counters"
    )
    assert [(meter.cells, meter.x) for meter in meters.meters if "hit" in meter.roles] == [(position.lines()[0], 10)]


def test_the_walks_from_the_last_move_stop_at_the_first_other_cell() -> None:
    position, order = Game.parse("9x9k5").start(), [40, 41, 48, 56, 32, 30, 24, 49, 38, 50, 16]
    for cell in order:
        position = position.play(cell)
    last = watch("last_move", position, order).steps[-1]
    assert last.found is Mark.X
    assert set(last.cells["hit"]) == {16, 24, 32, 40, 48}
    assert set(last.cells["miss"]) == {8, 56}


def test_the_looked_up_number_is_the_players_cells() -> None:
    for position in reachable(Game())[::51]:
        steps = watch("lookup", position).steps
        for number, look in zip(steps[::2], steps[1::2], strict=True):
            (digits,) = (part for part in parts(number) if isinstance(part, Tiles))
            read = int("".join(tile.text for tile in digits.tiles), 2)
            assert read in (position.x, position.o)
            (entries,) = (part for part in parts(look) if isinstance(part, Tiles))
            looked = [tile for tile in entries.tiles if {"look", "hit"} & set(tile.roles)]
            assert [(tile.note, tile.text) for tile in looked] == [(f"{read:,}", str(int(Game().rule.has_line(read))))]


# Why no labels do


@pytest.mark.parametrize("name", ["4x4k4", "3x4k3", "1x5k3", "5x5k4", "4x4k3", "3x3k2"])
def test_the_proof_leaves_a_set_that_is_no_line_and_has_the_lines_sum_with_any_labels(name: str) -> None:
    game, rng = Game.parse(name), Random(name)
    steps = no_labels.steps(game)
    cells: Cells = steps[-1].cells["hit"]
    assert cells in forced_sets(game)
    counts = [0] * game.cells
    for before, step in pairwise(steps):
        if step.say.startswith(("Add", "Take away")):
            shown = {square: int(text.replace("−", "-")) for square, text in grids(step)[0].texts.items()}
            assert step.cells["look"] in set(game.lines())
            changed = {shown.get(cell, 0) - counts[cell] for cell in step.cells["look"]}
            assert len(changed) == 1, before.say
            counts = [shown.get(cell, 0) for cell in range(game.cells)]
    times = counts[cells[0]]
    assert counts == [times * (cell in cells) for cell in range(game.cells)]
    basis = solutions(game)
    for _ in range(20):
        labelling = combine(game, basis, [rng.randrange(-9, 10) for _ in basis])
        assert sum(labelling.labels[cell] for cell in cells) == labelling.total


@pytest.mark.parametrize("name", ["3x3k3", "5x5k5", "2x2k2", "15x15k5"])
def test_where_labels_do_or_there_are_too_many_sets_there_is_no_proof(name: str) -> None:
    assert no_labels.steps(Game.parse(name)) == ()
