"""Odd but honest arguments: the same answer, or the same refusal in one sentence, natively and without the core.

Every public function that takes a whole number, a mark or an array is walked, each argument with each odd value, in a
process with the native core and in one without. `CALLS` has one good call of each function.
"""

from __future__ import annotations

import inspect
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from enum import IntEnum
from fractions import Fraction
from functools import cache
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import pytest

from noughts import Game, Mark, Position, native
from noughts.words import brief

np = pytest.importorskip("numpy", reason="numpy is not installed: pip install noughts[batch]")

from noughts import evaluate, search, solve, threats  # noqa: E402
from noughts.play import certify, find_player, match  # noqa: E402
from noughts.play.levels import Level5  # noqa: E402
from noughts.play.mcts import Mcts  # noqa: E402
from noughts.play.simple import AlphaBeta, Minimax, RandomPlayer  # noqa: E402
from noughts.rules import batch, encoding, perft, playouts, symmetry  # noqa: E402

GAME, SMALL, HERE = Game(), Game(2, 2, 2), Position.parse("XO./.X./..O")
SETS = np.array([[0b111, 0b1, 0b10001], [0, 0b101, 0b11]], np.uint16)
OTHERS = np.array([[0b11000, 0b10, 0b100010], [0, 0b1010, 0b10100]], np.uint16)


class Call(NamedTuple):
    """A good call, and what of its answer does not depend on who does the work."""

    function: Callable[..., Any]
    arguments: dict[str, Any]
    pick: Callable[[Any], Any] = lambda answer: answer
    public: Callable[..., Any] | None = None  # where `function` is only our way to call it

    def may_be_none(self, name: str) -> bool:
        return "None" in str(inspect.signature(self.public or self.function).parameters[name].annotation)


def first_free(position: Position) -> int:
    return position.moves()[0]


def solution_values(**arguments: Any) -> Any:
    return solve.Solution.solve(GAME).values(**arguments)


def saved(**options: Any) -> Any:
    with TemporaryDirectory() as folder:
        solve.solve(SMALL, save=folder)
        return solve.verify(folder, **options)


CALLS = {
    "batch.status": Call(batch.status, {"game": GAME, "x": SETS, "o": OTHERS, "threads": 2}),
    "batch.status of planes": Call(
        lambda game, x, threads=1: batch.status(game, x, threads=threads),
        {"game": GAME, "x": encoding.planes([HERE, HERE.play(2)])},
    ),
    "encoding.decode": Call(encoding.decode, {"game": GAME, "code": 3}),
    "encoding.level_size": Call(encoding.level_size, {"game": GAME, "level": 3}),
    "encoding.unrank": Call(encoding.unrank, {"game": GAME, "level": 4, "rank": 3}),
    "encoding.from_planes": Call(encoding.from_planes, {"game": GAME, "array": encoding.planes([HERE, HERE.play(2)])}),
    "evaluate.weights": Call(evaluate.weights, {"k": 3}),
    "evaluate.gain": Call(evaluate.gain, {"position": HERE, "cell": 2}),
    "game.Game": Call(Game, {"rows": 3, "columns": 4, "k": 3}),
    "perft.perft": Call(perft.perft, {"position": HERE, "depth": 3, "limit": 5000}),
    "perft.count_games": Call(perft.count_games, {"position": HERE, "limit": 5000}),
    "play.certify": Call(
        certify,
        {"player": first_free, "game": SMALL, "limit": 200},
        lambda found: (found.x.positions, found.o.positions),
    ),
    "play.find_player": Call(find_player, {"text": "random", "seed": 3}),
    "play.match": Call(
        match, {"a": RandomPlayer, "b": RandomPlayer, "games": 3, "seed": 3}, lambda found: found.to_json()
    ),
    "play.AlphaBeta": Call(AlphaBeta, {"seed": 3, "depth": 3}),
    "play.Level5": Call(Level5, {"seed": 3, "playouts": 200}),
    "play.Mcts": Call(Mcts, {"seed": 3, "playouts": 200}),
    "play.Minimax": Call(Minimax, {"seed": 3, "depth": 3}),
    "play.RandomPlayer": Call(RandomPlayer, {"seed": 3}),
    "playouts.playouts": Call(playouts.playouts, {"position": HERE, "games": 3, "seed": 3, "threads": 2}),
    "playouts.playouts of a finished game": Call(
        lambda games: playouts.playouts(Position.parse("XXX/OO./..."), games), {"games": 3}
    ),
    "position.Position": Call(Position, {"game": Game(8, 8, 5), "x": 3, "o": 4}),
    "position.cell": Call(HERE.cell, {"move": 2}),
    "position.play": Call(HERE.play, {"move": 2}),
    "search.Options": Call(search.Options, {"depth": 3}),
    "search.compare": Call(
        search.compare,
        {"position": HERE, "depth": 3, "limit": 2000},
        lambda found: (found.depth, [way.result and way.result.moves for way in found.ways]),
    ),
    "search.search": Call(
        search.search,
        {"position": HERE, "depth": 3, "limit": 2000, "record": 20, "below": [2]},
        lambda found: json.dumps([found.options.depth, found.tree and found.tree.to_json()]) + repr(found.moves),
    ),
    "search.search without a tree": Call(
        lambda depth, limit: search.search(HERE, depth=depth, limit=limit).moves,
        {"depth": 3, "limit": 2000},
        public=search.search,
    ),
    "solve.Solution.positions": Call(lambda marks: solve.Solution.solve(SMALL).positions(marks), {"marks": 3}, list),
    "solve.Solution.solve": Call(solve.Solution.solve, {"game": SMALL, "threads": 2}, len),
    "solve.Solution.values": Call(solution_values, {"x": SETS.ravel(), "o": OTHERS.ravel()}),
    "solve.expect": Call(solve.expect, {"game": SMALL, "threads": 2, "below": 3}, lambda found: found.total),
    "solve.solve": Call(
        solve.solve,
        {"game": SMALL, "threads": 2, "memory": 10**7, "part": 10**5},
        lambda found: (found.value, found.positions),
    ),
    "solve.verify": Call(
        saved, {"sample": 3, "seed": 3, "threads": 2}, lambda found: found.places_derived, solve.verify
    ),
    "symmetry.Symmetry": Call(symmetry.symmetries(GAME)[4], {"cell": 3}),
    "threats.blocking_moves": Call(threats.blocking_moves, {"position": HERE, "mark": Mark.O}),
    "threats.completing_moves": Call(threats.completing_moves, {"position": HERE, "mark": Mark.X}),
    "threats.fork_blocks": Call(threats.fork_blocks, {"position": HERE, "mark": Mark.O}),
    "threats.forks": Call(threats.forks, {"position": HERE, "mark": Mark.X}),
    "threats.winning_moves": Call(threats.winning_moves, {"position": HERE, "mark": Mark.X}),
}

# Public by name, but these get what the functions above have checked: the twins, what works on sets of cells, and the
# long work of a function above.
INSIDE = {
    "encoding.ranked_set", "encoding.set_rank", "solve.solving", "solve.verifying",
    "batch.planes_status_plain", "batch.sets_status_plain", "perft.perft_plain", "perft.count_games_plain",
    "playouts.drawn", "playouts.playout_long", "playouts.playout_plain", "playouts.playouts_plain", "playouts.mix",
    "playouts.word",
    "threats.own_cells", "search.run",
}  # fmt: skip
WALKED = (
    "rules.batch", "rules.encoding", "rules.perft", "rules.playouts", "rules.symmetry", "evaluate", "threats", "search",
    "solve", "play",
)  # fmt: skip


# The odd values


class Wrapped(int):
    """A whole number that is no plain int."""


class Three(IntEnum):
    """Another."""

    THREE = 3


def whole(good: int) -> dict[str, Any]:
    """The same number in other types."""
    small = {"uint8": np.uint8(good)} if good < 256 else {}
    member = {"a member": Three.THREE} if good == 3 else {}
    return {"int64": np.int64(good), "subclass": Wrapped(good), "0-d": np.array(good)} | small | member


NO_NUMBER = {
    "true": True, "numpy true": np.True_, "float": 3.0, "float64": np.float64(3), "half": Fraction(3, 2), "text": "3",
    "bytes": b"3", "nan": float("nan"), "inf": float("inf"), "list": [3], "array": np.zeros((2, 2)), "none": None,
    "complex": 3j, "huge in a list": [10**5000],
}  # fmt: skip
EXTREME = [0, -1, np.int64(-1), -(2**63), 2**31 - 1, 2**32, 2**63, 2**64, 10**30, 10**5000, -(10**5000)]
LONG = {"games": (2**31 - 1, 2**32)}  # these would be played, for minutes

NO_MARK = {"zero": 0, "empty": "", "false": False, "small": "x", "number": 1, "other": "Z", "status": Position}


def unaligned(array: Any) -> Any:
    """The same array, beginning at an odd address."""
    space = np.zeros(array.nbytes + 1, np.uint8)[1:].view(array.dtype).reshape(array.shape)
    space[...] = array
    return space


def spaced(array: Any) -> Any:
    """The same array with gaps."""
    space = np.zeros((*array.shape[:-1], 2 * array.shape[-1]), array.dtype)[..., ::2]
    space[...] = array
    return space


def read_only(array: Any) -> Any:
    """The same array, which cannot be written."""
    array = array.copy()
    array.setflags(write=False)
    return array


class Own(np.ndarray):  # type: ignore[misc, name-defined]
    """An array of somebody's own class."""


LOOKS: dict[str, Callable[[Any], Any]] = {
    "big-endian": lambda array: array.astype(array.dtype.newbyteorder(">")),
    "little-endian": lambda array: array.astype(array.dtype.newbyteorder("<")),
    "fortran": np.asfortranarray,
    "backwards": lambda array: array[::-1].copy()[::-1],
    "unaligned": unaligned,
    "spaced": spaced,
    "read-only": read_only,
    "subclass": lambda array: array.view(Own),
    "swapped twice": lambda array: array.byteswap().view(array.dtype.newbyteorder()),
}
KINDS: dict[str, Callable[[Any], Any]] = {
    "0-d": lambda array: array.reshape(-1)[3].reshape(()),
    "empty": lambda array: array[:0],
    "flat": np.ravel,
    "deeper": lambda array: array[None, None],
    "list": lambda array: array.tolist(),
    "one number": lambda array: 3,
    "nothing": lambda array: ...,
    "ragged": lambda array: [[1], [1, 2]],
    "wide": lambda array: array.astype(np.uint64 if array.dtype.kind == "u" else np.int64),
    "too large": lambda array: array.astype(np.uint64) << np.uint64(48),
    "outside": lambda array: np.full_like(array, 100),
    "huge": lambda array: np.full(array.shape, 10**30, object),
    "other sign": lambda array: array.astype(np.int16 if array.dtype.kind == "u" else np.uint8),
    "negative": lambda array: array.astype(np.int64) - 5,
    **{
        str(kind): lambda array, kind=kind: array.astype(kind)
        for kind in ("f4", "f8", "c16", "O", "?", "U9", "S9", "M8[s]", "V2")
    },
    "nan": lambda array: np.full(array.shape, np.nan),
}


# The walk


def varied(call: Call) -> Iterator[tuple[str, dict[str, Any], str]]:
    """Each odd call: its name, its arguments, and the kind of oddness."""
    arrays = {name: given for name, given in call.arguments.items() if isinstance(given, np.ndarray)}
    for name, good in call.arguments.items():
        if isinstance(good, Mark):
            yield f"{name} as text", call.arguments | {name: good.value}, "alike"
            for label, odd in NO_MARK.items():
                yield f"{name} {label}", call.arguments | {name: odd}, "refused"
        elif type(good) is int:
            for label, odd in whole(good).items():
                yield f"{name} {label}", call.arguments | {name: odd}, "alike"
            for label, odd in NO_NUMBER.items():
                texts = name == "move" and label == "text"
                if not (odd is None and call.may_be_none(name)) and not texts:
                    yield f"{name} {label}", call.arguments | {name: odd}, "refused"
            for odd in EXTREME:
                if odd not in LONG.get(name, ()):
                    yield f"{name} {brief(int(odd))}", call.arguments | {name: odd}, "any"
        elif type(good) is list:
            for label, odd in (whole(good[0]) | NO_NUMBER).items():
                if label not in ("text", "array"):
                    kind = "refused" if label in NO_NUMBER else "alike"
                    yield f"{name} [{label}]", call.arguments | {name: [odd]}, kind
    for label, change in LOOKS.items():
        for chosen in {tuple(arrays), tuple(arrays)[:1]} if arrays else ():
            changed = {name: change(arrays[name]) for name in chosen}
            yield f"{' and '.join(chosen)} {label}", call.arguments | changed, "alike"
    for label, change in KINDS.items() if arrays else ():
        try:
            with np.errstate(all="ignore"):
                changed = {name: change(array) for name, array in arrays.items()}
        except TypeError:
            continue  # numpy has no such array
        yield f"arrays {label}", call.arguments | changed, "any"


def answer(call: Call, arguments: dict[str, Any]) -> str:
    """What a call gives, with its types, or how it refuses."""
    try:
        return shown(call.pick(call.function(**arguments)))
    except Exception as problem:
        return f"{'ValueError' if isinstance(problem, ValueError) else 'other'} {type(problem).__name__}: {problem}"


def shown(found: Any) -> str:
    if isinstance(found, np.ndarray):
        return f"{found.dtype}{found.shape}{found.tolist()}"
    if type(found) is tuple:
        return f"({', '.join(map(shown, found))})"
    return repr(found)


def answers() -> dict[str, dict[str, str]]:
    """Every odd call of every function, answered in this process."""
    return {
        name: {"good": answer(call, call.arguments)}
        | {label: answer(call, arguments) for label, arguments, _ in varied(call)}
        for name, call in CALLS.items()
    }


@cache
def elsewhere(use: str) -> dict[str, dict[str, str]]:
    """The same in a process with the native core, or without."""
    environment = {**os.environ, "NOUGHTS_NATIVE": use, "NOUGHTS_REQUIRE_NATIVE": "0"}
    command = [sys.executable, str(Path(__file__).resolve())]
    done = subprocess.run(command, check=True, capture_output=True, text=True, timeout=600, env=environment)
    found: dict[str, dict[str, str]] = json.loads(done.stdout)
    return found


if __name__ == "__main__":
    print(json.dumps(answers()))


# The laws


@pytest.fixture(autouse=True)
def digits() -> Iterator[None]:
    """Numbers as long as in a fresh process: the command lifts Python's limit for the whole of its own."""
    before = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(sys.int_info.default_max_str_digits)
    yield
    sys.set_int_max_str_digits(before)


@pytest.mark.skipif(native.core() is None, reason=native.status())
@pytest.mark.parametrize("name", CALLS)
def test_the_twin_answers_as_the_core_does(name: str) -> None:
    assert elsewhere("1")[name] == elsewhere("0")[name]


@pytest.mark.parametrize("name", CALLS)
def test_oddness_that_changes_no_value_changes_no_answer(name: str) -> None:
    found = elsewhere("1")[name]
    assert not found["good"].startswith(("ValueError", "other"))
    for label, _, kind in varied(CALLS[name]):
        if kind == "alike":
            assert found[label] == found["good"], label


@pytest.mark.parametrize("name", CALLS)
def test_a_refusal_is_one_sentence_that_names_the_offender(name: str) -> None:
    found = elsewhere("1")[name]
    for label, arguments, kind in varied(CALLS[name]):
        said = found[label]
        assert not said.startswith("other"), (label, said)
        if kind == "refused":
            assert said.startswith("ValueError"), (label, said)
            odd = arguments[label.split()[0]]
            assert brief(odd[0] if "[" in label else odd) in said, (label, said)
        if said.startswith("ValueError"):
            assert "\n" not in said, (label, said)
            assert len(said) < 400, (label, said)


def test_every_public_function_is_walked() -> None:
    takes = re.compile(r"\b(int|Cell|NDArray|Mark)\b")
    missing = []
    for name in WALKED:
        module = import_module(f"noughts.{name}")
        public = getattr(module, "__all__", [each for each in vars(module) if not each.startswith("_")])
        for each in public:
            function = getattr(module, each)
            own = inspect.isfunction(function) and function.__module__.startswith(module.__name__)
            full = f"{name.removeprefix('rules.')}.{each}"
            if own and full not in INSIDE:
                odd = [
                    given.name
                    for given in inspect.signature(function).parameters.values()
                    if takes.search(str(given.annotation)) and "Callable" not in str(given.annotation)
                ]
                missing += [
                    f"{full}({given})" for given in odd if given not in getattr(CALLS.get(full), "arguments", ())
                ]
    assert missing == []


TREES = [Game(1, 1, 1), Game(1, 4, 2), Game(2, 2, 2), Game(2, 3, 2), Game(2, 3, 3, misere=True), Game(3, 3, 3)]


def _fits(count: Callable[[], object]) -> bool:
    try:
        count()
    except perft.TooManyNodes:
        return False
    return True


def _trees() -> Iterator[tuple[Position, int, int]]:
    """Positions, a depth of each, and how many nodes its tree has to that depth: counted move by move."""
    for game in TREES:
        few = game.cells <= 6
        for position in game.positions():
            if few or (position.code % 40 == 0 and position.empty.bit_count() <= 6):
                level, nodes = [position], 1
                for depth in range(position.empty.bit_count() + 1):
                    yield position, depth, nodes
                    level = [each.play(cell) for each in level for cell in each.moves()]
                    nodes += len(level)


def test_a_limit_is_exact_with_the_core_and_without() -> None:
    for position, depth, nodes in _trees():
        # All limits of a small tree; of a larger one those at its border.
        for limit in {*range(1, nodes + 2)} if nodes < 50 else {1, nodes // 2, nodes - 1, nodes, nodes + 1}:
            fits = limit >= nodes
            assert _fits(lambda: perft.perft(position, depth, limit)) is fits, (position, depth, limit)  # noqa: B023
            assert _fits(lambda: perft.perft_plain(position, depth, limit)) is fits, (position, depth, limit)  # noqa: B023
            if depth == position.empty.bit_count():
                assert _fits(lambda: perft.count_games(position, limit)) is fits, (position, limit)  # noqa: B023
                assert _fits(lambda: perft.count_games_plain(position, limit)) is fits, (position, limit)  # noqa: B023


def test_a_limit_is_exact_in_a_tree_of_many_nodes() -> None:
    start, nodes = GAME.start(), sum(perft.perft(GAME.start(), depth) for depth in range(7))
    assert (nodes, perft.perft(start, 6, nodes)) == (73_450, 54_720)
    assert not _fits(lambda: perft.perft(start, 6, 1))
    assert not _fits(lambda: perft.perft(start, 6, nodes - 1))
    everything = sum(perft.perft(start, depth) for depth in range(10))
    assert perft.count_games(start, everything).draws == 46_080
    assert not _fits(lambda: perft.count_games(start, everything - 1))


def test_moves_for_which_there_is_no_room_need_no_walk() -> None:
    for count in (perft.perft, perft.perft_plain):
        assert count(GAME.start(), 10, limit=1) == count(Game(9, 9, 5).start(), 82) == 0
