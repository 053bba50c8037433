"""What this installation has: version, native core or fallback, CPU features, GPU, extras, cache folder."""

from __future__ import annotations

import os
import platform
import sys
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

from noughts import native
from noughts.lab.machine import installed
from noughts.rules.answer import Answer
from noughts.solve.backends import BACKENDS
from noughts.solve.backends.cuda import Gpu, gpu
from noughts.solve.cache import cache_folder, cache_limit, games
from noughts.solve.machine import InvalidSize

EXTRAS = {  # as pyproject.toml has them
    "batch": ["numpy"],
    "web": ["fastapi", "uvicorn", "segno"],
    "plots": ["matplotlib"],
    "db": ["backports.zstd"] if sys.version_info < (3, 14) else [],
    "envs": ["gymnasium", "pettingzoo", "pygame-ce"],
    "parquet": ["pyarrow"],
    "cuda": ["cupy"],
    "cluster": ["dask", "distributed", "fsspec"],
}
NAMES = {"cupy": ["cupy", "cupy-cuda13x", "cupy-cuda12x"]}  # of packages that come under several: one for each CUDA
WITH_THEM = {  # what these bring, and we import
    "web": ["anyio", "h11", "pydantic", "pydantic_core", "starlette"],
    "envs": ["pygame"],
    "cuda": ["cupyx"],
}


def bringing(module: str) -> str | None:
    """The extra that brings a module, if one does.

    >>> bringing("matplotlib.figure"), bringing("h11"), bringing("nonsense")
    ('plots', 'web', None)
    """
    top = module.partition(".")[0]
    for name, packages in EXTRAS.items():
        if top in {package.partition(".")[0] for package in (*packages, *WITH_THEM.get(name, []))}:
            return name
    return None


@dataclass(frozen=True)
class Installation(Answer):
    """What this installation has: the facts that a report of a problem should carry."""

    version: str
    python: str
    platform: str
    native: bool
    native_status: str
    backends: dict[str, str | None]
    cpu: list[str]
    gpu: Gpu | None
    extras: dict[str, dict[str, str | None]]
    cache: Path
    cache_games: int
    cache_bytes: int
    cache_limit: int | None
    cache_problem: str | None


def examine() -> Installation:
    """What is installed here, and where solved games are kept.

    >>> examine().backends["python"] is None, list(examine().extras)
    (True, ['batch', 'web', 'plots', 'db', 'envs', 'parquet', 'cuda', 'cluster'])
    """
    core, cached = native.core(), games()
    backends = {name: backend.absence() for name, backend in BACKENDS.items()}
    try:
        limit = cache_limit()
        problem = unusable(cache_folder())
    except InvalidSize as refusal:
        limit, problem = None, str(refusal)
    return Installation(
        version=version("noughts"),
        python=platform.python_version(),
        platform=f"{platform.system()} {platform.machine()}",
        native=core is not None,
        native_status=native.status(),
        backends=backends,
        cpu=core.cpu_features() if core else [],
        gpu=None if backends["cuda"] else gpu(),
        extras={name: {package: _installed(package) for package in packages} for name, packages in EXTRAS.items()},
        cache=cache_folder(),
        cache_games=len(cached),
        cache_bytes=sum(game.size for game in cached),
        cache_limit=limit,
        cache_problem=problem,
    )


def _installed(package: str) -> str | None:
    """The version of a package, under whatever name it came."""
    return next(filter(None, map(installed, NAMES.get(package, [package]))), None)


def unusable(folder: Path) -> str | None:
    """Why nothing can be written to a folder that need not be there yet; None if something can."""
    place = next((place for place in (folder, *folder.parents) if os.path.lexists(place)), folder)
    if not place.is_dir():
        return f"{place} is not a folder"
    return None if os.access(place, os.W_OK) else f"{place} may not be written"
