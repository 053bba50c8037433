#!/usr/bin/env python3
"""Checks a certificate: that a player wins a position of a k-in-a-row game, or holds it, or that it is a tie.

    python check.py FILE

This program needs nothing but Python: it shares no line with the programs that find proofs, and it does not search. It
replays the strategy that the file gives, and sees for itself that every reply which matters is answered. The format,
and why these rules suffice, are in docs/reference/certificates.md.

Exit status: 0 the certificate proves its claim, 1 it does not, 2 it cannot be read.
"""

from __future__ import annotations

import gzip
import json
import re
import sys
import time
import zlib
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import IO, Any, NamedTuple

VERSION = 1
CLAIMS = ("X wins", "O wins", "X holds", "O holds", "tie")
MAX_SIDE = 256
MAX_LINE = 1 << 20  # characters: the pairs of the largest board take half of it
TREE_CELLS = 1_024  # on larger boards only pairs prove anything
STEPS = ((0, 1), (1, 0), (1, 1), (1, -1))


class Unreadable(ValueError):
    """Is not a certificate: of another kind or version, truncated, or not in the format."""


class Refuted(Exception):
    """Is a certificate that does not prove its claim."""


class Ruled(NamedTuple):
    """What came of it."""

    game: str
    position: str
    claim: str
    holds: bool
    reason: str  # what is wrong, or empty
    nodes: int


# The board


class Ground:
    """A game, and the cells of each player in one position, as sets of bits: cell = row * columns + column."""

    def __init__(self, game: str, position: str) -> None:
        """Read `4x5k4` (`e` behind it: exactly k count) and the rows of the board, from the top."""
        match = re.fullmatch("([1-9][0-9]{0,2})x([1-9][0-9]{0,2})k([1-9][0-9]{0,2})(e?)", game)
        if not match:
            raise Unreadable(f"{game[:40]!r} is not a game such as 7x7k5, or one whose proofs are not known here")
        self.rows, self.columns, self.k = (int(number) for number in match.groups()[:3])
        self.exact = bool(match[4]) and 1 < self.k < max(self.rows, self.columns)  # else no run is longer
        if max(self.rows, self.columns) > MAX_SIDE or self.k > max(self.rows, self.columns):
            raise Unreadable(f"{game} is not a game: a board has up to {MAX_SIDE} rows and columns, and room for k")
        rows = position.split("/")
        if len(rows) != self.rows or any(len(row) != self.columns or set(row) - set("XO.") for row in rows):
            raise Unreadable(f"the position is not {self.rows} rows of {self.columns} cells, each X, O or .")
        self.cells = self.rows * self.columns
        text = "".join(rows)
        self.marks = {side: sum(1 << i for i, mark in enumerate(text) if mark == side) for side in "XO"}
        more = text.count("X") - text.count("O")
        if more not in (0, 1):
            raise Unreadable("the position cannot arise: X begins and the players take turns")
        self.turn = "O" if more else "X"
        self.full = (1 << self.cells) - 1
        if self.cells <= TREE_CELLS:
            self.lines = [(_bits(line), _bits(beside)) for line, beside in self.windows()]
            self._turned: dict[int, list[int]] = {}

    def windows(self) -> Iterator[tuple[range, list[int]]]:
        """Every k cells in a row, and where only exactly k count the cells right before and after them."""
        for row in range(self.rows):
            for column in range(self.columns):
                for down, right in STEPS:
                    if self.has(row + (self.k - 1) * down, column + (self.k - 1) * right):
                        first, step = row * self.columns + column, down * self.columns + right or 1  # 0 if k is 1
                        ends = (-1, self.k) if self.exact else ()
                        beside = [first + i * step for i in ends if self.has(row + i * down, column + i * right)]
                        yield range(first, first + self.k * step, step), beside

    def has(self, row: int, column: int) -> bool:
        """Is this place on the board?"""
        return 0 <= row < self.rows and 0 <= column < self.columns

    def open_to(self, own: int, other: int, ends: int, how: int = 0) -> list[int]:
        """What each line that a player can still complete lacks, turned; marks of theirs on `ends` make it too long."""
        taken = ~self.moved(own, how)
        both = zip(self.turned(how), self.lines, strict=True)
        return [cells & taken for cells, (line, beside) in both if not (line & other or beside & ends)]

    def has_line(self, own: int) -> bool:
        """Has a player completed a line?"""
        if self.cells <= TREE_CELLS:
            return any(line & own == line and not beside & own for line, beside in self.lines)
        return any(  # too many lines to keep as bits
            all(own >> cell & 1 for cell in line) and not any(own >> cell & 1 for cell in beside)
            for line, beside in self.windows()
        )

    def moved(self, cells: int, how: int) -> int:
        """A set of cells turned: 4 swaps rows and columns, then 1 mirrors left and right, 2 top and bottom."""
        found = 0
        for cell in _cells(cells) if how else ():
            row, column = divmod(cell, self.columns)
            if how & 4:
                row, column = column, row
            if how & 1:
                column = self.columns - 1 - column
            if how & 2:
                row = self.rows - 1 - row
            found |= 1 << row * self.columns + column
        return found if how else cells

    def turned(self, how: int) -> list[int]:
        """Every line of `lines`, turned."""
        if how not in self._turned:
            self._turned[how] = [self.moved(line, how) for line, _ in self.lines]
        return self._turned[how]


def _bits(cells: Iterable[int]) -> int:
    return sum(1 << cell for cell in cells)


def _cells(bits: int) -> Iterator[int]:
    while bits:
        low = bits & -bits
        yield low.bit_length() - 1
        bits ^= low


# The file


class Reader:
    """The lines of the file after its header, each a list of words; counts them and tells of progress."""

    def __init__(self, file: IO[bytes], tell: Callable[[int], None] | None = None) -> None:
        self.file, self.tell, self.read = file, tell, 0

    def line(self) -> list[str]:
        """The next line."""
        line = self.file.readline(MAX_LINE)
        if not line.endswith(b"\n"):
            raise Unreadable("it is truncated, or a line is too long")
        self.read += 1
        if self.tell and self.read % 20_000 == 0:
            self.tell(self.read)
        try:
            return line.decode("ascii").split()
        except UnicodeDecodeError:
            raise Unreadable(f"line {self.read + 1} is not text") from None


def number(word: str, below: int, what: str = "cell") -> int:
    """A whole number from 0 to below a bound."""
    if not (word.isdecimal() and len(word) < 12 and int(word) < below):
        raise Unreadable(f"{word[:20]!r} is not a {what}")
    return int(word)


class _Part:
    """One part of a certificate: the player who wins or holds, and what both have so far."""

    def __init__(self, board: Ground, side: str, reader: Reader) -> None:
        self.board, self.side, self.reader = board, side, reader
        self.mine, self.theirs = board.marks[side], board.marks["O" if side == "X" else "X"]
        self.labels: dict[int, tuple[Any, ...]] = {}

    def words(self) -> tuple[int | None, list[str]]:
        """The next line: its label, if it has one, and the rest."""
        words = self.reader.line()
        label = number(words.pop(0)[:-1], 10**11, "label") if words and words[0].endswith(":") else None
        if not words:
            raise Unreadable("a line is empty")
        return label, words

    def referred(self, words: list[str]) -> tuple[tuple[Any, ...], int]:
        """What `@label turn` refers to, and the turn."""
        if len(words) != 2:
            raise Unreadable("a reference is a label and a number for the symmetry")
        how = number(words[1], 8, "symmetry")
        if how & 4 and self.board.rows != self.board.columns:
            raise Refuted("rows and columns are swapped on a board that is not a square")
        known = self.labels.get(number(words[0][1:], 10**11, "label"))
        if known is None:
            raise Refuted(f"{words[0]} refers to nothing before it")
        return known, how

    def cell(self, word: str, free: int) -> int:
        """A free cell."""
        cell = number(word, self.board.cells)
        if not free >> cell & 1:
            raise Refuted(f"cell {cell} is not free")
        return cell


class Used(NamedTuple):
    """What a winning strategy depends on, if the other gets a move for nothing."""

    cells: int  # where its player moves: the other must not have them
    lacking: tuple[int, ...]  # the free cells of the other's lines that lack so many, at some moment of the other's


class Win(_Part):
    """A strategy that wins.

    The winner moves; then the file says how they go on if the other does nothing, and how if the other replies on
    certain cells. Those must be all on which a reply could matter: where the strategy for nothing moves, and where the
    other could come to complete a line while it is carried out. A line that lacks n cells takes n moves of the other:
    one is made at that moment, and each reply that was answered by doing nothing may have been another.
    """

    def root(self) -> None:
        """The whole part."""
        if self.board.turn == self.side:
            self.moves(self.mine, self.theirs)
        else:
            _, words = self.words()
            if words[0] != "*":
                raise Refuted("the other moves first, and nothing says what they may do")
            self.replies(self.mine, self.theirs, words[1:])

    def moves(self, mine: int, theirs: int) -> Used:
        """A node with the winner to move."""
        label, words = self.words()
        if words[0].startswith("@"):
            (own, other, used), how = self.referred(words)
            turn = self.board.moved
            if (turn(own, how), turn(other, how)) != (mine, theirs):
                raise Refuted(f"{words[0]} refers to another position")
            return Used(turn(used.cells, how), tuple(turn(cells, how) for cells in used.lacking))
        cell = self.cell(words[0], self.board.full & ~(mine | theirs))
        after = mine | 1 << cell
        if self.board.has_line(after):
            if words[1:]:
                raise Refuted("the game is over, and goes on")
            used = Used(1 << cell, (0,) * (self.board.k + 1))
        else:
            used = self.replies(after, theirs, words[1:])
            used = used._replace(cells=used.cells | 1 << cell)
        if label is not None:
            self.labels[label] = mine, theirs, used
        return used

    def replies(self, mine: int, theirs: int, words: list[str]) -> Used:
        """A node with the other to move: all that they can do is answered."""
        free = self.board.full & ~(mine | theirs)
        cells = [self.cell(word, free) for word in words]
        if len(set(cells)) < len(cells):
            raise Refuted("a reply is answered twice")
        lacking = [0] * (self.board.k + 1)
        for lacks in self.board.open_to(theirs, mine, theirs):
            lacking[lacks.bit_count()] |= lacks
        if lacking[1]:
            raise Refuted(f"the other completes a line on cell {next(_cells(lacking[1]))}")
        idle = self.moves(mine, theirs)
        left = (idle.cells | idle.lacking[1] | idle.lacking[2 % len(lacking)]) & free & ~_bits(cells)
        if left:
            raise Refuted(f"a reply on cell {next(_cells(left))} is not answered")
        used = idle.cells
        for i, found in enumerate(idle.lacking):  # for nothing: a line lacked one cell more than its owner needs
            lacking[max(i - 1, 1)] |= found
        for cell in cells:
            answered = self.moves(mine, theirs | 1 << cell)
            used |= answered.cells
            for i, found in enumerate(answered.lacking):
                lacking[i] |= found
        return Used(used, tuple(lacking))


class Hold(_Part):
    """A strategy by which the other never completes a line, or only after the holder.

    What matters of a position is what each line still open lacks: `theirs` those of the other, `own` those of the
    holder, who need not use them. A line that contains another one counts for nothing. Where only exactly k count, a
    mark beside a line makes it too long; only those of the beginning are sure to stand there, since a reply that
    changes nothing is answered as if it were another. So is one outside the cells that the answer to another depends
    on, as far down as the holder needs no line: else the other could complete one first.
    """

    def root(self) -> None:
        """The whole part."""
        if self.board.turn == self.side:
            _, words = self.words()
            if words[0] != "m" or len(words) != 2:
                raise Refuted("the holder moves first, and nothing says where")
            self.mine |= 1 << self.cell(words[1], self.board.full & ~(self.mine | self.theirs))
            if self.board.has_line(self.mine):
                return
        self.node(self.mine, self.theirs, self.board.exact)

    def lines(self, mine: int, theirs: int, weak: bool, how: int = 0) -> tuple[set[int], set[int]]:
        """What the lines of the other lack, and those of the holder, if they count; both turned."""
        others = self.board.open_to(theirs, mine, self.theirs, how)
        return set(others), set() if weak else set(self.board.open_to(mine, theirs, mine, how))

    def node(self, mine: int, theirs: int, weak: bool) -> int:
        """A node with the other to move: the cells that its answers depend on."""
        label, words = self.words()
        if words[0] == "weak":
            weak, words = True, words[1:] or [""]
        if words[0] == "p":
            used = self.pairs(mine, theirs, words[1:])
        elif self.board.cells > TREE_CELLS:
            raise Refuted(f"on a board of more than {TREE_CELLS} cells only pairs are checked")
        elif words[0].startswith("@"):
            return self.dominated(*self.lines(mine, theirs, weak), *self.referred(words))
        else:
            used = self.answers(mine, theirs, weak, words)
        if label is not None:
            self.labels[label] = mine, theirs, weak, used
        return used

    def answers(self, mine: int, theirs: int, weak: bool, words: list[str]) -> int:
        """Answers to every reply that is not met by the answer to another, nor as good as another."""
        if words[0] != "a" or len(words) % 2 == 0:
            raise Unreadable("a node of a holder is pairs, a list of answers or a reference")
        others, own = map(smallest, self.lines(mine, theirs, weak))
        if lost := [lacks for lacks in others if lacks.bit_count() == 1]:
            raise Refuted(f"the other completes a line on cell {min(lost).bit_length() - 1}")
        free = self.board.full & ~(mine | theirs)
        replies = [self.cell(word, free) for word in words[1::2]]
        if len(set(replies)) < len(replies):
            raise Refuted("a reply is answered twice")
        done = _union(lacks for lacks in own if lacks.bit_count() == 1)  # there the holder completes a line
        answered, used = _bits(replies), 0 if weak else self.board.full
        unmet = 0 if done & answered else (done or _union(others) | _union(own)) & ~answered
        for reply, word in zip(replies, words[2::2], strict=True):
            needs = 1 << (answer := self.cell(word, free & ~(1 << reply)))
            if needs not in own:  # or it completes a line
                needs |= self.node(mine | 1 << answer, theirs | 1 << reply, weak)
            used |= needs
            unmet &= needs | done  # a mark elsewhere in place of this reply changes nothing
        for cell in _cells(unmet):
            missed = _union(~lacks for lacks in others | own if lacks >> cell & 1)
            if done or not (as_good := answered & ~missed):  # none of the replies is on every line through this cell
                raise Refuted(f"a reply on cell {cell} is not answered")
            used |= as_good & -as_good
        return used

    def pairs(self, mine: int, theirs: int, words: list[str]) -> int:
        """A leaf: the holder always gets one of each pair; lines open to the other without a pair weigh too little."""
        free = self.board.full & ~(mine | theirs)
        cells = [self.cell(word, free) for word in words]
        if len(cells) % 2 or len(set(cells)) < len(cells):
            raise Refuted("the pairs share a cell")
        pairs, loose, rest = list(zip(cells[::2], cells[1::2], strict=True)), [], free & ~_bits(cells)
        if self.board.cells <= TREE_CELLS:
            left = [line for line, beside in self.board.lines if not (line & mine or beside & self.theirs)]
            for pair in [1 << one | 1 << two for one, two in pairs]:
                left = [line for line in left if line & pair != pair]
            loose = [line & rest for line in left]
            if 0 in loose:
                raise Refuted(f"no pair in the line of cells {' '.join(map(str, _cells(left[loose.index(0)])))}")
        else:
            partner = dict(pairs) | {two: one for one, two in pairs}
            for line, beside in self.board.windows():
                dead = any(mine >> cell & 1 for cell in line) or any(self.theirs >> cell & 1 for cell in beside)
                if not dead and not any(partner.get(cell, -1) in line for cell in line):
                    raise Refuted(f"no pair in the line of cells {' '.join(map(str, line))}")
        one, through = 1 << self.board.k, dict.fromkeys(_cells(_union(loose)), 0)  # 2^-n is one >> n
        lines = smallest(loose)
        for lacks in lines:
            for cell in _cells(lacks):
                through[cell] += one >> lacks.bit_count()
        if sum(one >> lacks.bit_count() for lacks in lines) + max(through.values(), default=0) >= one:
            raise Refuted(f"{len(lines)} lines without a pair weigh too much")
        return _bits(cells) | _union(lines)

    def dominated(self, others: set[int], own: set[int], known: tuple[Any, ...], how: int) -> int:
        """A leaf: another node is no easier to hold, so that its answers do here too."""
        mine, theirs, weak, used = known
        harder, less = self.lines(mine, theirs, weak, how)
        if not all(any(small & lacks == small for small in harder) for lacks in others - harder):
            raise Refuted("a line of the other contains none of those of the node referred to")
        if not all(any(small & lacks == small for small in own) for lacks in less - own):
            raise Refuted("a line of the holder there contains none of those here")
        return self.board.moved(used, how)


def smallest(lines: Iterable[int]) -> set[int]:
    """The lines that contain no other."""
    left, kept = sorted(set(lines), key=int.bit_count), set()
    while left:
        kept.add(small := left[0])
        left = [lacks for lacks in left if lacks & small != small]
    return kept


def _union(lines: Iterable[int]) -> int:
    found = 0
    for lacks in lines:
        found |= lacks
    return found


# All of it


def check(path: str | Path, tell: Callable[[int], None] | None = None) -> Ruled:
    """Check the certificate in a file, which may be compressed by gzip. Raises Unreadable if it is none."""
    with Path(path).open("rb") as plain:
        packed = plain.read(2) == b"\x1f\x8b"
        plain.seek(0)
        try:
            with gzip.open(plain) if packed else plain as file:
                return check_file(file, tell)  # type: ignore[arg-type]
        except (EOFError, gzip.BadGzipFile, zlib.error):
            raise Unreadable("it is truncated or damaged") from None


def check_file(file: IO[bytes], tell: Callable[[int], None] | None = None) -> Ruled:
    """Check an opened certificate."""
    try:
        head = json.loads(file.readline(MAX_LINE))
        version = head["version"] if head["noughts"] == "certificate" else None
    except (ValueError, TypeError, KeyError, RecursionError):
        raise Unreadable("it is not a certificate") from None
    if type(version) is not int or version != VERSION:
        raise Unreadable(f"it has version {ascii(version)[:20]}, and this program reads {VERSION}")
    game, position, claim = (head.get(key) for key in ("game", "position", "claim"))
    if not (isinstance(game, str) and isinstance(position, str) and claim in CLAIMS):
        raise Unreadable("its header lacks a game, a position or a claim")
    board, reader = Ground(game, position), Reader(file, tell)
    try:
        _parts(board, claim, reader)
        reason = ""
    except Refuted as error:
        reason = f"line {reader.read + 1}: {error}"
    except RecursionError:
        raise Unreadable("its moves follow each other too long to be replayed") from None
    return Ruled(game, position, claim, not reason, reason, reader.read)


def _parts(board: Ground, claim: str, reader: Reader) -> None:
    proven, over = set(), any(board.has_line(own) for own in board.marks.values())
    while (words := reader.line()) != ["end"]:
        part = " ".join(words)
        side, *what = words or [""]
        if side not in ("X", "O") or what not in (["wins"], ["holds"], ["stealing"], ["over"]):
            raise Unreadable(f"{part[:40]!r} does not begin a part")
        if what == ["over"]:
            other = board.marks["O" if side == "X" else "X"]
            if over and not board.has_line(other) and board.turn != side:
                proven.add(f"{side} wins")
            elif over or board.marks["X"] | board.marks["O"] != board.full:
                raise Refuted(f"{side} has not completed a line, and the board is not full")
            proven.add(f"{side} holds")
        elif over:
            raise Refuted("the game is over")
        elif what == ["stealing"]:
            if side != "X" or board.exact or any(board.marks.values()):
                raise Refuted("a strategy is stolen by X, on the empty board, where an extra mark never hurts")
            proven.add("X holds")
        elif what == ["wins"] and board.cells > TREE_CELLS:
            raise Refuted(f"on a board of more than {TREE_CELLS} cells only pairs are checked")
        else:
            (Win if what == ["wins"] else Hold)(board, side, reader).root()
            proven |= {part, f"{side} holds"}
    if reader.file.read(1):
        raise Unreadable("something follows its end")
    if not proven >= ({"X holds", "O holds"} if claim == "tie" else {claim}):
        raise Refuted(f"its parts do not prove {claim!r}")


def main() -> int:
    """Check the file that the command line names."""
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    start = time.monotonic()
    try:
        found = check(
            sys.argv[1], lambda nodes: print(f"{nodes:,} nodes, {time.monotonic() - start:.0f} s", file=sys.stderr)
        )
    except (OSError, Unreadable) as error:
        print(f"{sys.argv[1]}: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    print(f"{found.game}: {found.claim}: {'proven' if found.holds else 'not proven: ' + found.reason}")
    return 0 if found.holds else 1


if __name__ == "__main__":
    sys.exit(main())
