"""Players, their certification, and matches between them."""

from __future__ import annotations

from noughts.play.certification import Certificate, certify
from noughts.play.matches import Series, match
from noughts.play.player import CannotPlay, Chooser, Forfeit, InvalidPlayer, Player, choices
from noughts.play.registry import PLAYERS, find_player

__all__ = [
    "PLAYERS",
    "CannotPlay",
    "Certificate",
    "Chooser",
    "Forfeit",
    "InvalidPlayer",
    "Player",
    "Series",
    "certify",
    "choices",
    "find_player",
    "match",
]
