"""The sources in full: who wrote them, what they are called, when and where, and all of that as BibTeX.

What a source does not say of itself is left out, not guessed.
"""

from __future__ import annotations

from dataclasses import dataclass

from noughts.lab.machine import installed


@dataclass(frozen=True)
class Citation:
    """A text that can be cited."""

    key: str
    title: str
    authors: tuple[str, ...] = ()  # family name first, as BibTeX sorts them
    year: int | None = None
    where: str = ""
    kind: str = "misc"
    note: str = ""

    def __str__(self) -> str:
        """The citation as a list of references has it.

        >>> print(CITATIONS["gordon"])
        Aaron Gordon: A General Algorithm for Tic-Tac-Toe Board Evaluation. Fort Lewis College, Durango.
        """
        who = " and ".join(" ".join(reversed(name.split(", "))) for name in self.authors)
        parts = [f"{who}: {self.title}" if who else self.title, self.where, str(self.year or ""), self.note]
        return ". ".join(part for part in parts if part) + "."

    @property
    def bibtex(self) -> str:
        r"""The citation as an entry of BibTeX.

        >>> print(CITATIONS["minimax"].bibtex)
        @misc{minimax,
          title = {The Game of Tic-Tac-Toe: Minimax Algorithm \& Alpha-Beta Pruning Analysis},
          note = {A report without author and year},
        }
        """
        place = {"techreport": "institution", "manual": "organization"}.get(self.kind, "howpublished")
        fields = {
            "title": self.title, "author": " and ".join(self.authors), "year": str(self.year or ""), place: self.where,
            "note": self.note,
        }  # fmt: skip
        told = "".join(f"  {name} = {{{text.replace('&', chr(92) + '&')}}},\n" for name, text in fields.items() if text)
        return f"@{self.kind}{{{self.key},\n{told}}}"


CITATIONS = {
    each.key: each
    for each in (
        Citation(
            "prajoda", "Optimization of Tic-Tac-Toe Game Status Analysis Using Boolean Algebra Approach",
            ("Prajoda, Muhammad Hazim Ramadhan",), 2025, "Institut Teknologi Bandung", "techreport",
        ),
        Citation(
            "gordon", "A General Algorithm for Tic-Tac-Toe Board Evaluation", ("Gordon, Aaron",),
            where="Fort Lewis College, Durango", kind="techreport",
        ),
        Citation(
            "lastmove", "Tic Tac Toe Algorithm: Game State Detection, Java Implementation",
            note="An article without author and year, named here by its keywords",
        ),
        Citation(
            "gamescrafters", "GamesCrafters Tic Tac Toe: Documentation for Developers",
            ("So, Michael", "Lin, Moonway", "Garcia, Dan"), 2007, "GamesCrafters", "manual",
            "Version 1.0.2 of 4 December 2007",
        ),
        Citation(
            "minimax", "The Game of Tic-Tac-Toe: Minimax Algorithm & Alpha-Beta Pruning Analysis",
            note="A report without author and year",
        ),
    )
}  # fmt: skip


def own() -> Citation:
    """noughts itself, in the version that runs."""
    return Citation(
        "noughts", "noughts: the laboratory for tic-tac-toe and every k-in-a-row game", ("{the noughts authors}",),
        kind="software", note=f"Version {installed('noughts') or 'unknown'}",
    )  # fmt: skip


def bibliography(source: str | None = None) -> str:
    """The sources, or one of them, and noughts, as a file of BibTeX."""
    found = [each for key, each in CITATIONS.items() if source in (None, key)]
    return "\n\n".join(each.bibtex for each in (*found, own())) + "\n"
