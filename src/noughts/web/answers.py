"""What the server answers, as plain dicts: each function asks the library and adds what a page needs to draw.

The server keeps nothing: a question carries a position, or a game with its moves.
"""

from __future__ import annotations

from typing import Any

from noughts import explain
from noughts.analysis import analyze as analyze_position
from noughts.play import PLAYERS, find_player
from noughts.play.registry import NUMBERS
from noughts.proofs import judge, value
from noughts.rules import symmetry
from noughts.rules.encoding import code
from noughts.rules.game import Game
from noughts.rules.legality import check
from noughts.rules.notation import (
    board_rows,
    column_letters,
    draw_board,
    format_move,
    format_moves,
    move_json,
    parse_board,
)
from noughts.rules.position import Position, Setup
from noughts.rules.rule import RULES
from noughts.web import account
from noughts.words import facts

MAX_SIDE = 32  # rows and columns over HTTP
MAX_TEXT = len("32x32k32:") + len(RULES) + MAX_SIDE * (MAX_SIDE + 1)
SIZE = "rows columns k misere exact"  # of a game, as answers have it

GAMES = {
    "3x3k3": ("Tic-tac-toe", "Three in a row. With best play it is a tie."),
    "4x4k4": ("4 × 4", "Four in a row on a board of four rows."),
    "5x5k4": ("5 × 5", "Four in a row on a board of five rows."),
    "15x15k5": ("Five in a row", "Five or more in a row on 15 × 15, as gomoku is played freely."),
    "15x15k5e": ("Standard gomoku", "Exactly five in a row on 15 × 15: six or more are nothing."),
    "3x3k3m": ("Misère", "Tic-tac-toe turned round: whoever completes three in a row loses."),
}


class BoardTooLarge(ValueError):
    """This board is larger than the server takes."""


class NotAsked(ValueError):
    """The question contradicts itself or lacks something."""


# What is asked about


def read_game(text: str) -> Game:
    """A game from its name, if it is small enough to be served."""
    return _small(Game.parse(text))


def read_board(text: str) -> Setup:
    """A board from its text, if it is small enough to be served."""
    board = parse_board(text)
    _small(board.game)
    return board


def read_position(text: str) -> Position:
    """A position from its text, if it is small enough to be served and can arise."""
    return Position(*read_board(text))


def _small(game: Game) -> Game:
    if game.rows > MAX_SIDE or game.columns > MAX_SIDE:
        raise BoardTooLarge(
            f"{game} is too large: over HTTP a board has at most {MAX_SIDE} rows and {MAX_SIDE} columns "
            "(noughts in the shell and in Python takes up to 256)"
        )
    return game


# Positions


def analyze(text: str) -> dict[str, Any]:
    """Everything known of a position: the answer of `noughts analyze --json` and what draws it.

    >>> analyze("XX./OO./...")["sentence"]
    'X to move, and X wins at once.'
    """
    position = read_position(text)
    found = analyze_position(position)
    plain = found.to_json()
    return {
        **plain,
        "code": str(plain["code"]),  # it can exceed what JavaScript holds
        "sentence": account.verdict(position, found.verdict.value),
        "best_line": best_line(position),
        "orbit": orbit(position),
        "board": board_of(position),
        "picture": draw_board(position),
    }


def legality(text: str) -> dict[str, Any]:
    """Can this board arise? The reason if not, a game that leads to it if so.

    >>> legality("XXX/.../...")["reason_name"]
    'counts'
    """
    board = read_board(text)
    verdict = check(board)
    return {
        **verdict.to_json(),
        "witness": None if verdict.witness is None else format_moves(board.game, verdict.witness),
        "board": board_of(board),
        "picture": draw_board(board),
    }


def best_line(position: Position) -> list[dict[str, str]]:
    """How the game goes on when both play as well as can be: who plays where.

    >>> best_line(Position.parse("XX./OO./..."))
    [{'mark': 'X', 'move': 'c3'}]
    """
    line = []
    for cell in explain.best_line(judge(position)):
        line.append({"mark": str(position.turn), "move": format_move(position.game, cell)})
        position = position.play(cell)
    return line


def board_of(board: Setup | Position) -> dict[str, Any]:
    """What draws a board: its size, the marks row by row, the labels along its sides."""
    game = board.game
    return {
        **facts(game, SIZE),
        "marks": "".join(board_rows(board)),
        "column_labels": [column_letters(column) for column in range(game.columns)],
        "row_labels": [str(game.rows - row) for row in range(game.rows)],
    }


def orbit(position: Position) -> list[dict[str, Any]]:
    """The symmetric twins of a position with the maps that make them, itself first.

    >>> [(twin["position"], twin["canonical"]) for twin in orbit(Position.parse("1x3k2:X.."))]
    [('1x3k2:X..', True), ('1x3k2:..X', False)]
    """
    maps: dict[Position, list[str]] = {}
    for each in symmetry.symmetries(position.game):
        maps.setdefault(each.apply(position), []).append(each.name)
    codes = {twin: code(twin) for twin in maps}
    smallest = min(codes.values())
    return [
        {
            "position": str(twin),
            "code": str(codes[twin]),
            "canonical": codes[twin] == smallest,
            "symmetries": names,
            "marks": "".join(board_rows(twin)),
        }
        for twin, names in maps.items()
    ]


# Moves and games


def move(text: str, name: str | None, seed: int, given: str | None) -> dict[str, Any]:
    """A move and the position after it: the one that a player makes, or the one that is given."""
    position = read_position(text)
    if (name is None) is (given is None):
        raise NotAsked("give either a player who is to move, or the move that is to be made")
    cell = position.cell(given) if given is not None else find_player(name or "", seed)(position)
    after = analyze(str(position.play(cell)))
    return {"player": name, "seed": seed, **move_json(position.game, cell), "analysis": after}


def opponents(text: str) -> dict[str, Any]:
    """Who can be played against on this board."""
    game = read_game(text)
    return {"game": str(game), "board": board_of(game.start()), "players": players(game)}


def players(game: Game) -> list[dict[str, Any]]:
    """The players, and for each why it does not play this game, if so."""
    found = []
    for name, make in PLAYERS.items():
        player = make()
        refusal = player.refusal(game.start())
        found.append(
            {
                "name": name,
                "title": name.replace("-", " ").capitalize(),
                "kind": "level" if name.startswith("level-") else "algorithm",
                "summary": player.summary(game),
                "plays": refusal is None,
                "refusal": refusal,
                "number": NUMBERS.get(name),
            }
        )
    return found


def games() -> dict[str, Any]:
    """The games that the page offers; any other up to 32 x 32 can be asked about as well."""
    found = []
    for name, (title, summary) in GAMES.items():
        start = Game.parse(name).start()
        found.append({"game": name, "title": title, "summary": summary, "start": str(start), "board": board_of(start)})
    return {"games": found, "max_side": MAX_SIDE}


def review(game: str, start: str | None, moves: list[str], you: str | None) -> dict[str, Any]:
    """The account of a game: each move with what was to be had and what was got, and the story in words."""
    first = read_game(game).start() if start is None else read_position(start)
    line = explain.replay(first, moves)
    last = line[-1]
    judged = explain.review(first, moves)
    return {
        "game": str(first.game),
        "start": str(first),
        "position": str(last),
        "status": str(last.status),
        "winner": last.winner and str(last.winner),
        "moves": [
            account.step(number, each, after)
            for number, (each, after) in enumerate(zip(judged, line[1:], strict=True), 1)
        ],
        "history": [account.worth_for_x(position, value(position)) for position in line],
        **account.story(line, judged, you),
        "board": board_of(last),
    }
