"""What this installation has: version, native core or fallback, CPU features, extras, cache folder."""

from __future__ import annotations

import os
import platform
import sys
from importlib.metadata import version
from pathlib import Path
from typing import Any

from noughts import native
from noughts.lab.machine import installed
from noughts.solve.backends import BACKENDS
from noughts.solve.cache import cache_folder, cache_limit, games
from noughts.solve.machine import InvalidSize

EXTRAS = {  # as pyproject.toml has them
    "batch": ["numpy"],
    "web": ["fastapi", "uvicorn"],
    "plots": ["matplotlib"],
    "db": ["backports.zstd"] if sys.version_info < (3, 14) else [],
}
WITH_THEM = {"web": ["anyio", "h11", "pydantic", "pydantic_core", "starlette"]}  # what these bring, and we import


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


def examine() -> dict[str, Any]:
    """The facts that a report of a problem should carry.

    >>> [name for name in sorted(examine()) if not name.startswith("cache")]
    ['backends', 'cpu', 'extras', 'native', 'native_status', 'platform', 'python', 'version']
    """
    core, cached = native.core(), games()
    try:
        limit = cache_limit()
        problem = unusable(cache_folder())
    except InvalidSize as refusal:
        limit, problem = None, str(refusal)
    return {
        "version": version("noughts"),
        "python": platform.python_version(),
        "platform": f"{platform.system()} {platform.machine()}",
        "native": core is not None,
        "native_status": native.status(),
        "backends": {name: backend.absence() for name, backend in BACKENDS.items()},
        "cpu": core.cpu_features() if core else [],
        "extras": {name: {package: installed(package) for package in packages} for name, packages in EXTRAS.items()},
        "cache": str(cache_folder()),
        "cache_games": len(cached),
        "cache_bytes": sum(game.size for game in cached),
        "cache_limit": limit,
        "cache_problem": problem,
    }


def unusable(folder: Path) -> str | None:
    """Why nothing can be written to a folder that need not be there yet; None if something can."""
    place = next((place for place in (folder, *folder.parents) if os.path.lexists(place)), folder)
    if not place.is_dir():
        return f"{place} is not a folder"
    return None if os.access(place, os.W_OK) else f"{place} may not be written"
