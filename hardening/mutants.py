"""Small faults, put one at a time into a module's source: a test suite worth its name notices each of them.

A change is made in the syntax tree, in place and taken back, so that the mutant is the whole module as text. What is
changed: comparisons, arithmetic and bit operators, and/or/not, conditions, whole numbers by one, truth values, texts,
arguments and tuples (swapped or left out), ranges, slices, what is returned, decorators, whole statements, and what is
easily confused on a board: rows and columns, X and O, down and right. Source that the code writes as text is changed as
text. Imports, annotations and docstrings are left alone: nothing is computed there.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Sequence
from copy import copy
from typing import Any, NamedTuple

OPERATORS: dict[type[ast.AST], tuple[type[ast.AST], ...]] = {
    ast.Lt: (ast.LtE, ast.GtE), ast.LtE: (ast.Lt, ast.Gt), ast.Gt: (ast.GtE, ast.LtE), ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,), ast.NotEq: (ast.Eq,), ast.Is: (ast.IsNot,), ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,), ast.NotIn: (ast.In,), ast.And: (ast.Or,), ast.Or: (ast.And,),
    ast.Add: (ast.Sub,), ast.Sub: (ast.Add,), ast.Mult: (ast.Add,), ast.FloorDiv: (ast.Mult, ast.Mod),
    ast.Mod: (ast.FloorDiv,), ast.Pow: (ast.Mult,), ast.LShift: (ast.RShift,), ast.RShift: (ast.LShift,),
    ast.BitAnd: (ast.BitOr,), ast.BitOr: (ast.BitAnd, ast.BitXor), ast.BitXor: (ast.BitOr, ast.BitAnd),
}  # fmt: skip

PAIRS = (
    "rows columns", "row column", "r c", "R C", "down right", "x o", "xs os", "X O", "X_WINS O_WINS", "ONGOING DRAW",
    "mine theirs", "x_complete o_complete", "min max", "any all",
)  # fmt: skip
CONFUSED = {a: b for pair in PAIRS for a, b in (pair.split(), pair.split()[::-1])}

# Functions that write source, and what is changed in it.
WRITES_SOURCE = {"Game.win_test"}
SOURCE = ((" & ", " | "), (" >> ", " << "), (" and ", " or "), ("or ", "and "), ("True", "False"), ("False", "True"))

BLOCKS = ("body", "orelse", "handlers", "finalbody")


class Mutant(NamedTuple):
    """A module with one fault, named by what does not move when lines do: the function and the statement's text."""

    module: str
    function: str
    was: str
    becomes: str
    source: str

    def __str__(self) -> str:
        return f"{self.module}.{self.function}\n    - {self.was}\n    + {self.becomes}"


class Change(NamedTuple):
    """One fault: what a field of a node becomes."""

    node: ast.AST
    field: str
    value: Any


def mutants(module: str, source: str) -> Iterator[Mutant]:
    """Every mutant of a module, each text once."""
    tree = ast.parse(source)
    texts = {ast.unparse(tree)}
    names: Counter[tuple[str, ...]] = Counter()
    for function, before, after, change in _changes(tree):
        was, original = _head(before), getattr(change.node, change.field)
        setattr(change.node, change.field, change.value)
        text, becomes = ast.unparse(ast.fix_missing_locations(tree)), _head(after)
        setattr(change.node, change.field, original)
        if text in texts:
            continue
        texts.add(text)
        was, becomes = _trimmed(was, becomes)
        names[key := (function, was, becomes)] += 1
        again = f"  # {names[key]}" if names[key] > 1 else ""
        yield Mutant(module, function, was, becomes + again, text)


def _head(statement: ast.AST) -> str:
    """A statement on one line, without the statements in it."""
    head = copy(statement)
    for block in BLOCKS:
        if hasattr(head, block) and not isinstance(head, ast.Lambda | ast.IfExp):
            setattr(head, block, [])
    return " ".join(ast.unparse(head).split())


def _trimmed(was: str, becomes: str, around: int = 60) -> tuple[str, str]:
    """Two texts, if they are long without what is far from their difference."""
    if len(was) <= 160:
        return was, becomes
    first = _alike(was, becomes)
    last = _alike(was[first:][::-1], becomes[first:][::-1])
    if first > around:
        was, becomes = (f"…{text[first - around :]}" for text in (was, becomes))
    if last > around:
        was, becomes = (f"{text[: len(text) - last + around]}…" for text in (was, becomes))
    return was, becomes


def _alike(a: str, b: str) -> int:
    """How many characters two texts have in common before they differ."""
    return next(
        (place for place, (left, right) in enumerate(zip(a, b, strict=False)) if left != right), min(len(a), len(b))
    )


def _changes(tree: ast.Module) -> Iterator[tuple[str, ast.AST, ast.AST, Change]]:
    """Every change, with its function, the statement that it stands in, and the one that stands there afterwards."""

    def visit(node: ast.AST, path: tuple[str, ...], scope: ast.AST, statement: ast.AST) -> Iterator[Any]:
        if isinstance(node, ast.stmt | ast.ExceptHandler):
            statement = node
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            path, scope = (*path, node.name), node
        function = ".".join(path) or "(module)"
        yield from ((function, statement, statement, change) for change in _inside(node, function))
        for field, value in ast.iter_fields(node):
            children = value if isinstance(value, list) else [value]
            for place, child in enumerate(children):
                if not isinstance(child, ast.AST) or _is_left_alone(child) or _is_type(node, field, place):
                    continue
                for other in _instead(child, scope):
                    new = [*value[:place], other, *value[place + 1 :]] if isinstance(value, list) else other
                    before, after = (child, other) if isinstance(child, ast.stmt) else (statement, statement)
                    yield function, before, after, Change(node, field, new)
                yield from visit(child, path, scope, statement)

    yield from visit(tree, (), tree, tree)


def _is_type(node: ast.AST, field: str, place: int) -> bool:
    """Is this child of the node only a type?"""
    match node:
        case ast.Call(func=ast.Name("cast")):
            return (field, place) == ("args", 0)
        case ast.Subscript(value=ast.Name("tuple" | "dict" | "list" | "set")):
            return field == "slice"
    return field in {"annotation", "returns"}


def _is_left_alone(node: ast.AST) -> bool:
    match node:
        case ast.Import() | ast.ImportFrom() | ast.AnnAssign(value=None):
            return True
        case ast.If(test=ast.Name("TYPE_CHECKING")) | ast.Expr(ast.Constant()):
            return True
    return False


def _instead(node: ast.AST, scope: ast.AST) -> Iterator[ast.AST]:
    """What may stand in the node's place."""
    match node:
        case ast.UnaryOp(ast.Not() | ast.USub() | ast.Invert(), operand):
            yield operand
        case ast.BoolOp(op, values):
            for place in range(len(values)):
                rest = _without(values, place)
                yield rest[0] if len(rest) == 1 else ast.BoolOp(op, rest)
        case ast.AugAssign(target, _, value):
            yield ast.Assign([target], value)
        case ast.Name(name, ast.Load()) if name in CONFUSED and CONFUSED[name] in _names(scope):
            yield ast.Name(CONFUSED[name], ast.Load())
        case ast.Break():
            yield ast.Continue()
        case ast.Continue():
            yield ast.Break()
    if isinstance(node, ast.stmt) and not isinstance(node, ast.Pass | ast.FunctionDef | ast.ClassDef):
        yield ast.Pass()


def _inside(node: ast.AST, where: str) -> Iterator[Change]:
    """What may change in the node itself."""
    match node:
        case ast.Compare(ops=ops):
            for place, op in enumerate(ops):
                for other in OPERATORS[type(op)]:
                    yield Change(node, "ops", [*ops[:place], other(), *ops[place + 1 :]])
        case ast.BinOp(op=op) | ast.BoolOp(op=op) | ast.AugAssign(op=op):
            for other in OPERATORS[type(op)]:
                yield Change(node, "op", other())
        case ast.Constant(bool() as truth):
            yield Change(node, "value", not truth)
        case ast.Constant(int() as number):
            yield Change(node, "value", number + 1)
            yield Change(node, "value", number - 1)
        case ast.Constant(str() as text):
            yield Change(node, "value", f"?{text}?")
            if where in WRITES_SOURCE:
                for old, new in SOURCE:
                    if old in text:
                        yield Change(node, "value", text.replace(old, new))
        case ast.FormattedValue(conversion=conversion) if conversion != -1:
            yield Change(node, "conversion", -1)
        case ast.Attribute(attr=name, ctx=ast.Load()) if name in CONFUSED:
            yield Change(node, "attr", CONFUSED[name])
        case ast.Tuple(parts, ast.Load()):
            yield from (Change(node, "elts", other) for other in _swapped(parts))
        case ast.Slice():
            for part in ("lower", "upper", "step"):
                if getattr(node, part) is not None:
                    yield Change(node, part, None)
        case ast.Call(called, args, keywords):
            if not (isinstance(called, ast.Name) and called.id in {"min", "max"}):
                yield from (Change(node, "args", other) for other in _swapped(args))
            if len(args) > 1:
                yield Change(node, "args", args[:-1])
            yield from (Change(node, "keywords", _without(keywords, place)) for place in range(len(keywords)))
            if isinstance(called, ast.Name) and called.id == "range":
                yield from _ranges(node, args)
        case ast.Return(value) if value is not None:
            yield Change(node, "value", ast.Constant(None))
        case ast.comprehension(ifs=[_, *_]):
            yield Change(node, "ifs", [])
        case ast.FunctionDef(decorator_list=decorators) | ast.ClassDef(decorator_list=decorators):
            yield from (Change(node, "decorator_list", _without(decorators, place)) for place in range(len(decorators)))
    if isinstance(node, ast.If | ast.While | ast.IfExp) and not _turns_itself(node.test):
        yield Change(node, "test", ast.UnaryOp(ast.Not(), node.test))


def _ranges(call: ast.Call, args: Sequence[ast.expr]) -> Iterator[Change]:
    """The start and the end of a range, off by one."""
    for place in range(min(2, len(args))):
        if not isinstance(args[place], ast.Constant):
            for op in (ast.Add(), ast.Sub()):
                moved = ast.BinOp(args[place], op, ast.Constant(1))
                yield Change(call, "args", [*args[:place], moved, *args[place + 1 :]])


def _turns_itself(test: ast.expr) -> bool:
    """Will another change turn this condition round?"""
    return isinstance(test, ast.UnaryOp) or (isinstance(test, ast.Compare) and len(test.ops) == 1)


def _swapped(parts: Sequence[Any]) -> Iterator[list[Any]]:
    for place in range(len(parts) - 1):
        yield [*parts[:place], parts[place + 1], parts[place], *parts[place + 2 :]]


def _without(parts: Sequence[Any], place: int) -> list[Any]:
    return [*parts[:place], *parts[place + 1 :]]


def _names(scope: ast.AST) -> set[str]:
    """The names that a function uses; elsewhere a confused name is no fault but an error."""
    nodes = list(ast.walk(scope))
    names = {node.id for node in nodes if isinstance(node, ast.Name)}
    return names | {node.arg for node in nodes if isinstance(node, ast.arg)} | {"min", "max", "any", "all"}
