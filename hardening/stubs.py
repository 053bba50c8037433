"""Check src/noughts/_core.pyi against the native core itself: `make stubs`.

mypy's stubtest knows a function by its type, and nanobind's have one of their own. So it is shown a stand-in: a module
with a plain function for each native one, made from the signature that nanobind keeps, which comes from the C++ types.
Names, arguments and defaults are stubtest's part; annotations and the bases of classes are compared here.
"""

from __future__ import annotations

import ast
import re
import sys
from types import ModuleType
from typing import Any

from commands import ROOT, Failed
from mypy import stubtest
from record import finish

import noughts._core as core

STUB = ROOT / "src" / "noughts" / "_core.pyi"


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
            native = member.fget if isinstance(member, property) else member
            if "descriptor" in type(member).__name__:  # of a slot: it says no types
                made[name] = member
            # A class that a function makes has an __init__ as well, and one that nobody makes has one of nanobind's.
            elif hasattr(native, "__nb_signature__") and name != "__new__" and "*args" not in signature(native):
                signatures[prefix + name] = signature(native).replace("def (", f"def {name}(")
                exec(f"from __future__ import annotations\n{signatures[prefix + name]}", made)
                made[name].__module__ = core.__name__
                made[name] = property(made[name]) if isinstance(member, property) else made[name]
        return {name: value for name, value in made.items() if name in vars(owner) or name == "__module__"}

    for name, member in vars(core).items():
        if type(member).__name__ == "nb_type":
            setattr(module, name, type(name, (), twins(member, f"{name}.")))
        elif not name.startswith("__") and (type(member) is not type or issubclass(member, Exception)):
            setattr(module, name, member)  # a class of the core's own making is nobody's to name
    for name, function in twins(core).items():
        if callable(function):
            setattr(module, name, function)
    return module, signatures


def types_of(text: str | ast.FunctionDef) -> list[str]:
    """The types of the arguments and of the result."""
    function = ast.parse(text).body[0] if isinstance(text, str) else text
    assert isinstance(function, ast.FunctionDef)
    return [
        ast.unparse(part) if part else "" for part in (*(a.annotation for a in function.args.args), function.returns)
    ]


def stubbed() -> dict[str, list[str]]:
    """The annotations in the stub, by the name of the function or Class.method."""
    found: dict[str, list[str]] = {}
    for node in ast.parse(STUB.read_text(encoding="utf-8")).body:
        for prefix, body in (("", [node]), (f"{getattr(node, 'name', '')}.", getattr(node, "body", []))):
            found |= {prefix + each.name: types_of(each) for each in body if isinstance(each, ast.FunctionDef)}
    return found


def check() -> str:
    """Compare; the figures."""
    module, signatures = stand_in()
    sys.modules[core.__name__] = module
    sys.argv = ["stubtest", core.__name__]
    if stubtest.main():
        raise Failed("stubtest finds faults")
    stub, faults = stubbed(), []
    for node in ast.parse(STUB.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.ClassDef):
            ours = [ast.unparse(base) for base in node.bases] or ["object"]
            native = [base.__name__ for base in getattr(core, node.name).__bases__]
            if ours != native:
                faults.append(f"{node.name}: a {', '.join(ours)} to the stub, a {', '.join(native)} to the core")
    for name, text in signatures.items():
        for said, is_ in zip(stub[name], types_of(text), strict=True):
            said, is_ = said.replace("_Array", "Buffer"), re.sub(rf"{core.__name__}\.|collections\.abc\.", "", is_)
            same = re.fullmatch(re.escape(said).replace("Any", ".+"), is_) or said.startswith(f"{is_}[")
            if not same and not is_.startswith("object"):  # what C++ takes as any object, Python may know better
                faults.append(f"{name}: the stub says {said}, the core {is_}")
    if faults:
        raise Failed("\n".join(faults))
    return f"stubtest finds no fault; {len(signatures)} native functions have the types of the stub"


if __name__ == "__main__":
    finish("stubs", check)
