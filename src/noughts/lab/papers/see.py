"""Where a claim can be seen: addresses in the web laboratory, such as `/?view=search&position=.X./O../X.O`.

Each function is a view of the page; what it is given is what the view keeps in its address.
"""

from __future__ import annotations

from urllib.parse import quote

from noughts.rules.position import Position


def analyse(position: Position | str = "", moves: str = "") -> str:
    """A position with the value of every move, its code and its symmetric twins, or the moves of a game.

    >>> analyse("X../.OO/.X."), analyse(moves="b2,a3")
    ('/?view=analyse&position=X../.OO/.X.', '/?view=analyse&moves=b2,a3')
    """
    return _view("analyse", position=position, moves=moves)


def detector(name: str, position: Position | str = "", game: str = "", moves: str = "") -> str:
    """A way to tell who has won, step by step on a board."""
    return _view("algorithms", position=position, game=game, moves=moves, detector=name)


def search(position: Position | str = "", algorithm: str = "minimax", **options: str) -> str:
    """The tree of a search."""
    return _view("search", position=position, algorithm=algorithm, **options)


def solve(game: str = "") -> str:
    """All positions of a game, solved and counted while one watches."""
    return _view("solve", game=game, run="1")


def match(a: str, b: str, games: int) -> str:
    """A series between two players, played while one watches."""
    return _view("match", a=a, b=b, n=str(games), run="series")


def bench(board: str = "", experiment: str = "") -> str:
    """The benchmark: the methods on one of its boards, or how their cost grows."""
    return _view("lab", part="bench", board=board, experiment=experiment)


def own_row(claim: str) -> str:
    """The claim's own row, opened, with the table that shows it."""
    return _view("lab", row=claim)


def guide(page: str) -> str:
    """A page of the guide, for what no view shows."""
    return f"/guide/{page}"


def _view(name: str, **more: Position | str) -> str:
    parts = {"view": name} | {name: str(text) for name, text in more.items() if text != ""}
    return "/?" + "&".join(f"{name}={quote(text, safe='/:,.')}" for name, text in parts.items())


COUNTING = guide("explanation/symmetry-and-counting")
