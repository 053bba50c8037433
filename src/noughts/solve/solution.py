"""Solution: a strongly solved game that answers for every position, from a folder or from memory.

>>> solution = Solution.solve(Game())
>>> solution[Position.parse("XO./.X./..O")]
Value(outcome='win', remoteness=3)
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from noughts.progress import finish
from noughts.rules.game import Cell, Game
from noughts.rules.legality import check
from noughts.rules.position import Position, Setup
from noughts.rules.value import Value
from noughts.solve.index import Set, decode, index_of
from noughts.solve.problems import Damaged, DatabaseError
from noughts.words import whole

if TYPE_CHECKING:
    import os

    import numpy as np
    from numpy.typing import NDArray

    from noughts.solve.levelfile import LevelFile
    from noughts.solve.summary import LevelSummary


class Solution:
    """Every position of one game with its value; `solution[position]` is one. Threads may share it."""

    def __init__(
        self, game: Game, levels: Sequence[LevelFile] | Sequence[bytearray], counts: Sequence[LevelSummary]
    ) -> None:
        self.game = game
        self.counts = tuple(counts)  # by number of marks, as all that follows
        self.levels = levels  # the bytes
        self.index = index_of(game)

    @staticmethod
    def open(folder: str | os.PathLike[str]) -> Solution:
        """The solution that `noughts solve GAME --save FOLDER` made; DatabaseError if it cannot be used."""
        from pathlib import Path

        from noughts.solve.folder import level_names, level_path, open_levels
        from noughts.solve.levelfile import LevelFile
        from noughts.solve.store import is_remote, open_store

        path = folder if is_remote(folder) else Path(folder)
        place = open_store(str(folder)) if is_remote(folder) else Path(folder)
        if isinstance(place, Path) and not place.is_dir():
            raise DatabaseError(f"{path} is not a folder with a solution")
        first = next(iter(level_names(place)), None)
        if first is None:
            raise DatabaseError(f"{path} holds no solution: noughts solve GAME --save {path} makes one")
        game = LevelFile(first, None if isinstance(place, Path) else place).header.game
        there = {file.header.level: file for file in open_levels(place, game)}
        missing = [level for level in range(game.cells + 1) if level not in there]
        if missing:
            raise DatabaseError(
                f"{path} is not finished: {level_path(Path(), missing[0]).name} is missing, and {len(missing)} in all; "
                f"noughts solve {game} --save {path} goes on"
            )
        files = [there[level] for level in range(game.cells + 1)]
        return Solution(game, files, [file.header.counts for file in files])

    @staticmethod
    def solve(
        game: Game, *, threads: int | None = None, backend: str | None = None, cluster: Any = None,
        save: str | os.PathLike[str] | None = None, part: int | None = None,
    ) -> Solution:  # fmt: skip
        """Solve a game on the spot and keep all of it in memory, or in the folder or store that `save` names.

        `cluster` is a Dask client, or a text such as local:4, whose workers then do it. They must share the folder,
        which without `save` is one for temporary files of this machine.
        """
        from noughts.solve.strong import solve, solving_in_memory

        if save is not None:
            solve(game, threads=threads, backend=backend, cluster=cluster, save=save, part=part)
            return Solution.open(save)
        if cluster is not None:
            from tempfile import TemporaryDirectory

            with TemporaryDirectory(prefix="noughts-") as folder:
                solve(game, backend=backend, cluster=cluster, save=folder, part=part)
                with Solution.open(folder) as found:
                    levels = [bytearray(level.read(0, len(level))) for level in found.levels]  # type: ignore[union-attr]
                    return Solution(game, levels, found.counts)
        summary, levels = finish(solving_in_memory(game, threads=threads, backend=backend))
        return Solution(game, levels, summary.levels)

    def close(self) -> None:
        """Give the files back."""
        for level in self.levels:
            if not isinstance(level, bytearray):
                level.close()

    def __enter__(self) -> Solution:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<Solution of {self.game}: {len(self):,} positions>"

    def __len__(self) -> int:
        """How many positions legal play can reach."""
        return sum(level.positions for level in self.counts)

    # One position

    def __getitem__(self, position: Position) -> Value:
        """The value for the player to move."""
        game = position.game
        if game is not self.game and game != self.game:
            raise DatabaseError(f"this is a solution of {self.game}, not of {game}")
        if position.is_over:
            return position.final_value
        return self._value(position.x, position.o, position.marks)

    def _value(self, x: Set, o: Set, marks: int) -> Value:
        """The value of an ongoing position."""
        place = self.index.locate(x, o)
        value = None if place is None else decode(self.levels[marks][place], marks, self.game.cells)
        if value is None:
            wrong = Damaged if check(Setup(self.game, x, o)).legal else DatabaseError
            raise wrong(f"the solution of {self.game} says that X {x:#x}, O {o:#x} cannot arise")
        return value

    def moves(self, position: Position) -> dict[Cell, Value]:
        """Each legal move with its value for the player who makes it, remoteness counted from here."""
        return {cell: self[position.play(cell)].for_mover() for cell in position.moves()}

    def best(self, position: Position) -> list[Cell]:
        """The moves of the highest value: the quickest win, the slowest loss."""
        values = self.moves(position)
        best = max(values.values(), default=None)
        return [cell for cell, value in values.items() if value == best]

    def line(self, position: Position) -> list[Cell]:
        """How the game goes on to its end when both play as well as can be; the first best move each time."""
        line: list[Cell] = []
        while not position.is_over:
            line.append(self.best(position)[0])
            position = position.play(line[-1])
        return line

    # Many positions

    def values(self, x: NDArray[Any], o: NDArray[Any]) -> tuple[NDArray[np.int8], NDArray[np.int8]]:
        """Outcomes (1 win, 0 tie, -1 loss for the player to move) and remotenesses of many boards; needs numpy.

        `x` and `o` are arrays of sets, bit i = cell i, with as many X as O or one more. The remoteness is -1 where a
        board cannot arise.

        >>> import numpy as np
        >>> x, o = np.array([0b000_000_001, 0b000_010_001]), np.array([0, 0b100_000_010])
        >>> Solution.solve(Game()).values(x, o)
        (array([0, 1], dtype=int8), array([8, 3], dtype=int8))
        """
        from noughts.solve.arrays import values

        return values(self, x, o)

    # All positions

    def positions(self, marks: int) -> Iterator[tuple[Position, Value]]:
        """Every position with so many marks, and its value."""
        from noughts.solve.export import positions

        return positions(self, whole("marks", marks, 0, self.game.cells))
