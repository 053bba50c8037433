"""Games to keep: what is written is read back, variations and comments too, and bad files are refused in a sentence."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from noughts import Game, Position
from noughts.cli import cli
from noughts.play.kept import FORMATS, KeptGame, make, of_line, read, read_sgf, write, write_sgf
from noughts.rules.notation import NotationError

GOMOKU = Game(15, 15, 5)


@st.composite
def trees(draw: st.DrawFn) -> KeptGame:
    """A game with variations, some of them commented."""
    start = Game(4, 5, 3).start()
    links: list[tuple[int | None, int, str]] = []
    reached: list[Position] = []
    for _ in range(draw(st.integers(0, 25))):
        place = draw(st.integers(-1, len(links) - 1))
        before = start if place < 0 else reached[place]
        if before.is_over:
            continue
        cell = draw(st.sampled_from(before.moves()))
        links.append(
            (
                None if place < 0 else place,
                cell,
                draw(st.text(st.characters(codec="utf-8", exclude_characters="\r"), max_size=8)),
            )
        )
        reached.append(before.play(cell))
    return make(start, links, x=draw(st.sampled_from([None, "Anna [9]", "\\"])))


def as_set(kept: KeptGame) -> set[tuple[tuple[int, ...], str]]:
    """The lines that lead to each move, with what is said of it: the order of variations aside."""
    lines: list[tuple[int, ...]] = []
    for move in kept.moves:
        lines.append((*(lines[move.parent] if move.parent is not None else ()), move.cell))
    return {(line, move.comment.strip()) for line, move in zip(lines, kept.moves, strict=True)}


@given(trees())
def test_sgf_gives_back_the_tree(kept: KeptGame) -> None:
    [again] = read_sgf(write_sgf(kept))
    assert as_set(again) == as_set(kept)
    assert (again.start, again.line, again.x or None) == (kept.start, kept.line, kept.x)


@pytest.mark.parametrize("form", FORMATS)
def test_every_format_gives_back_the_game(form: str) -> None:
    kept = of_line(GOMOKU.start(), ["h8", "i9", "g7", "a15", "o1"])
    [again] = read(write(kept, form))
    assert (again.start, again.line) == (kept.start, kept.line)


def test_a_game_from_another_position_is_kept_by_sgf_and_link() -> None:
    kept = of_line(Position.parse("4x5k4:X..../.O.../..X../....."), ["a1", "b2"])
    for form in ("sgf", "link"):
        [again] = read(write(kept, form))
        assert (again.start, again.line) == (kept.start, kept.line)
    with pytest.raises(NotationError, match="begins on the empty board"):
        write(kept, "moves")


def test_what_others_wrote_is_read() -> None:
    [sgf] = read("(;GM[4]FF[4]SZ[15]\nPB[Black]PW[White];B[hh]\n;W[ii]C[why\\]?](;B[jj];W[kk])(;B[gg]))")
    assert (str(sgf.game), sgf.line, sgf.x) == ("15x15k5", (112, 128, 144, 160), "Black")
    assert [move.comment for move in sgf.moves] == ["", "why]?", "", "", ""]
    assert [move.number for move in sgf.moves] == [1, 2, 3, 4, 3]
    [psq] = read("Piskvorky 20x20, 11:11, 1\n11,11,0\n12,10,17\n10,12,3\na.exe\nb.exe\n0\n")
    assert (str(psq.game), psq.line, psq.o) == ("20x20k5e", (210, 191, 229), "b.exe")
    assert [each.line for each in read("3x3k3: b2 a1\n3x3k3: 1. a1 2. b2")] == [(4, 6), (6, 4)]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("(;GM[1]SZ[19];B[aa])", "another game"),
        ("(;GM[4]SZ[15];W[hh])", "black is X and begins"),
        ("(;GM[4]SZ[15];B[hh];W[hh])", "h8 is taken by X"),
        ("(;GM[4]SZ[15];B[zz])", "no cell of 15x15k5"),
        ("(;GM[4]SZ[15];B[hh]", "cut off"),
        ("(;GM[4]SZ[big])", "expected a number"),
        ("())", "nothing between"),
        ("(;B[hh)", "neither a node nor a property"),
        ("Piskvorky big", "is not how a .psq begins"),
        ("Piskvorky 15x15, 11:11, 0\n16,1,0", "no cell of a board of 15 x 15"),
        ("Piskvorky 15x15, 11:11, 0\n8\n8,8,0\n9,9,0", "'8,8,0' is a move, and stands after '8'"),
        ("hello", "is not a game: expected the board and the moves"),
        ("3x3k3: b2 b2", "b2 is taken by X"),
        ("http://127.0.0.1:8765/?game=9x", "9x"),
        ("", "is not a game"),
    ],
)
def test_a_bad_file_is_refused_in_a_sentence(text: str, problem: str) -> None:
    with pytest.raises(ValueError, match=problem) as refused:
        read(text)
    assert type(refused.value).__module__.startswith("noughts")


def test_what_is_no_host_does_not_matter_to_a_link() -> None:
    [kept] = read("http://[1?moves=b2,a1#play")
    assert kept.line == (4, 6)


def test_review_reads_every_format_and_writes_them(tmp_path: Path) -> None:
    file = tmp_path / "games.sgf"
    kept = of_line(Game().start(), ["b2", "b3", "a1", "c3", "a3", "c1", "a2"])
    file.write_text(write(of_line(Game().start(), ["a1"]), "sgf") + write(kept, "sgf"), encoding="utf-8")
    told = CliRunner().invoke(cli, ["review", str(file), "--number", "2"])
    assert "O b3 threw away the tie" in told.output
    for form in ("sgf", "moves", "link"):
        text = CliRunner().invoke(cli, ["review", str(file), "--number", "2", "--as", form]).output
        assert read(text)[0].line == kept.line
    assert "there is no game 3" in str(CliRunner().invoke(cli, ["review", str(file), "--number", "3"]).exception)
