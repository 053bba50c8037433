"""Two checkers of certificates, the second written from the page alone, say the same of good and bad ones."""

from __future__ import annotations

import json
import random
from collections import Counter, defaultdict
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import second_checker
from altered import KINDS, changed, elsewhere, holders, passes, proofs, weighed
from claims import certificate, checked, is_true, x_gets
from conftest import native
from second_checker import Cells, Hold, Lines, Own

from noughts.proofs import check

SHIPPED = sorted((Path(check.__file__).parent / "games").glob("*.gz"))
Span = tuple[int, int]  # the lines of a node: the first, and the one behind the last


class Node(NamedTuple):
    """A node of a part that holds, as the second checker sees it."""

    free: Cells
    asked: Cells  # where a reply may need an answer
    uses: dict[int, Cells]  # for each reply the answer, and what is used after it

    def without(self, cell: int) -> list[int]:
        """The other replies whose answers do not use this cell."""
        return [reply for reply, used in self.uses.items() if reply != cell and cell not in used]


def first(text: str) -> bool:
    try:
        return checked(text).holds
    except check.Unreadable:
        return False


def second(text: str) -> bool:
    try:
        return second_checker.check(text)[0]
    except second_checker.Unreadable:
        return False


# Changes after which a certificate can still be read


@cache
def nodes(text: str) -> tuple[list[Span], dict[int, Node]]:
    """Where the nodes of a certificate that holds are, as the second checker walks through them; those of a holder."""
    spans, holders, met = list[Span](), dict[int, Node](), list[tuple[Cells, dict[int, Cells]]]()

    def noted(walk: Callable[..., Any]) -> Callable[..., Any]:
        def walked(part: Any, *given: Any) -> Any:
            begin = part.text.at
            found = walk(part, *given)
            spans.append((begin, part.text.at))
            if isinstance(part, Hold):
                holders[begin] = Node(given[-1], *(met.pop() if met else (frozenset[int](), {})))
            return found

        return walked

    def seen(
        part: Hold, lines: Lines, own: Own, uses: dict[int, Cells], check: Callable[..., Cells] = Hold.met
    ) -> Cells:
        met.append((frozenset[int]().union(*lines, *(own or ())), uses))
        return check(part, lines, own, uses)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(second_checker.Win, "move", noted(second_checker.Win.move))
        patch.setattr(Hold, "node", noted(Hold.node))
        patch.setattr(Hold, "met", seen)
        assert second_checker.check(text) == (True, "")
    return sorted(spans), holders


class Draft:
    """A certificate to change: header, lines and nodes. Each change is a method; False: there is nothing of that."""

    def __init__(self, text: str, rng: random.Random) -> None:
        self.rng, self.lines = rng, text.splitlines()
        self.head: dict[str, Any] = json.loads(self.lines[0])
        self.nodes, self.holders = nodes(text)
        self.cells = [i for i, mark in enumerate(self.head["position"]) if mark != "/"]

    @property
    def text(self) -> str:
        return "\n".join([json.dumps(self.head), *self.lines[1:], ""])

    def pick(self, wanted: Callable[[str], bool]) -> int:
        """One of the lines of nodes, or 0."""
        return self.rng.choice([at for at, _ in self.nodes if wanted(self.lines[at])] or [0])

    def below(self, at: int) -> list[Span]:
        """The nodes that follow on one, in order."""
        inner = [span for span in self.nodes if at < span[0] < dict(self.nodes)[at]]
        return [span for span in inner if not any(begin < span[0] and span[1] <= to for begin, to in inner)]

    def cell(self) -> bool:
        """Another cell: where a player moves, replies or answers, or in a pair."""
        if not (at := self.pick(lambda line: any(word.isdecimal() for word in line.split()) and "@" not in line)):
            return False
        words = self.lines[at].split()
        where = self.rng.choice([i for i, word in enumerate(words) if word.isdecimal()])
        words[where] = str(self.rng.randrange(len(self.cells)))
        self.lines[at] = " ".join(words)
        return True

    def exchange(self) -> bool:
        """Two cells of a line in each other's place."""
        if not (at := self.pick(lambda line: sum(word.isdecimal() for word in line.split()) > 1 and "@" not in line)):
            return False
        words = self.lines[at].split()
        i, j = self.rng.sample([i for i, word in enumerate(words) if word.isdecimal()], 2)
        words[i], words[j] = words[j], words[i]
        self.lines[at] = " ".join(words)
        return True

    def dropped(self) -> bool:
        """A reply is no longer answered: it goes, and the node after it."""
        if not (at := self.pick(lambda line: len(_cells(line)) > 1 and " p" not in f" {line}" and "@" not in line)):
            return False
        holds = "a" in self.lines[at].split()
        return self._drop(at, self.rng.randrange(len(_cells(self.lines[at])) // (1 + holds) - (not holds)))

    def _drop(self, at: int, which: int) -> bool:
        """One of the replies that are answered goes."""
        below = self.below(at)
        words, holds = self.lines[at].split(), "a" in self.lines[at].split()
        begin = len(words) - len(_cells(self.lines[at])) + (not holds)
        replies = range(begin, len(words), 2 if holds else 1)
        if which + (not holds) < len(below):  # an answer that ends the game has no node
            first, last = below[which + (not holds)]
            del self.lines[first:last]
        del words[replies[which] : replies[which] + 1 + holds]
        self.lines[at] = " ".join(words)
        return True

    def unanswered(self) -> bool:
        """A holder's reply is no longer answered: every other answer uses its cell, or one does not."""
        listed = [(at, cell) for at, node in self.holders.items() for cell in node.uses]
        if not (found := self._either(listed, lambda at, cell: bool(self.holders[at].without(cell)))):
            return False
        return self._drop(found[0], [*self.holders[found[0]].uses].index(found[1]))

    def instead(self) -> bool:
        """A holder answers as if another reply had been made, the cell of which is used by every answer, or is not."""
        free = [(at, cell) for at, node in self.holders.items() if node.uses for cell in node.asked - {*node.uses}]
        if not (found := self._either(free, lambda at, cell: bool(self.holders[at].without(cell)))):
            return False
        node, words = self.holders[found[0]], self.lines[found[0]].split()
        which = [*node.uses].index(self.rng.choice(node.without(found[1]) or [*node.uses]))
        words[words.index("a") + 1 + 2 * which] = str(found[1])
        self.lines[found[0]] = " ".join(words)
        return True

    def spent(self) -> bool:
        """A pair more, of a cell that only one answer above does without, or that more of them do."""
        above = {at: [self.holders[up] for up, to in self.nodes if up < at < to] for at in self.holders}
        left = {at: node.free - {*map(int, _cells(self.lines[at]))} for at, node in self.holders.items()}
        free = [
            (at, cell)
            for at, cells in left.items()
            if "p" in self.lines[at].split() and len(cells) > 1
            for cell in cells & frozenset[int]().union(*(node.asked - {*node.uses} for node in above[at]))
        ]
        if found := self._either(free, lambda at, cell: all(len(node.without(cell)) != 1 for node in above[at])):
            at, cell = found
            self.lines[at] += f" {cell} {self.rng.choice(sorted(left[at] - {cell}))}"
        return bool(found)

    def _either(self, places: list[Span], sort: Callable[[int, int], bool]) -> Span | None:
        """A place of either sort, as likely as one of the other."""
        sorts = [[place for place in places if sort(*place) is which] for which in (False, True)]
        return self.rng.choice(self.rng.choice([each for each in sorts if each])) if places else None

    def added(self) -> bool:
        """A reply more is answered, as doing nothing is, or as another reply is."""
        if not (at := self.pick(lambda line: bool(_cells(line)) and " p" not in f" {line}" and "@" not in line)):
            return False
        below = self.below(at)
        if not below:
            return False
        holds = "a" in self.lines[at].split()
        begin, to = self.rng.choice(below) if holds else below[0]
        marks = self.head["position"].replace("/", "")
        free = [str(cell) for cell, mark in enumerate(marks) if mark == "." and str(cell) not in _cells(self.lines[at])]
        end = dict(self.nodes)[at]
        self.lines[end:end] = self.lines[begin:to]
        self.lines[at] = " ".join([self.lines[at], *self.rng.sample(free, min(1 + holds, len(free)))])
        return True

    def pair(self) -> bool:
        """A pair less."""
        if not (at := self.pick(lambda line: "p" in line.split() and len(_cells(line)) > 1)):
            return False
        words = self.lines[at].split()
        where = self.rng.randrange(words.index("p") + 1, len(words), 2)
        self.lines[at] = " ".join(words[:where] + words[where + 2 :])
        return True

    def grafted(self) -> bool:
        """A node in another one's place."""
        if len(self.nodes) < 2:
            return False
        (at, end), (begin, to) = self.rng.sample(self.nodes, 2)
        self.lines[at:end] = self.lines[begin:to]
        return True

    def referred(self) -> bool:
        """A reference in the place of a node to one that was finished before it, if it can be one that does."""
        lines, tries = self.lines, 0
        while tries < 12:
            tries += 1
            at, end = self.rng.choice(self.nodes or [(0, 0)])
            before = [span for span in self.nodes if span[1] <= at and "@" not in lines[span[0]]]
            if before:
                begin, _ = self.rng.choice(before)
                label, _, line = lines[begin].rpartition(": ")
                self.lines = [*lines[:at], f"@{label or 77_777} {self.turn()}", *lines[end:]]
                self.lines[begin] = f"{label or 77_777}: {line}"
                if first(self.text):
                    break
        return self.lines is not lines

    def turned(self) -> bool:
        """Another turn of what is referred to, or another label."""
        if not (at := self.pick(lambda line: "@" in line)):
            return False
        *rest, label, _ = self.lines[at].split()
        labels = [line.partition(":")[0] for line in self.lines[1:at] if ":" in line]
        name = self.rng.choice(labels) if labels and self.rng.random() < 0.5 else label[1:]
        self.lines[at] = " ".join([*rest, f"@{name}", str(self.turn())])
        return True

    def turn(self) -> int:
        rows, _, columns = self.head["game"].partition("k")[0].partition("x")
        return self.rng.choice([0, 0, 0, *range(8 if rows == columns else 4)])

    def labelled(self) -> bool:
        """A label in another one's place."""
        labels = [at for at, line in enumerate(self.lines) if at and ":" in line]
        if len(labels) < 2:
            return False
        at, other = self.rng.sample(labels, 2)
        self.lines[at] = f"{self.lines[other].partition(':')[0]}:{self.lines[at].partition(':')[2]}"
        return True

    def weak(self) -> bool:
        """The holder's own lines no longer count, or count again."""
        if not (at := self.pick(lambda line: any(word in ("p", "a") or "@" in word for word in line.split()))):
            return False
        *label, line = self.lines[at].partition(": ")[:: 2 if ": " in self.lines[at] else 3]
        line = line.removeprefix("weak ") if line.startswith("weak ") else f"weak {line}"
        self.lines[at] = ": ".join([*label, line])
        return True

    def part(self) -> bool:
        """Another player, or another thing that they do, in the line that begins a part."""
        at = self.rng.choice([at for at, line in enumerate(self.lines) if at and line[0] in "XO"])
        side, what = self.lines[at].split()
        other = "O" if side == "X" else "X"
        kind = self.rng.choice(["wins", "holds", "stealing", "over"])
        self.lines[at] = self.rng.choice([f"{other} {what}", f"{side} {kind}"])
        return True

    def claim(self) -> bool:
        """Another claim."""
        self.head["claim"] = self.rng.choice([claim for claim in check.CLAIMS if claim != self.head["claim"]])
        return True

    def mark(self) -> bool:
        """One mark more or less: it is the other's turn."""
        marks, more = self.head["position"], self.head["position"].count("X") - self.head["position"].count("O")
        new = self.rng.choice(["X.", ".O"] if more == 0 else [".X", "O."])
        if not (places := [at for at in self.cells if marks[at] == new[1]]):
            return False
        at = self.rng.choice(places)
        self.head["position"] = marks[:at] + new[0] + marks[at + 1 :]
        return True

    def position(self) -> bool:
        """Two cells exchanged, or a mark of each player more."""
        marks = [*self.head["position"]]
        at, to = self.rng.sample(self.cells, 2)
        if marks[at] == marks[to] != ".":
            return False
        marks[at], marks[to] = ("X", "O") if marks[at] == marks[to] else (marks[to], marks[at])
        self.head["position"] = "".join(marks)
        return True

    def elsewhere(self) -> bool:
        """A position near by, of which the claim is false."""
        self.head["position"] = json.loads(elsewhere(self.text, self.rng).partition("\n")[0])["position"]
        return True

    def game(self) -> bool:
        """More or fewer in a row, or only exactly so many."""
        board, _, k = self.head["game"].rstrip("e").partition("k")
        more = self.rng.choice([-1, 0, 0, 1])
        e = "" if self.head["game"].endswith("e") else "e"
        self.head["game"] = f"{board}k{int(k) + more}{e}"
        return True


CHANGES = tuple(name for name in vars(Draft) if name[0] != "_" and name not in ("text", "pick", "turn", "below"))
LAST = ("dropped", "unanswered", "added", "grafted", "referred")  # after these the nodes are no longer where they were


def _cells(line: str) -> list[str]:
    return [word for word in line.split() if word.isdecimal()]


def altered(text: str, rng: random.Random) -> tuple[str, str]:
    """A certificate with one or two things changed, and what was changed last."""
    draft, what = Draft(text, rng), ""
    for _ in range(rng.choice([1, 1, 2])):
        name = rng.choice([name for name in CHANGES if not what or name not in ("elsewhere", *LAST)])
        if what not in LAST and getattr(draft, name)():
            what = name
    return draft.text, what


def agree(number: int, seed: int) -> None:
    """On so many certificates, most of them with something changed: of every kind and by every change, good and bad."""
    rng, said, kinds = random.Random(seed), defaultdict[str, Counter[bool]](Counter), Counter[str]()
    for text, _ in proofs():
        assert second(text), text
    for before, means in weighed(rng):
        if sum(each.total() for each in said.values()) == number:
            break
        after, what = (changed(before, rng)[0], "any") if rng.random() < 0.1 else altered(before, rng)
        if after == before:
            continue
        holds = first(after)
        assert second(after) == holds, after
        said[what][holds] += 1
        kinds.update(means)
    assert {name for name in (*CHANGES, "any") if said[name][False] < number // 400} == set(), said
    assert {name for name in CHANGES if not said[name][True]} == {"elsewhere"}, said
    assert {name for name in ("unanswered", "instead", "spent") if said[name][True] < number // 400} == set(), said
    assert {kind for kind in KINDS if kinds[kind] < number // 50} == set(), kinds
    assert sum(each[True] for each in said.values()) > number // 10, said


@native
def test_both_checkers_agree_on_ten_thousand_good_and_bad_certificates() -> None:
    agree(10_000, 1)


@native
@pytest.mark.slow
def test_both_checkers_agree_on_a_hundred_thousand_good_and_bad_certificates() -> None:
    agree(100_000, 2)


def true(number: int, seed: int) -> None:
    """So many parts that hold only because some replies need no answer: what both checkers pass is so."""
    left = number
    for position, player, text in holders(seed):
        assert (first(text), second(text)) == (True, True), text
        assert is_true(f"{player} holds", x_gets(position)), text
        left -= passes(text)
        if not left:
            return


@native
def test_what_holds_by_leaving_replies_unanswered_is_true() -> None:
    true(100, 3)


@native
@pytest.mark.slow
def test_what_holds_by_leaving_replies_unanswered_is_true_a_thousand_times() -> None:
    true(1_000, 4)


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.name)
def test_the_second_checker_passes_what_comes_with_the_package(path: Path) -> None:
    assert second_checker.check(path) == (True, "")


# What is easily read in two ways

LARGE = "/".join(["." * 33] * 33)
ROWS = [*["XO" * 16 + "X"] * 17, *["OX" * 16 + "O"] * 16]  # many columns of X and of O
FULL = "/".join(ROWS)
STANDS = ("a 0 3 6 3", "p", "p", "p", "end")  # a reply on 3 lies in no line without 0, nor without 6
THREE = {"position": "O.XX.OX.OX.OX.OX...XOO"}
WAITS = ("10 13 1 4", "13 1", *"141411141")
DALLIES = ("10 1 16", "1", "4", "13 1", *"141141")  # it waits where O replies on 16
FOUR = {"position": "O.XXX.OX.OX.OX.OX....XOOO"}  # O has four moves to make
ENDING = {"position": ".X.O/...X/..O.", "claim": "O holds"}
FORKS = {"position": "XXOO.O.X../.OXOXO.X..", "claim": "O holds"}  # O threatens, and X has two forks: X wins


@pytest.mark.parametrize(
    ("holds", "text"),
    [
        (True, certificate("3x3k3e", "X stealing", "end", claim="X holds")),  # no run is longer
        (True, certificate("3x3k1e", "X stealing", "end", claim="X holds")),
        (True, certificate("33x33k8", "X stealing", "end", claim="X holds")),
        (False, certificate("33x33k8", "X wins", "0", "end")),
        (False, certificate("33x33k8", "O holds", "a", "end", claim="O holds")),
        (False, certificate("33x33k5", "O over", "end", position=FULL, claim="O holds")),  # X has a line
        (False, certificate("33x33k5", "O over", "X over", "end", position=FULL, claim="tie")),
        (True, certificate("33x33k33", "O over", "X over", "end", position=FULL, claim="tie")),
        (True, certificate("1x5k3", "X over", "end", position="XXXOO", claim="X wins")),
        (False, certificate("1x6k3", "X over", "end", position="XXXOO.", claim="O holds")),
        (False, certificate("1x7k3", "X over", "end", position="XXXOO.O", claim="X wins")),  # X is to move
        (False, certificate("3x3k3", "XO wins", "0", "end")),
        (False, certificate("3x3k3", "XO over", "end")),
        (False, certificate("3x3k3", "", "end")),
        (True, certificate("1x7k3", " X  wins", "7: 02\t1", "7: 1 ", "4", " end", position="O..X...")),
        (False, certificate("1x7k3", "X wins", "a: 2 1", "1", "4", "end", position="O..X...")),
        (True, certificate("1x6k4", "O holds", "9: weak p 2 3", "end", claim="O holds")),
        (False, certificate("1x6k4", "O holds", "weak weak p 2 3", "end", claim="O holds")),
        (False, certificate("1x6k4", "O holds", "weak 9: p 2 3", "end", claim="O holds")),
        (False, certificate("1x6k4", "O holds", "p 2 3", "end", claim="O holds").replace(": 1,", ": true,")),
        (False, certificate("1x6k4", "O holds", "p 2 3", "end", claim="O holds")[:-1]),
        # X blocks the threat, and O would need it in the node referred to
        (False, certificate("2x10k3", "O holds", "a 6 8 4 8", "1: a 4 18", "p", "@1 0", "end", **FORKS)),
        # weak: X may have blocked the line that O completes on 4
        (False, certificate("2x10k3", "O holds", "weak a 6 4 8 4 9 4 16 4 18 4 19 4", "end", **FORKS)),
        # X completes a line on 3 or on 6: one of them must be answered, whatever another answer does without
        (True, certificate("1x8k3", "X holds", "m 4", "a 6 3", "end", position="..O..X..", claim="X holds")),
        (True, certificate("1x8k3", "X holds", "m 4", "a 3 6", "end", position="..O..X..", claim="X holds")),
        (False, certificate("1x8k3", "X holds", "m 4", "a 1 6", "end", position="..O..X..", claim="X holds")),
        (False, certificate("3x3k3", "X holds", "m 6", "a 3 1", "p", "end", position="..O/.OX/..X", claim="X holds")),
        # none of O's lines is left, but nothing says that they do not count: all cells are used
        (True, certificate("3x4k4", "O holds", "a 8 5 11 4", "1: weak a", "@1 0", "end", **ENDING)),
        (False, certificate("3x4k4", "O holds", "a 8 5 11 4", "1: a", "@1 0", "end", **ENDING)),
        # not used, so let pass above: what `weak a` does not name, and of two cells that stand for another the higher
        (True, certificate("2x4k3", "X holds", "a 5 6", "weak a", "end", position="..X./....", claim="X holds")),
        (True, certificate("3x3k3", "O holds", "weak a 7 8 0 6", *STANDS, position=".XO/.OX/...", claim="O holds")),
        # X completes a line whenever they like, and waits: too long, if O has three moves for nothing in 16 to 18
        (False, certificate("1x22k3", "X wins", "7 10 13 1 4", *WAITS, "end", **THREE)),
        (True, certificate("1x22k3", "X wins", "7 10 13 1 4 16 17 18", *WAITS, *"111", "end", **THREE)),
        (False, certificate("1x22k3", "X wins", "7 10 13 1 4", *DALLIES, "end", **THREE)),
        (True, certificate("1x22k3", "X wins", "7 10 13 1 4 17 18", *DALLIES, *"11", "end", **THREE)),
        (True, certificate("1x25k4", "X wins", "8 11 14 1 5", "11 14 1 5", "14 1", *"151511151", "end", **FOUR)),
        # four in a row are nothing
        (False, certificate("1x9k3e", "X wins", "2", "end", position="XX.X.OO.O")),
        (False, certificate("1x9k3e", "X over", "end", position="XXXX.OO.O", claim="X wins")),
    ],
)  # fmt: skip
def test_both_read_the_same(holds: bool, text: str) -> None:
    assert json.loads(text.partition("\n")[0])["noughts"] == "certificate"
    assert (first(text), second(text)) == (holds, holds)
