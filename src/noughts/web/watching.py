"""Watching the detectors: their steps on a position, their costs, the exhibits, and why some boards have no labels."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from functools import lru_cache
from typing import Any

from noughts.detect import DETECTORS, EXHIBITS, Detector, Incremental, line_owner, no_labels
from noughts.detect.labelled import Labelled
from noughts.detect.scene import Cells, Part, ShownStep
from noughts.detect.walk import Walk, find, watch
from noughts.explain import replay
from noughts.rules.game import Game
from noughts.rules.legality import check
from noughts.rules.marks import Mark
from noughts.rules.notation import format_moves
from noughts.rules.position import Position
from noughts.web.answers import board_of, read_game, read_position
from noughts.words import facts

HOMES = ("3x3k3", "5x5k5")  # games to show a detector on that does not take the one on the board
TITLES = {
    "prajoda_boolean": "Boolean masks, as printed",
    "magic_16": "A magic square of 16",
    "single_loop": "Counting in one loop",
}

# What to begin with on an empty board: a title, the game, its moves, the detector, and why it is worth a look.
EXAMPLES = (
    ("A win by a row", "3x3k3", "a2,b3,b2,a1,c2", "shifts", "Three in a row, found by moving the board onto itself."),
    ("A fork", "3x3k3", "a3,b2,c1,a1,c3", "magic_square", "One move, two threats: the magic square lights up both."),
    ("A full draw", "3x3k3", "b2,a3,b3,b1,a2,c2,c3,a1,c1", "line_sums", "Nine marks, and no sum of three."),
    (
        "Five in a row",
        "9x9k5",
        "e5,f5,d4,c3,f6,d6,g7,e4,c5,f4,h8",
        "last_move",
        "On a larger board, too, one cell is enough.",
    ),
    ("4 × 4 has no labels", "4x4k4", "a4,b4,d4,b3,a1,c3", "magic_square", "Why the magic square cannot work there."),
)


# The questions


def detect(text: str, moves: str, name: str) -> dict[str, Any]:
    """The steps of one detector on the position after these moves, ready to draw.

    >>> found = detect("XX./OO./...", "c3", "shifts")
    >>> found["verdict"], found["found"], found["operations"]
    ('X', 1, 7)
    """
    position, order = read_moment(text, moves)
    kind = find(name)
    walk = watch(name, position, order)
    truth = line_owner(position)
    return {
        "game": str(position.game),
        "position": str(position),
        **introduction(name, kind),
        "order": format_moves(position.game, walk.order),
        "verdict": mark_text(walk.verdict),
        "truth": mark_text(truth),
        "winner": mark_text(position.winner),
        "sentence": sentence(walk, truth),
        **facts(walk, "found operations total left_out"),
        "steps": [draw(step) for step in walk.steps],
        "board": board_of(position),
    }


def detectors(text: str, moves: str) -> dict[str, Any]:
    """Every detector and exhibit: what it is, whether it takes this game, and what it costs on this position."""
    position, order = read_moment(text, moves)
    kinds: dict[str, type[Detector]] = {**DETECTORS, **EXHIBITS}
    return {
        "game": str(position.game),
        "position": str(position),
        "turn": str(position.turn),
        "status": str(position.status),
        "winner": mark_text(position.winner),
        "board": board_of(position),
        "detectors": [entry(name, kind, position, order) for name, kind in kinds.items()],
        "examples": examples(),
    }


def entry(name: str, kind: type[Detector], position: Position, order: list[int]) -> dict[str, Any]:
    """One detector or exhibit: what it is, and what it costs on this position if it takes the game."""
    game = position.game
    refusal = kind.refusal(game)
    supports = refusal is None
    walk = watch(name, position, order, most=2) if supports else None
    return {
        **introduction(name, kind),
        "supports": supports,
        "refusal": refusal,
        "proof": not supports
        and issubclass(kind, Labelled)
        and bool(no_labels.steps(Game(game.rows, game.columns, game.k))),
        "home": None if supports else next((name for name in HOMES if kind.supports(Game.parse(name))), None),
        "verdict": mark_text(walk.verdict if walk else None),
        **facts(walk, "operations total"),
    }


@lru_cache(maxsize=1)
def exhibits() -> dict[str, Any]:
    """The methods known to be wrong, each on the smallest board that fools it."""
    return {"exhibits": [_exhibit(name) for name in EXHIBITS]}


def _exhibit(name: str) -> dict[str, Any]:
    kind = EXHIBITS[name]
    position = kind.smallest_failure()
    walk = watch(name, position)
    fooled = walk.steps[-1].cells.get("hit", ())
    return {
        **introduction(name, kind),
        **facts(kind, "claim why_wrong"),
        "game": str(position.game),
        "position": str(position),
        "verdict": mark_text(walk.verdict),
        "truth": mark_text(line_owner(position)),
        "cells": list(fooled or (cell for line in position.lines() for cell in line)),
        "board": board_of(position),
    }


def labelling(name: str) -> dict[str, Any]:
    """Why no labels tell the lines of a game from all other sets of cells: the steps of the proof, if there is one.

    >>> found = labelling("4x4k4")
    >>> found["impossible"], len(found["steps"])
    (True, 10)
    """
    game = read_game(name)
    steps = no_labels.steps(Game(game.rows, game.columns, game.k))
    return {
        "game": str(game),
        "impossible": bool(steps),
        "sentence": steps[-1].say if steps else "No proof is known here that labels cannot do it.",
        "steps": [draw(step) for step in steps],
        "board": board_of(game.start()),
    }


def examples() -> list[dict[str, Any]]:
    """Games that show something, one press away."""
    names = ("title", "game", "moves", "detector", "summary")
    found = []
    for example in EXAMPLES:
        told = dict(zip(names, example, strict=True))
        position = replay(read_game(told["game"]).start(), told["moves"].split(","))[-1]
        found.append({**told, "board": board_of(position)})
    return found


# Their parts


def read_moment(text: str, moves: str) -> tuple[Position, list[int]]:
    """The position after these moves from that one, and all the moves that lead there from the empty board."""
    start = read_position(text)
    played = [move for move in moves.split(",") if move]
    position = replay(start, played)[-1]
    return position, [*(check(start).witness or ()), *(start.cell(move) for move in played)]


def introduction(name: str, kind: type[Detector]) -> dict[str, Any]:
    """What a detector says of itself."""
    return {
        "detector": name,
        "title": TITLES.get(name) or name.replace("_", " ").capitalize(),
        **facts(kind, "source idea cost scope"),
        "follows": issubclass(kind, Incremental),
        "exhibit": name in EXHIBITS,
    }


def sentence(walk: Walk, truth: Mark | None) -> str:
    """The verdict in words."""
    said = f"{walk.verdict} has a line" if walk.verdict else "nobody has a line"
    if walk.verdict is not truth:
        right = f"{truth} has one" if truth else "nobody has one"
        return f"It says that {said}. The truth: {right}."
    winner = walk.position.winner
    if winner and not walk.position.game.rule.completing_wins:
        return f"{said[0].upper()}{said[1:]}, so {winner} wins: in misère a line loses."
    return f"{said[0].upper()}{said[1:]}."


def mark_text(mark: Mark | None) -> str | None:
    """A mark for JSON."""
    return None if mark is None else str(mark)


def draw(step: ShownStep) -> dict[str, Any]:
    """A step with its scene, as plain lists and dicts."""
    return {
        "say": step.say,
        "cells": roles_of(step.cells),
        "operations": step.operations,
        "found": mark_text(step.found),
        "moves": step.moves,
        "scene": [[part_of(part) for part in row] for row in step.draw()],
    }


def part_of(part: Part) -> dict[str, Any]:
    """A part of a scene."""
    plain = asdict(part)
    if "texts" in plain:
        plain["texts"] = {str(cell): text for cell, text in plain["texts"].items()}
        plain["roles"], plain["marks"] = roles_of(plain["roles"]), roles_of(plain["marks"])
        plain["paths"] = [list(path) for path in plain["paths"]]
    return plain


def roles_of(roles: Mapping[str, Cells]) -> dict[str, list[int]]:
    """The cells of each role that has any."""
    return {role: list(cells) for role, cells in roles.items() if cells}
