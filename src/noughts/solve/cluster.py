"""Solving on a cluster: the tasks of `parts`, handed to Dask (extra cluster). The scheduler is Dask's, all of it.

    with connecting("local:4") as client: ...              a scheduler and four workers on this machine
    with connecting("tcp://10.0.0.5:8786") as client: ...  one that is there

Workers share nothing but a store. What a worker has written stays when it dies: only the part at work is made again.
The tasks of a step are handed out together, and the next step begins when all are done.
"""

from __future__ import annotations

import logging
import os
from collections import OrderedDict
from collections.abc import Generator, Iterator
from concurrent.futures import CancelledError
from contextlib import contextmanager
from threading import Lock
from time import monotonic, sleep
from typing import Any

from noughts import words
from noughts.native import core
from noughts.progress import Note, Progress
from noughts.solve.blocks import step_of
from noughts.solve.ledger import Ledger, start_code, steps
from noughts.solve.parts import PartWork, Record, load, make_part
from noughts.solve.problems import ClusterError, DatabaseError, InvalidSolve
from noughts.words import about, brief, several

ATTEMPTS = 1000  # at a part whose workers die
PATIENCE = 30  # seconds until the first worker must have come
ANSWER = 2.0  # seconds for an answer to travel
MOMENT, ROUND = 0.005, 5.0  # seconds between two looks at what is done, and at the workers
LOST = "60s"  # until a local cluster gives up a worker that has died: on a busy machine a new one takes long to start
SHELF = 1 << 29  # bytes of parts that a worker keeps, since its next task may read them too
MOST_LOCAL = 256  # workers of a local cluster


# On a worker

_shelf: OrderedDict[tuple[str, int, int], Any] = OrderedDict()
_shelf_lock = Lock()


def _take(work: PartWork, x: int, number: int) -> Any:
    """A part of level 2x + 1, from the shelf or from the store."""
    key = (work.place, x, number)
    with _shelf_lock:
        if key in _shelf:
            _shelf.move_to_end(key)
            return _shelf[key]
    part, _ = load(work, x, number)
    with _shelf_lock:
        for other in [each for each in _shelf if each[:2] != key[:2]]:  # of a step that is over
            del _shelf[other]
        _shelf[key] = part
        while len(_shelf) > 1 and sum(map(len, _shelf.values())) > SHELF:
            _shelf.popitem(last=False)
    return part


def run_task(work: PartWork, x: int, number: int, version: str) -> Record:
    """Make a part on a worker; ClusterError names a worker that cannot."""
    if (own := own_version(plain=work.plain)) != version:
        raise ClusterError(f"the worker {_address()} has {own}, and this is {version}: install the same on both")
    try:
        return make_part(work, x, number, lambda part: _take(work, x, part))
    except FileNotFoundError as problem:
        name = os.path.basename(str(problem.filename or problem))  # noqa: PTH119
        raise ClusterError(
            f"the worker {_address()} does not find {name} in {work.place}: do all workers share that place?"
        ) from None
    except DatabaseError as problem:
        raise ClusterError(f"the worker {_address()} gave up: {problem}") from None


def greet(place: str, name: str, version: str, *, plain: bool) -> str:
    """What keeps a worker from solving; nothing if it can."""
    from noughts.solve.store import open_store

    own = own_version(plain=plain)
    if own != version:
        return f"has {own}, and this is {version}: install the same on both"
    try:
        store = open_store(place)
        store.read(name)
        mine = f"{name}-{os.getpid()}{os.urandom(4).hex()}"
        store.write(mine, b"here")
        store.remove(mine)
    except FileNotFoundError:
        return f"does not see {place}: all workers must share that place"
    except (OSError, DatabaseError) as problem:
        return f"cannot use {place}: {problem}"
    return ""


def own_version(*, plain: bool = False) -> str:
    """What must be the same everywhere for the same bytes.

    >>> own_version(plain=True).split()[0]
    'noughts'
    """
    from importlib.metadata import version

    return f"noughts {version('noughts')} {'with' if core() and not plain else 'without'} the native core"


def _address() -> str:
    from distributed import get_worker

    try:
        return str(get_worker().address)
    except ValueError:
        return "in this process"


# At the client


@contextmanager
def connecting(where: str) -> Iterator[Any]:
    """A client of the cluster of this name: local:N, or the address of a scheduler."""
    try:
        import dask
        import distributed
    except ImportError:
        raise InvalidSolve("a cluster needs dask.distributed: pip install 'noughts[cluster]'") from None
    kind, _, rest = where.partition(":")
    if kind == "local":
        if not rest.isdecimal() or not 1 <= int(rest[:6]) <= MOST_LOCAL:
            raise InvalidSolve(f"a local cluster has 1 to {MOST_LOCAL} workers, as in local:4, not {brief(where)}")
        # However often workers die, the part is made again: nothing of ours makes them die.
        with (
            dask.config.set(
                {"distributed.scheduler.allowed-failures": ATTEMPTS, "distributed.deploy.lost-worker-timeout": LOST}
            ),
            distributed.LocalCluster(
                n_workers=int(rest), threads_per_worker=1, memory_limit=0, dashboard_address=":0", silence_logs=50
            ) as cluster,
            distributed.Client(cluster) as client,
        ):
            yield client
        return
    if "://" not in where:
        raise InvalidSolve(
            f"a cluster is local:N or the address of a scheduler, as in tcp://host:8786, not {brief(where)}"
        )
    try:
        client = distributed.Client(where, timeout=10)
    except (OSError, ValueError) as problem:
        raise ClusterError(f"there is no scheduler at {where}: {str(problem).splitlines()[0]}") from None
    for name in [name for name in logging.root.manager.loggerDict if name.startswith("distributed")]:
        logging.getLogger(name).setLevel(logging.CRITICAL)  # a lost scheduler is told below, in a sentence
    with client:
        try:
            yield client
        except (distributed.comm.core.CommClosedError, CancelledError):
            raise ClusterError(f"the scheduler at {where} is gone: with a new one the same command goes on") from None


def meet(work: PartWork, client: Any) -> str:
    """See that every worker can do its part, or say which cannot; the version that all have."""
    version, name = own_version(plain=work.plain), f"hello-{os.urandom(4).hex()}"
    try:
        client.wait_for_workers(1, timeout=PATIENCE)
    except TimeoutError:
        raise ClusterError(f"no worker has come to {client.scheduler.address} within {PATIENCE} seconds") from None
    work.store.write(name, b"hello")
    try:
        for address, problem in client.run(
            greet, work.place, name, version, plain=work.plain, on_error="return"
        ).items():
            if "No module named 'noughts" in str(problem):  # as Dask tells of it
                problem = "has no noughts: install the same as here"
            if problem and not isinstance(problem, OSError):  # else it has died, and its tasks ask the next one
                cannot = "cannot take part: " if isinstance(problem, Exception) else ""
                raise ClusterError(f"the worker {address} {cannot}{problem}")
    finally:
        work.store.remove(name)
    return version


class Crew:
    """The workers of a client while it waits for them."""

    def __init__(self, client: Any) -> None:
        self.client, self._seen, self._alone = client, monotonic(), False

    def look_after(self) -> Iterator[Progress]:
        """Wait a moment; now and then put back the workers that a local cluster has lost, and say if there are none."""
        from distributed import LocalCluster, Status

        sleep(MOMENT)
        if monotonic() - self._seen < ROUND:
            return
        self._seen, cluster = monotonic(), self.client.cluster
        if isinstance(cluster, LocalCluster):  # it gives up a worker that died while it started, and forgets it
            for name, worker in list(cluster.workers.items()):
                if worker.status in (Status.closed, Status.failed):
                    cluster.workers.pop(name, None)
            cluster.scale(len(cluster.worker_spec))
        alone = not self.client.scheduler_info()["workers"]
        if alone and not self._alone:
            yield Note(f"no worker is left at {self.client.scheduler.address}: waiting until one comes")
        self._alone = alone


def on_cluster(ledger: Ledger, client: Any) -> Generator[Progress, None, int]:
    """Have all parts made by the workers of a client, and return the code of the empty board."""
    from distributed import KilledWorker, as_completed

    work, job = ledger.work, ledger.job
    version, crew, began = meet(work, client), Crew(client), monotonic()
    token = os.urandom(4).hex()  # the name of a task is new in each solve, so that nothing old is taken for it
    for x, _ in steps(work, job):
        count, sizes = work.cut.count(x), step_of(work.game, x, work.plain).sizes()
        levels = " and ".join(map(str, work.cut.levels(x)))

        def submit(number: int, attempt: int, x: int = x, levels: str = levels) -> Any:
            key = (f"level {levels} of {work.game}", number, attempt, token)
            future = client.submit(run_task, work, x, number, version, key=key, pure=False)
            future.task = number, attempt
            return future

        records: dict[int, Record] = {}
        waiting = as_completed([submit(number, 0) for number in range(count)])
        before = sum(job.sizes[2 * x + 1 :])
        while not waiting.is_empty():
            ready = waiting.next_batch(block=False)
            if not ready:
                yield from crew.look_after()
            for future in ready:
                number, attempt = future.task
                try:
                    record: Record = future.result(timeout=ANSWER)
                except TimeoutError:  # its worker died before it could tell: whoever comes tells it from the store
                    waiting.add(future)
                    yield from crew.look_after()
                    continue
                except KilledWorker:
                    if attempt + 1 >= ATTEMPTS:
                        raise ClusterError(f"part {number} of level {levels} has killed {ATTEMPTS} workers") from None
                    waiting.add(submit(number, attempt + 1))
                    continue
                records[number] = record
                before += len(work.cut.span(x, number)) * (sizes[0] + sizes[1])
                ledger.add(record)
                future.release()
                yield ledger.tell(x, len(records), before)
        yield from ledger.finish(x, list(records.values()))
    code = start_code(job)
    ledger.clean()
    yield Note(
        f"{work.game}: {words.size(ledger.read)} taken by tasks, {words.size(ledger.written)} written, by "
        f"{several(len(client.scheduler_info()['workers']), 'worker')} in {about(monotonic() - began)}"
    )
    return code
