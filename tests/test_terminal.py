"""A game in the terminal: over a pipe, at a keyboard, to every kind of end."""

from __future__ import annotations

import io
import json
import random
import sys
from contextlib import redirect_stdout
from pathlib import Path

import click
import pytest
from shell import run

from noughts import Game, NotationError
from noughts.account import review
from noughts.cli.play import play
from noughts.cli.review import account
from noughts.play.record import MAX_FILE, format_record, parse_record, read_record


class Keyboard(io.StringIO):
    """Typed lines, at a terminal."""

    def isatty(self) -> bool:
        return True


def played(lines: str | Keyboard, **options: object) -> str:
    source = io.StringIO(lines) if isinstance(lines, str) else lines
    with redirect_stdout(io.StringIO()) as shown, pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "stdin", source)
        play(**options)  # type: ignore[arg-type]
    return shown.getvalue()


def test_two_people_play_to_a_win_and_are_told_where_it_slipped() -> None:
    shown = played("b2\nb3\na1\nc3\na3\nc1\na2\n", two=True)
    assert "X wins." in shown
    assert "Line: a3 a2 a1" in shown
    assert "Move 2: O b3 threw away the tie that a3 or c3 or a1 or c1 kept: now loss 6" in shown


def test_two_people_play_to_a_draw_without_a_slip() -> None:
    shown = played("b2\na1\na3\nc1\nb1\nb3\nc2\na2\nc3\n", two=True)
    assert "A draw." in shown
    assert "Nobody slipped: 3x3k3 is a tie for X from the start." in shown


def test_a_random_person_against_each_kind_of_player_ends_with_the_true_account() -> None:
    rng = random.Random(1)
    for opponent in ("random", "level-1", "level-3", "rules", "perfect"):
        for side in ("x", "o"):
            typed = "".join(f"{rng.randrange(9)}\n" for _ in range(200))
            shown = played(typed, against=opponent, side=side, seed=5)
            moves = next(line for line in shown.splitlines() if line.startswith("Moves: ")).split()[1:]
            assert shown.rstrip().endswith("\n".join(account(review(Game().start(), moves))))
            slips = sum(judgement.slipped for judgement in review(Game().start(), moves))
            assert shown.count("threw away the") == slips
            assert ("You win!" in shown) + ("wins." in shown) + ("A draw." in shown) >= 1


def test_perfect_play_against_a_perfect_player_is_a_draw_by_the_hints() -> None:
    lines: list[str] = []
    while True:
        shown = played("".join(lines) + "hint\n", against="perfect", side="o", seed=1)
        if "A draw." in shown or "wins" in shown.splitlines()[-3]:
            break
        answer = shown[shown.rindex("hint") :].splitlines()[1]
        if answer.startswith("Every move"):
            answer = next(name for name in ("b2", "a1", "c1", "a3", "c3", "a2", "b1", "b3", "c2") if _free(shown, name))
        lines.append(answer.split()[0] + "\n")
        assert len(lines) < 6
    assert "A draw." in shown


def _free(shown: str, name: str) -> bool:
    """Is the cell empty on the board shown last?"""
    rows = [line for line in shown.splitlines() if line[:1].isdigit() and line[1:3] in ("  ", " (")][-3:]
    return rows[3 - int(name[1])][3 + 2 * "abc".index(name[0])] == "."


def test_undo_goes_back_to_the_persons_previous_turn() -> None:
    shown = played("b2\nundo\nundo\na1\nquit\n", against="random", seed=2)
    assert "There is nothing to take back." in shown
    assert "The game is not finished." in shown
    boards = shown.count("   a b c")
    assert boards == 4  # the start, after b2 and its answer, after undo, after a1 and its answer


def test_resigning_loses() -> None:
    assert "level-1 wins." in played("b2\nresign\n", against="level-1", seed=1).lower()


def test_cells_are_counted_from_0_as_everywhere() -> None:
    assert "Moves: a3 c1 b2" in played("0\n8\n4\nresign\n", two=True)


def test_where_marks_fall_a_letter_or_a_number_is_a_column() -> None:
    shown = played("h\n8\nc3\na9\n9\nhelp\nresign\n", game="8x8k5g", two=True)
    assert "Moves: h1 h2\n" in shown
    assert "c3 hangs in the air: a mark falls to c1. Type a move such as d, or help." in shown
    assert "9 is not a column: they run from 1 to 8. Type a move such as d, or help." in shown
    assert "drop a mark into column b" in shown
    assert "The game is not finished." in played("h\nq\n", game="6x7k4g", two=True)  # there they are no columns


def test_the_last_move_stands_in_brackets() -> None:
    for move, rows in (
        ("a3", ["3 (X). .", "2  . . .", "1  . . ."]),
        ("b2", ["3  . . .", "2  .(X).", "1  . . ."]),
        ("c1", ["3  . . .", "2  . . .", "1  . .(X)"]),
    ):
        assert "\n".join([*rows, "   a b c"]) in played(f"{move}\nquit\n", two=True)
    assert played("undo\n0\nundo\nquit\n", two=True).count("(") == 1


def test_marks_have_colours_at_a_terminal_and_none_with_no_color(monkeypatch: pytest.MonkeyPatch) -> None:
    class Screen(io.StringIO):
        def isatty(self) -> bool:
            return True

    for given, coloured in (("", True), ("1", False)):
        monkeypatch.setenv("NO_COLOR", given)
        monkeypatch.setattr(sys, "stdin", io.StringIO("0\nquit\n"))
        with redirect_stdout(Screen()) as shown:
            play(two=True)
        assert ("\x1b[" in shown.getvalue()) is coloured


def test_nonsense_is_answered_and_the_game_goes_on() -> None:
    shown = played("\nhello world\nd4\n99\nb2 b3\nhelp\nboard\nquit\n", against="random", seed=1)
    assert shown.count("is not understood") == 2
    assert "d4 is not on the board" in shown
    assert "99 is not on the board of 3 rows and 3 columns" in shown
    assert "take back your last move" in shown


def test_the_end_of_the_input_ends_the_game() -> None:
    assert "The game is not finished." in played("", against="random")


def test_misere_and_large_boards_are_played_too() -> None:
    shown = played("a1\na2\nb1\nb2\nc1\n", game="3x3k3m", two=True)
    assert "3 in a row LOSES" in shown
    assert "O wins." in shown
    large = played("h8\nhint\nresign\n", game="15x15k5", against="level-2", seed=1)
    assert "No exact advice" in large
    assert "is unknown: too many cells were free" in large


def test_a_first_time_user_is_asked_and_may_press_enter() -> None:
    text = played(Keyboard("nonsense\n4x4k4\nlevl-2\nlevel-2\no\nquit\n"))
    assert "'nonsense' is not a game" in text
    assert "did you mean level-2?" in text
    assert "4x4k4: 4 in a row wins. You are O against level-2." in text
    assert "3x3k3: 3 in a row wins. You are X against level-3." in played(Keyboard("\n\n\nquit\n"))
    text = played(Keyboard("\n\nleft\no\nquit\n"))
    assert "'left' is not a side: type x or o" in text
    assert "You are O against level-3." in text


def test_the_end_of_the_input_at_a_question_is_an_interruption() -> None:
    with pytest.raises(KeyboardInterrupt):
        played(Keyboard("4x4k4\n"))


@pytest.mark.parametrize("lines", ["quit\n", "4x4k4\n Q \n", "\n\nexit\n"])
def test_quit_ends_the_command_at_every_question(lines: str) -> None:
    with pytest.raises(click.exceptions.Exit) as end:
        played(Keyboard(lines))
    assert end.value.exit_code == 0


def test_the_account_of_no_moves_says_so() -> None:
    assert list(account(review(Game().start(), []))) == ["No move was made."]


def test_a_saved_game_reads_back_and_is_reviewed(tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    played(f"b2\nb3\na1\nsave {file}\nsave {tmp_path}/no/where\nquit\n", two=True)
    assert read_record(file) == (Game(), ["b2", "b3", "a1"])
    done = run("review", str(file))
    assert done.returncode == 0
    assert "threw away the tie" in done.stdout
    rows = json.loads(run("review", str(file), "--json").stdout)["moves"]
    assert [row["slipped"] for row in rows] == [False, True, False]
    assert rows[1]["keeping"] == ["a3", "c3", "a1", "c1"]


def test_records_read_back() -> None:
    for name, moves in (("3x3k3", ["b2"]), ("15x15k5m", ["o15", "a1"]), ("1x1k1", [])):
        assert parse_record(format_record(Game.parse(name), moves)) == (Game.parse(name), moves)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "expected the board and the moves"),
        ("b2 a1", "expected the board and the moves"),
        ("3x3: b2", "'3x3' is not a game"),
        ("3x3k3: " + "a1 " * 10, "there are 10 moves, but 3x3k3 has 9 cells"),
    ],
)
def test_what_is_no_record_is_refused(text: str, says: str) -> None:
    with pytest.raises(NotationError, match=says):
        parse_record(text)


def test_what_is_no_file_of_a_game_is_refused(tmp_path: Path) -> None:
    binary, long = tmp_path / "binary", tmp_path / "long"
    binary.write_bytes(b"3x3k3: \xff\xfe")
    long.write_text("3x3k3:" + " " * MAX_FILE)
    for file, says in (
        (binary, "is not a text file"),
        (long, "is too long for a game: the limit is 1,000,000 characters"),
    ):
        with pytest.raises(NotationError) as caught:
            read_record(file)
        assert str(caught.value) == f"{file} {says}"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("3x3k3: b2 b2", "move 2 does not replay: b2 is taken by X"),
        ("3x3k3: b2 z9", "move 2 does not replay: z9 is not on the board"),
        ("3x3k3: a1 a2 b1 b2 c1 c2", "move 6 does not replay: c2 cannot be played: the game is over"),
    ],
)
def test_a_game_that_does_not_replay_is_exit_2(text: str, says: str) -> None:
    done = run("review", "-", stdin=text)
    assert (done.returncode, done.stdout) == (2, "")
    assert says in done.stderr


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["play", "--against", "perfcet"], "did you mean perfect?"),
        (["play", "4x4"], "'4x4' is not a game"),
        (["play", "--side", "z"], "is not one of"),
        (["review", "no-such-file"], "no-such-file cannot be read"),
    ],
)
def test_bad_choices_are_one_line_and_exit_2(arguments: list[str], says: str) -> None:
    done = run(*arguments, stdin="")
    assert done.returncode == 2
    assert says in done.stderr
    assert len(done.stderr.splitlines()) == 1
