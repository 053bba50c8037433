"""Solving on a GPU: the same kernels on a processor, byte for byte what the native core makes; on a GPU where one is.

cuda_on_cpu.hpp makes C++ of cuda.cu, with one thread that has one lane. What this cannot show (races, what 32 lanes do
together) the tests marked gpu do, and compute-sanitizer: docs/quality.md has their last results.
"""

from __future__ import annotations

import ctypes
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from math import comb
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

np = pytest.importorskip("numpy")

from noughts import Game  # noqa: E402
from noughts.__main__ import main  # noqa: E402
from noughts.native import core, solver  # noqa: E402
from noughts.progress import Progress, finish  # noqa: E402
from noughts.solve import Solution, TooLarge, solve, solving, verify  # noqa: E402
from noughts.solve.backends import BACKENDS, choose, cuda, usable  # noqa: E402
from noughts.solve.backends.cuda import Cuda, Gpu  # noqa: E402
from noughts.solve.gpu import DeviceRun, DeviceStep, Tables, checksum, kinds, memory, waiting  # noqa: E402
from noughts.solve.index import PlainIndex  # noqa: E402
from noughts.solve.job import Expected, Job, LevelDone  # noqa: E402
from noughts.solve.problems import InvalidSolve  # noqa: E402
from noughts.solve.strong import expect, solving_in_memory  # noqa: E402
from noughts.solve.summary import LevelSummary  # noqa: E402

pytestmark = pytest.mark.skipif(core() is None, reason="needs the native core")

HERE = Path(__file__).parent
COMPILER = os.environ.get("CXX") or shutil.which("c++") or shutil.which("g++") or shutil.which("clang++")
SHARED = 232_448  # bytes that a group of threads of an H200 can share
absence = Cuda().absence()
needs_gpu = pytest.mark.skipif(absence is not None, reason=f"needs a GPU: {absence}")

# Every kind of board: one row, one cell, squares with orbits of eight, k = 1, misere, exact. 4x4k2 has more lines than
# fit into a word.
GAMES = [
    "1x1k1", "1x2k2", "1x13k3m", "2x2k2", "2x5k2m", "3x3k1", "3x3k3", "3x3k3m", "3x4k3", "4x3k4", "3x4k2e", "3x5k3em",
    "4x4k2", "4x4k3", "4x4k4m", "4x4k3e",
]  # fmt: skip


# A processor that stands for a GPU


@cache
def library(words: int) -> ctypes.CDLL:
    """The kernels, compiled for this machine."""
    if COMPILER is None:
        pytest.skip("needs a C++ compiler: the kernels of the GPU are compiled for the processor")
    import tempfile

    folder = tempfile.mkdtemp(prefix="noughts-cuda-")
    built = Path(folder) / "cuda.so"
    flags = ["-std=c++20", "-O1", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", f"-DWORDS={words}"]
    header = ["-include", str(HERE / "cuda_on_cpu.hpp")]
    subprocess.run([COMPILER, *flags, *header, "-x", "c++", str(cuda.SOURCE), "-o", str(built)], check=True)
    found = ctypes.CDLL(str(built))
    shutil.rmtree(folder)
    return found


class Processor:
    """Runs the kernels of a GPU with one thread, and sees that they keep to the memory that they may share."""

    lanes, processors, shared = 1, 1, SHARED

    def __init__(self, words: int) -> None:
        self.library = library(words)
        self.room = np.ctypeslib.as_array((ctypes.c_uint8 * (SHARED + 65536)).in_dll(self.library, "shared_room"))
        self.launched: list[str] = []

    def empty(self, size: int) -> Any:
        return np.full(size, 0xAB, np.uint8)

    def upload(self, data: Any) -> Any:
        return np.frombuffer(np.ascontiguousarray(data).tobytes(), np.uint8).copy()

    def fill(self, array: Any, byte: int) -> None:
        array[:] = byte

    def fetch(self, array: Any) -> Callable[[], Any]:
        found = array.copy()
        return lambda: found

    def launch(self, kernel: str, threads: int, shared: int, groups: int, *arguments: Any) -> None:
        given = [
            ctypes.c_uint64(each)
            if isinstance(each, int)
            else ctypes.c_void_p(each.ctypes.data if each is not None else 0)
            for each in arguments
        ]
        self.room[:] = 0xA5
        getattr(self.library, kernel)(*given)
        assert (self.room[shared:] == 0xA5).all(), f"{kernel} writes beyond the memory that it asked for"
        self.launched.append(kernel)


def on_processor(game: Game, *, packed: bool) -> tuple[Job, DeviceRun, list[bytearray]]:
    """All levels of a game, by the kernels of the GPU."""
    targets = [bytearray(size) for size in solver(game).level_bytes()]
    job = Job(game, 1, targets)
    run = DeviceRun(job, Processor(Tables(game).words), lambda _: None, packed=packed)
    assert run.all() == targets[0][0]
    return job, run, targets


@pytest.mark.parametrize("packed", [False, True], ids=["bytes", "packed"])
@pytest.mark.parametrize("name", GAMES)
def test_the_kernels_make_the_levels_of_the_native_core(name: str, packed: bool) -> None:
    game = Game.parse(name)
    summary, levels = finish(solving_in_memory(game, backend="native"))
    job, run, targets = on_processor(game, packed=packed)
    assert targets == levels
    assert tuple(job.levels[marks] for marks in sorted(job.levels)) == summary.levels
    assert [run.checksums[marks] for marks in sorted(run.checksums)] == [checksum(level) for level in levels]


def test_levels_wait_two_codes_in_a_byte_only_where_that_is_asked_for() -> None:
    for packed, kernel in ((False, "solve_bytes"), (True, "solve_packed")):
        _, run, _ = on_processor(Game.parse("3x4k3"), packed=packed)
        solved = {name for name in run.device.launched if name.startswith("solve")}  # type: ignore[attr-defined]
        assert kernel in solved
        assert packed or len(solved) == 1


@pytest.mark.slow
@pytest.mark.parametrize("name", ["4x5k4", "4x5k3m", "3x6k4e", "2x9k2"])
def test_the_kernels_make_larger_levels_too(name: str) -> None:
    for packed in (False, True):
        test_the_kernels_make_the_levels_of_the_native_core(name, packed)


# What the kernels are told


@pytest.mark.parametrize("name", ["1x5k3", "2x2k2", "3x3k3", "3x4k3m", "4x3k2", "4x4k3e"])
def test_the_core_tells_its_index_as_the_plain_one_has_it(name: str) -> None:
    game = Game.parse(name)
    plain, native = PlainIndex(game), solver(game)
    number, ends, maps, lines = native.board()
    assert tuple(number) == plain.number
    assert [[plain.number[map_[cell]] for cell in range(game.cells)] for map_ in plain.maps] == [
        [map_[plain.number[cell]] for cell in range(game.cells)] for map_ in maps
    ]
    orbits = {frozenset(map_[cell] for map_ in maps) for cell in range(game.cells)}
    assert {frozenset(range(first, end)) for first, end in zip([0, *ends], ends, strict=False)} == orbits
    assert sorted(plain.to_cells(line) for line in lines) == sorted(
        sum(1 << cell for cell in line) for line in game.lines()
    )
    for x in range((game.cells + 1) // 2 + 1):
        assert [np.frombuffer(sets, np.uint32).tolist() for sets in native.x_sets(x)] == [plain.open(x), plain.won(x)]
    if game.exact:
        for bits, kind in zip(native.kinds(), (plain.is_open, plain.is_won), strict=True):
            told = np.unpackbits(np.frombuffer(bits, np.uint8), bitorder="little")[: 1 << game.cells]
            small = [set_ for set_ in range(1 << game.cells) if set_.bit_count() <= (game.cells + 1) // 2]
            assert [bool(told[set_]) for set_ in small] == [kind(set_) for set_ in small]


@pytest.mark.parametrize("name", ["3x3k3", "3x4k3m", "4x4k4"])
def test_fixed_positions_give_the_classes(name: str) -> None:
    game = Game.parse(name)
    positions = [level.positions for level in solve(game, backend="native").levels]
    symmetries = len(solver(game).board()[2])
    told = [
        (number + fixed) // symmetries
        for number, fixed in zip(positions, solver(game).fixed(1, bytearray(1)), strict=True)
    ]
    assert told == solver(game).classes(positions, 1)


def test_kinds_are_the_codes_of_a_level_in_order() -> None:
    for game in (Game(), Game(misere=True), Game(3, 4, 3)):
        _, levels = finish(solving_in_memory(game))
        for marks in range(1, game.cells + 1, 2):
            assert set(levels[marks]) <= {*kinds(game, marks), 255}
            assert kinds(game, marks) == sorted(kinds(game, marks))
    assert kinds(Game(4, 7, 4), 11) == [] != kinds(Game(4, 7, 4), 13)  # 17 ways to end, and 15


@pytest.mark.parametrize("shared", [SHARED, 101_376], ids=["H200", "of a desktop"])
def test_every_block_and_its_tables_fit_or_are_refused(shared: int) -> None:
    size = SimpleNamespace(lanes=32, processors=132, shared=shared)
    for cells in range(1, 28 + 1):  # beyond, a block of the largest levels does not fit any more
        tables = SimpleNamespace(game=Game(1, cells, 1), words=3)
        for x in range((cells + 1) // 2 + 1):
            if shared < SHARED and comb(cells - x, x) > 75_000:
                with pytest.raises(TooLarge, match=r"do not fit into the 101,376 that a group of threads can share$"):
                    DeviceStep.of(tables, size, x, packed=True)  # type: ignore[arg-type]
                continue
            step = DeviceStep.of(tables, size, x, packed=True)  # type: ignore[arg-type]
            assert step.shared <= shared
            assert step.threads <= 1024
            assert step.groups % 132 == 0


def test_memory_is_two_waiting_levels_and_little_more() -> None:
    game = Game.parse("4x5k4")
    sizes = solver(game).level_bytes()
    assert sum(waiting(game, packed=False)) >= max(sizes[n] + sizes[n + 2] for n in range(1, 18, 2))
    assert sum(waiting(game, packed=True)) < 0.51 * sum(waiting(game, packed=False))
    assert 0 < memory(game, packed=False) - sum(waiting(game, packed=False)) < 10**9


def test_a_checksum_is_the_sum_of_places_times_codes() -> None:
    codes = bytes(range(256)) * 3
    assert checksum(codes) == sum((place + 1) * code for place, code in enumerate(codes))


# The backend, with a processor in place of the GPU


@pytest.fixture
def gpu(monkeypatch: pytest.MonkeyPatch) -> None:
    """A GPU with 8 GB of memory, as far as noughts can tell."""
    monkeypatch.setattr(cuda, "_absence", lambda: None)
    monkeypatch.setattr(cuda, "gpu", lambda: Gpu("Some GPU", 8 * 10**9, 7 * 10**9, "13.0", "13.1", "14.2.0"))
    monkeypatch.setattr(cuda, "CupyDevice", Processor)
    monkeypatch.setattr(cuda, "DeviceSize", lambda: SimpleNamespace(lanes=32, processors=132, shared=SHARED))


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.glob("level-*"))}


@pytest.mark.usefixtures("gpu")
def test_a_solution_by_the_gpu_is_that_of_the_native_core() -> None:
    game = Game.parse("3x4k3")
    ours, theirs = Solution.solve(game, backend="cuda"), Solution.solve(game, backend="native")
    assert list(ours.levels) == list(theirs.levels)
    assert ours.counts == theirs.counts


@pytest.mark.usefixtures("gpu")
@pytest.mark.parametrize("compress", [False, True])
def test_a_saved_solution_is_the_same_file_for_file(tmp_path: Path, compress: bool) -> None:
    if compress:
        pytest.importorskip("compression.zstd" if sys.version_info >= (3, 14) else "backports.zstd")
    game = Game.parse("3x4k3m")
    found = solve(game, save=tmp_path / "cuda", backend="cuda", compress=compress)
    solve(game, save=tmp_path / "native", backend="native", compress=compress)
    assert files(tmp_path / "cuda") == files(tmp_path / "native")
    assert found.backend == "cuda"
    assert len(found.checksums) == game.cells + 1
    verify(tmp_path / "cuda")


@pytest.mark.usefixtures("gpu")
@pytest.mark.parametrize("packed", [False, True], ids=["bytes", "packed"])
def test_a_stopped_solve_goes_on(tmp_path: Path, packed: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cuda, "_fits", lambda _: not packed)
    game = Game.parse("4x4k3")
    work = solving(game, save=tmp_path / "cuda", backend="cuda")
    for event in work:
        if isinstance(event, LevelDone) and event.counts.marks == 8:
            break
    work.close()
    assert 1 < len(files(tmp_path / "cuda")) < game.cells + 1
    solve(game, save=tmp_path / "cuda", backend="cuda")
    solve(game, save=tmp_path / "native", backend="native")
    assert files(tmp_path / "cuda") == files(tmp_path / "native")


@pytest.mark.usefixtures("gpu")
def test_it_tells_what_it_takes_and_how_far_it_is() -> None:
    told: list[Progress] = []
    found = finish(solving(Game.parse("4x4k4"), backend="cuda"), told.append)
    assert isinstance(told[0], Expected)
    assert "of the GPU's" in str(told[0])
    done = [event.counts for event in told if isinstance(event, LevelDone)]
    assert [level.marks for level in done] == [*range(16, -1, -1)]
    assert found.positions == 9_722_011
    assert all(isinstance(level, LevelSummary) for level in done)
    assert [event.done for event in told[1:]] == sorted(event.done for event in told[1:])


# Who is asked, and what is refused


@pytest.mark.usefixtures("gpu")
def test_the_gpu_is_taken_where_the_game_is_large_enough() -> None:
    assert choose(Game.parse("4x6k4")).name == choose(Game.parse("5x5k4")).name == "cuda"
    assert choose(Game.parse("4x5k4")).name == choose(Game.parse("4x6k4g")).name == "native"
    assert [backend.name for backend in usable()] == ["native", "python"]
    assert [*BACKENDS] == ["cuda", "native", "python"]


@pytest.mark.usefixtures("gpu")
def test_what_a_gpu_cannot_take_is_refused_in_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(TooLarge, match=r"^4x4k4g is not solved on a GPU: marks fall there"):
        choose(Game.parse("4x4k4g"), "cuda")
    with pytest.raises(TooLarge, match=r"^3x9k4 takes 45\.\d GB of the GPU's memory: free are 7 GB$"):
        choose(Game.parse("3x9k4"), "cuda")
    with pytest.raises(TooLarge, match=r"^5x6k4 has 30 cells: a GPU takes at most 28 \(--scratch DIR"):
        choose(Game.parse("5x6k4"), "cuda")
    monkeypatch.setattr(cuda, "gpu", lambda: Gpu("Some GPU", 10**12, 10**12, "13.0", "13.1", "14.2.0"))
    assert choose(Game.parse("3x9k4")).name == "cuda"
    assert expect(Game.parse("3x9k4")).device_memory > 80 * 2**30
    monkeypatch.setattr(cuda, "DeviceSize", lambda: SimpleNamespace(lanes=32, processors=60, shared=49152))
    with pytest.raises(TooLarge, match=r"^3x9k4 is too large for this GPU: a block of "):
        choose(Game.parse("3x9k4"), "cuda")


def test_a_board_beyond_the_core_names_the_gpu(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cuda, "_absence", lambda: "there is none")
    with pytest.raises(
        TooLarge, match=r"^3x9k4 has 27 cells: the native core solves at most 25 in memory, --backend cuda"
    ):
        choose(Game.parse("3x9k4"))
    with pytest.raises(InvalidSolve, match=r"^there is none$"):
        choose(Game.parse("3x9k4"), "cuda")


def test_what_is_missing_is_said(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def told(module: str | None) -> str | None:
        if module is not None:
            (tmp_path / "cupy.py").write_text(module, encoding="ascii")
        environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
        code = "from noughts.solve.backends.cuda import Cuda; print(Cuda().absence())"
        done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
        return done.stdout.strip()

    fake = """
class Error(RuntimeError): pass
class cuda:
    class runtime:
        CUDARuntimeError = Error
        def getDeviceCount(): raise Error("cudaError%s: so it is")
"""
    if absence is not None and "not installed" in absence:
        assert told(None) == "solving on a GPU needs CuPy, which is not installed: pip install 'noughts[cuda]'"
    assert told("raise ImportError('no libnvrtc\\nand more')") == (
        "solving on a GPU needs CuPy, which cannot be loaded: no libnvrtc"
    )
    assert "a driver of NVIDIA that CuPy can use, and there is none" in str(told(fake % "InsufficientDriver"))
    assert "needs a GPU of NVIDIA, and there is none" in str(told(fake % "NoDevice"))


@pytest.mark.usefixtures("gpu")
def test_the_doctor_names_the_gpu(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("noughts.doctor.gpu", cuda.gpu)
    for arguments in (["doctor", "--json"], ["doctor"]):
        monkeypatch.setattr(sys, "argv", ["noughts", *arguments])
        with pytest.raises(SystemExit) as ended:
            main()
        assert ended.value.code in (0, None)
    told = capsys.readouterr().out
    facts, rest = json.JSONDecoder().raw_decode(told)
    assert facts["gpu"] == {"name": "Some GPU", "memory": 8 * 10**9, "free": 7 * 10**9, "driver": "13.0",
                            "cuda": "13.1", "cupy": "14.2.0"}  # fmt: skip
    assert facts["backends"]["cuda"] is None
    words = " ".join(told[rest:].split())
    assert "GPU Some GPU, 8 GB of memory, 7 GB free; CUDA 13.1 by CuPy 14.2.0, 13.0 by the driver" in words


# On a GPU


@pytest.mark.gpu
@needs_gpu
@pytest.mark.parametrize("packed", [False, True], ids=["bytes", "packed"])
@pytest.mark.parametrize("name", [*GAMES, "3x6k4e", "4x5k2m", "4x5k4", "4x5k3m"])
def test_the_gpu_makes_the_levels_of_the_native_core(name: str, packed: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cuda, "_fits", lambda _: not packed)
    game = Game.parse(name)
    ours, levels = finish(solving_in_memory(game, backend="cuda"))
    theirs, expected = finish(solving_in_memory(game, backend="native"))
    assert levels == expected
    assert ours.levels == theirs.levels
    assert ours.checksums == tuple(map(checksum, levels))


@pytest.mark.gpu
@needs_gpu
def test_a_solution_saved_by_the_gpu_is_the_same_file_for_file(tmp_path: Path) -> None:
    game = Game.parse("4x5k4")
    work = solving(game, save=tmp_path / "cuda", backend="cuda")
    for event in work:
        if isinstance(event, LevelDone) and event.counts.marks == 12:
            break
    work.close()
    assert 1 < len(files(tmp_path / "cuda")) < game.cells + 1
    solve(game, save=tmp_path / "cuda", backend="cuda")
    solve(game, save=tmp_path / "native", backend="native")
    assert files(tmp_path / "cuda") == files(tmp_path / "native")


@pytest.mark.gpu
@needs_gpu
@pytest.mark.slow
@pytest.mark.parametrize("name", ["5x5k4", "5x5k5m"])
def test_the_gpu_counts_what_the_native_core_counts(name: str) -> None:
    game = Game.parse(name)
    assert solve(game, backend="cuda").levels == solve(game, backend="native").levels
