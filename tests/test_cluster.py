"""Solving on a cluster: Dask's workers make the same bytes, in a folder or in a store, whoever dies meanwhile."""

from __future__ import annotations

import errno
import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any

import pytest

from noughts import Game
from noughts.files import write_whole
from noughts.progress import Note, finish
from noughts.solve import Solution, atlas, solve, verify
from noughts.solve.cluster import connecting, run_task
from noughts.solve.ledger import PartsAtWork
from noughts.solve.parts import PartCut, PartWork
from noughts.solve.problems import ClusterError, DatabaseError, InvalidSolve, StoreError
from noughts.solve.store import open_store
from noughts.solve.strong import solving

NEEDS = "Dask is not installed: make cluster runs these tests in an environment that has it"
distributed = pytest.importorskip("distributed", reason=NEEDS)
fsspec = pytest.importorskip("fsspec", reason=NEEDS)
pytest.importorskip("noughts._core", reason="the native core is not installed")
pytestmark = [
    pytest.mark.filterwarnings("default"),  # what Dask and its libraries warn of is theirs
    pytest.mark.skipif(sys.platform != "linux", reason="processes and signals as on Linux"),
]

GAME = Game.parse("4x4k4")
PART = 100_000


@pytest.fixture(scope="module")
def plain() -> Any:
    return solve(GAME)


@pytest.fixture(scope="module")
def levels() -> list[bytes]:
    return [bytes(level) for level in Solution.solve(GAME).levels]


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    with connecting("local:2") as found:
        yield found


def saved(place: str | Path) -> list[bytes]:
    with Solution.open(place) as solution:
        return [bytes(level.read(0, len(level))) for level in solution.levels]  # type: ignore[union-attr]


def test_a_cluster_makes_the_same_bytes(client: Any, plain: Any, levels: list[bytes], tmp_path: Path) -> None:
    found = solve(GAME, save=tmp_path, cluster=client, part=PART)
    assert (found.levels, found.backend) == (plain.levels, "cluster")
    assert saved(tmp_path) == levels
    verify(tmp_path)


def test_scratch_on_a_cluster_leaves_nothing(client: Any, plain: Any, tmp_path: Path) -> None:
    found = solve(GAME, scratch=tmp_path / "scratch", cluster=client, part=PART)
    assert found.levels == plain.levels
    assert not (tmp_path / "scratch").exists()


def test_a_solution_by_any_client(client: Any, levels: list[bytes]) -> None:
    solution = Solution.solve(GAME, cluster=client, part=PART)
    assert [bytes(level) for level in solution.levels] == levels
    assert solution[GAME.start()].outcome == "tie"


def test_tasks_have_names_that_mean_something(client: Any, tmp_path: Path) -> None:
    seen: set[str] = set()
    for event in solving(GAME, scratch=tmp_path / "scratch", cluster=client, part=PART):
        if isinstance(event, PartsAtWork):
            seen.update(str(name) for name in client.run_on_scheduler(_prefixes))
    assert any("level 8 and 7 of 4x4k4" in name for name in seen), seen


def _prefixes(dask_scheduler: Any) -> list[str]:
    return [str(name) for name in dask_scheduler.task_prefixes]


def test_a_worker_that_dies_costs_only_its_part(client: Any, plain: Any, tmp_path: Path) -> None:
    done, killed = threading.Event(), []

    def kill() -> None:
        while not done.wait(0.4) and len(killed) < 4:
            pids = [pid for pid in client.run(os.getpid, on_error="ignore").values() if pid]
            if pids and not done.is_set():
                os.kill(pids[0], signal.SIGKILL)
                killed.append(pids[0])

    thread = threading.Thread(target=kill, daemon=True)
    thread.start()
    try:
        for number in range(20):  # until it was killed in time
            found = solve(GAME, scratch=tmp_path / str(number), cluster=client, part=10_000)
            assert found.levels == plain.levels
            if killed:
                break
    finally:
        done.set()
        thread.join()
    assert killed


def test_without_a_worker_it_waits_and_says_so(plain: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Even a local cluster that has forgotten its workers gets them back."""
    monkeypatch.setattr("noughts.solve.cluster.ROUND", 0.1)
    with connecting("local:1") as client:
        lost, notes = False, []
        work = solving(GAME, scratch=tmp_path, cluster=client, part=20_000)
        while True:
            try:
                event = next(work)
            except StopIteration as end:
                found = end.value
                break
            notes += [str(event)] if isinstance(event, Note) else []
            if not lost and isinstance(event, PartsAtWork):
                lost = True
                for nanny in list(client.cluster.workers.values()):
                    client.sync(nanny.close)
                client.cluster.workers.clear()
    assert found.levels == plain.levels
    assert any(note.startswith("no worker is left at tcp://") for note in notes), notes


def test_a_client_that_dies_comes_back(client: Any, plain: Any, levels: list[bytes], tmp_path: Path) -> None:
    work = solving(GAME, save=tmp_path, cluster=client, part=20_000)
    parts = 0
    for event in work:
        parts += isinstance(event, PartsAtWork)
        if parts == 25:
            work.close()
            break
    assert list(tmp_path.glob("step-*"))
    assert solve(GAME, save=tmp_path, cluster=client).levels == plain.levels
    assert saved(tmp_path) == levels


@contextmanager
def over_tcp(folder: Path, workers: int = 2, **environment: str) -> Iterator[str]:
    """The address of a scheduler that is a process of its own, and so are its workers."""

    def start(kind: str, *arguments: str) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "distributed.cli.dask_" + kind, *arguments]
        nowhere, own = subprocess.DEVNULL, {**os.environ, **(environment if kind == "worker" else {})}
        return subprocess.Popen(command, stdout=nowhere, stderr=nowhere, cwd=folder, env=own)

    told = folder / "scheduler.json"
    where = "--host", "127.0.0.1", "--no-dashboard"
    processes = [start("scheduler", *where, "--port", "0", "--scheduler-file", str(told))]
    try:
        until = time.monotonic() + 60
        while not told.exists() and time.monotonic() < until:
            time.sleep(0.1)
        address = json.loads(told.read_text())["address"]
        processes += [start("worker", address, "--nthreads", "1", "--no-nanny", *where) for _ in range(workers)]
        yield address
    finally:
        for process in processes:
            process.kill()
            process.wait()


def test_over_tcp_with_scheduler_and_workers_of_their_own(plain: Any, tmp_path: Path) -> None:
    with over_tcp(tmp_path) as address:
        found = solve(GAME, save=tmp_path / "place", cluster=address, part=PART)
    assert found.levels == plain.levels
    verify(tmp_path / "place")


@pytest.mark.slow
@pytest.mark.parametrize("name", ["4x5k4", "5x5k4"])
@pytest.mark.parametrize("where", ["local:2", "tcp"])
def test_large_games_are_counted_rightly(name: str, where: str, tmp_path: Path) -> None:
    game = Game.parse(name)
    with over_tcp(tmp_path) if where == "tcp" else nullcontext(where) as cluster:
        found = solve(game, scratch=tmp_path / "place", cluster=cluster)
    row = atlas.load()[game]
    assert [found.to_json()[fact] for fact in atlas.FACTS] == [getattr(row, fact) for fact in atlas.FACTS]


# Stores


def test_a_store_in_memory(levels: list[bytes]) -> None:
    solve(GAME, save="memory://noughts/4x4k4", part=PART)
    assert saved("memory://noughts/4x4k4") == levels
    verify("memory://noughts/4x4k4")
    with Solution.open("memory://noughts/4x4k4") as solution:
        assert solution[GAME.start()].outcome == "tie"


def test_a_folder_through_fsspec(levels: list[bytes], tmp_path: Path) -> None:
    tmp_path.joinpath("place").mkdir()
    solve(GAME, save=f"file://{tmp_path}/place", part=PART)
    assert saved(tmp_path / "place") == levels


@pytest.fixture(scope="module")
def bucket() -> Iterator[str]:
    pytest.importorskip("s3fs", reason=NEEDS)
    server_module = pytest.importorskip("moto.server", reason="moto, which stands in for S3, is not installed")
    server = server_module.ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    before = dict(os.environ)
    os.environ.update(
        AWS_ACCESS_KEY_ID="testing", AWS_SECRET_ACCESS_KEY="testing", AWS_DEFAULT_REGION="us-east-1",
        AWS_ENDPOINT_URL=f"http://{host}:{port}",
    )  # fmt: skip
    try:
        import s3fs

        s3fs.S3FileSystem().mkdir("noughts")
        yield "s3://noughts"
    finally:
        os.environ.clear()
        os.environ.update(before)
        server.stop()


def test_a_store_like_s3(bucket: str, plain: Any, levels: list[bytes]) -> None:
    """A real server, and workers that are processes of their own: they share nothing but the bucket."""
    with connecting("local:2") as client:
        found = solve(GAME, save=f"{bucket}/4x4k4", cluster=client, part=PART)
    assert found.levels == plain.levels
    assert saved(f"{bucket}/4x4k4") == levels
    assert not any(name.startswith(("step-", "cut", "hello")) for name in open_store(f"{bucket}/4x4k4").names())


def test_a_bucket_that_is_not_there_is_one_sentence(bucket: str) -> None:
    with pytest.raises((StoreError, DatabaseError), match="s3://no-such-bucket/x cannot be"):
        solve(GAME, save="s3://no-such-bucket/x", part=PART)


# What can be wrong


def test_a_worker_that_does_not_see_the_folder_is_named(client: Any) -> None:
    with pytest.raises(ClusterError, match=r"the worker tcp://.* does not see memory://only-here"):
        solve(GAME, save="memory://only-here/x", cluster=client, part=PART)


def test_another_version_is_named(client: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("noughts.solve.cluster.own_version", lambda *, plain=False: "noughts 9.9 with the native core")
    with pytest.raises(ClusterError, match=r"the worker tcp://.* has noughts .*, and this is noughts 9\.9"):
        solve(GAME, save=tmp_path, cluster=client, part=PART)


def test_a_worker_without_the_native_core_is_named(tmp_path: Path) -> None:
    with (
        over_tcp(tmp_path, 1, NOUGHTS_NATIVE="0", NOUGHTS_REQUIRE_NATIVE="") as address,
        pytest.raises(ClusterError) as refused,
    ):
        solve(GAME, save=tmp_path / "place", cluster=address, part=PART)
    assert re.fullmatch(
        r"the worker tcp://\S+ has noughts \S+ without the native core, and this is noughts \S+ with the native core: "
        "install the same on both",
        str(refused.value),
    )


def test_what_else_keeps_a_worker_from_its_part_is_told(tmp_path: Path) -> None:
    with (
        over_tcp(tmp_path, 1, NOUGHTS_NATIVE="0", NOUGHTS_REQUIRE_NATIVE="1") as address,
        pytest.raises(ClusterError, match=r"^the worker tcp://\S+ cannot take part: .*NOUGHTS_REQUIRE_NATIVE is set"),
    ):
        solve(GAME, save=tmp_path / "place", cluster=address, part=PART)


WITHOUT = """
import sys

class Without:
    def find_spec(self, name, *_):
        if name.partition(".")[0] == "noughts":
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Without())
"""


def test_a_worker_without_noughts_is_named(tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(WITHOUT)  # Python runs it when it starts
    with (
        over_tcp(tmp_path, 1, PYTHONPATH=str(tmp_path)) as address,
        pytest.raises(ClusterError, match=r"^the worker tcp://\S+ has no noughts: install the same as here$"),
    ):
        solve(GAME, save=tmp_path / "place", cluster=address, part=PART)


def test_a_worker_that_comes_late_with_another_version_is_named(tmp_path: Path) -> None:
    work = PartWork(PartCut.of(GAME, PART), str(tmp_path), keeps=True)
    with pytest.raises(ClusterError, match=r"the worker in this process has noughts .*, and this is noughts 9\.9"):
        run_task(work, work.cut.top, 0, "noughts 9.9 with the native core")


@pytest.fixture
def in_this_process() -> Iterator[Any]:
    """A cluster whose worker can be given a disk of the worst kind."""
    with (
        distributed.LocalCluster(
            n_workers=1, threads_per_worker=1, processes=False, dashboard_address=":0", silence_logs=50
        ) as cluster,
        distributed.Client(cluster) as found,
    ):
        yield found


@pytest.mark.parametrize(
    ("kind", "what", "sentence"),
    [
        (errno.ENOSPC, "part-", "gave up: {} cannot be written: No space left on device"),
        (errno.EROFS, "hello-", "cannot use {}: {} cannot be written: Read-only file system"),
    ],
)
def test_a_folder_that_is_full_or_cannot_be_written_by_a_worker_is_named(
    kind: int, what: str, sentence: str, in_this_process: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(part: Path, final: Path, pieces: Any, *, lasts: bool) -> None:
        if final.name.startswith(what) and threading.current_thread() is not threading.main_thread():
            raise OSError(kind, os.strerror(kind))
        write_whole(part, final, pieces, lasts=lasts)

    monkeypatch.setattr("noughts.solve.store.write_whole", fail)
    expected = sentence.format(*[re.escape(str(tmp_path))] * 2)
    with pytest.raises(ClusterError, match=rf"^the worker \S+ {expected}$"):
        solve(GAME, save=tmp_path, cluster=in_this_process, part=PART)


def test_a_store_that_is_full_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    from fsspec.implementations.memory import MemoryFileSystem

    def full(*_: Any, **__: Any) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(MemoryFileSystem, "pipe_file", full)
    with pytest.raises(StoreError, match=r"^memory://full/x cannot be written: .*No space left on device$"):
        solve(GAME, save="memory://full/x", part=PART)


def test_a_place_that_cannot_be_written_is_named(client: Any, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(DatabaseError, match="file cannot be written"):
        solve(GAME, save=tmp_path / "file", cluster=client, part=PART)


@pytest.mark.parametrize("where", ["local:0", "local:x", "local:999999999", "host", ""])
def test_a_cluster_that_makes_no_sense(where: str, tmp_path: Path) -> None:
    with pytest.raises(InvalidSolve, match="cluster"):
        solve(GAME, scratch=tmp_path, cluster=where, part=PART)


def test_a_scheduler_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(ClusterError, match=r"there is no scheduler at tcp://127\.0\.0\.1:9"):
        finish(solving(GAME, scratch=tmp_path, cluster="tcp://127.0.0.1:9", part=PART))
