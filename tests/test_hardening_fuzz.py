"""The laws of fuzzing and of the faults can be broken: each is shown something that breaks it."""

from __future__ import annotations

import json
import random
import shutil
import signal
import subprocess
import sys
import time
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
import fuzz_bots  # noqa: E402
import fuzz_certificates  # noqa: E402
import fuzz_cli  # noqa: E402
import fuzz_database  # noqa: E402
import fuzz_gomocup  # noqa: E402
import fuzz_notation  # noqa: E402
import fuzz_players  # noqa: E402
import fuzz_texts  # noqa: E402
from fuzzing import clear, large_board  # noqa: E402
from laws import Broken  # noqa: E402

from noughts import Game, Mark, Position, Value  # noqa: E402
from noughts.labels.predictions import Tried  # noqa: E402
from noughts.play import certification  # noqa: E402
from noughts.play.certification import Certificate, Side  # noqa: E402
from noughts.play.consistency import Check, Difference  # noqa: E402
from noughts.play.player import InvalidPlayer  # noqa: E402
from noughts.progress import Progress  # noqa: E402
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


def broken(law: str | None) -> Any:
    """The law is broken, in these words; None: it holds."""
    return pytest.raises(Broken, match=law) if law else nullcontext()


# Refusals


@pytest.mark.parametrize(
    ("problem", "law"),
    [
        (InvalidPlayer("x" * 999), None), (ValueError("clear"), "ValueError"), (InvalidPlayer(""), "not one line"),
        (InvalidPlayer("one\ntwo"), "not one line"), (InvalidPlayer("red \x1b[31m"), "not printable"),
        (InvalidPlayer("x" * 1000), "too long"),
    ],
    ids=["clear", "foreign", "empty", "lines", "colours", "long"],
)  # fmt: skip
def test_an_unclear_refusal_is_found(problem: Exception, law: str | None) -> None:
    with broken(law):
        clear(problem)


# Players


@pytest.fixture
def players(tmp_path: Path, monkeypatch: Patch) -> Any:
    monkeypatch.setattr(fuzz_players, "home", tmp_path)
    monkeypatch.setattr(fuzz_players, "left", list)
    return monkeypatch


def verdict(source: str, function: str = "cell") -> str:
    return fuzz_players.law(json.dumps({"source": source, "ask": "certify", "function": function}).encode())


GOOD = "from noughts import best_moves\n\ndef cell(position): return best_moves(position)[0]\n"
FIRST = "def cell(position): return position.moves()[0]\n"
START = Game().start()


def certificate(x: tuple[int, ...] | None, o: tuple[int, ...] | None, check: Check) -> Certificate:
    sides = (Side(mark, cells, consistent=check.difference is None) for mark, cells in zip(Mark, (x, o), strict=True))
    return Certificate("mine.py:cell", Game(), *sides, check)


@pytest.mark.parametrize(
    ("source", "found", "law"),
    [
        (GOOD, certificate(None, None, Check()), None),
        (FIRST, certificate((0, 1, 2, 4, 3, 7), (0, 1, 3, 2, 6), Check()), None),
        (FIRST, certificate(None, (0, 1, 3, 2, 6), Check()), "as X loses"),
        (FIRST, certificate((0, 1, 2, 4, 3, 7), None, Check()), "as O loses"),
        (FIRST, certificate((8, 1, 2, 4, 3, 7), None, Check()), "not 8 as in"),
        (GOOD, certificate(None, (0, 4, 1, 2, 6, 3, 5, 7, 8), Check()), "as O does not lose"),
        (GOOD, certificate(None, None, Check(difference=Difference(START, "a3", "b2", "in a game"))), None),
        (GOOD, certificate(None, None, Check(difference=Difference(START, "a3", "a3", "in a game"))), "no two answers"),
    ],
    ids=["good", "refuted", "x", "o", "another", "drawn", "two", "one"],
)
def test_a_certificate_that_does_not_hold_in_play_is_found(
    source: str, found: Certificate, law: str | None, players: Patch
) -> None:
    players.setattr(fuzz_players, "asked", lambda *_: found)
    with broken(law):
        assert verdict(source) == "verdicts that hold in play"


def test_a_certificate_of_what_was_asked_once_is_found(players: Patch) -> None:
    def asking_once(*_: object) -> Any:
        yield Progress("asked once", 0, 0)
        return Check()

    players.setattr(certification, "asking_again", asking_once)
    changing = (HARDENING / "corpus" / "changing.txt").read_text(encoding="utf-8")
    with pytest.raises(Broken, match="loses"):
        verdict(changing.replace("{when}", "position in seen"), "changing")


@pytest.mark.parametrize(("left", "law"), [([], None), (["7 'sleep'"], "processes were left")])
def test_a_process_that_a_player_leaves_is_found(left: list[str], law: str | None, players: Patch) -> None:
    players.setattr(fuzz_players, "asked", raises(InvalidPlayer("no")))
    players.setattr(fuzz_players, "left", lambda: left)
    with broken(law):
        assert verdict("") == "refused"


# Command lines


@pytest.fixture
def patch(monkeypatch: Patch) -> Patch:
    monkeypatch.setattr(fuzz_cli, "PATIENCE", 100)
    monkeypatch.setattr(fuzz_cli, "APART", 1)
    monkeypatch.setattr(fuzz_cli, "tidy", lambda: None)
    return monkeypatch


def alarmed() -> None:
    signal.raise_signal(signal.SIGALRM)  # as the clock would
    time.sleep(100)


@pytest.mark.parametrize("problem", [KeyboardInterrupt(), RuntimeError("no")], ids=repr)
def test_what_leaves_the_command_by_itself_is_found(problem: BaseException, patch: Patch) -> None:
    patch.setattr(fuzz_cli.cli, "main", raises(problem))
    with pytest.raises(Broken, match=r"let an interrupt through|RuntimeError"):
        fuzz_cli.here([], "")


def test_an_interrupt_may_leave_the_command_only_outside_its_work(patch: Patch) -> None:
    patch.setattr(fuzz_cli.cli, "main", alarmed)
    assert fuzz_cli.here([], "") == (130, "", True)
    patch.setattr(fuzz_cli, "WORK", alarmed.__code__)
    with pytest.raises(Broken, match="let an interrupt through"):
        fuzz_cli.here([], "")


def test_an_interrupt_during_the_work_of_the_command_becomes_a_code(patch: Patch) -> None:
    patch.setattr(fuzz_cli.cli.cli, "invoke", lambda context: alarmed())
    code, said, interrupted = fuzz_cli.here(["doctor"], "")
    assert (code, said.strip(), interrupted) == (130, "noughts: interrupted", True)


@pytest.mark.parametrize(
    ("command", "law"), [("analyze", "no answer in 21 s"), ("review", "no answer"), ("doctor", None)]
)
def test_a_question_that_is_not_answered_within_seconds_is_found(command: str, law: str | None, patch: Patch) -> None:
    clock = iter((0.0, 21.0))  # of CPU time
    patch.setattr(fuzz_cli, "process_time", lambda: next(clock))
    patch.setattr(fuzz_cli.cli, "main", raises(SystemExit(0)))
    with broken(law):
        assert fuzz_cli.here([command], "") == (0, "", False)


@pytest.mark.parametrize(
    ("here", "apart", "law"),
    [
        ((0, "", False), (0, "", False), None),
        ((130, "", True), (0, "", False), None),
        ((0, "", False), (130, "", True), None),
        ((0, "", False), (2, "noughts: no", False), "0 here, 2 in a process of its own"),
        ((130, "", False), (0, "", False), "130 without an interrupt"),
        ((0, "", False), (130, "", False), "130 without an interrupt"),
        ((3, "", False), (3, "", False), "exit code 3"),
        ((2, "no", False), (2, "noughts: no", False), "exit 2"),
        ((2, "and more\nnoughts: no", False), (2, "noughts: no", False), "exit 2 with"),
        ((1, "Traceback\nnoughts: no", False), (1, "noughts: no", False), "Traceback"),
        ((1, "noughts: \x07", False), (1, "noughts: no", False), "x07"),
        ((1, f"noughts: {'no ' * 1000}", False), (1, "noughts: no", False), "no no"),
    ],
)
def test_two_ends_of_one_command_line_are_compared(here: Any, apart: Any, law: str | None, patch: Patch) -> None:
    patch.setattr(fuzz_cli, "here", lambda argv, stdin: here)
    patch.setattr(fuzz_cli, "apart", lambda argv, stdin: apart)
    patch.setattr(fuzz_cli.os, "waitpid", raises(ChildProcessError()))
    with broken(law):
        assert fuzz_cli.law(b'{"argv": ["doctor"], "stdin": ""}') == f"with {here[0]}"


def test_a_process_that_is_left_is_found() -> None:
    with subprocess.Popen(["sleep", "100"]) as left:
        with pytest.raises(Broken, match="left a process"):
            fuzz_cli.judge(["doctor"], 0, "", False)
        left.kill()


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
    ("game", "ask", "law"),
    [
        ("3x3k3", "read", "and it is win 99"), ("3x3k3", "arrays", "wrong values"),
        ("3x3k3", "verify", "was verified, and is wrong"), ("3x3k3", "resume", "was verified, and is wrong"),
        ("3x3k3m", "read", "another game"), ("3x3k3m", "arrays", "another game"), ("3x3k3m", "verify", "another game"),
    ],
)  # fmt: skip
def test_a_wrong_solution_is_found(game: str, ask: str, law: str, tmp_path: Path, monkeypatch: Patch) -> None:
    solve(Game(), save=tmp_path / "solution")
    truth = Other(Game.parse(game))
    monkeypatch.setitem(fuzz_database.samples, game, [truth.game.start()])
    with pytest.raises(Broken, match=law):
        fuzz_database.ASKED[ask](tmp_path / "solution", truth, random.Random(0), False)


@pytest.mark.parametrize(
    ("problem", "ask", "law"),
    [(Damaged("level 3"), "cached", "does not heal"), (Damaged("a\nb"), "read", "not one line"), (None, "read", None)],
)
def test_what_is_asked_of_a_damaged_solution(
    problem: Exception | None, ask: str, law: str | None, tmp_path: Path, monkeypatch: Patch
) -> None:
    game = fuzz_database.CACHED
    for name, value in (("home", tmp_path), ("truth", {str(game): SimpleNamespace(game=game)}),
                        ("samples", {str(game): [game.start()]}), ("saved", {f"{game}-raw": {}})):  # fmt: skip
        monkeypatch.setattr(fuzz_database, name, value)
    monkeypatch.setenv("NOUGHTS_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(fuzz_database.proofs, "value", raises(Damaged("level 3")))
    if ask == "read":
        monkeypatch.setitem(fuzz_database.ASKED, "read", raises(problem) if problem else lambda *_: None)
    recipe = {"seed": f"{game}-raw", "edits": [], "ask": ask, "chance": 0}
    with broken(law):
        assert fuzz_database.law(json.dumps(recipe).encode()) == "answered"
        sealed = recipe | {"edits": [["page", "level-03.noughts", 0, 0]]}
        assert "only a verification can tell" in fuzz_database.law(json.dumps(sealed).encode())


# Certificates of positions, protocols and texts


@pytest.mark.parametrize(
    ("claim", "reason", "holds", "law"),
    [
        ("tie", "", True, None), ("X wins", "", True, "is proven, and is false"), ("X holds", "", True, None),
        ("O wins", "", True, "is proven, and is false"), ("tie", "", False, "no reason"),
    ],
)  # fmt: skip
def test_a_false_claim_that_passes_is_found(
    claim: str, reason: str, holds: bool, law: str | None, monkeypatch: Patch
) -> None:
    ruled = SimpleNamespace(game="3x3k3", position=".../.../...", claim=claim, holds=holds, reason=reason)
    monkeypatch.setattr(fuzz_certificates.check, "check_file", lambda file: ruled)
    with broken(law):
        fuzz_certificates.law(b"")


@pytest.mark.parametrize("says", ["one\ntwo", "red \x1b[31m", "x" * 1000, ""])
def test_an_unclear_refusal_of_a_certificate_is_found(says: str, monkeypatch: Patch) -> None:
    monkeypatch.setattr(fuzz_certificates.check, "check_file", raises(fuzz_certificates.check.Unreadable(says)))
    with pytest.raises(Broken):
        fuzz_certificates.law(b"")


@pytest.mark.parametrize(
    ("says", "theirs", "law"),
    [("4,4", [], None), ("5,0", [], "off the board"), ("1,0", [1], "is taken"), ("\x1b", [], "x1b")],
)
def test_a_bad_answer_to_a_manager_is_found(says: str, theirs: list[int], law: str | None, monkeypatch: Patch) -> None:
    brain = SimpleNamespace(answer=lambda line: says, size=(5, 5), mine=[1], theirs=theirs)
    monkeypatch.setattr(fuzz_gomocup, "Brain", lambda: brain)
    with broken(law):
        fuzz_gomocup.law(b"TURN 2,2")


@pytest.mark.parametrize(
    ("data", "end"),
    [
        (b'bot end\n{"name": "x", "protocol": 1}\n{}\n{"cell": 7}\n{"cell": 8}', "bot moved"),
        (b'bot hang\n{"name": "x", "protocol": 1}\n{}\n{"cell": 999}', "bot lost"),
        (b"bot flood", "bot refused"),
        (b"gomocup die\nOK\nOK\n7,7\n8,8", "gomocup moved"),
        (b"gomocup flood\nOK\nOK", "gomocup lost"),
    ],
)
def test_what_a_program_says_is_taken_or_loses(data: bytes, end: str, tmp_path: Path, monkeypatch: Patch) -> None:
    monkeypatch.setattr(fuzz_bots, "folder", tmp_path)
    monkeypatch.setattr(fuzz_bots, "LIMIT", 20.0 if end.endswith("moved") else 0.2)
    monkeypatch.setattr(fuzz_bots, "LONGEST", 100)
    monkeypatch.setattr(fuzz_bots.bot, "LOADING", 2.0)
    monkeypatch.setattr(fuzz_bots, "family", lambda pid: [])
    assert fuzz_bots.law(data) == end


@pytest.mark.parametrize(
    ("player", "left", "law"),
    [
        (lambda _: 225, [], "225 was taken for a move"),
        (raises(InvalidPlayer("one\ntwo")), [], "not one line"),
        (raises(InvalidPlayer("no")), [7], "processes were left"),
    ],
)
def test_a_program_that_gets_through_with_it_is_found(
    player: Any, left: list[int], law: str, tmp_path: Path, monkeypatch: Patch
) -> None:
    monkeypatch.setattr(fuzz_bots, "folder", tmp_path)
    monkeypatch.setattr(fuzz_bots.bot, "Bot", lambda *_: nullcontext())
    monkeypatch.setattr(fuzz_bots.bot, "bot_player", lambda _: player)
    monkeypatch.setattr(fuzz_bots, "family", lambda pid: left)
    with pytest.raises(Broken, match=law):
        fuzz_bots.law(b"bot end")


@pytest.mark.parametrize(
    ("data", "what", "instead", "law"),
    [
        (b"uwapi 1_X--O-----", "uwapi.format_position", lambda _: "1_---------", "does not read back"),
        (b"game 4x4k3mge", "Game", SimpleNamespace(parse=lambda text: text), "is another game"),
        (b"csv a\nb", "finish", lambda _: SimpleNamespace(all=Tried(0, predictions=3)), "of 'a"),
        (b"kept 3x3k3: b2", "kept.write", lambda game, form: "3x3k3: a1", "became"),
        (b"kept 3x3k3: b2", "kept.read", raises(ValueError("no")), "not noughts' own"),
    ],
)
def test_a_text_that_is_read_wrongly_is_found(
    data: bytes, what: str, instead: Any, law: str, monkeypatch: Patch
) -> None:
    assert fuzz_texts.law(b"kept 3x3k3: b2") == "kept read"
    monkeypatch.setattr(f"fuzz_texts.{what}", instead)
    with pytest.raises(Broken, match=law):
        fuzz_texts.law(data)


def test_an_environment_that_does_not_follow_the_rules_is_found(monkeypatch: Patch) -> None:
    pytest.importorskip("pettingzoo", reason="needs the extra: pip install noughts[envs]")
    import fuzz_envs

    asked = [
        json.dumps([kind, "3x3k3", "refuse", [0, 0, 1005, 4]]).encode()
        for kind in ("gymnasium", "pettingzoo", "boards")
    ]
    assert all(fuzz_envs.law(data).endswith("refused") for data in asked)
    monkeypatch.setattr(fuzz_envs, "cell_of", lambda position, action: 8)
    for data in asked[:2]:
        with pytest.raises(Broken, match=r"was refused|is shown|has the mask"):
            fuzz_envs.law(data)


# Boards, and the runs themselves


def test_every_verdict_is_reached_by_chance() -> None:
    rng = random.Random(0)
    found = {fuzz_notation.law(fuzz_notation.made(rng)) for _ in range(300)}
    reasons = {str(reason).replace("_", " ") for reason in Reason}
    assert found >= reasons - {"no order", "undecided"} | {"legal", "no board"}  # those are of crowded boards


def test_a_text_that_takes_too_long_is_found(monkeypatch: Patch) -> None:
    clock = iter((0.0, 31.0))  # of CPU time
    monkeypatch.setattr(fuzz_notation, "process_time", lambda: next(clock))
    with pytest.raises(Broken, match="31 seconds of CPU time"):
        fuzz_notation.law(b".........")


def test_large_boards_of_every_kind_are_among_the_inputs() -> None:
    rng = random.Random(0)
    boards = [parse_board(large_board(rng)) for _ in range(60)]
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
import random, signal
STEERED = ""
def made(rng): return b"input"
def law(data): {does}
def figures(): return "and more"
"""


@pytest.mark.parametrize(
    ("does", "law"),
    [
        ("return 'well'", None),
        ("from laws import Broken; raise Broken('no good')", "no good"),
        ("1 / 0", "division by zero"),
        ("signal.raise_signal(signal.SIGSEGV)", "ended with -11"),
        ("import os; os._exit(3)", "ended with 3"),
        ("import time; time.sleep(100)", "Timeout"),
    ],
)
def test_whatever_ends_a_target_is_found_and_kept(
    does: str, law: str | None, tmp_path: Path, monkeypatch: Patch
) -> None:
    (tmp_path / "fuzz_it.py").write_text(TARGET.format(does=does))
    for name in ("fuzz", "fuzzing", "laws", "commands", "record"):
        shutil.copy(HARDENING / f"{name}.py", tmp_path)
    text = (tmp_path / "fuzz.py").read_text(encoding="utf-8").replace("SILENCE = 300", "SILENCE = 2")
    (tmp_path / "fuzz.py").write_text(text, encoding="utf-8")
    monkeypatch.setattr(fuzz, "__file__", str(tmp_path / "fuzz.py"))
    monkeypatch.setattr(fuzz, "FOUND", tmp_path.parent / "build" / "fuzz")
    fine, says = fuzz.watch("it", 0.5, 1)
    if law is None:
        assert fine
        assert "executions" in says
        assert says.endswith("well; and more")
    else:
        assert not fine
        assert law in says
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
