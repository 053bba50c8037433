"""Certificates: a strategy written down, so that a sceptic can check it with a program that shares nothing with this.

A part of a certificate is a player and what they do: win, by a strategy (`Move`); hold, by pairs; cannot lose, by
stealing; or have won already. A file is a header, its parts and an end. check.py reads it, and
docs/reference/certificates.md says what each line means.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from contextlib import nullcontext
from itertools import chain
from pathlib import Path
from typing import Literal, NamedTuple

from noughts.files import writing
from noughts.proofs.check import TREE_CELLS
from noughts.rules.game import Cell
from noughts.rules.marks import Mark
from noughts.rules.notation import board_rows
from noughts.rules.position import Position

Claim = Literal["X wins", "O wins", "X holds", "O holds", "tie"]


class Move(NamedTuple):
    """A move of the player who wins, and how they go on.

    If the other does nothing, as by `idle`; if the other replies on one of these cells, as by its own move. Every other
    reply changes nothing, and is answered by `idle` too. A move that ends the game has neither. Where the other is to
    move first, there is no cell.
    """

    cell: Cell | None
    idle: Move | None = None
    replies: tuple[tuple[Cell, Move], ...] = ()

    def answer(self, reply: Cell) -> Move | None:
        """What follows a reply."""
        return dict(self.replies).get(reply, self.idle)


class Held(NamedTuple):
    """Pairs of which the holder always gets one cell, and the cell that they take first, if it is their turn."""

    pairs: tuple[tuple[Cell, Cell], ...]
    first: Cell | None = None


class Part(NamedTuple):
    """What one player does."""

    side: Mark
    what: Literal["wins", "holds", "stealing", "over"]
    proof: Move | Held | str | None = None  # a text has the lines of a search for holding, as they are

    def adds_to(self, parts: tuple[Part, ...]) -> bool:
        """Does it say more than these parts? One that holds already need not hold once more."""
        return self.what == "wins" or self.side not in {part.side for part in parts}


def from_line(line: tuple[Cell, ...]) -> Move:
    """The strategy of a win by fours, from both players' moves.

    >>> from_line((8, 5, 9))
    Move(cell=8, idle=Move(cell=5, idle=None, replies=()), replies=((5, Move(cell=9, idle=None, replies=())),))
    """
    *before, last = line
    move = Move(last)
    for cell, reply in zip(before[-2::-2], before[::-2], strict=True):
        move = Move(cell, Move(reply), ((reply, move),))
    return move


def plies(move: Move) -> int:
    """The most plies that a strategy takes, counted from its player's first move."""
    known: dict[int, int] = {}
    for each in _each(move):
        after = [known[id(child)] for child in _children(each)]
        known[id(each)] = (each.cell is not None) + (1 + max(after) if after else 0)
    return known[id(move)]


def main_line(move: Move) -> tuple[Cell, ...]:
    """The longest way that a strategy goes, where the other replies on cells that are named."""
    line: list[Cell] = []
    longest = {id(each): 0 for each in _each(move)}
    for each in _each(move):
        longest[id(each)] = 1 + max((longest[id(child)] for _, child in each.replies), default=0)
    while True:
        if move.cell is not None:
            line.append(move.cell)
        if not move.replies:
            return tuple(line)
        reply, move = max(move.replies, key=lambda pair: longest[id(pair[1])])
        line.append(reply)


def _children(move: Move) -> Iterator[Move]:
    if move.idle:
        yield move.idle
    for _, child in move.replies:
        yield child


def _each(move: Move) -> Iterator[Move]:
    """Every node of a strategy once, those that it leads to before it."""
    seen, stack = set[int](), [(move, False)]
    while stack:
        each, done = stack.pop()
        if done:
            yield each
        elif id(each) not in seen:
            seen.add(id(each))
            stack.append((each, True))
            stack += [(child, False) for child in _children(each)]


def count(part: Part) -> int:
    """The number of its nodes."""
    if isinstance(part.proof, str):
        return part.proof.count("\n")
    return sum(1 for _ in _each(part.proof)) if isinstance(part.proof, Move) else 1


# Writing


def claim_of(parts: tuple[Part, ...]) -> Claim | None:
    """The strongest claim that the parts prove together; None without any."""
    over = [part for part in parts if part.what == "over"]  # both of a full board
    won = [part for part in parts if part.what == "wins"] + (over if len(over) == 1 else [])
    proven = {f"{part.side} holds" for part in parts} | {f"{part.side} wins" for part in won}
    for claim in ("X wins", "O wins"):
        if claim in proven:
            return claim
    if {"X holds", "O holds"} <= proven:
        return "tie"
    return next((claim for claim in ("X holds", "O holds") if claim in proven), None)


def lines(position: Position, parts: tuple[Part, ...]) -> Iterator[str]:
    """The lines of the file."""
    head = {"noughts": "certificate", "version": 1, "game": str(position.game)}
    yield json.dumps({**head, "position": "/".join(board_rows(position)), "claim": claim_of(parts)})
    for part in parts:
        yield f"{part.side} {part.what}"
        if isinstance(part.proof, Move):
            yield from tree(part.proof)
        elif isinstance(part.proof, str):
            yield from part.proof.splitlines()
        elif isinstance(part.proof, Held):
            if (first := part.proof.first) is not None:
                yield f"m {first}"
                if position.game.cells <= TREE_CELLS and position.play(first).winner:
                    continue  # it completes a line, and nothing follows
            yield " ".join(map(str, ("p", *chain.from_iterable(part.proof.pairs))))
    yield "end"


def tree(root: Move) -> Iterator[str]:
    """A strategy, each node before those that it leads to; one that is met again is referred to."""
    met: dict[int, int] = {}
    for each in _each(root):
        for child in _children(each):
            met[id(child)] = met.get(id(child), 0) + 1
    written: dict[int, int] = {}
    stack = [root]
    while stack:
        move = stack.pop()
        if id(move) in written:
            yield f"@{written[id(move)]} 0"
            continue
        text = " ".join(map(str, ("*" if move.cell is None else move.cell, *(reply for reply, _ in move.replies))))
        if met.get(id(move), 0) > 1 and move.idle:
            written[id(move)] = len(written) + 1
            text = f"{written[id(move)]}: {text}"
        yield text
        stack += reversed([*_children(move)])


def write(path: str | Path, position: Position, parts: tuple[Part, ...]) -> None:
    """Write a certificate, whole or not at all; compressed if the name ends in .gz."""
    with writing(path) as file:
        packed = str(path).endswith(".gz")
        with gzip.GzipFile("", "wb", 9, file.buffer, mtime=0) if packed else nullcontext(file.buffer) as out:
            for line in lines(position, parts):
                out.write(f"{line}\n".encode("ascii"))
