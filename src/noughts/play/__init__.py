"""Players, their certification, and matches between them.

player                     what a player is: a function from a position to a cell
simple  rules  mcts        the algorithms: any move, by search, by exact value, by rules, by random games
levels                     five opponents for people
tactics                    what presses on a board, which rules, levels and mcts ask first
registry  by_name          players by name, and certification and matches of what a text names
certification  matches     does it never lose? how does it do against another?
consistency                does it answer alike whenever it is asked?
process  keeper            any other program: lines to it and from it, within limits, and never left behind
user_file  worker          a user's own player, in a process of its own
vector                     many boards stepped at once, for learners
classroom  gradebook       a student's file, graded function by function; a folder of them
tournament                 everybody against everybody, with ratings
puzzles                    positions with exactly one right move, one a day
record  kept               a game as a line of text; in the formats of the field, with variations
"""

from __future__ import annotations

from noughts.play.certification import Certificate, certify
from noughts.play.matches import Series, match
from noughts.play.player import CannotPlay, Chooser, Forfeit, InvalidPlayer, Player, choices
from noughts.play.registry import PLAYERS, find_player

__all__ = [
    "PLAYERS", "CannotPlay", "Certificate", "Chooser", "Forfeit", "InvalidPlayer", "Player", "Series", "certify",
    "choices", "find_player", "match",
]  # fmt: skip
