"""Solving on disk: the tasks of `parts` in turn, within a limit of memory (`layout`); `ledger` keeps what was found.

The same work is handed to a cluster where one is given (`cluster`).
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from time import perf_counter
from typing import Any, ClassVar

from noughts import words
from noughts.native import core
from noughts.progress import Note, Progress
from noughts.rules.game import Game
from noughts.solve.backends.python import Backend
from noughts.solve.blocks import step_of, waiting_block
from noughts.solve.index import check_size, decode, index_of
from noughts.solve.job import Expected, Job
from noughts.solve.layout import SPARE, Layout, limit, schedule
from noughts.solve.ledger import Ledger, holding, keep_cut, start_code, steps, take_up
from noughts.solve.levelfile import zstd
from noughts.solve.machine import peak_rss_bytes, processors, rss_bytes
from noughts.solve.parts import PART, PartCut, PartWork, Record, find_part, keep_part, load, make_part
from noughts.solve.problems import InvalidSolve, TooLarge
from noughts.solve.store import is_remote
from noughts.solve.summary import Summary
from noughts.words import several


@dataclass(frozen=True)
class Traffic(Note):
    """What was read and written on the way, and why so much."""

    read: int = 0
    written: int = 0
    waited: int = 0  # bytes of the levels that had to wait
    stays: ClassVar[bool] = True


def in_turn(layout: Layout, ledger: Ledger) -> Generator[Progress, None, int]:
    """Make all parts in turn, each while the last is written, and return the code of the empty board."""
    work, job, once, most = ledger.work, ledger.job, 0, 0
    for x, there in steps(work, job):
        parts, count, room = dict[int, Any](), work.cut.count(x), layout.room(x)
        todo = [number for number in range(count) if work.record_name(x, number) not in there]
        records = [make_part(work, x, number) for number in range(count) if number not in todo]
        size = sum(step_of(work.game, x, work.plain).sizes()[:2])
        before, seen = sum(job.sizes[2 * x + 1 :]), set[int]()
        with ThreadPoolExecutor(1) as writer:
            written: Future[Record] | None = None
            for number, (drop, missing) in zip(
                todo, schedule([work.reads(x, each) for each in todo], room), strict=True
            ):
                for part in drop:
                    del parts[part]
                for part in missing:
                    parts[part], read = load(work, x, part)
                    ledger.read += read
                    once += read * (part not in seen)
                    seen.add(part)
                most = max(most, len(parts))
                made = find_part(work, x, number, parts.__getitem__)
                if written:
                    records.append(ledger.wrote(written))
                try:
                    written = writer.submit(keep_part, work, made)
                except RuntimeError as problem:  # the thread could not be started: there is no memory for its stack
                    raise MemoryError(str(problem)) from None
                del made
                yield ledger.tell(x, number + 1, before + work.cut.span(x, number).stop * size)
            if written:
                records.append(ledger.wrote(written))
        del parts
        yield from ledger.finish(x, records)
    code = start_code(job)
    ledger.clean()
    parts_of = several(max(work.cut.count(x) for x in range(work.cut.top + 1)), "part")
    times = ledger.read / max(once, 1)  # nothing, where little was left to do
    why = f" (what waited {times:.2f} times: of at most {parts_of} a level, {most:,} fit into memory)"
    yield Traffic(
        f"{work.game}: {words.size(ledger.read)} read{why if once else ''}, {words.size(ledger.written)} written",
        read=ledger.read, written=ledger.written, waited=once,
    )  # fmt: skip
    return code


def solving_in_parts(
    game: Game, place: str, *, keeps: bool, threads: int | None = None, memory: int | None = None,
    compress: bool = False, backend: str | None = None, cluster: Any = None, part: int | None = None,
) -> Generator[Progress, None, Summary]:  # fmt: skip
    """Solve a game in parts, in turn or on a cluster: what `noughts.solve.strong.solving` does where it must."""
    if backend not in (None, "native", "python"):
        raise InvalidSolve(f"the backend {backend} does not solve in parts: native and python do")
    if game.gravity:
        raise InvalidSolve(f"{game} is solved in memory only: marks fall there, and its levels have no parts")
    began, plain = perf_counter(), backend == "python" or core() is None
    if plain and (refusal := Backend().refusal(game)):
        raise TooLarge(refusal)
    check_size(game)
    if compress:
        zstd()  # complain now, not after the work
    many = 1 if cluster is not None or plain else threads or processors()
    with holding(place), connected(cluster) as client:
        if client is None:
            layout = Layout.of(game, limit(memory), keeps=keeps, threads=many, part=part or PART)
        else:
            layout = Layout(PartCut.of(game, part or PART), limit(memory), keeps, many)
        chosen = layout.cut
        work = keep_cut(PartWork(chosen, place, keeps, compress, many, plain))
        layout = replace(layout, cut=work.cut)
        job = Job(game, many, [])
        take_up(work, job)
        ledger = Ledger(work, job)
        if len(job.levels) <= game.cells:
            name = "cluster" if client is not None else "python" if plain else "native"
            yield _expected(layout, work, name)
            if client is None:
                if work.cut != chosen and (needed := layout.needs()) > layout.memory:
                    raise TooLarge(
                        f"{place} is cut into parts that take {words.size(needed)} of memory; the limit is "
                        f"{words.size(layout.memory)}: choose another folder"
                    )
                code = yield from in_turn(layout, ledger)
            else:
                from noughts.solve.cluster import on_cluster

                code = yield from on_cluster(ledger, client)
        else:
            code = start_code(job)
            ledger.clean()
    value = decode(code, 0, game.cells)
    assert value is not None
    levels = tuple(job.levels[marks] for marks in sorted(job.levels))
    sums = tuple(job.checksums[marks] for marks in sorted(job.checksums))
    name = "cluster" if cluster is not None else "python" if plain else "native"
    seconds, traffic = perf_counter() - began, (ledger.read, ledger.written)
    return Summary(game, value, levels, seconds, peak_rss_bytes(), name, many, sums, *traffic)


@contextmanager
def connected(cluster: Any) -> Iterator[Any]:
    """The client of a cluster: a client as it is, a name by connecting to it, None for none."""
    if not isinstance(cluster, str):
        yield cluster
        return
    from noughts.solve.cluster import connecting

    with connecting(cluster) as client:
        yield client


def _expected(layout: Layout, work: PartWork, backend: str) -> Expected:
    """What it will take; TooLarge if there is less disk."""
    from noughts.solve.backends import BACKENDS

    game, sizes = work.game, index_of(work.game).level_bytes()
    total = sum(sizes)
    _, seconds = BACKENDS["python" if work.plain else "native"].estimate(game, total, work.threads)
    waits = [0, *(waiting_block(game, 2 * x - 1) * work.cut.blocks[x] for x in range(1, work.cut.top + 1))]
    most = max(map(sum, pairwise(waits)))  # one level is read while the one below it is made
    disk = total + total // 1000 if work.keeps else most
    if work.compress:
        disk //= 5 if work.keeps else 3  # on the safe side; two codes in a byte leave zstd less to do
    own = rss_bytes() + SPARE + most + 4 * PART  # no more than if nothing had to go
    memory = min(layout.memory, own) if backend != "cluster" else 0
    expected = Expected(f"solving {game}", 0, total, game, memory, disk, seconds, backend, work.threads)
    if not is_remote(work.place) and not work.store.names().difference(("lock", "cut.json")):
        expected.require(layout.memory, Path(work.place))
    return expected
