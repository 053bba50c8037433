"""The rule `exact`, and the game without it: noughts against `brute_exact`, which knows nothing of noughts.

Every game up to 8 cells, and 3x3, in the quick part; up to 12 cells in the slow one. The games without `exact`
go through the same comparisons: what fails there is the harness or the old rule, what fails only with it is `exact`.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable
from functools import cache, lru_cache
from inspect import Signature, signature
from itertools import pairwise
from random import Random
from typing import Any, NamedTuple

import pytest
from brute_exact import Board, Play, Threats, board_of, find_order, large_play_of, members, small_play_of, walked_lines
from hypothesis import given, settings
from hypothesis import strategies as st

from noughts import Game, InvalidPosition, Mark, NotationError, Position, Setup, Status, Value, native, threats, value
from noughts.detect import DETECTORS, Incremental, UnsupportedGame
from noughts.progress import finish
from noughts.rules.legality import Legality, check
from noughts.rules.perft import count_games, count_games_plain, perft, perft_plain
from noughts.rules.playouts import playouts, playouts_plain
from noughts.rules.symmetry import orbit, symmetries
from noughts.search import search
from noughts.solve import Solution, plain, solve
from noughts.solve.index import PlainIndex
from noughts.solve.strong import solving_in_memory

BACKENDS = ["python", *["native"] * (native.core() is not None)]
STATUS = {str(status): status for status in Status}


def witness(verdict: Legality) -> tuple[int, ...] | None:
    """The game that a verdict names as leading to its board; None where there is none. Wherever noughts keeps it."""
    return verdict.witness


# The games


class Case(NamedTuple):
    """A game, for noughts and for the oracle."""

    rows: int
    columns: int
    k: int
    exact: bool = False
    misere: bool = False

    @property
    def game(self) -> Game:
        return game_of(self)

    @property
    def board(self) -> Board:
        return board_of(*self[:4])

    @property
    def play(self) -> Play:
        return (small_play_of if self.cells <= 9 else large_play_of)(*self[:4])

    @property
    def cells(self) -> int:
        return self.rows * self.columns

    @property
    def has_lines(self) -> bool:
        """Can a player get k cells at all?"""
        return self.k <= (self.cells + 1) // 2

    def __str__(self) -> str:
        return f"{self.rows}x{self.columns}k{self.k}{'e' * self.exact}{'m' * self.misere}"


@cache
def game_of(case: Case) -> Game:
    """The game of noughts, made once."""
    rules = {name: True for name in ("exact", "misere") if getattr(case, name)}
    return Game(case.rows, case.columns, case.k, **rules)


def boards(fewest: int, most: int) -> list[Case]:
    """Every board of so many cells with every k, exact; and as usual where it is small, to try the oracle itself."""
    return [
        Case(rows, columns, k, exact)
        for rows in range(1, most + 1)
        for columns in range(1, most // rows + 1)
        if rows * columns >= fewest
        for k in range(1, max(rows, columns) + 1)
        for exact in (False, True)
        if exact or rows * columns <= 6
    ]


def with_misere(cases: list[Case]) -> list[Case]:
    return [case._replace(misere=misere) for case in cases for misere in (False, True)]


def read(names: str) -> list[Case]:
    """Cases by name, with exact; and without where the board is small."""
    found = []
    for name in names.split():
        size, rest = name.split("k")
        rows, columns = map(int, size.split("x"))
        rules = (False, True) if rows * columns <= 6 else (True,)
        found += [Case(rows, columns, int(rest.rstrip("m")), exact, rest.endswith("m")) for exact in rules]
    return found


def each(cases: list[Case]) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """One test of all these games, which are too many for a test each; what fails says in which of them."""

    def decorate(law: Callable[..., None]) -> Callable[..., None]:
        def test(**given: Any) -> None:
            for case in cases:
                try:
                    law(case=case, **given)
                except BaseException as problem:
                    problem.add_note(f"in {case}")
                    raise

        given = signature(law).parameters.values()
        test.__signature__ = Signature([parameter for parameter in given if parameter.name != "case"])  # type: ignore[attr-defined]
        test.__name__, test.__doc__, test.__module__ = law.__name__, law.__doc__, law.__module__
        return test

    return decorate


def one_by_one(cases: list[Case]) -> pytest.MarkDecorator:
    """A test for each of these games, where they take long."""
    return pytest.mark.parametrize("case", cases, ids=str)


def with_some_misere(cases: list[Case]) -> list[Case]:
    """Both ways, but where there are many positions misere only on some boards: it changes who wins, no more."""
    return [case for case in with_misere(cases) if not case.misere or case.cells <= 6 or case[:2] in ((2, 4), (3, 3))]


def without_most_that_have_no_lines(cases: list[Case]) -> list[Case]:
    """Of the k that nobody can get in half the cells, only the largest: nothing ever happens there."""
    return [case for case in cases if case.has_lines or case.k == max(case.rows, case.columns)]


SMALL = without_most_that_have_no_lines([case for case in boards(1, 9) if case.cells <= 8 or case[:2] == (3, 3)])
LARGE = [case for case in without_most_that_have_no_lines(boards(9, 12)) if case not in SMALL]
SPREAD = read("1x1k1 1x5k2 1x7k3m 5x1k3 2x3k2 2x4k2 2x4k3m 4x2k2m 2x4k4 1x8k2 1x8k3 1x8k4 3x3k1 3x3k2 3x3k2m 3x3k3")


def key_of(position: Position) -> tuple[int, int]:
    return position.x, position.o


@lru_cache(maxsize=64)
def positions_of(game: Game) -> list[Position]:
    return list(game.positions())


def reached(case: Case) -> list[Position]:
    """Every position, as noughts finds them."""
    return positions_of(case.game) if case.cells <= 9 else list(case.game.positions())


# The oracle itself


@pytest.mark.parametrize("exact", [False, True])
def test_the_oracle_sees_the_lines_that_walking_finds(exact: bool) -> None:
    for case in boards(1, 8) + [Case(3, 3, k, exact) for k in (1, 2, 3)]:
        if case.exact is exact:
            for cells in range(case.board.full + 1):
                walked = tuple(walked_lines(*case[:4], cells))
                assert case.board.lines(cells) == walked, (str(case), cells)
                assert case.board.has_line[cells] is bool(walked), (str(case), cells)


@each([case for case in SMALL if case.cells in (5, 6, 8)])
def test_what_the_oracle_reaches_is_what_both_players_can_have_placed(case: Case) -> None:
    """The orders of X and of O do not concern each other: a board can arise if each set can."""
    full = case.board.full
    found = {(x, o) for x in range(full + 1) for o in range(full + 1) if not x & o and case.board.can_arise(x, o)}
    assert found == {key for level in case.play.levels for key in level}


@pytest.mark.parametrize(
    ("case", "misere", "counts", "start"),
    [
        (Case(3, 3, 3), False, (5478, 765, 2836, 1574, 1068), ("tie", 9)),
        (Case(3, 3, 3), True, (5478, 765, 3054, 1444, 980), ("tie", 9)),
        (Case(3, 3, 3, True), False, (5478, 765, 2836, 1574, 1068), ("tie", 9)),
        (Case(3, 4, 3, True), False, (113_081, 28_563, 64_633, 43_880, 4_568), ("win", 7)),
        # of misere, and the classes of both, nobody else has a count yet: they are the oracle's own
        (Case(3, 4, 3, True), True, (113_081, 28_563, 72_116, 23_967, 16_998), ("loss", 11)),
    ],
    ids=str,
)
def test_the_oracle_counts_what_is_known(
    case: Case, misere: bool, counts: tuple[int, ...], start: tuple[str, int]
) -> None:
    levels = case.play.counts(misere)
    assert case.play.value((0, 0), misere) == start
    assert counts == (
        sum(level.positions for level in levels),
        sum(level.classes for level in levels),
        sum(sum(level.win.values()) for level in levels),
        sum(sum(level.loss.values()) for level in levels),
        sum(level.tie for level in levels),
    )


# Names


@each(with_misere(boards(1, 6)))
def test_a_game_is_read_from_its_name(case: Case) -> None:
    game = case.game
    assert str(game) == str(case)
    assert Game.parse(str(game)) == game
    assert hash(Game.parse(str(game))) == hash(game)
    assert eval(repr(game)) == game
    assert pickle.loads(pickle.dumps(game)) == game
    start = game.start()
    assert Position.parse(str(start)) == start or (game.rows, game.columns, game.k) == (3, 3, 3)
    assert game.on(4, 7) == case._replace(rows=4, columns=7).game


def test_letters_are_read_in_any_order_and_once_each() -> None:
    assert Game.parse("4x4k3me") == Game.parse("4x4k3em") == Game(4, 4, 3, misere=True, exact=True)  # type: ignore[call-arg]
    assert str(Game.parse("4x4k3me")) == "4x4k3em"
    games = [Game.parse(f"4x4k3{letters}") for letters in ("", "e", "m", "em")]
    assert len(set(games)) == 4
    for name in ("4x4k3ee", "4x4k3eme", "4x4k3E", "4x4k3 e", "4x4ke3"):
        with pytest.raises(NotationError):
            Game.parse(name)
    for bad in (1, "yes", None):
        with pytest.raises(ValueError, match="exact must be True or False"):
            Game(3, 3, 3, exact=bad)  # type: ignore[call-arg]


# Positions


def agree_on_positions(case: Case, found: list[Position]) -> None:
    """Which positions there are, and what each says of itself."""
    play, misere = case.play, case.misere
    assert len(found) == len(set(found))
    assert {key_of(position) for position in found} == set(play.games)
    assert all(before.marks <= after.marks for before, after in pairwise(found))
    for position in found:
        key = key_of(position)
        status = STATUS[play.status(key, misere)]
        assert position.status is status, position
        assert position.winner is status.winner, position
        assert position.is_over is (key in play.over), position
        assert position.turn.value == play.turn(key), position
        assert position.moves() == play.moves(key), position
        if status is not Status.ONGOING:
            assert position.lines() == play.lines(key), position
        else:
            assert position.lines() == ()


@each(with_some_misere(SMALL))
def test_every_position_is_what_the_oracle_says(case: Case) -> None:
    agree_on_positions(case, reached(case))


@each(SPREAD)
def test_a_position_that_is_built_is_the_one_that_was_played(case: Case) -> None:
    for position in reached(case):
        built = Position(case.game, position.x, position.o)
        assert (built, built.status, built.moves()) == (position, position.status, position.moves())
        assert built.lines() == position.lines()
        if position.game.cells <= 6:
            assert Position.parse(str(position)) == position or str(position.game) == "3x3k3"


@each(SPREAD)
def test_dead_positions_are_those_from_which_every_game_is_a_draw(case: Case) -> None:
    dead = case.play.dead
    for position in reached(case):
        assert position.is_dead is (key_of(position) in dead), position


@each(with_misere(boards(1, 6)))
def test_symmetric_positions_are_alike(case: Case) -> None:
    play, found = case.play, reached(case)
    assert len(symmetries(case.game)) == len(case.board.images)
    assert len({position.canonical() for position in found}) == sum(map(play.classes, range(len(play.levels))))
    for position in found:
        others = orbit(position)
        assert {key_of(other) for other in others} == {
            (image[position.x], image[position.o]) for image in case.board.images
        }
        assert {other.status for other in others} == {position.status}
        assert {play.value(key_of(other), case.misere) for other in others} == {
            play.value(key_of(position), case.misere)
        }


# Values


def agree_on_values(case: Case, found: list[Position]) -> None:
    """What every position is worth, asked of all who know."""
    play, misere, solution = case.play, case.misere, Solution.solve(case.game)
    for position in found:
        worth = play.value(key_of(position), misere)
        assert plain.value(position) == worth, position
        assert value(position) == worth, position
        assert solution[position] == worth, position


def agree_on_counts(case: Case, backends: list[str]) -> None:
    """What a strong solve counts: positions, classes, values by remoteness, level by level."""
    levels = case.play.counts(case.misere)
    for backend in backends:
        summary = solve(case.game, backend=backend)
        assert summary.value == case.play.value((0, 0), case.misere)
        for level, expected in zip(summary.levels, levels, strict=True):
            assert vars(level) == expected._asdict(), (str(case), backend)
        for outcome in ("win", "loss"):
            counts: dict[int, int] = {}
            for level in levels:
                for plies, number in getattr(level, outcome).items():
                    counts[plies] = counts.get(plies, 0) + number
            assert summary.by_remoteness[outcome] == counts
            assert getattr(summary, outcome) == sum(counts.values())


@each(with_some_misere(SMALL))
def test_every_value_is_what_the_oracle_says(case: Case) -> None:
    agree_on_values(case, reached(case))


@each(with_some_misere(SMALL))
def test_a_solve_counts_what_the_oracle_counts(case: Case) -> None:
    agree_on_counts(case, BACKENDS if case.cells <= 8 else BACKENDS[-1:])


@each(with_misere(read("3x3k2 3x3k3 1x9k3")))
def test_the_plain_solve_counts_the_same_on_nine_cells(case: Case) -> None:
    agree_on_counts(case, ["python"])


def agree_on_arrays(case: Case, backend: str, places: bool) -> None:
    """The values of arrays of all boards with balanced counts: known exactly where play can lead."""
    np = pytest.importorskip("numpy")
    full = case.board.full
    keys = [(x, o) for x in range(full + 1) for o in subsets(full & ~x) if x.bit_count() - o.bit_count() in (0, 1)]
    summary, levels = finish(solving_in_memory(case.game, backend=backend))
    solution = Solution(case.game, levels, summary.levels)
    if places:
        solution.index = PlainIndex(case.game)
    x, o = (np.array(column, np.uint32) for column in zip(*keys, strict=True))
    outcomes, plies = solution.values(x, o)
    sign = {"win": 1, "tie": 0, "loss": -1}
    for key, outcome, remoteness in zip(keys, outcomes.tolist(), plies.tolist(), strict=True):
        if key not in case.play.games:
            assert remoteness == -1, (str(case), key)
        else:
            worth, distance = case.play.value(key, case.misere)
            assert (outcome, remoteness) == (sign[worth], distance), (str(case), key)


def subsets(cells: int) -> list[int]:
    """Every subset of a set."""
    found = [0]
    for cell in members(cells):
        found += [other | 1 << cell for other in found]
    return found


@pytest.mark.parametrize("backend", BACKENDS)
@each(SPREAD)
def test_arrays_of_all_boards_get_a_value_where_play_can_lead(case: Case, backend: str) -> None:
    agree_on_arrays(case, backend, places=backend == "python")


@each(SPREAD)
def test_both_backends_write_the_same_bytes(case: Case) -> None:
    if len(BACKENDS) == 1:
        pytest.skip("needs the native core")
    one, other = (finish(solving_in_memory(case.game, backend=backend))[1] for backend in BACKENDS)
    assert one == other


@each([case for case in SPREAD if case.cells <= 8])
def test_searching_finds_the_outcome(case: Case) -> None:
    rng = Random(str(case))
    found = [position for position in reached(case) if not position.is_over]
    for position in rng.sample(found, min(20, len(found))):
        for backend in BACKENDS:
            for algorithm in ("minimax", "alphabeta"):
                score = search(position, algorithm, backend=backend).score
                outcome, _ = case.play.value(key_of(position), case.misere)
                good = {"win": 1, "tie": 0, "loss": -1}[outcome] * (1 if position.turn is Mark.X else -1)
                assert (score > 0) - (score < 0) == good, (position, backend, algorithm)


# What can arise


def agree_on_legality(case: Case, every: bool = True) -> None:
    """A verdict on every board: legal exactly when reached, with a game that leads there."""
    game, games, full = case.game, case.play.games, case.board.full
    for x in range(full + 1):
        for o in subsets(full & ~x):
            if not every and x.bit_count() - o.bit_count() not in (0, 1):
                continue
            board = Setup(game, x, o)
            verdict, moves = check(board), None
            legal = (x, o) in games
            assert verdict.legal is legal, board
            assert (verdict.reason is None) is legal, board
            moves = witness(verdict)
            assert (moves is not None) is legal, board
            if moves is not None and (case.cells < 12 or x % 8 == 0):
                position = game.start()
                for cell in moves:
                    position = position.play(cell)
                assert (position.x, position.o) == (x, o), board


@each(
    [case for case in SMALL if case.cells <= 7] + read("2x4k2 2x4k3 4x2k2 4x2k3m 1x8k2 1x8k3 8x1k3 3x3k2 3x3k3m 1x9k3")
)
def test_a_board_is_legal_exactly_when_play_can_lead_there(case: Case) -> None:
    agree_on_legality(case)


@each(SPREAD)
def test_what_cannot_arise_is_no_position_and_says_why(case: Case) -> None:
    rng, full = Random(str(case)), case.board.full
    for _ in range(200):
        x = rng.randrange(full + 1)
        o = rng.choice(subsets(full & ~x))
        if (x, o) in case.play.games:
            assert key_of(Position(case.game, x, o)) == (x, o)
            continue
        verdict = check(Setup(case.game, x, o))
        with pytest.raises(InvalidPosition) as caught:
            Position(case.game, x, o)
        assert caught.value.reason is verdict.reason
        assert str(caught.value) == verdict.explanation


@pytest.mark.parametrize(
    ("text", "legal"),
    [
        ("1x9k3e:XX.XXOO.O", True),
        ("1x10k3e:XXXXXOO.OO", True),  # five, joined by the third: nothing
        ("1x10k3e:XXXXXOO.O.", False),  # the counts
        ("1x8k3e:XXXXOO.O", True),  # four, by X.XX or XX.X
        ("1x9k3e:XXXX.OOOO", True),
        ("1x8k3e:XXXX.OOO", False),  # O has three, but X moved last
        ("1x7k3e:XXXXOOO", False),
        ("1x8k3e:XXXXOOOX", False),
        ("2x2k1e:X./..", True),
        ("2x2k1e:XO/..", False),
        ("2x2k1e:XX/O.", False),
        ("4x4k3e:XXXX/X..O/X.O./O.OO", True),  # the column is exact, the row too long
    ],
)
def test_longer_runs_arise_only_by_joining(text: str, legal: bool) -> None:
    name, marks = text.split(":")
    case = next(case for case in read(name.rstrip("e")) if case.exact)
    x, o = (sum(1 << i for i, mark in enumerate(marks.replace("/", "")) if mark == side) for side in "XO")
    assert case.board.can_arise(x, o) is legal
    verdict = check(text)
    assert verdict.legal is legal
    assert (witness(verdict) is None) is not legal


# Sets of one player on 4x4k2e that have no line, and yet cannot arise: each of their cells, taken away, leaves a line.
STUCK = ("XXX./..X./.XXX/X...", "X..X/.X.X/.XXX/.X..", "X..X/X.X./XXX./..X.", "X.../.XXX/..X./XXX.")


@pytest.mark.parametrize("marks", STUCK)
def test_a_set_without_a_line_may_be_one_that_cannot_arise(marks: str) -> None:
    board, game = Board(4, 4, 2, True), Game(4, 4, 2, exact=True)  # type: ignore[call-arg]
    x = sum(1 << i for i, mark in enumerate(marks.replace("/", "")) if mark == "X")
    assert not board.has_line[x]
    assert not board.is_open(x)
    for o in subsets(board.full & ~x):
        if o.bit_count() in (7, 8):
            verdict = check(Setup(game, x, o))
            assert not verdict.legal
            assert witness(verdict) is None


@pytest.mark.parametrize("name", ["4x4k2", "4x4k3", "3x5k3", "3x5k2"])
def test_every_hard_set_of_sixteen_cells_is_judged(name: str) -> None:
    """X's sets where most orders fail, or a line has several last cells of which not all will do; O wherever it can."""
    case = next(case for case in read(name) if case.exact)
    board, rng = case.board, Random(name)
    sets = [cells for cells in range(board.full + 1) if cells.bit_count() * 2 - 1 <= board.cells]
    rng.shuffle(sets)
    judged = 0
    for x in sets:
        if judged == 400:
            break
        free = [cells for cells in subsets(board.full & ~x) if cells.bit_count() == x.bit_count() - 1]
        answers = [o for o in free if board.is_open(o)] or free
        hard = board.has_line[x] or board.orders[x] * 10 < _orders(x) or not board.is_open(x)
        if not hard or not answers:
            continue
        o = rng.choice(answers)
        judged += 1
        verdict = check(Setup(case.game, x, o))
        assert verdict.legal is board.can_arise(x, o), Setup(case.game, x, o)
        moves = witness(verdict)
        if moves is not None:
            position = case.game.start()
            for cell in moves:
                position = position.play(cell)
            assert key_of(position) == (x, o)
    assert judged >= 100


@pytest.mark.parametrize("name", ["4x5k2", "5x5k2", "5x8k2", "6x6k2", "6x6k3"])
def test_a_random_set_can_arise_where_a_plain_search_finds_an_order(name: str) -> None:
    """X's sets that are grown from nothing by joining, and then tampered with; O somewhere or nowhere near a line."""
    case = next(case for case in read(name) if case.exact)
    rng, judged = Random(name), 0
    board = case.board
    for _ in range(120):
        x = grown(board, rng)
        order = find_order(board, x)
        free = members(board.full & ~x)
        o = 0
        for cell in rng.sample(free, len(free)):
            if o.bit_count() < x.bit_count() - 1 and not board.lines(o | 1 << cell):
                o |= 1 << cell
        if o.bit_count() < x.bit_count() - 1 or board.lines(x):
            continue
        judged += 1
        verdict = check(Setup(case.game, x, o))
        assert verdict.legal is (order is not None), Setup(case.game, x, o)
        assert (witness(verdict) is not None) is (order is not None)
    assert judged >= 10


def grown(board: Board, rng: Random) -> int:
    """A set without a line, of cells that were put down or taken away one at a time, most of them by others."""
    cells = 0
    for _ in range(rng.randrange(20, 200)):
        other = cells ^ 1 << rng.randrange(board.cells)
        if other.bit_count() * 2 <= board.cells and (not board.lines(other) or rng.random() < 0.3):
            cells = other
    for cell in members(cells):  # what completes a line goes
        if board.lines(cells):
            cells ^= 1 << cell
    return cells


def _orders(cells: int) -> int:
    """In how many orders the cells of a set can come at all."""
    number = 1
    for factor in range(2, cells.bit_count() + 1):
        number *= factor
    return number


# Arrays of boards


@lru_cache(maxsize=4)
def all_boards(cells: int) -> list[tuple[int, int]]:
    full = (1 << cells) - 1
    return [(x, o) for x in range(full + 1) for o in subsets(full & ~x)]


@each([case for case in with_misere(SMALL) if case.cells in (1, 4, 6, 8) or case[:2] == (3, 3)])
def test_every_board_in_an_array_gets_its_status(case: Case) -> None:
    """Boards that cannot arise too: X's line counts before O's. Of k = 1 only the boards with one mark at most."""
    np = pytest.importorskip("numpy")
    batch = pytest.importorskip("noughts.rules.batch")
    keys = all_boards(case.cells)
    has_line = np.array(case.board.has_line)
    x, o = (np.array(column, np.uint64) for column in zip(*keys, strict=True))
    names = ("o_wins", "x_wins") if case.misere else ("x_wins", "o_wins")
    expected = np.where((x | o) == case.board.full, STATUS["draw"].value, STATUS["ongoing"].value)
    expected[has_line[o]] = STATUS[names[1]].value
    expected[has_line[x]] = STATUS[names[0]].value
    planes = np.zeros((len(keys), case.cells), np.int8)
    for cell in range(case.cells):
        planes[:, cell] = (x >> np.uint64(cell) & np.uint64(1)).astype(np.int8)
        planes[:, cell] -= (o >> np.uint64(cell) & np.uint64(1)).astype(np.int8)
    planes = planes.reshape(-1, case.rows, case.columns)
    answers = [batch.planes_status_plain(case.game, planes), batch.status(case.game, planes)]
    for word in batch.WORDS:
        own, other = x.astype(word), o.astype(word)
        answers += [batch.sets_status_plain(case.game, own, other), batch.status(case.game, own, other)]
    if case.k == 1 and case.exact:  # what two marks that touch are is nobody's question: the first ended the game
        judged = np.array([x.bit_count() + o.bit_count() <= 1 for x, o in keys])
    else:
        judged = np.full(len(keys), True)
    for answer in answers:
        assert (answer[judged] == expected[judged]).all()
        assert (answer == answers[0]).all()


# Counting games


@each(with_misere(SMALL))
def test_as_many_games_as_the_oracle_counts(case: Case) -> None:
    if case.cells > 6 and "native" not in BACKENDS:
        return  # the plain counts of so many games take too long
    start, play = case.game.start(), case.play
    for depth in range(case.cells + 2):
        assert perft(start, depth) == play.sequences(depth)
    assert count_games(start) == play.ends(case.misere)


@each(with_misere(boards(1, 6)) + read("1x7k2 1x7k3 2x4k2m"))
def test_the_plain_counts_are_those_of_the_oracle_and_no_more_nodes_are_seen_than_there_are(case: Case) -> None:
    start, play = case.game.start(), case.play
    nodes = sum(play.games.values())
    assert count_games_plain(start, limit=nodes) == play.ends(case.misere)
    for depth in range(case.cells + 2):
        assert perft_plain(start, depth, limit=nodes) == play.sequences(depth)


@each(SPREAD)
def test_counts_from_the_middle_of_a_game(case: Case) -> None:
    rng, found = Random(str(case)), reached(case)
    late = [position for position in found if position.marks >= case.cells - 6] or found[-1:]
    for position in rng.sample(late, 1):
        for depth in range(4):
            assert perft(position, depth) == perft_plain(position, depth)
        assert count_games(position) == count_games_plain(position)


@each(read("1x6k2 2x4k2 3x3k2 3x3k3m 4x4k3 5x5k4 6x7k4m 8x8k5 15x15k5 3x16k7 16x16k2"))
def test_random_games_end_alike_natively_and_plainly(case: Case) -> None:
    start = case.game.start()
    for seed in range(3):
        games = 60 if case.cells < 100 else 10
        assert playouts(start, games, seed) == playouts_plain(start, games, seed)


# Threats


def agree_on_threats(case: Case, found: list[Position]) -> None:
    for position in found:
        for mark in Mark:
            own, other = (position.x, position.o) if mark is Mark.X else (position.o, position.x)
            slow = Threats(case.board, own, other, case.misere, position.is_over)
            assert threats.completing_moves(position, mark) == slow.completing(), (position, mark)
            assert threats.winning_moves(position, mark) == slow.winning(), (position, mark)
            assert threats.blocking_moves(position, mark) == slow.blocking(), (position, mark)
            assert threats.forks(position, mark) == slow.forks(), (position, mark)
            assert threats.fork_blocks(position, mark) == slow.fork_blocks(), (position, mark)


@each(with_misere(boards(1, 6)))
def test_threats_are_those_of_the_definition(case: Case) -> None:
    agree_on_threats(case, reached(case))


@each(read("1x8k2 1x8k3 1x9k4 2x4k2 4x2k3 3x3k2 3x3k3 3x3k3m 1x12k3 3x4k2 3x4k3 4x4k3 4x4k2 2x8k3 1x16k4"))
def test_threats_are_those_of_the_definition_along_random_games(case: Case) -> None:
    rng = Random(str(case))
    for _ in range(6):
        agree_on_threats(case, crowded_game(case.game, rng))


# Detectors


DETECTED = read("1x1k1 1x7k2 1x7k3 2x3k2 2x4k2 2x4k3m 4x2k3 1x8k4 3x3k1 3x3k2 3x3k3 3x3k3m")


@pytest.mark.parametrize("name", DETECTORS)
@each(DETECTED)
def test_every_detector_that_takes_the_game_sees_who_owns_a_line(name: str, case: Case) -> None:
    kind, game = DETECTORS[name], case.game
    if not kind.supports(game):
        refused(kind, case)
        return
    detector = kind(game)
    for position in reached(case):
        owner = case.play.over.get(key_of(position))
        assert detector.winner(position) is (Mark(owner) if owner else None), position


def refused(kind: Any, case: Case) -> None:
    """A detector that takes the board without exact says that exact is what it does not know."""
    with pytest.raises(UnsupportedGame) as caught:
        kind(case.game)
    assert str(case) in str(caught.value)
    if kind.supports(case._replace(exact=False).game):
        assert case.exact
        assert "exact" in str(caught.value)


@pytest.mark.parametrize("name", DETECTORS)
@each(read("3x3k3 4x4k3 6x7k4 15x15k5 3x3k3m 5x5k4m"))
def test_a_detector_takes_a_game_or_says_why_not(name: str, case: Case) -> None:
    kind = DETECTORS[name]
    assert (kind.refusal(case.game) is None) is kind.supports(case.game)
    if kind.supports(case.game):
        kind(case.game)
    else:
        refused(kind, case)


@pytest.mark.parametrize("name", [name for name, kind in DETECTORS.items() if issubclass(kind, Incremental)])
@each(read("1x6k2 1x7k3 2x3k2 2x4k2 3x3k2 2x4k3m"))
def test_detectors_that_follow_a_game_know_its_lines_along_every_edge(name: str, case: Case) -> None:
    if not DETECTORS[name].supports(case.game):
        refused(DETECTORS[name], case)
        return
    detector: Any = DETECTORS[name](case.game)
    play, seen = case.play, set()

    def look(key: tuple[int, int]) -> None:
        assert str(detector.status) == play.status(key, case.misere)
        assert sorted(detector.lines()) == sorted(play.lines(key))
        for mark in Mark:
            own, other = key if mark is Mark.X else key[::-1]
            slow = Threats(case.board, own, other, case.misere, bool(play.over.get(key)))
            assert detector.winning_moves(mark) == slow.winning()

    def walk(key: tuple[int, int]) -> None:
        x, o = key
        for cell in play.moves(key):
            after = (x | 1 << cell, o) if play.turn(key) == "X" else (x, o | 1 << cell)
            assert detector.play(cell) is bool(play.over.get(after))
            if after not in seen:
                seen.add(after)
                look(after)
                walk(after)
            assert detector.undo() == cell
        look(key)

    walk((0, 0))
    assert len(seen) == len(play.games) - 1
    tables, empty = ({**vars(each), "through": None} for each in (detector, DETECTORS[name](case.game)))
    assert tables == empty, "undo did not bring the tables back"


# Larger boards


def crowded_game(game: Game, rng: Random, most: int = 400) -> list[Position]:
    """A game in which both put off the end: they play what completes nothing, by their own cells if they can."""
    position, played = game.start(), [game.start()]
    while not position.is_over and len(played) < most:
        moves = position.moves()
        own = position.sides[0]
        near = [
            cell
            for cell in rng.sample(moves, min(12, len(moves)))
            if any(
                own >> other & 1
                for other in (cell - 1, cell + 1, cell - game.columns, cell + game.columns)
                if other >= 0
            )
        ]
        some = [*near, *rng.sample(moves, min(6, len(moves)))]
        quiet = [cell for cell in some if not position.play(cell).is_over]
        position = position.play((quiet or some)[0])
        played.append(position)
    return played


WIDE = read("5x5k2 5x5k3 5x5k4m 6x7k4 8x8k5 3x30k7 15x15k5 1x40k3 40x2k9m 9x9k3")


def agree_by_walking(case: Case, position: Position) -> None:
    """Status and lines by walking the board."""
    x, o = (walked_lines(*case[:4], cells) for cells in key_of(position))
    assert position.lines() == tuple(x or o)
    assert not (x and o)
    if x or o:
        winner = Mark.X if bool(x) is not case.misere else Mark.O
        assert position.winner is winner
    else:
        assert position.status is (Status.ONGOING if position.marks < case.cells else Status.DRAW)


@each(WIDE)
def test_larger_boards_have_the_lines_that_walking_finds(case: Case) -> None:
    rng = Random(str(case))
    for _ in range(3):
        played = crowded_game(case.game, rng)
        for position in [*rng.sample(played, min(6, len(played))), played[-1]]:
            agree_by_walking(case, position)
            for name, kind in DETECTORS.items():
                if kind.supports(case.game):
                    owner = position.winner and case.game.rule.winner(position.winner)
                    assert kind(case.game).winner(position) is owner, name


@each(WIDE)
def test_what_was_played_on_a_larger_board_is_legal_with_a_game_that_leads_there(case: Case) -> None:
    rng = Random(str(case))
    for _ in range(3):
        played = crowded_game(case.game, rng)
        for reached_ in [played[len(played) // 2], played[-2], played[-1]]:
            verdict = check(Setup(case.game, reached_.x, reached_.o))
            assert verdict.legal
            moves = witness(verdict)
            assert moves is not None
            position = case.game.start()
            for cell in moves:
                position = position.play(cell)
            assert position == reached_


@settings(max_examples=80)
@given(st.sampled_from([case for case in WIDE if case.exact and case.cells <= 64]), st.randoms(use_true_random=False))
def test_a_random_set_has_the_lines_that_walking_finds(case: Case, rng: Random) -> None:
    cells = 0
    for _ in range(rng.randrange(4)):
        cells |= rng.getrandbits(case.cells)
    rule = case.game.rule
    lines = tuple(walked_lines(*case[:4], cells))
    assert rule.has_line(cells) is bool(lines)
    assert rule.lines_in(cells) == lines
    if not lines:
        free = members((1 << case.cells) - 1 & ~cells)
        expected = [cell for cell in free if walked_lines(*case[:4], cells | 1 << cell)]
        assert case.game.cells_of(rule.completing(cells)) == expected


@pytest.mark.parametrize("name", ["1x5k5", "3x3k3", "2x4k4", "2x5k5", "4x3k4", "4x4k4"])
def test_where_no_longer_run_fits_exact_changes_nothing(name: str) -> None:
    standard, exact = Game.parse(name), Game.parse(f"{name}e")
    one, other = solve(standard).to_json(), solve(exact).to_json()
    for fact in ("value", "remoteness", "positions", "classes", "win", "loss", "tie", "by_remoteness", "by_marks"):
        assert one[fact] == other[fact]


def test_the_known_figures_of_3x4k3e() -> None:
    found = solve(Game.parse("3x4k3e"))
    assert (found.positions, found.win, found.loss, found.tie) == (113_081, 64_633, 43_880, 4_568)
    assert found.value == Value("win", 7)


# Every board up to twelve cells


EXACT = [case for case in [*SMALL, *LARGE] if case.exact]


@pytest.mark.slow
@one_by_one(with_misere(EXACT))
def test_every_board_up_to_twelve_cells_is_solved_as_the_oracle_does(case: Case) -> None:
    """Counts, and value and remoteness of every board with balanced counts, or that it cannot arise."""
    agree_on_counts(case, BACKENDS[-1:])
    agree_on_arrays(case, BACKENDS[-1], places=False)


@pytest.mark.slow
@one_by_one(with_misere(EXACT))
def test_every_position_of_every_board_up_to_twelve_cells(case: Case) -> None:
    """Status, winner, lines and moves of every position that play can reach."""
    agree_on_positions(case, reached(case))


@pytest.mark.slow
@one_by_one(
    [
        case
        for case in read("2x5k2 2x5k3 5x2k3 1x10k2 1x10k3 1x10k4m 3x4k2 3x4k3 3x4k3m")
        if case.exact or case.cells < 12
    ]
)
def test_the_plain_solve_counts_the_same_up_to_twelve_cells(case: Case) -> None:
    agree_on_counts(case, ["python"])
    agree_on_arrays(case, "native" if "native" in BACKENDS else "python", places=False)


@pytest.mark.slow
@one_by_one(EXACT)
def test_a_board_up_to_twelve_cells_is_legal_exactly_when_play_can_lead_there(case: Case) -> None:
    agree_on_legality(case, every=case.cells <= 10)
    if case.cells <= 9:
        agree_on_legality(case._replace(misere=True), every=True)
