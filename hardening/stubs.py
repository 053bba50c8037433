"""Check src/noughts/_core.pyi against the native core itself: `make stubs`.

nanobind keeps the signature of each native function, which comes from the C++ types, and makes a stub of them all. Ours
must say the same: names, arguments, defaults, types, bases; and may know better what C++ takes or gives as any object.
"""

from __future__ import annotations

import ast
import re

from commands import ROOT, Failed
from nanobind.stubgen import StubGen  # type: ignore[import-untyped]
from record import finish

import noughts._core as core

STUB = ROOT / "src" / "noughts" / "_core.pyi"
SAME = {"Sequence": "list", "_Array": "Buffer"}  # what is taken in a sequence comes in a list; an array is a buffer
# What our stub may say for what nanobind says, which knows no more of a slot, and of an object not even that it is one.
LOOSE = {r"object": "[^:]+", r"tuple(?=[,):\\]|$)": "tuple.*", r"slot": "(?s:.+)"}


class Plain(ast.NodeTransformer):
    """Types in the words of our stub."""

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        """An array with its layout is an array."""
        return ast.Name("Buffer") if ast.unparse(node.value) == "Annotated" else self.generic_visit(node)

    def visit_Name(self, node: ast.Name) -> ast.AST:
        """One name for one thing."""
        return ast.Name(SAME.get(node.id, node.id))


def face(text: str) -> dict[str, str]:
    """What a stub says of each class, function, Class.method and slot."""
    found: dict[str, str] = {}

    def see(body: list[ast.stmt], prefix: str = "") -> None:
        for node in body:
            if isinstance(node, ast.ClassDef) and not all(isinstance(each, ast.AnnAssign) for each in node.body):
                found[node.name] = f"class {node.name}({', '.join(map(ast.unparse, node.bases))})"
                see(node.body, f"{node.name}.")  # a class of slots alone is of the core's own making: nobody's to name
            elif isinstance(node, ast.FunctionDef) and not node.args.vararg:  # that is of a class that nobody makes
                node.body = []
                found[prefix + node.name] = ast.unparse(node)
            elif isinstance(node, ast.AnnAssign) and ast.unparse(node.annotation) != "TypeAlias":
                found[prefix + ast.unparse(node.target)] = "slot"

    see(Plain().visit(ast.parse(text)).body)
    return found


def compare(ours: dict[str, str], native: dict[str, str]) -> list[str]:
    """Where they differ."""
    faults = [f"{name} is only in the {'stub' if name in ours else 'core'}" for name in ours.keys() ^ native.keys()]
    for name in ours.keys() & native.keys():
        pattern = re.escape(native[name])
        for word, instead in LOOSE.items():
            pattern = re.sub(rf"\b{word}", instead, pattern)
        if not re.fullmatch(pattern, ours[name]):
            faults.append(f"the stub says {ours[name]}\nthe core {native[name]}")
    return sorted(faults)


def check() -> str:
    """Compare; the figures."""
    made = StubGen(core, quiet=True)
    made.put(core)
    native = face(made.get())
    if faults := compare(face(STUB.read_text(encoding="utf-8")), native):
        raise Failed("\n".join(faults))
    functions = sum("def " in each for each in native.values())
    return f"{functions} native functions have the names, arguments, defaults and types of the stub"


if __name__ == "__main__":
    finish("stubs", check)
