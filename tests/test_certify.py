"""Certification: proofs, refutations, and the users' own players and classroom files, however they behave."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from conftest import eventually, reachable
from shell import answer, run
from users import RIGHT, written

from noughts import Game, Mark, Position, move_values
from noughts.play import (
    Certificate,
    Forfeit,
    InvalidPlayer,
    Player,
    by_name,
    certify,
    choices,
    consistency,
    find_player,
)
from noughts.play.certification import TooManyGames
from noughts.play.classroom import CONTRACT, Report, all_questions, case_sizes, grade
from noughts.play.user_file import UserFile, UserPlayer
from noughts.play.worker import Other, decode, encode


@cache
def certified(name: str) -> Certificate:
    return certify(find_player(name))


# Proofs and refutations


@pytest.mark.parametrize(
    ("name", "as_x", "as_o"),
    [
        ("random", False, False),
        ("rules-as-printed", True, False),
        ("rules", True, True),
        ("minimax", True, True),
        ("alphabeta", True, True),
        ("perfect", True, True),
        ("level-1", False, False),
        ("level-2", False, False),
        ("level-3", False, False),
        ("level-4", True, False),
        ("level-5", True, True),
    ],
)
def test_who_never_loses_on_3x3(name: str, as_x: bool, as_o: bool) -> None:
    found = certified(name)
    assert (found.x.never_loses, found.o.never_loses) == (as_x, as_o)


def shortest_loss(player: Player, mark: Mark) -> int | None:
    """The plies of a shortest lost game, by plain recursion."""

    @cache
    def plies(position: Position) -> int | None:
        if position.is_over:
            return 0 if position.winner is mark.other else None
        cells = choices(player, position) if position.turn is mark else position.moves()
        found = [ways for cell in cells if (ways := plies(position.play(cell))) is not None]
        return 1 + min(found) if found else None

    return plies(Game().start())


@pytest.mark.parametrize("name", ["random", "rules-as-printed", "rules", "level-2", "level-4"])
def test_a_counterexample_is_a_shortest_game_that_the_player_loses_by_its_own_choices(name: str) -> None:
    player = find_player(name)
    for side in (certified(name).x, certified(name).o):
        if side.counterexample is None:
            assert shortest_loss(player, side.mark) is None
            continue
        position = Game().start()
        for cell in side.counterexample:
            if position.turn is side.mark:
                assert cell in player.choices(position)
            position = position.play(cell)
        assert position.winner is side.mark.other
        assert len(side.counterexample) == shortest_loss(player, side.mark)


@pytest.mark.parametrize("name", ["random", "rules-as-printed", "rules", "level-2", "level-3", "perfect"])
def test_leaving_out_symmetric_positions_changes_nothing(name: str) -> None:
    class Plain:
        choices = staticmethod(find_player(name).choices)
        __call__ = staticmethod(find_player(name))

    short, full = certified(name), certify(Plain())
    for one, other in ((short.x, full.x), (short.o, full.o)):
        assert (one.positions, one.decisions, one.shares) == (other.positions, other.decisions, other.shares)
        assert len(one.counterexample or ()) == len(other.counterexample or ())


def test_the_shares_are_those_of_all_decisions() -> None:
    pairs = {mark: [] for mark in Mark}  # type: ignore[var-annotated]
    for position in reachable(Game()):
        values = move_values(position)
        for worth in values.values():
            best = max(values.values())  # type: ignore[type-var]
            pairs[position.turn].append((worth.outcome == best.outcome, worth == best))  # type: ignore[union-attr]
    for side in (certified("random").x, certified("random").o):
        mine = pairs[side.mark]
        assert side.decisions == len(mine)
        assert side.shares == tuple(sum(pair[i] for pair in mine) / len(mine) for i in (0, 1))


def test_perfect_keeps_all_and_the_rules_do_too() -> None:
    for name in ("perfect", "rules", "level-5"):
        assert certified(name).x.shares == certified(name).o.shares == (1, 1)
    value, everything = certified("minimax").x.shares
    assert value == 1
    assert 0.8 < (everything or 0) < 1  # it wins, but not always as fast as can be


def test_misere_is_certified_too() -> None:
    found = certify(find_player("perfect"), Game(misere=True))
    assert (found.x.never_loses, found.o.never_loses) == (True, True)
    assert not certify(find_player("random"), Game(misere=True)).x.never_loses


@pytest.mark.parametrize("name", ["3x4k3", pytest.param("4x4k3", marks=pytest.mark.slow)])
def test_other_boards_are_certified_too(name: str) -> None:
    found = certify(find_player("rules"), Game.parse(name))
    assert found.x.never_loses
    assert not found.o.never_loses  # X has won from the start


@pytest.mark.slow
def test_the_rules_never_lose_on_4x4() -> None:
    found = certify(find_player("rules"), Game(4, 4, 4))
    assert found.x.never_loses
    assert found.o.never_loses


def test_boards_that_are_too_large_are_refused_with_the_limit() -> None:
    with pytest.raises(TooManyGames, match=r"15x15k5 has 225 cells: .* up to 20 cells"):
        certify(find_player("rules"), Game(15, 15, 5))
    with pytest.raises(TooManyGames, match="more than 100 classes of symmetric positions, the limit; it loses no game"):
        certify(find_player("rules"), limit=100)


def test_a_refutation_within_the_limit_is_an_answer() -> None:
    found = certify(find_player("random"), limit=500)
    assert not found.o.never_loses
    assert not found.o.complete
    assert found.o.shares == (None, None)


def test_a_function_that_breaks_the_rules_forfeits() -> None:
    found = certify(lambda position: 4)
    assert found.x.forfeit
    assert found.x.forfeit.problem == "its move cannot be played: b2 is taken by X"
    assert found.x.counterexample == (4, 0)
    assert found.o.forfeit
    assert found.o.counterexample == (4,)


# The command


KEYS = {"never_loses", "counterexample", "keeps_value", "keeps_value_and_remoteness", "decisions", "positions"}


def test_certify_gives_the_keys_of_the_contract() -> None:
    account = answer("certify", "rules-as-printed", "--json")
    assert (account["player"], account["game"]) == ("rules-as-printed", "3x3k3")
    assert account["x"].keys() >= KEYS
    assert (account["x"]["never_loses"], account["x"]["counterexample"]) == (True, None)
    assert account["o"]["never_loses"] is False
    position = Game().start()
    for move in account["o"]["counterexample"]:
        position = position.play(move)
    assert position.winner is Mark.X


def test_certify_for_people_shows_the_game_and_where_it_slipped() -> None:
    done = run("certify", "rules-as-printed", COLUMNS="100")
    assert (done.returncode, done.stderr) == (0, "")
    assert "As X: never loses." in done.stdout
    assert "As O: loses. A shortest lost game: a3 b2 c1 c3 a1 a2 b1" in done.stdout
    assert "1 X a3     2 O b2" in done.stdout
    assert "c3 threw away the tie; b3 or a2 or c2 or b1 kept it." in done.stdout


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["perfct"], "there is no player 'perfct': did you mean perfect?"),
        (["rules", "--game", "3x3"], "'3x3' is not a game"),
        (
            ["rules", "--game", "3x3k3m"],
            "rules does not play 3x3k3m: it does not know misere, where who completes a line loses",
        ),
        (["rules", "--game", "15x15k5"], "up to 20 cells"),
        (["rules", "--limit", "10"], "more than 10 classes of symmetric positions, the limit"),
        (["nowhere.py"], "there is no file 'nowhere.py'"),
        (["nowhere.py:best"], "there is no file 'nowhere.py'"),
        (["rules", "--classroom"], "--classroom grades a file"),
        (["nowhere.py", "--game", "4x4k4"], "a classroom file is about 3x3k3, not 4x4k4"),
        (["nowhere.py:f", "--time-limit", "0"], "the time limit must be from above 0 to 1,000,000 seconds, not 0"),
        (["nowhere.py:f", "--time-limit", "inf"], "1,000,000 seconds, not inf"),
        (["nowhere.py", "--total-limit", "nan"], "must be a positive number of seconds, not nan"),
    ],
)
def test_bad_input_is_one_clear_line_and_exit_2(arguments: list[str], says: str) -> None:
    done = run("certify", *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert says in done.stderr
    assert len(done.stderr.splitlines()) == 1


# Users' players


def test_a_users_function_is_certified(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(consistency, "GAMES", 30)
    path = written(
        tmp_path,
        "from noughts import best_moves\nfrom noughts.rules.notation import format_move\n"
        "def cell(position): return best_moves(position)[0]\n"
        "def text(position): return format_move(position.game, cell(position))\n"
        "def pair(position): return divmod(cell(position), 3)\n"
        "def several(position): return several.choices(position)[0]\n"
        "several.choices = best_moves\n"
        "def last(position): return position.moves()[-1]\n",
    )
    found = {}
    for function in ("cell", "text", "pair", "several", "last"):
        found[function] = by_name.certify(f"{path}:{function}")
        assert isinstance(found[function], Certificate)
    for function in ("cell", "text", "pair"):
        assert found[function].to_json() | {"player": ""} == found["cell"].to_json() | {"player": ""}
        assert found[function].x.never_loses
    assert found["several"].x.positions == certified("perfect").x.positions
    assert not found["last"].x.never_loses
    assert found["last"].player == "mine.py:last"


BAD: dict[str, tuple[str, str]] = {
    "raises": ("return 1 / 0", "it raised ZeroDivisionError: division by zero (line 3)"),
    "loops": ("while True: pass", "it gave no answer within 0.4 s"),
    "sleeps": ("time.sleep(60)", "it gave no answer within 0.4 s"),
    "taken": ("return 4 if not position.marks else position.game.cells_of(position.x)[0]", "is taken by X"),
    "none": ("return None", "its move cannot be played: None is not a move"),
    "text": ("return 'z9'", "its move cannot be played: z9 is not on the board"),
    "bool": ("return True", "its move cannot be played: True is not"),
    "thing": ("return object()", "its move cannot be played: <object object at"),
    "huge": ("return 10 ** 5000", "its move cannot be played:"),
    "exits": ("sys.exit('bye')", "it called exit('bye')"),
    "quits": ("exit()", "it called exit()"),
    "leaves": ("os._exit(7)", "it ended its process (status 7)"),
    "dies": ("os.kill(os.getpid(), signal.SIGSEGV)", "it ended its process by signal 11 (SIGSEGV)"),
    "asks": ("return int(input('move? '))", "it raised EOFError"),
    "recurses": ("return raises(position) if 0 else recurses(position)", "it raised RecursionError"),
    "interrupts": ("raise KeyboardInterrupt", "it raised KeyboardInterrupt"),
    "changes": ("position.x = 0", "it raised AttributeError: a Position never changes"),
}


@pytest.fixture(scope="module")
def bad_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    functions = "".join(f"def {name}(position):\n    {body}\n" for name, (body, _) in BAD.items())
    return written(tmp_path_factory.mktemp("bad"), "import os, signal, sys, time\n" + functions, "bad.py")


@pytest.mark.parametrize("name", BAD)
def test_the_first_bad_move_is_reported(bad_file: Path, name: str) -> None:
    with UserFile(bad_file, time_limit=0.4 if name in ("loops", "sleeps") else 20) as file:
        found = certify(UserPlayer(file, name))
    says = BAD[name][1].replace("line 3", f"line {3 + 2 * list(BAD).index(name)}")
    for side in (found.x, found.o):
        assert not side.never_loses
        assert side.forfeit
        assert says in side.forfeit.problem
        assert side.counterexample is not None
        assert side.forfeit.position == replay(side.counterexample)


def replay(cells: tuple[int, ...]) -> Position:
    position = Game().start()
    for cell in cells:
        position = position.play(cell)
    return position


def test_printing_is_told_and_corrupts_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(consistency, "GAMES", 30)
    path = written(
        tmp_path,
        "import os, sys\nprint('hello')\ndef chatty(position):\n"
        "    print('{\"value\": 0}')\n    print('thinking', file=sys.stderr)\n    os.write(1, b'{\"value\": 1}\\n')\n"
        "    sys.stdout.buffer.write(b'raw\\n'); sys.stdout.flush(); sys.stdout = None\n"
        "    return position.moves()[0]\n",
    )
    quiet = certify(lambda position: position.moves()[0])
    done = run("certify", f"{path}:chatty", "--json")
    account = json.loads(done.stdout)
    assert (done.returncode, done.stderr) == (0, "")
    assert account["x"]["positions"] == quiet.x.positions
    assert account["printed_lines"] > 3 * account["x"]["decisions"]
    assert "It printed" in run("certify", f"{path}:chatty").stdout


def test_a_bad_move_is_shown_on_its_board(bad_file: Path) -> None:
    done = run("certify", f"{bad_file}:taken")
    assert (done.returncode, done.stderr) == (0, "")
    assert "As X: breaks the rules. In this position its move cannot be played: b2 is taken by X" in done.stdout
    assert "2  . X ." in done.stdout


@pytest.mark.parametrize(
    ("source", "function", "says"),
    [
        ("def best(position): return 0", "bst", "mine.py has no function 'bst': did you mean best?"),
        ("def best(position): return 0", "zzz", "mine.py has no function 'zzz': it has best"),
        ("", "best", "mine.py has no function 'best': it has none"),
        ("best = 3", "best", "mine.py has no function 'best'"),
        ("def best(position) return 0", "best", "mine.py cannot be loaded: it raised SyntaxError"),
        ("\n\n1 / 0", "best", "mine.py cannot be loaded: it raised ZeroDivisionError: division by zero (line 3)"),
        ("import nowhere_to_be_found", "best", "it raised ModuleNotFoundError"),
        ("exit(3)", "best", "mine.py cannot be loaded: it called exit(3)"),
        ("import os; os._exit(4)", "best", "mine.py cannot be loaded: it ended its process (status 4)"),
        ("def best(position): return 0", "", "does not follow the classroom contract, it lacks initial_state, player"),
    ],
)
def test_a_file_that_cannot_be_used_is_one_clear_line(tmp_path: Path, source: str, function: str, says: str) -> None:
    path = written(tmp_path, source)
    with pytest.raises(InvalidPlayer) as caught:
        by_name.certify(f"{path}:{function}" if function else str(path))
    assert says in str(caught.value)


def test_a_file_finds_its_neighbours_and_not_ours(tmp_path: Path) -> None:
    written(tmp_path, "FIRST = 8", "rules.py")  # noughts.play has one too
    path = written(tmp_path, "import rules\ndef first(position): return rules.FIRST")
    with UserFile(path) as file:
        assert UserPlayer(file, "first")(Game().start()) == 8


# No process is left behind

LOOPING = (
    "import os, pathlib, subprocess, sys\n"
    "def loop(position):\n"
    "    child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'])\n"
    "    pathlib.Path(__file__).with_suffix('.pids').write_text(f'{os.getpid()} {child.pid}.')\n"
    "    while True: pass\n"
)


def alive(pid: int) -> bool:
    """Is this process at work? (One that has ended and waits to be noticed is not.)"""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def pids(path: Path) -> list[int]:
    noted = path.with_suffix(".pids")
    eventually(lambda: noted.exists() and noted.read_text().endswith("."))
    return [int(pid) for pid in noted.read_text().rstrip(".").split()]


needs_proc = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc to look at processes")


@needs_proc
def test_a_time_limit_leaves_no_process(tmp_path: Path) -> None:
    path = written(tmp_path, LOOPING)
    with UserFile(path, 3) as file, pytest.raises(Forfeit, match="no answer within 3 s"):
        UserPlayer(file, "loop")(Game().start())
    user = pids(path)
    eventually(lambda: not any(map(alive, user)))


@needs_proc
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_an_interrupted_command_leaves_no_process(tmp_path: Path, number: signal.Signals) -> None:
    path = written(tmp_path, LOOPING)
    command = [sys.executable, "-m", "noughts", "certify", f"{path}:loop", "--time-limit", "600"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        user = pids(path)
        assert all(map(alive, user))
        os.kill(process.pid, number)
        _, complaint = process.communicate(timeout=30)
    if number == signal.SIGINT:
        assert (process.returncode, complaint.strip()) == (130, "noughts: interrupted")
    eventually(lambda: not any(map(alive, user)))


ESCAPING = """
import os, pathlib, subprocess, sys, time

def note(*pids):
    pathlib.Path(__file__).with_suffix(".pids").write_text(" ".join(map(str, pids)) + ".")

def daemon(position):
    read, write = os.pipe()
    if not os.fork():
        os.setsid()
        if not os.fork():
            os.write(write, str(os.getpid()).encode())
            time.sleep(600)
        os._exit(0)
    note(os.getpid(), os.read(read, 20).decode())
    return position.moves()[0]

def session(position):
    child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"], start_new_session=True)
    note(os.getpid(), child.pid)
    os._exit(3)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells a process of its orphans")
@pytest.mark.parametrize("function", ["daemon", "session"])
def test_what_leaves_its_session_is_ended_too(tmp_path: Path, function: str) -> None:
    path = written(tmp_path, ESCAPING)
    with UserFile(path, 20) as file:
        player = UserPlayer(file, function)
        if function == "daemon":
            assert player(Game().start()) == 0
            assert all(map(alive, pids(path)))
        else:
            with pytest.raises(Forfeit, match=r"ended its process \(status 3\)"):
                player(Game().start())
    eventually(lambda: not any(map(alive, pids(path))))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_file_that_forks_answers_once(tmp_path: Path) -> None:
    path = written(tmp_path, "import os\ndef twice(position):\n    os.fork()\n    return position.moves()[-1]\n")
    with UserFile(path) as file:
        player, position = UserPlayer(file, "twice"), Game().start()
        while not position.is_over:  # one reply too many would be the answer to the next question
            assert player(position) == position.moves()[-1]
            position = position.play(player(position))


MEDDLING: dict[str, tuple[str, str]] = {
    "garbage": ("b'garbage\\n'", "wrote something of its own into the pipe for its answers"),
    "bytes": ("b'\\xff\\xfe\\n'", "wrote something of its own"),
    "number": ("b'7\\n'", "wrote something of its own"),
    "odd": ('b\'{"value": {"odd": 1}, "printed": {"lines": 0, "first": ""}}\\n\'', "wrote something of its own"),
    "unhashable": (
        'b\'{"value": {"set": [[1]]}, "printed": {"lines": 0, "first": ""}}\\n\'', "wrote something of its own",
    ),
    "untyped": ('b\'{"raised": 1, "printed": {"lines": 0, "first": ""}}\\n\'', "wrote something of its own"),
    "ended": ('b\'{"ended": 0}\\n\'', "wrote something of its own"),
}  # fmt: skip


@needs_proc
@pytest.mark.parametrize("name", MEDDLING)
def test_what_a_file_writes_into_the_pipe_is_told(name: str, tmp_path: Path) -> None:
    text, says = MEDDLING[name]
    path = written(
        tmp_path,
        "import os, stat\ndef meddle(position):\n    for number in map(int, os.listdir('/proc/self/fd')):\n"
        "        try:\n            if stat.S_ISFIFO(os.fstat(number).st_mode):\n"
        f"                os.write(number, {text})\n        except OSError: pass\n    return 0\n",
    )
    with UserFile(path) as file, pytest.raises(Forfeit, match=says):
        UserPlayer(file, "meddle")(Game().start())


@pytest.mark.parametrize(
    ("body", "says"),
    [
        ("os.closerange(0, 50)\n    while True: pass", "gave no answer within 0.5 s"),
        ("raise Exception('\\ud800\\n\\x1b[2J')", r"raised Exception: \\ud800\\n\\x1b\[2J"),
        ("raise type('E' * 5000, (Exception,), {})('x')", "raised E{399,400}[: (]"),
        ("return {frozenset({1})}", "its move cannot be played: {frozenset"),
    ],
)
def test_a_strange_end_is_told_in_one_line(body: str, says: str, tmp_path: Path) -> None:
    path = written(tmp_path, f"import os\ndef strange(position):\n    {body}\n")
    with UserFile(path, 0.5 if "while" in body else 20) as file, pytest.raises(Forfeit, match=says) as caught:
        UserPlayer(file, "strange")(Game().start())
    assert caught.value.problem.isprintable()


# What crosses over


@pytest.mark.parametrize(
    "value", [None, True, 3, -2.5, "b2", [1, [2, None]], (0, 1), {(0, 1), (2, 2)}, [("a", set())], {frozenset({1})}]
)
def test_plain_values_cross_over(value: Any) -> None:
    crossed = decode(json.loads(json.dumps(encode(value))))
    assert crossed == value
    assert type(crossed) is type(value)


def test_what_is_not_plain_crosses_over_as_a_picture() -> None:
    class Resists:
        def __repr__(self) -> str:
            raise ValueError

    for value in (object(), "x" * 10_000, 10**5000, list(range(10_000)), [[[[[[1]]]]]], Resists(), b"b2", {"a": 1}):
        crossed = json.dumps(encode(value))
        assert len(crossed) < 1000
        assert not isinstance(decode(json.loads(crossed)), int | str | bytes)
    assert isinstance(decode(encode(object())), Other)


# Classroom files

# Everything but initial_state is wrong, each in its own way.
WRONG = """
import os, right
from right import *
print("loaded")
def player(board): return X if len(right.actions(board)) % 2 else (O if board[1][1] else 1 / 0)
def actions(board): return [] if board[0][0] is None else right.actions(board)
def result(board, action):
    board[action[0]][action[1]] = right.player(board)
    return board
def winner(board):
    print("who?")
    return None if board[0][2] == board[1][1] == board[2][0] else right.winner(board)
def terminal(board):
    if board[0] == [X, O, X]:
        while True: pass
    return right.terminal(board)
def utility(board): os._exit(3)
def minimax(board): return min(right.actions(board), default=None)
"""


@pytest.fixture(scope="module")
def classroom(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("classroom")
    written(folder, RIGHT, "right.py")
    written(folder, WRONG, "wrong.py")
    return folder


@pytest.fixture(scope="module")
def right(classroom: Path) -> Report:
    return grade(classroom / "right.py", total_limit=600)


@pytest.fixture(scope="module")
def wrong(classroom: Path) -> Report:
    return grade(classroom / "wrong.py", time_limit=1, total_limit=600)


def test_the_questions_cover_every_position() -> None:
    counts = {name: len(questions) for name, questions in all_questions().items()}
    assert {name.partition(" ")[0] for name in counts} == set(CONTRACT)
    assert counts["winner"] == counts["terminal"] == counts["minimax"] == 5478
    assert counts["player"] == counts["actions"] == 4520
    assert (counts["utility"], counts["initial_state"]) == (958, 1)
    assert counts["result"] == sum(len(position.moves()) for position in reachable(Game()))
    free = [question.position.empty.bit_count() for question in all_questions()["minimax"]]
    assert free == sorted(free)


def test_a_right_file_has_everything_right(right: Report) -> None:
    for found in right.grades:
        assert (found.asked, found.right, found.percent) == (found.questions, found.questions, 100)
        assert found.failure is None
    assert right.printed == 0


def share(wrong: Report, name: str) -> tuple[int, int]:
    found = next(found for found in wrong.grades if found.function == name)
    return found.right, found.asked


def ongoing() -> Iterator[Position]:
    return (position for position in reachable(Game()) if not position.is_over)


def test_each_function_gets_its_own_count(wrong: Report) -> None:
    game = Game()
    taken = {position: {cell for cell in range(9) if not position.empty & (1 << cell)} for position in reachable(game)}
    assert share(wrong, "initial_state") == (1, 1)
    assert share(wrong, "player") == (sum(p.turn is Mark.X or 4 in taken[p] for p in ongoing()), 4520)
    assert share(wrong, "actions") == (sum(0 in taken[p] for p in ongoing()), 4520)
    assert share(wrong, "result") == (0, 16167)
    assert share(wrong, "result (illegal)") == (0, 4519)
    anti = game.bits_of([2, 4, 6])
    same = [p for p in reachable(game) if anti in (p.x & anti, p.o & anti, p.empty & anti)]
    assert share(wrong, "winner") == (5478 - sum(p.winner is not None for p in same), 5478)
    values = {p: move_values(p) for p in ongoing()}
    first = sum(values[p][p.moves()[0]].outcome == max(values[p].values()).outcome for p in values)  # type: ignore
    full = sum(p.is_over and not p.empty for p in reachable(game))
    assert share(wrong, "minimax") == (first + full, 5478)


def test_a_function_that_never_answers_is_given_up(wrong: Report) -> None:
    terminal, utility = (
        next(found for found in wrong.grades if found.function == name) for name in ("terminal", "utility")
    )
    assert terminal.failure
    assert terminal.failure.problem == "it gave no answer within 1 s"
    assert str(terminal.failure.question.position).startswith("XOX/")
    assert terminal.asked - terminal.right == 3
    assert utility.failure
    assert utility.failure.problem == "it ended its process (status 3)"
    assert (utility.right, utility.asked, utility.score) == (0, 3 * 3, 0)
    assert "given up after 3" in utility.note
    assert terminal.score
    assert terminal.score < 100 / len(terminal.cases)  # all that was not asked counts as wrong
    assert terminal.cases.keys() == case_sizes("terminal").keys()


def test_the_first_failure_is_the_simplest_board(wrong: Report) -> None:
    failures = {found.function: found.failure for found in wrong.grades}
    player, result = failures["player"], failures["result"]
    assert player
    assert "it raised ZeroDivisionError" in player.problem
    assert player.question.position.marks == 1
    assert result
    assert result.problem == "it changed the board that it was given"
    assert result.question.position.marks == 0
    illegal = failures["result (illegal)"]
    assert illegal
    assert illegal.question.expected == "an exception"


def test_printing_is_counted(wrong: Report) -> None:
    assert wrong.first_print == "loaded"
    assert wrong.printed > 5478


def test_what_is_missing_is_said_and_the_rest_is_graded(tmp_path: Path) -> None:
    path = written(tmp_path, "def utility(board): return 0\n", "half.py")
    with pytest.raises(InvalidPlayer, match=r"half\.py does not follow the classroom contract, it lacks initial_state"):
        grade(path)
    report = grade(path, partly=True)
    notes = {found.function: found.note for found in report.grades}
    assert notes.pop("utility") == ""
    assert set(notes.values()) == {"the file has no such function"}
    assert share(report, "utility") == (16, 958)  # the draws


def test_a_slow_minimax_is_not_called_wrong(classroom: Path) -> None:
    path = written(
        classroom,
        "import time, right\ndef minimax(board):\n"
        "    if len(right.actions(board)) >= 7: time.sleep(60)\n    return right.minimax(board)\n",
        "slow.py",
    )
    report = grade(path, time_limit=1, partly=True)
    minimax = report.grades[-1]
    assert minimax.percent == 100
    assert minimax.asked == 5478 - 72 - 9 - 1
    assert minimax.note == "too slow: no answer within 1 s with 7 cells free"


def test_when_the_time_runs_out_the_rest_is_not_asked(classroom: Path) -> None:
    path = written(
        classroom,
        "import time\nfrom right import *\nplayers = player\n"
        "def player(board):\n    time.sleep(0.1)\n    return players(board)\n",
        "late.py",
    )
    report = grade(path, total_limit=3)
    assert all(found.asked < 200 for found in report.grades)
    assert report.grades[-1].note == "the time for the whole file ran out"
    assert report.grades[-1].percent is None


def test_a_classroom_file_in_the_shell(tmp_path: Path) -> None:
    path = written(tmp_path, "def utility(board): return 0\n", "half.py")
    account = answer("certify", str(path), "--classroom", "--json")
    assert account["functions"].keys() == all_questions().keys()
    utility = account["functions"]["utility"]
    assert (utility["asked"], utility["right"]) == (958, 16)
    failure = utility["first_failure"]
    assert failure["problem"] == "it returned 0"
    assert failure["expected"] == "1"
    assert len(failure["arguments"][0]) == 3
    shown = run("certify", str(path), "--classroom")
    assert shown.returncode == 0
    assert "16 of    958 right    1.7 %" in shown.stdout
    assert "utility, first failure: it returned 0; expected 1" in shown.stdout
