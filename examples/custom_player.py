"""A player of your own, certified: first one that loses, with the game that shows it, then one that is proven.

    python examples/custom_player.py

Certification plays every game that can arise against the player, for each side: it proves "never loses", or gives a
shortest lost game. Nothing is sampled.
"""

from __future__ import annotations

from noughts import Game, Position
from noughts.play import certify
from noughts.play.certification import Side
from noughts.rules.notation import draw_board, format_move
from noughts.threats import blocking_moves, fork_blocks, forks, winning_moves

CENTRE, CORNERS = [4], [0, 2, 6, 8]


def first(cells: list[int], position: Position) -> list[int]:
    """Those of the cells that are free."""
    return [cell for cell in cells if cell in position.moves()]


def hasty(position: Position) -> int:
    """Win, block, take the centre, a corner, anything: what most people write first."""
    return (
        winning_moves(position)
        or blocking_moves(position)
        or first(CENTRE, position)
        or first(CORNERS, position)
        or position.moves()
    )[0]


def patient(position: Position) -> int:
    """The same, and it makes forks, and meets the opponent's: it leaves none, or threatens something better."""
    return (
        winning_moves(position)
        or blocking_moves(position)
        or forks(position)
        or first(CENTRE, position)
        or fork_blocks(position)
        or distractions(position)
        or first(CORNERS, position)
        or position.moves()
    )[0]


def distractions(position: Position) -> list[int]:
    """Where the opponent could fork: moves that threaten a line whose only defence is not that fork."""
    if not forks(position, position.turn.other):
        return []
    found = []
    for cell in position.moves():
        after = position.play(cell)
        threats = winning_moves(after, position.turn)
        if threats and not set(threats) & set(forks(after)):
            found.append(cell)
    return found


def tell(side: Side) -> None:
    """What was found of one side."""
    if side.counterexample is None:
        print(f"  as {side.mark}: never loses, in any of the games through {side.positions:,} positions")
        return
    game = Game()
    print(f"  as {side.mark}: loses {' '.join(format_move(game, cell) for cell in side.counterexample)}")
    position = game.start()
    for cell in side.counterexample:
        position = position.play(cell)
    print("\n".join(f"      {line}" for line in draw_board(position).splitlines()))


def main() -> None:
    for player in (hasty, patient):
        found = certify(player)
        print(f"{player.__name__}: {(player.__doc__ or '').strip()}")
        tell(found.x)
        tell(found.o)
        kept, quick = found.x.shares
        if kept is not None and quick is not None:
            print(f"  of its decisions as X {kept:.1%} keep the value, and {quick:.1%} are also as quick as can be")
        print()


if __name__ == "__main__":
    main()
