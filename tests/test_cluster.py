"""Solving on a cluster: Dask's workers make the same bytes, in a folder or in a store, whoever dies meanwhile."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from noughts import Game
from noughts.progress import finish
from noughts.solve import Solution, solve, verify
from noughts.solve.by_parts import PartsAtWork
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
    from noughts.solve.cluster import connecting

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


def test_over_tcp_with_scheduler_and_workers_of_their_own(plain: Any, tmp_path: Path) -> None:
    def start(*arguments: str) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "distributed.cli.dask_" + arguments[0], *arguments[1:]]
        return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=tmp_path)

    told = tmp_path / "scheduler.json"
    processes = [
        start("scheduler", "--port", "0", "--host", "127.0.0.1", "--no-dashboard", "--scheduler-file", str(told))
    ]
    try:
        until = time.monotonic() + 60
        while not told.exists() and time.monotonic() < until:
            time.sleep(0.1)
        import json

        address = json.loads(told.read_text())["address"]
        worker = "worker", address, "--nthreads", "1", "--no-dashboard", "--no-nanny"
        processes += [start(*worker), start(*worker)]
        found = solve(GAME, save=tmp_path / "place", cluster=address, part=PART)
    finally:
        for process in processes:
            process.kill()
            process.wait()
    assert found.levels == plain.levels
    verify(tmp_path / "place")


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
    from noughts.solve.cluster import connecting

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
