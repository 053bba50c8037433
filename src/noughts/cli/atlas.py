"""noughts atlas: the table of solved games."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import click

from noughts.cli.kit import (
    Parsed,
    Place,
    answer,
    argument,
    csv_option,
    option,
    query,
    ready_csv,
    say,
    svg_option,
    table,
    write_csv,
    write_svg,
)
from noughts.proofs import proven as beyond
from noughts.solve import atlas
from noughts.solve.machine import parse_size
from noughts.solve.problems import InvalidSolve
from noughts.words import about, several, size

GRID_K = 10  # columns of the grid; beyond, all games of the atlas are ties, on one row or two


@query
@argument("game", required=False)
@option("--check", is_flag=True, help="Solve the games again, and compare.")
@option("--rebuild", is_flag=True, help="Solve the games again, and write the atlas.")
@option("--large", is_flag=True, help="Do so for 4x6 and 5x5 too, and on a GPU beyond: minutes and gigabytes.")
@option("--upto", type=int, metavar="CELLS", help="Do so for all boards of at most so many cells.")
@option("--scratch", type=Place(), metavar="DIR", help="Solve those beyond 25 cells on disk, in DIR, or go on there.")
@option("--memory", type=Parsed("size", parse_size), metavar="SIZE", help="Take no more for a large one, as in 4GB.")
@option("--proven", is_flag=True, help="Show what is proven or published beyond the solved games.")
@option(
    "--certificates", type=Place(exists=True, file_okay=False), metavar="DIR", help="Check the certificates in DIR."
)
@csv_option("the table")
@svg_option("the table")
def run(
    game: str | None, check: bool, rebuild: bool, large: bool, upto: int | None, scratch: Path | None,
    memory: int | None, proven: bool, certificates: Path | None, sheet: Path | None, picture: Path | None,
) -> None:  # fmt: skip
    """Show the table of solved games: who wins, and in how many plies.

    All boards of at most 20 cells with rows <= columns, 4x6, 5x5 and some of 26 to 28 cells; every k from 2, standard
    and misere, but not exact (4x4k3e); and where marks fall, those of at most 20 cells and four in a row on some larger
    ones. With a game or a board (4x4k4, 4x4, 4x4g) only its rows, and how many positions there are. Beyond that some
    larger games are proven (--proven), with certificates for noughts check; make proofs makes them, --certificates DIR
    checks those in a folder. Exit status: 1 if one of them does not hold.
    """
    if (proven or certificates) and (rebuild or check or sheet or picture or (proven and certificates)):
        raise InvalidSolve("--proven and --certificates are asked alone")
    if certificates:
        checked = answer(beyond.checking(certificates), show_checked)
        if not all(row.holds for row in checked):
            click.get_current_context().exit(1)
        return
    asked = proven or (game and not rebuild and not check and not atlas.has(game))
    if asked and (rows_beyond := beyond.find(game)):  # of a game that is solved its rows are shown all the same
        answer(rows_beyond, show_proven)
        return
    if rebuild and check:
        raise InvalidSolve("--check compares with the atlas and --rebuild writes it anew: choose one")
    if not (rebuild or check) and (upto is not None or scratch or memory):
        raise InvalidSolve("--upto, --scratch and --memory say what --check and --rebuild solve again, and how")
    ready_csv(sheet, picture)
    rows = atlas.find(game)
    again = atlas.solving_again(rows, rebuild=rebuild, large=large, upto=upto, scratch=scratch, memory=memory)
    found = again if rebuild or check else rows
    told = answer(found, partial(show, whole=game is None))
    names = ["positions", "classes", "win", "loss", "tie"]
    counts = ([row.game, row.value, *(getattr(row, name) for name in names)] for row in told if row.computed)
    write_csv(sheet, ["game", "value", *names], counts)
    if picture:
        from noughts.lab import gallery

        write_svg(picture, gallery.of_atlas(told))


def show(rows: list[atlas.Row], *, whole: bool) -> None:
    """Print the atlas: one cell a game when it is all of it, else a line a game with its counts."""
    if whole:
        for falls in (False, True):
            for wins in (True, False):
                kind = [row for row in rows if (row.game.gravity, row.game.rule.completing_wins) == (falls, wins)]
                _grid(
                    kind,
                    f"{'Marks fall, and completing' if falls else 'Completing'} a line "
                    f"{'wins' if wins else 'loses (misere)'}:",
                )
        say("X, O: who wins, and in how many plies; =: a tie; ?: not computed. A single row of n cells: 1xn.")
        say("noughts atlas 4x4 gives the counts of a board, noughts atlas --json everything.")
        say("")
        show_proven(beyond.find())
        return
    names = ["positions", "classes", "win", "loss", "tie"]
    table(
        ["game", "value", *names, "time", "solved by"],
        [
            (row.game, _short(row), *(getattr(row, name) for name in names), about(row.seconds or 0), _by(row))
            if row.computed
            else (row.game, "not computed", *[""] * 7)
            for row in rows
        ],
    )


def show_proven(rows: list[beyond.ProvenGame]) -> None:
    """Print what is proven beyond the solved games, what is only published, and what is open."""
    table(
        ["game", "value", "known", "nodes", "time", "certificate"],
        [
            (row.game, row.sentence.partition(",")[0], row.standing, row.nodes, about(row.seconds or 0), _size(row))
            if row.standing == "proven"
            else (row.game, row.sentence.partition(",")[0], "published", "", "", "")
            for row in rows
        ],
    )
    for row in rows:
        if row.source:
            say(f"{row.game}: {row.sentence}.")
    for words in beyond.IN_WORDS:
        say(words)


def _size(row: beyond.ProvenGame) -> str:
    return f"{size(row.certificate_bytes or 0)}{' (at hand)' if row.at_hand else ''}"


def show_checked(rows: list[beyond.CertificateAtHand]) -> None:
    """Print which certificates hold."""
    for row in rows:
        same = {True: ", the one of the table", False: ", another one than the table tells of", None: ""}[row.same]
        held = f"holds ({several(row.nodes, 'line')}, {about(row.seconds)}{same})" if row.holds else f"no: {row.reason}"
        say(f"{row.file}: {row.game} {row.claim}: {held}" if row.game else f"{row.file}: {held}")
    say(f"{beyond.summary(rows)}.")


def _grid(rows: list[atlas.Row], title: str) -> None:
    say(title)
    boards: dict[str, dict[int, str]] = {}
    for row in rows:
        boards.setdefault(f"{row.game.rows}x{row.game.columns}", {})[row.game.k] = _short(row)
    ks = range(2, GRID_K + 1)
    table(["", *(f"k={k}" for k in ks)], [(board, *(cells.get(k, "") for k in ks)) for board, cells in boards.items()])
    if beyond := [row for row in rows if row.game.k > GRID_K]:
        ties = sum(row.value == "tie" for row in beyond)
        say(f"      k > {GRID_K}: {len(beyond)} games of one row or two, {ties} of them ties")
    say("")


def _short(row: atlas.Row) -> str:
    """A value in a few characters: X 5, O 8, = or ?."""
    signs: dict[Any, str] = {"win": f"X {row.remoteness}", "loss": f"O {row.remoteness}", "tie": "=", None: "?"}
    return signs[row.value]


def _by(row: atlas.Row) -> str:
    return ", ".join(row.solved_by or ())
