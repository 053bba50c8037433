"""Many boards stepped at once, for learners (extra `batch`: numpy): actions in; observations, rewards and masks out.

observation   int8[2, rows, columns], the cells of the player to move first (`Position.planes`)
action        a cell, or where marks fall a column (`Rule.action_of`); the mask says which may be taken
reward        +1, 0 or -1 for the one who acted; alone with an opponent inside, also for what the opponent's answer did
end           a game that has ended begins anew in the same step: its row shows the new game's first observation, and
              the reward and the flag of the old one

What is random comes from the seed, the number of the step and the number of the board alone (`PlainVector._words`), so
that the native core and its numpy twin, `PlainVector`, play the same games.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from noughts import native
from noughts.rules.game import Cell, Game
from noughts.rules.marks import Mark
from noughts.rules.playouts import GAMMA, WORD, mix
from noughts.rules.position import Position, require
from noughts.solve.problems import TooLarge
from noughts.words import brief, no_such, whole

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from noughts.solve.solution import Solution

OPPONENTS = ("none", "random", "first", "exact")  # in the order of the core, as all of these
SIDES = ("first", "second", "random")
ILLEGAL = ("refuse", "lose", "ignore")

MAX_BOARDS = 1 << 24
MAX_BYTES = 8 << 30  # of all arrays
DRAWS = 4  # random words a board and step: for an answer, a first move, a side; one is spare
FOR_ANSWER, FOR_OPENING, FOR_SIDE = range(3)


class IllegalAction(ValueError):
    """This action cannot be taken on that board."""


class Rows(NamedTuple):
    """What a step gives, a row a board; also the arrays of a caller's own that it is to be written to."""

    observations: NDArray[np.int8]  # [boards, 2, rows, columns]
    rewards: NDArray[np.float32]
    terminations: NDArray[np.bool_]
    masks: NDArray[np.int8]  # [boards, actions]
    illegal: NDArray[np.bool_]  # whose action could not be taken
    # Where a game ended, its last observation: with an opponent inside the learner's cells first, else those of the one
    # whose turn it would be. Other rows stay as they were.
    finals: NDArray[np.int8] | None = None

    @staticmethod
    def empty(game: Game, boards: int, *, finals: bool = False) -> Rows:
        """New arrays for so many boards, with one for last observations or without."""
        import numpy as np

        seen = (boards, 2, game.rows, game.columns)
        return Rows(
            np.zeros(seen, np.int8),
            np.zeros(boards, np.float32),
            np.zeros(boards, np.bool_),
            np.zeros((boards, game.rule.most_moves), np.int8),
            np.zeros(boards, np.bool_),
            np.zeros(seen, np.int8) if finals else None,
        )


class VectorEnv:
    """Many boards of one game, stepped at once.

    >>> from noughts import Game
    >>> env = VectorEnv(Game(), 4096, opponent="random", seed=7)
    >>> rows = env.reset()
    >>> rows = env.step(rows.masks.argmax(axis=1))
    >>> rows.observations.shape, rows.masks.shape, int(rows.observations.sum())
    ((4096, 2, 3, 3), (4096, 9), 8192)

    Without an opponent the players take turns, and each step is one move of whoever is to move. With one (`random`,
    `first` free cell, or `exact`, from a solution of the game) a step is the learner's move and the opponent's answer;
    `side` says whether the learner is X, O or, drawn anew for each game, `random`. An illegal action is refused
    (IllegalAction, and nothing has changed), loses, or is ignored: the board stays as it is, and `illegal` says so.

    Resets and steps write to `env.rows`, the same arrays each time, or to those of the caller, `into=Rows(…)`, of which
    no copy is made.
    """

    def __init__(
        self, game: Game, boards: int, *, opponent: str | None = None, side: str | Mark = "X", illegal: str = "refuse",
        start: Position | None = None, seed: int = 0, finals: bool = False,
    ) -> None:  # fmt: skip
        require(game, Game, "VectorEnv")
        self.game, self.boards = game, whole("boards", boards, 1, MAX_BOARDS)
        start = game.start() if start is None else start
        require(start, Position, "VectorEnv")
        if start.game != game:
            raise ValueError(f"the start is a position of {start.game}, not of {game}")
        if start.is_over:
            raise ValueError(f"no game can start at {start}: it is over ({start.status})")
        size = self.boards * (2 * game.cells * (1 + finals) + game.rule.most_moves)
        if size > MAX_BYTES:
            raise TooLarge(f"{self.boards:,} boards of {game} take {size:,} bytes: the limit is {MAX_BYTES:,}")
        self.start, self.opponent = start, _named("opponent", opponent or "none", OPPONENTS)
        self.side = _named("side", str(side), ("X", "O", "random"))
        self.illegal = _named("way with illegal actions", illegal, ILLEGAL)
        if self.opponent == "none" and self.side != "X":
            raise ValueError("without an opponent the learner moves for both sides: leave out side")
        order = self.side if self.side == "random" else "first" if self.side == start.turn.value else "second"
        if self.opponent != "none" and order != "first" and any(start.play(cell).is_over for cell in start.moves()):
            raise ValueError(
                f"the opponent's first move could end the game at {start}: give the learner the first move"
            )
        self.rows = Rows.empty(game, self.boards, finals=finals)
        solution = _solution(game) if self.opponent == "exact" else None
        self._core = _native(self, order, solution) or PlainVector(self, order, solution)
        self._into: Rows | None = None
        self._core.seed(whole("seed", seed) % WORD)

    def reset(self, seed: int | None = None, into: Rows | None = None) -> Rows:
        """Begin all games anew; with a seed, what is random too."""
        if seed is not None:
            self._core.seed(whole("seed", seed) % WORD)
        rows = self._writing(into)
        self._core.reset()
        return rows

    def step(self, actions: Any, into: Rows | None = None) -> Rows:
        """Take an action on each board: an array of whole numbers."""
        given = self.checked(actions)
        rows = self._writing(into)
        board = self._core.step(given)
        if board >= 0:
            raise IllegalAction(f"board {board}: {brief_action(self.game, int(given[board]))}")
        return rows

    def checked(self, actions: Any) -> NDArray[np.int64]:
        """Actions as the core takes them; ValueError if they are not whole numbers, one a board."""
        import numpy as np

        given = np.asarray(actions)
        if given.shape != (self.boards,) or given.dtype.kind not in "iu":
            raise ValueError(
                f"expected {self.boards:,} whole numbers, an action a board, not {given.dtype}{list(given.shape)}"
            )
        if given.dtype == np.uint64:
            given = np.minimum(given, np.uint64(1 << 62))  # none so large is an action
        return np.ascontiguousarray(given, np.int64)

    def _writing(self, into: Rows | None) -> Rows:
        """Where to write to, checked when it is another place than the last time."""
        import numpy as np

        rows = self.rows if into is None else into
        if rows is not self._into:
            for name, given, own in zip(Rows._fields, rows, self.rows, strict=True):
                if given is None and name == "finals":
                    continue
                wanted, array = own if own is not None else self.rows.observations, np.asarray(given)
                fits = array is given and array.shape == wanted.shape and array.dtype == wanted.dtype
                if not (fits and array.flags.c_contiguous and array.flags.writeable):
                    raise ValueError(
                        f"{name} must be a gapless, writable array {wanted.dtype}{list(wanted.shape)}, "
                        f"not {f'{array.dtype}{list(array.shape)}' if array is given else brief(given)}"
                    )
            self._core.into(rows.observations, rows.masks, rows.rewards, rows.terminations, rows.illegal, rows.finals)
            self._into = rows
        return rows


def brief_action(game: Game, action: int) -> str:
    """What is wrong with an action that cannot be taken."""
    things = "column" if game.gravity else "cell"
    if not 0 <= action < game.rule.most_moves:
        return f"{brief(action)} is no {things}: they run from 0 to {game.rule.most_moves - 1}"
    return f"column {action} is full" if game.gravity else f"cell {action} is taken"


def _named(what: str, given: str, names: tuple[str, ...]) -> str:
    if given not in names:
        raise ValueError(no_such(what, given, names))
    return given


def _solution(game: Game) -> Solution:
    from noughts.solve.at_hand import ask

    found = ask(game, lambda solution: solution)
    if found is None:
        raise TooLarge(f"an exact opponent needs a solution of {game}, and it is too large to be solved on the spot")
    return found


def _native(env: VectorEnv, order: str, solution: Solution | None) -> Any:
    """The boards as the core keeps them; None where it is not installed."""
    core, handle = native.core(), native.handle(env.game)
    if core is None or handle is None:
        return None
    from noughts import _core

    start = bytes(".XO".index(mark) for mark in env.start.pattern)
    numbers = OPPONENTS.index(env.opponent), SIDES.index(order), ILLEGAL.index(env.illegal)
    if solution is None:
        return _core.Vector(handle, env.boards, start, *numbers, None, [])
    import numpy as np

    levels = [np.frombuffer(_whole_level(level), np.uint8) for level in solution.levels]
    return _core.Vector(handle, env.boards, start, *numbers, native.solver(env.game), levels)


def _whole_level(level: Any) -> bytes | bytearray:
    """The bytes of a level of a solution, also of one that lies in a file."""
    if isinstance(level, bytearray):
        return level
    return b"".join(level.page(number) for number in range(level.header.pages))


# The plain twin


class PlainVector:
    """What the core does, in numpy: `mine` and `theirs` are the cells of the player to move and of the other."""

    def __init__(self, env: VectorEnv, order: str, solution: Solution | None) -> None:
        import numpy as np

        self.np, self.env, self.order, self.solution = np, env, order, solution
        self.game, self.count = env.game, env.boards
        planes = env.start.planes().reshape(2, -1).astype(np.bool_)
        self.first_mine, self.first_theirs = planes
        self.mine, self.theirs = (np.tile(plane, (self.count, 1)) for plane in planes)
        self.line_reward = 1 if env.game.rule.completing_wins else -1
        self.seed(0)

    def into(self, *arrays: Any) -> None:
        """Name the arrays that resets and steps write to: planes, masks, rewards, ended, illegal, finals."""
        self.arrays = arrays

    def seed(self, seed: int) -> None:
        """What is random from now on."""
        self.first_word, self.steps = mix(seed), 0

    def reset(self) -> None:
        """Begin all games anew."""
        self.steps += 1
        planes, masks, *flags, _ = self.arrays
        for array in flags:
            array[:] = 0
        self._begin(self.np.ones(self.count, self.np.bool_))
        self._show(planes, masks)

    def step(self, actions: NDArray[np.int64]) -> int:
        """Take an action on each board: -1, or the first board where that is refused."""
        import numpy as np

        cells = self._aim(actions)
        bad = cells < 0
        if self.env.illegal == "refuse" and bad.any():
            return int(np.argmax(bad))
        self.steps += 1
        planes, masks, rewards, ended, illegal, finals = self.arrays
        illegal[:] = bad
        over = self._play(cells)
        rewards[:] = np.where(over == 1, self.line_reward, 0)
        ended[:] = over != 0
        if self.env.illegal == "lose":
            rewards[bad], ended[bad] = -1, True
        others_turn = np.zeros(self.count, np.bool_)
        if self.env.opponent != "none":
            others_turn = over != 0  # the learner's move was the last
            over = self._answer(~ended & ~bad, FOR_ANSWER)
            rewards[over == 1] = -self.line_reward
            ended |= over != 0
        if finals is not None:
            last = np.stack([self.mine, self.theirs], axis=1)
            last[others_turn] = last[others_turn, ::-1]
            finals.reshape(self.count, 2, -1)[ended] = last[ended]
        self._begin(ended)
        self._show(planes, masks)
        return -1

    def _playable(self) -> NDArray[np.bool_]:
        taken = (self.mine | self.theirs).reshape(self.count, self.game.rows, self.game.columns)
        free = ~taken
        if self.game.gravity:
            free[:, :-1] &= taken[:, 1:]
        return free.reshape(self.count, -1)

    def _aim(self, actions: NDArray[np.int64]) -> NDArray[np.int64]:
        """The cell that each action plays, or -1."""
        import numpy as np

        most = self.game.rule.most_moves
        inside = (actions >= 0) & (actions < most)
        action = np.where(inside, actions, 0)
        columns = self._playable().reshape(self.count, -1, most)[np.arange(self.count), :, action]
        cells: NDArray[np.int64] = np.where(inside & columns.any(axis=1), columns.argmax(axis=1) * most + action, -1)
        return cells

    def _play(self, cells: NDArray[np.int64]) -> NDArray[np.uint8]:
        """The movers play these cells (-1: nothing), and it is the others' turn: 1 a line, 2 a full board, else 0."""
        from noughts.rules.batch import planes_status_plain

        np, over = self.np, self.np.zeros(self.count, self.np.uint8)
        (moved,) = np.nonzero(cells >= 0)
        if len(moved):
            mine, theirs = self.mine[moved], self.theirs[moved]
            mine[np.arange(len(moved)), cells[moved]] = True
            boards = (mine.astype(np.int8) - theirs).reshape(-1, self.game.rows, self.game.columns)
            over[moved] = np.array([0, 1, 1, 2], np.uint8)[planes_status_plain(self.game, boards)]
            self.mine[moved], self.theirs[moved] = theirs, mine
        return over

    def _begin(self, which: NDArray[np.bool_]) -> None:
        """New games on these boards, up to the learner's first move."""
        self.mine[which], self.theirs[which] = self.first_mine, self.first_theirs
        if self.env.opponent == "none" or self.order == "first":
            return
        second = which if self.order == "second" else which & (self._drawn(FOR_SIDE, 2) == 1)
        self._answer(second, FOR_OPENING)

    def _answer(self, which: NDArray[np.bool_], draw: int) -> NDArray[np.uint8]:
        """The opponent moves on these boards."""
        np, open_cells = self.np, self._playable()
        if self.env.opponent == "exact":
            open_cells = np.zeros_like(open_cells)
            for board in np.flatnonzero(which).tolist():
                open_cells[board, self._best(board)] = True
        number = 0 if self.env.opponent == "first" else self._drawn(draw, open_cells.sum(axis=1))
        chosen = (open_cells.cumsum(axis=1) == np.reshape(number, (-1, 1)) + 1) & open_cells
        return self._play(np.where(which, chosen.argmax(axis=1), -1))

    def _best(self, board: int) -> list[Cell]:
        assert self.solution is not None
        sides = [self.game.bits_of(self.np.flatnonzero(side[board]).tolist()) for side in (self.mine, self.theirs)]
        x, o = sides if sides[0].bit_count() == sides[1].bit_count() else reversed(sides)
        return self.solution.best(Position.unchecked(self.game, x, o))

    def _drawn(self, draw: int, among: Any) -> NDArray[np.int64]:
        """A random number below so many, for each board."""
        import numpy as np

        numbers: NDArray[np.uint64] = (self._words(draw) >> np.uint64(32)) * np.uint64(among) >> np.uint64(32)
        return numbers.astype(np.int64)

    def _words(self, draw: int) -> NDArray[np.uint64]:
        """The random words of this step: SplitMix64's number (step * boards + board) * 4 + draw."""
        import numpy as np

        index = (np.uint64(self.steps * self.count) + np.arange(self.count, dtype=np.uint64)) * np.uint64(DRAWS)
        z: NDArray[np.uint64] = np.uint64(self.first_word) + (index + np.uint64(draw + 1)) * np.uint64(GAMMA)
        z = (z ^ z >> np.uint64(30)) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ z >> np.uint64(27)) * np.uint64(0x94D049BB133111EB)
        return z ^ z >> np.uint64(31)

    def _show(self, planes: NDArray[np.int8], masks: NDArray[np.int8]) -> None:
        planes.reshape(self.count, 2, -1)[:] = self.np.stack([self.mine, self.theirs], axis=1)
        masks[:] = self._playable().reshape(self.count, -1, self.game.rule.most_moves).any(axis=1)
