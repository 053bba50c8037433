"""Fuzzing: `python hardening/fuzz.py [TARGET ...] [--seconds N]` tries out inputs until the time is up.

A target (fuzz_NAME.py) has a class `Target`: `input(rng)` makes an input, always bytes, and `run(data)` tries it and
raises `Broken` if a law is broken. Each target runs in a process of its own, so that a crash is seen too:

    this process                          the target's process
    starts it, and watches the clock      writes each input down before it tries it
    a signal, an exit code, silence:      a broken law: says which
    the input that was written down becomes build/fuzz/TARGET-….input, and the exit code is 1

`--replay FILE` tries one input again. Where atheris is installed, targets that can (`guided`) are driven by it for two
thirds of the time, towards inputs that reach new code; otherwise inputs are of the target's own making.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from importlib.util import find_spec
from math import ceil
from pathlib import Path
from typing import Any

from commands import ROOT
from fuzzing import HERE, seeds
from laws import Broken
from record import failure, record

FOUND = ROOT / "build" / "fuzz"
TARGETS = sorted(path.stem.removeprefix("fuzz_") for path in HERE.glob("fuzz_*.py"))
ENOUGH = 600  # seconds after which "nothing found" says something
SILENCE = 120  # seconds without a new input: the target hangs


# The target's process


def guided(target: Any, seconds: float, folder: Path) -> int:
    """Let atheris choose the inputs; does not return."""
    import atheris

    corpus, words = folder / "corpus", folder / "words"
    corpus.mkdir()
    for number, seed in enumerate(seeds(target.name)):
        (corpus / f"{number:03}").write_bytes(seed)
    escaped = ["".join(f"\\x{byte:02x}" for byte in word) for word in target.words]
    words.write_text("".join(f'"{word}"\n' for word in escaped), encoding="ascii")
    options = [
        f"-max_total_time={ceil(seconds)}", f"-artifact_prefix={folder}/", f"-dict={words}", "-timeout=30",
        "-rss_limit_mb=2500", "-max_len=4096", "-print_final_stats=1", "-verbosity=1",
    ]  # fmt: skip
    (folder / "current").unlink(missing_ok=True)  # from here on atheris keeps the input
    figures = os.open(folder / "figures", os.O_WRONLY | os.O_CREAT)

    def run(data: bytes) -> None:
        target.run(data)
        os.pwrite(figures, target.figures().encode(), 0)  # they only grow; nothing is called at the end

    atheris.Setup([sys.argv[0], *options, str(corpus)], run)
    atheris.Fuzz()
    return 0


def plain(target: Any, seconds: float, folder: Path, seed: int) -> int:
    """Try inputs of the target's own making until the time is up; 1 if a law was broken."""
    rng = random.Random(seed)
    began, count = time.monotonic(), 0
    end = began + seconds
    try:
        with (folder / "current").open("wb", buffering=0) as current, target:
            while time.monotonic() < end:
                data = target.input(rng)
                os.pwrite(current.fileno(), data, 0)
                current.truncate(len(data))
                target.run(data)
                count += 1
    except Broken as finding:
        print(f"FINDING {finding}", flush=True)
        return 1
    took = time.monotonic() - began
    print(f"FIGURES {count:,} executions, {count / took:,.1f}/s{target.figures()}", flush=True)
    return 0


def child(name: str, seconds: float, folder: Path, seed: int) -> int:
    """The target's process."""
    by_atheris = find_spec("atheris") is not None
    if by_atheris and "guided = True" in (HERE / f"fuzz_{name}.py").read_text(encoding="utf-8"):
        import atheris

        # The finder of an editable install hides its files from atheris: take them from src (the target needs no core).
        sys.meta_path[:] = [finder for finder in sys.meta_path if not type(finder).__module__.startswith("_editable")]
        sys.path.insert(0, str(ROOT / "src"))
        with atheris.instrument_imports(include=["noughts"]):
            module = importlib.import_module(f"fuzz_{name}")
        by_itself = seconds / 3  # chance finds other things: atheris seldom makes a whole board, for example
        return plain(module.Target(), by_itself, folder, seed) or guided(module.Target(), seconds - by_itself, folder)
    return plain(importlib.import_module(f"fuzz_{name}").Target(), seconds, folder, seed)


def replay(name: str, data: bytes) -> int:
    """Try one input again, in this process."""
    try:
        with importlib.import_module(f"fuzz_{name}").Target() as target:
            target.run(data)
    except Broken as finding:
        print(f"{name}: {finding}")
        return 1
    print(f"{name}: nothing found")
    return 0


# The process that watches


def watch(name: str, seconds: float, seed: int) -> tuple[bool, str]:
    """Run a target; whether nothing was found, and the figures or what was found."""
    folder = Path(tempfile.mkdtemp(prefix=f"noughts-fuzz-{name}-"))
    log = folder / "log"
    command = [sys.executable, __file__, "--child", name, "--seconds", str(seconds), "--seed", str(seed)]
    try:
        with log.open("wb") as output:
            process = subprocess.Popen(
                [*command, "--folder", str(folder)],
                stdout=output,
                stderr=subprocess.STDOUT,
                stdin=subprocess.DEVNULL,
                start_new_session=True,
            )
            hangs = _wait(process, folder / "current", log)
        said = log.read_text(encoding="utf-8", errors="replace")
        figures = _figures(said, folder / "figures")
        if process.returncode == 0 and figures:
            return True, figures
        return False, _keep(name, folder, said, process.returncode, hangs)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _wait(process: subprocess.Popen[bytes], current: Path, log: Path) -> bool:
    """Wait for the end; True if it had to be ended because it hung."""
    began = time.time()
    while process.poll() is None:
        time.sleep(0.5)
        last = max([path.stat().st_mtime for path in (current, log) if path.exists()], default=began)
        if time.time() - last > SILENCE and not _by_atheris(log):
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            return True
    return False


def _by_atheris(log: Path) -> bool:
    return b"INFO: Seed:" in log.read_bytes()[:4000]  # it has a time limit of its own


def _figures(said: str, steered: Path) -> str:
    """What a run says of itself at its end, and its target in the file where it was steered."""
    own = re.search(r"^FIGURES (.*)$", said, re.MULTILINE)
    if not own or not steered.exists():
        return own[1] if own else ""
    executions = re.search(r"^stat::number_of_executed_units:\s*(\d+)", said, re.MULTILINE)
    rate = re.search(r"^stat::average_exec_per_sec:\s*(\d+)", said, re.MULTILINE)
    reached = re.findall(r"cov: (\d+) ft: \d+ corp: (\d+)/", said)
    if not (executions and rate and reached):
        return ""
    cover, corpus = reached[-1]
    return (
        f"steered, {int(executions[1]):,} executions, {int(rate[1]):,}/s, {cover} branches and {corpus} inputs that "
        f"reach them{steered.read_text(encoding='utf-8')}; by itself, {own[1]}"
    )


def _keep(name: str, folder: Path, said: str, code: int, hangs: bool) -> str:
    """Keep the input that was found, and say what it did."""
    artefacts = [*folder.glob("crash-*"), *folder.glob("timeout-*"), *folder.glob("oom-*"), folder / "current"]
    data = next((path.read_bytes() for path in artefacts if path.exists()), b"")
    FOUND.mkdir(parents=True, exist_ok=True)
    kept = FOUND / f"{name}-{hashlib.sha256(data).hexdigest()[:12]}.input"
    kept.write_bytes(data)
    kept.with_suffix(".log").write_text(said, encoding="utf-8")
    laws = [line for line in said.splitlines() if "FINDING " in line or "Broken: " in line]
    how = f"ended by signal {-code}" if code < 0 else f"exit code {code}"
    law = laws[-1].strip().removeprefix("FINDING ") if laws else f"silent for {SILENCE} s" if hangs else how
    tail = "" if laws else "\n" + "\n".join(said.splitlines()[-25:])
    return f"{law[:2000]}\n  again: python hardening/fuzz.py {name} --replay {kept}{tail}"


def main() -> int:
    """Run the targets that the command line names, or all."""
    parser = argparse.ArgumentParser(description="Try out inputs until the time is up.")
    parser.add_argument("targets", nargs="*", metavar="TARGET", help=f"of {', '.join(TARGETS)}; all unless named")
    parser.add_argument("--seconds", type=float, default=60, help="for each target")
    parser.add_argument("--seed", type=int, default=None, help="of the chance; the clock's unless given")
    parser.add_argument("--replay", type=Path, help="try the input in this file again")
    parser.add_argument("--record", action="store_true", help="write the result into docs/quality.md")
    parser.add_argument("--child", help=argparse.SUPPRESS)
    parser.add_argument("--folder", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    seed = int(time.time()) if given.seed is None else given.seed
    if given.child:
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        return child(given.child, given.seconds, given.folder, seed)
    unknown = [name for name in given.targets if name not in TARGETS]
    if unknown:
        parser.error(f"there is no target {unknown[0]}: there are {', '.join(TARGETS)}")
    if given.replay:
        if len(given.targets) != 1:
            parser.error(f"--replay needs the one target that the input is for, of {', '.join(TARGETS)}")
        try:
            data = given.replay.read_bytes()
        except OSError as problem:
            parser.error(f"{given.replay} cannot be read: {problem.strerror}")
        return replay(given.targets[0], data)
    good = True
    for name in given.targets or TARGETS:
        print(f"{name}: {given.seconds:g} s, seed {seed}", flush=True)
        fine, says = watch(name, given.seconds, seed)
        print(f"{name}: {says}, nothing found" if fine else f"{name}: FOUND: {says}", flush=True)
        good = good and fine
        if given.record and (given.seconds >= ENOUGH or not fine):
            record(f"fuzz TARGET={name}", f"{given.seconds:g} s, nothing found: {says}" if fine else failure(says))
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
