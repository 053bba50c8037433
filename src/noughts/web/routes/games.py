"""Questions about games to keep: read from any format, written in one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from fastapi import APIRouter, Request
from fastapi.responses import Response
from pydantic import Field

from noughts.play.kept import MAX_COMMENT, MAX_MOVES, KeptGame, make, read, write
from noughts.rules.answer import Answer
from noughts.web import asking, cost
from noughts.web.guard import require_json
from noughts.web.schema import model

router = APIRouter(tags=["play"])
MOST_TEXT = 20_000  # characters of a file: so many fit into a request, however they are written


@dataclass(frozen=True)
class KeptGames(Answer):
    """The games of a text."""

    games: tuple[KeptGame, ...]


@dataclass(frozen=True)
class Written(Answer):
    """A game as a text in a format."""

    format: str
    text: str


class Text(asking.QuestionBody):
    """A game in any of the formats."""

    text: Annotated[str, asking.text(MOST_TEXT, "3x3k3: b2 a1 c3", "SGF, a .psq, a list of moves, or a link")]


class MoveOfTree(asking.QuestionBody):
    """A move: the place of the one before it among the moves, and what is said of it."""

    parent: Annotated[int | None, Field(ge=0, lt=MAX_MOVES)] = None
    move: asking.MoveText
    comment: Annotated[str, Field(max_length=MAX_COMMENT)] = ""


class GameToWrite(asking.QuestionBody):
    """A game with its variations, from the empty board or from `position`, and the format."""

    format: Literal["sgf", "psq", "moves", "link"] = "sgf"
    game: asking.GameText = "3x3k3"
    position: asking.PositionText | None = None
    moves: Annotated[list[MoveOfTree], Field(max_length=2_000)]
    comment: Annotated[str, Field(max_length=MAX_COMMENT)] = ""


@router.post("/games/read", response_model=model(KeptGames), responses=asking.REFUSED_BODY)
async def read_games(request: Request, question: Text) -> Response:
    """The games of a text, each with its variations and comments, in whichever format it is."""
    require_json(request.headers)
    return await asking.answer(request, cost.SOME, _read, question.text)


@router.post("/games/write", response_model=model(Written), responses=asking.REFUSED_BODY)
async def write_game(request: Request, question: GameToWrite) -> Response:
    """A game with its variations and comments as a text: SGF has all of it, the others the game alone."""
    require_json(request.headers)
    if question.position is None:
        start = asking.read_game(question.game).start()
    else:
        start = await asking.read_position(request, question.position)
    links = [(each.parent, each.move, each.comment) for each in question.moves]
    return await asking.answer(request, cost.SOME, _write, question.format, start, links, question.comment)


def _read(text: str) -> KeptGames:
    found = tuple(read(text))
    for each in found:
        asking.small(each.game)
    return KeptGames(found)


def _write(form: str, start: object, links: list[tuple[int | None, str, str]], comment: str) -> Written:
    return Written(form, write(make(start, links, comment=comment), form))  # type: ignore[arg-type]
