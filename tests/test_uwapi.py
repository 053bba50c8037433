"""GamesCrafters' UWAPI: our answers are those that their own server passes on, and every value is ours."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from conftest import reachable
from loop import in_a_loop

from noughts import Game, bridges
from noughts.bridges.uwapi import NotServed, describe, format_position, read_position, start
from noughts.proofs import judge
from noughts.rules.notation import format_move

# What their server (of June 2026) answered on /noughts/..., with noughts as its data provider.
RECORDED = json.loads((Path(__file__).parent / "recorded" / "uwapi.json").read_text(encoding="utf-8"))
THEIRS = {"win": "win", "tie": "tie", "loss": "lose"}


@pytest.mark.parametrize("question", RECORDED)
def test_their_server_passes_on_what_we_answer(question: str) -> None:
    variant, _, rest = question.partition("/")
    game, theirs = Game.parse(variant), RECORDED[question]
    if not rest:
        found = start(game)
        assert (found["position"], found["autoguiPosition"]) == (
            theirs["startPosition"],
            theirs["autoguiStartPosition"],
        )
    else:
        assert describe(game, rest.removeprefix("positions/?p=")) == theirs


POSITION: dict[str, Any] = {"position": str, "autoguiPosition": str, "positionValue": str, "remoteness": int}
MOVE = POSITION | {"move": str, "autoguiMove": str, "moveValue": str, "deltaRemoteness": int}


def conforms(answer: dict[str, Any], schema: dict[str, Any]) -> None:
    """An answer has these keys, and their types."""
    assert {key: type(value) for key, value in answer.items()} == schema
    for key in ("positionValue", "moveValue"):
        assert answer.get(key, "win") in ("win", "tie", "lose", "unsolved")
    assert answer["remoteness"] >= 0 or answer["remoteness"] == -100
    assert answer["autoguiPosition"][:2] in ("1_", "2_")


@pytest.mark.parametrize("name", ["3x3k3", "3x3k3m", "2x4k3", "3x3k3g"])
def test_every_position_has_their_shape_and_our_values(name: str) -> None:
    for position in reachable(Game.parse(name)):
        judged, answer = judge(position), describe(position.game, format_position(position))
        moves = answer.pop("moves")
        conforms(answer, POSITION)
        assert answer["position"] == format_position(position)
        assert judged.verdict.value
        assert (answer["positionValue"], answer["remoteness"]) == (
            THEIRS[judged.verdict.value.outcome], judged.verdict.remoteness
        )  # fmt: skip
        assert len(moves) == len(judged.moves)
        for move in moves:
            conforms(move, MOVE)
            cell = position.cell(move["move"])
            assert move["autoguiMove"] == f"A_{position.turn}_{cell}_x"
            assert move["position"] == format_position(position.play(cell))
            assert move["moveValue"] == THEIRS[str(judged.moves[cell].outcome)]
            after = judge(position.play(cell)).verdict
            assert (move["positionValue"], move["remoteness"]) == (THEIRS[str(after.outcome)], after.remoteness)
        best = [move["move"] for move in moves if (move["moveValue"], move["deltaRemoteness"]) == (
            moves[0]["moveValue"], 0)]  # fmt: skip
        assert sorted(best) == sorted(format_move(position.game, cell) for cell in judged.best)


def test_what_nobody_knows_is_unsolved() -> None:
    answer = describe(Game.parse("15x15k5"), f"1_{'-' * 225}")
    assert (answer["positionValue"], answer["remoteness"]) == ("unsolved", -100)
    assert {move["moveValue"] for move in answer["moves"]} == {"unsolved"}


@pytest.mark.parametrize("name", ["3x3k3", "4x5k3egm"])
def test_positions_are_read_as_they_are_written_in_both_notations(name: str) -> None:
    position = Game.parse(name).start().play("b").play("c") if "g" in name else Game().start().play(4).play(0)
    for text in (format_position(position), str(position)):
        assert read_position(position.game, text) == position


@pytest.mark.parametrize(
    ("variant", "text", "says"),
    [
        ("3x3k3", "1_XX------", "expected 1_ or 2_ and 9 of X, O and -"),
        ("3x3k3", "3_---------", "expected 1_ or 2_"),
        ("3x3k3", "1_xo-------", "expected 1_ or 2_"),
        ("3x3k3", "1_XXX------", "the players take turns"),
        ("3x3k3", "2_XX-OO----", "says that player 2 is to move"),
        ("3x3k3", "", "expected 3 rows of 3 cells"),
        ("3x3k3", "4x4k4:..../..../..../....", "is a position of 4x4k4, not of 3x3k3"),
        ("6x7k4g", f"2_X{'-' * 41}", "hang"),
    ],
)
def test_what_is_no_position_is_refused(variant: str, text: str, says: str) -> None:
    with pytest.raises(NotServed, match=says) as caught:
        read_position(Game.parse(variant), text)
    assert caught.value.what == "Position"


# Over HTTP

httpx = pytest.importorskip("httpx", reason="the web tests need httpx")
pytest.importorskip("uvicorn", reason="the web tests need the extra: pip install noughts[web]")


@pytest.fixture(scope="module")
def provider() -> Iterator[Any]:
    from noughts.web.jobs import Desk
    from noughts.web.server import in_background

    with in_background(Desk(), uwapi=True) as address, httpx.Client(base_url=f"{address}uwapi/noughts") as client:
        yield client


def test_the_server_is_a_data_provider(provider: Any) -> None:
    assert provider.get("/3x3k3/start/").json() == {"position": "1_---------", "autoguiPosition": "1_---------"}
    for game, text in (("3x3k3", "1_XX-OO----"), ("4x4k3", f"2_X{'-' * 15}")):  # on the loop, and by a worker
        answer = provider.get(f"/{game}/positions/", params={"p": text}, timeout=60)
        assert (answer.status_code, answer.json()) == (200, describe(Game.parse(game), text))


@pytest.mark.parametrize(
    ("path", "error"),
    [
        ("/3x3k9/start/", "Invalid Variant"),
        ("/33x3k3/positions/?p=x", "Invalid Variant"),
        ("/3x3k3/positions/?p=nonsense", "Invalid Position"),
        ("/3x3k3/positions/", "Invalid Position"),
        ("/6x7k4g/positions/?p=nonsense", "Invalid Position"),
        ("/../chess/3x3k3/start/", "Invalid Game"),
    ],
)
def test_bad_questions_get_the_error_of_their_server(provider: Any, path: str, error: str) -> None:
    answer = provider.get(path, timeout=60)
    assert (answer.status_code, answer.json()["error"]) == (404, error)
    assert answer.json()["detail"]


def test_nothing_but_a_question_begins_anything(provider: Any) -> None:
    path = f"/4x4k3/positions/?p=1_{'-' * 16}"
    for method in ("HEAD", "OPTIONS", "POST", "PUT", "DELETE"):
        assert provider.request(method, path).status_code == 405, method
    assert provider.get(path, headers={"Sec-Fetch-Site": "cross-site"}).status_code == 403


def test_without_the_option_there_is_none(laboratory: str) -> None:
    assert httpx.get(f"{laboratory}uwapi/noughts/3x3k3/start/").status_code == 404


def test_the_bridge_is_an_application_of_its_own() -> None:
    async def ask(*paths: str) -> list[Any]:
        transport = httpx.ASGITransport(app=bridges.load("uwapi").application())
        async with httpx.AsyncClient(transport=transport, base_url="http://noughts") as client:
            return [(await client.get(path)).json() for path in paths]

    position, error = in_a_loop(ask, "/noughts/3x3k3/positions/?p=1_XX-OO----", "/chess/3x3k3/start/")
    assert position == describe(Game(), "1_XX-OO----")
    assert error["error"] == "Invalid Game"
