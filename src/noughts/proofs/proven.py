"""Games beyond those that are solved: which are proven here, which only the literature knows, and what is open.

`games.json` is written by `make proofs`, a row for each game that it proved: the claim, what it took, and the checksum
of the certificate. Small certificates come with the package (`games/`), so that anyone can check them, and play
against them; the others are made again by `make proofs`. PUBLISHED is what others have found, with where they say so:
it is not checked here, and not called proven.
"""

from __future__ import annotations

import gzip
import hashlib
import json
from collections.abc import Generator, Iterable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from time import monotonic
from typing import Literal

from noughts.progress import Progress
from noughts.proofs.check import Unreadable, check
from noughts.proofs.opponent import Against, ProofOpponent
from noughts.rules.answer import SIZE, Answer
from noughts.rules.game import Game
from noughts.rules.notation import parse_move
from noughts.rules.value import Outcome
from noughts.words import brief, listing, several

TABLE = Path(__file__).with_name("games.json")
FOLDER = Path(__file__).with_name("games")
ENDING = ".proof.gz"

HSU = "Hsu, Ko, Chen, Wei, Hsueh, Wu, On solving the 7,7,5-game and the 8,8,5-game, Theoretical Computer Science (2020)"
ALLIS = "Allis, van den Herik and Huntjens, Go-Moku and threat-space search (1993)"
CHARATSIDIS = "Charatsidis, Solving Four-in-a-Row on 9x4 and 10x4 Boards, bachelor thesis, Maastricht University (2017)"
PUBLISHED: tuple[tuple[str, Outcome, str], ...] = (
    ("4x9k4", "win", CHARATSIDIS),
    ("4x10k4", "win", CHARATSIDIS),
    ("8x8k5", "tie", HSU),
    ("15x15k5", "win", ALLIS),
    ("15x15k5e", "win", ALLIS),
)
IN_WORDS = (  # what is known of boards of every size
    "Nine or more in a row: a tie on every board, to 256 x 256, by pairs of cells (noughts prove 20x20k9).",
    "Eight in a row: published as a tie (Zetters 1980), which noughts certifies where pairs do (12x12k8).",
    "Six and seven in a row on boards without an edge, and five from 9x9 to 14x14: open here.",
)


class NotProven(ValueError):
    """A game of which no certificate is at hand."""


@dataclass(frozen=True)
class ProvenGame(Answer):
    """A game whose value is proven, or published."""

    keys = (
        "game value remoteness within standing how source nodes seconds certificate_lines certificate_bytes sha256 "
        f"at_hand sentence {SIZE}"
    )

    game: Game
    value: Outcome
    standing: Literal["proven", "published"]
    remoteness: int | None = None  # where no quicker win exists
    within: int | None = None  # plies that the proven win takes at most
    how: tuple[str, ...] = ()
    source: str | None = None  # who published it
    nodes: int | None = None
    seconds: float | None = None  # of processor time, the check included
    certificate_lines: int | None = None
    certificate_bytes: int | None = None  # compressed
    sha256: str | None = None  # of its text

    @property
    def file(self) -> Path:
        """Where its certificate is, if it comes with the package."""
        return FOLDER / f"{self.game}{ENDING}"

    @property
    def at_hand(self) -> bool:
        """Does its certificate come with the package?"""
        return self.file.exists()

    @property
    def sentence(self) -> str:
        """What is known, in words."""
        plies = f" {'in' if self.remoteness else 'within'} {self.within} plies" if self.within else ""
        value = {"win": f"X wins{plies}", "tie": "a tie", "loss": "O wins"}[self.value]
        return f"{value}, proven here" if self.standing == "proven" else f"{value}, not checked here: {self.source}"


@dataclass(frozen=True)
class ProvenGames(Answer):
    """What is known beyond the solved games."""

    keys = "beyond open_questions"

    @property
    def beyond(self) -> tuple[ProvenGame, ...]:
        """The games that are proven here, then those that are only published."""
        return tuple(load().values())

    @property
    def open_questions(self) -> tuple[str, ...]:
        """What is known of boards of every size, and what is open, in sentences."""
        return IN_WORDS


VALUES: dict[str, Outcome] = {"X wins": "win", "O wins": "loss", "tie": "tie"}


@cache
def load() -> dict[Game, ProvenGame]:
    """Every game that is proven here, then those that are only published.

    >>> load()[Game(7, 7, 5)].sentence, load()[Game(15, 15, 5)].standing
    ('a tie, proven here', 'published')
    """
    found = {}
    for row in json.loads(TABLE.read_text(encoding="ascii")):
        game, claim = Game.parse(row.pop("game")), row.pop("claim")
        found[game] = ProvenGame(game, VALUES[claim], "proven", how=tuple(row.pop("how")), **row)
    for name, value, source in PUBLISHED:
        found.setdefault(game := Game.parse(name), ProvenGame(game, value, "published", source=source))
    return found


def find(name: str | None = None) -> list[ProvenGame]:
    """The rows of a game or a board, also turned by a quarter; all of them without a name.

    >>> [str(row.game) for row in find("6x5k4")]
    ['5x6k4']
    """
    return [row for game, row in load().items() if name is None or name in _names(game)]


def _names(game: Game) -> set[str]:
    both = game, game.on(game.columns, game.rows)
    return {name for each in both for name in (str(each), f"{each.rows}x{each.columns}")}


@lru_cache(maxsize=8)
def opponent(name: str) -> ProofOpponent:
    """The proof of a game that comes with the package, to play against."""
    at_hand = [str(row.game) for row in load().values() if row.at_hand]
    if name not in at_hand:
        raise NotProven(f"no proof of {brief(name)} is at hand: expected {listing(at_hand, 'or')}")
    return ProofOpponent.open(FOLDER / f"{name}{ENDING}")


def play_against(name: str, moves: Sequence[str]) -> Against:
    """A game against the proof of a game that comes with the package: the challenger's moves by name, each answered.

    >>> game = play_against("5x5k5", ["c3", "a1"])
    >>> len(game.line), game.side, game.open_lines > 0
    (4, <Mark.O: 'O'>, True)
    """
    proof = opponent(name)
    return proof.against([parse_move(proof.game, move) for move in moves])


@dataclass(frozen=True)
class CertificateAtHand(Answer):
    """What came of a certificate in a folder."""

    keys = "file game claim holds reason nodes seconds same"

    file: str
    game: str
    claim: str
    holds: bool
    reason: str | None
    nodes: int
    seconds: float
    same: bool | None  # is it the very one that the table tells of? None if the table has no such game


def checking(folder: Path) -> Generator[Progress, None, list[CertificateAtHand]]:
    """Check every certificate in a folder; NotProven if there is none. A file that is none of ours is told as such."""
    files = sorted(path for path in folder.iterdir() if path.is_file() and path.name.endswith((ENDING, ".proof")))
    if not files:
        raise NotProven(f"{folder} has no certificates: their names end in {ENDING} or .proof")
    found = []
    for number, path in enumerate(files):
        yield Progress(f"checking {path.name}", number, len(files))
        start = monotonic()
        try:
            ruled = check(path)
            known = load().get(Game.parse(ruled.game)) if not set(ruled.position) & {"X", "O"} else None
            same = _sha256(path) == known.sha256 if known and known.sha256 else None
            row = (ruled.game, ruled.claim, ruled.holds, ruled.reason or None, ruled.nodes)
        except (Unreadable, OSError) as problem:
            row, same = ("", "", False, str(problem), 0), None
        found.append(CertificateAtHand(path.name, *row, monotonic() - start, same))
    return found


def summary(found: Iterable[CertificateAtHand]) -> str:
    """How many of them hold, in words."""
    rows = list(found)
    held = sum(row.holds for row in rows)
    return f"{several(held, 'certificate')} of {len(rows)} {'holds' if held == 1 else 'hold'}"


def _sha256(path: Path) -> str:
    digest = hashlib.sha256()
    with gzip.open(path) if path.name.endswith(".gz") else path.open("rb") as file:
        while block := file.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()
