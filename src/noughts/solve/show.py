"""What `noughts solve` and `noughts atlas` show: answers on stdout, what to expect and how far it is on stderr."""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path
from typing import Any, TypeVar

import click

from noughts import words
from noughts.files import check_target
from noughts.meter import progress_meter
from noughts.progress import Progress, finish
from noughts.rules.game import Game
from noughts.solve import atlas
from noughts.solve.export import MAX_POSITIONS, exporting
from noughts.solve.folder import open_levels
from noughts.solve.job import Expected
from noughts.solve.machine import parse_size
from noughts.solve.problems import DatabaseError, InvalidSolve, TooLarge
from noughts.solve.solution import Solution
from noughts.solve.strong import expect, solving, solving_in_memory
from noughts.solve.summary import Summary
from noughts.solve.verification import SAMPLE, Verified, verifying
from noughts.words import about, brief, several

T = TypeVar("T")

MAX_DIGITS = 18  # of a number of positions; Python refuses to read one of thousands


# solve


def solve_command(
    game: str | None,
    *,
    threads: int | None,
    memory: str | None,
    save: Path | None,
    compress: bool,
    verify_: Path | None,
    sample: str | None,
    export_: Path | None,
    backend: str | None,
) -> Summary | Verified:
    """What the options of `noughts solve` ask for."""
    if verify_ is not None:
        if save or compress or export_ or memory or backend:
            raise InvalidSolve("--verify checks a solution that is there: it goes with --sample and --threads only")
        return _verify(game, verify_, sample, threads)
    if game is None:
        raise InvalidSolve("which game? Name one, as in noughts solve 4x4k4")
    if sample is not None:
        raise InvalidSolve("--sample says how much --verify derives again")
    if compress and save is None:
        raise InvalidSolve("--compress says how --save writes: give it a folder")
    chosen, limit = Game.parse(game), None if memory is None else parse_size(memory)
    if export_ is not None:
        _check_export(chosen, export_)
    how: Any = {"threads": threads, "memory": limit, "backend": backend}
    if export_ is None or save is not None:
        summary = _showing(solving(chosen, save=save, compress=compress, **how))
    else:
        summary, levels = _showing(solving_in_memory(chosen, **how))
    if save is not None:
        if compress and (raw := sum(level.raw for level in open_levels(save, chosen))):
            click.echo(f"noughts: {several(raw, 'level')} there already, uncompressed, stay so", err=True)
        click.echo(f"noughts: saved in {save}; from Python: noughts.solve.Solution.open({str(save)!r})", err=True)
    if export_ is not None:
        solution = Solution(chosen, levels, summary.levels) if save is None else Solution.open(save)
        _showing(exporting(solution, export_))
    return summary


def _check_export(game: Game, path: Path) -> None:
    check_target(path)
    about = expect(game, threads=1).positions
    if about > 2 * MAX_POSITIONS:
        raise TooLarge(f"{game} has about {about:,} positions: an export takes at most {MAX_POSITIONS:,}")


def _verify(game: str | None, folder: Path, sample: str | None, threads: int | None) -> Verified:
    with Solution.open(folder) as solution:
        if game is not None and Game.parse(game) != solution.game:
            raise InvalidSolve(f"{folder} holds {solution.game}, not {game}")
    return _showing(verifying(folder, sample=_sample(sample), threads=threads))


def _sample(text: str | None) -> int | None:
    if text is None:
        return SAMPLE
    if text == "all":
        return None
    if not text.isdecimal() or len(text) > MAX_DIGITS or int(text) < 1:
        raise InvalidSolve(f"--sample takes a number of positions or all, not {brief(text)}")
    return int(text)


def show(found: Summary | Verified) -> None:
    """Print an answer."""
    if isinstance(found, Verified):
        show_verified(found)
    else:
        show_summary(found)


def show_summary(found: Summary) -> None:
    """Print what was found of a game: its value, and its positions by number of marks and by remoteness."""
    plies = several(found.value.plies, "ply", "plies")
    worth = {
        "win": f"X wins in {plies}",
        "loss": f"O wins in {plies}",
        "tie": "a tie with best play",
    }[found.value.outcome]
    click.echo(f"{found.game}: {worth}\n")
    click.echo(f"{'marks':>7}{'positions':>18}{'classes':>18}{'win':>18}{'loss':>18}{'tie':>18}")
    for level in found.levels:
        numbers = [getattr(level.totals, name) for name in ("positions", "classes", "win", "loss", "tie")]
        click.echo(f"{level.marks:>7}" + "".join(f"{number:>18,}" for number in numbers))
    numbers = [found.positions, found.classes, found.win, found.loss, found.tie]
    click.echo(f"{'all':>7}" + "".join(f"{number:>18,}" for number in numbers))
    by = found.by_remoteness
    click.echo(f"\n{'plies to the end':>25}{'win':>18}{'loss':>18}")
    for remoteness in sorted({*by["win"], *by["loss"]}):
        counts = (by["win"].get(remoteness, 0), by["loss"].get(remoteness, 0))
        click.echo(f"{remoteness:>25}" + "".join(f"{count:>18,}" if count else f"{'-':>18}" for count in counts))
    click.echo(
        f"\nPositions that legal play can reach; win, loss and tie are for the player to move.\n"
        f"{about(found.seconds)}, at most {words.size(found.peak_rss_bytes)} of memory, {found.backend}, "
        f"{several(found.threads, 'thread')}"
    )


def show_verified(found: Verified) -> None:
    """Print how much was checked."""
    much = "all" if found.blocks_derived == found.blocks else f"{found.places_derived / found.places:.2g} of all"
    click.echo(
        f"{found.game}: right.\n"
        f"Checksums: all {found.levels} levels, {found.bytes:,} bytes.\n"
        f"Derived again from the level above, by the rules: {found.blocks_derived:,} of {found.blocks:,} blocks, "
        f"{found.places_derived:,} of {found.places:,} stored positions ({much}), in {about(found.seconds)}."
    )


def _showing(work: Generator[Progress, None, T]) -> T:
    """Run long work to its end, and show how far it is; what a solve will take is a line of its own."""
    with progress_meter() as tell:

        def listen(event: Progress) -> None:
            if isinstance(event, Expected):
                click.echo(f"noughts: {event}", err=True)
            else:
                tell(event)

        return finish(work, listen)


# atlas


def atlas_command(name: str | None, *, rebuild: bool, check: bool, large: bool) -> list[atlas.Row]:
    """What the options of `noughts atlas` ask for: the rows, made again or checked if that is wanted."""
    rows = atlas.load()
    wanted = [game for game in rows if name is None or _matches(game, name)]
    if not wanted:
        raise InvalidSolve(
            f"the atlas has no game {brief(name)}: it has boards of at most {atlas.MOST_CELLS} cells, 4x6 and 5x5, "
            "standard and misere"
        )
    if rebuild and check:
        raise InvalidSolve("--check compares with the atlas and --rebuild writes it anew: choose one")
    if rebuild or check:
        todo = [game for game in wanted if large or not atlas.is_large(game)]
        _compute(todo, rows, rebuild=rebuild)
    return [rows[game] for game in wanted]


def _matches(game: Game, name: str) -> bool:
    """Is it asked for by its name, as a board, or turned by a quarter?"""
    turned = game.on(game.columns, game.rows)
    return any(
        name in (str(each), str(each).removesuffix("m"), f"{each.rows}x{each.columns}") for each in (game, turned)
    )


def _compute(todo: list[Game], rows: dict[Game, atlas.Row], *, rebuild: bool) -> None:
    """Solve these games again, and replace their rows or compare them; saved after each board."""
    wrong = []
    with progress_meter() as tell:
        for number, game in enumerate(todo):
            tell(Progress("solving the atlas", number, len(todo)))
            row = atlas.compute(game)
            if rebuild:
                rows[game] = row
                if atlas.is_large(game):
                    atlas.save(rows.values())
            elif rows[game].computed and row.differs(rows[game]):
                wrong.append(f"{game} ({', '.join(row.differs(rows[game]))})")
    if rebuild:
        atlas.save(rows.values())
    if wrong:
        raise DatabaseError(f"the atlas is wrong about {', '.join(wrong[:10])}: {len(wrong)} of {len(todo)} games")
    known = sum(row.computed for row in rows.values())
    outcome = f"written to {atlas.FILE}" if rebuild else "all as in the atlas"
    left = f"{known} of {len(rows)} rows are computed"
    click.echo(f"noughts: {len(todo)} games solved again, {outcome}; {left}", err=True)


def show_atlas(rows: list[atlas.Row], *, whole: bool) -> None:
    """Print the atlas: one cell a game when it is all of it, else a line a game with its counts."""
    if whole:
        for wins in (True, False):
            _grid([row for row in rows if row.game.rule.completing_wins is wins], wins)
        click.echo("X, O: who wins, and in how many plies; =: a tie; ?: not computed. A single row of n cells: 1xn.")
        click.echo("noughts atlas 4x4 gives the counts of a board, noughts atlas --json everything.")
        return
    click.echo(f"{'game':<9}{'value':<9}{'positions':>18}{'classes':>18}{'win':>18}{'loss':>18}{'tie':>18}{'time':>16}")
    for row in rows:
        if not row.computed:
            click.echo(f"{row.game!s:<9}not computed")
            continue
        numbers = (row.positions, row.classes, row.win, row.loss, row.tie)
        time = about(row.seconds or 0)
        click.echo(f"{row.game!s:<9}{_short(row):<9}" + "".join(f"{number:>18,}" for number in numbers) + f"{time:>16}")


GRID_K = 10  # columns of the grid; beyond, all games of the atlas are ties or have one row


def _grid(rows: list[atlas.Row], wins: bool) -> None:
    click.echo("Completing a line wins:" if wins else "Completing a line loses (misere):")
    click.echo(f"{'':<6}" + "".join(f"{f'k={k}':>6}" for k in range(2, GRID_K + 1)))
    boards: dict[str, dict[int, str]] = {}
    for row in rows:
        boards.setdefault(f"{row.game.rows}x{row.game.columns}", {})[row.game.k] = _short(row)
    for board, cells in boards.items():
        click.echo(f"{board:<6}" + "".join(f"{cells.get(k, ''):>6}" for k in range(2, GRID_K + 1)).rstrip())
    beyond = [row for row in rows if row.game.k > GRID_K]
    ties = sum(row.value == "tie" for row in beyond)
    click.echo(f"{'':<6}k > {GRID_K}: {len(beyond)} games of a single row, {ties} of them ties\n")


def _short(row: atlas.Row) -> str:
    """A value in a few characters: X 5, O 8, = or ?."""
    signs: dict[Any, str] = {"win": f"X {row.remoteness}", "loss": f"O {row.remoteness}", "tie": "=", None: "?"}
    return signs[row.value]
