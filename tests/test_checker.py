"""The checker at its limits, and word for word what it says."""

from __future__ import annotations

import io
import re
from pathlib import Path

import pytest
from claims import certificate, checked

from noughts.proofs import check

# A board of 1,025 cells, on which a column is a line; and one of 1,024, the most where more than pairs proves anything.
TALL, LARGEST = "41x25k41", "32x32k32"
FOUR = "/".join(["XXX" + "." * 29, "OOO" + "." * 29, *["." * 32] * 30])


def pairs(columns: range) -> str:
    """A pair in each of these columns of the tall board."""
    return " ".join(["p", *(f"{25 + column} {50 + column}" for column in columns)])


def tall(marks: dict[str, set[int]]) -> str:
    """The rows of the tall board with these marks."""
    cells = ["X" if cell in marks["X"] else "O" if cell in marks["O"] else "." for cell in range(41 * 25)]
    return "/".join("".join(cells[row : row + 25]) for row in range(0, 41 * 25, 25))


def column(rows: int, others: int) -> str:
    """X has so many cells of the first column; O has as many as that in columns where they make no line."""
    scattered = [row * 25 + place for place in range(2, 25, 2) for row in range(0, 40, 3)]
    return tall({"X": {row * 25 for row in range(rows)}, "O": {*scattered[:others]}})


ENDS = tall({"X": {0, 1000}, "O": {5 * 25 + 1, 7 * 25 + 3}})  # X beside all of column 0; O in columns 1 and 3


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        (certificate("1x256k256", "X stealing", "end", claim="X holds"), True),
        (certificate("1x6k2e", "X over", "end", position="XXXO.O"), False),  # three in a row are nothing
        (certificate("1x3k2", "X wins", "1 0", "0", "2", "end"), True),
        (certificate("1x7k3", "X wins", "00000000002 1", "1", "4", "end", position="O..X..."), True),
        (certificate("1x4k3", "O holds", "weak a 1 2 2 1 0 2 3 1", "p", "p", "99999999999: p", "@99999999999 1", "end",
                     claim="O holds"), True),
        (certificate("32x32k4", "X wins", "3", "end", position=FOUR), True),
        (certificate(LARGEST, "O holds", "p", "end", claim="O holds"), True),  # its lines weigh little
        (certificate(TALL, "O holds", "p", "end", claim="O holds"), False),
        (certificate(TALL, "O holds", pairs(range(25)), "end", claim="O holds"), True),
        *[(certificate(TALL, "O holds", pairs(range(25)).replace(f" {25 + i} {50 + i}", ""), "end", claim="O holds"),
           False) for i in range(3)],
        (certificate("41x25k40e", "O holds", pairs(range(1, 25)), "end", position=ENDS, claim="O holds"), True),
        (certificate("41x25k40e", "O holds", pairs(range(4, 25)) + " 27 52", "end", position=ENDS, claim="O holds"),
         True),
        (certificate("41x25k40e", "O holds", pairs(range(4, 25)), "end", position=ENDS, claim="O holds"), False),
        (certificate("41x25k40e", "X over", "end", position=column(40, 39)), True),
        (certificate("41x25k40e", "X over", "end", position=column(41, 40)), False),
        (certificate("41x25k40e", "X over", "end", position=column(39, 38)), False),
    ],
)  # fmt: skip
def test_what_holds_at_the_limits(text: str, holds: bool) -> None:
    assert checked(text).holds == holds


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (certificate(f"1x4k{'7' * 50}", "end"), f"'1x4k{'7' * 36}' is not a game such as 7x7k5, or one whose proofs"),
        (certificate("1x257k257", "end"), "1x257k257 is not a game: a board has up to 256 rows and columns, and"),
        (certificate("1x4k3", "end", position="..."), "the position is not 1 rows of 4 cells, each X, O or ."),
        (certificate("1x4k3", "end", position="..?."), "the position is not 1 rows of 4 cells, each X, O or ."),
        (certificate("1x4k3", "end", position="..../...."), "the position is not 1 rows of 4 cells, each X, O or ."),
        (certificate("1x4k3", "end").replace('"1x4k3"', "3"), "its header lacks a game, a position or a claim"),
        (certificate("1x4k3", "end").replace('"...."', "3"), "its header lacks a game, a position or a claim"),
        (certificate("1x4k3", "end").replace(": 1,", f': "{"9" * 30}",'), f"it has version '{'9' * 19}, and this"),
        (certificate("1x4k3", "Y" * 50, "end"), f"'{'Y' * 40}' does not begin a part"),
        (certificate("1x4k3", "X wins", "4", "end"), "'4' is not a cell"),
        (certificate("1x4k3", "X wins", "0" * 12, "end"), "'000000000000' is not a cell"),
        (certificate("1x4k3", "X wins", "7" * 50, "end"), f"'{'7' * 20}' is not a cell"),
        (certificate("1x4k3", "X wins", "@1 8", "end"), "'8' is not a symmetry"),
        (certificate("1x4k3", "O holds", "a 3", "end", claim="O holds"), "a node of a holder is pairs, a list of"),
    ],
)
def test_what_cannot_be_read(text: str, says: str) -> None:
    with pytest.raises(check.Unreadable) as found:
        checked(text)
    assert str(found.value).startswith(says)


NEVER = "on a board of more than 1024 cells only pairs are checked"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (certificate("1x4k3", "X wins", f"@{'0' * 9}17 0", "end"), "line 3: @00000000017 refers to nothing before it"),
        (certificate("1x7k3", "X wins", "2 1 4", "7: 1", "@7 0", "end", position="O..X..."), "@7 refers to another"),
        (certificate("1x7k3", "X wins", "2 1 0", "1", "4", "1", "end", position="O..X..."), "cell 0 is not free"),
        (certificate("1x7k3", "X wins", "2 1 3", "1", "4", "1", "end", position="O..X..."), "cell 3 is not free"),
        (certificate("1x6k3", "O holds", "a", "end", position="OXX..O", claim="O holds"), "completes a line on cell 3"),
        (certificate(LARGEST, "O holds", "a", "end", claim="O holds"), "line 3: a reply on cell 0 is not answered"),
        (certificate(TALL, "X wins", "3", "end"), f"line 2: {NEVER}"),
        (certificate(TALL, "O holds", "a 0 1", "end", claim="O holds"), f"line 3: {NEVER}"),
        (certificate(TALL, "O holds", "@1 0", "end", claim="O holds"), f"line 3: {NEVER}"),
    ],
)  # fmt: skip
def test_what_proves_nothing(text: str, says: str) -> None:
    found = checked(text)
    assert (found.holds, says in found.reason) == (False, True), found.reason


def test_a_line_is_shorter_than_a_megabyte() -> None:
    def long(length: int) -> bool:
        return checked(certificate("3x3k3", "X stealing".ljust(length), "end", claim="X holds")).holds

    assert long((1 << 20) - 1)
    with pytest.raises(check.Unreadable, match="too long"):
        long(1 << 20)
    with pytest.raises(check.Unreadable, match="line 3 is not text"):
        check.check_file(io.BytesIO(certificate("3x3k3", "X stealing", "?").encode().replace(b"?", b"\xff")))


LONG = certificate("3x3k3", *["X stealing"] * 39_999, "end", claim="X holds")


def test_lines_are_counted() -> None:
    told = list[int]()
    assert check.check_file(io.BytesIO(LONG.encode()), told.append).nodes == 40_000
    assert told == [20_000, 40_000]
    assert checked(LONG).holds


def test_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def main(*words: str) -> tuple[int, str, str]:
        monkeypatch.setattr("sys.argv", ["check.py", *words])
        return check.main(), *capsys.readouterr()

    monkeypatch.setattr(check.time, "monotonic", lambda: 7.0)
    file = tmp_path / "proof"
    file.write_text(LONG)
    told = "20,000 nodes, 0 s\n40,000 nodes, 0 s\n"
    assert main(str(file)) == (0, "3x3k3: X holds: proven\n", told)
    for words in ((), (str(file), str(file))):
        status, out, error = main(*words)
        assert (status, out, "python check.py FILE" in error) == (2, "", True)
    status, _, error = main(str(tmp_path / "none"))
    assert (status, re.match(re.escape(f"{tmp_path / 'none'}: "), error) is not None) == (2, True)
    file.write_text(certificate("1x5k3", "X stealing", "end"))
    assert main(str(file)) == (1, "1x5k3: X wins: not proven: line 3: its parts do not prove 'X wins'\n", "")

    def stopped(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(check, "check", stopped)
    assert main(str(file)) == (130, "", "")
