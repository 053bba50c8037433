"""What Python answers, as JSON: the library's own answers to the questions that the page and the command ask."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from noughts.account import review as review_game
from noughts.analysis import analyze as analyze_position
from noughts.analysis import orbit as orbit_of
from noughts.detect import watching
from noughts.rules.game import Game
from noughts.rules.legality import check
from noughts.rules.position import Position
from noughts.search.exploring import explore
from noughts.search.exploring import side_by_side as ways_of
from noughts.search.options import Options


def analyze(text: str) -> dict[str, Any]:
    return analyze_position(Position.parse(text)).to_json()


def legality(text: str) -> dict[str, Any]:
    return check(text).to_json()


def review(game: str, start: str | None, moves: Sequence[str], you: str | None) -> dict[str, Any]:
    first = Game.parse(game).start() if start is None else Position.parse(start)
    return review_game(first, moves, you).to_json()


def orbit(position: Position) -> list[dict[str, Any]]:
    return [twin.to_json() for twin in orbit_of(position)]


def search(text: str, options: Options, keep: int, path: Sequence[str]) -> dict[str, Any]:
    return explore(Position.parse(text), options, keep, path).to_json()


def side_by_side(text: str, options: Options) -> dict[str, Any]:
    return ways_of(Position.parse(text), options).to_json()


def detect(text: str, moves: Sequence[str], name: str) -> dict[str, Any]:
    return watching.detect(Position.parse(text), moves, name).to_json()


def detectors(text: str, moves: Sequence[str] = ()) -> dict[str, Any]:
    return watching.detectors(Position.parse(text), moves).to_json()


def conforms(kind: type, found: dict[str, Any]) -> None:
    """Does an answer have the shape that the OpenAPI document says?"""
    from noughts.web.schema import model

    model(kind).model_validate_json(json.dumps(found), strict=True)


def keys_in(data: Any, path: str = "") -> Iterator[str]:
    """The keys of an answer, those inside too: moves[].cell."""
    if isinstance(data, dict):
        for key, inner in data.items():
            here = f"{path}.{key}" if path else key
            yield here
            yield from keys_in(inner, here)
    elif isinstance(data, list):
        for inner in data:
            yield from keys_in(inner, f"{path}[]")
