"""What a step says and shows, in a few plain shapes, so that whoever draws them need not know what they mean.

ShownStep     one thing that an algorithm does: a sentence, the cells it concerns, what it costs, and its scene
Scene         rows of parts, each a Grid, Tiles, Meters or Sign

        [ Grid ]  &  [ Grid ]  =  [ Grid ]          a row of five parts
        ( 3 )( 5 )( 8 )                             Tiles: a set or a row of numbers
        a3 to c3   X 2 of 3   O 0 of 3              Meters: how far each line has come

Roles say why something is shown as it is:

        x, o      belongs to X or O              look      is looked at now
        hit       what was looked for            miss      was looked at, and stopped the search
        want      would complete a line          new       has just changed
        plus      counts for something           minus     counts against
        later     comes only later in the game

Costs are counted alike for all: one for each reading of a cell or an entry, and each addition, comparison, AND, OR and
shift; what handles a set of cells as one number costs one for each 64 bits of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from noughts.rules.answer import Answer
from noughts.rules.game import Bits, Game
from noughts.rules.marks import Mark, O, X
from noughts.rules.notation import format_move
from noughts.rules.position import Position, Setup

Cells: TypeAlias = tuple[int, ...]
Roles: TypeAlias = Mapping[str, Cells]

PLAYERS = (X, O)
WORD = 64  # bits that a processor handles at once


@dataclass(frozen=True)
class Grid(Answer):
    """A field of squares: the board."""

    keys = "rows columns title texts rest marks=shown_marks roles=shown_roles paths moved kind"

    rows: int
    columns: int
    title: str = ""
    texts: Mapping[int, str] = field(default_factory=dict)  # what stands in a square
    rest: str = ""  # what stands in all others
    marks: Mapping[str, Cells] = field(default_factory=dict)  # the squares with an X or an O drawn in them
    roles: Roles = field(default_factory=dict)
    paths: tuple[Cells, ...] = ()  # strokes through squares
    moved: int = 0  # whatever belongs to X or O here was so many places further on before
    kind: Literal["grid"] = "grid"

    @property
    def shown_marks(self) -> Roles:
        """The squares with an X and those with an O, where there are any."""
        return used(self.marks)

    @property
    def shown_roles(self) -> Roles:
        """The roles that some square has."""
        return used(self.roles)


@dataclass(frozen=True)
class Tile(Answer):
    """A number or word on a small plate, with a note under it."""

    text: str
    roles: tuple[str, ...] = ()
    note: str = ""


@dataclass(frozen=True)
class Tiles(Answer):
    """Plates in a row."""

    tiles: tuple[Tile, ...]
    title: str = ""
    kind: Literal["tiles"] = "tiles"


@dataclass(frozen=True)
class Meter(Answer):
    """How many marks of each player a line has."""

    cells: Cells
    name: str
    x: int
    o: int
    roles: tuple[str, ...] = ()


@dataclass(frozen=True)
class Meters(Answer):
    """The counters of some lines of a board."""

    rows: int
    columns: int
    of: int  # how many make a full one
    meters: tuple[Meter, ...]
    title: str = ""
    kind: Literal["meters"] = "meters"


@dataclass(frozen=True)
class Sign(Answer):
    """What stands between two parts: +, &, =."""

    text: str
    roles: tuple[str, ...] = ()
    kind: Literal["sign"] = "sign"


Part: TypeAlias = Grid | Tiles | Meters | Sign
Scene: TypeAlias = tuple[tuple[Part, ...], ...]


@dataclass(frozen=True)
class ShownStep(Answer):
    """One thing that an algorithm does. Its scene is drawn only when somebody looks."""

    keys = "say cells=shown_cells operations found moves scene"

    say: str
    draw: Callable[[], Scene]
    cells: Roles = field(default_factory=dict)  # of the board
    operations: int = 0
    found: Mark | None = None  # the owner of the line that this step finds
    moves: int | None = None  # how many moves are on the board, where the algorithm follows the game

    @property
    def shown_cells(self) -> Roles:
        """The roles that some cell of the board has."""
        return used(self.cells)

    @property
    def scene(self) -> Scene:
        """What the step shows, as rows of parts."""
        return self.draw()


# What the steps of several algorithms use


def used(roles: Roles) -> Roles:
    """The roles that something has."""
    return {role: cells for role, cells in roles.items() if cells}


def words(bits: int) -> int:
    """How many words a number of so many bits takes.

    >>> words(11), words(64), words(65)
    (1, 1, 2)
    """
    return max(1, -(-bits // WORD))


def role_of(mark: Mark) -> str:
    """The role of what belongs to this player."""
    return str(mark).lower()


def places(bits: Bits) -> Cells:
    """The numbers of the bits that are set, ascending.

    >>> places(0b10010)
    (1, 4)
    """
    return tuple(number for number, digit in enumerate(bin(bits)[:1:-1]) if digit == "1")


def bit_grid(
    game: Game, bits: Bits, mark: Mark, title: str, text: str = "1", *, moved: int = 0, paths: Iterable[Cells] = (),
    hit: Cells = (), miss: Cells = (), look: Cells = (),
) -> Grid:  # fmt: skip
    """A set of cells as it lies on the board."""
    on = places(bits)
    roles = {role_of(mark): on, "hit": hit, "miss": miss, "look": look}
    return Grid(game.rows, game.columns, title, dict.fromkeys(on, text), roles=roles, paths=tuple(paths), moved=moved)


def owned(board: Setup | Position) -> dict[str, Cells]:
    """The cells of X and of O."""
    return {"X": tuple(board.game.cells_of(board.x)), "O": tuple(board.game.cells_of(board.o))}


def board_grid(board: Setup | Position, roles: Roles | None = None, paths: Iterable[Cells] = ()) -> Grid:
    """The board with its marks."""
    return Grid(board.game.rows, board.game.columns, marks=owned(board), roles=roles or {}, paths=tuple(paths))


def board_scene(board: Setup | Position, roles: Roles | None = None, paths: Iterable[Cells] = ()) -> Scene:
    """Nothing but the board with its marks."""
    return ((board_grid(board, roles, paths),),)


def bits_scene(board: Setup | Position, marks: Iterable[Mark] = PLAYERS) -> Scene:
    """The cells of each player as a set of their own."""
    return (tuple(bit_grid(board.game, own_bits(board, mark), mark, f"{mark}'s cells") for mark in marks),)


def cells_in(lines: Iterable[Cells]) -> Cells:
    """The cells of these lines, one line after the other."""
    return tuple(cell for line in lines for cell in line)


def own_bits(board: Setup | Position, mark: Mark) -> Bits:
    """The cells of one player."""
    return board.x if mark is X else board.o


def players(board: Setup | Position) -> tuple[tuple[Mark, Bits], ...]:
    """X and O, each with their cells."""
    return (X, board.x), (O, board.o)


def line_name(game: Game, cells: Cells) -> str:
    """A line by its ends.

    >>> line_name(Game(), (0, 1, 2))
    'a3 to c3'
    """
    first, last = format_move(game, cells[0]), format_move(game, cells[-1])
    return first if first == last else f"{first} to {last}"


def signed(number: int) -> str:
    """A number with its sign, as it is read: +1, 0, −3."""
    return f"{number:+d}".replace("-", "−") if number else "0"
