"""The largest boards: every command and every question ends in seconds on 256 x 256, or says what it leaves out.

A watchdog of CPU time stands by, only to end what hangs. That the cost does not grow with the square of the cells is
seen in the small: the operations on a whole board are counted, and twice the side takes as many.
"""

from __future__ import annotations

import io
import json
import random
import signal
import sys
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import redirect_stderr, redirect_stdout
from functools import cache
from types import FrameType

import pytest
from conftest import SPREAD, positions
from hypothesis import given
from hypothesis import strategies as st

import noughts.rules.game
from noughts import Game, Mark, Position, Status, cli, threats
from noughts import evaluate as evaluation
from noughts.analysis import analyze
from noughts.cli import main
from noughts.detect import DETECTORS, EXHIBITS, UnsupportedGame
from noughts.detect.line_counts import Through
from noughts.evaluate import evaluate, gain, gains, open_lines
from noughts.explain import best_line, refutations
from noughts.lab import growth
from noughts.lab.scenarios import SCENARIOS
from noughts.play import PLAYERS, matches, mcts
from noughts.play.levels import longest
from noughts.play.player import CannotPlay, dice, spread
from noughts.play.record import format_record
from noughts.play.registry import find_player
from noughts.play.rules import lines_through
from noughts.play.simple import member
from noughts.proofs import judge, move_values, value
from noughts.rules import perft
from noughts.rules import playouts as playing
from noughts.rules.batch import status as batch_status
from noughts.rules.encoding import decode, from_planes, planes, rank, unrank
from noughts.rules.legality import Reason, check
from noughts.rules.notation import format_move
from noughts.rules.perft import TooManyNodes, count_games, count_games_plain
from noughts.rules.playouts import playouts
from noughts.rules.position import Move, Setup
from noughts.rules.rule import Rule
from noughts.rules.symmetry import canonical, orbit
from noughts.search import InvalidSearch, TreeTooLarge, compare, search
from noughts.solve import plain

SIDE = 256
CELLS = SIDE * SIDE
HANG = 100  # seconds of CPU time: many times what any of these takes

Marks = dict[tuple[int, int], str]


class Hangs(BaseException):
    """Nothing that is tested here catches it."""


@pytest.fixture(autouse=True)
def watchdog() -> Iterator[None]:
    """Ends a test that hangs."""

    def bark(number: int, frame: FrameType | None) -> None:
        raise Hangs(f"no end after {HANG} seconds of CPU time")

    before = signal.signal(signal.SIGVTALRM, bark)
    signal.setitimer(signal.ITIMER_VIRTUAL, HANG)
    yield
    signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    signal.signal(signal.SIGVTALRM, before)


# Boards


def text_of(k: int, rows: list[list[str]], rule: str = "") -> str:
    return f"{len(rows)}x{len(rows[0])}k{k}{rule}:" + "/".join(map("".join, rows))


def marked(k: int, marks: Marks, rule: str = "", side: int = SIDE) -> str:
    rows = [["."] * side for _ in range(side)]
    for (row, column), mark in marks.items():
        rows[row][column] = mark
    return text_of(k, rows, rule)


def run_of(mark: str, row: int, column: int, length: int) -> Marks:
    return {(row, column + i): mark for i in range(length)}


def apart(mark: str, number: int) -> Marks:
    """Marks of which no two are near each other."""
    return {(200 - 6 * (i // 30), 5 + 8 * (i % 30)): mark for i in range(number)}


@cache
def crowded(k: int, free: int, rule: str = "") -> str:
    """A board without three in a row, full but for so many cells, and as many of each side."""
    rows = [["XO"[(column // 2 + row) % 2] for column in range(SIDE)] for row in range(SIDE)]
    cells = {mark: [(r, c) for r in range(SIDE) for c in range(SIDE) if rows[r][c] == mark] for mark in "XO"}
    rng = random.Random(1)
    for row, column in rng.sample(cells["X"], free // 2) + rng.sample(cells["O"], free // 2):
        rows[row][column] = "."
    return text_of(k, rows, rule)


def fours(k: int, rule: str = "", side: int = SIDE, row: int = 100, column: int = 100) -> str:
    """X to move, who lacks one in a row, and so does O two rows lower."""
    return marked(k, run_of("X", row, column, k - 1) | run_of("O", row + 2, column, k - 1), rule, side)


LOST = marked(5, run_of("X", 100, 100, 4) | apart("O", 3))  # O to move
EMPTY = {k: marked(k, {}) for k in (1, 2, 3, 5, 128, 256)}
WON = marked(5, run_of("X", 100, 100, 9) | apart("O", 8))  # by the middle cell: five lines
TWO = {(128, 128): "X", (0, 0): "O"}

# name: position, value, remoteness, how many moves are best
KNOWN: dict[str, tuple[str, str, int | None, int]] = {
    "k=1": (EMPTY[1], "win", 1, CELLS),
    "k=1 misere": (marked(1, {}, "m"), "loss", 1, CELLS),
    "k=1 over": (marked(1, {(3, 3): "X"}), "loss", 0, 0),
    "two marks, k=2": (marked(2, TWO), "win", 1, 8),
    "two marks, k=2 misere": (marked(2, TWO, "m"), "unknown", None, 65526),
    "empty": (EMPTY[5], "unknown", None, 0),
    "empty, k=256 misere": (marked(256, {}, "m"), "unknown", None, 0),
    "both threaten": (fours(5), "win", 1, 2),
    "both threaten, misere": (fours(5, "m"), "unknown", None, 65526),
    "both threaten, k=128": (fours(128, column=60), "win", 1, 2),
    "both threaten, k=256": (fours(256, column=0), "win", 1, 1),
    "lost": (LOST, "loss", 2, CELLS - 7),
    "won": (WON, "loss", 0, 0),
    "half full": (crowded(5, CELLS // 2), "unknown", None, 0),
    "half full, k=3": (crowded(3, CELLS // 2), "win", 1, 0),
    "few cells free, k=3": (crowded(3, 600), "win", 1, 0),
    "12 cells free": (crowded(5, 12), "tie", 12, 12),
    "full": (crowded(5, 0), "tie", 0, 0),
}


# Each takes the way of another one, on which the rest of the account is the same, or longer.
LONG = {"half full, k=3", "k=1 misere", "two marks, k=2 misere", "both threaten, k=256", "lost", "both threaten, k=128"}


def quick(names: Iterable[str], long: Collection[str]) -> list[object]:
    """Parameters of a test, the long ones marked."""
    return [pytest.param(name, marks=pytest.mark.slow) if name in long else name for name in names]


@cache
def known(name: str) -> Position:
    """One of these positions: to read it takes longer than most questions about it."""
    return Position.parse(KNOWN[name][0])


# Every question


@pytest.mark.parametrize("name", quick(KNOWN, LONG))
def test_analysis_of_the_largest_boards_is_whole(name: str) -> None:
    text, outcome, remoteness, best = KNOWN[name]
    position = Position.parse(text)
    account = analyze(position).to_json()
    assert (account["position"], account["value"], account["remoteness"]) == (text, outcome, remoteness)
    assert [move["cell"] for move in account["moves"]] == position.moves()
    assert len(account["best"]) == best or name.endswith("k=3")
    named = {move["move"]: move for move in account["moves"]}
    assert all(named[move]["value"] == outcome and named[move]["remoteness"] == remoteness for move in account["best"])
    assert decode(position.game, account["code"]) == (position.game, position.x, position.o)
    twin = Position.parse(account["canonical"])
    assert twin.code <= account["code"]
    assert canonical(twin)[0] == twin
    assert len(account["winning_lines"]) == {"won": 5, "k=1 over": 1}.get(name, 0)
    if name.startswith("both") and outcome == "win":  # who lets the win go and does not block is shown the answer
        answers = {format_move(position.game, cell) for cell in threats.winning_moves(position, position.turn.other)}
        slips = [move for move in account["moves"] if move["value"] == "loss"]
        assert len(slips) >= position.empty.bit_count() - best - 1
        assert all(set(move["refutation"]) < answers | {None} for move in slips)
        assert all(len(move["refutation"]) == 1 for move in slips)


QUESTIONS: dict[str, Callable[[Position], object]] = {
    "witness": lambda p: _replayed(p) == p,
    "planes": lambda p: from_planes(p.game, planes([p])) == [(p.game, p.x, p.o)],
    "batch": lambda p: Status(int(batch_status(p.game, planes([p]))[0])) is p.status,
    "orbit": lambda p: len(orbit(p)) in (1, 2, 4, 8),
    "dead": lambda p: p.is_dead is (p.status is Status.DRAW) or p.empty.bit_count() < 20,
    "open lines": lambda p: sum(map(sum, open_lines(p))) <= p.game.line_count,
    "evaluation": lambda p: p.is_over or evaluate(p) + gains(p)[p.moves()[0]] == evaluate(p.play(p.moves()[0])),
    "forks": lambda p: set(threats.forks(p)) | set(threats.fork_blocks(p)) <= set(p.moves()),
    "values": lambda p: value(p) is None or p.is_over or value(p) == max(filter(None, move_values(p).values())),
    "best line": lambda p: bool(best_line(judge(p))) is bool(value(p) and not p.is_over),
    "games": lambda p: _or_refused(TooManyNodes, lambda: sum(count_games(p)) > 0),
    "perft 1": lambda p: perft.perft(p, 1) == len(p.moves()),
    "perft 2": lambda p: _or_refused(TooManyNodes, lambda: perft.perft(p, 2) >= 0),
    "perft 999": lambda p: _or_refused(TooManyNodes, lambda: perft.perft(p, 999) == 0),
    "playouts": lambda p: sum(playouts(p, 2)[:3]) == 2,
    "depth 1": lambda p: _or_refused(TreeTooLarge, lambda: len(search(p, depth=1).moves) == len(p.moves())),
    "depth 2": lambda p: _or_refused(TreeTooLarge, lambda: len(search(p, depth=2).moves) == len(p.moves())),
    "to the end": lambda p: _or_refused(TreeTooLarge, lambda: len(search(p).moves) == len(p.moves())),
    "branch": lambda p: _or_refused(InvalidSearch, lambda: search(p, depth=2, record=9, below=p.moves()[:1])),
}
ASKED = ["k=1", "both threaten", "both threaten, k=128", "half full", "12 cells free", "full", "won"]
HEAVY: dict[str, Callable[[Position], object]] = {
    "all ways": lambda p: all(way.result or way.refused for way in compare(p, depth=1).ways),
    "rank": lambda p: unrank(p.game, *rank(p)) == (p.game, p.x, p.o),
    "longest": lambda p: set(longest(p)) <= set(p.moves()),
}


def _replayed(position: Position) -> Position:
    """The position to which the witness of its legality leads; of its moves only the last is played."""
    *before, last = check(position).witness or ()
    game = position.game
    x, o = game.bits_of(before[::2]), game.bits_of(before[1::2])
    assert check(Setup(game, x, o)).legal
    return Position(game, x, o).play(last)


def _or_refused(problem: type[ValueError], ask: Callable[[], object]) -> object:
    """The answer, or a refusal of this kind in one line."""
    try:
        return ask()
    except problem as refusal:
        return len(str(refusal).splitlines()) == 1


LONG_QUESTIONS = {("both threaten, k=128", "depth 1"), ("half full", "depth 2"), ("both threaten", "values")}


@pytest.mark.parametrize(
    ("name", "question"),
    [
        pytest.param(name, question, marks=[pytest.mark.slow] if (name, question) in LONG_QUESTIONS else [])
        for name in ASKED
        for question in QUESTIONS
    ],
)
def test_every_question_is_answered_on_the_largest_boards(name: str, question: str) -> None:
    position = known(name)
    if not position.marks and question == "witness":
        assert check(position).witness == ()
    else:
        assert QUESTIONS[question](position)


@pytest.mark.parametrize("question", HEAVY)
@pytest.mark.parametrize("name", quick(["both threaten", "half full"], ["half full"]))
def test_heavy_questions_are_answered_too(name: str, question: str) -> None:
    assert HEAVY[question](known(name))


def test_a_recorded_tree_counts_what_it_leaves_out() -> None:
    tree = search(Position.parse(crowded(5, 1000)), depth=1, record=10_000).tree
    assert tree is not None
    assert (sum(1 for _ in tree), tree.root.omitted) == (513, 1000 - 512)


@pytest.mark.parametrize("name", [*DETECTORS, *EXHIBITS])
def test_every_detector_sees_the_line_or_refuses_the_board(name: str) -> None:
    for text in (WON, marked(128, run_of("X", 0, 0, 128) | apart("O", 127)), crowded(5, 0)):
        position = Position.parse(text)
        detector = {**DETECTORS, **EXHIBITS}[name]
        if detector.supports(position.game):
            assert name in EXHIBITS or detector(position.game).winner(position) is position.winner
        else:
            with pytest.raises(UnsupportedGame, match=str(position.game)):
                detector(position.game)


@pytest.mark.parametrize(
    ("marks", "reason"),
    [
        (run_of("X", 0, 0, 5) | run_of("O", 1, 0, 5), Reason.BOTH_COMPLETE),
        (run_of("X", 0, 0, 99) | run_of("O", 1, 0, 50), Reason.COUNTS),
        (run_of("X", 0, 0, 255) | apart("O", 254), Reason.NO_LAST_MOVE),
        (run_of("X", 0, 0, 5) | apart("O", 5), Reason.MOVE_AFTER_END),
    ],
)
def test_what_cannot_arise_is_told(marks: Marks, reason: Reason) -> None:
    assert check(marked(5, marks)).reason is reason


# Every player

PLACES = {
    "first move": (EMPTY[5], range(CELLS)),
    "wins at once": (fours(5), (25699, 25704)),
    "lost": (LOST, range(CELLS)),
    "half full": (crowded(5, CELLS // 2), range(CELLS)),
    "half full, k=128": (crowded(128, CELLS // 2), range(CELLS)),
    "misere": (crowded(5, CELLS // 2, "m"), range(CELLS)),
    "k=2 misere": (marked(2, TWO, "m"), range(CELLS)),
}


@pytest.mark.parametrize("name", [*PLAYERS, "alphabeta:1", "minimax:2", "mcts:2000"])
@pytest.mark.parametrize("place", quick(PLACES, ["half full, k=128", "lost", "k=2 misere"]))
def test_every_player_moves_or_says_why_not(place: str, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    text, expected = PLACES[place]
    if (place, name) != ("first move", "level-5"):  # who thinks as long as it likes; the others do the same in less
        monkeypatch.setattr(mcts, "PLIES", mcts.PLIES // 5)
    position = Position.parse(text)
    player = find_player(name, seed=1)
    if player.refusal(position) or name == "minimax:2":
        refusing = ("rules-as-printed", "rules", "minimax", "alphabeta", "perfect", "engine", "minimax:2", "mcts:2000")
        assert name in refusing
        with pytest.raises(CannotPlay, match=r"256x256|cannot look so far"):
            player(position)
        return
    cell = player(position)
    assert position.empty >> cell & 1
    assert cell in expected or name == "random"


# Every command

TELLING = {"review", "bench", "match"}  # say how far they are, if it takes long
WITHOUT_A_BOARD = {"papers", "serve", "tour", "doctor", "completion", "check", "gomocup", "puzzle"}
GAME = "256x256k5"


def ask(*words: str, stdin: str = "") -> tuple[int, str, str]:
    """Exit code, output and complaint of a command."""
    out, err = io.StringIO(), io.StringIO()
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(out), redirect_stderr(err):
        patch.setattr(sys, "argv", ["noughts", *words])
        patch.setattr(sys, "stdin", io.StringIO(stdin))
        with pytest.raises(SystemExit) as end:
            main()
    return int(end.value.code or 0), out.getvalue(), err.getvalue()


def _moves(number: int) -> str:
    """A game of so many moves without an end: rows of pairs."""
    cells = [cell for row in range(0, SIDE, 2) for cell in range(row * SIDE, row * SIDE + SIDE)]
    return format_record(Game(SIDE, SIDE, 256), [format_move(Game(SIDE, SIDE), cell) for cell in cells[:number]])


COMMANDS: dict[str, list[tuple[tuple[str, ...], str, int, str]]] = {  # words, input, exit code, what is said
    "analyze": [
        (("-",), fours(5), 0, "X wins at once"),
        (("-",), crowded(256, 8), 0, "No line can be completed any more"),
        (("-", "--json"), EMPTY[256], 0, '"value": "tie", "remoteness": 65536'),
        (("-",), marked(5, run_of("X", 0, 0, 99)), 2, "cannot arise: the players take turns"),
    ],
    "search": [
        (("-", "--depth", "1"), fours(5), 0, "cv156"),
        (("-", "--depth", "1", "--compare", "--json"), fours(5), 0, '"refused": "'),
        (("-", "--depth", "1", "--symmetry", "--table"), EMPTY[5], 2, "no depth fits"),
        (("-", "--depth", "2"), EMPTY[5], 2, "and the limit is"),
        (("-",), EMPTY[5], 2, "the deepest allowed has"),
        (("-", "--depth", "1", "--replay"), crowded(5, 12), 0, "gt15 gives 0: best 0"),
    ],
    "play": [
        (
            (GAME, "--against", "level-4", "--seed", "1"),
            "h8\nhint\nundo\nboard\nh8\nresign\n",
            0,
            "too many cells were",
        ),
        (("256x256k1", "--two"), "hint\na1\n", 0, "Every move is worth the same: win 1."),
    ],
    "review": [
        (("-", "--json"), f"{GAME}: a1 b9 a2 c9 a3 d9 a4 e9 a9 f9", 0, '"slipped": true'),
        (("-",), _moves(256), 0, "Nobody slipped: 256x256k256 is a tie for X from the start"),
        (("-",), _moves(15_000), 2, "too many for an account of 256x256k256: the limit on this board is 256"),
    ],
    "certify": [(("rules", "--game", GAME), "", 2, "only on boards of up to 20 cells")],
    "prove": [
        (("256x256k9",), "", 0, "a tie: neither can win"),
        ((GAME, "--seconds", "1"), "", 0, "X cannot lose, proven by stealing"),
    ],
    "dataset": [((GAME, "-o", "/dev/null.jsonl"), "", 2, "need a solution of it")],
    "score": [(("-",), f'{{"position": "{EMPTY[5]}", "move": "a1"}}', 2, "need a solution of it")],
    "match": [
        (("rules", "level-4", "-n", "1", "--game", GAME), "", 0, "1 games of 256x256k5"),
        (("random", "random", "-n", "2", "--game", "256x256k3", "--seed", "1"), "", 0, "1962.5 plies a game"),
    ],
    "solve": [((GAME,), "", 2, "strong solving takes at most 30")],
    "bench": [
        (
            ("--experiment", "growth", "--detector", "shifts", "--trials", "1", "--no-memory", "--json"),
            "",
            0,
            '"growth": [{',
        )
    ],
    "atlas": [((GAME,), "", 2, "it has boards of at most 20 cells")],
}


def test_every_command_that_takes_a_board_is_walked() -> None:
    assert set(COMMANDS) | WITHOUT_A_BOARD == set(cli.COMMANDS)


@pytest.mark.parametrize(
    ("command", "number"), [(command, number) for command, lines in COMMANDS.items() for number in range(len(lines))]
)
def test_every_command_ends_on_the_largest_boards(command: str, number: int) -> None:
    words, stdin, code_, says = COMMANDS[command][number]
    exit_code, out, err = ask(command, *words, stdin=stdin)
    assert (exit_code, err if exit_code == 0 and command not in TELLING else "") == (code_, "")
    assert says in (err if exit_code else out)
    if "--json" in words:
        json.loads(out)


def test_bench_chooses_its_boards_itself_and_none_is_larger() -> None:
    sides = [max(game.rows, game.columns) for family in growth.FAMILIES.values() for game in family.games]
    assert max(sides) == max(growth.SIZES) == 200 < SIDE
    assert max(scenario.position.game.cells for scenario in SCENARIOS.values()) == 225
    assert not any("game" in option.opts[-1] or "board" in option.opts[-1] for option in cli.load("bench").params)


@pytest.mark.slow
def test_the_longest_game_there_is_ends_in_seconds() -> None:
    exit_code, out, _ = ask("match", "random", "random", "-n", "1", "--game", "256x256k256")
    assert (exit_code, "65536.0 plies a game" in out) == (0, True)


def test_a_long_match_says_so_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter([0.0, 3.0])
    monkeypatch.setattr(matches, "monotonic", lambda: next(clock))
    work = matches.matching(PLAYERS["random"], PLAYERS["random"], 2, Game(SIDE, SIDE, SIDE))
    assert next(work).detail == "game 1 of 2, move 1 of at most 65,536: at most 109.2 h more at this pace"
    work.close()


# The cost of a cell does not grow with the board


COUNTED = [(Position, "play"), (Rule, "completing"), (Game, "bits_of"), (Rule, "lines_in")]
COUNTED_QUESTIONS: dict[str, Callable[[Position], object]] = {
    "analyze": analyze,
    "level-5": find_player("level-5", seed=1),
    "level-1": find_player("level-1", seed=1),
    "fork blocks": lambda p: [threats.fork_blocks(p, mark) for mark in Mark],
}


@pytest.mark.parametrize("question", COUNTED_QUESTIONS)
@pytest.mark.parametrize("board", ["both threaten", "lost"])
def test_operations_on_a_whole_board_do_not_grow_in_number_with_its_cells(
    board: str, question: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = 0

    def counted(function: Callable[..., object]) -> Callable[..., object]:
        def call(*arguments: object, **named: object) -> object:
            nonlocal calls
            calls += 1
            return function(*arguments, **named)

        return call

    for owner, name in COUNTED:
        monkeypatch.setattr(owner, name, counted(getattr(owner, name)))
    took = []
    for side in (36, 72):
        calls = 0
        lost = marked(5, run_of("X", 10, 10, 4) | {(20, 4): "O", (22, 12): "O", (25, 20): "O"}, "", side)
        COUNTED_QUESTIONS[question](Position.parse(fours(5, "", side, 10, 10) if board == "both threaten" else lost))
        took.append(calls)
    assert took[0] == took[1] > 0


# The quick ways that large boards take say what the plain ones say

SMALL = st.sampled_from(
    [Game.parse(name) for name in ("1x1k1", "1x5k2", "3x3k3", "3x4k2m", "5x4k3", "6x7k4", "6x6k1", "4x9k5m", "9x9k6")]
)


@given(positions(SMALL))
def test_gains_are_what_gain_says_of_each_cell(position: Position) -> None:
    assert position.is_over or gains(position) == {cell: gain(position, cell) for cell in position.moves()}


@given(positions(SMALL), st.integers(0, 99))
def test_random_picks_as_from_a_list_of_all_cells(position: Position, seed: int) -> None:
    if not position.is_over:
        assert find_player("random", seed=seed)(position) == dice(seed, position).choice(position.moves())
        assert [member(position.playable, i) for i in range(len(position.moves()))] == position.moves()


def test_chance_reads_the_rows_as_they_were_always_written() -> None:
    rng = random.Random(3)
    for rows, columns in [(1, 1), (1, 9), (9, 1), (3, 3), (5, 7), (8, 8), (17, 4), (33, 40)]:
        for bits in [0, (1 << rows * columns) - 1, *(rng.getrandbits(rows * columns) for _ in range(20))]:
            each = [bits >> r * columns & (1 << columns) - 1 for r in range(rows)]
            assert spread(rows, columns, bits) == sum(row << r * (columns + 1) for r, row in enumerate(each))


def test_the_numbers_of_the_lines_through_a_cell_are_found_without_the_lines() -> None:
    for game in SPREAD:
        through: list[list[int]] = [[] for _ in range(game.cells)]
        for number, line in enumerate(game.lines()):
            for cell in line:
                through[cell].append(number)
        found = Through(game)
        assert [found[cell] for cell in range(game.cells)] == through


@given(positions(SMALL), st.integers(0, 99))
def test_a_long_playout_ends_as_the_plain_one(position: Position, number: int) -> None:
    assert playing.playout_long(position, 7, number) == playing.playout_plain(position, 7, number)


@given(positions(SMALL))
def test_counts_of_lines_by_sliding_sums_are_those_by_windows(position: Position) -> None:
    windows = open_lines(position), evaluate(position)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(evaluation, "MANY", 0)
        assert (open_lines(position), evaluate(position)) == windows


@given(positions(SMALL))
def test_sets_of_a_large_board_are_those_of_a_small_one(position: Position) -> None:
    game, cells = position.game, position.moves()
    open_lines = [line for line, _ in game.rule.open_lines(position.x)]
    assert [game.bits_of(line) for line in game.rule.lines_in(position.x)] == open_lines
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(noughts.rules.game, "MANY", 0)
        assert game.bits_of(cells) == position.playable
        assert game.cells_of(position.playable) == cells
        assert game.cells_of(1 << game.cells - 1) == [game.cells - 1]


@given(positions(SMALL))
def test_few_free_cells_are_worth_the_same_without_their_board(position: Position) -> None:
    if position.empty.bit_count() <= 9:
        plainly = [plain.value(position), *(plain.value(position.play(cell)) for cell in position.moves())]
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(plain, "MANY", 0)
            assert plain.value(position) == plainly[0]
            assert [plain.value(position.play(cell)) for cell in position.moves()] == plainly[1:]


@given(
    positions(st.sampled_from([Game.parse(name) for name in ("6x7k3", "6x6k2", "5x7k4m", "8x8k4", "9x9k1", "7x7k3m")]))
)
def test_what_answers_a_slip_is_the_best_line_after_it(position: Position) -> None:
    if position.is_over or plain.supports(position):
        return
    values, best = move_values(position), value(position)
    slips = [cell for cell, worth in values.items() if best and worth and worth.outcome != best.outcome]
    judged = judge(position)
    told = refutations(judged)
    assert told.keys() == {*slips}
    for cell, line in told.items():
        after = position.play(cell)
        if "threats" not in judged.moves[cell].how:
            assert line == best_line(judge(after))
        elif line:  # a way that a strategy goes, not the shortest
            for each in line:
                after = after.play(each)
            assert after.winner is position.turn.other


def test_lines_through_a_cell_are_counted_without_the_lines() -> None:
    for game in SPREAD:
        passing = Counter(cell for line in game.lines() for cell in line)
        assert list(lines_through(game)) == [passing[cell] for cell in range(game.cells)]


def test_a_tree_is_refused_as_soon_as_it_is_surely_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    played = 0
    play = Position.play

    def counted(position: Position, move: Move) -> Position:
        nonlocal played
        played += 1
        return play(position, move)

    monkeypatch.setattr(Position, "play", counted)
    for ask_ in (lambda p: perft.perft_plain(p, 2000), count_games_plain):
        with pytest.raises(TooManyNodes):
            ask_(Game(50, 50, 50).start())
    for game in (Game(8, 8, 8), Game(8, 8, 5), Game(7, 8, 3, misere=True)):  # natively, too
        for ask_ in (lambda p: perft.perft(p, 40), lambda p: perft.perft(p, 40, 10**15), count_games):
            with pytest.raises(TooManyNodes):
                ask_(game.start())
    assert played < 10_000
