"""The games of OpenSpiel that are games of noughts, by name and parameters; OpenSpiel itself is not needed for that."""

from __future__ import annotations

import re
from typing import Any

from noughts.play.player import CannotPlay
from noughts.rules.game import Game
from noughts.words import brief

NAME = "noughts"  # under which our own games are registered there

USUAL: dict[str, dict[str, Any]] = {  # what its games take for granted
    NAME: {"game": "3x3k3"},
    "tic_tac_toe": {},
    "mnk": {"m": 15, "n": 15, "k": 5},
    "gomoku": {"size": 15, "connect": 5, "dims": 2, "wrap": False, "anti": False},
    "connect_four": {"rows": 6, "columns": 7, "x_in_row": 4},
}


def game_named(name: str, parameters: dict[str, Any]) -> Game:
    """The game of noughts that a game of OpenSpiel is; CannotPlay if it is none.

    >>> str(game_named("mnk", {"m": 5, "n": 4, "k": 3})), str(game_named("connect_four", {}))
    ('4x5k3', '6x7k4g')
    """
    given = USUAL.get(name, {}) | parameters
    if name == NAME:
        return Game.parse(str(given["game"]))
    if name == "tic_tac_toe":
        return Game()
    if name == "mnk":
        return Game(given["n"], given["m"], given["k"])  # there m is the number of columns
    if name == "connect_four":
        return Game(given["rows"], given["columns"], given["x_in_row"], gravity=True)
    if name == "gomoku" and given["dims"] == 2 and not given["wrap"]:
        return Game(given["size"], given["size"], given["connect"], misere=given["anti"])
    raise CannotPlay(f"{brief(name)} of OpenSpiel, with {brief(parameters)}, is no game of noughts")


def read_game(text: str) -> Game:
    """The game of a text such as OpenSpiel writes.

    >>> str(read_game("mnk(k=3,m=5,n=4)")), str(read_game("noughts(game=3x3k3m)")), str(read_game("tic_tac_toe()"))
    ('4x5k3', '3x3k3m', '3x3k3')
    """
    found = re.fullmatch(r"(\w+?)(?:_proxy)?(?:\((.*)\))?", text)
    if not found:
        raise CannotPlay(
            f"{brief(text)} is no game of OpenSpiel: expected a name and parameters, as in mnk(m=3,n=3,k=3)"
        )
    pairs = [part.split("=", 1) for part in (found[2] or "").split(",") if "=" in part]
    return game_named(found[1], {name: _value(value) for name, value in pairs})


def _value(text: str) -> Any:
    if text in ("True", "False"):
        return text == "True"
    return int(text) if re.fullmatch(r"-?\d{1,9}", text) else text
