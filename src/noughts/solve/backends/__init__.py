"""Who solves games: one backend a file, one registry. Nothing else knows which there are.

cuda.py       a GPU: boards of up to 28 cells, where marks do not fall
native.py     the C++ core: boards of up to 25 cells, 32 where marks fall
python.py     its plain twin, which says what is right: small boards, slowly
"""

from __future__ import annotations

from noughts.rules.game import Game
from noughts.solve.backends.cuda import Cuda
from noughts.solve.backends.native import Native
from noughts.solve.backends.python import Backend
from noughts.solve.index import check_size
from noughts.solve.problems import InvalidSolve, TooLarge
from noughts.words import brief

BACKENDS: dict[str, Backend] = {backend.name: backend for backend in (Cuda(), Native(), Backend())}  # the fastest first


def usable(game: Game | None = None) -> list[Backend]:
    """The backends that this machine can run and that this game, or any, gains by; the fastest first.

    The last of them runs anywhere.
    """
    return [backend for backend in BACKENDS.values() if backend.gains(game) and backend.absence() is None]


def choose(game: Game, name: str | None = None) -> Backend:
    """The backend of this name, or the fastest that takes the game; InvalidSolve or TooLarge if there is none.

    >>> choose(Game(), "python").name
    'python'
    """
    check_size(game)
    if name not in (None, *BACKENDS):
        raise InvalidSolve(f"the backend must be {' or '.join(BACKENDS)}, not {brief(name)}")
    named = [BACKENDS[name]] if name else usable(game)
    if absence := named[0].absence():
        raise InvalidSolve(absence)
    refusals = []
    for backend in named:
        refusal = backend.refusal(game)
        if refusal is None:
            return backend
        refusals.append(refusal)
    raise TooLarge(refusals[0])
