"""The command: its answers, its exit codes, its one-line complaints."""

from __future__ import annotations

import json
import os
import struct
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import click
import pytest
from conftest import reachable
from golden.questions import ask_command
from shell import answer, command, run

from noughts import Game, native, value
from noughts.analysis import analyze
from noughts.cli import COMMANDS, load
from noughts.solve import solve

KEYS = [
    "game", "position", "turn", "status", "winner", "winning_lines", "legal", "reason", "code", "canonical",
    "value", "remoteness", "best", "moves",
]  # fmt: skip
MOVE_KEYS = ["move", "cell", "row", "column", "value", "remoteness", "reasons"]


def test_noughts_alone_explains_itself_in_one_screen() -> None:
    done = run()
    assert done.returncode == 0
    assert "analyze" in done.stdout
    assert len(done.stdout.splitlines()) <= 40


def test_analyze_gives_the_keys_of_the_contract() -> None:
    account = answer("analyze", "XO./.X./..O", "--json")
    assert set(KEYS) <= account.keys()
    assert all(set(MOVE_KEYS) <= move.keys() for move in account["moves"])
    assert {key: account[key] for key in KEYS if key != "moves"} == {
        "game": "3x3k3", "position": "XO./.X./..O", "turn": "X", "status": "ongoing", "winner": None,
        "winning_lines": [], "legal": True, "reason": None, "code": 6728, "canonical": ".OX/.X./O..",
        "value": "win", "remoteness": 3, "best": ["a2", "a1"],
    }  # fmt: skip
    first = account["moves"][0]
    assert {key: first[key] for key in MOVE_KEYS[:6]} == {
        "move": "c3", "cell": 2, "row": 0, "column": 2, "value": "tie", "remoteness": 5,
    }  # fmt: skip


def test_analyze_says_where_the_engine_was_asked_and_does_not_play() -> None:
    done = run("analyze", "6x7k4g:4453", "--seconds", "0.2")
    assert done.returncode == 0
    assert "the engine does not play 6x7k4g: it does not know gravity" in done.stderr
    assert "does not play" not in run("analyze", "6x7k4g:4453").stderr


def test_analyze_of_finished_games() -> None:
    won = answer("analyze", "XXX/OO./...", "--json")
    assert (won["status"], won["winner"], won["winning_lines"]) == ("x_wins", "X", [["a3", "b3", "c3"]])
    assert (won["value"], won["remoteness"], won["best"], won["moves"]) == ("loss", 0, [], [])
    lost = answer("analyze", "3x3k3m:XXX/OO./...", "--json")
    assert (lost["status"], lost["winner"], lost["value"], lost["remoteness"]) == ("o_wins", "O", "win", 0)
    assert lost["winning_lines"] == [["a3", "b3", "c3"]]
    drawn = answer("analyze", "XOX/XOO/OXX", "--json")
    assert (drawn["status"], drawn["winner"], drawn["value"], drawn["remoteness"]) == ("draw", None, "tie", 0)


def test_analyze_of_a_board_too_large_to_solve_says_unknown() -> None:
    account = answer("analyze", "15x15k5:" + "/".join(["." * 15] * 15), "--json")
    assert (account["value"], account["remoteness"], account["best"]) == ("unknown", None, [])
    assert {(move["value"], move["remoteness"]) for move in account["moves"]} == {("unknown", None)}


def test_analyze_of_the_largest_board_ends() -> None:
    account = run("analyze", "-", "--json", stdin="256x256k256:" + "/".join(["." * 256] * 256))
    assert account.returncode == 0
    assert len(json.loads(account.stdout)["moves"]) == 65536


@pytest.mark.parametrize("every", [False, pytest.param(True, marks=pytest.mark.slow)], ids=["class", "position"])
def test_analyze_agrees_with_the_library_on_every(every: bool) -> None:
    for game in (Game(), Game(misere=True)):
        for position in reachable(game) if every else {position.canonical() for position in reachable(game)}:
            account = analyze(position).to_json()
            worth = value(position)
            assert worth is not None
            assert (account["value"], account["remoteness"]) == (worth.outcome, worth.remoteness)
            moves = {move["move"]: move for move in account["moves"]}
            assert [move["cell"] for move in account["moves"]] == position.moves()
            for name in account["best"]:
                assert (moves[name]["value"], moves[name]["remoteness"]) == (worth.outcome, worth.remoteness)
            for move in account["moves"]:
                assert (move["remoteness"] == 1) is position.play(move["cell"]).is_over


def test_analyze_for_people_shows_labels_values_and_reasons() -> None:
    shown = run("analyze", "XX./OO./...").stdout
    assert "3   X  X +1" in shown
    assert "a  b  c" in shown
    assert "X wins at once" in shown
    assert "completes a line" in shown
    assert "\x1b" not in shown


def test_no_color_is_respected_and_colour_is_only_for_terminals() -> None:
    pty = pytest.importorskip("pty")
    for environment, coloured in (({}, True), ({"NO_COLOR": "1"}, False)):
        main, side = pty.openpty()
        subprocess.run(
            [sys.executable, "-m", "noughts", "analyze", "XO./.X./..O"],
            stdout=side, stdin=side, timeout=60, check=True,
            env={k: v for k, v in os.environ.items() if k != "NO_COLOR"} | {"TERM": "xterm"} | environment,
        )  # fmt: skip
        os.close(side)
        assert (b"\x1b[" in os.read(main, 100_000)) is coloured


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["analyze", ""], "the board is empty text"),
        (["analyze", "X.O/.X"], "the board has 2 rows"),
        (["analyze", "X.O/.X./..?"], "row 3 has '?' in place 3"),
        (["analyze", "3x3k9:X.O/.X./..O"], "k must be from 1 to 3"),
        (["analyze", "9999x9999k3:X"], "rows must be from 1 to 256"),
        (["analyze", "X" * 100_000], "the text is too long for a board"),
        (["analyze", "4x4k4"], "its empty board is 4x4k4:..../..../..../...."),
        (["analyze", "15x15k5"], "15x15k5 is a game, not a position"),
        (["analyze"], "missing argument 'POSITION'"),
        (["analyze", "X../.../...", "garbage"], "unexpected extra argument"),
        (["analise"], "did you mean analyze?"),
        (["doctor", "now"], "got unexpected extra argument (now) (noughts doctor --help says more)"),
        (["--nonsense"], "no such option"),
        (["completion", "tcsh"], "'tcsh' is not one of"),
        (["search", ".../.../...", "--replay", "--json"], "--replay is for reading"),
        (["play", "--two", "--against", "perfect"], "--two is a game between people"),
        (["solve", "3x3k3", "--save", ""], "invalid value for '--save': it is empty"),
        (["solve", "--verify", ""], "invalid value for '--verify': it is empty"),
        (["certify", "rules", "--limit", "0"], "0 is not in the range"),
        (["atlas", "3x3", "--check", "--rebuild"], "choose one"),
        (["match", "mcts:99999999999", "random"], "the playouts of mcts must be from 1 to 10,000,000, not 99999999999"),
        (["match", f"mcts:{'9' * 101}", "random"], "expected a number"),
    ],
)
def test_bad_input_is_one_clear_line_and_exit_2(arguments: list[str], says: str) -> None:
    done = run(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert says in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert len(done.stderr) < 300


@pytest.mark.parametrize("text", ["X.O\x00.X./..O", "X" * 10_000_000, "\ufeffX.O/.X./..O", "X.O/.X./..O\n\n"])
def test_bad_standard_input_is_one_clear_line_and_exit_2(text: str) -> None:
    done = run("analyze", "-", stdin=text)
    assert (done.returncode, done.stdout) == (2, "")
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize("encoding", ["utf-8:strict", "utf-8:surrogateescape", "ascii:strict"])
@pytest.mark.parametrize(("word", "code"), [("analyze", 2), ("review", 2), ("play", 0)])
def test_bytes_that_are_no_text_break_nothing(word: str, code: int, encoding: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "noughts", word, *(["-"] if code else [])],
        input=b"\xff\xfe b2\n", capture_output=True, timeout=60, check=False,
        env=os.environ | {"PYTHONIOENCODING": encoding},
    )  # fmt: skip
    assert done.returncode == code
    assert len(done.stderr.splitlines()) == (1 if code else 0)
    assert (b"'\\\\" if code else b"\\xff\\xfe b2") in (done.stderr if code else done.stdout)


@pytest.mark.parametrize("word", ["x" * 5000, "a\x1b[2J\x07b", "two\nlines", "\udcff", "\u2028"])
def test_a_complaint_is_one_short_printable_line_whatever_it_quotes(word: str) -> None:
    for arguments in (
        ["match", "random", "random", word],
        ["search", ".........", "--depth", word],
        ["serve", "--host", word],
    ):
        done = run(*arguments)
        assert (done.returncode, done.stdout) == (1 if "serve" in arguments else 2, "")
        assert len(done.stderr) < 1000
        [line] = done.stderr.splitlines()
        assert line.isprintable()


@pytest.mark.parametrize("size", ["nan", "inf", "-1GB", "1e400", "GB", "0"])
def test_what_is_no_size_is_refused(size: str) -> None:
    done = run("solve", "3x3k3", "--memory", size)
    assert (done.returncode, done.stdout) == (2, "")
    assert "is not a size: expected something like 8GB" in done.stderr


@pytest.mark.parametrize(
    ("save", "says"),
    [([], "\n"), (["--save", "there"], "; finished levels are kept"), (["--save", "gone"], "\n")],
)
def test_memory_that_runs_out_is_one_line_and_a_failure(save: list[str], says: str, tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    starved = (
        "import noughts.cli, noughts.cli.solve as solve\n"
        "def solving(*given, **options): raise MemoryError\n"
        "solve.solving = solving\n"
        "noughts.cli.main()"
    )
    line = [sys.executable, "-c", starved, "solve", "3x3k3", *save]
    done = subprocess.run(line, capture_output=True, text=True, timeout=60, cwd=tmp_path, check=False)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith(f"noughts: there is not enough memory for this{says}")
    assert len(done.stderr.splitlines()) == 1


def test_a_board_that_cannot_arise_is_exit_2_with_the_reason_in_json_too() -> None:
    done = run("analyze", "XXX/OOO/...", "--json")
    assert done.returncode == 2
    assert "both players have completed a line" in done.stderr
    account = json.loads(done.stdout)
    assert (account["game"], account["position"], account["legal"]) == ("3x3k3", "XXX/OOO/...", False)
    assert account["reason"] in done.stderr


@pytest.mark.parametrize("missing", ["h11", "starlette", "fastapi", "uvicorn", "pydantic", "anyio"])
def test_a_module_that_an_extra_brings_is_asked_for_by_the_name_of_the_extra(missing: str) -> None:
    code = f"import sys; sys.modules[{missing!r}] = None; from noughts.__main__ import main; main()"
    line = [sys.executable, "-c", code, "serve", "--no-browser", "--port", "0"]
    done = subprocess.run(line, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == f"noughts: this needs {missing}: pip install 'noughts[web]'\n"


def in_terminal(columns: int, *words: str) -> list[str]:
    """The lines of a command in a terminal of so many columns, without colours."""
    pty, fcntl, termios = (pytest.importorskip(name) for name in ("pty", "fcntl", "termios"))
    main, side = pty.openpty()
    fcntl.ioctl(side, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    environment = {name: given for name, given in os.environ.items() if name != "COLUMNS"}
    line = [sys.executable, "-m", "noughts", *words]
    with subprocess.Popen(line, stdout=side, stdin=side, env=environment) as process:
        os.close(side)
        shown = b""
        with suppress(OSError):  # which is how a terminal ends
            while some := os.read(main, 65536):
                shown += some
    os.close(main)
    assert process.returncode == 0
    return click.unstyle(shown.decode()).replace("\r", "").splitlines()


@pytest.mark.parametrize(
    ("columns", "words"), [(40, "tour"), (80, "search .X./O../X.O --compare"), (80, "solve 3x3k3")]
)
def test_no_word_is_split_where_the_terminal_ends(columns: int, words: str) -> None:
    lines, piped = in_terminal(columns, *words.split()), run(*words.split()).stdout.splitlines()
    assert max(len(line) for line in lines if " " in line.strip()) <= columns
    if words.startswith("solve"):
        del lines[-1], piped[-1]  # which were measured
    assert sorted(" ".join(lines).split()) == sorted(" ".join(piped).split())


def test_a_table_is_paragraphs_where_the_terminal_is_too_narrow_for_it() -> None:
    lines = in_terminal(40, "search", ".X./O../X.O", "--compare")
    assert max(map(len, lines)) <= 40
    assert "minimax: nodes 226, prunes 0, minimax 0.00%, alphabeta -130.61%" in " ".join(" ".join(lines).split())


def test_doctor_names_the_core_and_the_extras() -> None:
    facts = answer("doctor", "--json")
    assert set(facts["extras"]) == {"batch", "web", "plots", "db", "envs", "parquet", "cuda", "cluster"}
    shown = command("doctor").stdout
    assert facts["native"] is ("core      native core" in shown)
    assert facts["version"] in shown
    assert facts["cache"] in shown


@pytest.mark.skipif(native.core() is None, reason=native.status())
def test_an_instruction_set_that_is_not_there_is_one_clear_line() -> None:
    done = command("solve", "3x3k3", env=os.environ | {"NOUGHTS_ISA": "foo"})
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("noughts: NOUGHTS_ISA is 'foo', but this machine has baseline")
    assert len(done.stderr.splitlines()) == 1


def test_doctor_says_when_the_core_is_off() -> None:
    done = command("doctor", env=os.environ | {"NOUGHTS_NATIVE": "0", "NOUGHTS_REQUIRE_NATIVE": "0"})
    assert done.returncode == 0
    assert "Python twins" in done.stdout


def test_a_required_core_that_is_missing_is_a_failure() -> None:
    done = command("doctor", env=os.environ | {"NOUGHTS_NATIVE": "0", "NOUGHTS_REQUIRE_NATIVE": "1"})
    assert done.returncode == 1
    assert "NOUGHTS_REQUIRE_NATIVE" in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_a_full_disk_and_a_missing_input_are_one_line_and_a_failure() -> None:
    for shell, code in ((">/dev/full", 1), ("- <&-", 2)):
        done = subprocess.run(
            f"{sys.executable} -m noughts analyze {'X../.../...' if '>' in shell else ''} {shell}",
            shell=True, capture_output=True, text=True, timeout=60, check=False,
        )  # fmt: skip
        assert done.returncode == code
        assert len(done.stderr.splitlines()) == 1


def test_a_position_from_another_system_may_end_its_line_its_own_way() -> None:
    assert run("analyze", "-", stdin="X../.../...\r\n").returncode == 0


def test_version() -> None:
    assert run("--version").stdout == f"noughts {answer('doctor', '--json')['version']}\n"


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_is_printed_for_each_shell(shell: str) -> None:
    done = run("completion", shell)
    assert done.returncode == 0
    assert "_NOUGHTS_COMPLETE" in done.stdout


def test_completion_completes() -> None:
    done = command(
        env=os.environ | {"_NOUGHTS_COMPLETE": "bash_complete", "COMP_WORDS": "noughts an", "COMP_CWORD": "1"}
    )
    assert "analyze" in done.stdout


def test_a_reader_that_leaves_early_is_no_error() -> None:
    done = subprocess.run(
        f"{sys.executable} -m noughts analyze 15x15k5:{'/'.join(['.' * 15] * 15)} --json | head -c 1",
        shell=True, capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert (done.stdout, done.stderr) == ("{", "")


def test_the_tour_ends_well() -> None:
    done = run("tour")
    assert (done.returncode, done.stderr) == (0, "")
    assert "noughts analyze" in done.stdout


def test_ctrl_c_while_the_command_is_loaded_is_no_traceback() -> None:
    code = (
        "import signal, sys\n"
        "class Pressed:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name == 'click': signal.raise_signal(signal.SIGINT)\n"
        "sys.meta_path.insert(0, Pressed())\n"
        "from noughts.__main__ import main\n"
        "main()"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "noughts: interrupted\n")


def test_a_solved_game_that_is_asked_for_among_the_proven_is_shown_as_it_is_solved() -> None:
    assert run("atlas", "3x4k3", "--proven").stdout == run("atlas", "3x4k3").stdout != ""


@pytest.mark.parametrize(
    "words", [["atlas"], ["analyze", "--help"], ["search", ".../.../...", "--replay"], ["solve", "3x3k3"]], ids=" ".join
)
def test_a_reader_who_has_seen_enough_is_no_failure(words: list[str]) -> None:
    reads, writes = os.pipe()
    os.close(reads)
    done = subprocess.run(
        [sys.executable, "-m", "noughts", *words],
        stdout=writes,
        stderr=subprocess.PIPE,
        text=True,
        timeout=60,
        check=False,
    )
    os.close(writes)
    assert done.returncode == 0
    assert words[0] == "solve" or not done.stderr  # which says beforehand what it takes


def test_search_reads_a_position_from_standard_input_too() -> None:
    asked = run("search", "-", "--json", stdin="XO./.X./..O\n")
    assert json.loads(asked.stdout) == answer("search", "XO./.X./..O", "--json")


# Numbers of 5,000 digits: more than Python turns into an integer

NEEDED = {"search": ["." * 9], "certify": ["random"], "match": ["random", "random", "-n", "1"], "solve": ["3x3k3"]}
NEEDED["dataset"] = ["3x3k3", "-o", os.devnull + ".jsonl"]
NUMBERED = [
    (name, option)
    for name in COMMANDS
    for option in load(name).params
    if isinstance(option, click.Option)
    and not option.is_flag
    and not isinstance(option.type, click.Path | click.Choice | click.types.FuncParamType)
]


@pytest.mark.parametrize("sign", ["", "-"])
@pytest.mark.parametrize(("name", "option"), NUMBERED, ids=lambda given: getattr(given, "name", given))
def test_a_number_of_5000_digits_is_no_number(name: str, option: click.Option, sign: str, tmp_path: Path) -> None:
    words = [name, *NEEDED.get(name, []), f"{max(option.opts, key=len)}={sign}{'9' * 5000}"]
    if option.name == "sample":
        solve(Game(), save=tmp_path)
        words[1:2] = ["--verify", str(tmp_path)]
    sys.set_int_max_str_digits(sys.int_info.default_max_str_digits)
    found = ask_command(words, "")
    if isinstance(option.type, click.types.FloatParamType):
        assert found["exit"] in (0, 2)  # no float is too long to be read
    else:
        assert found["exit"] == (1 if option.name == "host" else 2)
        assert found["err"].startswith("noughts: ")
        assert found["err"].count("\n") == 1


def test_every_option_that_takes_a_number_is_tried() -> None:
    assert {"depth", "limit", "keep", "seed", "games", "threads", "memory", "sample", "trials", "port"} <= {
        option.name for _, option in NUMBERED
    }


def test_every_command_has_a_help_of_its_own() -> None:
    from noughts.cli import COMMANDS, load

    helps = {name: load(name).help for name in COMMANDS}
    assert len({*helps.values()}) == len(COMMANDS)
    assert all(helps.values())


def test_half_a_value_of_a_move_is_told_in_words() -> None:
    rows = ["........."] * 8
    rows[2], rows[3], rows[5] = "..XXXX...", "..OOO....", "...O....."
    said = run("analyze", "8x9k6:" + "/".join(rows)).stdout.splitlines()
    assert [line.split("  ")[-1].strip() for line in said if line.startswith("  e3 ")] == ["cannot lose"]
    said = run("analyze", "13x13k8:" + "/".join(["." * 13] * 13)).stdout.splitlines()
    assert "* g7   cannot lose takes the centre" in said
