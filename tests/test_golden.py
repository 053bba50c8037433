"""Every command and every route says what the golden files say."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from golden.questions import HERE, ask_command, ask_route, commands, kept, routes

from noughts import native

pytestmark = pytest.mark.skipif(native.core() is None, reason="the golden answers are those of the native core")


def lines(name: str) -> list[Any]:
    return [json.loads(line) for line in (HERE / name).read_text(encoding="utf-8").splitlines()]


COMMANDS, ROUTES = lines("commands.jsonl"), lines("routes.jsonl")


def test_the_files_answer_the_questions_that_are_asked() -> None:
    assert [(each["ask"], each["stdin"]) for each in COMMANDS] == list(commands())
    assert [tuple(each["ask"]) for each in ROUTES] == list(routes())


@pytest.mark.parametrize("golden", COMMANDS, ids=lambda golden: " ".join(golden["ask"])[:60])
def test_a_command_says_what_it_said(golden: Any) -> None:
    assert ask_command(golden["ask"], golden["stdin"]) == golden["answer"]


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    httpx = pytest.importorskip("httpx", reason="the web tests need httpx")
    pytest.importorskip("uvicorn", reason="the web tests need the extra: pip install noughts[web]")
    from noughts.web.server import in_background

    with in_background() as address, httpx.Client(base_url=address, timeout=60) as client:
        yield client


@pytest.mark.parametrize("golden", ROUTES, ids=lambda golden: " ".join(map(str, golden["ask"]))[:60])
def test_a_route_says_what_it_said(client: Any, golden: Any) -> None:
    method, name, given = golden["ask"]
    assert ask_route(client, method, name, given) == golden["answer"]


def test_a_long_answer_that_differs_is_noticed() -> None:
    one, other = {"rows": list(range(5000))}, {"rows": [*range(4999), 0]}
    assert kept(one) != kept(other)
    assert kept(one) == kept({**one, "seconds": 3.5})
