"""Kaggle: any player as an agent, f(observation, configuration), and a submission that has noughts in it.

    connectx                the answer is a column; marks fall, on a board of any size with any number in a row
    OpenSpiel's games       the answer is {"submission": action}; the first call comes before there is a board

    agent("level-5")                                    for kaggle_environments: env.run([agent("level-5"), "random"])
    write_submission("submission.tar.gz", "level-5")    main.py, and noughts beside it

An observation that is none of these raises, as an agent does that has no answer: Kaggle calls that an error, and its
game is lost. Nothing of Kaggle's is needed to make agents and submissions, only to play real episodes.
"""

from __future__ import annotations

import gzip
import io
import os
import re
import tarfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from noughts import native
from noughts.bridges.spiel import read_game
from noughts.files import check_target, writing
from noughts.play.player import InvalidPlayer, Player, describe
from noughts.play.registry import find_player
from noughts.rules.game import Game
from noughts.rules.position import Position
from noughts.words import brief

Agent = Callable[[Mapping[str, Any], Mapping[str, Any]], Any]

NOTHING = {"submission": -1}  # the answer to the call before there is a board
PACKAGE = Path(__file__).parents[1]
LEFT_OUT = ("web", "cli", "lab", "__pycache__")  # folders of noughts that no player needs

MAIN = '''"""The player {player} of noughts as an agent for Kaggle."""

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath((lambda: 0).__code__.co_filename)))
from noughts import native
from noughts.bridges import kaggle

try:
    native.core()
except ImportError:  # it was made for another system: its twins in Python play, slowly
    os.environ["NOUGHTS_NATIVE"] = "0"

play = kaggle.agent({player!r}, seed={seed})


def agent(observation, configuration):
    return play(observation, configuration)
'''


class BadObservation(ValueError):
    """An observation that is none of Kaggle's, or of a game that is not ours."""


def agent(player: Player | str, seed: int = 0) -> Agent:
    """A player, or the one of this name, as an agent.

    >>> play = agent("perfect")
    >>> play({"board": [0, 0, 0, 2, 2, 0, 1, 1, 0], "mark": 1}, {"rows": 3, "columns": 3, "inarow": 3})
    2
    """
    found = find_player(player, seed) if isinstance(player, str) else player

    def answer(observation: Mapping[str, Any], configuration: Mapping[str, Any]) -> Any:
        if "inarow" in configuration:
            position = read_board(observation, configuration)
            return position.game.rule.action_of(found(position))
        if "openSpielGameName" not in configuration:
            raise BadObservation(
                "this is neither connectx nor a game of OpenSpiel: expected inarow or openSpielGameName"
            )
        if not observation.get("serializedGameAndState"):
            return dict(NOTHING)
        position = read_state(observation["serializedGameAndState"])
        return {"submission": position.game.rule.action_of(found(position))}

    answer.__name__ = f"agent_{re.sub(r'[^a-z0-9]+', '_', describe(found))}"
    return answer


def read_board(observation: Mapping[str, Any], configuration: Mapping[str, Any]) -> Position:
    """The position of connectx: a list of 0 (free), 1 and 2, from the top left."""
    try:
        game = Game(configuration["rows"], configuration["columns"], configuration["inarow"], gravity=True)
        board = list(observation["board"])
        if len(board) != game.cells or set(board) - {0, 1, 2}:
            raise BadObservation(f"the board should have {game.cells} numbers from 0 to 2, not {brief(board)}")
        x, o = (sum(1 << cell for cell, found in enumerate(board) if found == mark) for mark in (1, 2))
        position = Position(game, x, o)
    except KeyError as missing:
        raise BadObservation(f"there is no {missing.args[0]} in this observation of connectx") from None
    if "XO".index(str(position.turn)) + 1 != observation.get("mark", 1):
        raise BadObservation(f"it is not the turn of mark {brief(observation['mark'])} in {position}")
    return position


def read_state(text: str) -> Position:
    r"""The position of a state that OpenSpiel has written, together with its game.

    >>> str(read_state("[Game]\ntic_tac_toe()\n[State]\n4\n0\n"))
    'O../.X./...'
    >>> str(read_state("[Game]\nconnect_four_proxy(columns=7,rows=6,x_in_row=4)\n[State]\nhistory=0:3,1:3\n"))
    '6x7k4g:......./......./......./......./...O.../...X...'
    """
    found = re.search(r"^\[Game\]\n(.*)\n\[State\]\n([\s\S]*)", text, re.MULTILINE)
    if not found:
        raise BadObservation(f"{brief(text)} is not a game and a state of OpenSpiel")
    position = read_game(found[1]).start()
    for action in _history(found[2]):
        cell = position.game.rule.cell_of(action, position.playable)
        if cell is None:
            raise BadObservation(f"{action} is no legal action in {position}")
        position = position.play(cell)
    return position


def _history(text: str) -> list[int]:
    """The actions of a state: one a line, or of games in Python a line of players and actions."""
    pairs = re.search(r"^history=(.*)$", text, re.MULTILINE)
    words = [pair.rpartition(":")[2] for pair in pairs[1].split(",")] if pairs else text.split()
    try:
        return [int(word) for word in words if word]
    except ValueError:
        raise BadObservation(f"{brief(text)} is not a list of actions") from None


# Submissions


def write_submission(path: str | os.PathLike[str], player: str, seed: int = 0) -> None:
    """Write the archive that Kaggle takes: main.py with the agent, noughts, and its native core if there is one."""
    if not str(path).endswith(".tar.gz"):
        raise InvalidPlayer(f"{brief(os.fspath(path))} is no name for a submission: expected one that ends in .tar.gz")
    check_target(Path(path))
    find_player(player, seed)  # refuses what is no player
    packed = io.BytesIO()
    with (
        gzip.GzipFile(fileobj=packed, mode="wb", mtime=0) as zipped,
        tarfile.TarFile(fileobj=zipped, mode="w") as archive,
    ):
        _add(archive, "main.py", MAIN.format(player=player, seed=seed).encode())
        for file in sorted(PACKAGE.rglob("*")):
            inside = file.relative_to(PACKAGE)
            if file.is_file() and not set(inside.parts) & set(LEFT_OUT):
                _add(archive, f"noughts/{inside.as_posix()}", file.read_bytes())
        where = Path(getattr(native.core(), "__file__", PACKAGE / "none"))
        if where.parent != PACKAGE:  # in an editable installation it is elsewhere
            _add(archive, f"noughts/{where.name}", where.read_bytes())
    with writing(path) as target:
        target.buffer.write(packed.getvalue())


def _add(archive: tarfile.TarFile, name: str, data: bytes) -> None:
    """A file of an archive, the same whenever it is made."""
    entry = tarfile.TarInfo(name)
    entry.size = len(data)
    entry.mode = 0o644
    archive.addfile(entry, io.BytesIO(data))
