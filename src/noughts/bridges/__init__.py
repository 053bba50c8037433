"""Bridges: noughts in other people's interfaces, one file each. Nothing of the others is loaded before it is asked for.

A further bridge is a file here and a line in `BRIDGES`, with the versions of the other side that it was tested with.
Its file begins with `require("name")`: where the other side is missing, or older than the oldest of these, that refuses
it in a sentence.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from types import ModuleType

from noughts.words import known, listing


class NoBridge(ImportError):
    """The other side is missing, or too old."""


class UnknownBridge(ValueError):
    """There is no bridge of this name."""


@dataclass(frozen=True)
class Bridge:
    """What a file of this folder connects noughts with; without a package there is nothing to install."""

    title: str
    package: str = ""
    tested: tuple[str, ...] = ()  # versions of the package, the oldest first
    modules: tuple[str, ...] = ()  # what is imported of it
    install: str = ""  # what brings it, if that is not the package alone


BRIDGES: dict[str, Bridge] = {
    "uwapi": Bridge("GamesCrafters' UWAPI: a data provider for their page"),
    "kaggle": Bridge("Kaggle: players as agents, and submissions", "kaggle_environments", ("1.33.2",)),
    "pettingzoo": Bridge(
        "PettingZoo: two agents who take turns",
        "pettingzoo",
        ("1.27.0",),
        ("gymnasium", "numpy", "pettingzoo"),
        "noughts[envs]",
    ),
    "gymnasium": Bridge(
        "Gymnasium: one learner against a player, or thousands of boards at once",
        "gymnasium",
        ("1.2.2", "1.4.0"),
        ("gymnasium", "numpy"),
        "noughts[envs]",
    ),
    "openspiel": Bridge("OpenSpiel: games, bots and policies", "open_spiel", ("2.0.2",), ("open_spiel", "pyspiel")),
}


def load(name: str) -> ModuleType:
    """The bridge of this name, with what it needs.

    >>> load("openspeil")
    Traceback (most recent call last):
    noughts.bridges.UnknownBridge: there is no bridge 'openspeil': did you mean openspiel?
    """
    known("bridge", name, BRIDGES, UnknownBridge)
    return import_module(f"{__name__}.{name}")


def require(name: str) -> None:
    """Raise NoBridge where the package that a bridge needs is missing or older than all that it was tested with."""
    bridge = BRIDGES[name]
    wanted = f"{bridge.package} {bridge.tested[0]} or newer (tested with {listing(bridge.tested)})"
    how = f"pip install '{bridge.install or f'{bridge.package}>={bridge.tested[0]}'}'"
    try:
        found = version(bridge.package)
    except PackageNotFoundError:
        raise NoBridge(f"the bridge {name} needs {wanted}: {how}", name=bridge.package) from None
    if numbers(found) < numbers(bridge.tested[0]):
        raise NoBridge(f"the bridge {name} needs {wanted}, and this is {found}: {how}", name=bridge.package)


def numbers(text: str) -> tuple[int, ...]:
    """A version as numbers that can be compared: those before the first letter.

    >>> numbers("2.0.2"), numbers("1.4rc1") < numbers("1.10")
    ((2, 0, 2), True)
    """
    leading = re.match(r"[0-9.]*", text)
    return tuple(int(part) for part in (leading[0] if leading else "").split(".") if part)
