"""Certification and matches with everything given as text, as the commands get it.

rules, alphabeta:4, mcts:2000      a player of ours (`registry`)
path/to/file.py:function           a player of the user's, run in a process of its own (`outside`)
path/to/file.py                    a classroom file (`classroom`)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from time import monotonic

from noughts.play.certification import LIMIT, Certificate
from noughts.play.certification import certify as certify_player
from noughts.play.classroom import TOTAL_LIMIT, Report, grade
from noughts.play.matches import Maker, Series
from noughts.play.matches import match as play_match
from noughts.play.outside import TIME_LIMIT, UserFile, UserPlayer
from noughts.play.player import InvalidPlayer
from noughts.play.registry import find_player
from noughts.rules.game import Cell, Game
from noughts.rules.position import Position
from noughts.words import about, brief

SURE = 0.5  # seconds after which a pace says something
LONG = 10.0  # seconds that are worth a warning

Say = Callable[[str], None]  # is told, now and then, how far it is


def certify(
    player: str,
    *,
    game: str = "3x3k3",
    seed: int = 0,
    limit: int = LIMIT,
    time_limit: float = TIME_LIMIT,
    total_limit: float = TOTAL_LIMIT,
    classroom: bool = False,
    say: Say = lambda text: None,
) -> Certificate | Report:
    """The certificate of a player, or the report on a classroom file.

    >>> certify("rules-as-printed").o.never_loses
    False
    """
    board = Game.parse(game)
    path, function = split(player)
    if classroom and (function or not path):
        raise InvalidPlayer(f"--classroom grades a file, as in path/to/file.py, not {brief(player)}")
    if path and not function:
        if board != Game():
            raise InvalidPlayer(f"a classroom file is about 3x3k3, not {board}")
        return grade(
            path,
            time_limit=time_limit,
            total_limit=total_limit,
            partly=classroom,
            progress=lambda name, asked, of: say(f"{name}: {asked:,} of {of:,}"),
        )
    with maker(player, time_limit) as make:
        made = make(seed)
        found = certify_player(
            made,
            board,
            limit=limit,
            progress=lambda text: say(f"{player} {text}"),
        )
        if isinstance(made, UserPlayer):
            return replace(found, printed=made.file.printed, first_print=made.file.first_print)
    return found


def match(
    a: str,
    b: str,
    *,
    games: int = 100,
    game: str = "3x3k3",
    seed: int = 0,
    time_limit: float = TIME_LIMIT,
    say: Say = lambda text: None,
) -> Series:
    """A series between two players.

    >>> match("perfect", "level-1", games=20).all.losses
    0
    """
    board, number, played, begun = Game.parse(game), 0, 0, monotonic()

    def tell(position: Position, cell: Cell) -> None:
        nonlocal number, played
        number += not position.marks  # a move on the empty board begins another game
        played += 1
        move, seconds = position.marks + 1, monotonic() - begun
        left = pace(seconds, played, (games - number + 1) * board.cells - move)
        say(f"game {number:,} of {games:,}, move {move:,} of at most {board.cells:,}{left}")

    with maker(a, time_limit) as first, maker(b, time_limit) as second:
        return play_match(first, second, games, board, seed=seed, watch=tell)


def pace(seconds: float, played: int, left: int) -> str:
    """How much longer a match may take of which so many moves are played, and at most so many left, where that is long.

    >>> pace(3.0, 100, 65_436), pace(3.0, 100, 20)
    (': at most 33 min more at this pace', '')
    """
    more = seconds / played * left
    return f": at most {about(more)} more at this pace" if seconds >= SURE and more >= LONG else ""


def split(text: str) -> tuple[str, str]:
    """The path and the function of a text that names a user's file, empty where there are none.

    >>> split("mine.py:best"), split("mine.py"), split("alphabeta:4")
    (('mine.py', 'best'), ('mine.py', ''), ('', ''))
    """
    path, _, function = text.rpartition(":")
    if path.endswith(".py"):
        return path, function
    return (text, "") if text.endswith(".py") else ("", "")


@contextmanager
def maker(text: str, time_limit: float = TIME_LIMIT) -> Iterator[Maker]:
    """What makes the named player from a seed; a user's process ends with the `with` statement."""
    path, function = split(text)
    if not path:
        find_player(text)  # refuses what is no player
        yield partial(find_player, text)
        return
    if not function:
        raise InvalidPlayer(f"{brief(text)} names no function: give it as {text}:function")
    with UserFile(path, time_limit) as file:
        player = UserPlayer(file, function)
        yield lambda seed: player
