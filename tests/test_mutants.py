"""Certificates with something changed: refused, or what they claim is still true, as the strong solution has it."""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import cycle

import pytest
from altered import GAMES, KINDS, changed, elsewhere, joined, weighed
from claims import checked, is_true, some, x_gets
from conftest import native

from noughts import Game, Position
from noughts.proofs import check, hold, wins
from noughts.proofs.certificate import Move, tree
from noughts.rules.marks import Mark
from noughts.rules.notation import board_rows
from noughts.rules.position import InvalidPosition

ELSEWHERE = 0.5  # of the changes: the same moves, where their claim is false
FIELDS = ("noughts", "version", "game", "position", "claim", "part", "first", "pairs", "answers", "reference", "move")


# What only seems to prove what is false


def win_with_gaps(position: Position, side: Mark, rng: random.Random) -> Iterator[list[str]]:
    """It answers all replies but those that refute it; then those, too, by a reference to something else."""
    if position.turn is not side:
        return
    cell = rng.choice(position.moves())
    after = position.play(cell)
    if after.is_over or not (idle := wins.search(after, 20_000, passed=True).strategy):
        return
    found = ((reply, after.play(reply)) for reply in after.moves())
    won = ((reply, wins.search(at, 20_000).strategy) for reply, at in found if not at.is_over)
    replies = tuple((reply, strategy) for reply, strategy in won if strategy)
    yield [*tree(Move(cell, idle, replies))]
    first, second, *rest = tree(Move(cell, idle, replies))
    left = [reply for reply in after.moves() if reply not in dict(replies)]
    if ":" not in second:
        yield [" ".join(map(str, (first, *left))), f"99999: {second}", *rest, *["@99999 0"] * len(left)]


def hold_with_gaps(position: Position, side: Mark, rng: random.Random) -> Iterator[list[str]]:
    """It answers all replies but those that refute it; then those, too, by a reference to something else."""
    if position.turn is side:
        return
    weak = position.game.exact or rng.random() < 0.5
    words, below, left, labels = ["weak", "a"] if weak else ["a"], list[str](), list[Position](), list[str]()
    for reply in position.moves():
        after = position.play(reply)
        answers = [] if after.is_over else rng.sample(after.moves(), len(after.moves()))
        for answer in answers:
            if (at := after.play(answer)).is_over or not is_held(at, side):
                continue
            search = hold.search(at, side, weak=weak, memory=1 << 16)
            search.run(20_000, 60.0, 1)
            if search.numbers[0]:
                continue
            words += [str(reply), str(answer)]
            below += [re.sub(r"(\d+):|@(\d+)", _of(reply), line) for line in search.text(60.0).splitlines()]
            labels += [line.partition(":")[0] for line in below if ":" in line]
            break
        else:
            left += [] if after.is_over else [after]
    yield [" ".join(words), *below]
    for after in left if labels else ():
        words += [str(_new(position, after)), str(rng.choice(after.moves()))]
        below.append(f"@{rng.choice(labels)} {rng.randrange(4)}")
    yield [" ".join(words), *below]


def overlapping(position: Position, side: Mark, rng: random.Random) -> Iterator[list[str]]:
    """A pair for every line, of which some share a cell."""
    if position.turn is not side:
        lacking = hold.PlainHold(position, side, weak=True).others
        lines = [position.game.cells_of(cells) for cells in lacking]
        if all(len(cells) > 1 for cells in lines):
            pairs = {tuple(rng.sample(cells, 2)) for cells in lines}
            yield [" ".join(["p", *(str(cell) for pair in pairs for cell in pair)])]


def is_held(position: Position, side: Mark) -> bool:
    return is_true(f"{side} holds", x_gets(position))


def _new(before: Position, after: Position) -> int:
    return (before.empty ^ after.empty).bit_length() - 1


def _of(reply: int) -> Callable[[re.Match[str]], str]:
    """What makes labels of the nodes below one reply other ones than those below the next."""
    return lambda label: f"{label[1]}{reply:03}:" if label[1] else f"@{label[2]}{reply:03}"


def _text(position: Position, claim: str, part: str, body: list[str]) -> str:
    head = {"noughts": "certificate", "version": 1, "game": str(position.game)}
    head |= {"position": "/".join(board_rows(position)), "claim": claim}
    return joined(json.dumps(head), [part, *body, "end"])


def seem(number: int, seed: int) -> None:
    """So many certificates of each kind, right but for one thing, of what is false: none passes."""
    rng = random.Random(seed)
    for what, make in (("wins", win_with_gaps), ("holds", hold_with_gaps), ("holds", overlapping)):
        made = 0
        for name in cycle(GAMES):
            for position in some(Game.parse(name), 4, rng.randrange(1 << 30)):
                for side in Mark:
                    claim = f"{side} {what}"
                    if position.is_over or is_true(claim, x_gets(position)):
                        continue
                    for body in make(position, side, rng):
                        made += 1
                        text = _text(position, claim, claim, body)
                        assert not checked(text).holds, text
                    assert not checked(_text(position, claim, f"{side} stealing", [])).holds
            if made >= number:
                break


# What becomes of it


def survive(number: int, seed: int) -> None:
    """Change so many certificates: each is refused, or true."""
    rng, refused, still, done = random.Random(seed), Counter[str](), Counter[str](), 0
    by_field = Counter[str]()
    for before, means in weighed(rng):
        after, what = (elsewhere(before, rng), "elsewhere") if rng.random() < ELSEWHERE else changed(before, rng)
        if after == before:
            continue
        if done == number:
            break
        done += 1
        try:
            found = checked(after)
        except check.Unreadable:
            found = None
        if found is None or not found.holds:
            by_field[what] += 1
            refused.update(means)
            continue
        try:
            position = Position.parse(f"{found.game}:{found.position}")
        except InvalidPosition:
            continue  # play does not lead there, and what is claimed of it harms nobody
        assert is_true(found.claim, x_gets(position)), after
        still.update(means)
    assert {kind for kind in KINDS if refused[kind] < number // 100} == set(), refused
    assert {what for what in FIELDS if by_field[what] < number // 1_000} == set(), by_field
    assert {kind for kind in KINDS - {"stealing", "over"} if not still[kind]} == set(), still


@native
def test_a_changed_certificate_is_refused_or_still_true() -> None:
    survive(2_000, 5)


@native
def test_what_only_seems_to_prove_what_is_false_is_refused() -> None:
    seem(100, 7)


@native
@pytest.mark.slow
def test_ten_thousand_changed_certificates_are_refused_or_still_true() -> None:
    survive(10_000, 6)
    seem(600, 8)
