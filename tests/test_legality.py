"""Legality: legal exactly when reachable, with a witness; a named reason otherwise."""

from __future__ import annotations

import pytest
from conftest import games, positions, reachable
from hypothesis import given
from hypothesis import strategies as st

from noughts import Game, InvalidPosition, Position, Setup
from noughts.rules.encoding import decode, level_size, unrank
from noughts.rules.legality import Reason, check


def replay(game: Game, moves: tuple[int, ...]) -> Position:
    position = game.start()
    for cell in moves:
        position = position.play(cell)
    return position


def all_boards(game: Game) -> list[Setup]:
    return [decode(game, code) for code in range(3**game.cells)]


@pytest.mark.parametrize(
    "name",
    ["3x3k3", "3x3k3m", "3x3k1", "3x3k2", "2x4k2", "2x4k3m", "1x8k2", "1x9k3", "8x1k3", "2x2k2", "1x1k1"],
)
def test_legal_exactly_when_reachable_on_every_board(name: str) -> None:
    game = Game.parse(name)
    expected = {(position.x, position.o) for position in reachable(game)}
    assert {board[1:] for board in all_boards(game) if check(board).legal} == expected


@pytest.mark.parametrize("name", ["3x3k3", "3x3k3m", "1x9k2", "2x4k3"])
def test_every_witness_replays_to_its_board(name: str) -> None:
    game = Game.parse(name)
    for board in all_boards(game):
        verdict = check(board)
        assert (verdict.witness is None) is (not verdict.legal) is (verdict.reason is not None)
        if verdict.witness is not None:
            assert replay(game, verdict.witness) == Position(*board)


@given(positions())
def test_played_positions_are_legal_and_their_witness_replays(position: Position) -> None:
    verdict = check(position)
    assert verdict.legal
    assert verdict.witness is not None
    assert replay(position.game, verdict.witness) == position


@given(games, st.data())
def test_random_boards_are_legal_only_with_a_witness_that_replays(game: Game, data: st.DataObject) -> None:
    level = data.draw(st.integers(0, game.cells))
    board = unrank(game, level, data.draw(st.integers(0, level_size(game, level) - 1)))
    verdict = check(board)
    if verdict.witness is not None:
        assert replay(game, verdict.witness) == Position(*board)
    else:
        assert game.rule.has_line(board.x) or game.rule.has_line(board.o)


COUNTS = "the players take turns and X begins, so X must have as many marks as O, or one more"
BOTH = "both players have completed a line, but the first line ends the game"
AFTER = "a move was made after the end of the game"
NO_LAST = "no single last move can have completed all these lines"


@pytest.mark.parametrize(
    ("text", "reason", "says"),
    [
        ("XXX/.../...", Reason.COUNTS, f"{COUNTS} (X has 3 and O has 0)"),
        ("O../.../...", Reason.COUNTS, f"{COUNTS} (X has 0 and O has 1)"),
        ("XOX/OXO/OXO", Reason.COUNTS, f"{COUNTS} (X has 4 and O has 5)"),
        ("XXX/OOO/...", Reason.BOTH_COMPLETE, BOTH),
        ("XXX/OO./O..", Reason.MOVE_AFTER_END, f"{AFTER} (X has a line, but O moved last)"),
        ("OOO/XX./X.X", Reason.MOVE_AFTER_END, f"{AFTER} (O has a line, but X moved last)"),
        ("3x3k3m:XXX/OO./O..", Reason.MOVE_AFTER_END, f"{AFTER} (X has a line, but O moved last)"),
        ("3x5k3:XXX../OO.OO/XXX.O", Reason.NO_LAST_MOVE, f"{NO_LAST} (X's lines have no cell in common)"),
        ("3x5k3:OOO../XX.XX/OOOXX", Reason.NO_LAST_MOVE, f"{NO_LAST} (O's lines have no cell in common)"),
        ("1x11k3:XXXXXXOO.OO", Reason.COUNTS, f"{COUNTS} (X has 6 and O has 4)"),
        ("1x12k3:XXXXXXOO.OOO", Reason.BOTH_COMPLETE, BOTH),
        ("1x13k3:XXXXXXOO.OO.O", Reason.NO_LAST_MOVE, f"{NO_LAST} (X's lines have no cell in common)"),
        ("2x2k1:XO/..", Reason.BOTH_COMPLETE, BOTH),
    ],
)
def test_what_cannot_arise_is_refused_with_a_named_reason(text: str, reason: Reason, says: str) -> None:
    verdict = check(text)
    assert (verdict.legal, verdict.reason, verdict.witness) == (False, reason, None)
    assert verdict.explanation == says
    with pytest.raises(InvalidPosition) as caught:
        Position.parse(text)
    assert caught.value.reason is reason
    assert str(caught.value) == says


def test_reasons_have_short_names() -> None:
    names = "counts both_complete move_after_end no_last_move floating no_order no_turns undecided"
    assert " ".join(map(str, Reason)) == names


def test_a_legal_board_says_so() -> None:
    verdict = check("X../.../...")
    assert (verdict.legal, verdict.reason, verdict.witness) == (True, None, (0,))
    assert verdict.explanation == "legal play can reach this board"
    verdict.require()
    with pytest.raises(AttributeError):
        verdict.witness = ()  # type: ignore[misc]


def test_lines_that_share_a_cell_are_legal_even_on_a_full_board() -> None:
    for text in ("XXX/XOO/XOO", "XOX/OXO/XOX", "1x11k3:XXXXXOO.OO."):
        assert check(text).legal, text


def test_the_witness_ends_with_the_move_that_completes_every_line() -> None:
    verdict = check("1x11k3:XXXXXOO.OO.")
    assert verdict.witness is not None
    assert verdict.witness[-1] == 2


@pytest.mark.parametrize(("x", "o"), [(0b1, 0b1), (1 << 9, 0), (0, 1 << 9), (-1, 0), (1 << 100, 1)])
def test_what_is_no_board_at_all_is_refused(x: int, o: int) -> None:
    with pytest.raises(InvalidPosition) as caught:
        check(Setup(Game(), x, o))
    assert str(caught.value) == "these are not two separate sets of cells of the board"
    assert caught.value.reason is None
