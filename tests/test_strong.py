"""Strong solving: the native solver, its plain twin, plain recursion, alpha-beta and an array of all boards agree."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from math import comb
from pathlib import Path
from typing import Any

import pytest
from conftest import native, reachable
from shell import command, run

from noughts import Game, Position, Value
from noughts.doctor import examine
from noughts.native import core, solver
from noughts.progress import Progress, finish
from noughts.rules.symmetry import orbit
from noughts.search import search
from noughts.solve import Solution, Summary, TooLarge, expect, plain, solve, solving
from noughts.solve.backends import BACKENDS, Backend, choose, usable
from noughts.solve.index import Index, PlainIndex, decode, encode, index_of
from noughts.solve.job import AtWork, Expected, LevelDone
from noughts.solve.machine import processors
from noughts.solve.problems import InvalidSolve
from noughts.solve.strong import solving_in_memory
from noughts.solve.summary import LevelSummary

# Boards of every kind: square, wide, tall, one row, k = 1, k beyond the short side; few enough positions for Python.
SMALL = [
    "1x1k1",
    "1x1k1m",
    "2x2k2",
    "2x2k1m",
    "3x3k3",
    "3x3k3m",
    "3x3k2",
    "3x3k1",
    "2x5k3",
    "5x2k4",
    "1x8k3m",
    "2x4k3m",
]
LARGE = ["5x5k4", "5x5k5m", "4x6k4", "1x25k5", "3x8k3", "4x5k4", "2x10k3m"]
NAMED = ["3x3k3", "3x3k3m", "3x4k3", "3x4k3m", "4x4k3", "4x4k3m", "4x4k4", "4x4k4m"]


def some_slow(names: list[str], *slow: str) -> list[object]:
    """Games of a test, some of them marked slow."""
    return [pytest.param(name, marks=pytest.mark.slow) if name in slow else name for name in names]


def in_memory(game: Game, **options: Any) -> tuple[Summary, list[bytearray]]:
    return finish(solving_in_memory(game, **options))


def without_costs(summary: Summary) -> dict[str, Any]:
    costs = ("seconds", "peak_rss_bytes", "backend", "threads")
    return {name: fact for name, fact in summary.to_json().items() if name not in costs}


# What is known


@pytest.mark.parametrize(
    ("name", "value", "counts"),
    [
        ("3x3k3", Value("tie", 9), (5478, 765, 2836, 1574, 1068)),
        ("3x3k3m", Value("tie", 9), (5478, 765, 3054, 1444, 980)),
        pytest.param("4x4k4", Value("tie", 16), (9722011, 1217977, 2730266, 960556, 6031189), marks=native),
    ],
)
def test_the_counts_are_those_that_are_known(name: str, value: Value, counts: tuple[int, ...]) -> None:
    found = solve(Game.parse(name))
    assert found.value == value
    assert (found.positions, found.classes, found.win, found.loss, found.tie) == counts


@native
def test_three_in_a_row_on_4x4_is_won_in_5() -> None:
    assert solve(Game(4, 4, 3)).value == Value("win", 5)


@pytest.mark.parametrize(("misere", "known"), [(False, (390, 224, 151)), (True, (421, 204, 140))])
def test_classes_of_3x3_are_counted_as_known(misere: bool, known: tuple[int, ...]) -> None:
    solution = Solution.solve(Game(misere=misere))
    by_outcome = Counter(
        worth.outcome
        for marks in range(10)
        for position, worth in solution.positions(marks)
        if position == position.canonical()
    )
    assert (by_outcome["win"], by_outcome["loss"], by_outcome["tie"]) == known


@pytest.mark.parametrize("name", SMALL)
def test_a_summary_adds_up(name: str) -> None:
    found = solve(Game.parse(name))
    assert found.positions == found.win + found.loss + found.tie
    assert [level.marks for level in found.levels] == list(range(found.game.cells + 1))
    for level in found.levels:
        assert level.positions == sum(level.win.values()) + sum(level.loss.values()) + level.tie
        assert level.positions <= level.classes * 8
    assert found.levels[0] == LevelSummary.of(0, 1, Counter([found.value]))


@pytest.mark.parametrize("name", ["3x3k3", "3x3k3m", "2x4k3", "5x2k4", "1x1k1"])
def test_the_counts_by_marks_are_those_of_every_position(name: str) -> None:
    game = Game.parse(name)
    values = [(position.marks, plain.value(position).outcome) for position in reachable(game)]
    counted, by_marks = Counter(values), Counter(marks for marks, _ in values)
    classes = Counter(each.marks for each in {position.canonical() for position in reachable(game)})
    found = solve(game).to_json()["by_marks"]
    assert found == [
        {
            "marks": marks,
            "positions": by_marks[marks],
            "classes": classes[marks],
            **{outcome: counted[marks, outcome] for outcome in ("win", "loss", "tie")},
        }
        for marks in range(game.cells + 1)
    ]


@pytest.mark.parametrize("backend", ["python", pytest.param("native", marks=native)])
@pytest.mark.parametrize("name", ["3x3k3", "2x4k3m", "1x1k1"])
def test_a_solve_tells_what_to_expect_then_each_level_when_it_is_solved(name: str, backend: str) -> None:
    told: list[Progress] = []
    game = Game.parse(name)
    summary = finish(solving(game, backend=backend), told.append)
    assert told[0] == expect(game, backend=backend)
    assert [event.counts for event in told if isinstance(event, LevelDone)] == list(summary.levels[::-1])
    assert [type(event) for event in told[:2]] == [Expected, AtWork]
    assert {event.total for event in told} == {expect(game).total}
    assert [event.done for event in told] == sorted(event.done for event in told)
    assert told[-1].done == told[-1].total


# The solvers agree


@native
@pytest.mark.parametrize("name", SMALL)
def test_native_levels_are_those_of_the_plain_twin(name: str) -> None:
    """Byte by byte, and count by count."""
    natively, plainly = (in_memory(Game.parse(name), backend=backend) for backend in ("native", "python"))
    assert natively[1] == plainly[1]
    assert natively[0].levels == plainly[0].levels


@native
@pytest.mark.parametrize("name", ["3x3k3", "3x3k3m", "2x4k3", "1x1k1"])
def test_both_backends_give_the_same_summary(name: str) -> None:
    natively, plainly = (solve(Game.parse(name), backend=backend) for backend in ("native", "python"))
    assert without_costs(natively) == without_costs(plainly)
    assert natively.levels == plainly.levels
    assert (natively.backend, plainly.backend, plainly.threads) == ("native", "python", 1)


@native
@pytest.mark.parametrize("name", ["3x3k3", "3x3k3m", "3x4k3", "3x4k3m"])
def test_plain_recursion_agrees_on_every_position(name: str) -> None:
    game = Game.parse(name)
    solution = Solution.solve(game)
    for position in reachable(game):
        assert solution[position] == plain.value(position), position


class AllBoards:
    """Every board of a game as an entry of one array, by its base-3 code: solved by numpy, without any symmetry.

    A score is for the player to move: 100 - plies for a win, plies - 100 for a loss, 0 for a tie.
    """

    def __init__(self, game: Game) -> None:
        self.np = pytest.importorskip("numpy")
        np, cells = self.np, game.cells
        self.game, self.half = game, (cells + 1) // 2
        self.power = [3**cell for cell in range(cells)]
        self.line = np.array([game.rule.has_line(bits) for bits in range(1 << cells)])
        halves = np.array([self._split(code) for code in range(3**self.half)])
        self.half_x, self.half_o = halves[:, 0], halves[:, 1]
        self.level = np.zeros(3**cells, np.uint8)  # 1 + marks of the boards that can arise
        self.score = np.zeros(3**cells, np.int8)
        self._reach()
        self._solve()

    def _split(self, code: int) -> tuple[int, int]:
        digits = [code // 3**cell % 3 for cell in range(self.half)]
        return tuple(sum(1 << cell for cell, digit in enumerate(digits) if digit == mark) for mark in (2, 1))  # type: ignore[return-value]

    def boards(self, marks: int) -> tuple[Any, Any, Any]:
        """The codes with so many marks, and their sets of X and O."""
        codes = self.np.flatnonzero(self.level == marks + 1)
        high, low = self.np.divmod(codes, 3**self.half)
        return codes, *(part[low] | part[high] << self.half for part in (self.half_x, self.half_o))

    def _children(self, marks: int, codes: Any, taken: Any) -> Iterator[tuple[Any, Any]]:
        for cell, power in enumerate(self.power):
            here = self.np.flatnonzero(taken >> cell & 1 == 0)
            yield here, codes[here] + power * (1 if marks % 2 else 2)

    def _reach(self) -> None:
        self.level[0] = 1
        for marks in range(self.game.cells):
            codes, x, o = self.boards(marks)
            ongoing = ~(self.line[x] | self.line[o])
            for _, after in self._children(marks, codes[ongoing], (x | o)[ongoing]):
                self.level[after] = marks + 2

    def _solve(self) -> None:
        np, lost = self.np, 100 if self.game.misere else -100
        for marks in range(self.game.cells, -1, -1):
            codes, x, o = self.boards(marks)
            over = self.line[x] | self.line[o]
            best = np.full(len(codes), -128 if marks < self.game.cells else 0, np.int8)
            for here, after in self._children(marks, codes, x | o):
                theirs = self.score[after]
                best[here] = np.maximum(best[here], np.sign(theirs) - theirs)
            self.score[codes] = np.where(over, lost, best)


@native
@pytest.mark.parametrize("name", some_slow(NAMED, "4x4k3", "4x4k4m"))
def test_every_position_has_the_value_that_an_array_of_all_boards_gives(name: str) -> None:
    game = Game.parse(name)
    summary, levels = in_memory(game)
    solution, every = Solution(game, levels, summary.levels), AllBoards(game)
    for marks in range(game.cells + 1):
        codes, x, o = every.boards(marks)
        assert len(codes) == summary.levels[marks].positions
        score = every.score[codes].astype(int)
        outcome, remoteness = solution.values(x, o)
        assert (outcome == every.np.sign(score)).all()
        assert (remoteness == every.np.where(score, 100 - abs(score), game.cells - marks)).all()


def alpha_beta(position: Position, low: int = -1000, high: int = 1000) -> int:
    """The score of `plain` by alpha-beta: fail-soft, no memory, no symmetry."""
    if position.is_over:
        worth = plain.value(position)
        return 0 if worth.outcome == "tie" else 100 if worth.outcome == "win" else -100
    best = -1000
    for cell in position.moves():
        score = -alpha_beta(position.play(cell), -high - 1, -low + 1)
        score -= (score > 0) - (score < 0)
        best, low = max(best, score), max(low, score)
        if low >= high:
            break
    return best


def as_score(value: Value) -> int:
    return {"win": 100 - value.remoteness, "loss": value.remoteness - 100, "tie": 0}[value.outcome]


@pytest.mark.parametrize("name", ["3x3k3", "3x3k3m"])
def test_alpha_beta_agrees_on_every_position_of_3x3(name: str) -> None:
    solution = Solution.solve(Game.parse(name))
    for position in reachable(Game.parse(name)):
        if position.marks >= 3:
            assert alpha_beta(position) == as_score(solution[position]), position
        if position.marks >= 1 and not position.is_over:
            score = search(position, "alphabeta").score * (1 if position.turn.value == "X" else -1)
            outcome = {0: "tie", 1: "win", -1: "loss"}[(score > 0) - (score < 0)]
            assert outcome == solution[position].outcome, position


@native
@pytest.mark.parametrize("name", some_slow(NAMED[2:], "4x4k4m"))
def test_alpha_beta_and_plain_recursion_agree_on_positions_of_random_games(name: str) -> None:
    game, rng = Game.parse(name), random.Random(name)
    solution = Solution.solve(game)
    for _ in range(60):
        position = game.start()
        while not position.is_over:
            position = position.play(rng.choice(position.moves()))
            free = position.empty.bit_count()
            if free <= 10:
                assert solution[position] == plain.value(position), position
            if free <= 6:
                assert alpha_beta(position) == as_score(solution[position]), position


@native
def test_a_board_and_its_transpose_are_the_same_game() -> None:
    for tall, wide in (("4x3k3", "3x4k3"), ("5x2k3m", "2x5k3m"), ("7x1k2", "1x7k2")):
        first, second = (without_costs(solve(Game.parse(name))) for name in (tall, wide))
        assert {**first, "game": ""} == {**second, "game": ""}


@native
@pytest.mark.parametrize("name", ["3x3k3", "3x5k3m", "4x4k4", "4x4k3m"])
def test_neither_threads_nor_instruction_sets_change_a_byte(name: str) -> None:
    game = Game.parse(name)
    native_solver = solver(game)
    found = []
    for isa in core().isas():  # type: ignore[union-attr]
        for threads in (1, 2, 5):
            levels, counts = [bytearray(size) for size in native_solver.level_bytes()], []
            native_solver.run(threads, 0, isa, None, counts.append, [], levels)
            found.append((levels, counts))
    assert all(other == found[0] for other in found)


# Places


@pytest.mark.parametrize("name", [*SMALL, "3x4k3", "3x5k4m"])
def test_every_place_has_one_position_and_every_position_one_place(name: str) -> None:
    game = Game.parse(name)
    for index in indexes(game):
        for marks, size in enumerate(index.level_bytes()):
            assert [index.locate(*index.position_at(marks, place)) for place in range(size)] == list(range(size))


def indexes(game: Game) -> list[Index]:
    return [index_of(game)] + ([PlainIndex(game)] if core() and game.cells <= 10 else [])


@pytest.mark.parametrize("name", SMALL)
def test_symmetric_positions_have_equal_bytes_and_are_found(name: str) -> None:
    game = Game.parse(name)
    summary, levels = in_memory(game)
    index = index_of(game)
    for position in reachable(game):
        codes = set()
        for image in orbit(position):
            place = index.locate(image.x, image.o)
            codes.add(None if place is None else levels[image.marks][place])
        assert len(codes) == 1
        assert (None in codes) is game.rule.has_line(position.x)
    assert summary.positions == len(reachable(game))


@native
@pytest.mark.parametrize("name", LARGE)
def test_places_of_large_boards_are_right_where_they_are_tried(name: str) -> None:
    game, rng = Game.parse(name), random.Random(name)
    index = index_of(game)
    for marks, size in enumerate(index.level_bytes()):
        assert index.block_bytes(marks) == comb(game.cells - (marks + 1) // 2, marks // 2)
        places = [rng.randrange(size) for _ in range(200)] if size else []
        for place in [*places, *([0, size - 1] if size else [])]:
            x, o = index.position_at(marks, place)
            assert (x & o, x.bit_count(), o.bit_count()) == (0, (marks + 1) // 2, marks // 2)
            assert not game.rule.has_line(x)
            assert index.locate(x, o) == place


@native
@pytest.mark.parametrize("name", ["4x4k4", "3x6k3m"])
def test_the_plain_index_is_the_native_one_on_larger_boards(name: str) -> None:
    game, rng = Game.parse(name), random.Random(name)
    natively, plainly = index_of(game), PlainIndex(game)
    for marks in (0, 1, 4, 7, game.cells - 1, game.cells):
        for place in rng.sample(range(natively.level_bytes()[marks]), min(50, natively.level_bytes()[marks])):
            assert natively.position_at(marks, place) == plainly.position_at(marks, place)
            assert plainly.locate(*natively.position_at(marks, place)) == place


def test_codes_tell_values() -> None:
    for cells in (9, 25):
        for marks in range(cells + 1):
            values = [Value("tie", cells - marks)]
            values += [
                Value(outcome, end - marks) for end in range(max(marks, 1), cells + 1) for outcome in ("win", "loss")
            ]
            codes = [encode(value, marks) for value in values]
            assert len(set(codes)) == len(codes)
            assert [decode(code, marks, cells) for code in codes] == values
    assert decode(255, 3, 9) is None


def test_sets_are_ranked_in_their_order() -> None:
    taken = 0b0010_1000
    sets = [found for found in range(1 << 8) if not found & taken and found.bit_count() == 3]
    assert PlainIndex(Game(2, 4, 4)).sets_beside(taken, 3) == sets
    assert len(sets) == comb(6, 3)


# Classes


@pytest.mark.parametrize("name", [*SMALL, "3x3k2m", "1x9k4", "2x5k2"])
def test_classes_are_the_orbits_that_brute_force_finds(name: str) -> None:
    game = Game.parse(name)
    brute = Counter(position.marks for position in reachable(game) if position == position.canonical())
    assert {level.marks: level.classes for level in solve(game).levels if level.classes} == brute


# What a solve tells and takes


@native
def test_progress_comes_back_and_ends_below_the_total() -> None:
    told: list[Progress] = []
    finish(solving(Game(4, 5, 4), threads=1), told.append)
    assert all(0 <= event.done <= event.total == expect(Game(4, 5, 4)).total for event in told)
    levels = [event.levels[0] if isinstance(event, AtWork) else event.counts.marks for event in told[1:]]  # type: ignore[attr-defined]
    assert levels == sorted(levels, reverse=True)
    done = [event.counts.marks for event in told if isinstance(event, LevelDone)]
    for number, event in enumerate(told):
        if isinstance(event, AtWork):  # a level that is done is not at work
            solved = {each.counts.marks for each in told[:number] if isinstance(each, LevelDone)}
            assert event.levels[0] not in solved
    assert done == list(range(20, -1, -1))


@native
def test_closing_a_solve_ends_it(tmp_path: Path) -> None:
    for threads in (1, 3):
        running = solving(Game(4, 6, 4), threads=threads, save=tmp_path)
        while not isinstance(next(running), LevelDone):
            pass
        running.close()
        assert "noughts: long work" not in {thread.name for thread in threading.enumerate()}
        names = {path.name for path in tmp_path.iterdir()}
        assert names >= {"level-24.noughts", "lock"}
        assert not [name for name in names if name.endswith(".part")]


@native
@pytest.mark.skipif(sys.platform == "win32", reason="needs signals")
def test_ctrl_c_ends_a_solve() -> None:
    line = [sys.executable, "-m", "noughts", "solve", "5x5k4", "--threads", "2"]
    with subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as running:
        assert running.stderr
        running.stderr.readline()  # what to expect: the work begins
        time.sleep(0.5)
        running.send_signal(signal.SIGINT)
        _, said = running.communicate(timeout=30)
    assert (running.returncode, said.splitlines()[-1]) == (130, "noughts: interrupted")


@native
def test_a_solve_keeps_within_the_memory_that_it_foretold() -> None:
    def peak(name: str) -> int:
        done = command("solve", name, "--threads", "2", "--json")
        return int(json.loads(done.stdout)["peak_rss_bytes"])

    small, large = peak("3x3k3"), peak("4x5k5")
    assert large - small < 1.1 * expect(Game(4, 5, 5), threads=2).memory + 10_000_000


@native
def test_what_is_too_large_is_refused_with_the_numbers() -> None:
    needs = expect(Game(4, 4, 4), threads=1).memory
    with pytest.raises(TooLarge, match=r"4x4k4: about 9,911,544 positions, 30\d kB of memory.*limit is 10 kB"):
        solve(Game(4, 4, 4), threads=1, memory=10_000)
    assert solve(Game(4, 4, 4), threads=1, memory=needs).positions == 9722011
    with pytest.raises(TooLarge, match="33 cells: strong solving takes at most 30"):
        solve(Game(3, 11, 3))


def test_without_the_core_a_large_board_is_refused_and_a_small_one_solved() -> None:
    environment = {**os.environ, "NOUGHTS_NATIVE": "0", "NOUGHTS_REQUIRE_NATIVE": "0"}
    done = command("solve", "3x3k3", "--json", env=environment)
    found = json.loads(done.stdout)
    assert (found["backend"], found["positions"], found["classes"]) == ("python", 5478, 765)
    refused = command("solve", "4x4k4", env=environment)
    assert refused.returncode == 2
    assert "without the native core at most 12" in refused.stderr


@native
def test_a_small_game_is_left_to_one_thread_unless_told_otherwise() -> None:
    assert [solve(Game(), threads=threads).threads for threads in (None, 1, 3)] == [1, 1, 3]
    assert expect(Game(4, 5, 4)).threads == processors()


@pytest.mark.parametrize(
    "options", [{"threads": 0}, {"threads": "2"}, {"memory": 0}, {"backend": "gpu"}, {"compress": True}]
)
def test_a_senseless_solve_is_refused(options: dict[str, Any]) -> None:
    with pytest.raises(InvalidSolve):
        solve(Game(), **options)


def test_the_fastest_backend_that_takes_the_game_is_chosen() -> None:
    assert [backend.name for backend in usable()] == ["native", "python"][core() is None :]
    assert choose(Game()) is usable()[0]
    with pytest.raises(TooLarge, match=r"16 cells: .* at most 12 are solved"):
        choose(Game(4, 4, 4), "python")
    with pytest.raises(InvalidSolve, match="the backend must be cuda or native or python, not 'gpu'"):
        choose(Game(), "gpu")


def test_a_backend_is_a_class_and_a_word_in_the_registry(monkeypatch: pytest.MonkeyPatch) -> None:
    class Slower(Backend):
        name = "slower"

    monkeypatch.setitem(BACKENDS, "slower", Slower())
    summary = solve(Game(2, 2, 2), backend="slower")
    assert (summary.backend, summary.levels) == ("slower", solve(Game(2, 2, 2)).levels)
    assert examine().backends["slower"] is None
    with pytest.raises(InvalidSolve, match="must be cuda or native or python or slower"):
        solve(Game(), backend="gpu")


# The command


KEYS = [
    "game", "value", "remoteness", "positions", "classes", "win", "loss", "tie", "by_remoteness", "by_marks",
    "seconds", "peak_rss_bytes", "backend", "threads", "read", "written", "sentence",
]  # fmt: skip


def test_the_command_gives_the_promised_keys() -> None:
    done = run("solve", "3x3k3m", "--json")
    found = json.loads(done.stdout)
    assert list(found) == KEYS
    assert (found["game"], found["value"], found["remoteness"]) == ("3x3k3m", "tie", 9)
    assert sum(found["by_remoteness"]["win"].values()) == found["win"] == 3054
    assert sum(found["by_remoteness"]["loss"].values()) == found["loss"] == 1444
    assert done.stderr.startswith("noughts: 3x3k3m: about ")


def test_the_command_shows_a_table() -> None:
    done = run("solve", "3x3k3")
    assert done.returncode == 0
    assert "3x3k3: a tie with best play" in done.stdout
    assert [line.split() for line in done.stdout.splitlines() if line.startswith("all")] == [
        ["all", "5,478", "765", "2,836", "1,574", "1,068"]
    ]


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ((), "which game?"),
        (("4x4",), "4x4"),
        (("9x9k5",), "at most 30"),
        (("3x3k3", "--memory", "much"), "'much' is not a size"),
        (("3x3k3", "--memory", "1kB"), "the limit is 1 kB of memory"),
        (("3x3k3", "--threads", "0"), "threads must be from 1"),
        (("3x3k3", "--backend", "gpu"), "the backend must be cuda or native or python, not 'gpu'"),
        (("3x3k3", "--compress"), "--compress says how --save and --scratch write"),
        (("3x3k3", "--sample", "7"), "--sample says"),
        (("--verify", "/nowhere"), "/nowhere is not a folder with a solution"),
        (("3x3k3", "--verify", "x", "--save", "y"), "--verify checks"),
        (("3x3k3", "--export", "/nowhere/file"), "cannot be written"),
    ],
)
def test_bad_input_is_answered_by_one_line(words: tuple[str, ...], complaint: str) -> None:
    done = run("solve", *words)
    assert (done.returncode, done.stdout) == (2, "")
    assert complaint in done.stderr
    assert len(done.stderr.splitlines()) == 1
