"""What the bridges to environments share: how a game is named, and how its board is shown."""

from __future__ import annotations

from operator import index
from typing import TYPE_CHECKING, Any

from noughts.rules.game import Game
from noughts.rules.position import Position, require
from noughts.words import brief

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

PIXELS = 480  # the longer side of a picture, about
PAPER, LINES, MARKS, WON = (250, 248, 242), (120, 120, 120), ((30, 80, 160), (190, 60, 40)), (255, 225, 120)


def beginning(game: Game | str | None, start: Position | str | None) -> Position:
    """Where games begin: a position, or the empty board of a game, each as itself or as text.

    >>> beginning("4x4k3", None), beginning(None, "X../.../...")
    (Position.parse('4x4k3:..../..../..../....'), Position.parse('X../.../...'))
    """
    wanted = Game.parse(game) if isinstance(game, str) else game
    if wanted is not None:
        require(wanted, Game, "an environment")
    if start is None:
        return (Game() if wanted is None else wanted).start()
    position = Position.parse(start) if isinstance(start, str) else start
    require(position, Position, "start")
    if wanted is not None and position.game != wanted:
        raise ValueError(f"the start is a position of {position.game}, not of {wanted}")
    if position.is_over:
        raise ValueError(f"no game can start at {position}: it is over ({position.status})")
    return position


def whole_action(action: Any) -> int:
    """An action as a number; TypeError for what is none, True and False among them.

    >>> whole_action(True)
    Traceback (most recent call last):
    TypeError: an action is a whole number, not True
    """
    try:
        if not isinstance(action, bool):
            return index(action)
    except TypeError:
        pass
    raise TypeError(f"an action is a whole number, not {brief(action)}")


def picture(position: Position) -> NDArray[np.uint8]:
    """The board as an image uint8[height, width, 3]; the cells of a completed line stand out."""
    import numpy as np

    game = position.game
    size = max(5, PIXELS // max(game.rows, game.columns))
    along, across = np.meshgrid(np.linspace(-1, 1, size), np.linspace(-1, 1, size), indexing="ij")
    thick, far = max(0.14, 2.2 / size), np.hypot(along, across)
    crossing = (np.abs(along - across) < thick * 1.4) | (np.abs(along + across) < thick * 1.4)
    shapes = crossing & (np.maximum(abs(along), abs(across)) < 0.7), np.abs(far - 0.6) < thick
    image = np.full((game.rows * size + 1, game.columns * size + 1, 3), PAPER, np.uint8)
    won = {cell for line in position.lines() for cell in line}
    for cell in {*game.cells_of(position.x | position.o), *won}:
        row, column = divmod(cell, game.columns)
        square = image[row * size : (row + 1) * size, column * size : (column + 1) * size]
        if cell in won:
            square[:] = WON
        for bits, shape, colour in zip((position.x, position.o), shapes, MARKS, strict=True):
            if bits >> cell & 1:
                square[shape] = colour
    image[::size], image[:, ::size] = LINES, LINES
    return image


class PictureWindow:
    """A window that shows pictures, by pygame; opened by the first."""

    def __init__(self, title: str, frames: int) -> None:
        self.title, self.frames = title, frames
        self.screen: Any = None

    def show(self, image: NDArray[np.uint8]) -> None:
        """Show a picture, and wait until the next may come."""
        try:
            import pygame
        except ImportError:
            from gymnasium.error import DependencyNotInstalled

            raise DependencyNotInstalled("a window needs pygame: pip install pygame-ce") from None
        if self.screen is None:
            pygame.display.init()
            self.screen, self.clock = pygame.display.set_mode(image.shape[1::-1]), pygame.time.Clock()
            pygame.display.set_caption(self.title)
        pygame.event.pump()
        pygame.surfarray.blit_array(self.screen, image.swapaxes(0, 1))
        pygame.display.flip()
        self.clock.tick(self.frames)

    def close(self) -> None:
        """Close the window, if it was opened."""
        if self.screen is not None:
            import pygame

            pygame.display.quit()
            self.screen = None
