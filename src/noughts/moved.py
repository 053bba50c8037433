"""Names that were elsewhere before 0.2: still found there, with a DeprecationWarning that names the new place.

    from noughts.position import Position      finds noughts.rules.position.Position

A module of MODULES is made when it is asked for; NAMES are called otherwise now, or left a module that is still there.
"""

from __future__ import annotations

import warnings
from importlib import import_module
from importlib.abc import Loader
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

# Where the names of a module that is gone are now: the first of these that has one.
MODULES = {
    "batch": "rules.batch",
    "encoding": "rules.encoding",
    "game": "rules.game words",
    "legality": "rules.legality",
    "notation": "rules.notation words",
    "perft": "rules.perft",
    "playout": "rules.playouts",
    "position": "rules.position rules.marks",
    "symmetry": "rules.symmetry",
    "detect.steps": "detect.watching",
    "lab.prajoda": "lab.scenarios",
    "lab.words": "words",
    "play.named": "play.by_name",
    "play.outside": "play.user_file",
    "search.branch": "search.record rules.value",
    "search.compare": "search.comparison",
    "search.front": "search.dispatch",
    "search.root": "search.result",
    "solve.database": "solve.solution",
    "solve.known": "solve.at_hand",
    "solve.shallow": "proofs explain threats",
}
# Names that are now elsewhere or called otherwise.
NAMES = {
    "explain": {name: f"account.{name}" for name in ("Judgement", "TooLong", "review")},
    "lab.bench": {"Options": "lab.bench.BenchOptions"},
    "lab.judge": {"Verdict": "lab.judge.Accuracy"},
    "lab.papers": {"Verdict": "lab.papers.Ruling"},
    "lab.papers.claim": {"Verdict": "lab.papers.claim.Ruling"},
    "position": {"Board": "rules.position.Setup"},
    "solve": {
        **{name: f"rules.value.{name}" for name in ("Outcome", "Value")},
        **{name: f"proofs.{name}" for name in ("best_moves", "move_values", "value")},
        "refutations": "explain.refutations",
    },
    "solve.strong": {"LevelDone": "solve.job.LevelDone"},
}


def find(module: str, name: str) -> Any:
    """What was `module.name` before 0.2, with a warning to whoever asks; or AttributeError."""
    old = module.removeprefix("noughts.")
    same = [f"{home}.{name}" for home in MODULES.get(old, "").split()]
    for place in [NAMES[old][name]] if name in NAMES.get(old, {}) else same:
        home, _, new = place.rpartition(".")
        if not name.startswith("_") and hasattr(found := import_module(f"noughts.{home}"), new):
            text = f"{module}.{name} is noughts.{place} since noughts 0.2"
            warnings.warn(text, DeprecationWarning, stacklevel=3)
            return getattr(found, new)
    raise AttributeError(f"module {module!r} has no attribute {name!r}")


class MovedModule(ModuleType):
    """A module that only knows where its names went; where a function has its name, too, it can be called as that."""

    def __getattr__(self, name: str) -> Any:
        return find(self.__name__, name)

    def __call__(self, *given: Any, **named: Any) -> Any:
        """Importing noughts.perft puts it where noughts has the function perft."""
        old = self.__name__.removeprefix("noughts.")
        return getattr(import_module(f"noughts.{MODULES[old]}"), old.rpartition(".")[2])(*given, **named)


class Forwarding(Loader):
    """Makes a module that is gone."""

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        """One that asks `find` for every name."""
        return MovedModule(spec.name, f"Moved in noughts 0.2: see noughts.moved for the names of {spec.name}.")

    def exec_module(self, module: ModuleType) -> None:
        """There is nothing to run."""


def spec(module: str) -> ModuleSpec | None:
    """How to make this module, if it is one of those that are gone."""
    return ModuleSpec(module, Forwarding()) if module.removeprefix("noughts.") in MODULES else None
