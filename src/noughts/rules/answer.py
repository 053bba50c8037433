"""Answers: a type that answers a question says in one line which keys its JSON has, unless they are its fields.

    keys = "game position.turn value=outcome best@ @cell *verdict moves"

    name         that field or property; what is a method is called
    a.b          the b of a, under the name b
    key=a.b      the same under another name
    cells@       cells as the texts of their moves: a1
    @cell        a cell, by the four keys that name a place: move, cell, row, column
    board#       a position or a board: what draws it
    *part        the keys of that part, among these

What `--json` prints, what HTTP sends and what the reference tells of the keys are all made from that line; `kinds`
tells the type of each. A game, a position, a mark or a status is its text.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from types import GenericAlias, NoneType, UnionType
from typing import Any, ClassVar, get_args, get_origin

from noughts.rules.game import Game
from noughts.rules.notation import board_rows, column_letters, format_move, move_json
from noughts.rules.position import Position, Setup
from noughts.rules.rule import RULES

Parts = tuple[tuple[str, tuple[str, ...], str], ...]


def to_json(answer: Any, game: Game | None = None) -> dict[str, Any]:
    """An answer as JSON has it; a part that has no game of its own is about its owner's."""
    words = parts(type(answer).keys)
    game = game_of(answer, words, game)
    found: dict[str, Any] = {}
    for key, path, sign in words:
        thing = follow(answer, path)
        if sign == "*":
            found |= to_json(thing, game)
        elif sign == "@":
            assert game
            found |= move_json(game, thing)
        else:
            found[key] = plain(SHOWN[sign](thing, game) if sign else thing, game)
    return found


def game_of(answer: Any, words: Parts, game: Game | None = None) -> Any:
    """The game that an answer says it is about; else this one, or what a part of the answer says."""
    for key, path, _ in words:
        if key == "game":
            return follow(answer, path) or game
    if game is None:
        inner = (follow(answer, path) for _, path, sign in words if sign == "*")
        game = next(filter(None, (game_of(part, parts(part.keys)) for part in inner)), None)
    return game or getattr(answer, "game", None) or getattr(getattr(answer, "position", None), "game", None)


class Answer:
    """What is answered to a question: its JSON has the keys that its type says, or else one for each field."""

    __slots__ = ()
    keys: ClassVar[str]

    def __init_subclass__(cls) -> None:
        if not hasattr(cls, "keys"):
            cls.keys = " ".join(cls.__annotations__)

    to_json = to_json


@lru_cache(maxsize=256)
def parts(keys: str) -> Parts:
    """Each key with the path to what it holds and the sign that says how.

    >>> parts("value=verdict.outcome @cell best@")
    (('value', ('verdict', 'outcome'), ''), ('cell', ('cell',), '@'), ('best', ('best',), '-@'))
    """
    found = []
    for word in keys.split():
        sign = word[0] if word[0] in "*@" else f"-{word[-1]}" if word[-1] in "@#" else ""
        key, _, path = word.strip("*@#").rpartition("=")
        names = tuple(path.split("."))
        found.append((key or names[-1], names, sign))
    return tuple(found)


def follow(thing: Any, path: tuple[str, ...]) -> Any:
    """What lies at the end of a path; of nothing nothing is known."""
    for name in path:
        thing = None if thing is None else getattr(thing, name)
        if callable(thing) and not isinstance(thing, type):
            thing = thing()
    return thing


def moves(cells: Any, game: Game | None) -> Any:
    """A cell, or cells in tuples, as the texts of moves."""
    if cells is None:
        return None
    assert game
    return format_move(game, cells) if isinstance(cells, int) else [moves(each, game) for each in cells]


def plain(thing: Any, game: Game | None = None) -> Any:
    """Anything of an answer as JSON has it.

    >>> from noughts import Game
    >>> plain({3: (Game(), 0.5, None)})
    {'3': ['3x3k3', 0.5, None]}
    """
    if thing is None or isinstance(thing, str | int | float):
        return thing
    if hasattr(thing, "keys") and not isinstance(thing, Mapping):
        return to_json(thing, game)
    if isinstance(thing, Mapping):
        return {str(key): plain(each, game) for key, each in thing.items()}
    return [plain(each, game) for each in thing] if isinstance(thing, list | tuple) else str(thing)


def kinds(answer: type) -> Iterator[tuple[str, Any]]:
    """Each key of an answer and the type of what it holds, as it is declared."""
    for key, path, sign in parts(answer.keys):  # type: ignore[attr-defined]
        kind: Any = answer
        for name in path if sign != "-#" else ():
            kind = declared(kind, name)
        if sign == "-#":
            yield key, BoardPicture
        elif sign == "*":
            yield from kinds(kind)
        elif sign == "@":
            yield from {"move": MoveName, "cell": int, "row": int, "column": int}.items()
        else:
            yield key, texts(kind) if sign else kind


def declared(kind: Any, name: str) -> Any:
    """The type of a field, or of what a property or method returns; of a part that may be missing, with None."""
    from inspect import get_annotations  # long in the loading, and only the page and the reference ask

    options = [each for each in get_args(kind) if each is not NoneType]
    if options:
        found = declared(options[0], name)
        return found | None if len(options) < len(get_args(kind)) else found
    for owner in kind.__mro__:
        held, scope = vars(owner).get(name), vars(sys.modules[owner.__module__])
        function = getattr(held, "fget", None) or getattr(held, "func", None) or held
        said = get_annotations(owner).get(name)
        if said is None and hasattr(function, "__annotations__"):
            said = function.__annotations__["return"]
        if said is not None:
            said = getattr(said, "__forward_arg__", said)  # a named tuple wraps it
            found = eval(said, scope) if isinstance(said, str) else said
            return get_args(found)[0] if get_origin(found) is ClassVar else found
    raise TypeError(f"{kind.__name__} has no {name}")


class MoveName(str):
    """The type of a cell that is written as a move."""


def texts(kind: Any) -> Any:
    """The type of cells when they are written as moves."""
    if kind is int:
        return MoveName
    if get_origin(kind) in (tuple, list):
        return GenericAlias(list, texts(get_args(kind)[0]))
    if isinstance(kind, UnionType):
        return next(texts(each) for each in get_args(kind) if each is not NoneType) | None
    raise TypeError(f"{kind} is no cells")


SIZE = " ".join(f"game.{name}" for name in ("rows", "columns", "k", *RULES.values()))  # of a game, as answers tell it


class BoardPicture(Answer):
    """What draws a board: its size and rule, the marks row by row (X, O, or . for an empty cell), and its labels."""

    keys = f"{SIZE} marks column_labels row_labels"

    game: Game
    marks: str
    column_labels: list[str]
    row_labels: list[str]

    def __init__(self, board: Setup | Position, _: Game | None = None) -> None:
        self.game, self.marks = board.game, "".join(board_rows(board))
        self.column_labels = [column_letters(column) for column in range(board.game.columns)]  # below the columns
        self.row_labels = [str(row) for row in range(board.game.rows, 0, -1)]  # before the rows, from the top


SHOWN: dict[str, Callable[[Any, Game | None], Any]] = {"-@": moves, "-#": BoardPicture}
