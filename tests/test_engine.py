"""The engine: its native parts equal their twins, its answers are legal and repeatable, its guesses stay guesses."""

from __future__ import annotations

import math
import random
import subprocess
import sys
from pathlib import Path
from time import monotonic

import pytest

from noughts import Game, Position, native
from noughts.engine import IDEAS, Engine, EngineError, refusal
from noughts.engine.evaluation import SURE, WINNING, chance, evaluation, plies
from noughts.engine.opening import central, lay_three
from noughts.engine.shapes import FIVE, FOUR, OPEN_FOUR, PAIRS, SHAPES, Stretch, pair, shape, shapes
from noughts.proofs import threats
from noughts.proofs.prover import Budget
from noughts.proofs.verdicts import UNKNOWN, Verdict

needs_core = pytest.mark.skipif(native.core() is None, reason="the engine needs the native core")

GAMES = ["15x15k5", "9x9k4", "10x10k5e", "19x19k6", "5x7k3", "12x12k11", "7x32k5", "11x11k10e", "20x20k13e", "1x9k3"]


def wandering(game: Game, seed: int, most: int = 60) -> Position:
    """A position after some moves of chance."""
    dice, position = random.Random(seed), game.start()
    for _ in range(dice.randrange(min(most, game.cells - 1))):
        after = position.play(dice.choice(position.moves()))
        if after.is_over:
            break
        position = after
    return position


def row(text: str, k: int = 5, exact: bool = False) -> str:
    """The shape that a mark on _ makes in a line."""
    sets = [sum(1 << i for i, each in enumerate(text) if each in letters) for letters in ("X_", ".")]
    return SHAPES[shape(Stretch(sets[0], sets[1], text.index("_")), k, exact)]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("XXXX_", "five"), ("XX_XX", "five"), (".XXX_.", "open four"), ("OXXX_.", "four"), ("X.XX_X.X", "open four"),
        ("XX.X_O", "four"), ("..XX_..", "open three"), (".XX_.", "three"),
        ("OXX_..O", "three"), (".X.X_.", "open three"),
        ("...X_...", "open two"), ("OX_...", "two"), ("X_O..", "none"), ("...._....", "open one"), ("X..._", "two"),
    ],
)  # fmt: skip
def test_shapes_are_what_players_call_them(text: str, name: str) -> None:
    assert row(text) == row(text[::-1]) == name


def test_shapes_know_exactly_k_and_every_k() -> None:
    assert row("XXXX_X") == "five"
    assert row("XXXX_X", exact=True) != "five"
    assert (row("X.XXX_"), row("X.XXX_", exact=True)) == ("four", "none")
    assert row("OXXX_.X", exact=True) == "none"  # the one cell that completes five makes six
    assert row("XX_", 3) == "five"
    assert row(".X_.", 3) == "open four"
    assert row("......XXXXXXXXX_......", 11) == "open four"


def test_a_shape_is_as_far_as_its_name_says() -> None:
    """By trying all: the marks that a line still lacks, and whether one mark of the other stops the next step."""
    dice = random.Random(5)
    for _ in range(300):
        text = "".join(dice.choice("XO..") for _ in range(9))
        text = text[:4] + "_" + text[5:]
        mine, free = (sum(1 << i for i, each in enumerate(text) if each in letters) for letters in ("X_", "."))
        lines = [0b11111 << first for first in range(5) if not 0b11111 << first & ~(mine | free)]
        lacks = min(((line & free).bit_count() for line in lines), default=9)
        found = shape(Stretch(mine, free, 4), 5, False)
        assert (found == FIVE) is (lacks == 0)
        assert (found in (FOUR, OPEN_FOUR)) is (lacks == 1)
        cells = {line & free for line in lines if (line & free).bit_count() == 1}
        assert (found == OPEN_FOUR) is (lacks == 1 and len(cells) > 1)


@needs_core
@pytest.mark.parametrize("name", GAMES)
def test_native_shapes_and_evaluation_equal_their_twins(name: str) -> None:
    game = Game.parse(name)
    engine = Engine(game, memory_mb=1)
    for seed in range(4):
        position = wandering(game, seed)
        mine, theirs = position.sides
        sides = game.cells_of(mine), game.cells_of(theirs)
        assert engine._core.evaluation(*sides) == evaluation(position)
        for cell, own, other in engine._core.shapes(*sides):
            assert tuple(own) == shapes(game, mine, theirs, cell)
            assert tuple(other) == shapes(game, theirs, mine, cell)


@pytest.mark.parametrize("name", ["15x15k5", "10x10k4", "19x19k6", "15x15k6e", "20x20k7"])
def test_a_mark_in_the_corner_is_not_better_than_one_beside_the_others(name: str) -> None:
    game = Game.parse(name)
    centre = game.rows // 2 * game.columns + game.columns // 2
    beside, corner = (-evaluation(game.start().play(centre).play(cell)) for cell in (centre + game.columns + 1, 0))
    assert corner - beside < 20  # some hundredths of the points


def test_a_pair_is_the_two_best() -> None:
    assert pair((1, 9, 3, 8)) == pair((9, 8, 0, 0)) == 9 * 10 // 2 + 8
    assert len({pair((best, second, 0, 0)) for best in range(10) for second in range(best + 1)}) == PAIRS


@needs_core
@pytest.mark.parametrize("name", ["15x15k5", "10x10k5e", "6x6k4", "3x3k3", "12x12k11", "32x32k6"])
def test_every_line_can_be_played(name: str) -> None:
    game = Game.parse(name)
    engine = Engine(game, memory_mb=2)
    for seed in range(3):
        start = wandering(game, seed, 12)
        for view in engine.search(start, nodes=3000, lines=3):
            firsts = [line.cells[0] for line in view.lines]
            assert len(set(firsts)) == len(firsts) <= 3
            for line in view.lines:
                position = start
                for cell in line.cells:
                    position = position.play(cell)


@needs_core
@pytest.mark.parametrize("limit", [{"nodes": 20_000}, {"depth": 5}])
def test_with_one_thread_and_nodes_or_depth_it_always_says_the_same(limit: dict[str, int]) -> None:
    position = wandering(Game(15, 15, 5), 3, 12)
    first, again = (
        [(view.depth, view.lines, view.nodes) for view in Engine(position.game).search(position, **limit)]
        for _ in range(2)
    )
    assert first == again
    engine = Engine(position.game)
    engine.think(position.play(position.moves()[0]), nodes=5000)
    engine.forget()
    assert [(view.depth, view.lines, view.nodes) for view in engine.search(position, **limit)] == first


@needs_core
def test_a_search_that_is_left_ends() -> None:
    engine = Engine(Game(15, 15, 5), threads=2)
    position = wandering(engine.game, 3, 10)
    search = engine.search(position, seconds=1000)
    assert next(search).depth == 0
    search.close()
    view = engine.think(position, depth=2)  # it is free again
    assert view.depth == 2


@needs_core
def test_stop_gives_the_answer_so_far() -> None:
    engine = Engine(Game(15, 15, 5))
    last = None
    for view in engine.search(wandering(engine.game, 3, 10), seconds=1000):
        last = view
        if view.depth >= 3:
            engine.stop()
    assert last
    assert last.seconds < 900


@needs_core
def test_time_is_kept_to_at_least_roughly() -> None:
    engine = Engine(Game(15, 15, 5))
    began = monotonic()
    engine.think(wandering(engine.game, 3, 10), seconds=0.2)
    assert monotonic() - began < 100  # a search that forgets its clock goes on for ever


@needs_core
def test_what_is_proven_is_a_verdict_and_what_is_not_is_none() -> None:
    won = Position.parse("5x9k5:........./..XXX..../........./OO.O...../.........")
    view = Engine(won.game).think(won, nodes=1000)
    assert (view.verdict.outcome, view.verdict.how, view.best.plies) == ("win", ("threats",), 3)
    assert view.verdict == threats.winning(won, Budget(1000))
    open_game = wandering(Game(15, 15, 5), 3, 4)
    view = Engine(open_game.game).think(open_game, nodes=2000)
    assert not view.verdict.is_known
    assert 0 < view.best.chance < 1


@needs_core
def test_it_does_not_walk_into_a_proven_loss() -> None:
    """Each move that the engine plays against threes is checked by the prover, with more nodes than it had."""
    game = Game(11, 11, 5)
    rows = ["." * 11] * 4 + ["....XX.....", "...OOX.....", "....O......"] + ["." * 11] * 4
    position = Position.parse(f"11x11k5:{'/'.join(rows)}")
    assert position.game == game
    move = Engine(game).think(position, nodes=60_000).move
    after = position.play(move)
    others = [cell for cell in position.moves() if not threats.winning(position.play(cell), Budget(2000)).is_known]
    assert not threats.winning(after, Budget(3000)).is_known or not others


@needs_core
def test_it_completes_and_stops_lines() -> None:
    engine = Engine(Game(15, 15, 5))
    rows = ["." * 15] * 6 + [".OXXXX.........", ".OOO..........."] + ["." * 15] * 7
    four = Position.parse(f"15x15k5:{'/'.join(rows)}")
    assert engine.think(four, depth=1).move == 6 * 15 + 6
    rows[7] = ".OO............"
    assert engine.think(Position.parse(f"15x15k5:{'/'.join(rows)}"), depth=1).move == 6 * 15 + 6


@needs_core
def test_what_wins_at_once_is_seen_without_any_time_for_the_prover(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threats, "winning", lambda *_: UNKNOWN)
    rows = ["." * 9] * 3 + ["..XXXX..."] + ["." * 9] + ["..OOOO..."] + ["." * 9] * 3
    both = Position.parse(f"9x9k5:{'/'.join(rows)}")
    assert Engine(both.game).think(both, nodes=1).move in (3 * 9 + 1, 3 * 9 + 6)
    rows = ["." * 9] * 3 + ["..XXX...."] + ["." * 9] + ["..OOO...."] + ["." * 9] * 3
    three = Position.parse(f"9x9k5:{'/'.join(rows)}")
    assert Engine(three.game).think(three, nodes=1).move in (3 * 9 + 1, 3 * 9 + 5)


def test_scores_mean_chances() -> None:
    numbers = [chance(score) for score in range(-2000, 2001, 50)]
    assert numbers == sorted(numbers)
    assert chance(0) == 0.5
    assert chance(120) == pytest.approx(1 - chance(-120))
    assert (plies(0), plies(SURE), plies(WINNING - 7), plies(7 - WINNING)) == (None, None, 7, 7)


@pytest.mark.parametrize(
    ("name", "why"),
    [("33x33k5", "32 x 32"), ("3x3k2", "3 in a row"), ("6x7k4g", "gravity"), ("5x5k4m", "misere")],
)
def test_other_games_are_refused(name: str, why: str) -> None:
    game = Game.parse(name)
    assert why in (refusal(game) or "")
    with pytest.raises(EngineError, match=f"the engine does not play {name}"):
        Engine(game)


@needs_core
@pytest.mark.parametrize(
    "limits",
    [{"seconds": 0}, {"seconds": math.nan}, {"seconds": math.inf}, {"seconds": -1}, {"nodes": 0}, {"depth": 0},
     {"lines": 0}, {"depth": 1000}],
)  # fmt: skip
def test_limits_that_are_none_are_refused(limits: dict[str, float]) -> None:
    engine = Engine(Game(9, 9, 5))
    with pytest.raises(EngineError, match="must be"):
        engine.search(engine.game.start(), **limits)  # type: ignore[arg-type]


@needs_core
def test_positions_of_others_and_finished_ones_are_refused() -> None:
    engine = Engine(Game())
    with pytest.raises(EngineError, match="this engine plays 3x3k3, not 4x4k4"):
        engine.search(Game(4, 4, 4).start())
    with pytest.raises(EngineError, match="the game is over"):
        engine.search(Position.parse("XXX/OO./..."))


@needs_core
def test_openings_begin_at_the_centre_and_are_varied() -> None:
    assert central(Game(15, 15, 5), 0) == [112]
    assert len(central(Game(15, 15, 5))) == 9
    engine = Engine(Game(15, 15, 5), memory_mb=4)
    drawn = {tuple(lay_three(engine, seed, nodes=2_000)) for seed in range(3)}
    assert len(drawn) > 1
    assert all(len(set(cells)) == 3 for cells in drawn)


@needs_core
@pytest.mark.parametrize(
    "name", ["15x15k5", "20x20k5", "32x32k5", "19x19k6", "15x15k6e", "15x15k7", "20x20k8", "32x32k20"]
)
def test_the_first_marks_are_at_the_centre_and_beside_it(name: str) -> None:
    game = Game.parse(name)
    engine = Engine(game, memory_mb=4)
    first = engine.think(game.start(), nodes=1000).move
    assert first in central(game)
    reply = engine.think(game.start().play(first), nodes=20_000).move
    assert max(map(abs, map(int.__sub__, divmod(first, game.columns), divmod(reply, game.columns)))) <= 4


@needs_core
def test_lines_are_of_one_depth_and_the_best_comes_first() -> None:
    engine = Engine(Game(15, 15, 5), memory_mb=4)
    for seed in range(3):
        for view in engine.search(wandering(engine.game, seed, 12), nodes=20_000, lines=4):
            scores = [line.score for line in view.lines]
            assert scores == sorted(scores, reverse=True)
            assert view.depth == 0 or len(scores) == 4


@needs_core
def test_more_lines_than_there_are_moves_that_hold() -> None:
    """Moves that lose by force drop out on the way, and with them lines."""
    engine = Engine(Game(6, 6, 4), memory_mb=4)
    fewer = 0
    for seed in range(8):
        position = wandering(engine.game, seed, 8)
        view = engine.think(position, depth=4, lines=64)
        fewer += len(view.lines) < len(position.moves())
        assert len(view.lines) > 0
    assert fewer


@needs_core
def test_a_stop_before_the_search_begins_is_not_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    engine = Engine(Game(15, 15, 5), memory_mb=4)

    def stopped(*_: object) -> Verdict:
        engine.stop()
        return UNKNOWN

    monkeypatch.setattr(threats, "winning", stopped)
    assert engine.think(wandering(engine.game, 3, 10), seconds=1000).depth == 0


@needs_core
@pytest.mark.parametrize("limit", [{"seconds": 1000}, {"nodes": 10**9}, {"depth": 3}])
def test_the_prover_that_comes_first_is_short_for_nothing_stops_it(
    monkeypatch: pytest.MonkeyPatch, limit: dict[str, int]
) -> None:
    engine, budgets = Engine(Game(15, 15, 5), memory_mb=4), list[Budget]()

    def winning(_: Position, budget: Budget) -> Verdict:
        budgets.append(budget)
        engine.stop()
        return UNKNOWN

    monkeypatch.setattr(threats, "winning", winning)
    engine.think(wandering(engine.game, 3, 10), **limit)
    (budget,) = budgets
    assert budget.left <= 100_000
    assert "seconds" not in limit or budget.seconds <= 0.04


@needs_core
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="tells its memory on Linux")
def test_memory_stays_within_the_limit() -> None:
    program = """
from pathlib import Path
from random import Random
from noughts import Game
from noughts.engine import Engine

def most():
    return next(int(line.split()[1]) for line in Path("/proc/self/status").read_text().split("\\n") if "VmHWM" in line)

position, dice = Game(15, 15, 5).start(), Random(3)
for _ in range(12):
    position = position.play(dice.choice(position.moves()))
Engine(position.game, memory_mb=1).think(position, nodes=1000)
before = most()
engine = Engine(position.game, memory_mb=32)
engine.think(position, nodes=300_000)
print(most() - before)
"""
    found = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert 8 << 10 < int(found.stdout) <= 32 << 10  # it uses its table, and no more than it may


@needs_core
@pytest.mark.parametrize("idea", IDEAS)
def test_the_engine_can_do_without_an_idea(idea: str) -> None:
    """It then searches otherwise, and still finds what is there."""
    game = Game(6, 6, 4)
    positions = [wandering(game, seed, 8) for seed in range(8)]
    whole, without = (
        [(view.nodes, view.lines, view.verdict.outcome) for each in positions if (view := engine.think(each, depth=4))]
        for engine in (Engine(game, memory_mb=1), Engine(game, memory_mb=1, without=[idea]))
    )
    assert whole != without
    won = Position.parse("6x6k4:....../.XX.../....../....../.OO.../......")
    assert Engine(game, memory_mb=1, without=[idea]).think(won, nodes=1000).best.plies == 3


@needs_core
def test_what_is_no_idea_is_refused() -> None:
    with pytest.raises(EngineError, match="'magic' is no idea of the engine: expected some of remembering"):
        Engine(Game(9, 9, 5), without=["magic"])
