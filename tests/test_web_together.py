"""Those who use one server together: whose turn it is, what others open, and a class that follows a page."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from typing import Any
from urllib.parse import quote

import pytest

pytest.importorskip("fastapi", reason="the web tests need the extra: pip install noughts[web]")
pytest.importorskip("httpx", reason="HTTP is asked")

import anyio
import httpx
from conftest import eventually
from loop import in_a_loop
from shell import run

from noughts import Game
from noughts.web.addresses import as_picture, in_terminal, others_open
from noughts.web.guard import HEADERS
from noughts.web.jobs import Desk, Stopping
from noughts.web.lesson import GUESSES, MOST, BadWord, Lesson, read_word
from noughts.web.server import _invite, in_background
from noughts.web.turns import TooManyJobs, Turns

# Whose turn it is


@asynccontextmanager
async def crowd(turns: Turns, *asked: tuple[str, bool]) -> AsyncIterator[list[str]]:
    """Jobs that come in this order, each with a name and whether it is long: the names of those that are at work.

    They work until the block ends, and leave nothing behind.
    """
    begun: list[str] = []

    async def job(who: str, is_long: bool) -> None:
        async with turns.turn(who, is_long):
            begun.append(who)
            await anyio.sleep_forever()

    async with anyio.create_task_group() as group:
        for each in asked:
            group.start_soon(job, *each)
            await anyio.wait_all_tasks_blocked()
        yield begun
        group.cancel_scope.cancel()
    assert not {ticket.who for ticket in (*turns.waiting, *turns.at_work)} & {who for who, _ in asked}


def served(*asked: str) -> list[str]:
    """In which order long jobs are begun that come in this order, while a first one is at work."""
    begun: list[str] = []

    async def work() -> None:
        turns = Turns(1, 1, most=99, each=99)

        async def job(who: str) -> None:
            async with turns.turn(who):
                begun.append(who)
                await anyio.sleep(0)

        async with anyio.create_task_group() as group, turns.turn("nobody"):
            for who in asked:
                group.start_soon(job, who)
                await anyio.wait_all_tasks_blocked()

    in_a_loop(work)
    return begun


def test_nobodys_second_job_goes_before_the_first_of_another() -> None:
    assert served("Anna", "Anna", "Anna", "Ben", "Cleo") == ["Anna", "Ben", "Cleo", "Anna", "Anna"]
    assert served("Anna", "Ben", "Anna", "Ben") == ["Anna", "Ben"] * 2


def test_who_comes_later_begins_in_the_round_that_is_served() -> None:
    async def work() -> None:
        turns = Turns(1, 1, most=9, each=9)
        for _ in range(5):  # much work alone, and long ago
            async with turns.turn("Anna"):
                pass
        async with crowd(turns, ("Ben", True), ("Anna", True), ("Ben", True), ("Cleo", True)):
            assert [turns.place(who) for who in ("Anna", "Cleo", "Ben", "Dora")] == [1, 2, 3, None]

    in_a_loop(work)


def test_long_jobs_leave_a_place_to_short_ones() -> None:
    async def work() -> None:
        async with crowd(Turns(2, 1, most=9, each=9), ("Anna", True), ("Ben", True), ("Cleo", False)) as begun:
            assert begun == ["Anna", "Cleo"]

    in_a_loop(work)


def test_the_queue_has_a_bound_for_all_and_one_for_each_and_says_when_to_come_again() -> None:
    async def refuses(turns: Turns, who: str, why: str) -> int:
        with pytest.raises(TooManyJobs, match=why) as much:
            async with turns.turn(who):
                pass
        return much.value.seconds

    async def work() -> None:
        turns = Turns(1, 1, most=3, each=2, pace=4)
        async with crowd(turns, *[("Anna", True)] * 3):
            assert await refuses(turns, "Anna", "2 of your questions wait already; try again in 4 seconds") == 4
        async with crowd(turns, *[("Anna", True)] * 3, ("Ben", True)):
            await refuses(turns, "Cleo", "3 questions wait already")

    in_a_loop(work)


def test_who_has_waited_too_long_is_told_to_come_again_and_leaves_the_queue() -> None:
    async def work() -> None:
        turns = Turns(1, 1, most=3, each=2, patience=0)
        async with crowd(turns, ("Anna", True)):
            with pytest.raises(TooManyJobs):
                async with turns.turn("Ben"):
                    pass
            assert turns.waiting == []

    in_a_loop(work)


def test_each_change_of_ones_place_is_told() -> None:
    told: list[int] = []

    async def work() -> None:
        turns = Turns(1, 1, most=9, each=9)

        async def last() -> None:
            async with turns.turn("Anna", told=told.append):
                pass

        async with anyio.create_task_group() as group, crowd(turns, ("Ben", True)):
            async with crowd(turns, ("Cleo", True)):
                group.start_soon(last)
                await anyio.wait_all_tasks_blocked()
            while len(told) < 2:
                await anyio.sleep(0.05)

    in_a_loop(work)
    assert told == [2, 1]


def test_stopping_the_server_ends_those_who_wait() -> None:
    async def work() -> None:
        desk = Desk(workers=1)
        async with desk.turns.turn("a", True), desk.turns.turn("b", False), anyio.create_task_group() as group:

            async def job() -> None:
                with pytest.raises(Stopping):
                    await desk.run(abs, -1)

            group.start_soon(job)
            await anyio.wait_all_tasks_blocked()
            desk.close()
        assert not any(desk.under_way.values())

    in_a_loop(work)


def test_thirty_costly_questions_at_once_are_all_answered_and_nobody_is_refused() -> None:
    """Thirty of them had 22 refused, when six could wait."""
    desk = Desk(workers=2)
    answers: list[int] = []
    with in_background(desk) as address:

        def ask(number: int) -> None:
            text = str(Game().start().play(number % 9))
            how = {"json": {"position": text, "player": "minimax", "seed": number}, "timeout": 120}
            told = httpx.post(f"{address}api/v1/move", headers={"x-page": f"page-{number}"}, **how)
            answers.append(told.status_code)

        threads = [threading.Thread(target=ask, args=(number,)) for number in range(30)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(120)
    assert answers == [200] * 30


def test_a_page_can_ask_for_its_place_and_a_run_tells_its_own() -> None:
    desk = Desk(workers=1, runs=1)
    slow = {"position": str(Game.parse("15x15k5").start().play("h8")), "player": "mcts:9000000"}
    with in_background(desk) as address, httpx.Client(base_url=f"{address}api/v1/", timeout=60) as client:
        assert client.get("queue").json() == {"place": None, "waiting": 0, "retry_after": None}

        def ask(page: str) -> None:
            with pytest.raises(httpx.ReadTimeout):
                client.post("move", json=slow, headers={"x-page": page}, timeout=3)

        threads = [threading.Thread(target=ask, args=(page,)) for page in ("a", "b")]
        for number, thread in enumerate(threads, 1):
            thread.start()
            eventually(lambda number=number: desk.under_way["jobs"] == number)
        places = [client.get("queue", headers={"x-page": page}).json()["place"] for page in ("a", "b", "c")]
        assert places == [None, 1, None]
        for thread in threads:
            thread.join()
        endless = "match?a=mcts:9000&b=mcts:9000&game=15x15k5&n=99"
        with client.stream("GET", endless) as first, client.stream("GET", "solve?game=3x3k3") as second:
            assert first.status_code == second.status_code == 200
            told = second.iter_lines()
            assert next(told) == "event: waiting"
            client.delete(f"runs/{first.headers['x-run']}")
            assert "event: summary" in list(told)


# What others open


def test_an_address_that_only_this_machine_knows_is_no_invitation() -> None:
    assert others_open("127.0.0.1", 8765) == others_open("localhost", 8765) == others_open("::1", 8765) == ()
    assert others_open("192.168.1.7", 80) == ("http://192.168.1.7:80/",)
    assert others_open("2001:db8::7", 80) == ("http://[2001:db8::7]:80/",)
    for host in ("0.0.0.0", "::"):
        assert not [each for each in others_open(host, 80) if re.search(r"//(127\.|0\.0\.0\.0|\[::1?\]|\[fe80)", each)]


def test_the_terminal_shows_the_link_to_join_and_its_code() -> None:
    said: list[str] = []
    _invite(["http://192.168.1.7:8765/"], Lesson("apple"), said.append)
    assert said == ["noughts: others open http://192.168.1.7:8765/?join=apple", in_terminal(said[0].split()[-1])]
    assert len(said[1].splitlines()) > 10
    _invite([], None, said.append)
    assert "no address of this machine was found" in said[-1]


def test_a_code_in_the_terminal_and_in_the_page_is_the_same_picture() -> None:
    """The page's path is drawn dark where the terminal's half blocks leave the dark."""
    link = "http://192.168.1.7:8765/?join=apple"
    rows = [line for line in in_terminal(link).splitlines() if line]
    dark = set()
    for row, line in enumerate(rows):
        for column, sign in enumerate(line):
            dark |= {(2 * row, column)} if sign in " ▄" else set()
            dark |= {(2 * row + 1, column)} if sign in " ▀" else set()
    size = len(rows[0])
    drawn, x, y = set(), 0.0, 0.0
    path = re.search(r'stroke="#000" d="([^"]+)"', as_picture(link).decode())
    assert path
    for order, first, second in re.findall(r"([Mmh])(-?[\d.]+)(?: (-?[\d.]+))?", path[1]):
        if order == "h":
            drawn |= {(int(y) - 2, int(x) + step - 2) for step in range(int(first))}
            x += int(first)
        else:
            x, y = (float(first), float(second)) if order == "M" else (x + float(first), y + float(second))
    assert drawn == {(row, column) for row, column in dark if row < size}


# Follow me


@pytest.fixture
def lesson() -> Iterator[tuple[Lesson, Any]]:
    held = Lesson("Apple", pause=0)
    with (
        in_background(lesson=held, addresses=["http://192.168.1.7:8765/"]) as address,
        httpx.Client(base_url=f"{address}api/v1/", timeout=30) as client,
    ):
        yield held, client


def lead(client: Any, key: str, shown: str | None) -> Any:
    return client.post("class/board", json={"key": key, "shown": shown})


def test_who_has_joined_is_shown_what_the_page_that_leads_shows(lesson: tuple[Lesson, Any]) -> None:
    held, client = lesson
    assert lead(client, held.key, "?moves=b2").json() == {"followers": 0}
    with client.stream("GET", "class/board", params={"word": "aPPle"}) as stream:
        lines = (line.removeprefix("data: ") for line in stream.iter_lines() if line.startswith("data: "))
        assert json.loads(next(lines)) == {"shown": "?moves=b2"}
        assert lead(client, held.key, "?moves=b2,a1").json() == {"followers": 1}
        assert json.loads(next(lines)) == {"shown": "?moves=b2,a1"}
        lead(client, held.key, None)
        assert json.loads(next(lines)) == {"shown": None}
    eventually(lambda: held.followers == 0)


def test_only_who_has_the_key_leads_and_hears_the_word(lesson: tuple[Lesson, Any]) -> None:
    held, client = lesson
    assert lead(client, "guess", "?moves=b2").status_code == 403
    assert held.shown is None
    told = client.get("class").json()
    assert told == {
        "addresses": ["http://192.168.1.7:8765/"], "can_follow": True, "leads": False, "word": None, "followers": 0,
    }  # fmt: skip
    told = client.get("class", headers={"x-lead": held.key}).json()
    assert (told["leads"], told["word"]) == (True, "Apple")


def test_a_wrong_word_is_refused_and_guessing_is_slow(lesson: tuple[Lesson, Any]) -> None:
    _, client = lesson
    refused = client.get("class/board", params={"word": "pear"})
    assert (refused.status_code, refused.json()["detail"]) == (422, "this is not the word of the class")

    async def work() -> None:
        slow = Lesson("apple", pause=60)
        async with anyio.create_task_group() as group:
            for _ in range(GUESSES):
                group.start_soon(slow.require, "pear")
            await anyio.wait_all_tasks_blocked()
            with pytest.raises(TooManyJobs, match="many try words"):
                await slow.require("pear")
            await slow.require("apple")
            group.cancel_scope.cancel()

    in_a_loop(work)


def test_so_many_follow_and_no_more_and_no_other_page_may(lesson: tuple[Lesson, Any]) -> None:
    held, client = lesson
    held.followers = MOST
    assert client.get("class/board", params={"word": "apple"}).status_code == 429
    for method, how in (("GET", {"params": {"word": "apple"}}), ("POST", {"json": {"key": held.key, "shown": ""}})):
        foreign = client.request(method, "class/board", headers={"sec-fetch-site": "cross-site"}, **how)
        assert foreign.status_code == 403
    long = lead(client, held.key, "?" + "x" * 9000)
    assert long.status_code == 422


def test_without_a_word_there_is_no_class() -> None:
    with in_background() as address:
        assert httpx.get(f"{address}api/v1/class").json()["can_follow"] is False
        assert httpx.get(f"{address}api/v1/class/board?word=apple").status_code == 404
        assert httpx.post(f"{address}api/v1/class/board", json={"key": "", "shown": "?"}).status_code == 404


def test_a_code_is_made_of_links_to_this_server_alone(lesson: tuple[Lesson, Any]) -> None:
    _, client = lesson
    good = client.get("qr", params={"link": "http://192.168.1.7:8765/?join=apple"})
    assert (good.status_code, good.headers["content-type"]) == (200, "image/svg+xml")
    assert good.headers["content-security-policy"] == HEADERS["content-security-policy"]
    assert client.get("qr", params={"link": "http://evil.example/"}).status_code == 422
    assert client.get(f"qr?link={quote('http://192.168.1.7:8765/' + 'x' * 400)}").status_code == 422


@pytest.mark.parametrize("word", ["", "ab", "a b c", "x" * 41, "a/b"])
def test_a_word_that_cannot_be_one_is_refused(word: str) -> None:
    with pytest.raises(BadWord, match="expected 3 to 40 letters"):
        read_word(word)
    told = run("serve", "--no-browser", "--class", word)
    assert (told.returncode, "cannot be the word of a class" in told.stderr) == (2, True)
