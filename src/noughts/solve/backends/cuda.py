"""Solving on a GPU, through CuPy: the kernels of cuda.cu, compiled when they are first needed (extra cuda).

Everything around them, and all that is asked of a solution afterwards, is the native core's.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass
from functools import cache, partial
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from noughts import words
from noughts.native import core
from noughts.progress import Progress, from_callbacks
from noughts.rules.answer import Answer
from noughts.rules.game import Game
from noughts.solve.backends.native import MOST_ON_GPU, Native
from noughts.solve.machine import processors
from noughts.solve.problems import TooLarge

if TYPE_CHECKING:
    from noughts.solve.job import Job

SOURCE = Path(__file__).with_name("cuda.cu")
LEAST_CELLS = 22  # of a game that is solved here unasked: the core takes seconds, and a GPU about one to begin
BYTES_PER_SECOND = 3e10  # of an H200, about
START = 1.5  # seconds: CuPy, the device, the kernels
HOST = 500_000_000  # bytes of the machine's own memory: CuPy, the driver, what is on its way to the disk


class Cuda(Native):
    """A GPU that CUDA knows: boards of up to 28 cells, where marks do not fall."""

    name = "cuda"

    def absence(self) -> str | None:
        if core() is None:
            return "solving on a GPU needs the native core, which is not installed (noughts doctor says more)"
        return _absence()

    def gains(self, game: Game | None) -> bool:
        """Only a large game is worth the second that a GPU takes to begin."""
        return game is not None and not game.gravity and game.cells >= LEAST_CELLS

    def refusal(self, game: Game) -> str | None:
        from noughts.solve.gpu import DeviceStep, Tables, memory

        if game.gravity:
            return f"{game} is not solved on a GPU: marks fall there (--backend native solves it)"
        if game.cells > MOST_ON_GPU:
            return f"{game} has {game.cells} cells: a GPU takes at most {MOST_ON_GPU} (--scratch DIR solves it on disk)"
        if (needed := memory(game, packed=True)) > (free := gpu().free):
            return f"{game} takes {words.size(needed)} of the GPU's memory: free are {words.size(free)}"
        try:
            tables, size = Tables(game), DeviceSize()
            for x in range((game.cells + 1) // 2 + 1):
                DeviceStep.of(tables, size, x, packed=True)
        except TooLarge as problem:
            return f"{game} is too large for this GPU: {problem}"
        return None

    def threads(self, size: int, wanted: int | None) -> int:
        """The threads that count classes, and check what is saved."""
        return wanted or processors()

    def estimate(self, game: Game, size: int, threads: int) -> tuple[int, float]:
        sets = 2 << game.cells  # the index: bits, and words for the sets of X
        return HOST + sets, START + size / BYTES_PER_SECOND

    def device_memory(self, game: Game) -> int:
        from noughts.solve.gpu import memory

        return memory(game, packed=not _fits(game))

    def run(self, job: Job) -> Generator[Progress, None, int]:
        """Solve two levels at a time, those in which X has as many marks."""
        yield job.at_work(len(job.sizes) - 1)
        return (yield from from_callbacks(partial(_solve, job)))


def _fits(game: Game) -> bool:
    """Is there memory for levels that wait a code a byte? That is quicker than two."""
    from noughts.solve.gpu import memory

    return memory(game, packed=False) <= gpu().free


def _solve(job: Job, tell: Callable[[Progress], None]) -> int:
    from noughts.solve.gpu import DeviceRun, Tables

    run = DeviceRun(job, CupyDevice(Tables(job.game).words), tell, packed=not _fits(job.game))
    code = run.all()
    job.checksums.update(run.checksums)
    return code


# The device


@dataclass(frozen=True)
class Gpu(Answer):
    """The GPU that solves: its memory in bytes, and the versions of CUDA that the driver and CuPy have."""

    name: str
    memory: int
    free: int
    driver: str
    cuda: str
    cupy: str


@cache
def _absence() -> str | None:
    """What is missing of CuPy, a driver and a GPU; None if nothing is."""
    if find_spec("cupy") is None:
        return "solving on a GPU needs CuPy, which is not installed: pip install 'noughts[cuda]'"
    try:
        import cupy
    except ImportError as problem:
        return f"solving on a GPU needs CuPy, which cannot be loaded: {str(problem).strip().splitlines()[0]}"
    try:
        cupy.cuda.runtime.getDeviceCount()
        cupy.cuda.Device().use()
    except cupy.cuda.runtime.CUDARuntimeError as problem:
        no_driver = "InsufficientDriver" in str(problem)
        missing = "a driver of NVIDIA that CuPy can use" if no_driver else "a GPU of NVIDIA"
        return f"solving on a GPU needs {missing}, and there is none ({problem})"
    return None


def gpu() -> Gpu:
    """The GPU that solves; ask `Cuda.absence` first whether there is one."""
    import cupy

    device = cupy.cuda.Device()
    free, memory = device.mem_info
    name = cupy.cuda.runtime.getDeviceProperties(device.id)["name"].decode()
    pool = cupy.get_default_memory_pool()
    versions = (cupy.cuda.runtime.driverGetVersion(), cupy.cuda.runtime.runtimeGetVersion())
    driver, cuda = (f"{version // 1000}.{version % 1000 // 10}" for version in versions)
    return Gpu(name, memory, free + pool.free_bytes(), driver, cuda, cupy.__version__)


class DeviceSize:
    """How large the GPU is."""

    lanes = 32

    def __init__(self) -> None:
        import cupy

        properties = cupy.cuda.runtime.getDeviceProperties(cupy.cuda.Device().id)
        self.processors = int(properties["multiProcessorCount"])
        self.shared = int(properties["sharedMemPerBlockOptin"])


class CupyDevice(DeviceSize):
    """A GPU, as `noughts.solve.gpu` asks for it."""

    def __init__(self, words: int) -> None:
        import cupy
        import cupyx

        super().__init__()
        self._cupy, self._pinned = cupy, cupyx.empty_pinned
        source = SOURCE.read_text(encoding="utf-8")
        self._module = cupy.RawModule(code=source, options=("-std=c++17", f"-DWORDS={words}"))
        self._kernels: dict[str, Any] = {}
        self._copying = cupy.cuda.Stream(non_blocking=True)

    def empty(self, size: int) -> Any:
        """An array of so many bytes."""
        try:
            return self._cupy.empty(size, self._cupy.uint8)
        except self._cupy.cuda.memory.OutOfMemoryError as problem:
            raise MemoryError(str(problem)) from None

    def upload(self, data: Any) -> Any:
        """An array with these bytes."""
        return self._cupy.asarray(data).view(self._cupy.uint8)

    def fill(self, array: Any, byte: int) -> None:
        """Set all bytes of an array."""
        array.data.memset_async(byte, array.nbytes)

    def fetch(self, array: Any) -> Callable[[], Any]:
        """Begin to copy an array from the device, when all that was launched is done; the call waits for it."""
        computed = self._cupy.cuda.get_current_stream().record()
        self._copying.wait_event(computed)
        found = self._pinned(array.nbytes, "u1")
        found_at, size = found.ctypes.data, array.nbytes
        self._cupy.cuda.runtime.memcpyAsync(found_at, array.data.ptr, size, 2, self._copying.ptr)  # device to host
        copied = self._copying.record()

        def wait() -> Any:
            copied.synchronize()
            return found

        return wait

    def launch(self, kernel: str, threads: int, shared: int, groups: int, *arguments: Any) -> None:
        """DeviceRun a kernel, with at most so many groups at once."""
        found = self._kernels.get(kernel)
        if found is None:
            found = self._kernels[kernel] = self._module.get_function(kernel)
        if shared > found.max_dynamic_shared_size_bytes:
            found.max_dynamic_shared_size_bytes = shared
        number = self._cupy.uint64
        given = [number(0) if each is None else number(each) if isinstance(each, int) else each for each in arguments]
        found((groups,), (threads,), tuple(given), shared_mem=shared)
