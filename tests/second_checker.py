"""A second checker of certificates, written from docs/reference/certificates.md alone.

Slow and plain: a line of the board is the set of cells that it lacks, and a rule of the page is a few statements on
sets.
`check` answers whether a certificate proves its claim and why not; what is no certificate raises `Unreadable`.
"""

from __future__ import annotations

import gzip
import json
import re
import sys
import zlib
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

Cells = frozenset[int]
Lines = frozenset[Cells]  # what each line lacks; none contains another
Own = Lines | None  # the holder's lines; None: they do not count
Zone = tuple[Cells, dict[int, Cells]]  # used, lacking

NOTHING: Cells = frozenset()
NUMBER = "[0-9]{1,11}"
GAME = re.compile("([1-9][0-9]{0,2})x([1-9][0-9]{0,2})k([1-9][0-9]{0,2})(e?)")
PART = re.compile("([XO]) (wins|holds|stealing|over)")
LABEL = f"(?:({NUMBER}): )?"
MOVE = re.compile(rf"{LABEL}(\*|{NUMBER})((?: {NUMBER})*)")
FIRST = re.compile(rf"{LABEL}m ({NUMBER})")
PAIRS = re.compile(rf"{LABEL}(weak )?p((?: {NUMBER} {NUMBER})*)")
ANSWERS = re.compile(rf"{LABEL}(weak )?a((?: {NUMBER} {NUMBER})*)")
REFERENCE = re.compile(f"{LABEL}(weak )?@({NUMBER}) 0{{0,10}}([0-7])")
KEYS = {"noughts", "version", "game", "position", "claim"}
CLAIMS = {
    "X wins": {"X wins"},
    "O wins": {"O wins"},
    "X holds": {"X holds"},
    "O holds": {"O holds"},
    "tie": {"X holds", "O holds"},
}


class Unreadable(ValueError):
    """What was given is no certificate."""


class Refused(Exception):
    """The certificate does not prove what it should."""


def demand(condition: bool, otherwise: str) -> None:
    if not condition:
        raise Refused(otherwise)


class Board:
    """The board of a game: its lines, its turns, and when a line is complete."""

    def __init__(self, game: str) -> None:
        found = GAME.fullmatch(game)
        if not found:
            raise Unreadable(f"no game: {game}")
        self.rows, self.columns, self.k = (int(found[i]) for i in (1, 2, 3))
        self.exact = found[4] == "e" and 1 < self.k < max(self.rows, self.columns)
        if max(self.rows, self.columns) > 256 or self.k > max(self.rows, self.columns):
            raise Unreadable(f"no such board: {game}")
        self.cells: Cells = frozenset(range(self.rows * self.columns))
        self.windows = set(self._windows())
        self.through: dict[int, list[tuple[Cells, Cells]]] = defaultdict(list)
        for window in self.windows:
            for cell in window[0]:
                self.through[cell].append(window)

    def _windows(self) -> Iterator[tuple[Cells, Cells]]:
        """Each k cells in a row, with the cells right before and after them where those count."""
        for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
            for row in range(self.rows):
                for column in range(self.columns):
                    run = [(row + i * down, column + i * right) for i in range(-1, self.k + 1)]
                    if self._inside(run[1]) and self._inside(run[-2]):
                        beside = filter(self._inside, (run[0], run[-1])) if self.exact else ()
                        yield self._numbers(run[1:-1]), self._numbers(beside)

    def _inside(self, square: tuple[int, int]) -> bool:
        return 0 <= square[0] < self.rows and 0 <= square[1] < self.columns

    def _numbers(self, squares: Iterable[tuple[int, int]]) -> Cells:
        return frozenset(row * self.columns + column for row, column in squares)

    def completed(self, marks: Cells, cell: int | None = None) -> bool:
        """Whether these marks hold a complete line (through this cell)."""
        windows = self.windows if cell is None else self.through[cell]
        return any(line <= marks and not beside & marks for line, beside in windows)

    def lacking(self, mine: Cells, other: Cells) -> Lines:
        """What each of my lines lacks; none has a mark of the other's in it or, if exact, one of mine beside it."""
        return frozenset(
            line - mine for line, beside in self.windows if line.isdisjoint(other) and beside.isdisjoint(mine)
        )

    def turned(self, cells: Iterable[int], turn: int) -> Cells:
        """The cells after a turn of the board."""
        if turn & 4:
            demand(self.rows == self.columns, "rows and columns are swapped on squares alone")
        squares = []
        for cell in cells:
            row, column = divmod(cell, self.columns)
            if turn & 4:
                row, column = column, row
            if turn & 1:
                column = self.columns - 1 - column
            if turn & 2:
                row = self.rows - 1 - row
            squares.append((row, column))
        return self._numbers(squares)


def smallest(lines: Iterable[Cells]) -> Lines:
    """The lines that contain no other."""
    distinct = frozenset(lines)
    if NOTHING in distinct:
        return frozenset({NOTHING})
    by_lowest = defaultdict(list)
    for line in distinct:
        by_lowest[min(line)].append(line)
    return frozenset(line for line in distinct if not any(other < line for cell in line for other in by_lowest[cell]))


def unused(cell: int, uses: dict[int, Cells]) -> bool:
    """Whether a reply is answered without this cell, then and later."""
    return any(cell not in used for used in uses.values())


def numbers(text: str) -> list[int]:
    return [int(word) for word in text.split()]


class Text:
    """The lines of the file one by one; it knows the number of the last."""

    def __init__(self, lines: list[str]) -> None:
        self.lines, self.at = lines, 0

    def next(self) -> str:
        if self.at == len(self.lines):
            raise Unreadable("the file ends too early")
        self.at += 1
        return " ".join(self.lines[self.at - 1].split())

    def match(self, *patterns: re.Pattern[str]) -> re.Match[str]:
        line = self.next()
        for pattern in patterns:
            if found := pattern.fullmatch(line):
                return found
        raise Unreadable(f"line {self.at}: cannot be read here: {line[:60]!r}")


class Win:
    """A part in which a player, A, wins against B."""

    def __init__(self, board: Board, text: Text) -> None:
        self.board, self.text = board, text
        self.finished: dict[int, tuple[Cells, Cells, Zone]] = {}

    def begin(self, a: Cells, b: Cells, a_moves: bool) -> None:
        if a_moves:
            self.move(a, b)
            return
        found = self.text.match(MOVE)
        demand(found[2] == "*", "B is to move: the first line is *")
        self.replies(a, b, numbers(found[3]))

    def move(self, a: Cells, b: Cells) -> Zone:
        """A node with A to move: its zone."""
        found = self.text.match(REFERENCE, MOVE)
        if found.re is REFERENCE:
            return self.refer(found, a, b)
        label, cell_text = found[1], found[2]
        demand(cell_text != "*", "* stands only at the beginning, with B to move")
        cell, replies = int(cell_text), numbers(found[3])
        demand(cell in self.board.cells - a - b, f"{cell} is not free")
        after = a | {cell}
        if self.board.completed(after, cell):
            demand(not replies, "a completed line needs no replies")
            zone: Zone = (frozenset({cell}), {})
        else:
            used, lacking = self.replies(after, b, replies)
            zone = (used | {cell}, lacking)
        if label is not None:
            self.finished[int(label)] = (a, b, zone)
        return zone

    def refer(self, found: re.Match[str], a: Cells, b: Cells) -> Zone:
        weak, label, turn = found[2], int(found[3]), int(found[4])
        demand(weak is None, "weak is for parts that hold")
        demand(label in self.finished, f"no finished node {label}")
        there_a, there_b, (used, lacking) = self.finished[label]
        same = self.board.turned(there_a, turn) == a and self.board.turned(there_b, turn) == b
        demand(same, "another position")
        return self.board.turned(used, turn), {n: self.board.turned(cells, turn) for n, cells in lacking.items()}

    def replies(self, a: Cells, b: Cells, replies: list[int]) -> Zone:
        """B is to move: nobody is in time to complete a line, and every reply that matters is listed."""
        demand(len(set(replies)) == len(replies), "a reply twice")
        demand(set(replies) <= self.board.cells - a - b, "a reply that is not free")
        here: dict[int, set[int]] = defaultdict(set)
        for line in self.board.lacking(b, a):
            here[len(line)] |= line
        demand(not here[1] and 0 not in here, "B completes a line")
        used, lacking = self.move(a, b)
        matter = used | lacking.get(1, NOTHING) | lacking.get(2, NOTHING)
        demand(matter <= set(replies), f"not answered: {sorted(matter - set(replies))}")
        all_used = set(used)
        for n, cells in lacking.items():
            here[max(n - 1, 1)] |= cells
        for reply in replies:
            used, lacking = self.move(a, b | {reply})
            all_used |= used
            for n, cells in lacking.items():
                here[n] |= cells
        return frozenset(all_used), {n: frozenset(cells) for n, cells in here.items()}


class Hold:
    """A part in which a player, H, holds against A."""

    def __init__(self, board: Board, text: Text) -> None:
        self.board, self.text = board, text
        self.finished: dict[int, tuple[Lines, Own, Cells]] = {}

    def begin(self, h: Cells, a: Cells, h_moves: bool) -> None:
        if h_moves:
            cell = int(self.text.match(FIRST)[2])
            demand(cell in self.board.cells - h - a, f"{cell} is not free")
            h |= {cell}
            if self.board.completed(h, cell):
                return
        own = None if self.board.exact else smallest(self.board.lacking(h, a))
        self.node(smallest(self.board.lacking(a, h)), own, self.board.cells - h - a)

    def node(self, lines: Lines, own: Own, free: Cells) -> Cells:
        """A node with A to move, A's lines, H's own, and the free cells: which cells it uses."""
        found = self.text.match(PAIRS, ANSWERS, REFERENCE)
        own = None if found[2] else own
        if found.re is PAIRS:
            used = self.pairs(lines, free, numbers(found[3]))
        else:
            demand(len(self.board.cells) <= 1024, "beyond 1,024 cells only pairs prove anything")
            if found.re is REFERENCE:
                return self.refer(found, lines, own)
            used = self.answers(lines, own, free, numbers(found[3]))
        if found[1] is not None:
            self.finished[int(found[1])] = (lines, own, used)
        return used

    def refer(self, found: re.Match[str], lines: Lines, own: Own) -> Cells:
        label, turn = int(found[3]), int(found[4])
        demand(label in self.finished, f"no finished node {label}")
        there_lines, there_own, used = self.finished[label]
        turned_lines, turned_own = (
            {self.board.turned(line, turn) for line in some or ()} for some in (there_lines, there_own)
        )
        for line in lines:
            demand(any(other <= line for other in turned_lines), f"a line of A's that is not there: {sorted(line)}")
        for line in turned_own:
            demand(any(other <= line for other in own or ()), f"a line of H's that is not here: {sorted(line)}")
        return self.board.turned(used, turn)

    def pairs(self, lines: Lines, free: Cells, cells: list[int]) -> Cells:
        paired = frozenset(cells)
        demand(len(paired) == len(cells) and paired <= free, "pairs must be free and apart")
        partner = dict(zip(cells[::2], cells[1::2], strict=True)) | dict(zip(cells[1::2], cells[::2], strict=True))
        rest = smallest(line - paired for line in lines if not any(partner.get(cell) in line for cell in line))
        demand(NOTHING not in rest, "a line that pairs do not stop")
        demand(not rest or len(self.board.cells) <= 1024, "beyond 1,024 cells every line needs a pair")
        total, one = 0, 1 << self.board.k
        heaviest: dict[int, int] = defaultdict(int)
        for line in rest:
            weight = one >> len(line)
            total += weight
            for cell in line:
                heaviest[cell] += weight
        demand(total + max(heaviest.values(), default=0) < one, "the lines without a pair weigh too much")
        return paired.union(*rest)

    def answers(self, lines: Lines, own: Own, free: Cells, cells: list[int]) -> Cells:
        answered = dict(zip(cells[::2], cells[1::2], strict=True))
        demand(2 * len(answered) == len(cells), "a reply twice")
        demand(all(len(line) > 1 for line in lines), "A completes a line")
        uses: dict[int, Cells] = {}  # for each reply the answer, and what is used after it
        for reply, answer in answered.items():
            demand(reply in free and answer in free and reply != answer, f"{reply} {answer}: not free")
            uses[reply] = frozenset({answer})
            left = [line - {answer} for line in own or () if reply not in line]
            if NOTHING not in left:
                after = smallest(line - {reply} for line in lines if answer not in line)
                uses[reply] |= self.node(after, None if own is None else smallest(left), free - {reply, answer})
        return self.met(lines, own, uses)

    def met(self, lines: Lines, own: Own, uses: dict[int, Cells]) -> Cells:
        """No other reply needs an answer: what the node uses."""
        if single := NOTHING.union(*(line for line in own or () if len(line) == 1)):
            demand(not single.isdisjoint(uses), f"not answered, not one of them: {sorted(single)}")
            return self.board.cells
        used = NOTHING.union(*uses.values())
        through: dict[int, list[Cells]] = defaultdict(list)
        for line in [*lines, *(own or ())]:
            for cell in line:
                through[cell].append(line)
        for cell, its in through.items():
            if not unused(cell, uses) and cell not in uses:
                instead = [reply for reply in uses if all(reply in line for line in its)]
                demand(bool(instead), f"not answered: {cell}")
                used |= {min(instead)}
        return used if own is None else self.board.cells


def header(line: str) -> dict[str, str]:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise Unreadable(f"the first line is no JSON object: {error}") from None
    if not isinstance(found, dict) or not set(found) >= KEYS:
        raise Unreadable("the first line is not that of a certificate")
    if found["noughts"] != "certificate" or type(found["version"]) is not int or found["version"] != 1:
        raise Unreadable("not a certificate of version 1")
    if not all(isinstance(found[key], str) for key in ("game", "position", "claim")) or found["claim"] not in CLAIMS:
        raise Unreadable("no game, no position or no claim")
    return found


def read(source: str | bytes | Path) -> list[str]:
    """The lines of a certificate: a text, the bytes of a file, or a path."""
    try:
        data = source.read_bytes() if isinstance(source, Path) else source
        if isinstance(data, str):
            data = data.encode("ascii")
        elif data[:2] == b"\x1f\x8b":
            data = gzip.decompress(data)
        *lines, last = data.decode("ascii").split("\n")
    except (OSError, EOFError, UnicodeError, zlib.error) as error:
        raise Unreadable(str(error)) from None
    if last or len(lines) < 2:
        raise Unreadable("the file is truncated")
    return lines


def marks(board: Board, position: str) -> dict[str, Cells]:
    rows = position.split("/")
    if len(rows) != board.rows or any(len(row) != board.columns or set(row) - set("XO.") for row in rows):
        raise Unreadable("the position does not fit the board")
    squares = "".join(rows)
    return {player: frozenset(i for i, mark in enumerate(squares) if mark == player) for player in "XO"}


def part(board: Board, position: dict[str, Cells], text: Text, player: str, kind: str) -> set[str]:
    """Check a part: what it proves."""
    mine, other = position[player], position["O" if player == "X" else "X"]
    i_won, other_won = board.completed(mine), board.completed(other)
    wins, holds = f"{player} wins", f"{player} holds"
    my_turn = (len(position["X"]) == len(position["O"])) == (player == "X")
    demand(kind != "wins" or len(board.cells) <= 1024, "beyond 1,024 cells only pairs prove anything")
    if kind == "over":
        demand(not other_won, "the other has completed a line")
        demand(not (i_won and my_turn), "who completed a line moved last")
        demand(i_won or len(mine) + len(other) == len(board.cells), "not over")
        return {wins, holds} if i_won else {holds}
    demand(not i_won and not other_won, "the game is over")
    if kind == "stealing":
        demand(player == "X" and not mine and not other and not board.exact, "nothing to steal")
        return {holds}
    if kind == "wins":
        Win(board, text).begin(mine, other, my_turn)
        return {wins, holds}
    Hold(board, text).begin(mine, other, my_turn)
    return {holds}


def check(source: str | bytes | Path) -> tuple[bool, str]:
    """Whether a certificate proves its claim, and why not."""
    text = Text(read(source))
    head = header(text.next())
    board = Board(head["game"])
    position = marks(board, head["position"])
    if len(position["X"]) - len(position["O"]) not in (0, 1):
        raise Unreadable("the marks do not say whose turn it is")
    proven: set[str] = set()
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(limit + 4 * len(board.cells))  # each node takes a cell
    try:
        while (line := text.next()) != "end":
            found = PART.fullmatch(line)
            if not found:
                raise Unreadable(f"line {text.at}: no part begins so: {line[:60]!r}")
            proven |= part(board, position, text, found[1], found[2])
        if text.at != len(text.lines):
            raise Unreadable("lines after the end")
        demand(CLAIMS[head["claim"]] <= proven, "the parts do not prove the claim")
    except Refused as refused:
        return False, f"line {text.at}: {refused}"
    finally:
        sys.setrecursionlimit(limit)
    return True, ""
