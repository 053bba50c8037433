"""The native core: every instruction set and number of threads gives what the plain twins give."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import threading
from array import array
from fractions import Fraction
from functools import cache

import pytest
from conftest import SPREAD

from noughts import Game, Position, Status, native
from noughts.rules.perft import Games, TooManyNodes, count_games, count_games_plain, perft, perft_plain
from noughts.rules.playouts import Tally, playouts, playouts_plain

core = native.core()
pytestmark = pytest.mark.skipif(core is None, reason=native.status())
ISAS = core.isas() if core else []

SMALL = [game for game in SPREAD if game.cells <= 64]
PLAYABLE = [game for game in SPREAD if max(game.rows, game.columns) <= 16]


def walk(game: Game, plies: int, seed: int) -> Position:
    """The position after so many random moves, or at the end of the game."""
    rng, position = random.Random(seed), game.start()
    for _ in range(plies):
        if not position.is_over:
            position = position.play(rng.choice(position.moves()))
    return position


# Batches (tests/test_batch.py holds the numpy twins against Position)


@pytest.mark.parametrize("isa", ISAS)
@pytest.mark.parametrize("game", [*SMALL, Game(8, 8, 8), Game(1, 64, 33), Game(64, 1, 64), Game(4, 4, 4)], ids=str)
def test_random_sets_get_the_same_verdict_from_every_instruction_set(game: Game, isa: str) -> None:
    np, batch = pytest.importorskip("numpy"), pytest.importorskip("noughts.rules.batch")
    rng = np.random.default_rng(game.cells)
    for word, bits in batch.WORDS.items():
        if game.cells > bits:
            continue
        for size in (0, 1, 63, 1000):
            # Each cell goes to X with a chance of its board's own, so that some boards are thin and some are full.
            chances = rng.random((size, 2, 1)).cumsum(1) / 1.5
            draws = rng.random((size, game.cells))
            weights = np.array([1 << cell for cell in range(game.cells)], word)
            x = ((draws < chances[:, 0]) * weights).sum(1, dtype=word)
            o = (((draws >= chances[:, 0]) & (draws < chances[:, 1])) * weights).sum(1, dtype=word)
            codes = np.full(size, 99, np.uint8)
            assert native.handle(game).batch_status(x, o, codes, isa=isa) == 0
            assert (codes == batch.sets_status_plain(game, x, o)).all()


@pytest.mark.parametrize("isa", ISAS)
@pytest.mark.parametrize("game", [*SPREAD, Game(9, 9, 9), Game(65, 2, 65), Game(256, 256, 200)], ids=str)
def test_random_planes_get_the_same_verdict_from_every_instruction_set(game: Game, isa: str) -> None:
    np, batch = pytest.importorskip("numpy"), pytest.importorskip("noughts.rules.batch")
    rng = np.random.default_rng(game.cells)
    for size in (1, 7, 600) if game.cells < 1000 else (3,):
        planes = rng.choice(np.array([-1, 0, 1], np.int8), (size, game.rows, game.columns), p=[0.45, 0.02, 0.53])
        planes[0] = 1  # at least one line
        codes = np.full(size, 99, np.uint8)
        assert native.handle(game).batch_status_planes(planes, codes, isa=isa) == 0
        assert (codes == batch.planes_status_plain(game, planes)).all()


@pytest.mark.parametrize("isa", ISAS)
def test_threads_share_a_long_batch_without_a_seam(isa: str) -> None:
    np, batch = pytest.importorskip("numpy"), pytest.importorskip("noughts.rules.batch")
    x = np.random.default_rng(1).integers(0, 512, 2_500_001, np.uint16)
    o = np.random.default_rng(2).integers(0, 512, x.size, np.uint16) & ~x
    codes = np.full(x.shape, 99, np.uint8)
    assert core.Game(3, 3, 3, False).batch_status(x, o, codes, threads=3, isa=isa) == 0
    assert (codes == batch.sets_status_plain(Game(), x, o)).all()


@pytest.mark.parametrize("isa", ISAS)
def test_every_kind_of_fault_is_told_wherever_it_stands(isa: str) -> None:
    overlap, outside, bad_value = 1, 2, 4
    for size in (1, 64, 300):
        for at in {0, size // 2, size - 1}:
            for typecode in "HIQ":
                x, o = array(typecode, [0] * size), array(typecode, [0] * size)
                codes = bytearray(size)
                x[at], o[at] = 0b110, 0b011
                assert core.Game(3, 3, 3, False).batch_status(x, o, codes, isa=isa) == overlap
                x[at], o[at] = 0b110, 1 << 9
                assert core.Game(3, 3, 3, False).batch_status(x, o, codes, isa=isa) == outside
            for value in (-128, -2, 2, 127):
                planes = array("b", [1, -1, 0] * 3 * size)
                planes[9 * at + 4] = value
                assert core.Game(3, 3, 3, False).batch_status_planes(planes, bytearray(size), isa=isa) == bad_value


def test_numpy_is_not_needed() -> None:
    code = (
        "import sys; sys.modules['numpy'] = None\n"
        "from array import array; from noughts import _core\n"
        "codes = bytearray(2)\n"
        "_core.Game(3, 3, 3, False).batch_status(array('H', [7, 1]), array('H', [24, 0]), codes)\n"
        "print(list(codes))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout == "[1, 0]\n"


# Counting games


def test_perft_of_tic_tac_toe_is_the_published_one() -> None:
    published = [1, 9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872, 0, 0]
    assert [perft(Game().start(), depth) for depth in range(12)] == published
    assert count_games(Game().start()) == Games(131_184, 77_904, 46_080)
    assert count_games(Game(misere=True).start()) == Games(77_904, 131_184, 46_080)


@pytest.mark.parametrize("game", [*SMALL, Game(8, 8, 8), Game(1, 64, 33), Game(8, 8, 7), Game(4, 4, 2)], ids=str)
def test_perft_equals_its_twin_from_anywhere(game: Game) -> None:
    for plies in (0, 1, 2, 5, game.cells - 2, game.cells - 1, game.cells):
        position = walk(game, plies, seed=plies)
        for depth in range(9):
            if position.empty.bit_count() ** depth < 5000:
                assert perft(position, depth) == perft_plain(position, depth)


@pytest.mark.parametrize("game", SMALL, ids=str)
def test_games_are_counted_as_the_twin_counts_them(game: Game) -> None:
    for plies in range(max(0, game.cells - 5), game.cells + 1):
        for seed in range(5):
            position = walk(game, plies, seed)
            if position.empty.bit_count() <= 5 or position.is_over:
                assert count_games(position) == count_games_plain(position)


def test_a_tree_beyond_the_limit_is_refused() -> None:
    start = Game(5, 5, 4).start()
    for limit in (1, 100_000):
        with pytest.raises(TooManyNodes, match=f"more than {limit:,} nodes"):
            perft(start, 20, limit)
        with pytest.raises(TooManyNodes, match=f"more than {limit:,} nodes"):
            count_games(start, limit)
    with pytest.raises(TooManyNodes):
        perft_plain(start, 20, limit=1000)
    with pytest.raises(TooManyNodes):
        count_games_plain(start, limit=1000)
    with pytest.raises(ValueError, match="depth must be at least 0, not -1"):
        perft(start, -1)


# Random games

WIDE = [Game.parse(name) for name in ("17x3k3", "20x20k5e", "32x32k5", "18x18k4g", "20x9k4eg", "5x32k5m")]


@pytest.mark.parametrize(
    "game", [*PLAYABLE, Game(4, 4, 4, misere=True), Game(16, 16, 16), Game(1, 16, 2), *WIDE], ids=str
)
def test_playouts_are_those_of_the_twin(game: Game) -> None:
    for plies, seed in [(0, 0), (1, 1), (2, 2**64 - 1), (6, -5), (game.cells - 1, 10**30)]:
        position = walk(game, plies, seed)
        if position.is_over:
            continue
        games = 37 if game.cells < 100 else 5
        expected = playouts_plain(position, games, seed)
        assert playouts(position, games, seed) == expected
        x, o = game.cells_of(position.x), game.cells_of(position.o)
        for isa in ISAS:
            arguments = (x, o, games, seed % 2**64)
            assert native.handle(game).playouts(*arguments, threads=2, isa=isa) == expected


@pytest.mark.parametrize("game", [Game(), Game(4, 4, 3), Game(6, 7, 4), Game(15, 15, 5, misere=True)], ids=str)
def test_neither_threads_nor_instruction_set_change_a_result(game: Game) -> None:
    games = 40_001  # several chunks, the last one odd
    arguments = ([0, 3], [1], games, 12345)
    results = {
        native.handle(game).playouts(*arguments, threads=threads, isa=isa) for threads in (1, 2, 5) for isa in ISAS
    }
    assert len(results) == 1
    assert sum(results.pop()[:3]) == games


def test_random_play_ends_as_often_as_the_exact_chances_say() -> None:
    """An error in the choice of moves would shift these chances by far more than chance does."""

    @cache
    def chances(position: Position) -> dict[Status, Fraction]:
        if position.is_over:
            return {position.status: Fraction(1)}
        moves = position.moves()
        found: dict[Status, Fraction] = {}
        for cell in moves:
            for status, chance in chances(position.play(cell)).items():
                found[status] = found.get(status, Fraction()) + chance / len(moves)
        return found

    games = 4_000_000
    tally = playouts(Game().start(), games, seed=1)
    exact = chances(Game().start())
    assert exact[Status.X_WINS] == Fraction(737, 1260)
    for status, count in zip((Status.X_WINS, Status.O_WINS, Status.DRAW), tally[:3], strict=True):
        spread = float(games * exact[status] * (1 - exact[status])) ** 0.5
        assert abs(count - games * exact[status]) < 4 * spread


def test_seeds_and_games_are_independent_draws() -> None:
    start = Game(4, 4, 4).start()
    tallies = [playouts(start, 1000, seed) for seed in range(50)]
    assert len(set(tallies)) == 50
    assert len({playouts(start, games, 1) for games in range(100)}) == 100


def test_a_finished_game_is_counted_as_it_stands(monkeypatch: pytest.MonkeyPatch) -> None:
    won, drawn = Position.parse("XXX/OO./..."), Position.parse("XOX/XOO/OXX")
    for _ in range(2):
        assert playouts(won, 3) == Tally(3, 0, 0, 0) == playouts_plain(won, 3)
        assert playouts(drawn, 3) == Tally(0, 0, 3, 0) == playouts_plain(drawn, 3)
        assert playouts(Game().start(), 0) == Tally(0, 0, 0, 0)
        monkeypatch.setattr(native, "core", lambda: None)


def test_boards_beyond_the_native_core_are_played_by_the_twin() -> None:
    for game in (Game(33, 3, 3), Game(3, 100, 50)):
        assert playouts(game.start(), 3, 8) == playouts_plain(game.start(), 3, 8)
    with pytest.raises(ValueError, match="too many without the native core"):
        playouts(Game(33, 33, 5).start(), 10**6)


def test_absurd_numbers_of_games_and_threads_are_refused() -> None:
    with pytest.raises(ValueError, match="games must be from 0 to 1,000,000,000,000, not -1"):
        playouts(Game().start(), -1)
    with pytest.raises(ValueError, match="threads must be from 1 to 1,024, not 0"):
        playouts(Game().start(), 1, threads=0)


# The border


def test_the_environment_may_name_the_instruction_set(monkeypatch: pytest.MonkeyPatch) -> None:
    for isa in ISAS:
        monkeypatch.setenv("NOUGHTS_ISA", isa)
        assert playouts(Game().start(), 1) == playouts_plain(Game().start(), 1)
    monkeypatch.setenv("NOUGHTS_ISA", "mmx")
    with pytest.raises(ValueError, match="must be one of baseline"):
        playouts(Game().start(), 1)


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: core.Game(0, 3, 3, False).perft(0, 0, 1, 1, 1), "rows and columns must be from 1 to 256"),
        (lambda: core.Game(3, 3, 4, False).perft(0, 0, 1, 1, 1), "k must be from 1 to the longer side"),
        (lambda: core.Game(9, 9, 4, False).perft(0, 0, 1, 1, 1), "at most 64 cells"),
        (lambda: core.Game(3, 3, 3, False).perft(512, 0, 1, 1, 1), "outside the board"),
        (lambda: core.Game(3, 3, 3, False).perft(1, 1, 1, 1, 1), "two marks"),
        (lambda: core.Game(3, 3, 3, False).perft(0, 1, 1, 1, 1), "as many marks as O, or one more"),
        (lambda: core.Game(3, 3, 3, False).perft(3, 0, 1, 1, 1), "as many marks as O, or one more"),
        (lambda: core.Game(3, 3, 3, False).perft(0, 0, -1, 1, 1), "depth must not be negative"),
        (lambda: core.Game(3, 257, 3, False).count_games(0, 0, 1, 1), "rows and columns"),
        (lambda: core.Game(33, 3, 3, False).playouts([], [], 1, 1), "at most 32 x 32"),
        (lambda: core.Game(3, 3, 3, False).playouts([9], [], 1, 1), "outside the board"),
        (lambda: core.Game(3, 3, 3, False).playouts([-1], [], 1, 1), "outside the board"),
        (lambda: core.Game(3, 3, 3, False).playouts([0], [0], 1, 1), "two marks"),
        (lambda: core.Game(3, 3, 3, False).playouts([0, 0], [1], 1, 1), "two marks"),
        (lambda: core.Game(3, 3, 3, False).playouts([0, 1], [], 1, 1), "as many marks as O, or one more"),
        (lambda: core.Game(3, 3, 3, False).playouts([], [0], 1, 1), "as many marks as O, or one more"),
        (lambda: core.Game(3, 3, 3, False).batch_status(array("H", [0]), array("H", [0]), bytearray(2)), "alike"),
        (lambda: core.Game(3, 3, 3, False).batch_status(array("H", [0]), array("H"), bytearray(1)), "alike"),
        (lambda: core.Game(3, 3, 3, False).batch_status(array("H", [0]), array("I", [0]), bytearray(1)), "alike"),
        (
            lambda: core.Game(3, 3, 3, False).batch_status(array("h", [0]), array("h", [0]), bytearray(1)),
            "uint16, uint32 or uint64",
        ),
        (
            lambda: core.Game(5, 5, 3, False).batch_status(array("H", [0]), array("H", [0]), bytearray(1)),
            "more cells than a word has bits",
        ),
        (
            lambda: core.Game(3, 3, 3, False).batch_status_planes(array("b", [0] * 10), bytearray(1)),
            "rows x columns cells",
        ),
    ],
)
def test_what_the_core_cannot_do_it_refuses(call, says: str) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(ValueError, match=says):
        call()


def test_a_buffer_that_cannot_be_written_is_refused() -> None:
    with pytest.raises(TypeError):
        core.Game(3, 3, 3, False).batch_status(array("H", [0]), array("H", [0]), bytes(1))
    with pytest.raises(TypeError):
        core.Game(3, 3, 3, False).batch_status(array("H", [0]), array("H", [0]), array("H", [0]))


@pytest.mark.parametrize(
    "job",
    [
        "playouts(Game(15, 15, 5).start(), 10**12, threads=2)",
        "playouts(Game().start(), 10**12)",
        "perft(Game(8, 8, 5, exact=True).start(), 30, limit=2**63)",
        "count_games(Game(8, 8, 5, exact=True).start(), limit=2**63)",
    ],
)
def test_control_c_ends_a_long_job(job: str) -> None:
    code = (
        "import threading, signal\n"
        "from noughts import Game, native\n"
        "from noughts.rules.perft import count_games, perft; from noughts.rules.playouts import playouts\n"
        "native.core()\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)  # a test run in the background ignores it\n"
        "threading.Timer(0.3, lambda: signal.raise_signal(signal.SIGINT)).start()\n"
        f"try: {job}\n"
        "except KeyboardInterrupt: print('interrupted')"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout == "interrupted\n"


SUBINTERPRETER = """
import importlib.util, sys
name = next((name for name in ("_interpreters", "_xxsubinterpreters") if importlib.util.find_spec(name)), None)
if name is None:
    sys.exit("this Python cannot make subinterpreters")
interpreters = importlib.import_module(name)
try:
    made = interpreters.create("legacy" if name == "_interpreters" else False)  # one that lets every extension in
except TypeError:
    made = interpreters.create(isolated=False)
run = getattr(interpreters, "run_string", None) or interpreters.exec
answer = '''
import noughts, sys
try:
    print(noughts.value(noughts.Position.parse("XO./.X./..O")), flush=True)
except ImportError as problem:
    print(problem, flush=True)
'''
if (failed := run(made, f"import sys; sys.path[:0] = {sys.path!r}" + answer)) is not None:
    sys.exit(str(failed))
"""


@pytest.mark.parametrize(
    "first", ["", "from noughts import native; native.core()"], ids=["alone", "after the main one"]
)
def test_a_subinterpreter_is_refused_in_a_sentence_or_works_without_the_core(first: str) -> None:
    refusal = (
        "the native core of noughts works only in the main interpreter, and this is a subinterpreter: "
        "NOUGHTS_NATIVE=0 does without it"
    )
    for use, says in (("1", refusal), ("0", "win 3")):
        done = subprocess.run(
            [sys.executable, "-c", f"{first}\n{SUBINTERPRETER}"],
            check=False, capture_output=True, text=True, timeout=120,
            env={**os.environ, "NOUGHTS_NATIVE": use, "NOUGHTS_REQUIRE_NATIVE": "0"},
        )  # fmt: skip
        if "cannot make subinterpreters" in done.stderr:
            pytest.skip("this Python cannot make subinterpreters")
        assert done.stdout == f"{says}\n", done.stderr


def test_other_threads_run_while_the_core_works() -> None:
    done = threading.Event()

    def work() -> None:
        playouts(Game(15, 15, 5).start(), 300_000)
        done.set()

    thread = threading.Thread(target=work)
    thread.start()
    turns = 0
    while not done.wait(0.001):
        turns += 1
    thread.join()
    assert turns > 5
