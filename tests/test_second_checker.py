"""Two checkers of certificates, the second written from the page alone, say the same of good and bad ones."""

from __future__ import annotations

import json
import random
from collections import Counter
from pathlib import Path

import pytest
import second_checker
from claims import checked
from conftest import native
from test_certificates import certificate
from test_mutants import changed, elsewhere, proofs, weighed

from noughts.proofs import check

SHIPPED = sorted((Path(check.__file__).parent / "games").glob("*.gz"))


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


def agree(number: int, seed: int, far: float) -> None:
    """On so many certificates with one to three things changed; `far`: the share of those of another position."""
    rng, said = random.Random(seed), Counter[bool]()
    for text, _ in proofs():
        assert second(text), text
    for before, _ in weighed(rng):
        if said.total() == number:
            break
        text = elsewhere(before, rng) if rng.random() < far else before
        for _ in range(rng.randint(0 if text != before else 1, 3)):
            if text.count("\n") > 2:
                text, _ = changed(text, rng) if text.startswith('{"noughts": "certificate"') else (text, "")
        holds = first(text)
        assert second(text) == holds, text
        said[holds] += 1
    assert min(said[True], said[False]) > number // 20, said


@native
def test_both_checkers_agree_on_a_thousand_good_and_bad_certificates() -> None:
    agree(1_000, 1, 0)


@native
@pytest.mark.slow
def test_both_checkers_agree_on_ten_thousand_good_and_bad_certificates() -> None:
    agree(10_000, 2, 0.3)


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.name)
def test_the_second_checker_passes_what_comes_with_the_package(path: Path) -> None:
    assert second_checker.check(path) == (True, "")


# What is easily read in two ways

LARGE = "/".join(["." * 33] * 33)
ROWS = [*["XO" * 16 + "X"] * 17, *["OX" * 16 + "O"] * 16]  # many columns of X and of O
FULL = "/".join(ROWS)
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
        # four in a row are nothing
        (False, certificate("1x9k3e", "X wins", "2", "end", position="XX.X.OO.O")),
        (False, certificate("1x9k3e", "X over", "end", position="XXXX.OO.O", claim="X wins")),
    ],
)  # fmt: skip
def test_both_read_the_same(holds: bool, text: str) -> None:
    assert json.loads(text.partition("\n")[0])["noughts"] == "certificate"
    assert (first(text), second(text)) == (holds, holds)
