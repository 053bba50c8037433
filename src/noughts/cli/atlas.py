"""noughts atlas: the table of solved games."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

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
from noughts.solve import atlas
from noughts.solve.machine import parse_size
from noughts.solve.problems import InvalidSolve
from noughts.words import about

GRID_K = 10  # columns of the grid; beyond, all games of the atlas are ties, on one row or two


@query
@argument("game", required=False)
@option("--check", is_flag=True, help="Solve the games again, and compare.")
@option("--rebuild", is_flag=True, help="Solve the games again, and write the atlas.")
@option("--large", is_flag=True, help="Do so for 4x6 and 5x5 too, and on a GPU beyond: minutes and gigabytes.")
@option("--upto", type=int, metavar="CELLS", help="Do so for all boards of at most so many cells.")
@option("--scratch", type=Place(), metavar="DIR", help="Solve those beyond 25 cells on disk, in DIR, or go on there.")
@option("--memory", type=Parsed("size", parse_size), metavar="SIZE", help="Take no more for a large one, as in 4GB.")
@csv_option("the table")
@svg_option("the table")
def run(
    game: str | None, check: bool, rebuild: bool, large: bool, upto: int | None, scratch: Path | None,
    memory: int | None, sheet: Path | None, picture: Path | None,
) -> None:  # fmt: skip
    """Show the table of solved games: who wins, and in how many plies.

    All boards of at most 20 cells with rows <= columns, 4x6, 5x5 and some of 26 to 28 cells; every k from 2, standard
    and misere, but not exact (4x4k3e); and where marks fall, those of at most 20 cells and four in a row on some larger
    ones. With a game or a board (4x4k4, 4x4, 4x4g) only its rows, and how many positions there are.
    """
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
        say("Nine or more in a row: a tie on every board, to 256 x 256, by pairs of cells (noughts prove 20x20k9).")
        say("Eight in a row: published as a tie (Zetters 1980), which noughts certifies where pairs do (12x12k8).")
        say("noughts atlas 4x4 gives the counts of a board, noughts atlas --json everything.")
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
