"""The claims of the GamesCrafters developer manual."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import cache
from math import log10

from noughts.lab.papers import facts, see
from noughts.lab.papers.claim import Found, claim, enter
from noughts.lab.papers.facts import GAME
from noughts.play import Certificate, certify, choices, find_player
from noughts.rules.game import Game
from noughts.rules.legality import check
from noughts.rules.marks import Mark, Status
from noughts.rules.notation import format_moves
from noughts.rules.position import Position
from noughts.rules.symmetry import symmetries as symmetries_of
from noughts.words import listing

EXAMPLE = Position.parse("X../.OO/.X.")
DRAW = "XOX/XOO/OXX"
PRINTED_FLIP = [2, 1, 0, 5, 4, 3, 8, 7, 6]
PRINTED_TURN = [6, 3, 9, 7, 4, 1, 8, 5, 2]
PRINTED_COUNTS = {"undecided": 18917, "loss": 224, "win": 390, "tie": 151}


def _by_value(outcome: str) -> int:
    values = facts.values()
    return sum(values[position].outcome == outcome for position in facts.canonical())


def _filled_from(name: str) -> list[int]:
    """A symmetry as the manual writes it: for each place, the cell that it is filled from."""
    return list(next(symmetry for symmetry in symmetries_of(GAME) if symmetry.name == name).inverse.cells)


enter("gamescrafters.codes", "Nine squares with three possibilities each: 19,683 positions.", 19683, see.COUNTING)(
    lambda: Found(3**GAME.cells, "Right as a count of codes; most of them are boards that play cannot reach.")
)
enter("gamescrafters.example_code", "The example board has the code 4700.", 4700, see.analyse(EXAMPLE))(
    lambda: Found(EXAMPLE.code, "X on cells 0 and 7, O on cells 4 and 5.")
)


@claim("gamescrafters", 19683 - 1, see.solve())
def reachable() -> Found:
    """All but the impossible positions are undecided, won, lost or tied: 19,682."""
    count = len(facts.reachable())
    return Found(count, f"Legal play reaches {count:,} of the {3**GAME.cells:,} codes.")


@claim("gamescrafters", 19683 - sum(PRINTED_COUNTS.values()), see.analyse("XXX/OOO/..."))
def impossible() -> Found:
    """The rest are impossible positions: 19,683 less the four counts leaves 1."""
    from noughts.rules.encoding import decode

    count = sum(not check(decode(GAME, code)).legal for code in range(3**GAME.cells))
    return Found(count, f"{count:,} codes cannot arise: wrong counts, two winners, moves after the end.")


@claim("gamescrafters", 390 + 224 + 151, see.solve())
def canonical() -> Found:
    """390 winning, 224 losing and 151 tie positions: 765 in all."""
    note = "These are the reachable positions up to symmetry, which the manual does not say."
    return Found(len(facts.canonical()), note)


enter("gamescrafters.canonical_win", "390 positions are winning.", 390, see.solve())(
    lambda: Found(_by_value("win"), "For the player to move, one position of each class under symmetry.")
)
enter("gamescrafters.canonical_loss", "224 positions are losing (by either player).", 224, see.solve())(
    lambda: Found(_by_value("loss"), "For the player to move, one position of each class under symmetry.")
)
enter("gamescrafters.canonical_tie", "151 positions are ties.", 151, see.solve())(
    lambda: Found(_by_value("tie"), "With best play, one position of each class under symmetry.")
)


@claim("gamescrafters", 18917, see.COUNTING)
def unused_codes() -> Found:
    """18,917 positions are undecided."""
    count = 3**GAME.cells - len(facts.canonical())
    return Found(count, "They are the slots of the table that no canonical position uses, and one more than printed.")


@claim("gamescrafters", 18917, see.COUNTING)
def undecided() -> Found:
    """Undecided means that not all tiles are occupied: 18,917 such boards."""
    with_empty = 3**GAME.cells - 2**GAME.cells
    ongoing = sum(not position.is_over for position in facts.reachable())
    return Found(with_empty, f"{with_empty:,} codes have an empty tile; {ongoing:,} reachable positions are ongoing.")


def _of_all(outcome: str, claimed: int, are: str) -> None:
    @enter(f"gamescrafters.positions_{outcome}", f"{claimed} of all positions are {are}.", claimed, see.solve())
    def positions() -> Found:
        count = sum(worth.outcome == outcome for worth in facts.values().values())
        return Found(count, f"Of all reachable positions; {claimed} counts one of each class under symmetry.")


_of_all("win", 390, "winning")
_of_all("loss", 224, "losing")
_of_all("tie", 151, "ties")


def _ending(
    name: str, text: str, claimed: int, count: Callable[[Status], int], status: Status, seen: str = see.COUNTING
) -> None:
    note = "Counted over all sequences of moves." if count is facts.games else "Finished boards up to symmetry."
    enter(f"gamescrafters.{name}", text, claimed, seen)(lambda: Found(count(status), note))


enter("gamescrafters.games", "There are 255,168 possible games.", 255168, see.COUNTING)(
    lambda: Found(facts.games(), "Sequences of moves up to the first line or the full board.")
)
_ending("games_x", "131,184 games are won by the first player.", 131184, facts.games, Status.X_WINS)
_ending("games_o", "77,904 games are won by the second player.", 77904, facts.games, Status.O_WINS)
_ending("games_draw", "46,080 games end in a draw.", 46080, facts.games, Status.DRAW)
enter(
    "gamescrafters.final_classes",
    "Up to rotation and reflection there are 138 (it says games; they are finished boards).",
    138,
    see.COUNTING,
)(lambda: Found(facts.final_classes(), "The number is right for finished boards up to symmetry, not for games."))
_ending("final_x", "91 of the 138 are won by the first player.", 91, facts.final_classes, Status.X_WINS)
_ending("final_o", "44 of the 138 are won by the second player.", 44, facts.final_classes, Status.O_WINS)
_ending("final_draw", "3 of the 138 are draws.", 3, facts.final_classes, Status.DRAW, see.analyse(DRAW))


@claim("gamescrafters", 138, see.COUNTING)
def games_up_to_symmetry() -> Found:
    """Up to symmetry only 138 games (sequences of moves) remain."""
    return Found(facts.games_up_to_symmetry(), "Whole sequences under the 8 symmetries; 138 counts finished boards.")


@claim("gamescrafters", 138, see.COUNTING)
def games_through_classes() -> Found:
    """Without symmetric boards only 138 games (sequences of moves) remain."""
    note = "Paths through the graph of canonical positions; 138 counts finished boards."
    return Found(facts.games_through_classes(), note)


enter("gamescrafters.games_magnitude", "The number of games is on the order of 10^5.", 5, see.COUNTING)(
    lambda: Found(int(log10(facts.games())), f"{facts.games():,} games.")
)


@claim("gamescrafters", 2, see.COUNTING)
def unique_magnitude() -> Found:
    """Up to symmetry the number of games is on the order of 10^2."""
    count = facts.games_up_to_symmetry()
    return Found(int(log10(count)), f"{count:,} games remain: a factor of about the 8 symmetries, no more.")


@claim("gamescrafters", [390, 224, 151], see.solve("3x3k3m"))
def misere() -> Found:
    """The counts 390, 224 and 151, for the variant in which completing a line loses (the manual knows no variants)."""
    game = Game(misere=True)
    outcomes = Counter(facts.values(game)[position].outcome for position in facts.canonical(game))
    everything = Counter(worth.outcome for worth in facts.values(game).values())
    counts = listing(f"{everything[outcome]:,} {outcome}" for outcome in ("win", "loss", "tie"))
    note = f"In misere, where completing a line loses; of all positions {counts}."
    return Found([outcomes["win"], outcomes["loss"], outcomes["tie"]], note)


@claim("gamescrafters", PRINTED_TURN, see.analyse(EXAMPLE))
def rotation_table() -> Found:
    """The table of the clockwise quarter turn."""
    turn = _filled_from("quarter turn clockwise")
    first = next(place for place in range(9) if turn[place] != PRINTED_TURN[place])
    return Found(turn, f"Place {first} is filled from cell {turn[first]}; there is no cell {PRINTED_TURN[first]}.")


enter("gamescrafters.flip_table", "The table of the flip.", PRINTED_FLIP, see.analyse(EXAMPLE))(
    lambda: Found(_filled_from("left-right flip"), "Left and right change places.")
)


@claim("gamescrafters", True, see.analyse(EXAMPLE))
def symmetries() -> Found:
    """There are two kinds of symmetries, flips and rotations: together all of them."""
    turn, flip = tuple(_filled_from("quarter turn clockwise")), tuple(PRINTED_FLIP)
    made = {tuple(range(9))}
    while (more := made | {tuple(one[cell] for cell in other) for one in made for other in (turn, flip)}) != made:
        made = more
    complete = made == {symmetry.cells for symmetry in symmetries_of(GAME)}
    return Found(complete, f"The quarter turn and the flip generate all {len(made)}.")


@claim("gamescrafters", True, see.analyse("X../.O./..."))
def non_partisan() -> Found:
    """Tic-tac-toe is non-partisan: both players have the same moves."""
    board = Position.parse("X../.O./...")
    bits = [1 << cell for cell in board.moves()]
    for_x, for_o = {(board.x | bit, board.o) for bit in bits}, {(board.x, board.o | bit) for bit in bits}
    return Found(for_x == for_o, "X and O place different marks, so one board offers them different moves.")


@claim("gamescrafters", True, see.search(depth="2"))
def non_loopy() -> Found:
    """No position comes twice in a game."""
    grows = all(
        position.play(cell).marks == position.marks + 1 for position in facts.reachable() for cell in position.moves()
    )
    return Found(grows, "Every move adds a mark.")


@claim("gamescrafters", True, see.analyse(DRAW))
def ties_possible() -> Found:
    """Ties are possible, and only with all nine spaces occupied."""
    draws = [position for position in facts.reachable() if position.status is Status.DRAW]
    return Found(bool(draws) and all(draw.marks == 9 for draw in draws), f"{len(draws)} boards are drawn.")


@claim("gamescrafters", "tie", see.solve())
def solved() -> Found:
    """Tic-tac-toe has been strongly solved; with best play it is a tie."""
    values = facts.values()
    return Found(values[GAME.start()].outcome, f"All {len(values):,} positions are solved here, each time this runs.")


# The seven rules


@cache
def _certified(player: str) -> Certificate:
    return certify(find_player(player), GAME)


def _never_loses(player: str, mark: Mark) -> Found:
    certificate = _certified(player)
    side = certificate.x if mark is Mark.X else certificate.o
    if side.counterexample is None:
        note = f"No game is lost as {mark}, whatever the opponent does; {side.positions:,} positions explored."
        return Found(True, note)
    moves = format_moves(GAME, side.counterexample)
    lost = f"As {mark} it loses this game: {' '.join(moves)}."
    return Found(False, lost, see=see.analyse(moves=",".join(moves)))


@claim("gamescrafters", True, see.match("rules-as-printed", "perfect", 20))
def strategy_x() -> Found:
    """The seven rules ensure victory or a tie, moving first."""
    return _never_loses("rules-as-printed", Mark.X)


@claim("gamescrafters", True, see.match("perfect", "rules-as-printed", 20))
def strategy_o() -> Found:
    """The seven rules ensure victory or a tie, moving second."""
    return _never_loses("rules-as-printed", Mark.O)


@claim("gamescrafters", True, see.match("perfect", "rules", 20))
def strategy_corrected() -> Found:
    """Rules of this kind can be perfect."""
    certificate = _certified("rules")
    both = certificate.x.never_loses and certificate.o.never_loses
    return Found(both, "With corners before sides, and forks met by leaving none or by a threat, no side ever loses.")


@claim("gamescrafters", True, see.match("rules-as-printed", "rules-as-printed", 20))
def strategy_ties() -> Found:
    """If both players follow the seven rules, the game always ties."""
    player = find_player("rules-as-printed")
    ends: set[Mark | None] = set()
    seen = {GAME.start()}
    todo = [GAME.start()]
    while todo:
        position = todo.pop()
        if position.is_over:
            ends.add(position.winner)
            continue
        after = {position.play(cell) for cell in choices(player, position)} - seen
        seen |= after
        todo += after
    found = listing(sorted(f"{end} wins" if end else "draws" for end in ends))
    return Found(ends == {None}, f"Over all {len(seen):,} positions that the rules reach against themselves: {found}.")
