"""The laws of fuzzing and of the faults can be broken: each is shown something that breaks it."""

from __future__ import annotations

import importlib
import json
import random
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

HARDENING = Path(__file__).resolve().parents[1] / "hardening"

if not HARDENING.is_dir() or sys.platform != "linux":
    pytest.skip("fuzzing and faults need a checkout, and Linux", allow_module_level=True)
pytest.importorskip("numpy", reason="fuzzing databases needs numpy: pip install noughts[batch]")
sys.path.append(str(HARDENING))

import breaking  # noqa: E402
import faults_disk  # noqa: E402
import faults_long  # noqa: E402
import fuzz  # noqa: E402
import fuzz_cli  # noqa: E402
import fuzz_database  # noqa: E402
import fuzz_notation  # noqa: E402
import fuzz_players  # noqa: E402
from fuzzing import LARGE, board  # noqa: E402
from laws import Broken  # noqa: E402

from noughts import Game, Mark, Position, Value  # noqa: E402
from noughts.labels.predictions import Tried  # noqa: E402
from noughts.play.certification import Certificate, Side  # noqa: E402
from noughts.play.consistency import Check, Difference  # noqa: E402
from noughts.play.player import InvalidPlayer  # noqa: E402
from noughts.progress import Progress  # noqa: E402
from noughts.proofs.check import Unreadable  # noqa: E402
from noughts.rules.legality import Reason, check  # noqa: E402
from noughts.rules.notation import parse_board  # noqa: E402
from noughts.solve import solve  # noqa: E402
from noughts.solve.problems import Damaged  # noqa: E402
from noughts.threats import completing_moves  # noqa: E402

Patch = pytest.MonkeyPatch


def ended(code: int, said: str = "", out: str = "") -> Any:
    return subprocess.CompletedProcess([], code, out, said)


def raises(problem: BaseException) -> Callable[..., Any]:
    def raising(*_: object, **__: object) -> None:
        raise problem

    return raising


def gives(what: Any) -> Callable[..., Any]:
    return lambda *_, **__: what


def broken(law: str | None) -> Any:
    """The law is broken, in these words; None: it holds."""
    return pytest.raises(Broken, match=law) if law else nullcontext()


# What is planted: in which target, with which input, what instead of what, and how that ends, or how it is found


def certificate(x: tuple[int, ...] | None, o: tuple[int, ...] | None, check: Check) -> dict[str, Any]:
    sides = (Side(mark, cells, consistent=check.difference is None) for mark, cells in zip(Mark, (x, o), strict=True))
    return {"asked": gives(Certificate("mine.py:cell", Game(), *sides, check))}


def asked(source: str, function: str = "cell") -> bytes:
    return json.dumps({"source": source, "ask": "certify", "function": function}).encode()


def ruled(claim: str, reason: str = "", *, holds: bool = True, game: str = "3x3k3") -> dict[str, Any]:
    shown = SimpleNamespace(game=game, position="/".join(["..."] * 3), claim=claim, holds=holds, reason=reason)
    return {"check.check_file": gives(shown)}


def says(answer: str, theirs: tuple[int, ...] = ()) -> dict[str, Any]:
    return {"Brain": gives(SimpleNamespace(answer=gives(answer), size=(5, 5), mine=[1], theirs=theirs))}


def ends(code: int, err: str = "", *, late: bool = False, spent: float = 0.0) -> dict[str, Any]:
    return {"run": gives((code, err, late, spent))}


GOOD = asked("from noughts import best_moves\n\ndef cell(position): return best_moves(position)[0]\n")
FIRST = asked("def cell(position): return position.moves()[0]\n")
AS_X, AS_O, ANOTHER, DRAWN = (0, 1, 2, 4, 3, 7), (0, 1, 3, 2, 6), (8, 1, 2, 4, 3, 7), (0, 4, 1, 2, 6, 3, 5, 7, 8)
ONCE, TWICE = (Check(difference=Difference(Game().start(), "a3", move, "in a game")) for move in ("a3", "b2"))
CHANGING = fuzz_players.CHANGING.replace("{when}", "position in seen")


def asking_once(*_: object) -> Any:
    yield Progress("asked once", 0, 0)
    return Check()


EGM = Game.parse("4x4k3egm")
BOT = {"bot.Bot": gives(nullcontext())}
NO = "noughts: no"
LEFT = {"require_alone": raises(Broken("left"))}
DOCTOR, ANALYZE = (json.dumps({"argv": [word], "stdin": "", "seconds": 1}).encode() for word in ("doctor", "analyze"))
UNCLEAR = {
    InvalidPlayer("x" * 999): "= kept read", ValueError("clear"): "ValueError", InvalidPlayer(""): "not one line",
    InvalidPlayer("one\ntwo"): "not one line", InvalidPlayer("red \x1b[31m"): "not printable",
    InvalidPlayer("x" * 1000): "too long",
}  # fmt: skip
PATIENT, BRIEF = ({"LIMIT": limit, "bot.LOADING": 2.0} for limit in (20.0, 0.2))
PLANTED: dict[str, list[tuple[bytes, dict[str, Any], str]]] = {
    "notation": [
        (b"X../.../...", {}, "= legal"),
        (b"4x4k4", {"parse_game": gives(Game())}, "became 3x3k3"),
        (b"b2", {"parse_move": gives(0)}, "became cell 0"),
        (b"b2", {"parse_move": raises(ValueError("no"))}, "not noughts' own"),
        (b"b2", {"parse_move": raises(InvalidPlayer("no" * 200))}, "too long"),
        (b"3x3k3: b2", {"format_record": gives("3x3k3: a1")}, "as a record"),
        (b"X../.../...", {"format_board": gives("........X")}, "another board"),
        (b"X../.../...", {"board_rows": gives("...")}, "lost marks"),
        (b"X../.../...", {"decode": gives(None)}, "a code that is another's"),
        (b"XX./.../...", {"Position": SimpleNamespace(parse=gives(None))}, "cannot arise"),
        (b"X../.../...", {"can_arise": gives(False)}, "should be False"),
        (b"XXX/OO./...", {"walked": gives([])}, "the winner is not X"),
        (b"X../.../...", {"walked": gives([(0,)])}, "the winner is not None"),
    ],
    "certificates": [
        (b"", ruled("tie"), "= true"), (b"", ruled("X holds"), "= true"),
        (b"", ruled("X wins"), "is proven, and is false"), (b"", ruled("O wins"), "is proven, and is false"),
        (b"", ruled("tie", holds=False), "no reason"), (b"", ruled("tie", "one\ntwo", holds=False), "no reason"),
        (b"", ruled("tie", game="3x3k3") | {"SOLVED": 8}, "of a seed of at most 8 cells"),
        *((b"", {"check.check_file": raises(Unreadable(text))}, law) for text, law in {
            "one\ntwo": "not one line", "red \x1b[31m": "not printable", "x" * 1000: "too long", "": "not one line",
        }.items()),
    ],
    "gomocup": [
        (b"TURN 2,2", says("4,4"), "= with a move"), (b"TURN 2,2", says("5,0"), "off the board"),
        (b"TURN 2,2", says("1,0", (1,)), "is taken"), (b"TURN 2,2", says("\x1b"), "x1b"),
    ],
    "bots": [
        (b'bot end\n{"name": "x", "protocol": 1}\n{}\n{"cell": 7}\n{"cell": 8}', PATIENT, "= bot moved"),
        (b'bot hang\n{"name": "x", "protocol": 1}\n{}\n{"cell": 999}', BRIEF, "= bot lost"),
        (b"bot flood", BRIEF, "= bot refused"), (b"gomocup die\nOK\nOK\n7,7\n8,8", PATIENT, "= gomocup moved"),
        (b"gomocup flood\nOK\nOK", BRIEF, "= gomocup lost"),
        (b"bot end", BOT | {"bot.bot_player": gives(gives(225))}, "225 was taken for a move"),
        (b"bot end", {"bot.Bot": raises(InvalidPlayer("one\ntwo"))}, "not one line"),
        (b"bot end", {"bot.Bot": raises(InvalidPlayer("no"))}, "= bot refused"),
        (b"bot end", {"bot.Bot": raises(InvalidPlayer("no"))} | LEFT, "left"),
    ],
    "texts": [
        (b"kept 3x3k3: b2", {}, "= kept read"), (b"game 3x3k3", {}, "= game read"),
        (b"uwapi 1_---------", {}, "= uwapi read"), (b"uwapi 1", {}, "= uwapi refused"),
        (b"csv position,move\nX........,b2", {}, "= score read"),
        (b"uwapi 1_X--O-----", {"uwapi.format_position": gives("1_---------")}, "does not read back"),
        (b"game 4x4k3egm", {"Game": SimpleNamespace(parse={"4x4k3egm": EGM}.get)}, "is another game"),
        (b"game 4x4k3egm", {"Game": SimpleNamespace(parse=gives(None))}, "does not read back"),
        (b"csv a\nb", {"finish": gives(SimpleNamespace(all=Tried(0, predictions=3)))}, "of 'a"),
        (b"kept 3x3k3: b2", {"kept.write": gives("3x3k3: a1")}, "became"),
        *((b"kept 3x3k3: b2", {"kept.write": raises(problem)}, law) for problem, law in UNCLEAR.items()),
        (b"uwapi x", {"uwapi.read_position": raises(ValueError("no"))}, "not noughts' own"),
    ],
    "players": [
        (GOOD, certificate(None, None, Check()), "= verdicts that hold"),
        (FIRST, certificate(AS_X, AS_O, Check()), "= verdicts that hold"),
        (FIRST, certificate(None, AS_O, Check()), "as X loses"),
        (FIRST, certificate(AS_X, None, Check()), "as O loses"),
        (FIRST, certificate(ANOTHER, None, Check()), "not 8 as in"),
        (GOOD, certificate(None, DRAWN, Check()), "as O does not lose"),
        (GOOD, certificate(None, None, TWICE), "= verdicts that hold"),
        (GOOD, certificate(None, None, ONCE), "no two answers"),
        (asked(CHANGING, "changing"), {"certification.asking_again": asking_once}, "loses"),
        (GOOD, {"asked": raises(InvalidPlayer("one\ntwo"))}, "not one line"),
        (GOOD, {"asked": raises(InvalidPlayer("no"))}, "= refused"),
        (GOOD, {"asked": raises(InvalidPlayer("no"))} | LEFT, "left"),
    ],
    "cli": [
        (DOCTOR, ends(0), "= with 0"), (DOCTOR, ends(130, late=True), "= with 130"), (DOCTOR, ends(0) | LEFT, "left"),
        (DOCTOR, ends(130), "130 without an interrupt"), (DOCTOR, ends(3), "exit code 3"),
        (DOCTOR, ends(-9, late=True), "an interrupt did not end it"), (DOCTOR, ends(-11), "exit code -11"),
        (DOCTOR, ends(2, NO), "= with 2"), (DOCTOR, ends(1, f"and more\n{NO}"), "= with 1"),
        (DOCTOR, ends(2, "no"), "exit code 2"),
        (DOCTOR, ends(2, f"and more\n{NO}"), "exit code 2"), (DOCTOR, ends(1, f"Traceback\n{NO}"), "Traceback"),
        (DOCTOR, ends(1, "noughts: \x07"), "x07"), (DOCTOR, ends(1, f"noughts: {'no ' * 1000}"), "no no"),
        (ANALYZE, ends(0, spent=21), "no answer in 21 s"), (DOCTOR, ends(0, spent=21), "= with 0"),
    ],
}  # fmt: skip


@pytest.mark.parametrize(
    ("target", "data", "planted", "end"),
    [(target, *row) for target, rows in PLANTED.items() for row in rows],
    ids=[f"{target}-{number}" for target, rows in PLANTED.items() for number in range(len(rows))],
)
def test_what_is_planted_is_found(
    target: str, data: bytes, planted: dict[str, Any], end: str, tmp_path: Path, monkeypatch: Patch
) -> None:
    module = importlib.import_module(f"fuzz_{target}")
    usual = {"home": tmp_path, "folder": tmp_path, "require_alone": gives(None), "tidy": gives(None)}
    for name, instead in ({name: usual[name] for name in usual if hasattr(module, name)} | planted).items():
        monkeypatch.setattr(
            f"{'noughts.play' if name.startswith('certification') else module.__name__}.{name}", instead
        )
    try:
        ended = f"= {module.law(data)}"
    except Broken as problem:
        ended = str(problem)
    assert end in ended


@pytest.mark.parametrize(
    ("alter", "law"),
    [
        (lambda *seen: seen, None),
        (lambda planes, *rest: (1 - planes, *rest), "is shown"),
        (lambda planes, mask, *rest: (planes, 1 - mask, *rest), "has the mask"),
        (lambda planes, mask, reward, *rest: (planes, mask, reward + 1, *rest), "1.0, False for"),
        (lambda planes, mask, reward, over, bad: (planes, mask, reward, not over, bad), "0.0, True for"),
        (lambda planes, mask, reward, over, bad: (planes, mask, reward, over, not bad), "was taken"),
        (raises(IndexError("no")), "was refused"),
        (None, "has changed something"),
    ],
)
def test_an_environment_that_does_not_follow_the_rules_is_found(
    alter: Any, law: str | None, monkeypatch: Patch
) -> None:
    pytest.importorskip("pettingzoo", reason="needs the extra: pip install noughts[envs]")
    import fuzz_envs

    def altered(game: Game, illegal: str, made: Any = fuzz_envs._gymnasium) -> Any:
        step = made(game, illegal)
        return lambda action: alter(*step(action))

    def step(env: Any, actions: Any) -> None:
        env.rows.masks[:] = 0
        raise ValueError("no")

    if alter is None:
        monkeypatch.setattr(fuzz_envs, "KINDS", ["boards"])
        monkeypatch.setattr(fuzz_envs.VectorEnv, "step", step)
    monkeypatch.setattr(fuzz_envs, "InvalidAction", (fuzz_envs.InvalidAction, IndexError))
    monkeypatch.setattr(fuzz_envs, "_gymnasium", altered)
    with broken(law):
        ends = {fuzz_envs.law(b"%d" % number) for number in range(150)}
        assert ends == {f"{kind}: {end}" for kind in fuzz_envs.KINDS for end in ("refused", "taken")}


# The command in a process of its own


@pytest.mark.parametrize(
    ("instead", "law"),
    [
        ("fuzz_cli.main", None),
        ("lambda: 1 / 0", "Traceback"),
        ("default_int_handler", "KeyboardInterrupt"),  # which nobody turned into an exit code
        ("leave", None),
        ("SIG_IGN", "an interrupt did not end it"),
        ("lambda: sys.exit(0)", "0 here, 2 in a Python of its own"),
    ],
)
def test_how_a_command_ends_is_seen(instead: str, law: str | None) -> None:
    seconds = 2 if instead.isidentifier() else 100  # a handler, and a command that takes long
    work = f"signal(SIGINT, {instead}) and (lambda: time.sleep(100))" if instead.isidentifier() else instead
    script = (
        f"import sys, time; sys.path.append({str(HARDENING)!r}); import fuzz_cli; from fuzz_cli import leave\n"
        "from signal import SIG_IGN, SIGINT, default_int_handler, signal\n"
        f"fuzz_cli.main, fuzz_cli.tidy, fuzz_cli.APART, fuzz_cli.STUBBORN = {work}, lambda: None, 1, 1\n"
        f'print(fuzz_cli.law(b\'{{"argv": ["no"], "stdin": "", "seconds": {seconds}}}\'))'
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=120, check=False)
    assert (law or "with ") in (done.stderr if law else done.stdout)
    assert ("Broken" in done.stderr) == bool(law)


# Solutions


class Other:
    """A truth from which every solution differs."""

    levels = [b"other"] * 30

    def __init__(self, game: Game) -> None:
        self.game = game

    def __getitem__(self, position: Position) -> Value:
        return Value("win", 99)

    def values(self, x: Any, o: Any) -> Any:
        return x * 0 + 99, o * 0 + 99


@pytest.mark.parametrize(
    ("game", "ask", "planted", "law"),
    [
        ("3x3k3", "read", {}, "and it is win 99|wrong values"), ("3x3k3", "verify", {}, "was verified, and is wrong"),
        ("3x3k3", "resume", {}, "was verified, and is wrong"), ("3x3k3", "export", {}, "a wrong export"),
        ("3x3k3m", "read", {}, "another game"), ("3x3k3m", "verify", {}, "another game"),
        ("3x3k3", "read", {"edited": gives(True)}, None), ("3x3k3", "verify", {"edited": gives(True)}, "is wrong"),
        ("3x3k3", "cached", {"proofs.value": raises(Damaged("level 3"))}, "does not heal"),
        ("3x3k3", "cached", {}, "and it is win 99"),
        ("3x3k3", "read", {"Solution.open": raises(Damaged("a\nb"))}, "not one line"),
        ("3x3k3", "read", {"Solution.open": raises(Damaged("level 3"))}, None),
        ("3x3k3", "export", {"exporting": lambda _, to: to.touch(), "finish": raises(Damaged("no"))}, "left a file"),
    ],
)  # fmt: skip
def test_a_wrong_solution_is_found(
    game: str, ask: str, planted: dict[str, Any], law: str | None, tmp_path: Path, monkeypatch: Patch
) -> None:
    folder, truth = tmp_path / "seeds" / f"{game}-raw", Other(Game.parse(game))
    solve(Game(), save=folder)
    (tmp_path / f"{game}.jsonl").touch()
    monkeypatch.setenv("NOUGHTS_CACHE", str(tmp_path / "cache"))
    saved = {folder.name: {path.name: path.read_bytes() for path in folder.iterdir()}}
    usual = {"home": tmp_path, "saved": saved, "truth": {game: truth}, "samples": {game: [truth.game.start()]},
             "CACHED": Game(), "edited": gives(False), "ASKED": [getattr(fuzz_database, f"_{ask}")]}  # fmt: skip
    for name, instead in (usual | planted).items():
        monkeypatch.setattr(f"fuzz_database.{name}", instead)
    for number in range(4):
        with broken(law):
            assert fuzz_database.law(b"%d" % number).startswith(("refused", "answered behind checksums put right"))


# Inputs, and the runs themselves


def test_every_verdict_is_reached_by_chance() -> None:
    rng = random.Random(0)
    found = {fuzz_notation.law(fuzz_notation.made(rng)) for _ in range(600)}
    reasons = {str(reason).replace("_", " ") for reason in Reason}
    assert found >= reasons - {"no order", "undecided"} | {"legal", "no board"}  # those are of crowded boards


def test_large_boards_of_every_kind_are_among_the_inputs() -> None:
    rng = random.Random(0)
    boards = [parse_board(board(rng, *rng.choices(LARGE, k=2))) for _ in range(60)]
    ongoing = [Position(*board) for board in boards if check(board).legal and not Position(*board).is_over]
    marks = {position.marks for position in ongoing}
    assert max(board.game.cells for board in boards) == 256 * 256
    assert 0 in marks
    assert max(marks) > 5_000
    assert any(0 < position.marks < 40 and completing_moves(position) for position in ongoing)
    assert any(position.game.misere for position in ongoing)
    words = [json.loads(fuzz_cli.made(rng))["argv"] for _ in range(200)]
    assert any(len(word) > 1000 for argv in words for word in argv)


TARGET = """
import os, random, signal, subprocess, time
from laws import Broken, require_alone
STEERED = ""
def made(rng): return b"input"
def law(data): {does}
def figures(): return "and more"
"""
SLEEP = "subprocess.Popen(['sleep', '50'], start_new_session=True)"


@pytest.mark.parametrize(
    ("does", "law"),
    [
        ("return 'well'", None),
        ("raise Broken('no good')", "no good"),
        ("1 / 0", "division by zero"),
        ("signal.raise_signal(signal.SIGSEGV)", "ended with -11"),
        ("os._exit(3)", "ended with 3"),
        ("time.sleep(100)", "Timeout"),
        ("globals().update(LONGEST=0.1); time.sleep(0.2)", "it took"),
        ("[0 for _ in range(10**7)]", "s of processor time"),
        ("bytearray(7 << 30)", "MemoryError"),
        (f"{SLEEP}; require_alone(0.2)", "processes were left: .b'sleep"),
        (f"os.fork() or ({SLEEP}, os._exit(0)); os.wait(); require_alone(0.2)", "processes were left: .b'sleep"),
    ],
)
def test_whatever_ends_a_target_is_found_and_kept(
    does: str, law: str | None, tmp_path: Path, monkeypatch: Patch
) -> None:
    (tmp_path / "fuzz_it.py").write_text(TARGET.format(does=does))
    for name in ("fuzz", "fuzzing", "laws", "commands", "record"):
        shutil.copy(HARDENING / f"{name}.py", tmp_path)
    text = (tmp_path / "fuzz.py").read_text(encoding="utf-8").replace("PATIENCE = 30 ", "PATIENCE = 0.05 ")
    text = text.replace("SILENCE = 300", f"SILENCE = {2 if law == 'Timeout' else 300}")
    (tmp_path / "fuzz.py").write_text(text, encoding="utf-8")
    monkeypatch.setattr(fuzz, "__file__", str(tmp_path / "fuzz.py"))
    monkeypatch.setattr(fuzz, "FOUND", tmp_path.parent / "build" / "fuzz")
    fine, says = fuzz.watch("it", 0.5, 1)
    assert fine == (law is None)
    if law is None:
        assert "executions" in says
        assert says.endswith("well; and more")
    else:
        assert re.search(law, says.splitlines()[0])
        assert next(fuzz.FOUND.glob("it-*.input")).read_bytes() == b"input"


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--replay", "{file}"], "--replay needs a file, and the one target"),
        (["cli", "notation", "--replay", "{file}"], "--replay needs a file, and the one target"),
        (["notation", "--replay", "{folder}"], "--replay needs a file"),
        (["nothing"], "there is no target nothing"),
    ],
)
def test_what_cannot_be_tried_is_told_in_a_line(words: list[str], says: str, tmp_path: Path) -> None:
    (tmp_path / "input").write_bytes(b"X")
    words = [word.format(file=tmp_path / "input", folder=tmp_path) for word in words]
    line = [sys.executable, str(HARDENING / "fuzz.py"), *words]
    done = subprocess.run(line, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 2
    assert says in done.stderr.splitlines()[-1]


# Faults


def test_what_a_fault_needs_is_no_broken_law(monkeypatch: Patch) -> None:
    monkeypatch.setattr(breaking.os, "geteuid", lambda: 1000)
    with pytest.raises(breaking.Needs, match="needs root, to mount small disks"):
        faults_disk.main()
    assert not issubclass(breaking.Needs, Broken)


@pytest.mark.parametrize(
    ("solved", "verified", "content", "law"),
    [
        (ended(0), ended(0, out="all right"), "right", None),
        (ended(1, "noughts: no"), ended(0, out="all right"), "right", "the next solve failed"),
        (ended(0), ended(0, out="all right"), "wrong", "the files differ"),
        (ended(0), ended(2, "noughts: no"), "right", "does not verify"),
        (ended(0), ended(0), "right", "does not verify"),
    ],
)
def test_a_solve_that_does_not_come_right_is_found(
    solved: Any, verified: Any, content: str, law: str | None, tmp_path: Path, monkeypatch: Patch
) -> None:
    (tmp_path / "level-00.noughts").write_text("right", encoding="utf-8")
    right = breaking.hashes(tmp_path)
    (tmp_path / "level-00.noughts").write_text(content, encoding="utf-8")
    monkeypatch.setattr(breaking, "noughts", lambda *words, **_: verified if "--verify" in words else solved)
    with broken(law):
        breaking.completed("3x3k3", tmp_path, right)


@pytest.mark.parametrize(
    ("reading", "writing", "law"),
    [
        (0, ended(2, "noughts: s cannot be written: Permission denied"), None),
        (0, ended(0), "exit code 0"),
        (0, ended(2, "noughts: no"), "does not say 'cannot be written'"),
        (1, ended(2, "noughts: s cannot be written: Permission denied"), "can be read"),
    ],
    ids=["told", "written", "unclear", "unread"],
)
def test_a_folder_that_cannot_be_written_is_told_and_read(
    reading: int, writing: Any, law: str | None, tmp_path: Path, monkeypatch: Patch
) -> None:
    writes = {"--save", "--export"}
    monkeypatch.setattr(faults_disk, "noughts", lambda *words, **_: writing if writes & {*words} else ended(reading))
    with broken(law):
        assert len(faults_disk._unwritable(tmp_path, "Permission denied")) == 3


@pytest.mark.parametrize(
    ("left", "law"),
    [
        ({"index.html": faults_disk.OLD}, None),
        ({"index.html": "half of what was to"}, "on a full disk left 'half of what was to'"),
        ({}, "on a full disk left None"),
        ({"index.html": faults_disk.OLD, "index.part": ""}, "index.part"),
    ],
    ids=["kept", "half", "gone", "beside"],
)
def test_an_old_file_that_a_full_disk_destroys_is_found(
    left: dict[str, str], law: str | None, tmp_path: Path, monkeypatch: Patch
) -> None:
    """The disk is no disk here, and the command does what a bad writer would leave."""
    asked: list[tuple[str, ...]] = []

    def command(*words: str, input: str) -> Any:  # noqa: A002
        done = ended(1, "noughts: No space left on device") if words not in asked else ended(0)
        folder = tmp_path / "kept"
        if words not in asked:
            for path in folder.iterdir():
                if path.name != "rest":
                    path.unlink()
            for name, content in left.items():
                (folder / name).write_text(content, encoding="utf-8")
        else:
            (folder / "index.html").write_bytes(bytes(5000))
        asked.append(words)
        return done

    @contextmanager
    def disk(folder: Path, size: int) -> Iterator[Path]:
        folder.mkdir()
        (folder / "rest").mkdir()  # nothing can be written there, as on a full disk
        yield folder
        shutil.rmtree(folder)

    monkeypatch.setattr(faults_disk, "noughts", command)
    monkeypatch.setattr(faults_disk, "disk", disk)
    monkeypatch.setattr(faults_disk, "remount", lambda folder, option: None)
    with broken(law):
        writers = len(faults_disk.writers(tmp_path))
        assert faults_disk.kept(tmp_path, {}) == f"the old file kept by {writers} writers"
        assert len(asked) == 2 * len({*asked}) == 2 * writers


@pytest.mark.parametrize(
    ("end", "named", "result", "law"),
    [
        (0, {}, 1, None),
        (0, {}, 2, "gives something else"),
        (1, {}, 1, "failed"),
        (0, {"level-01.noughts": "half"}, 1, "named and not finished"),
        (0, {"level-01.noughts": "whole"}, 1, None),
    ],
)
def test_a_work_that_does_not_go_on_after_a_kill_is_found(
    end: int, named: dict[str, str], result: int, law: str | None, tmp_path: Path, monkeypatch: Patch
) -> None:
    """The work waits to be killed, and leaves what is named then."""
    going = iter([False, True])

    def start(work: Any, folder: Path, *_: object, **__: object) -> Any:
        (folder / "s").mkdir(exist_ok=True)
        for name, text in named.items():
            (folder / "s" / name).write_text(text, encoding="utf-8")
        code = f"raise SystemExit({end})" if next(going) else "import time; time.sleep(100)"
        return subprocess.Popen([sys.executable, "-c", code], stdout=-1, stderr=-1, text=True)

    (tmp_path / "whole").write_text("whole", encoding="utf-8")
    right = {f"level-0{n}.noughts": breaking.digest(tmp_path / "whole") for n in range(2)}
    work = faults_long.Work((), lambda *_: result, lambda folder, _: faults_long.levels(folder, right))
    monkeypatch.setattr(faults_long, "start", start)
    monkeypatch.setenv("KILLS", "1")
    with broken(law):
        assert faults_long.killed(work, tmp_path, 1, 0.3, random.Random(0)) == 1


def test_a_cache_beyond_its_limit_is_found(tmp_path: Path) -> None:
    (tmp_path / "solved-1" / "4x4k4").mkdir(parents=True)
    (tmp_path / "solved-1" / "4x4k4" / "level-00.noughts").write_bytes(bytes(1000))
    assert faults_disk.within(tmp_path, 1000) == 1000
    with pytest.raises(Broken, match="the cache has 1,000 bytes, and may have 999"):
        faults_disk.within(tmp_path, 999)


def test_an_ordinary_user_may_not_write_what_is_somebody_elses(tmp_path: Path) -> None:
    if shutil.which("setpriv") is None:
        pytest.skip("there is no setpriv")
    (tmp_path / "file").write_text("read", encoding="utf-8")

    def does(code: str) -> subprocess.CompletedProcess[str]:
        line = [*faults_disk.ORDINARY, sys.executable, "-c", f"import sys; {code}", str(tmp_path / "file")]
        return subprocess.run(line, capture_output=True, text=True, timeout=60, check=False)

    done = does("print(open(sys.argv[1]).read())")
    if done.returncode:
        pytest.skip(f"nobody else can be made: {done.stderr}")
    assert done.stdout == "read\n"
    assert "PermissionError" in does("open(sys.argv[1] + 'new', 'w')").stderr
