"""Certification and matches with everything given as text, as the commands get it.

rules, alphabeta:4, mcts:2000      a player of ours (`registry`)
path/to/file.py:function           a player of the user's, run in a process of its own (`user_file`)
path/to/file.py                    a classroom file (`classroom`)
bot:COMMAND, http://HOST/PATH      a bot in any language, a program or behind an address (`bot`)
gomocup:COMMAND                    an engine that speaks the Gomocup protocol (`gomocup`)
"""

from __future__ import annotations

import re
from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import Any

from noughts.play import certification, classroom, matches
from noughts.play.bot import Bot, bot_player, is_bot
from noughts.play.certification import Certificate
from noughts.play.classroom import Report
from noughts.play.gomocup import GomocupEngine, GomocupPlayer, is_gomocup
from noughts.play.matches import GameDone, Maker, Moved, Series
from noughts.play.player import InvalidPlayer
from noughts.play.registry import PLAYERS, find_player
from noughts.play.user_file import TIME_LIMIT, UserFile, UserPlayer
from noughts.progress import Progress, finish
from noughts.rules.game import Game
from noughts.words import brief


def certify(player: str, **options: Any) -> Certificate | Report:
    """The certificate of a player, or the report on a classroom file; `certifying` has the options.

    >>> certify("rules-as-printed").o.never_loses
    False
    """
    return finish(certifying(player, **options))


def certifying(
    player: str, *, game: str = "3x3k3", seed: int = 0, limit: int = certification.LIMIT,
    time_limit: float = TIME_LIMIT, total_limit: float = classroom.TOTAL_LIMIT, partly: bool = False,
) -> Generator[Progress, None, Certificate | Report]:  # fmt: skip
    """Certify a player or grade a classroom file, and tell how far it is; `partly`: even if it lacks functions."""
    board = Game.parse(game)
    path, function = split(player)
    if partly and (function or not path):
        raise InvalidPlayer(f"--classroom grades a file, as in path/to/file.py, not {brief(player)}")
    if path and not function:
        if board != Game():
            raise InvalidPlayer(f"a classroom file is about 3x3k3, not {board}")
        return (yield from classroom.grading(path, time_limit=time_limit, total_limit=total_limit, partly=partly))
    with maker(player, time_limit) as make:
        made = make(seed)
        found = yield from certification.certifying(made, board, limit=limit)
        if isinstance(made, UserPlayer):
            return replace(found, printed=made.file.printed, first_print=made.file.first_print)
    return found


def match(a: str, b: str, **options: Any) -> Series:
    """A series between two players; `matching` has the options.

    >>> match("perfect", "level-1", games=20).all.losses
    0
    """
    return finish(matching(a, b, **options))


def matching(
    a: str, b: str, *, games: int = 100, game: str = "3x3k3", seed: int = 0, time_limit: float = TIME_LIMIT,
    opening: str = "free",
) -> Generator[Moved | GameDone, None, Series]:  # fmt: skip
    """Play a series between two players, and tell each move and each game."""
    board = Game.parse(game)
    with maker(a, time_limit) as first, maker(b, time_limit) as second:
        return (yield from matches.matching(first, second, games, board, seed=seed, opening=opening))


def split(text: str) -> tuple[str, str]:
    """The path and the function of a text that names a user's file, empty where there are none.

    >>> split("mine.py:best"), split("mine.py"), split("alphabeta:4")
    (('mine.py', 'best'), ('mine.py', ''), ('', ''))
    """
    if is_bot(text) or is_gomocup(text):
        return "", ""
    path, _, function = text.rpartition(":")
    if path.endswith(".py"):
        return path, function
    return (text, "") if text.endswith(".py") else ("", "")


def offered(texts: Iterable[str]) -> dict[str, str]:
    """Players of the user's by the names that they are offered under, each tried once; a text is NAME=PLAYER.

    >>> offered(["perfect=bot:cat"])
    Traceback (most recent call last):
    noughts.play.player.InvalidPlayer: 'perfect' is a player of noughts already: give yours another name
    """
    found: dict[str, str] = {}
    for text in texts:
        name, equals, player = text.partition("=")
        if not equals or not re.fullmatch(r"[a-z][a-z0-9-]{0,39}", name):
            raise InvalidPlayer(
                f"{brief(text)} offers nobody: expected a name of small letters, digits and hyphens, and the player, "
                "as in mine=bot:COMMAND"
            )
        if name in PLAYERS or name in found:
            whose = "of noughts already" if name in PLAYERS else "on offer already"
            raise InvalidPlayer(f"{brief(name)} is a player {whose}: give yours another name")
        with maker(player):
            found[name] = player
    return found


@contextmanager
def maker(text: str, time_limit: float = TIME_LIMIT) -> Iterator[Maker]:
    """What makes the named player from a seed; a program of the user's ends with the `with` statement."""
    if is_bot(text):
        with Bot(text, time_limit) as bot:
            yield partial(bot_player, bot)
        return
    if is_gomocup(text):
        with GomocupEngine(text, time_limit) as engine:
            yield partial(GomocupPlayer, engine)
        return
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
