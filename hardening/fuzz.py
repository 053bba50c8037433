"""Fuzzing: `python hardening/fuzz.py [TARGET ...] [--seconds N]` tries out inputs until the time is up.

A target is fuzz_NAME.py: `made(rng)` makes the bytes of an input, `law(data)` tries it, raises if a law is broken and
tells in a word how it ended. Where they are needed, `around()` is a context that holds for all inputs, `figures()`
tells what it has seen, and LONGEST is how many seconds an input may take. One that says STEERED is driven by atheris
towards new code of the modules of that name, for two thirds of the time.

Each target runs in a process of its own, which writes each input down before it tries it: whatever ends that process
(a broken law, a fault, a signal, silence) leaves the input in build/fuzz, and `--replay FILE` tries it again.
"""

from __future__ import annotations

import argparse
import ctypes
import faulthandler
import gc
import hashlib
import importlib
import os
import random
import re
import resource
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from contextlib import nullcontext, suppress
from importlib.util import find_spec
from pathlib import Path
from types import FunctionType
from typing import Any

from commands import ROOT
from fuzzing import HERE
from laws import require
from record import failure, record

FOUND = ROOT / "build" / "fuzz"
TARGETS = sorted(path.stem.removeprefix("fuzz_") for path in HERE.glob("fuzz_*.py"))
ENOUGH = 600  # seconds after which "nothing found" says something
SILENCE = 300  # seconds for one input, on a busy machine: after that the target hangs
PATIENCE = 30  # seconds of processor time for one input
MEMORY = 6 << 30  # bytes of addresses, for each process


def child(name: str, seconds: float, seed: int) -> None:
    """The target's process: tries inputs until the time is up, and tells how they ended."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)  # PR_SET_CHILD_SUBREAPER: what others leave becomes its child, and is seen
    target, rng, ends = importlib.import_module(f"fuzz_{name}"), random.Random(seed), Counter[str]()
    steered = find_spec("atheris") and getattr(target, "STEERED", None)
    kept = os.open(FOUND / f"{name}.input", os.O_WRONLY)

    def tried(data: bytes) -> None:
        os.pwrite(kept, data, 0)
        os.ftruncate(kept, len(data))
        faulthandler.dump_traceback_later(SILENCE, exit=True)
        before, work = time.monotonic(), time.process_time()
        ends[target.law(data)] += 1
        took, worked = time.monotonic() - before, time.process_time() - work
        in_time = took < getattr(target, "LONGEST", SILENCE) and worked < PATIENCE
        require(in_time, f"it took {took:.0f} s, {worked:.0f} s of processor time")

    def tell() -> None:
        took, count = time.monotonic() - began, ends.total()
        each = ", ".join(f"{number:,} {end}" for end, number in ends.most_common())
        more = f"; {target.figures()}" if hasattr(target, "figures") else ""
        print(f"\nFIGURES {count:,} executions, {count / took:,.1f}/s: {each}{more}", flush=True)

    with getattr(target, "around", nullcontext)():
        began = time.monotonic()
        while not ends or time.monotonic() - began < seconds / (3 if steered else 1):
            tried(target.made(rng))
        if steered:
            steer(name, target, tried, began + seconds, tell)
        faulthandler.cancel_dump_traceback_later()
    tell()


def steer(name: str, target: Any, tried: Callable[[bytes], None], end: float, tell: Callable[[], None]) -> None:
    """Let atheris choose the inputs; ends this process."""
    import atheris

    def run(data: bytes) -> None:
        if time.monotonic() > end:
            tell()
            os._exit(0)
        tried(data)

    for each in gc.get_objects():
        if isinstance(each, FunctionType) and str(each.__module__).startswith(target.STEERED):
            atheris.instrument_func(each)
    corpus = FOUND / f"corpus-{name}"
    corpus.mkdir(exist_ok=True)
    for number in range(100):
        (corpus / f"{number:03}").write_bytes(target.made(random.Random(number)))
    limits = ["-rss_limit_mb=4000", "-max_len=4096", f"-artifact_prefix={FOUND}/", "-verbosity=1"]
    atheris.Setup([sys.argv[0], *limits, str(corpus)], run)
    atheris.Fuzz()


def watch(name: str, seconds: float, seed: int) -> tuple[bool, str]:
    """Run a target; whether nothing was found, and the figures or what was found."""
    FOUND.mkdir(parents=True, exist_ok=True)
    current, log = FOUND / f"{name}.input", FOUND / f"{name}.log"
    current.write_bytes(b"")
    words = [sys.executable, __file__, name, "--child", "--seconds", str(seconds), "--seed", str(seed)]
    with log.open("wb") as file:
        done = subprocess.Popen(words, stdout=file, stderr=file, stdin=subprocess.DEVNULL, start_new_session=True)
        done.wait()
    with suppress(ProcessLookupError):  # whatever it has left
        os.killpg(done.pid, signal.SIGKILL)
    said = log.read_text(encoding="utf-8", errors="replace")
    figures = re.findall(r"^FIGURES (.*)$", said, re.MULTILINE)
    if done.returncode == 0 and figures:
        reached = re.findall(r"cov: (\d+) ft: \d+ corp: (\d+)/", said)
        steps = "; steered to {} branches by {} inputs".format(*reached[-1]) if reached else ""
        return True, figures[-1] + steps
    data = current.read_bytes()
    kept = FOUND / f"{name}-{hashlib.sha256(data).hexdigest()[:12]}.input"
    kept.write_bytes(data)
    kept.with_suffix(".log").write_text(said, encoding="utf-8")
    raised = r"(?!INFO|SUMMARY|ERROR|WARNING|MS|Base64)([a-z_]+\.)*[A-Z]\w*(: |$)|Timeout"
    lines = [line for line in said.splitlines() if re.match(raised, line)]
    law = lines[-1] if lines else f"ended with {done.returncode}"
    return False, f"{law[:2000]}\n  again: python hardening/fuzz.py {name} --replay {kept}\n{said[-3000:]}"


def main() -> int:
    """Run the targets that the command line names, or all."""
    parser = argparse.ArgumentParser(description="Try out inputs until the time is up.")
    parser.add_argument("targets", nargs="*", metavar="TARGET", help=f"of {', '.join(TARGETS)}; all unless named")
    parser.add_argument("--seconds", type=float, default=60, help="for each target")
    parser.add_argument("--seed", type=int, default=int(time.time()), help="of the chance; the clock's unless given")
    parser.add_argument("--replay", type=Path, help="try the input in this file again, with the one target named")
    parser.add_argument("--record", action="store_true", help="write the result into docs/quality.md")
    parser.add_argument("--child", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if unknown := [name for name in given.targets if name not in TARGETS]:
        parser.error(f"there is no target {unknown[0]}: there are {', '.join(TARGETS)}")
    if given.child:
        child(given.targets[0], given.seconds, given.seed)
        return 0
    if given.replay:
        if len(given.targets) != 1 or not given.replay.is_file():
            parser.error(f"--replay needs a file, and the one target that it is for, of {', '.join(TARGETS)}")
        target = importlib.import_module(f"fuzz_{given.targets[0]}")
        with getattr(target, "around", nullcontext)():
            print(f"{given.targets[0]}: nothing found, {target.law(given.replay.read_bytes())}")
        return 0
    good = True
    for name in given.targets or TARGETS:
        print(f"{name}: {given.seconds:g} s, seed {given.seed}", flush=True)
        fine, says = watch(name, given.seconds, given.seed)
        print(f"{name}: {says}, nothing found" if fine else f"{name}: FOUND: {says}", flush=True)
        good &= fine
        if given.record and (given.seconds >= ENOUGH or not fine):
            record(f"fuzz TARGET={name}", f"{given.seconds:g} s, nothing found: {says}" if fine else failure(says))
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
