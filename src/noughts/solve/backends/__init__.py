"""Who solves games: one backend a file, one registry. Nothing else knows which there are.

native.py     the C++ core: every game that strong solving takes
python.py     its plain twin, which says what is right: small boards, slowly
"""

from __future__ import annotations

from noughts.rules.game import Game
from noughts.solve.backends.native import Native
from noughts.solve.backends.python import Backend
from noughts.solve.index import check_size
from noughts.solve.problems import InvalidSolve, TooLarge
from noughts.words import brief

BACKENDS: dict[str, Backend] = {backend.name: backend for backend in (Native(), Backend())}  # the fastest first


def usable() -> list[Backend]:
    """The backends that this machine can run, the fastest first; the last of them runs anywhere."""
    return [backend for backend in BACKENDS.values() if backend.absence() is None]


def choose(game: Game, name: str | None = None) -> Backend:
    """The backend of this name, or the fastest that takes the game; InvalidSolve or TooLarge if there is none.

    >>> choose(Game(), "python").name
    'python'
    """
    check_size(game)
    if name not in (None, *BACKENDS):
        raise InvalidSolve(f"the backend must be {' or '.join(BACKENDS)}, not {brief(name)}")
    named = [BACKENDS[name]] if name else usable()
    if absence := named[0].absence():
        raise InvalidSolve(absence)
    for backend in named:
        refusal = backend.refusal(game)
        if refusal is None:
            return backend
    raise TooLarge(refusal)
