"""Certificates of every kind, and the same with something changed."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from functools import cache
from itertools import count, islice

import pytest
import second_checker
from claims import checked, is_true, some, text_of, x_gets
from held import held

from noughts import Game, Position
from noughts.proofs import check
from noughts.proofs.certificate import Move
from noughts.proofs.prove import Proven, prove

GAMES = ("3x3k3", "3x4k3", "4x4k3", "4x4k4", "3x4k3e", "4x4k3e", "1x8k3", "2x6k3", "4x5k4", "4x5k4e")
LARGE = 16  # cells beyond which no further game is solved
KINDS = {
    "wins", "wins by a reference", "the other moves first", "holds by pairs", "holds by weight", "holds by answers",
    "holds after a move", "holds by a reference", "holds by a turned reference", "holds weakly", "holds unanswered",
    "stealing", "over", "tie", "exact",
}  # fmt: skip


# What there is to change


def kinds(text: str) -> set[str]:
    """The means by which a certificate proves its claim."""
    head, *body = text.splitlines()
    found, part = {"tie"} if json.loads(head)["claim"] == "tie" else set[str](), ""
    if json.loads(head)["game"].endswith("e"):
        found.add("exact")
    for line in body[:-1]:
        words = [word for word in line.split() if not word.endswith(":")]
        if words[0] in "XO":
            part = words[1]
            found |= {part} & {"wins", "stealing", "over"}
        elif words[0] == "weak" or part != "holds":
            found |= {"holds weakly"} if words[0] == "weak" else {"the other moves first"} if words[0] == "*" else set()
            found |= {"wins by a reference"} if words[0].startswith("@") else set()
        else:
            found.add({"p": "holds by pairs", "a": "holds by answers", "m": "holds after a move"}.get(words[0], ""))
            if words[0].startswith("@"):
                found |= {"holds by a reference"} | ({"holds by a turned reference"} if words[1] != "0" else set())
    found |= {"holds unanswered"} if passes(text) else set()
    return found - {""} | ({"holds by weight"} if _weighs(text) else set())


def passes(text: str) -> bool:
    """Does it hold only because some replies, on cells that are not used, need no answer?"""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(second_checker, "unused", lambda cell, uses: False)
        return not second_checker.check(text)[0]


def _weighs(text: str) -> bool:
    """Does it pass only because lines without a pair weigh little? Then it fails where none may be left."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(check.Hold, "pairs", _served)
        return not checked(text).holds


def _served(hold: check.Hold, mine: int, theirs: int, words: list[str]) -> int:
    pairs = {frozenset((int(a), int(b))) for a, b in zip(words[::2], words[1::2], strict=True)}
    for line, beside in hold.board.windows():
        mine_there = any(mine >> cell & 1 for cell in line)
        if not (
            mine_there or any(hold.theirs >> cell & 1 for cell in beside) or any(pair <= {*line} for pair in pairs)
        ):
            raise check.Refuted("a line without a pair")
    return sum(1 << int(word) for word in words)


@cache
def proofs() -> list[tuple[str, set[str]]]:
    """Certificates of every kind, each with its kinds; those of a kind that is seldom come as often as the others."""
    found = dict[str, set[str]]()
    for name in GAMES:
        game = Game.parse(name)
        for position in (game.start(), *some(game, 40, 3)):
            for only in (None, ["pairing"], ["proof"], ["stealing", "proof"]):
                if (proven := prove(position, nodes=9_000, only=only)).claim:
                    for text in (text_of(proven), *folded(proven)):
                        found.setdefault(text, set())
    for _, _, text in islice(holders(5), 120):
        found.setdefault(text, set())
    for text in found:
        assert checked(text).holds
        found[text] = kinds(text)
    return [*found.items()]


def holders(seed: int) -> Iterator[tuple[Position, str, str]]:
    """Positions with six moves or more, a player, and a certificate, put together at random, that this player holds."""
    rng = random.Random(seed)
    while True:
        [position] = some(Game.parse(rng.choice(GAMES)), 1, rng.randrange(1 << 32))
        player = rng.choice("XO")
        if not position.is_over and 6 <= len(position.moves()) <= 12 and (text := held(position, player, rng)):
            yield position, player, text


def folded(proven: Proven) -> Iterator[str]:
    """The certificate of a win once more, in which a node that another one turns into is referred to."""
    strategy = proven.verdict.certificate[0].proof
    if not isinstance(strategy, Move):
        return
    head, name, *_, end = text_of(proven).splitlines()
    board = check.Ground(str(proven.position.game), json.loads(head)["position"])
    turns, labels = range(8 if board.rows == board.columns else 4), count(1)
    known = dict[tuple[int, int], tuple[int, int]]()

    def lines(move: Move, mine: int, theirs: int) -> Iterator[str]:
        if move.cell is not None and (mine, theirs) in known:
            yield "@{} {}".format(*known[mine, theirs])
            return
        label, cell = next(labels), "*" if move.cell is None else move.cell
        yield " ".join(map(str, (f"{label}:", cell, *(reply for reply, _ in move.replies))))
        after = mine if move.cell is None else mine | 1 << move.cell
        if move.idle:
            yield from lines(move.idle, after, theirs)
        for reply, child in move.replies:
            yield from lines(child, after, theirs | 1 << reply)
        for turn in turns if move.cell is not None else ():
            known.setdefault((board.moved(mine, turn), board.moved(theirs, turn)), (label, turn))

    side, other = ("X", "O") if name == "X wins" else ("O", "X")
    yield joined(head, [name, *lines(strategy, board.marks[side], board.marks[other]), end])


def weighed(rng: random.Random) -> Iterator[tuple[str, set[str]]]:
    """Certificates to change, one kind after the other."""
    by_kind = {kind: [each for each in proofs() if kind in each[1]] for kind in sorted(KINDS)}
    assert {kind for kind, each in by_kind.items() if len(each) < 5} == set()
    while True:
        for each in by_kind.values():
            yield rng.choice(each)


# Changes


def changed(text: str, rng: random.Random) -> tuple[str, str]:
    """A certificate with one thing changed, a field of the header, a word or the order of lines, and what that was."""
    head, *body = text.splitlines()
    fields = json.loads(head)
    at, other = rng.randrange(len(body)), rng.randrange(len(body))
    match rng.randrange(8):
        case 0:
            key = rng.choice([*fields])
            return joined(json.dumps(fields | {key: _field(key, fields, rng)}), body), key
        case 1:
            del body[at]
        case 2:
            body.insert(at, body[other])
        case 3:
            body[at], body[other] = body[other], body[at]
        case 4:  # one leaf for another, one answer list for another: the shape stays as it is
            alike = [line for line in body if _what(line) == _what(body[at])]
            body[at] = rng.choice(alike)
        case _:
            what = _what(body[at])
            body[at] = _words(body[at].split(), len(fields["position"].replace("/", "")), rng)
            return joined(head, body), what
    return joined(head, body), "lines"


def joined(head: str, body: list[str]) -> str:
    return "\n".join([head, *body, ""])


def _what(line: str) -> str:
    """What a line of the body says."""
    word = next((word for word in line.split() if not word.endswith(":")), "")
    known = {"X": "part", "O": "part", "m": "first", "p": "pairs", "end": "end", "a": "answers", "weak": "answers"}
    return "reference" if word.startswith("@") else known.get(word, "move")


def _field(key: str, fields: dict[str, str], rng: random.Random) -> object:
    """Another content of a field of the header."""
    marks = list(fields["position"])
    for _ in range(rng.randint(1, 2)):
        marks[rng.randrange(len(marks))] = rng.choice("XO./")
    board, _, k = fields["game"].rstrip("e").partition("k")
    mores = (-1, 0, 1) if len(marks) <= LARGE else (0,)
    games = [f"{board}k{int(k) + more}{e}" for more in mores for e in ("", "e", "m")]
    claims = ["X wins", "O wins", "X holds", "O holds", "tie", "draw"]
    return {
        "noughts": "proof", "version": 2, "game": rng.choice(games), "position": "".join(marks),
        "claim": rng.choice(claims),
    }[key]  # fmt: skip


def _words(words: list[str], cells: int, rng: random.Random) -> str:
    """A line with one of its words changed, left out or added, or two of them exchanged."""
    where, other = rng.randrange(len(words)), rng.randrange(len(words))
    cell = str(rng.randrange(cells))
    match rng.randrange(6):
        case 0 | 1:
            words[where] = cell
        case 2:
            words[where] = rng.choice(
                ["X", "O", "wins", "holds", "p", "a", "weak", f"@{rng.randrange(1, 9)}", "*", "m"]
            )
        case 3:
            del words[where]
        case 4:
            words.insert(where, cell)
        case _:
            words[where], words[other] = words[other], words[where]
    return " ".join(words)


def elsewhere(text: str, rng: random.Random) -> str:
    """A certificate of another position, near by, of which its claim is false if there is one; else as it was."""
    head, *body = text.splitlines()
    fields = json.loads(head)
    before = list(fields["position"])
    for _ in range(30):
        marks = [*before]
        cells = [at for at, mark in enumerate(marks) if mark != "/"]
        for at, to in (rng.sample(cells, 2) for _ in range(rng.randint(1, 2))):
            marks[at], marks[to] = (marks[to], marks[at]) if rng.random() < 0.7 else rng.choice(["XO", "..", "OX"])
        try:
            position = Position.parse(f"{fields['game']}:{''.join(marks)}")
        except ValueError:
            continue
        if not is_true(fields["claim"], x_gets(position)):
            return joined(json.dumps(fields | {"position": "".join(marks)}), body)
    return text
