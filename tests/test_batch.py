"""Batch: arrays of boards get the status that Position gives, natively and in numpy."""

from __future__ import annotations

import random

import pytest
from conftest import SPREAD, reachable

from noughts import Game, Position, native
from noughts.rules.encoding import planes

np = pytest.importorskip("numpy", reason="numpy is not installed: pip install noughts[batch]")
batch = pytest.importorskip("noughts.rules.batch")


def words(game: Game) -> list[str]:
    return [name for name, bits in batch.WORDS.items() if game.cells <= bits]


def sets(boards: list[Position], word: str):  # type: ignore[no-untyped-def]
    return [np.array([getattr(board, mark) for board in boards], word) for mark in ("x", "o")]


def some_positions(game: Game, seed: int) -> list[Position]:
    rng, found = random.Random(seed), [game.start()]
    while len(found) < 400:
        position = found[-1]
        found.append(game.start() if position.is_over else position.play(rng.choice(position.moves())))
    return found


@pytest.mark.parametrize("game", [Game(), Game(misere=True), Game(3, 4, 3), Game(2, 5, 3)], ids=str)
def test_every_reachable_position_is_judged_as_position_judges_it(game: Game) -> None:
    boards = list(reachable(game))
    expected = [board.status.value for board in boards]
    for word in words(game):
        x, o = sets(boards, word)
        assert batch.status(game, x, o).tolist() == expected
        assert batch.sets_status_plain(game, x, o).tolist() == expected
    assert batch.status(game, planes(boards)).tolist() == expected
    assert batch.planes_status_plain(game, planes(boards)).tolist() == expected


@pytest.mark.parametrize("game", SPREAD, ids=str)
def test_random_games_on_every_kind_of_board(game: Game) -> None:
    boards = some_positions(game, seed=game.cells)
    expected = [board.status.value for board in boards]
    for word in words(game):
        x, o = sets(boards, word)
        for threads in (1, 3):
            assert batch.status(game, x, o, threads=threads).tolist() == expected
        assert batch.sets_status_plain(game, x, o).tolist() == expected
    for threads in (1, 3):
        assert batch.status(game, planes(boards), threads=threads).tolist() == expected
    assert batch.planes_status_plain(game, planes(boards)).tolist() == expected


def test_all_pairs_of_disjoint_sets_get_one_verdict_from_both_twins() -> None:
    pairs = [(x, o) for x in range(512) for o in range(512) if not x & o]
    x, o = (np.array(column, np.uint16) for column in zip(*pairs, strict=True))
    for game in (Game(), Game(misere=True), Game(3, 3, 2), Game(1, 9, 4), Game(3, 3, 1)):
        assert (batch.status(game, x, o) == batch.sets_status_plain(game, x, o)).all()


def test_shape_is_kept_and_strides_do_not_matter() -> None:
    boards = list(reachable(Game()))[:5400]
    x, o = sets(boards, "uint16")
    expected = batch.status(Game(), x, o)
    assert (batch.status(Game(), x.reshape(-1, 9), o.reshape(-1, 9)) == expected.reshape(-1, 9)).all()
    assert (batch.status(Game(), x[::-3], o[::-3]) == expected[::-3]).all()
    assert batch.status(Game(), x[:0], o[:0]).shape == (0,)
    assert batch.status(Game(), planes(boards)[0]).shape == ()
    assert batch.status(Game(), *(np.array(1 << cell, np.uint16) for cell in (0, 1))).shape == ()
    assert (batch.status(Game(), planes(boards)[::-2]) == expected[::-2]).all()


@pytest.mark.parametrize(
    ("x", "o", "says"),
    [
        (np.array([0, 1], np.uint16), np.array([0, 1], np.uint16), r"board \[1\] has two marks on one cell"),
        (
            np.array([0, 512], np.uint16),
            np.array([0, 0], np.uint16),
            r"board \[1\] has a mark outside the board",
        ),
        (np.array([0], np.uint16), np.array([0x8000], np.uint16), "a mark outside the board"),
        (np.array([0], np.uint16), np.array([0], np.uint32), r"alike, not uint16\[1\] and uint32\[1\]"),
        (np.array([0], np.uint16), np.array([0, 0], np.uint16), "alike"),
        (
            np.array([0], np.int16),
            np.array([0], np.int16),
            "3x3k3 needs arrays of uint16 or uint32 or uint64",
        ),
        (np.array([0.0]), np.array([0.0]), "not float64"),
        (np.full((2, 3, 3), 2, np.int8), None, r"board \[0\] has a cell that is not \+1, -1 or 0"),
        (
            np.zeros((2, 3, 4), np.int8),
            None,
            r"expected planes int8\[n, 3, 3\] for 3x3k3, not int8\[2, 3, 4\]",
        ),
        (np.zeros((2, 3, 3), np.int64), None, "not int64"),
        (np.zeros(9, np.int8), None, "expected planes"),
    ],
)
def test_what_is_no_board_is_refused(x, o, says: str) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(ValueError, match=says):
        batch.status(Game(), x, o)


def test_a_bad_board_is_found_wherever_it_stands_in_a_long_batch() -> None:
    for at in (0, 31, 32, 1000, 9_999):
        x, o = np.zeros(10_000, np.uint16), np.zeros(10_000, np.uint16)
        x[at] = o[at] = 4
        for threads in (1, 2):
            with pytest.raises(ValueError, match=rf"board \[{at}\] has two marks"):
                batch.status(Game(), x, o, threads=threads)


def test_words_too_small_for_the_board_are_refused() -> None:
    word = np.zeros(1, np.uint16)
    with pytest.raises(ValueError, match="5x5k4 needs arrays of uint32 or uint64, not uint16"):
        batch.status(Game(5, 5, 4), word, word)
    with pytest.raises(ValueError, match="9x9k5 needs planes"):
        batch.status(Game(9, 9, 5), word.astype(np.uint64), word.astype(np.uint64))
    with pytest.raises(ValueError, match="threads must be from 1 to 1,024, not 0"):
        batch.status(Game(), word, word, threads=0)


def test_the_fallback_is_the_numpy_twin(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(native, "core", lambda: None)
    boards = list(reachable(Game()))
    expected = [board.status.value for board in boards]
    assert batch.status(Game(), *sets(boards, "uint16")).tolist() == expected
    assert batch.status(Game(), planes(boards)).tolist() == expected
    with pytest.raises(ValueError, match="two marks"):
        batch.status(Game(), *(np.ones(1, np.uint16),) * 2)
