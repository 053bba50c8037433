"""The sources in full: who wrote them, what they are called, when and where, and all of that as BibTeX.

What a source does not say of itself is left out, not guessed.
"""

from __future__ import annotations

from dataclasses import dataclass

from noughts.lab.machine import installed

DOI = "https://doi.org/"


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
    link: str = ""  # a DOI as https://doi.org/…

    def __str__(self) -> str:
        """The citation as a list of references has it.

        >>> print(CITATIONS["gordon"])
        Aaron Gordon: A General Algorithm for Tic-Tac-Toe Board Evaluation. Fort Lewis College, Durango. It names ...
        """
        who = " and ".join(" ".join(reversed(name.split(", "))) for name in self.authors)
        parts = [f"{who}: {self.title}" if who else self.title, self.where, str(self.year or ""), self.note, self.link]
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
        place = {
            "techreport": "institution",
            "manual": "organization",
            "mastersthesis": "school",
            "article": "journal",
        }.get(self.kind, "howpublished")
        fields = {
            "title": self.title, "author": " and ".join(self.authors), "year": str(self.year or ""), place: self.where,
            "note": self.note, "doi" if self.link.startswith(DOI) else "url": self.link.removeprefix(DOI),
        }  # fmt: skip
        told = "".join(f"  {name} = {{{text.replace('&', chr(92) + '&')}}},\n" for name, text in fields.items() if text)
        return f"@{self.kind}{{{self.key},\n{told}}}"


CITATIONS = {
    each.key: each
    for each in (
        Citation(
            "prajoda", "Optimization of Tic-Tac-Toe Game Status Analysis Using Boolean Algebra Approach",
            ("Prajoda, Muhammad Hazim Ramadhan",), 2025, "Institut Teknologi Bandung", "techreport",
            "A student's paper of 7 January 2025; it names no address",
        ),
        Citation(
            "gordon", "A General Algorithm for Tic-Tac-Toe Board Evaluation", ("Gordon, Aaron",),
            where="Fort Lewis College, Durango", kind="techreport",
            note="It names no year; its references are of July 2005",
        ),
        Citation(
            "lastmove", "Tic Tac Toe Game Over Detection Algorithm: From Fixed Tables to General Solutions", (), 2025,
            note="An article of 23 November 2025 that names no author", link="http://www.kouhan.cn/en/article/00019775",
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


LITERATURE = {  # what else the pages speak of
    each.key: each
    for each in (
        Citation(
            "hales1963", "Regularity and positional games", ("Hales, A. W.", "Jewett, R. I."), 1963,
            "Transactions of the American Mathematical Society 106, pages 222 to 229", "article",
            link="https://doi.org/10.1090/S0002-9947-1963-0143712-1",
        ),
        Citation(
            "zetters1980", "8 (or more) in a row", ("Zetters, T. G. L.",), 1980,
            "American Mathematical Monthly 87, pages 575 to 576", "article",
        ),
        Citation(
            "allis1988", "A Knowledge-based Approach of Connect-Four: The Game is Solved: White Wins",
            ("Allis, Victor",), 1988, "Vrije Universiteit, Amsterdam", "mastersthesis",
            link="https://www.informatik.uni-trier.de/~fernau/DSL0607/Masterthesis-Viergewinnt.pdf",
        ),
        Citation(
            "allis1993", "Go-Moku and Threat-Space Search",
            ("Allis, L. V.", "van den Herik, H. J.", "Huntjens, M. P. H."), 1993, "University of Limburg", "techreport",
            link="https://www.researchgate.net/publication/2252447_Go-Moku_and_Threat-Space_Search",
        ),
        Citation(
            "hsu2020", "On solving the 7,7,5-game and the 8,8,5-game",
            ("Hsu, Wei-Yuan", "Ko, Chu-Ling", "Chen, Jr-Chang", "Wei, Ting-Han", "Hsueh, Chu-Hsuan", "Wu, I-Chen"),
            2020, "Theoretical Computer Science 815, pages 79 to 94", "article",
            link="https://doi.org/10.1016/j.tcs.2020.02.023",
        ),
        Citation(
            "czifra2021", "Towards solving the 7-in-a-row game",
            ("Czifra, Domonkos", "Csóka, Endre", "Zombori, Zsolt", "Makay, Géza"), 2021, "arXiv",
            link="https://arxiv.org/abs/2107.05363",
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
    """The sources and what else the pages speak of, or one source, and noughts, as a file of BibTeX."""
    every = CITATIONS if source else {**CITATIONS, **LITERATURE}
    found = [each for key, each in every.items() if source in (None, key)]
    return "\n\n".join(each.bibtex for each in (*found, own())) + "\n"
