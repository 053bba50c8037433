"""The laws of the web API: it says what the library says, refuses with a sentence, and nobody waits for another."""

from __future__ import annotations

import http.client
import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any
from urllib.parse import urljoin

import pytest

pytest.importorskip("fastapi", reason="the web tests need the extra: pip install noughts[web]")
pytest.importorskip("uvicorn", reason="the web tests need the extra: pip install noughts[web]")
httpx = pytest.importorskip("httpx", reason="the web tests need httpx")

import answers  # noqa: E402
import anyio  # noqa: E402
from conftest import SPREAD, eventually, reachable  # noqa: E402
from hypothesis import HealthCheck, given, settings  # noqa: E402
from hypothesis import strategies as st  # noqa: E402
from loop import in_a_loop  # noqa: E402

from noughts import Game, Position, child, value  # noqa: E402
from noughts.account import Review, review  # noqa: E402
from noughts.analysis import Analysis, analyze  # noqa: E402
from noughts.play import PLAYERS, find_player  # noqa: E402
from noughts.rules.legality import check  # noqa: E402
from noughts.rules.notation import format_move  # noqa: E402
from noughts.solve import solve  # noqa: E402
from noughts.walk import show  # noqa: E402
from noughts.web import pool  # noqa: E402
from noughts.web.app import STATIC, create_app  # noqa: E402
from noughts.web.asking import MAX_TEXT, Events  # noqa: E402
from noughts.web.guard import HEADERS, MAX_BODY, TooMuch  # noqa: E402
from noughts.web.jobs import Desk, Gone, Run  # noqa: E402
from noughts.web.routes.positions import NotAPosition  # noqa: E402
from noughts.web.server import CannotServe, Connection, bind, in_background  # noqa: E402

SLOW = {"position": str(Game.parse("15x15k5").start().play("h8")), "player": "mcts:9000000"}  # minutes of work
DESK = Desk(workers=2, waiting=4)
ANYBODY = httpx.Client(limits=httpx.Limits(max_keepalive_connections=0))  # a new one for each question takes a while
DOCUMENT = create_app().openapi()


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    with in_background(DESK) as address, httpx.Client(base_url=f"{address}api/v1", timeout=60) as client:
        yield client


def get(client: Any, question: str, status: int = 200, **params: str) -> Any:
    answer = client.get(f"/{question}", params=params)
    assert answer.status_code == status, answer.text
    return answer.json()


def post(client: Any, question: str, body: Any, status: int = 200) -> Any:
    answer = client.post(f"/{question}", json=body)
    assert answer.status_code == status, answer.text
    return answer.json()


# It says what the library says


def test_analyze_says_what_the_command_says(client: Any) -> None:
    for position in Random(1).sample(reachable(Game()), 150):
        found = get(client, "analyze", position=str(position))
        for key, said in analyze(position).to_json().items():
            assert found[key] == said, key


def test_every_answer_about_3x3_has_the_documented_shape() -> None:
    for position in reachable(Game())[::11]:
        answers.conforms(Analysis, answers.analyze(str(position)))


@pytest.mark.parametrize("game", [game for game in SPREAD if max(game.rows, game.columns) <= 32], ids=str)
def test_boards_of_every_kind_are_analyzed(client: Any, game: Game) -> None:
    position, rng = game.start(), Random(2)
    while not position.is_over and position.marks < 6:
        position = position.play(rng.choice(position.moves()))
    found = get(client, "analyze", position=str(position))
    answers.conforms(Analysis, found)
    assert found["code"] == position.code
    assert found["board"]["marks"].count("X") == position.x.bit_count()
    assert [twin["position"] for twin in found["orbit"] if twin["canonical"]] == [found["canonical"]]


def test_a_code_beyond_javascript_numbers_survives(client: Any) -> None:
    position = Game.parse("8x8k5").start().play("h1").play("g1")
    assert int(get(client, "analyze", position=str(position))["code"]) == position.code > 2**53


def test_the_best_line_ends_the_game_with_the_value(client: Any) -> None:
    for position in Random(3).sample(reachable(Game()), 60):
        found, end = get(client, "analyze", position=str(position)), position
        for step in found["best_line"]:
            assert step["turn"] == str(end.turn)
            end = end.play(step["move"])
        assert end.is_over
        assert len(found["best_line"]) == found["remoteness"]


def test_a_large_board_is_unknown_and_not_a_tie(client: Any) -> None:
    found = get(client, "analyze", position=str(Game.parse("15x15k5").start()))
    assert (found["value"], found["remoteness"], found["best"], found["best_line"]) == ("unknown", None, [], [])
    assert "draw" not in found["sentence"]


@given(st.text("XO.", min_size=9, max_size=9))
@settings(max_examples=60)
def test_legality_says_what_the_library_says(marks: str) -> None:
    found, verdict = answers.legality(marks), check(marks)
    assert found["legal"] is verdict.legal
    if verdict.witness is None:
        assert found["reason"] == verdict.explanation
    else:
        position = Game().start()
        for move in found["witness"]:
            position = position.play(move)
        assert str(position) == found["position"]


def test_a_board_that_cannot_arise_is_refused_with_the_reason(client: Any) -> None:
    found = get(client, "analyze", 422, position="XXX/OOO/...")
    NotAPosition.model_validate(found)
    assert found["reason"] == check("XXX/OOO/...").explanation
    assert found["reason"] in found["detail"]
    assert get(client, "legality", position="XXX/OOO/...")["legal"] is False


# Moves


@pytest.mark.parametrize("name", PLAYERS)
def test_every_player_makes_the_move_that_the_library_makes(client: Any, name: str) -> None:
    position = Position.parse("X../.O./..X")
    for seed in (0, 7):
        found = post(client, "move", {"position": str(position), "player": name, "seed": seed})
        cell = find_player(name, seed)(position)
        assert (found["cell"], found["move"]) == (cell, format_move(position.game, cell))
        assert found["analysis"]["position"] == str(position.play(cell))


def test_a_given_move_is_made(client: Any) -> None:
    found = post(client, "move", {"position": "4x4k4:X.../.O../..../....", "move": "d1"})
    assert found["analysis"]["position"] == "4x4k4:X.../.O../..../...X"
    assert (found["row"], found["column"]) == (3, 3)


def test_the_players_are_those_of_the_library(client: Any) -> None:
    assert [player["name"] for player in get(client, "players")["players"]] == list(PLAYERS)
    for player in get(client, "players", game="15x15k5m")["players"]:
        assert player["plays"] is PLAYERS[player["name"]]().supports(Game.parse("15x15k5m"))


@pytest.mark.parametrize("name", ["4x4k4", "3x6k4", "5x5k4", "32x32k5"])
def test_the_players_of_a_larger_game_are_told_without_solving_it_here(
    client: Any, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def made(game: Game) -> None:
        raise AssertionError(f"{game} is solved where everybody waits for it")

    monkeypatch.setattr("noughts.solve.at_hand._make_once", made)
    told = get(client, "players", game=name)
    monkeypatch.undo()
    assert {each["name"]: each["plays"] for each in told["players"]} == {
        each: make().supports(Game.parse(name)) for each, make in PLAYERS.items()
    }


def test_the_games_on_offer_can_be_begun(client: Any) -> None:
    found = get(client, "games")
    assert {"3x3k3", "4x4k4", "5x5k4", "15x15k5"} <= {offer["game"] for offer in found["games"]}
    for offer in found["games"]:
        assert Position.parse(offer["start"]) == Game.parse(offer["game"]).start()


# The account of a game


def random_game(seed: int, game: Game) -> list[str]:
    position, rng, moves = game.start(), Random(seed), []
    while not position.is_over:
        moves.append(format_move(game, rng.choice(position.moves())))
        position = position.play(moves[-1])
    return moves


@pytest.mark.parametrize("name", ["3x3k3", "3x3k3m", "2x4k3"])
def test_a_review_judges_as_the_library_does(client: Any, name: str) -> None:
    game = Game.parse(name)
    for seed in range(12):
        moves = random_game(seed, game)
        found = post(client, "review", {"game": name, "moves": moves, "you": "X"})
        answers.conforms(Review, found)
        judged = review(game.start(), moves)
        assert [step["slipped"] for step in found["moves"]] == [each.slipped for each in judged]
        assert [point["number"] for point in found["turning_points"]] == [
            number for number, each in enumerate(judged, 1) if each.slipped
        ]
        assert len(found["history"]) == len(moves) + 1


def test_the_history_is_the_value_for_x(client: Any) -> None:
    moves, position = random_game(5, Game()), Game().start()
    for moment, move in zip(post(client, "review", {"moves": moves})["history"], [*moves, None], strict=True):
        worth = value(position)
        assert worth
        winner = {"win": position.turn, "loss": position.turn.other, "tie": None}[worth.outcome]
        assert moment["outcome"] == (f"{str(winner).lower()}_wins" if winner else "tie")
        position = position.play(move) if move else position


def test_the_account_tells_you_where_you_lost(client: Any) -> None:
    game = {"moves": ["b2", "b3", "a1", "c3", "a3", "c1", "a2"], "you": "O"}
    found = post(client, "review", game)
    assert found["headline"] == "You lost"
    assert "your b3 (move 2)" in found["summary"]
    (point,) = found["turning_points"]
    assert point["sentences"][:2] == [
        "You had a safe draw and played b3: then X could force a win.",
        "Better was a3, c3, a1 or c1: that would have kept the draw.",
    ]
    assert post(client, "review", {**game, "you": None})["headline"] == "X won"


def test_a_flawless_game_has_no_mistakes(client: Any) -> None:
    moves, position = [], Game().start()
    while not position.is_over:
        moves.append(format_move(position.game, find_player("perfect")(position)))
        position = position.play(moves[-1])
    found = post(client, "review", {"moves": moves})
    assert (found["headline"], found["turning_points"]) == ("A draw", [])
    assert "Nobody made a mistake" in found["summary"]


def test_a_game_can_begin_with_any_position(client: Any) -> None:
    found = post(client, "review", {"position": "X../.O./..X", "moves": ["c3", "a1"]})
    assert [step["turn"] for step in found["moves"]] == ["O", "X"]
    assert found["moves"][0]["slipped"]
    assert (
        "move 2 does not replay"
        in post(client, "review", {"position": "X../.O./..X", "moves": ["c3", "c3"]}, 422)["detail"]
    )


def test_where_values_are_unknown_nobody_is_blamed(client: Any) -> None:
    found = post(client, "review", {"game": "15x15k5", "moves": ["h8", "a1", "h9"]})
    assert (found["unknown"], found["turning_points"]) == (3, [])
    assert {moment["outcome"] for moment in found["history"]} == {"unknown"}


# Refusals


@pytest.mark.parametrize(
    ("question", "params", "words"),
    [
        ("analyze", {}, "position: field required"),
        ("analyze", {"position": ""}, "empty text"),
        ("analyze", {"position": "XO"}, "expected 3 rows"),
        ("analyze", {"position": "XOZ/.../..."}, "'Z'"),
        ("analyze", {"position": "X" * 5000}, f"at most {MAX_TEXT} characters"),
        ("analyze", {"position": "33x1k3:" + "/".join("." * 33)}, "at most 32 rows and 32 columns"),
        ("analyze", {"position": "0x3k3:..."}, "rows must be from 1"),
        ("legality", {"position": "\N{SNOWMAN}"}, "'☃'"),
        ("players", {"game": "banana"}, "is not a game"),
        ("players", {"game": "33x33k5"}, "at most 32 rows"),
        ("solve", {"game": "3x3k9"}, "k must be from 1 to 3"),
        ("solve", {"game": "32x32k5"}, "cells"),
    ],
)
def test_bad_questions_are_refused_with_a_sentence(client: Any, question: str, params: Any, words: str) -> None:
    found = get(client, question, 422, **params)
    assert words in found["detail"]
    assert "\n" not in found["detail"]


@pytest.mark.parametrize(
    ("question", "body", "words"),
    [
        ("move", {"position": "........."}, "either a player"),
        ("move", {"position": ".........", "player": "random", "move": "b2"}, "either a player"),
        ("move", {"position": ".........", "player": "nobody"}, "there is no player 'nobody'"),
        ("move", {"position": ".........", "player": "perfcet"}, "did you mean perfect"),
        ("move", {"position": "X........", "move": "a3"}, "a3 is taken by X"),
        ("move", {"position": "XXX/OO./...", "player": "random"}, "the game is over"),
        ("move", {"position": "XXX/OOO/...", "player": "random"}, "both players have completed a line"),
        ("move", {"position": ".........", "player": "random", "seed": -1}, "seed"),
        ("move", {"position": ".........", "player": "random", "sead": 1}, "sead"),
        ("move", {"position": 3, "player": "random"}, "position"),
        ("move", {"position": "3x3k3m:.........", "player": "rules"}, "rules does not play 3x3k3m"),
        ("review", {"moves": ["b2", "b2"]}, "move 2 does not replay: b2 is taken by X"),
        ("review", {"moves": ["z9"]}, "is not on the board"),
        ("review", {"moves": "b2"}, "moves"),
        ("review", {"moves": ["b2"] * 1025}, "at most 1024"),
        ("review", {"game": "99x99k5", "moves": []}, "at most 32 rows"),
        ("review", [], "body"),
    ],
)
def test_bad_bodies_are_refused_with_a_sentence(client: Any, question: str, body: Any, words: str) -> None:
    assert words in post(client, question, body, 422)["detail"]


def test_a_key_that_is_no_text_for_a_sentence_is_quoted(client: Any) -> None:
    for key in ("a\x1db", "two\nlines", "\u2028", "x" * 5000, "\x1b[2J"):
        detail = post(client, "review", {"moves": [], key: 1}, 422)["detail"]
        assert detail.isprintable()
        assert len(detail) < 100
        assert detail.endswith("extra inputs are not permitted")


def test_what_is_not_json_is_refused(client: Any) -> None:
    for content, kind in ((b"{", "application/json"), (b"\xff\xfe", "application/json"), (b"{}", "text/plain")):
        answer = client.post("/move", content=content, headers={"content-type": kind})
        assert answer.status_code == 422
        assert isinstance(answer.json()["detail"], str)


def test_a_large_body_is_refused(client: Any) -> None:
    answer = client.post("/review", json={"moves": [], "game": "x" * MAX_BODY})
    assert (answer.status_code, "at most 262,144 bytes" in answer.json()["detail"]) == (413, True)


def test_other_addresses_and_methods_are_refused_with_a_sentence(client: Any) -> None:
    assert "there is nothing" in get(client, "nothing", 404)["detail"]
    for path in ("/api", "/api/nothing", "/api/v2/games"):
        assert "there is nothing" in client.get(str(client.base_url).partition("/api")[0] + path).json()["detail"]
    answer = client.delete("/games")
    assert (answer.status_code, "DELETE is not offered" in answer.json()["detail"]) == (405, True)


def test_a_page_is_there_also_for_who_only_asks_whether_it_is(client: Any) -> None:
    root = str(client.base_url).partition("/api")[0]
    for path in ("/", "/?view=solve", "/docs", "/guide/", "/guide/explanation/minimax", "/static/icon.svg"):
        whole, head = client.get(root + path), client.head(root + path)
        assert (head.status_code, head.content) == (200, b"")
        assert head.headers["content-type"] == whole.headers["content-type"]
        assert int(head.headers["content-length"]) == len(whole.content)
    assert client.head(f"{root}/nothing").status_code == 404


# Solving


def events(lines: Iterator[str]) -> Iterator[tuple[str, Any]]:
    name = ""
    for line in lines:
        field, _, text = line.partition(": ")
        if field == "event":
            name = text
        elif field == "data":
            yield name, json.loads(text)


WON = "7x8k5:......../..O...../..XXX.../..O...../....O.../......../........"


def test_a_proof_is_what_the_library_shows(client: Any) -> None:
    found, shown = get(client, "proof", position=WON), json.loads(json.dumps(show(Position.parse(WON)).to_json()))
    assert {**found, "seconds": 0} == {**shown, "seconds": 0}
    assert found["claims"][0]["steps"]


@pytest.mark.parametrize("position", ["6x7k4g:4453", "3x3k3m:X../.../..."])
@pytest.mark.parametrize("question", ["proof", "prove"])
def test_what_no_proof_is_about_is_refused(client: Any, question: str, position: str) -> None:
    assert get(client, question, 422, position=position)["detail"].startswith("nothing is proven of ")


def test_a_longer_look_tells_its_progress_and_then_the_proof(client: Any) -> None:
    with client.stream("GET", "/prove", params={"position": WON, "seconds": 5}) as answer:
        told = list(events(answer.iter_lines()))
    *progress, (last, summary) = told
    assert progress
    assert all(name == "progress" and data["nodes"] > 0 and data["most"] == 5 for name, data in progress)
    assert last == "summary"
    assert summary["claims"] == get(client, "proof", position=WON)["claims"]
    assert get(client, "prove", 422, position=WON, seconds="0")
    assert get(client, "prove", 422, position=WON, seconds="61")


def test_a_solve_tells_its_progress_and_then_the_summary(client: Any) -> None:
    with client.stream("GET", "/solve", params={"game": "3x3k3"}) as answer:
        assert answer.headers["content-type"].startswith("text/event-stream")
        told = list(events(answer.iter_lines()))
    *progress, (last, summary) = told
    assert progress
    assert {name for name, _ in progress} == {"progress"}
    assert last == "summary"
    assert summary.keys() == {*solve(Game()).to_json(), "sentence"}
    known = {"value": "tie", "remoteness": 9, "positions": 5478, "classes": 765}
    assert {key: summary[key] for key in known} == known
    assert summary["win"] + summary["loss"] + summary["tie"] == 5478


class Endless(Desk):
    """A desk whose runs never end by themselves."""

    def open(self, *command: str, again: bool = False, who: str = "") -> Run:
        script = (
            'import os, time; print(\'{"event": "progress", "pid": %d}\' % os.getpid(), flush=True); time.sleep(600)'
        )
        return super().open(sys.executable, "-c", script)


def is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def test_leaving_ends_a_solve() -> None:
    desk = Endless(patience=0.2)
    with in_background(desk) as address:
        with ANYBODY.stream("GET", f"{address}api/v1/solve", timeout=30) as answer:
            told = events(answer.iter_lines())
            name, data = next(told)
            assert name == "progress"
            assert desk.under_way["runs"] == 1
            assert is_running(data["pid"])
        eventually(lambda: desk.under_way["runs"] == 0)
        eventually(lambda: not is_running(data["pid"]))


def test_who_comes_back_in_time_follows_the_same_run_from_its_beginning() -> None:
    desk = Endless(patience=60)
    with in_background(desk) as address:
        pids = []
        for _ in range(3):
            with ANYBODY.stream("GET", f"{address}api/v1/solve", timeout=30) as answer:
                pids.append(next(events(answer.iter_lines()))[1]["pid"])
        assert len(set(pids)) == 1
        assert desk.under_way["runs"] == 1
        assert is_running(pids[0])
    eventually(lambda: not is_running(pids[0]))


def test_a_run_can_be_stopped_by_its_name_and_all_who_follow_are_told() -> None:
    desk = Endless(patience=60)
    with in_background(desk) as address, ANYBODY.stream("GET", f"{address}api/v1/solve", timeout=30) as answer:
        told = events(answer.iter_lines())
        _, data = next(told)
        name = answer.headers["x-run"]
        assert ANYBODY.delete(f"{address}api/v1/runs/another").status_code == 404
        assert is_running(data["pid"])
        assert ANYBODY.delete(f"{address}api/v1/runs/{name}").json() == {"stopped": name}
        assert list(told) == [("problem", {"detail": "this run was stopped"})]
        eventually(lambda: not is_running(data["pid"]))
        eventually(lambda: desk.under_way["runs"] == 0)


def test_a_finished_run_is_remembered_until_it_is_asked_for_again(client: Any) -> None:
    def story(**question: Any) -> list[Any]:
        told = list(events(client.get("/solve", params={"game": "3x4k3", **question}).iter_lines()))
        assert told[-1][0] == "summary"
        return told

    first, then, again = story(), story(), story(again=True)
    assert then[-1] == first[-1]
    assert again[-1] != first[-1]  # other times at least


def test_stopping_the_server_ends_a_solve() -> None:
    with in_background(Endless()) as address:
        answer = ANYBODY.stream("GET", f"{address}api/v1/solve", timeout=30)
        told = events(answer.__enter__().iter_lines())
        _, data = next(told)
    assert [name for name, _ in told] == ["problem"]
    eventually(lambda: not is_running(data["pid"]))
    answer.__exit__(None, None, None)


class Broken(Desk):
    """A desk whose runs die, after a word or without one."""

    words = ""

    def open(self, *command: str, again: bool = False, who: str = "") -> Run:
        return super().open(sys.executable, "-c", f"print('{self.words}', flush=True); raise SystemExit(1)")


def test_a_solve_that_dies_is_not_taken_for_finished() -> None:
    desk = Broken()
    with in_background(desk) as address:
        desk.words = '{"event": "progress"}'
        told = list(events(ANYBODY.get(f"{address}api/v1/solve", timeout=30).iter_lines()))
        assert told[-1] == ("problem", {"detail": "the run ended without a result"})
        desk.words = '{"event": "problem", "detail": "too large"}'
        answer = ANYBODY.get(f"{address}api/v1/solve", timeout=30)
        assert (answer.status_code, answer.json()["detail"]) == (422, "too large")


# The laboratory


def test_the_papers_are_told_claim_by_claim_and_then_whole(client: Any) -> None:
    from noughts.lab.papers import chosen, judge_all

    with client.stream("GET", "/papers", params={"source": "lastmove"}) as answer:
        (_, plan), *told, (last, summary) = events(answer.iter_lines())
    claims = chosen("lastmove")
    assert [claim["id"] for claim in plan["claims"]] == [claim.id for claim in claims]
    assert plan["total"] == len(told) == len(claims)
    assert last == "summary"
    assert [data["verdict"] for _, data in told] == summary["verdicts"]
    for row, truth in zip(summary["verdicts"], [found.to_json() for found in judge_all("lastmove")], strict=True):
        assert row.keys() == truth.keys()
        assert {key: row[key] for key in truth} == json.loads(json.dumps(truth))


def test_a_benchmark_tells_what_it_measures_and_then_what_the_command_says(client: Any) -> None:
    from noughts.lab.bench import Bench, BenchOptions

    asked = {"detector": "lookup,prajoda_boolean", "scenario": "draw", "trials": 2}
    with client.stream("GET", "/bench", params=asked) as answer:
        (_, plan), *told, (last, summary) = events(answer.iter_lines())
    assert last == "summary"
    assert {method["detector"] for method in plan["methods"]} == {"prajoda_traditional", "prajoda_boolean", "lookup"}
    assert summary.keys() == Bench(BenchOptions()).to_json().keys()
    assert [row["scenario"] for row in summary["scenarios"]] == ["draw"]
    finished = told[-1][1]
    assert finished["done"] == finished["total"] == 2 * 3
    for row, final in zip(finished["scenarios"][0]["results"], summary["scenarios"][0]["results"], strict=True):
        assert row["detector"] == final["detector"]
        assert row["mean_ns"] == final["mean_ns"]
        assert len(final["trials_ns"]) == 2
    base = {row["detector"]: row["mean_ns"] for row in summary["scenarios"][0]["results"]}
    for row in summary["scenarios"][0]["results"]:
        assert row["ratio"] == pytest.approx(base["prajoda_traditional"] / row["mean_ns"])
    assert {check["detector"] for check in summary["checks"] if check["misjudged"]} == {"prajoda_boolean"}


@pytest.mark.parametrize(
    ("question", "params", "sentence"),
    [
        ("papers", {"source": "gordn"}, "did you mean gordon?"),
        ("bench", {"detector": "lokup"}, "did you mean lookup?"),
        ("bench", {"experiment": "race"}, "expected one of scenarios, growth, all"),
        ("bench", {"trials": "101"}, "less than or equal to 100"),
        ("bench", {"paper": "true", "trials": "3"}, "leave --trials out"),
        ("bench", {"trails": "3"}, "trails"),
    ],
)
def test_the_laboratory_says_what_is_wrong(client: Any, question: str, params: dict[str, str], sentence: str) -> None:
    assert sentence in get(client, question, 422, **params)["detail"]


# Slow jobs


def test_a_slow_job_blocks_nobody_and_ends_when_its_client_leaves(client: Any) -> None:
    with pytest.raises(httpx.ReadTimeout):
        ANYBODY.post(f"{client.base_url}move", json=SLOW, timeout=1)
    eventually(lambda: DESK.under_way["jobs"] == 0, 5)


def in_the_background(address: str) -> threading.Thread:
    def ask() -> None:
        with suppress(httpx.HTTPError):
            ANYBODY.post(f"{address}api/v1/move", json=SLOW, timeout=30)

    thread = threading.Thread(target=ask, daemon=True)
    thread.start()
    return thread


def test_while_slow_jobs_run_quick_questions_are_answered_and_one_too_many_is_refused() -> None:
    desk = Desk(workers=1, waiting=0, seconds=60, runs=0)
    with in_background(desk) as address:
        assert ANYBODY.get(f"{address}api/v1/games").status_code == 200
        eventually(lambda: not any(desk.under_way.values()))
        slow = in_the_background(address)
        eventually(lambda: desk.under_way["jobs"] == 1)
        for position in reachable(Game())[:30]:
            assert ANYBODY.get(f"{address}api/v1/analyze", params={"position": str(position)}).status_code == 200
        short = ANYBODY.get(f"{address}api/v1/analyze", params={"position": SLOW["position"]}, timeout=30)
        assert (short.status_code, short.json()["value"]) == (200, "unknown")
        refused = ANYBODY.post(f"{address}api/v1/move", json=SLOW, timeout=30)
        assert refused.status_code == 429
        assert refused.json()["detail"].startswith(
            "the server is busy: 0 questions wait already; try again in 1 second"
        )
        assert refused.headers["retry-after"] == "1"
        assert desk.under_way["jobs"] == 1
        assert ANYBODY.get(f"{address}api/v1/solve").status_code == 429
    slow.join(10)
    assert not slow.is_alive()


def test_a_job_is_stopped_at_its_time_limit() -> None:
    desk = Desk(workers=1, seconds=1.5)
    with in_background(desk) as address:
        answer = ANYBODY.post(f"{address}api/v1/move", json=SLOW, timeout=30)
        assert (answer.status_code, "the limit of 1.5 seconds" in answer.json()["detail"]) == (422, True)
        assert desk.under_way["jobs"] == 0


# Safety


def test_every_answer_carries_the_security_headers(client: Any) -> None:
    root = str(client.base_url).removesuffix("api/v1/")
    for path in ("", "docs", "static/main.js", "api/v1/games", "api/v1/nothing", "api/v1/analyze", "static/nothing.js"):
        answer = ANYBODY.get(root + path)
        assert {name: answer.headers[name] for name in HEADERS} == HEADERS, path
        assert not [name for name in answer.headers if name.startswith("access-control")]
        assert "server" not in answer.headers


def test_the_policy_forbids_inline_code_and_other_hosts() -> None:
    policy = HEADERS["content-security-policy"]
    assert "default-src 'none'" in policy
    assert not re.search(r"unsafe|https?:|\*", policy)


def test_only_requests_that_name_this_machine_are_answered(client: Any) -> None:
    for host, status in (
        ("evil.example", 421),
        ("localhost", 200),
        ("127.0.0.1:99", 200),
        ("[::1]:8765", 200),
        ("", 421),
    ):
        assert client.get("/games", headers={"host": host}).status_code == status


def test_nothing_in_the_page_points_to_another_host() -> None:
    for path in STATIC.rglob("*"):
        if path.suffix in (".html", ".css", ".js", ".svg"):
            found = set(re.findall(r"https?://[\w./-]+", path.read_text(encoding="utf-8")))
            assert found <= {"http://www.w3.org/2000/svg", "http://www.w3.org/1999/xhtml"}, path


def test_every_module_and_style_that_the_page_names_is_served(client: Any) -> None:
    root = str(client.base_url).removesuffix("/api/v1/")
    tabs = re.findall(r'^  (\w+): "\w+",$', (STATIC / "tabs.js").read_text(encoding="utf-8"), re.MULTILINE)
    todo, seen = ["/", "/docs", "/guide/"], set()
    todo += ["/embed", "/static/embed/noughts-board.js"]  # which are for the pages of others
    todo += [f"/static/{name}/{part}" for name in tabs for part in ("tab.js", "style.css")]
    while todo:
        path = todo.pop()
        if path in seen:
            continue
        seen.add(path)
        answer = ANYBODY.get(root + path)
        assert answer.status_code == 200, path
        if path.endswith(".js"):
            assert "javascript" in answer.headers["content-type"]
            todo += [urljoin(path, name) for name in re.findall(r'(?:from |import\()"(\.[\w/.-]+)"', answer.text)]
        elif not path.startswith("/static"):
            todo += re.findall(r'(?:src|href)="(/static/[^"]+)"', answer.text)
    served = {path.removeprefix("/static/") for path in seen}
    here = {str(path.relative_to(STATIC)) for path in STATIC.rglob("*.[cj]s*") if path.is_file()}
    assert here <= served, "a file that nothing uses"


def test_what_is_vendored_comes_with_its_licence() -> None:
    names = {path.name for path in (STATIC / "vendor").iterdir()}
    assert {"LICENSE-preact", "LICENSE-htm", "LICENSE-figtree", "LICENSE-uplot", "LICENSE-d3-hierarchy"} <= names


# Bad clients

HEAD = b"POST /api/v1/move HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 90\r\n"


def connected(address: str, **options: Any) -> socket.socket:
    return socket.create_connection(("127.0.0.1", httpx.URL(address).port), timeout=30, **options)


@pytest.mark.parametrize("piece", [b"", b" "], ids=["silent", "slow"])
@pytest.mark.parametrize("sent", [b"", b"GET / HTTP/1.1\r\nHost:", HEAD + b"\r\n{"], ids=["nothing", "head", "body"])
def test_a_client_whose_request_does_not_come_is_let_go(
    sent: bytes, piece: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Connection, "reading", 0.5)
    with in_background() as address, connected(address) as client:
        client.sendall(sent)
        client.settimeout(0.05)
        ended = False

        def over() -> bool:
            nonlocal ended
            try:
                client.sendall(piece)
                ended = client.recv(100) == b""
            except TimeoutError:
                pass
            except OSError:
                ended = True
            return ended

        eventually(over)


def test_a_client_may_think_between_two_requests(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Connection, "reading", 0.2)
    with in_background() as address, connected(address) as client:
        for _ in range(3):
            client.sendall(b"GET /api/v1/games HTTP/1.1\r\nHost: localhost\r\n\r\n")
            answer = http.client.HTTPResponse(client)
            answer.begin()
            assert (answer.status, answer.read()[:1]) == (200, b"{")
            time.sleep(0.4)


def test_a_client_that_does_not_read_is_let_go(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Connection, "writing", 0.2)
    lost, lose = threading.Event(), Connection.connection_lost

    def noticed(self: Connection, problem: Exception | None) -> None:
        lose(self, problem)
        lost.set()

    monkeypatch.setattr(Connection, "connection_lost", noticed)
    with in_background() as address, connected(address) as client:
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        client.sendall(b"GET /api/v1/openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n" * 200)
        assert lost.wait(30)


def test_a_worker_that_nobody_waits_for_is_ended_whenever_that_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also while it is being started."""
    started: list[Any] = []

    start = child.open_process

    async def open_process(command: Any) -> Any:
        started.append(await start(command))
        return started[-1]

    async def work() -> None:
        workers = pool.Pool(2)
        for seconds in (0, 0.001, 0.01, 0.1, 2):
            with anyio.move_on_after(seconds):
                await workers.run(time.sleep, 600)
        assert await workers.run(abs, -3) == 3
        with pytest.raises(ZeroDivisionError):
            await workers.run(divmod, 1, 0)
        with pytest.raises(pool.WorkerDied):
            await workers.run(signal.raise_signal, signal.SIGKILL)
        assert await workers.run(abs, -4) == 4
        assert [process.returncode for process in started].count(None) == 1  # it waits for another job
        await workers.close()
        assert None not in [process.returncode for process in started]

    monkeypatch.setattr(child, "open_process", open_process)
    in_a_loop(work)


def test_a_host_that_cannot_be_is_refused_with_a_sentence() -> None:
    for host in ("a\udcd4", "a" * 80):
        with pytest.raises(CannotServe):
            bind(host)


# The OpenAPI document


def test_the_document_lists_the_questions() -> None:
    paths = create_app().openapi()["paths"]
    assert {path.removeprefix("/api/v1/"): sorted(methods) for path, methods in paths.items()} == {
        "analyze": ["get"],
        "engine": ["get"],
        "course": ["get"],
        "opening": ["get"],
        "side": ["get"],
        "queue": ["get"],
        "class": ["get"],
        "proof": ["get"],
        "prove": ["get"],
        "legality": ["get"],
        "move": ["post"],
        "players": ["get"],
        "games": ["get"],
        "games/read": ["post"],
        "games/write": ["post"],
        "puzzle": ["get"],
        "puzzle/attempt": ["get"],
        "detect": ["get"],
        "detectors": ["get"],
        "proven": ["get"],
        "against": ["get"],
        "exhibits": ["get"],
        "figure": ["post"],
        "labelling": ["get"],
        "review": ["get", "post"],
        "search": ["get"],
        "search/compare": ["get"],
        "solve": ["get"],
        "prospect": ["get"],
        "atlas": ["get"],
        "match": ["get"],
        "papers": ["get"],
        "bench": ["get"],
        "runs/{name}": ["delete"],
    }


# What keeps a valid question short: without it each would be a benchmark of its own.
SHORT = {
    "papers": {"again": "false"},
    "bench": {
        "experiment": "scenarios",
        "detector": "lookup",
        "scenario": "draw",
        "trials": 1,
        "iterations": 9,
        "again": "false",
    },
}
QUESTIONS = [(path, method) for path, methods in DOCUMENT["paths"].items() for method in methods]


@pytest.fixture(scope="module")
def document() -> Any:
    """The OpenAPI document, as schemathesis tries it out."""
    return pytest.importorskip("schemathesis", reason="schemathesis tries it out").openapi.from_dict(DOCUMENT)


@pytest.mark.parametrize("valid", [True, False], ids=["positive", "negative"])
@pytest.mark.parametrize(("path", "method"), QUESTIONS)
def test_the_server_keeps_to_its_document(client: Any, document: Any, path: str, method: str, valid: bool) -> None:
    """Whatever is sent: a documented status, the documented shape, never a fault. A valid text may still be no game."""
    import schemathesis
    from schemathesis.specs.openapi.checks import positive_data_acceptance

    if not valid and path.endswith(("/games", "/exhibits", "/queue", "/class", "/proven")):
        return  # it takes nothing, so nothing can be wrong
    mode = schemathesis.GenerationMode.POSITIVE if valid else schemathesis.GenerationMode.NEGATIVE
    root = str(client.base_url).removesuffix("/api/v1/")
    examples = 4 if path.endswith(("/bench", "/papers")) else 15  # each of these is a run in a process of its own

    @given(document[path][method.upper()].as_strategy(generation_mode=mode))
    @settings(max_examples=examples, derandomize=True, suppress_health_check=list(HealthCheck))
    def ask(case: Any) -> None:
        if valid:
            case.query |= SHORT.get(path.rpartition("/")[2], {})
        case.call_and_validate(root, excluded_checks=[positive_data_acceptance], timeout=60)

    ask()


# The command


def test_a_taken_port_is_named_and_without_one_the_next_is_taken() -> None:
    with bind(port=0) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(CannotServe, match=f"port {port} is in use"):
            bind(port=port)
    with bind() as first, bind() as second:
        assert first.getsockname()[1] != second.getsockname()[1]


def test_serve_prints_its_address_and_ends_cleanly_on_ctrl_c(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "noughts", "serve", "--no-browser", "--port", "0"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, cwd=tmp_path) as process:
        try:
            assert process.stderr
            line = process.stderr.readline()
            address = re.search(r"http://127\.0\.0\.1:\d+/", line)
            assert address, line
            assert ANYBODY.get(address[0], timeout=20).status_code == 200
            process.send_signal(signal.SIGINT)
            assert process.wait(20) == 0
            assert process.stderr.read() == "noughts: stopped\n"
        finally:
            process.kill()


def test_a_body_that_is_no_json_is_refused_in_our_words(client: Any) -> None:
    reply = client.post("/move", content="{", headers={"content-type": "application/json"})
    assert reply.status_code == 422
    assert reply.json() == {"detail": "the body is not JSON: expected an object in UTF-8"}


def test_a_run_that_is_being_stopped_is_not_followed_any_more() -> None:
    async def look() -> list[bool]:
        run = Run(("solve",))
        before = run.can_be_followed
        run.scope.cancel()
        return [before, run.can_be_followed]

    assert in_a_loop(look) == [True, False]


@pytest.mark.parametrize(("leavings", "ends"), [(1, True), (2, False)])
def test_patience_begins_again_when_the_last_follower_leaves_again(leavings: int, ends: bool) -> None:
    async def wait() -> bool:
        run = Run(("solve",), leavings=leavings)
        await Desk(patience=0)._wait_for_followers(run, 1)
        return run.scope.cancel_called

    assert in_a_loop(wait) is ends


def printing(*events: dict[str, Any]) -> tuple[str, ...]:
    """A command that tells these events."""
    return sys.executable, "-c", "print({!r})".format("\n".join(map(json.dumps, events)))


@pytest.mark.parametrize("kept", [0, 1, 3, 8])
def test_so_many_finished_runs_are_remembered(kept: int) -> None:
    async def work() -> int:
        desk = Desk(remembered=kept)
        async with desk.at_work():
            for number in range(5):
                await desk.follow(desk.open(*printing({"event": "summary", "number": number})), taken)
        return len(desk._runs)

    async def taken(event: dict[str, Any]) -> None:
        pass

    assert in_a_loop(work) == min(5, kept + 1)  # and the newest


def test_whoever_comes_late_to_a_run_hears_the_last_of_each_level() -> None:
    heard: list[tuple[str, int]] = []

    async def hear(event: dict[str, Any]) -> None:
        heard.append((event["event"], event["done"]))

    async def work() -> None:
        desk = Desk()
        levels = [1, 1, 2, 2, 2, 3]
        events = [{"event": "progress", "level": level, "done": done} for done, level in enumerate(levels)]
        async with desk.at_work():
            run = desk.open(*printing(*events, {"event": "summary", "done": 6}))
            while not run.over:
                await anyio.sleep(0.01)
            await desk.follow(run, hear)

    in_a_loop(work)
    assert heard == [("progress", 1), ("progress", 4), ("progress", 5), ("summary", 6)]


@pytest.mark.parametrize("begun", [True, False])
@pytest.mark.parametrize("end", [Gone, TooMuch])
def test_a_stream_whose_client_leaves_or_sends_too_much_is_closed_or_refused(begun: bool, end: type) -> None:
    sent: list[Any] = []

    async def work() -> None:
        told = anyio.Event()

        async def follow(run: Run, tell: Any) -> None:
            if begun:
                await tell({"event": "progress"})
            told.set()
            await anyio.sleep_forever()

        async def receive() -> dict[str, str]:
            await told.wait()
            if end is TooMuch:
                raise TooMuch
            return {"type": "http.disconnect"}

        async def send(message: Any) -> None:
            sent.append(message)

        await Events(SimpleNamespace(follow=follow), Run(("solve",)))({"type": "http"}, receive, send)  # type: ignore[arg-type]

    if end is TooMuch and not begun:
        with pytest.raises(TooMuch):
            in_a_loop(work)
    else:
        in_a_loop(work)
    assert [message.get("more_body", False) for message in sent] == ([False, True, False] if begun else [])


NO_ORDER = "4x12k2e:XXX..O.O.O.O/..X........./.XXX.O.O.O.O/X..........."


@pytest.mark.parametrize("position", ["XXX/OOO/...", "3x4k3e:XXX./OOO./....", NO_ORDER])
def test_a_board_that_cannot_arise_is_told_in_full(client: Any, position: str) -> None:
    told = get(client, "analyze", 422, position=position)
    known = get(client, "legality", position=position)
    assert told == {"detail": f"this board cannot arise: {known['reason']}", **known}
    assert known["legal"] is False


def test_a_board_that_takes_a_worker_to_judge_is_analysed(client: Any) -> None:
    joined = f"3x18k3e:XXXXX..O.O.O.O.O../{'.' * 18}/{'.' * 18}"
    assert get(client, "legality", position=joined)["legal"] is get(client, "analyze", position=joined)["legal"] is True
