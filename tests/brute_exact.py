"""The rules of k in a row from first principles, with and without `exact`, to compare noughts with.

Nothing here knows noughts. A set of cells is one int, bit i = cell i, row by row from the top left.

exact    only a maximal run of exactly k cells of one player is a line: a longer one is nothing
misere   who completes a line loses

    ways, walked_lines     the definition: walk the grid and measure the runs
    Board                  the same by masks; which sets hold a line; the symmetries; open and won sets
    Play                   every position that play from the empty board reaches, and its value

`python brute_exact.py` prints how hard it is to find an order in which a set of cells can have come.
"""

from __future__ import annotations

from collections import Counter
from functools import cached_property, lru_cache
from math import factorial
from typing import NamedTuple

WAYS = ((0, 1), (1, 0), (1, 1), (1, -1))  # right, down, down-right, down-left
WON = 1000  # a score: WON - plies for a win, 0 for a tie, plies - WON for a loss, to the player to move

Line = tuple[int, ...]
Key = tuple[int, int]  # X's cells and O's


def members(cells: int) -> list[int]:
    """The cells of a set, ascending."""
    return [cell for cell in range(cells.bit_length()) if cells >> cell & 1]


def walked_lines(rows: int, columns: int, k: int, exact: bool, cells: int) -> list[Line]:
    """Every line of a set, by walking: way by way, in each the first cells ascending. A line of one cell is named once.

    With `exact`: from each cell whose neighbour before is not in the set, walk on as long as the set goes, and count.
    Without: from each cell, k cells that are all in the set.
    """
    held = {divmod(cell, columns) for cell in members(cells)}
    found = []
    for down, right in WAYS:
        for row in range(rows):
            for column in range(columns):
                if (row, column) not in held or (exact and (row - down, column - right) in held):
                    continue
                run = [(row, column)]
                while (run[-1][0] + down, run[-1][1] + right) in held:
                    run.append((run[-1][0] + down, run[-1][1] + right))
                if len(run) == k or (len(run) > k and not exact):
                    line = tuple(r * columns + c for r, c in run[:k])
                    if line not in found:
                        found.append(line)
    return found


class Span(NamedTuple):
    """Where a line may lie: a set holds it if it has all of `cells` and, with exact, none of the `ends` beside them."""

    line: Line
    cells: int
    ends: int


class Board:
    """A board and what a line is on it; misere is not its matter."""

    def __init__(self, rows: int, columns: int, k: int, exact: bool) -> None:
        self.rows, self.columns, self.k, self.exact = rows, columns, k, exact
        self.cells = rows * columns
        self.full = (1 << self.cells) - 1

    def __str__(self) -> str:
        return f"{self.rows}x{self.columns}k{self.k}{'e' * self.exact}"

    def at(self, row: int, column: int) -> int:
        """The cell there as a set; the empty set beside the board."""
        inside = 0 <= row < self.rows and 0 <= column < self.columns
        return 1 << row * self.columns + column if inside else 0

    @cached_property
    def spans(self) -> list[Span]:
        """Every place for a line, way by way, in each the first cells ascending."""
        found = []
        for down, right in WAYS:
            for row in range(self.rows):
                for column in range(self.columns):
                    run = [self.at(row + i * down, column + i * right) for i in range(self.k)]
                    if not all(run):
                        continue
                    before = self.at(row - down, column - right)
                    after = self.at(row + self.k * down, column + self.k * right)
                    line = tuple(cell.bit_length() - 1 for cell in run)
                    found.append(Span(line, sum(run), before | after if self.exact else 0))
        return found

    def lines(self, cells: int) -> tuple[Line, ...]:
        """The lines that a set holds."""
        found = [span.line for span in self.spans if cells & (span.cells | span.ends) == span.cells]
        return tuple(dict.fromkeys(found))  # with k = 1 every way finds the same cell

    @cached_property
    def has_line(self) -> list[bool]:
        """For every set: does it hold a line?"""
        spans = [(span.cells, span.cells | span.ends) for span in self.spans]
        return [any(cells & looked == line for line, looked in spans) for cells in range(self.full + 1)]

    @cached_property
    def images(self) -> list[list[int]]:
        """For every symmetry, the identity first: the image of every set. Of those that do the same, one."""
        found: dict[tuple[int, ...], None] = {}
        for turn in range(8 if self.rows == self.columns else 4):
            image = []
            for cell in range(self.cells):
                row, column = divmod(cell, self.columns)
                row, column = (
                    self.rows - 1 - row if turn & 1 else row,
                    self.columns - 1 - column if turn & 2 else column,
                )
                image.append(column * self.columns + row if turn & 4 else row * self.columns + column)
            found[tuple(image)] = None
        tables = []
        for image in found:
            table = [0]
            for cell in range(self.cells):  # the sets whose highest cell is this one
                bit = 1 << image[cell]
                table += [cells | bit for cells in table]
            tables.append(table)
        return tables

    # Sets of one player

    @cached_property
    def orders(self) -> list[int]:
        """For every set without a line: in how many orders its cells can come with no line at any moment; else 0."""
        found = [1] + [0] * self.full
        has_line = self.has_line
        for cells in range(1, self.full + 1):
            if not has_line[cells]:
                left, total = cells, 0
                while left:
                    bit = left & -left
                    left ^= bit
                    total += found[cells ^ bit]
                found[cells] = total
        return found

    def is_open(self, cells: int) -> bool:
        """Can the set arise with no line at any moment, now included?"""
        return self.orders[cells] > 0

    def last_cells(self, cells: int) -> list[int]:
        """For a set that holds a line: the cells of which one can have come last, the rest being open."""
        if not self.has_line[cells]:
            return []
        return [cell for cell in members(cells) if self.orders[cells ^ (1 << cell)]]

    def is_won(self, cells: int) -> bool:
        """Does it hold a line, and can it arise so that there was none before the last cell?"""
        return bool(self.last_cells(cells))

    def can_arise(self, x: int, o: int) -> bool:
        """Can this board arise? The orders of X and of O have nothing to do with each other."""
        ahead = x.bit_count() - o.bit_count()
        if x & o or ahead not in (0, 1):
            return False
        last, other = (x, o) if ahead else (o, x)
        return self.is_open(other) and (self.is_open(last) or self.is_won(last))


def find_order(board: Board, cells: int) -> list[int] | None:
    """An order in which the cells can come with no line at any moment, by search with memory; for any board."""
    shut: set[int] = set()

    def back(left: int) -> list[int] | None:
        if not left:
            return []
        if left in shut or board.lines(left):
            return None
        for cell in members(left):
            before = back(left ^ 1 << cell)
            if before is not None:
                return [*before, cell]
        shut.add(left)
        return None

    return back(cells)


class Level(NamedTuple):
    """What the positions with the same number of marks count; win, loss and tie are for the player to move."""

    marks: int
    positions: int
    classes: int
    win: dict[int, int]  # by remoteness
    loss: dict[int, int]
    tie: int


class Play:
    """Every position that play reaches, found move by move from the empty board."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.known: dict[bool, dict[Key, int]] = {}  # the scores, without and with misere
        has_line, bits = board.has_line, [1 << cell for cell in range(board.cells)]
        self.over: dict[Key, str] = {}  # the finished ones: "X" or "O" has a line, or "" for a full board without
        self.levels: list[list[Key]] = []  # by number of marks
        self.games: dict[Key, int] = {(0, 0): 1}  # how many sequences of moves lead there
        level = {(0, 0): 1}
        while level:
            self.levels.append(list(level))
            after: dict[Key, int] = {}
            x_moves = len(self.levels) % 2 == 1
            for (x, o), count in level.items():
                if (x, o) in self.over:
                    continue
                taken = x | o
                for bit in bits:
                    if taken & bit:
                        continue
                    key = (x | bit, o) if x_moves else (x, o | bit)
                    if key in after:
                        after[key] += count
                        continue
                    after[key] = count
                    if has_line[key[not x_moves]]:
                        self.over[key] = "X" if x_moves else "O"
                    elif taken | bit == board.full:
                        self.over[key] = ""
            self.games.update(after)
            level = after

    def moves(self, key: Key) -> list[int]:
        """The cells that may be played; none when the game is over."""
        return [] if key in self.over else members(self.board.full & ~(key[0] | key[1]))

    def turn(self, key: Key) -> str:
        """Whose move it is, or would be."""
        return "X" if key[0].bit_count() == key[1].bit_count() else "O"

    def status(self, key: Key, misere: bool) -> str:
        """ongoing, x_wins, o_wins or draw."""
        if key not in self.over:
            return "ongoing"
        owner = self.over[key]
        return f"{owner if not misere else 'XO'[owner == 'X']}_wins".lower() if owner else "draw"

    def lines(self, key: Key) -> tuple[Line, ...]:
        """The completed lines: they are all of one player."""
        owner = self.over.get(key)
        return self.board.lines(key["XO".index(owner)]) if owner else ()

    def scores(self, misere: bool) -> dict[Key, int]:
        """The score of every position for the player to move, from the full boards back to the empty one."""
        if misere in self.known:
            return self.known[misere]
        found = self.known[misere] = dict[Key, int]()
        bits = [1 << cell for cell in range(self.board.cells)]
        line = WON if misere else -WON  # what is left to the one who would move, after the other completed a line
        for marks in reversed(range(len(self.levels))):
            for key in self.levels[marks]:
                owner = self.over.get(key)
                if owner is not None:
                    found[key] = line if owner else 0
                    continue
                x, o = key
                free = [bit for bit in bits if not (x | o) & bit]
                # the opponent's score s is -s to us and one ply further away: the lowest is best for us
                if marks % 2:
                    worst = min([found[x, o | bit] for bit in free])
                else:
                    worst = min([found[x | bit, o] for bit in free])
                found[key] = -worst - 1 if worst < 0 else -worst + 1 if worst > 0 else 0
        return found

    def value(self, key: Key, misere: bool) -> tuple[str, int]:
        """The outcome for the player to move, and the plies to the end."""
        score = self.scores(misere)[key]
        if score == 0:
            return "tie", self.board.cells - (key[0] | key[1]).bit_count()
        return ("win", WON - score) if score > 0 else ("loss", WON + score)

    def classes(self, marks: int) -> int:
        """How many positions with so many marks there are up to symmetry: those that no symmetry makes smaller."""
        images = self.board.images[1:]
        return sum(all((x, o) <= (image[x], image[o]) for image in images) for x, o in self.levels[marks])

    def counts(self, misere: bool) -> list[Level]:
        """The counts of every level; those that play does not get to have none."""
        scores, found = self.scores(misere), []
        for marks in range(self.board.cells + 1):
            keys = self.levels[marks] if marks < len(self.levels) else []
            of = Counter(scores[key] for key in keys)
            win = {WON - score: of[score] for score in sorted(of, reverse=True) if score > 0}
            loss = {WON + score: of[score] for score in sorted(of) if score < 0}
            found.append(Level(marks, len(keys), self.classes(marks) if keys else 0, win, loss, of[0]))
        return found

    def sequences(self, depth: int) -> int:
        """How many sequences of so many moves there are from the empty board."""
        return sum(self.games[key] for key in self.levels[depth]) if depth < len(self.levels) else 0

    def ends(self, misere: bool) -> tuple[int, int, int]:
        """How many complete games X wins, O wins and nobody."""
        found = Counter[str]()
        for key in self.over:
            found[self.status(key, misere)] += self.games[key]
        return found["x_wins"], found["o_wins"], found["draw"]

    @cached_property
    def dead(self) -> set[Key]:
        """The positions from which every game is a draw."""
        found = {key for key, owner in self.over.items() if not owner}
        for level in reversed(self.levels):
            for x, o in level:
                if (x, o) in self.over:
                    continue
                free = members(self.board.full & ~(x | o))
                x_moves = x.bit_count() == o.bit_count()
                if all(((x | 1 << cell, o) if x_moves else (x, o | 1 << cell)) in found for cell in free):
                    found.add((x, o))
        return found


class Threats:
    """What a player with these cells could do, were it their turn; the definitions, tried out cell by cell."""

    def __init__(self, board: Board, own: int, other: int, misere: bool, over: bool) -> None:
        self.board, self.own, self.other, self.misere, self.over = board, own, other, misere, over

    def free(self) -> list[int]:
        return [] if self.over else members(self.board.full & ~(self.own | self.other))

    def completing(self) -> list[int]:
        return [cell for cell in self.free() if self.board.has_line[self.own | 1 << cell]]

    def winning(self) -> list[int]:
        return [] if self.misere else self.completing()

    def turned(self) -> Threats:
        """The same board, asked of the other player."""
        return Threats(self.board, self.other, self.own, self.misere, self.over)

    def blocking(self) -> list[int]:
        return self.turned().winning()

    def after(self, cell: int) -> Threats:
        """The board after a move, asked of the same player again."""
        own = self.own | 1 << cell
        return Threats(self.board, own, self.other, self.misere, self.over or self.board.has_line[own])

    def forks(self) -> list[int]:
        """Moves that complete nothing, but leave two or more winning moves."""
        return [cell for cell in self.free() if len(self.after(cell).winning()) >= 2]

    def fork_blocks(self) -> list[int]:
        """Moves after which the other has no fork; none where there is no fork to stop."""
        if not self.turned().forks():
            return []
        return [cell for cell in self.free() if not self.after(cell).turned().forks()]


@lru_cache(maxsize=512)
def board_of(rows: int, columns: int, k: int, exact: bool) -> Board:
    """The board, made once."""
    return Board(rows, columns, k, exact)


@lru_cache(maxsize=512)
def small_play_of(rows: int, columns: int, k: int, exact: bool) -> Play:
    """All its positions, found once and kept."""
    return Play(board_of(rows, columns, k, exact))


@lru_cache(maxsize=1)
def large_play_of(rows: int, columns: int, k: int, exact: bool) -> Play:
    """The same where there are so many that only the last asked for are kept."""
    return Play(board_of(rows, columns, k, exact))


# How hard it is to find an order


def picture(board: Board, cells: int) -> str:
    """A set as text."""
    marks = "".join("X" if cells >> cell & 1 else "." for cell in range(board.cells))
    return "/".join(marks[row * board.columns :][: board.columns] for row in range(board.rows))


def tries(board: Board) -> list[int]:
    """For every set without a line: how many sets a search back from it enters that remembers nothing.

    It takes away the lowest cell that leaves no line, then the next, and goes back where it is stuck.
    """
    has_line, orders = board.has_line, board.orders
    found = [1] + [0] * board.full
    for cells in range(1, board.full + 1):
        if has_line[cells]:
            continue
        entered, left = 1, cells
        while left:
            bit = left & -left
            left ^= bit
            entered += found[cells ^ bit]
            if orders[cells ^ bit]:
                break
        found[cells] = entered
    return found


def report(board: Board) -> str:
    """How many sets are open, won or neither, and those where few orders work."""
    has_line, orders = board.has_line, board.orders
    every = range(board.full + 1)
    lineless = [cells for cells in every if not has_line[cells]]
    opened = [cells for cells in lineless if orders[cells]]
    shut = [cells for cells in lineless if not orders[cells]]
    lined = [cells for cells in every if has_line[cells]]
    won = [cells for cells in lined if board.is_won(cells)]

    def common(cells: int) -> int:
        left = cells
        for span in board.spans:
            if cells & (span.cells | span.ends) == span.cells:
                left &= span.cells
        return left

    def some_rest_without_line(cells: int) -> bool:
        return any(not has_line[cells ^ (1 << cell)] for cell in members(common(cells)))

    scattered = [cells for cells in lined if not common(cells)]
    lost = sorted(set(lined).difference(won, scattered))
    relined = [cells for cells in lost if not some_rest_without_line(cells)]
    closed = [cells for cells in lost if some_rest_without_line(cells)]
    picky = [cells for cells in won if len(board.last_cells(cells)) < common(cells).bit_count()]
    stuck = [
        cells
        for cells in opened
        if any(not has_line[cells ^ (1 << c)] and not orders[cells ^ (1 << c)] for c in members(cells))
    ]
    long = [cells for cells in opened if _longest(board, cells) > board.k]
    cost = tries(board)
    rows = [
        f"{board}: {len(every):,} sets",
        f"  no line                        {len(lineless):>8,}",
        f"    open                         {len(opened):>8,}   of them with a run longer than k {len(long):,}",
        f"    shut (cannot arise)          {len(shut):>8,}   sizes {_sizes(shut)}",
        f"    open, one step back is shut  {len(stuck):>8,}   a search back from there can take a wrong turn",
        f"  a line                         {len(lined):>8,}",
        f"    won                          {len(won):>8,}   not by every cell common to the lines {len(picky):,}",
        f"    lines with no common cell    {len(scattered):>8,}",
        f"    every rest has a line        {len(relined):>8,}   without the common cell a longer run becomes a line",
        f"    rest without line, but shut  {len(closed):>8,}",
    ]
    if opened:
        worst = max(opened, key=cost.__getitem__)
        rows.append(f"  search back, nothing remembered: at most {cost[worst]:,} sets entered for an open one,")
        rows.append(f"    {picture(board, worst)}; on average {sum(cost[cells] for cells in opened) / len(opened):.2f}")
    if shut:
        worst = max(shut, key=cost.__getitem__)
        rows.append(f"    for a shut one at most {cost[worst]:,}: {picture(board, worst)}")
        rows.append(f"  shut, the smallest: {', '.join(picture(board, cells) for cells in _few(shut, len_of))}")
    rare = sorted(opened, key=lambda cells: orders[cells] / factorial(cells.bit_count()))[:6]
    rows.append("  fewest orders:")
    for cells in rare:
        all_ = factorial(cells.bit_count())
        rows.append(f"    {picture(board, cells)}   {orders[cells]:,} of {all_:,} ({orders[cells] / all_:.2e})")
    for name, group in (("every rest has a line", relined), ("rest shut", closed), ("picky", picky)):
        if group:
            rows.append(f"  {name}: {', '.join(picture(board, cells) for cells in _few(group, len_of))}")
    return "\n".join(rows)


def len_of(cells: int) -> int:
    """How many cells a set has."""
    return cells.bit_count()


def _few(group: list[int], key: object) -> list[int]:
    return sorted(group, key=key)[:4]  # type: ignore[arg-type]


def _sizes(group: list[int]) -> str:
    return " ".join(f"{size}:{count}" for size, count in sorted(Counter(map(len_of, group)).items())) or "-"


def _longest(board: Board, cells: int) -> int:
    """The longest run of a set."""
    longest = 0
    for down, right in WAYS:
        for cell in members(cells):
            row, column = divmod(cell, board.columns)
            length = 0
            while cells & board.at(row, column):
                length, row, column = length + 1, row + down, column + right
            longest = max(longest, length)
    return longest


if __name__ == "__main__":
    import sys

    for name in sys.argv[1:] or ("4x4k3e", "1x16k3e", "4x4k4e", "4x4k2e", "1x16k2e", "3x5k3e", "2x8k3e"):
        size, k = name.removesuffix("e").split("k")
        print(report(Board(*map(int, size.split("x")), int(k), name.endswith("e"))), end="\n\n", flush=True)
