"""Players: their moves, their choices, their chance, and what each of them sees."""

from __future__ import annotations

from functools import cache
from itertools import pairwise

import pytest
from conftest import SPREAD, positions, reachable
from hypothesis import given, settings
from hypothesis import strategies as st

from noughts import Game, Mark, Position, best_moves, move_values, native, value
from noughts.play import PLAYERS, CannotPlay, Chooser, InvalidPlayer, choices, find_player
from noughts.play.engine import engine_likes
from noughts.play.levels import NODES, Level5, longest, seen
from noughts.play.mcts import Mcts
from noughts.play.player import Choosing
from noughts.play.rules import lines_through
from noughts.play.tactics import defences, forced, urgent
from noughts.rules.symmetry import symmetries
from noughts.threats import blocking_moves, completing_moves, fork_blocks, forks, pressing, winning_moves

# Every player, in a form that is quick.
QUICK = [
    "random", "rules-as-printed", "rules", "minimax:2", "alphabeta:2", "perfect", "mcts:16", "engine",
    "level-1", "level-2", "level-3", "level-4", "level-5",
]  # fmt: skip
CENTRE, CORNERS, SIDES = [4], [0, 2, 6, 8], [1, 3, 5, 7]


@cache
def ongoing() -> tuple[Position, ...]:
    return tuple(position for position in reachable(Game()) if not position.is_over)


@cache
def classes() -> tuple[Position, ...]:
    return tuple({position.canonical(): None for position in ongoing()})


# All players


def test_every_player_is_tested() -> None:
    assert [name.partition(":")[0] for name in QUICK] == list(PLAYERS)


@pytest.mark.parametrize("name", QUICK)
def test_choices_are_legal_ascending_and_hold_the_move(name: str) -> None:
    player = find_player(name, seed=3)
    for position in classes():
        offered = player.choices(position)
        assert offered
        assert offered == sorted(set(offered) & set(position.moves()))
        assert player(position) in offered


@pytest.mark.parametrize("name", QUICK)
def test_a_player_asked_twice_answers_the_same(name: str) -> None:
    for position in classes()[::5]:
        assert find_player(name, seed=5)(position) == find_player(name, seed=5)(position)


@pytest.mark.parametrize("name", QUICK)
def test_another_seed_makes_another_choice_somewhere(name: str) -> None:
    players = [find_player(name, seed) for seed in range(10)]
    assert any(len({player(position) for player in players}) > 1 for position in classes())


@pytest.mark.parametrize("name", QUICK)
def test_a_finished_game_has_no_move(name: str) -> None:
    with pytest.raises(CannotPlay, match="the game is over"):
        find_player(name)(Position.parse("XXX/OO./..."))


@pytest.mark.parametrize("name", [name for name in QUICK if find_player(name).symmetric])
def test_choices_turn_with_the_board(name: str) -> None:
    player = find_player(name)
    turn, flip = symmetries(Game())[4], symmetries(Game())[1]  # these two generate all eight
    for position in classes():
        for symmetry in (turn, flip):
            assert player.choices(symmetry.apply(position)) == sorted(map(symmetry, player.choices(position)))


@settings(max_examples=60)
@given(positions(st.sampled_from([game for game in SPREAD if game.cells < 400])), st.data())
def test_every_player_plays_every_game_or_says_why_not(position: Position, data: st.DataObject) -> None:
    player = find_player(data.draw(st.sampled_from([name for name in QUICK if name != "perfect"])))
    if position.is_over:
        return
    if player.supports(position.game):
        assert player(position) in position.moves()
    else:
        with pytest.raises(CannotPlay, match=f"{player} does not play {position.game}: "):
            player(position)


def test_any_function_is_a_player_and_has_one_choice() -> None:
    assert choices(lambda position: position.moves()[1], Game().start()) == [1]
    chooser: Chooser = find_player("random")
    assert choices(chooser, Game().start()) == list(range(9))


# Names


def test_players_are_found_by_name_with_their_number() -> None:
    assert find_player("alphabeta:4", 7) == PLAYERS["alphabeta"](7, depth=4)  # type: ignore[call-arg]
    assert find_player("mcts:200") == Mcts(0, 200)
    assert find_player("level-5:0.5s", 3) == PLAYERS["level-5"](3, seconds=0.5)  # type: ignore[call-arg]
    assert [str(find_player(name)) for name in ("rules", "minimax", "minimax:3", "mcts:50")] == [
        "rules", "minimax", "minimax:3", "mcts:50",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("perfct", "there is no player 'perfct': did you mean perfect?"),
        ("level-9", "did you mean level-"),
        ("", "expected one of random, rules-as-printed, rules"),
        ("rules:3", "rules takes no number"),
        ("level-4:1s", "level-4 takes no number"),
        ("level-5:0s", "seconds"),
        ("alphabeta:x", "'x' is not a depth for alphabeta: expected a number, as in alphabeta:4"),
        ("alphabeta:", "'' is not a depth"),
        ("alphabeta:-1", "'-1' is not a depth"),
        ("alphabeta:0", "the depth of alphabeta must be at least 1, not 0"),
        ("mcts:0", "the playouts of mcts must be from 1 to 10,000,000, not 0"),
        ("mcts:99999999", "the playouts of mcts must be from 1 to 10,000,000"),
        ("x" * 10_000, "there is no player"),
    ],
)
def test_what_is_no_player_is_refused_in_one_line(name: str, says: str) -> None:
    with pytest.raises(InvalidPlayer) as caught:
        find_player(name)
    assert says in str(caught.value)
    assert len(str(caught.value)) < 200


# Tactics: the fast twin of threats


def check_tactics(position: Position) -> None:
    game, empty = position.game, position.empty
    for mark, own in zip((position.turn, position.turn.other), position.sides, strict=True):
        if not completing_moves(position, mark):
            once, twice = pressing(game, own, empty)
            assert game.cells_of(twice) == forks(position, mark)
            makes = [cell for cell in game.cells_of(empty) if game.rule.completing(own | (1 << cell)) & empty]
            assert game.cells_of(once) == makes
    cells, _ = forced(position)
    assert game.cells_of(cells) == (winning_moves(position) or blocking_moves(position) or forks(position))
    if not cells:
        answers = defences(position)
        assert (answers is None) is (not forks(position, position.turn.other))
        assert set(fork_blocks(position)) <= set(game.cells_of(answers or 0))


def test_tactics_agree_with_threats_on_every_position() -> None:
    for position in ongoing():
        check_tactics(position)


@settings(max_examples=150)
@given(positions(st.sampled_from([game for game in SPREAD if game.cells < 80 and not (game.misere or game.gravity)])))
def test_tactics_agree_with_threats_on_other_boards(position: Position) -> None:
    if not position.is_over:
        check_tactics(position)


def check_verdict(position: Position) -> None:
    worth, values = value(position), move_values(position)
    cells, verdict = urgent(position)
    assert worth
    if verdict:
        assert worth.outcome == ("win" if verdict > 0 else "loss")
    if verdict > 0:
        assert all(values[cell].outcome == "win" for cell in position.game.cells_of(cells))  # type: ignore[union-attr]
    if cells:  # every other move is no better
        best = max(values[cell] for cell in position.game.cells_of(cells))  # type: ignore[type-var]
        assert best.outcome == worth.outcome


def test_what_tactics_settle_is_so_by_exact_value() -> None:
    for position in ongoing():
        check_verdict(position)


@settings(max_examples=60)
@given(positions(st.sampled_from([Game(4, 4, 3), Game(4, 4, 4), Game(3, 4, 3), Game(5, 5, 4)])))
def test_what_tactics_settle_is_so_on_other_boards(position: Position) -> None:
    if not position.is_over and position.empty.bit_count() <= 9:
        check_verdict(position)


# The seven rules, read off the page


def first(*rules: list[int]) -> list[int]:
    return sorted(next(rule for rule in rules if rule))


def test_the_rules_as_printed_are_those_of_the_source() -> None:
    player = find_player("rules-as-printed")
    for position in ongoing():
        free, other = position.moves(), position.turn.other
        kinds = [[cell for cell in kind if cell in free] for kind in (CENTRE, SIDES, CORNERS)]
        assert player.choices(position) == first(
            winning_moves(position), blocking_moves(position), forks(position), forks(position, other), *kinds
        )


def gains_time(position: Position, cell: int) -> bool:
    """Does a move make a threat whose forced reply is not itself a double threat?"""
    after = position.play(cell)
    replies = blocking_moves(after)
    return len(replies) == 1 and len(blocking_moves(after.play(replies[0]))) < 2


def test_the_corrected_rules_differ_in_forks_and_in_the_order_of_cells() -> None:
    player = find_player("rules")
    for position in ongoing():
        free, danger = position.moves(), forks(position, position.turn.other)
        quiet = [cell for cell in free if not forks(position.play(cell))] if danger else []
        gaining = [cell for cell in free if danger and gains_time(position, cell)]
        kinds = [[cell for cell in kind if cell in free] for kind in (CENTRE, CORNERS, SIDES)]
        assert player.choices(position) == first(
            winning_moves(position), blocking_moves(position), forks(position), list({*quiet, *gaining}), *kinds
        )


def test_the_widest_cells_of_3x3_are_the_centre_then_corners_then_sides() -> None:
    width = lines_through(Game())
    assert {width[cell] for cell in CENTRE} == {4}
    assert {width[cell] for cell in CORNERS} == {3}
    assert {width[cell] for cell in SIDES} == {2}


def test_the_rules_say_where_they_make_no_sense() -> None:
    assert find_player("rules").supports(Game(15, 15, 5))
    assert not find_player("rules").supports(Game(misere=True))
    assert "misere" in (find_player("rules").refusal(Game(misere=True).start()) or "")
    assert not find_player("rules-as-printed").supports(Game(4, 4, 3))


# Searching and exact players


def test_perfect_plays_the_best_moves_and_nothing_else() -> None:
    for position in reachable(Game(misere=True)) + ongoing():
        if not position.is_over:
            assert find_player("perfect").choices(position) == best_moves(position)


def test_perfect_does_not_guess() -> None:
    with pytest.raises(CannotPlay, match="the exact value is unknown with 225 cells free"):
        find_player("perfect")(Game(15, 15, 5).start())
    known = Position.parse(
        "15x15k5:" + "/".join(["XXXX...........", "OOO............"] + ["." * 15] * 12 + ["..............O"])
    )
    assert find_player("perfect")(known) == 4


@pytest.mark.parametrize("name", ["minimax", "alphabeta"])
def test_searching_players_need_a_depth_where_the_end_is_far(name: str) -> None:
    assert "give it a depth, as in" in (find_player(name).refusal(Game(4, 4, 4).start()) or "")
    assert find_player(f"{name}:2")(Game(4, 4, 4).start()) in range(16)


def test_minimax_and_alphabeta_like_the_same_moves() -> None:
    for position in classes()[::3]:
        assert find_player("minimax:3").choices(position) == find_player("alphabeta:3").choices(position)


# Monte Carlo tree search


@pytest.mark.parametrize("name", ["mcts:16", "level-5", "rules", "level-3", "level-4"])
def test_the_better_players_take_wins_and_block(name: str) -> None:
    player = find_player(name)
    for position in classes():
        wins, blocks = winning_moves(position), blocking_moves(position)
        if wins:
            assert set(player.choices(position)) <= set(wins)
        elif blocks and name != "level-5":  # a lost position may be lost in any way that is slow
            assert set(player.choices(position)) <= set(blocks)


def test_mcts_wins_on_a_large_board_against_who_does_not_look_ahead() -> None:
    game = Game(15, 15, 5)
    for name in ("random", "alphabeta:1"):
        for mark in Mark:
            position, players = game.start(), {mark: Mcts(1, 80), mark.other: find_player(name, 1)}
            while not position.is_over:
                position = position.play(players[position.turn](position))
            assert position.winner is mark


def test_mcts_finds_the_only_move_that_does_not_lose() -> None:
    for position in classes():
        values = move_values(position)
        keep = [cell for cell in values if values[cell].outcome != "loss"]  # type: ignore[union-attr]
        if len(keep) == 1:
            assert Mcts(2, 800).choices(position) == keep


# Levels


def test_level_1_sees_only_its_own_rows_and_columns() -> None:
    player = find_player("level-1")
    assert player.choices(Position.parse("XX./OO./...")) == [2]
    assert player.choices(Position.parse("X.O/.XO/...")) == [1, 3, 6, 7, 8]  # neither its diagonal nor the column of O


def test_level_2_overlooks_every_other_diagonal() -> None:
    diagonal = Position.parse("X.O/.X./..." + "")
    answers = [find_player("level-2", seed)(diagonal) for seed in range(200)]
    assert find_player("level-2").choices(diagonal) == diagonal.moves()
    noticed = answers.count(8) - 100 / 6  # by chance, too
    assert 60 < noticed < 140
    assert find_player("level-2").choices(Position.parse("OO./.X./..X")) == [2]


def test_level_3_is_blind_to_forks() -> None:
    trap = Position.parse("X../.O./..X")
    values = move_values(trap)
    lost = [cell for cell in find_player("level-3").choices(trap) if values[cell].outcome == "loss"]  # type: ignore[union-attr]
    assert lost
    assert find_player("level-3").choices(Position.parse("X.O/.../X.O")) == [3]


def test_level_4_sits_on_the_fork_and_that_is_its_mistake() -> None:
    trap = Position.parse("X../.O./..X")
    assert find_player("level-4").choices(trap) == forks(trap, Mark.X) == [2, 6]
    assert find_player("level-4").choices(Position.parse("XO./.X./..O")) == [6]


def test_level_5_plays_only_best_moves_and_prefers_those_that_set_a_trap() -> None:
    player = find_player("level-5")
    for position in classes():
        picked, best = player.choices(position), best_moves(position)
        assert set(picked) <= set(best)
        traps = [
            cell
            for cell in best
            if len({worth and worth.outcome for worth in move_values(position.play(cell)).values()}) > 1
        ]
        assert picked == (traps or best)


def test_level_5_searches_where_the_value_is_unknown() -> None:
    misere = Game(15, 15, 5, misere=True).start().play("h8")
    assert Level5(3, 64)(misere) == Mcts(3, 64)(misere)
    start = Game(15, 15, 5).start().play("h8")
    if native.core() is None:
        assert Level5(3, 64)(start) == Mcts(3, 64)(start)
    else:
        assert Level5(3)(start) in engine_likes(start, NODES)


@pytest.mark.parametrize("name", ["15x15k5", "15x15k5e", "15x15k5m", "9x12k5", "32x32k5", "4x14k4", "14x4k4"])
def test_where_nothing_is_known_the_first_move_is_in_the_centre_or_next_to_it(name: str) -> None:
    game = Game.parse(name)
    for player in ("level-5", "mcts"):
        row, column = divmod(find_player(player)(game.start()), game.columns)
        assert abs(2 * row - (game.rows - 1)) <= 3  # on the centre, or next to it
        assert abs(2 * column - (game.columns - 1)) <= 3


def test_what_is_said_of_a_level_is_true_in_misere() -> None:
    misere = Game(misere=True)
    said = {level: find_player(f"level-{level}").summary(misere) for level in range(1, 5)}
    assert all(text != find_player(f"level-{level}").summary(Game()) for level, text in said.items())
    for position in misere.positions():
        if position.is_over:
            continue
        completing = {cell for cell in position.moves() if position.play(cell).lines()}
        straight = set(seen(position, position.sides[0], diagonals=False))
        kept = [cell for cell in position.moves() if cell not in completing]
        liked = {level: find_player(f"level-{level}").choices(position) for level in said}
        assert liked[1] == ([cell for cell in position.moves() if cell not in straight] or position.moves())
        assert set(kept or position.moves()) <= set(liked[2])
        assert set(liked[2]) <= set(kept) | (completing - straight) or not kept
        assert liked[3] == (kept or position.moves())
        assert set(liked[4]) <= set(kept or position.moves())
    assert find_player("level-4").choices(misere.start()) == [1, 3, 5, 7]  # on two lines, the others on three or four


def test_in_misere_eyes_see_what_to_keep_away_from() -> None:
    position = Position.parse("3x3k3m:XX./OO./...")
    for level in range(1, 6):
        assert 2 not in find_player(f"level-{level}").choices(position)


@settings(max_examples=60)
@given(positions(st.sampled_from([Game(), Game(4, 5, 4), Game(2, 6, 4), Game(5, 5, 3)])))
def test_eyes_without_diagonals_see_rows_and_columns(position: Position) -> None:
    own, _ = position.sides
    game = position.game

    def straight(line: tuple[int, ...]) -> bool:
        steps = {after - before for before, after in pairwise(line)}
        return steps in ({1}, {game.columns})

    expected = [
        cell
        for cell in game.cells_of(position.empty)
        if any(
            straight(line) and cell in line and not game.bits_of(line) & ~(own | (1 << cell)) for line in game.lines()
        )
    ]
    if not position.is_over:
        assert seen(position, own, diagonals=False) == expected


@given(positions(st.sampled_from([Game(), Game(4, 5, 4), Game(2, 6, 4), Game(5, 5, 3)])))
def test_the_longest_line_is_found(position: Position) -> None:
    if position.is_over:
        return
    game, (own, other) = position.game, position.sides
    lines = [line for line in game.lines() if not game.bits_of(line) & other]
    lengths = {line: (game.bits_of(line) & own).bit_count() for line in lines}
    cells = {cell for line in lines if lengths[line] == max(lengths.values()) for cell in line}
    assert longest(position) == [cell for cell in position.moves() if cell in cells or not lines]


def test_players_are_values() -> None:
    assert isinstance(find_player("rules", 4), Choosing)
    assert find_player("rules", 4) == find_player("rules", 4) != find_player("rules", 5)
    assert len({find_player(name) for name in PLAYERS}) == len(PLAYERS)
