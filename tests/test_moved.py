"""Whoever wrote for 0.1 is told where its names are now."""

from __future__ import annotations

import warnings
from importlib import import_module
from pathlib import Path

import pytest

import noughts.search
from noughts.moved import MODULES, NAMES

HERE = Path(__file__).parent
OLD = [tuple(line.split()) for line in (HERE / "golden" / "names-0.1.txt").read_text(encoding="utf-8").splitlines()]


def moved() -> str:
    """What the changelog says of names that are gone."""
    log = (HERE.parent / "CHANGELOG.md").read_text(encoding="utf-8")
    return log.split("### Moved\n")[1].split("\n### ")[0]


def there(module: str, name: str) -> bool:
    """Whether it can still be imported."""
    try:
        return hasattr(import_module(module), name)
    except ModuleNotFoundError:
        return False


def test_every_name_of_the_first_version_is_found_or_named_in_the_changelog() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        lost = [f"{module}.{name}" for module, name in OLD if not there(module, name)]
    assert [name for name in lost if f"`{name}`" not in moved()] == []


@pytest.mark.parametrize("module", MODULES)
def test_a_module_that_moved_warns_and_gives_what_is_at_its_new_place(module: str) -> None:
    names = [name for old, name in OLD if old == f"noughts.{module}" and name not in NAMES.get(module, {})]
    homes = [import_module(f"noughts.{home}") for home in MODULES[module].split()]
    found = {name: home for name in names for home in homes[::-1] if hasattr(home, name)}
    assert found
    for name, home in found.items():
        with pytest.warns(DeprecationWarning, match=rf"^noughts\.{module}\.{name} is {home.__name__}\.{name} since"):
            assert getattr(import_module(f"noughts.{module}"), name) is getattr(home, name)
    assert f"`noughts.{module}`" in moved()


@pytest.mark.parametrize(("module", "name"), [(module, name) for module, names in NAMES.items() for name in names])
def test_a_name_that_moved_warns_and_gives_what_is_at_its_new_place(module: str, name: str) -> None:
    home, _, new = NAMES[module][name].rpartition(".")
    with pytest.warns(DeprecationWarning, match=f"is noughts.{home}.{new} since"):
        assert getattr(import_module(f"noughts.{module}"), name) is getattr(import_module(f"noughts.{home}"), new)


def test_a_module_that_moved_takes_no_function_away() -> None:
    """Both have a module of 0.1 with the name of a function that is still there."""
    for module in MODULES:
        import_module(f"noughts.{module}")
    assert noughts.perft(noughts.Game().start(), 2) == 72
    assert noughts.search.compare(noughts.Position.parse("XOX/OXO/...")).ways
    taken = [name for name in MODULES if name.rpartition(".")[2] in public(name)]
    assert taken == ["perft", "search.compare"]


def public(module: str) -> list[str]:
    """The public names of the package that a module was in."""
    return getattr(import_module(f"noughts.{module}".rpartition(".")[0]), "__all__", [])


@pytest.mark.parametrize("module", ["noughts.position", "noughts.solve", "noughts.explain"])
def test_what_never_was_is_not_found(module: str) -> None:
    with pytest.raises(AttributeError, match=f"module '{module}' has no attribute 'nothing'"):
        _ = import_module(module).nothing
    with pytest.raises(ModuleNotFoundError):
        import_module("noughts.nothing")
