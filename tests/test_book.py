"""The book of Connect Four's opening: its order by brute force, its values by minimax and by the solver, its file."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest
from conftest import eventually, native
from shell import answer, run

from noughts import Game, Position, analyze, value
from noughts.play import find_player
from noughts.progress import finish
from noughts.proofs import connect, judge
from noughts.rules.symmetry import orbit
from noughts.solve import book, falling
from noughts.solve.problems import Damaged

OWN = book.read(book.FILE)
LAST = [sets for sets in book.level(book.MARKS) if sets in OWN]
QUICK = sorted(LAST, key=lambda sets: OWN[sets].plies)[:100]  # those that end soon are soon solved

finished = pytest.mark.skipif(len(OWN) < len(book.positions()), reason="the book is not finished: make book")


def position(sets: book.Sets) -> Position:
    return Position.unchecked(book.GAME, *sets)


def test_the_book_has_every_position_up_to_the_mirror_in_its_order() -> None:
    def sets(rack: tuple[str, ...]) -> book.Sets:
        x, o = (
            sum(
                1 << (5 - row) * 7 + column
                for column in range(7)
                for row, each in enumerate(rack[column])
                if each == mark
            )
            for mark in "XO"
        )
        return x, o

    racks, found = {("",) * 7}, []
    for marks in range(book.MARKS + 1):
        found += sorted({min(sets(rack), sets(rack[::-1])) for rack in racks})
        racks = {
            (*rack[:column], rack[column] + "XO"[marks % 2], *rack[column + 1 :])
            for rack in racks
            for column in range(7)
            if len(rack[column]) < 6
        }
    assert tuple(found) == book.positions()
    assert not any(position(sets).is_over for sets in found)


def test_they_are_computed_each_once() -> None:
    assert sorted(book.in_turn()) == list(book.level(book.MARKS))


def test_earlier_positions_have_the_value_of_their_best_move() -> None:
    for sets, known in OWN.items():
        now = position(sets)
        if now.marks < book.MARKS:
            after = [book.value(now.play(cell)) for cell in now.moves()]
            assert known == max(each.for_mover() for each in after if each is not None)
            assert None not in after
    assert book.completed({sets: OWN[sets] for sets in LAST}) == OWN


def test_mirror_images_have_the_same_value() -> None:
    for sets in QUICK:
        assert {book.value(image) for image in orbit(position(sets))} == {OWN[sets]}


def test_other_games_and_later_positions_are_not_in_it() -> None:
    assert book.value(Position.parse("6x7k4g:1234567")) is None
    assert book.value(Position.parse("6x7k4gm:1")) is None
    assert book.value(Position.parse("5x7k4g:1")) is None


@native
def test_the_solver_finds_the_same() -> None:
    for sets in QUICK:
        assert falling.value(position(sets)) == OWN[sets]


@native
@pytest.mark.slow
def test_the_solver_finds_the_same_of_any_position() -> None:
    for sets in Random(7).sample(LAST, 20):
        assert falling.value(position(sets)) == OWN[sets], position(sets)


# Its making


@native
def test_the_making_goes_on_where_it_was_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(book, "in_turn", lambda: iter(QUICK[:5]))
    path = tmp_path / "part.book"
    work = book.computing(path, table=20)
    next(work)
    work.close()
    assert book.read(path) == {QUICK[0]: OWN[QUICK[0]]}
    told = []
    assert finish(book.computing(path, table=20), told.append) == {sets: OWN[sets] for sets in QUICK[:5]}
    assert [event.done for event in told] == [2, 3, 4, 5]
    assert book.read(path) == {sets: OWN[sets] for sets in QUICK[:5]}


@native
def test_ctrl_c_leaves_a_book_that_can_be_read(tmp_path: Path) -> None:
    path = tmp_path / "new.book"
    script = Path(__file__).parents[1] / "hardening" / "book.py"
    lines = (
        "import runpy, signal; signal.signal(signal.SIGINT, signal.default_int_handler)",
        f"runpy.run_path({str(script)!r}, run_name='__main__')",
    )
    with subprocess.Popen(
        [sys.executable, "-c", "\n".join(lines), str(path)], stderr=subprocess.PIPE, text=True
    ) as work:
        eventually(path.exists)
        work.send_signal(signal.SIGINT)
        told = work.communicate(timeout=60)[1]
    assert (work.returncode, told) == (130, f"noughts: stopped; the same command goes on with {path}\n")
    assert set(book.read(path)) < set(book.positions())


def test_a_book_is_read_as_it_was_written(tmp_path: Path) -> None:
    book.write(tmp_path / "again.book", OWN)
    assert (tmp_path / "again.book").read_bytes() == book.FILE.read_bytes()
    assert book.FILE.stat().st_size <= 1_000_000


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (b"w", b"l", "is damaged: its checksum is not that of what it holds"),
        (b"6x7", b"6x8", "is no book of 6x7k4g: it does not begin with 'noughts book 6x7k4g 6'"),
        (b"\n", b"\xff", "is damaged: it has bytes that no book has"),
        (b"\n", b"", "is no book of 6x7k4g: it does not begin with 'noughts book 6x7k4g 6'"),
    ],
)
def test_a_damaged_book_is_refused_in_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, old: bytes, new: bytes, said: str
) -> None:
    path = tmp_path / "bad.book"
    path.write_bytes(book.FILE.read_bytes().replace(old, new, 1))
    with pytest.raises(Damaged) as refused:
        book.read(path)
    assert str(refused.value) == f"{path} {said}"
    monkeypatch.setattr(book, "FILE", path)
    book.kept.cache_clear()
    connect._found.cache_clear()
    try:
        done = run("analyze", "6x7k4g:")
    finally:
        book.kept.cache_clear()
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"noughts: {path} {said}\n"


def test_an_empty_or_cut_file_is_no_book(tmp_path: Path) -> None:
    path, whole = tmp_path / "cut.book", book.FILE.read_bytes()
    for length in (0, 1, 30, len(whole) // 2, len(whole) - 1):
        path.write_bytes(whole[:length])
        with pytest.raises(Damaged):
            book.read(path)


# What it is for


@finished
def test_the_first_player_wins_with_the_last_mark_but_one() -> None:
    found = analyze(book.GAME.start())
    assert found.verdict.how == ("connect",)
    assert found.verdict.value == ("win", 41)
    assert [str(move.verdict) for move in found.moves] == [
        "loss 40", "loss 42", "tie 42", "win 41", "tie 42", "loss 42", "loss 40",
    ]  # fmt: skip
    told = answer("analyze", "6x7k4g:", "--json")
    assert (told["value"], told["remoteness"], told["how"]) == ("win", 41, ["connect"])


@native
def test_what_the_book_does_not_know_is_searched(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(book, "kept", dict)
    connect._found.cache_clear()
    assert value(position(QUICK[0])) == OWN[QUICK[0]]
    assert value(book.GAME.start()) is None
    connect._found.cache_clear()


@native
def test_no_move_is_called_best_that_is_worth_less_than_the_book_says() -> None:
    for sets in Random(3).sample(LAST, 3):
        found = judge(position(sets))
        assert found.verdict.value == OWN[sets]
        assert all(found.moves[cell].at_least == OWN[sets].outcome for cell in found.best)


@native
def test_a_player_at_the_end_of_the_book_moves_or_says_why_not() -> None:
    player = find_player("perfect")
    for text in ("444444", "125451", "255235"):
        position = Position.parse(f"6x7k4g:{text}")
        why = player.refusal(position)
        assert "which move is best is unknown" in why if why else player(position) in position.moves()


def test_a_tie_by_pairing_is_kept_by_the_player_that_does_not_guess() -> None:
    assert find_player("perfect")(Game(9, 9, 9).start()) in range(81)
