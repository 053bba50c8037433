"""Check src/noughts/_core.pyi against the native core itself: `make stubs`.

mypy's stubtest knows a function by its type, and nanobind's have one of their own. So it is shown a stand-in: a module
with a plain function for each native one, made from the signature that nanobind keeps, which comes from the C++ types.
Names, arguments and defaults are stubtest's part; the annotations are compared here.
"""

from __future__ import annotations

import ast
import re
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

from mypy import stubtest
from record import record

import noughts._core as core

STUB = Path(__file__).resolve().parent.parent / "src" / "noughts" / "_core.pyi"


def signature(function: Any) -> str:
    """`def name(…) -> …`, as nanobind knows it, in Python's grammar."""
    (text, _, defaults), *others = function.__nb_signature__
    assert not others, f"{text} is overloaded"
    text = re.sub(r"ndarray\[[^\]]*\]", "Buffer", text).replace("collections.abc.Sequence[", "list[")
    return re.sub(r"\\(\d+)", lambda number: repr(defaults[int(number[1])]), text) + ": ..."


def stand_in() -> tuple[ModuleType, dict[str, str]]:
    """A module of plain functions, and the signature of each by its name."""
    module, signatures = ModuleType(core.__name__, core.__doc__), {}

    def twins(owner: Any, prefix: str = "") -> dict[str, Any]:
        made: dict[str, Any] = {"__module__": core.__name__, "__annotations__": {}}
        for name, member in vars(owner).items():
            if hasattr(member, "__nb_signature__"):
                signatures[prefix + name] = signature(member)
                exec(f"from __future__ import annotations\n{signatures[prefix + name]}", made)
                made[name].__module__ = core.__name__
        return {name: value for name, value in made.items() if name in vars(owner) or name == "__module__"}

    for name, member in vars(core).items():
        if type(member).__name__ == "nb_type":
            setattr(module, name, type(name, (), twins(member, f"{name}.")))
        elif not name.startswith("__"):
            setattr(module, name, member)
    for name, function in twins(core).items():
        if callable(function):
            setattr(module, name, function)
    return module, signatures


def annotations(text: str | ast.FunctionDef) -> list[str]:
    """The types of the arguments and of the result."""
    function = ast.parse(text).body[0] if isinstance(text, str) else text
    assert isinstance(function, ast.FunctionDef)
    return [
        ast.unparse(part) if part else "" for part in (*(a.annotation for a in function.args.args), function.returns)
    ]


def stubbed() -> dict[str, list[str]]:
    """The annotations in the stub, by the name of the function or Class.method."""
    found = {}
    for node in ast.parse(STUB.read_text(encoding="utf-8")).body:
        for prefix, body in (("", [node]), (f"{getattr(node, 'name', '')}.", getattr(node, "body", []))):
            found |= {prefix + each.name: annotations(each) for each in body if isinstance(each, ast.FunctionDef)}
    return found


def main() -> None:
    """Compare, complain, and keep the result."""
    module, signatures = stand_in()
    sys.modules[core.__name__] = module
    sys.argv = ["stubtest", core.__name__]
    if stubtest.main():
        sys.exit(1)
    stub, faults = stubbed(), []
    for name, text in signatures.items():
        for ours, native in zip(stub[name], annotations(text), strict=True):
            # A callback is any object to C++.
            if ours != native and not (native.startswith("object") and "Callable" in ours):
                faults.append(f"{name}: the stub says {ours}, the core {native}")
    if faults:
        sys.exit("\n".join(faults))
    print(record("stubs", f"stubtest finds no fault; {len(signatures)} native functions have the types of the stub"))


if __name__ == "__main__":
    main()
