"""noughts doctor: what this installation has."""

from __future__ import annotations

from noughts.cli.kit import answer, query, say
from noughts.doctor import Installation, examine
from noughts.words import several, size


@query
def run() -> None:
    """Show the version, the native core, CPU features, the GPU, extras and the cache folder."""
    answer(examine(), show)


def _gpu(found: Installation) -> str:
    """The GPU that solves, or what is missing for one."""
    gpu = found.gpu
    if gpu is None:
        return f"none in use: {found.backends['cuda']}"
    return (
        f"{gpu.name}, {size(gpu.memory)} of memory, {size(gpu.free)} free; "
        f"CUDA {gpu.cuda} by CuPy {gpu.cupy}, {gpu.driver} by the driver"
    )


def show(found: Installation) -> None:
    """Print what there is, a line each."""
    shown = {
        "noughts": found.version,
        "Python": f"{found.python} on {found.platform}",
        "core": found.native_status,
        "CPU": ", ".join(found.cpu) or "no features in use",
        "GPU": _gpu(found),
        "backends": ", ".join(name for name, absence in found.backends.items() if not absence),
    }
    for name, packages in found.extras.items():
        there = ", ".join(f"{package} {installed}" for package, installed in packages.items() if installed)
        missing = ", ".join(package for package, installed in packages.items() if not installed)
        shown[name] = f"missing {missing}: pip install noughts[{name}]" if missing else there or "part of Python"
    limit = f"of at most {size(found.cache_limit)}" if found.cache_limit else "(switched off)"
    if found.cache_problem:
        limit = f"({found.cache_problem})"
    held = f"{several(found.cache_games, 'game')}, {size(found.cache_bytes)}"
    shown["cache"] = f"{found.cache}: {held} {limit}"
    for name, fact in shown.items():
        say(fact, lead=f"{name:<9} ")
