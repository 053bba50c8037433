"""Games to keep: read and written in the formats of the field, with variations as a tree, and comments.

sgf      Smart Game Format (FF 4, GM 4): variations and comments; the game's name stands in RU
psq      Piskvork's files, as Gomocup has them: one line of moves, 5 in a row
moves    3x3k3: b2 a1 c3, the board and the moves; numbers before them are left out
link     an address of the web laboratory

A tree is a list of moves, each of which names the one before it by its place (`parent`); of several that follow the
same one the first is the game, the others are variations. What a text is, its beginning says.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import parse_qs, urlencode

from noughts.play.record import MAX_FILE, format_record, parse_record
from noughts.rules.answer import Answer
from noughts.rules.game import Cell, Game
from noughts.rules.marks import Mark
from noughts.rules.notation import NotationError, format_moves
from noughts.rules.position import IllegalMove, Position
from noughts.words import brief, known

MAX_MOVES = 20_000  # of a tree
MAX_COMMENT = 10_000  # characters
ADDRESS = "http://127.0.0.1:8765/"


@dataclass(frozen=True)
class KeptMove(Answer):
    """A move of a tree: `parent` is the place of the one before it, or null at the beginning."""

    keys = "parent @cell turn=mark number comment"

    parent: int | None
    cell: Cell
    mark: Mark
    number: int  # from 1, counted along its line
    comment: str = ""


@dataclass(frozen=True)
class KeptGame(Answer):
    """A game with its variations and comments."""

    keys = "game start x o comment moves line@"

    start: Position
    moves: tuple[KeptMove, ...] = ()
    comment: str = ""  # before the first move
    x: str | None = None  # who played X
    o: str | None = None

    @property
    def game(self) -> Game:
        """The game that was played."""
        return self.start.game

    @property
    def after(self) -> dict[int | None, list[int]]:
        """The places of the moves that follow each move, and those at the beginning."""
        found: dict[int | None, list[int]] = {}
        for place, move in enumerate(self.moves):
            found.setdefault(move.parent, []).append(place)
        return found

    @property
    def line(self) -> tuple[Cell, ...]:
        """The moves of the game itself, without variations."""
        cells, after, at = [], self.after, None
        while following := after.get(at):
            at = following[0]
            cells.append(self.moves[at].cell)
        return tuple(cells)


Link = tuple[int | None, str | Cell, str]  # the place of the move before, the move, and what is said of it


def make(start: Position, links: Iterable[Link], **about: str | None) -> KeptGame:
    """A game from its moves, each with the place of the one before it; every one is played, and must be legal.

    >>> found = make(Game().start(), [(None, "b2", ""), (0, "a1", "safe"), (0, "b1", "")])
    >>> found.line, [(move.number, str(move.mark)) for move in found.moves]
    ((4, 6), [(1, 'X'), (2, 'O'), (2, 'O')])
    """
    moves: list[KeptMove] = []
    reached: list[Position] = []
    places: dict[tuple[int | None, Cell], int] = {}
    at: list[int] = []  # where each link stands: the same move twice is one
    for parent, move, comment in links:
        if len(at) == MAX_MOVES:
            raise NotationError(f"there are more than {MAX_MOVES:,} moves, the limit for a game with its variations")
        if parent is not None and not 0 <= parent < len(at):
            raise NotationError(f"a move follows move {parent}, which is none of those before it")
        above = None if parent is None else at[parent]
        before = start if above is None else reached[above]
        number = 1 if above is None else moves[above].number + 1
        try:
            cell = before.cell(move)
            after = before.play(cell)
        except ValueError as problem:
            raise IllegalMove(f"move {number} does not replay: {problem}") from None
        place = places.setdefault((above, cell), len(moves))
        if place == len(moves):
            moves.append(KeptMove(above, cell, before.turn, number, _short(comment)))
            reached.append(after)
        elif comment and not moves[place].comment:
            moves[place] = replace(moves[place], comment=_short(comment))
        at.append(place)
    told = {name: _short(text) if text is not None else None for name, text in about.items()}
    return KeptGame(start, tuple(moves), **told)  # type: ignore[arg-type]


def of_line(start: Position, moves: Iterable[str | Cell], **about: str | None) -> KeptGame:
    """A game without variations."""
    links = [(number - 1 if number else None, move, "") for number, move in enumerate(moves)]
    return make(start, links, **about)


def _short(text: str) -> str:
    if len(text) > MAX_COMMENT:
        raise NotationError(f"a comment has {len(text):,} characters: the limit is {MAX_COMMENT:,}")
    return text


# SGF

LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
Properties = dict[str, list[str]]


def write_sgf(kept: KeptGame) -> str:
    r"""A game as SGF, with its variations and comments.

    >>> print(write_sgf(of_line(Game().start(), ["b2", "a1"], x="anna")), end="")
    (;FF[4]GM[4]CA[UTF-8]AP[noughts]SZ[3]RU[3x3k3]PB[anna]
    ;B[bb];W[ac])
    """
    game, after = kept.game, kept.after
    if max(game.rows, game.columns) > len(LETTERS):
        raise NotationError(f"SGF has coordinates for {len(LETTERS)} rows and columns, and {game} has more")
    size = str(game.rows) if game.rows == game.columns else f"{game.columns}:{game.rows}"
    head = f"(;FF[4]GM[4]CA[UTF-8]AP[noughts]SZ[{size}]RU[{game}]"
    for name, cells in (("AB", kept.start.x), ("AW", kept.start.o)):
        if cells:
            head += name + "".join(f"[{_point(game, cell)}]" for cell in game.cells_of(cells))
    for name, text in (("PB", kept.x), ("PW", kept.o), ("C", kept.comment)):
        if text:
            head += f"{name}[{_escaped(text)}]"
    parts, left = [head, "\n"], [*_opened(after.get(None, [])), ")"]
    left.reverse()
    while left:
        at = left.pop()
        if isinstance(at, str):
            parts.append(at)
            continue
        move = kept.moves[at]
        said = f"C[{_escaped(move.comment)}]" if move.comment else ""
        parts.append(f";{'B' if move.mark is Mark.X else 'W'}[{_point(game, move.cell)}]{said}")
        left += reversed(_opened(after.get(at, [])))
    return "".join(parts) + "\n"


def _opened(places: list[int]) -> list[int | str]:
    """Moves that follow one another as they are, or variations, each in brackets."""
    return [*places] if len(places) < 2 else [part for place in places for part in ("(", place, ")")]


def _point(game: Game, cell: Cell) -> str:
    row, column = divmod(cell, game.columns)
    return LETTERS[column] + LETTERS[row]


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("]", "\\]")


SGF = re.compile(r"\s*(?:([();])|([A-Za-z]+)\s*((?:\[(?:\\.|[^\]\\])*\]\s*)+))", re.DOTALL)
VALUE = re.compile(r"\[((?:\\.|[^\]\\])*)\]", re.DOTALL)


def read_sgf(text: str) -> list[KeptGame]:
    r"""The games of an SGF file.

    >>> [found] = read_sgf("(;GM[4]SZ[15];B[hh];W[ig]C[near](;B[gg])(;B[ii]C[a \\] b]))")
    >>> str(found.game), len(found.moves), found.moves[3].parent, found.moves[3].comment
    ('15x15k5', 4, 1, 'a ] b')
    """
    games: list[KeptGame] = []
    nodes: list[tuple[int | None, Properties]] = []
    stack: list[int | None] = []
    last: int | None = None
    for sign, name, values in _tokens(text):
        if sign == "(":
            stack.append(last)
        elif sign == ")":
            if not stack:
                raise NotationError("this SGF closes a bracket that was not opened")
            last = stack.pop()
            if not stack:
                games.append(_game_of(nodes))
                nodes, last = [], None
        elif not stack:
            raise NotationError("this SGF has something outside of its brackets")
        elif sign == ";":
            nodes.append((last, {}))
            last = len(nodes) - 1
        elif not nodes or last is None:
            raise NotationError(f"this SGF has {brief(name)} before its first node")
        else:
            nodes[last][1].setdefault(name, []).extend(values)
    if stack or not games:
        raise NotationError("this SGF is cut off: a bracket is missing at its end")
    return games


def _tokens(text: str) -> Iterator[tuple[str, str, list[str]]]:
    at, text = 0, text.strip()
    while at < len(text):
        found = SGF.match(text, at)
        if not found:
            raise NotationError(f"this is not SGF: {brief(text[at:])} is neither a node nor a property")
        at = found.end()
        sign, name, values = found.groups()
        plain = (re.sub(r"\\(\r\n|\n|.)", _unescaped, each, flags=re.DOTALL) for each in VALUE.findall(values or ""))
        yield sign or "", "".join(filter(str.isupper, name or "")), list(plain)


def _unescaped(found: re.Match[str]) -> str:
    return "" if found[1].endswith("\n") else found[1]


def _game_of(nodes: Sequence[tuple[int | None, Properties]]) -> KeptGame:
    """One game from the nodes of a tree; those without a move give their comment to the one before."""
    if not nodes:
        raise NotationError("this SGF has a pair of brackets with nothing between")
    head = nodes[0][1]
    start = _setup(head)
    links: list[Link] = []
    marks: list[Mark] = []
    place: dict[int | None, int | None] = {None: None}
    comment = head.get("C", [""])[0]
    for number, (parent, found) in enumerate(nodes):
        moves = [(name, point) for name in ("B", "W") for point in found.get(name, []) if point]
        if len(moves) > 1:
            raise NotationError("this SGF has two moves in one node")
        if number and {"AB", "AW", "AE"} & found.keys():
            raise NotationError("this SGF changes the board in the middle of a game")
        above = place[parent]
        place[number] = above
        if moves:
            name, point = moves[0]
            mark = start.turn if above is None else marks[above].other
            marks.append(mark)
            if name != ("B" if mark is Mark.X else "W"):
                raise NotationError(f"this SGF has a move of {name} where it is {mark}'s turn: black is X and begins")
            said = found.get("C", [""])[0] if number else ""
            links.append((above, _cell(start.game, point), said))
            place[number] = len(links) - 1
    names = {who: head[key][0] for who, key in (("x", "PB"), ("o", "PW")) if key in head}
    return make(start, links, comment=comment, **names)


def _setup(head: Properties) -> Position:
    rule, size = head.get("RU", [""])[0], head.get("SZ", ["15"])[0]
    try:
        game = Game.parse(rule)
    except ValueError:
        columns, _, rows = size.partition(":")
        if not columns.isdecimal() or (rows and not rows.isdecimal()):
            raise NotationError(f"this SGF has a board of {brief(size)}: expected a number, as in SZ[15]") from None
        if head.get("GM", ["4"])[0] != "4":
            raise NotationError("this SGF is of another game: expected GM[4], five in a row") from None
        game = Game(int(rows or columns), int(columns), 5)
    x, o = (sum({1 << _cell(game, point) for point in head.get(name, [])}) for name in ("AB", "AW"))
    return Position(game, x, o)


def _cell(game: Game, point: str) -> Cell:
    if len(point) == 2 and all(letter in LETTERS for letter in point):
        column, row = map(LETTERS.index, point)
        if row < game.rows and column < game.columns:
            return row * game.columns + column
    raise NotationError(f"this SGF has a move at {brief(point)}, which is no cell of {game}")


# Piskvork

PSQ_MOVE = re.compile(r"\s*(\d+),(\d+),\d+\s*")


def write_psq(kept: KeptGame) -> str:
    """A game as Piskvork's file: its moves alone, as it knows no variations.

    >>> print(write_psq(of_line(Game(15, 15, 5).start(), ["h8", "i9"])), end="")
    Piskvorky 15x15, 11:11, 0
    8,8,0
    9,7,0
    -1
    """
    game = kept.game
    if game.k != 5 or game.gravity or game.misere or kept.start.marks:
        raise NotationError(f"Piskvork's files hold five in a row from the empty board, not {game}")
    head = f"Piskvorky {game.columns}x{game.rows}, 11:11, {int(game.exact)}"
    moves = (f"{cell % game.columns + 1},{cell // game.columns + 1},0" for cell in kept.line)
    names = [name for name in (kept.x, kept.o) if name]
    return "\n".join([head, *moves, *(names if len(names) == 2 else ()), "-1", ""])


def read_psq(text: str) -> list[KeptGame]:
    """The game of Piskvork's file: its size, then a column, a row from the top and a time for each move."""
    head, *lines = text.strip().splitlines()
    size = re.match(r"Piskvor\w*\s+(\d{1,3})x(\d{1,3})\s*(?:,\s*[\d:]+\s*(?:,\s*(\d+))?)?", head)
    if not size:
        raise NotationError(f"{brief(head)} is not how a .psq begins: expected Piskvorky 15x15, 11:11, 0")
    game = Game(int(size[2]), int(size[1]), 5, exact=bool(int(size[3] or 0) & 1))
    moves: list[Cell] = []
    rest: list[str] = []
    for line in lines:
        found = PSQ_MOVE.fullmatch(line)
        if not found:
            rest = lines[len(moves) :]
            break
        column, row = int(found[1]) - 1, int(found[2]) - 1
        if not (0 <= column < game.columns and 0 <= row < game.rows):
            raise NotationError(f"{brief(line.strip())} is no cell of a board of {game.columns} x {game.rows}")
        moves.append(row * game.columns + column)
    if late := [line for line in rest if PSQ_MOVE.fullmatch(line)]:
        raise NotationError(f"{brief(late[0].strip())} is a move, and stands after {brief(rest[0].strip())}")
    names = [line.strip() for line in rest if not re.fullmatch(r"\s*-?\d*\s*", line)]
    about = {"x": names[0], "o": names[1]} if len(names) >= 2 else {}
    return [of_line(game.start(), moves, **about)]


# Lists of moves, and links


def write_moves(kept: KeptGame) -> str:
    """The board and the moves of the game."""
    if kept.start.marks:
        raise NotationError("a list of moves begins on the empty board: this game does not, so keep it as SGF")
    return format_record(kept.game, format_moves(kept.game, kept.line))


def read_moves(text: str) -> list[KeptGame]:
    """Games as lists of moves, one a line; numbers before the moves, and commas between them, are left out.

    >>> read_moves("3x3k3: 1. b2 a1, 2. c3")[0].line
    (4, 6, 2)
    """
    found = []
    for line in text.strip().splitlines() or [""]:
        if line.strip():
            name, colon, moves = line.partition(":")
            bare = re.sub(r"(?<![A-Za-z\d])\d+\.(?:\.\.)?\s|,", " ", f" {moves} ")
            game, cells = parse_record(f"{name}{colon}{bare}")
            found.append(of_line(game.start(), cells))
    return found or [of_line(*_nothing(text))]


def _nothing(text: str) -> tuple[Position, list[str]]:
    game, moves = parse_record(text)  # which says what was expected
    return game.start(), moves


def write_link(kept: KeptGame, address: str = ADDRESS) -> str:
    """The address in the web laboratory where the game is analysed."""
    asked = {"view": "analyse"}
    asked |= {"position": str(kept.start)} if kept.start.marks else {"game": str(kept.game)}
    asked["moves"] = ",".join(format_moves(kept.game, kept.line))
    return f"{address}?{urlencode({name: text for name, text in asked.items() if text}, safe=',:/')}\n"


def read_link(text: str) -> list[KeptGame]:
    """The game of a link.

    >>> str(read_link("http://127.0.0.1:8765/?view=analyse&game=4x4k4&moves=b2,c3")[0].game)
    '4x4k4'
    """
    query = text.strip().partition("#")[0].partition("?")[2]
    asked = {name: values[0] for name, values in parse_qs(query).items()}
    start = Position.parse(asked["position"]) if "position" in asked else Game.parse(asked.get("game", "3x3k3")).start()
    return [of_line(start, [move for move in asked.get("moves", "").split(",") if move])]


# All of them

FORMATS: dict[str, tuple[Callable[[KeptGame], str], Callable[[str], list[KeptGame]]]] = {
    "sgf": (write_sgf, read_sgf),
    "psq": (write_psq, read_psq),
    "moves": (write_moves, read_moves),
    "link": (write_link, read_link),
}


def write(kept: KeptGame, form: str) -> str:
    """A game in a format."""
    known("format", form, FORMATS, NotationError)
    return FORMATS[form][0](kept)


def read(text: str) -> list[KeptGame]:
    """The games of a text, in whichever format it is."""
    if len(text) > MAX_FILE:
        raise NotationError(f"this is too long for a game: the limit is {MAX_FILE:,} characters")
    bare = text.removeprefix("\ufeff").strip()
    form = "sgf" if bare.startswith("(") else "psq" if bare.startswith("Piskvor") else "moves"
    if re.match(r"https?://|/\?", bare):
        form = "link"
    return FORMATS[form][1](bare)


def one_of(games: Sequence[KeptGame], number: int) -> KeptGame:
    """The game of this number, from 1."""
    if not 1 <= number <= len(games):
        raise NotationError(f"there is no game {number}: the file has {len(games)}")
    return games[number - 1]


def read_file(path: Path) -> list[KeptGame]:
    """The games of a file."""
    try:
        with path.open(encoding="utf-8") as file:
            return read(file.read(MAX_FILE + 1))
    except OSError as problem:
        raise NotationError(f"{path} cannot be read: {problem.strerror}") from None
    except UnicodeDecodeError:
        raise NotationError(f"{path} is not a text file") from None
