"""Matches over HTTP and in the page: the same series as in the shell, every game of it, and honest refusals."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from functools import cache, partial
from typing import Any

import pytest
from answers import conforms
from browser import address, expect
from conftest import eventually
from shell import answer as answer_of

from noughts import Game, Position, review
from noughts.play import find_player, match
from noughts.play.matches import Played, Series, play_number
from noughts.play.opponents import Opponents
from noughts.rules.notation import format_move
from noughts.web.jobs import Desk, Run
from noughts.web.routes.play import MAX_MATCH
from noughts.web.server import in_background

httpx = pytest.importorskip("httpx", reason="the web tests need httpx")


@pytest.fixture(scope="module")
def client(laboratory: str) -> Iterator[Any]:
    with httpx.Client(base_url=f"{laboratory}api/v1", timeout=60) as client:
        yield client


def told(client: Any, **question: Any) -> list[tuple[str, Any]]:
    """What a match tells."""
    answer = client.get("/match", params=question)
    assert answer.status_code == 200, answer.text
    pairs = [line.partition(": ")[2] for line in answer.iter_lines() if line]
    return [(name, json.loads(data)) for name, data in zip(pairs[::2], pairs[1::2], strict=True)]


@cache
def truth(a: str, b: str, game: str, n: int, seed: int) -> tuple[Series, tuple[Played, ...]]:
    """The series as the library plays it, and its games."""
    makers = partial(find_player, a), partial(find_player, b)
    board = Game.parse(game)
    return match(*makers, n, board, seed=seed), tuple(play_number(*makers, i, board, seed=seed) for i in range(n))


# The server


def test_a_match_ends_with_the_answer_of_the_command(client: Any) -> None:
    *_, (last, summary) = told(client, a="rules", b="level-2", n=12, seed=3)
    assert last == "summary"
    assert summary == answer_of("match", "rules", "level-2", "-n", "12", "--seed", "3", "--json")


@pytest.mark.parametrize(
    ("a", "b", "game", "n", "seed"),
    [
        ("perfect", "random", "3x3k3", 30, 0),
        ("level-1", "level-4", "3x3k3m", 9, 5),
        ("alphabeta:2", "level-3", "4x4k3", 4, 7),
        ("random", "random", "15x15k5", 2, 1),
    ],
)
def test_every_game_of_a_match_is_told_once_and_is_the_librarys(
    client: Any, a: str, b: str, game: str, n: int, seed: int
) -> None:
    *progress, (_, summary) = told(client, a=a, b=b, game=game, n=n, seed=seed)
    series, played = truth(a, b, game, n, seed)
    assert summary == series.to_json()
    games = [each for _, event in progress for each in event["games"]]
    assert [each["number"] for each in games] == list(range(1, n + 1))
    for found, one in zip(games, played, strict=True):
        position = Game.parse(game).start()
        for text in found["moves"]:
            mark, move = text.split()
            assert mark == str(position.turn)
            position = position.play(move)
        assert position == one.end
        assert position.is_over
        assert found["a"] == str(one.mark)
        assert found["winner"] == (position.winner and str(position.winner))
        lines = [[format_move(position.game, cell) for cell in line] for line in position.lines()]
        assert found["lines"] == lines
    tallies = [event["x"]["wins"] + event["o"]["wins"] for _, event in progress]
    assert tallies == sorted(tallies)
    assert tallies[-1] == series.all.wins


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ({"a": "perfcet"}, "there is no player 'perfcet': did you mean perfect?"),
        ({"b": "mine.py:best"}, "there is no player 'mine.py'"),
        ({"a": "perfect", "game": "15x15k5"}, "perfect does not play 15x15k5: the exact value is unknown"),
        ({"b": "rules", "game": "3x3k3m"}, "rules does not play 3x3k3m"),
        ({"game": "33x33k5"}, "at most 32 rows"),
        ({"n": 0}, "n: input should be greater than or equal to 1"),
        ({"n": MAX_MATCH + 1}, f"n: input should be less than or equal to {MAX_MATCH}"),
        ({"n": "many"}, "n: input should be a valid integer"),
        ({"seed": -1}, "seed: input should be greater than or equal to 0"),
    ],
)
def test_what_cannot_be_played_is_refused_with_a_sentence(client: Any, question: Any, words: str) -> None:
    answer = client.get("/match", params=question)
    assert answer.status_code == 422
    assert words in answer.json()["detail"]


def test_the_players_come_with_their_board_and_the_number_that_they_take(client: Any) -> None:
    found = client.get("/players", params={"game": "2x4k3"}).json()
    conforms(Opponents, found)
    assert (found["board"]["rows"], found["board"]["columns"], found["board"]["marks"]) == (2, 4, "." * 8)
    numbers = {player["name"]: player["number"] for player in found["players"] if player["number"]}
    assert numbers == {"minimax": "depth", "alphabeta": "depth", "mcts": "playouts", "engine": "seconds"}


# One game in the page

A, B, SEED = "perfect", "level-2", 7


def shown_after(played: Played, plies: int) -> Position:
    """The position after so many moves of a game."""
    position = played.end.game.start()
    for cell in played.cells[:plies]:
        position = position.play(cell)
    return position


def test_one_game_is_watched_move_by_move(visit: Any) -> None:
    (game,) = truth(A, B, "3x3k3", 1, SEED)[1]
    someone = visit().go(address(view="match", a=A, b=B, chance=SEED, pace="fast"))
    someone.page.get_by_role("button", name="Watch a game", exact=True).click()
    winner = {"X": "Perfect (X) won", "O": "Level 2 (O) won", "None": "A draw"}[str(game.winner)]
    expect(someone.page.locator(".watch-status")).to_have_text(winner)
    someone.shows(game.end)
    expect(someone.page.locator(".winning-line")).to_have_count(len(game.end.lines()))
    names = [format_move(game.end.game, cell) for cell in game.cells]
    slips = [each.slipped for each in review(game.end.game.start(), names)]
    assert any(slips)
    expect(someone.page.locator(".move-list button")).to_have_text(
        [
            re.compile(f"{i}.*{'OX'[i % 2]} *{name}{', a mistake' if slip else ' *$'}")
            for i, (name, slip) in enumerate(zip(names, slips, strict=True), 1)
        ]
    )
    assert "run=game" in someone.page.url


def test_a_game_is_stepped_through_by_buttons_and_keys_and_its_place_is_kept(visit: Any) -> None:
    (game,) = truth(A, B, "3x3k3", 1, SEED)[1]
    someone = visit().go(address(view="match", a=A, b=B, chance=SEED, run="game", ply=2))
    someone.shows(shown_after(game, 2))
    for key, plies in {"ArrowRight": 3, "ArrowLeft": 2}.items():
        someone.page.keyboard.press(key)
        someone.shows(shown_after(game, plies))
    assert "ply=2" in someone.page.url
    someone.page.get_by_role("button", name="One step on").click()
    someone.shows(shown_after(game, 3))
    someone.page.get_by_role("button", name="To the end").click()
    someone.shows(game.end)
    someone.page.get_by_role("button", name="To the beginning").click()
    someone.shows(game.end.game.start())
    someone.page.locator(".move-list button").nth(3).click()
    someone.shows(shown_after(game, 4))
    someone.page.reload()
    someone.shows(shown_after(game, 4))
    expect(someone.page.get_by_role("button", name="Play on")).to_be_visible()
    someone.page.keyboard.press("Space")
    expect(someone.page.get_by_role("button", name="Pause")).to_be_visible()
    someone.shows(game.end)
    someone.page.get_by_role("button", name="Play it again").click()
    someone.shows(shown_after(game, 1))


def test_a_watched_game_can_be_analysed(visit: Any) -> None:
    (game,) = truth(A, B, "3x3k3", 1, SEED)[1]
    someone = visit().go(address(view="match", a=A, b=B, chance=SEED, run="game", ply=9))
    someone.page.get_by_role("link", name="Analyse this game").click()
    expect(someone.page.locator(".move-list button")).to_have_count(len(game.cells) + 1)
    someone.shows(game.end)
    assert "view=analyse" in someone.page.url


def test_who_does_not_play_here_says_why(visit: Any) -> None:
    someone = visit().go(address(view="match", on="15x15k5"))
    expect(someone.page.locator(".player-pick .problem")).to_contain_text("it does not guess")
    expect(someone.page.get_by_role("button", name="Watch a game")).to_be_disabled()
    someone.page.get_by_label("Player A").select_option("random")
    expect(someone.page.get_by_role("button", name="Watch a game")).to_be_enabled()
    someone.go(address(view="match", on="15x15k5", run="series"))
    expect(someone.page.locator(".match-run .problem")).to_contain_text("Perfect does not play 15x15k5")
    assert [complaint for complaint in someone.complaints if "422" not in complaint] == []
    someone.complaints.clear()


# A series in the page


def table_of(someone: Any) -> list[list[str]]:
    rows = someone.page.locator(".match-tally tbody tr")
    return [[cell.strip() for cell in row.locator("th, td").all_inner_texts()] for row in rows.all()]


def test_nothing_is_begun_before_it_is_known_who_plays_there(visit: Any) -> None:
    someone = visit().go(address(view="match"))
    watch = someone.page.get_by_role("button", name="Watch a game")
    expect(watch).to_be_enabled()
    with someone.waiting_for("/players?game=15x15k5"):
        someone.page.get_by_role("radio", name="15 × 15").check()
        expect(watch).to_be_disabled()
        someone.page.get_by_role("radio", name="4 × 4").check()
        expect(watch).to_be_enabled()
    with someone.waiting_for("/players?game=5x5k4"):
        someone.go(address(view="match", game="4x4k4", a="level-1", b="level-1", on="5x5k4", run="game", pace="fast"))
        expect(someone.page.get_by_role("button", name="Watch another game")).to_be_visible()
        expect(someone.page.locator("svg.board")).to_have_count(0)
    expect(someone.page.get_by_role("gridcell")).to_have_count(25)


def test_a_series_shows_the_table_of_the_command(visit: Any) -> None:
    a, b, n, seed = "level-4", "level-2", 40, 3
    someone = visit().go(address(view="match", a=a, b=b, n=n, chance=seed))
    someone.page.get_by_role("button", name=f"Play {n} games").click()
    series, _ = truth(a, b, "3x3k3", n, seed)
    expect(someone.page.locator(".match-tally caption")).to_contain_text(f"{n} of {n} games")
    expect(someone.page.locator(".match-series code")).to_have_text(
        f"noughts match {a} {b} -n {n} --game 3x3k3 --seed {seed}"
    )
    for side, score, row in zip(
        ("as X", "as O", "in all"), (series.x, series.o, series.all), table_of(someone), strict=True
    ):
        share = "100 %" if score.share == 1 else f"{min(score.share * 100, 99.9):.1f} %"
        assert row == [f"Level 4 {side}", "", str(score.wins), str(score.draws), str(score.losses), share]


def test_any_game_of_a_series_can_be_watched(visit: Any) -> None:
    a, b, n, seed = "level-4", "level-2", 40, 3
    _, games = truth(a, b, "3x3k3", n, seed)
    someone = visit().go(address(view="match", a=a, b=b, n=n, chance=seed, run="series"))
    links = someone.page.locator(".match-game")
    expect(links).to_have_count(n)
    kinds = {None: "drawn", True: "won", False: "lost"}
    for link, game in zip(links.all(), games, strict=True):
        kind = kinds[None if game.winner is None else game.winner is game.mark]
        label = f"Game {game.number + 1}: {kind} as {game.mark} in {len(game.cells)} moves"
        assert link.get_attribute("aria-label") == label
    links.first.focus()
    for _ in range(5):
        someone.page.keyboard.press("ArrowRight")
    someone.page.keyboard.press("Enter")
    expect(someone.page.locator("#watch-title")).to_contain_text("Game 6")
    assert "watch=6" in someone.page.url
    someone.page.get_by_role("button", name="To the end").click()
    someone.shows(games[5].end)
    someone.page.reload()
    someone.shows(games[5].end)
    lost = [game for game in games if game.winner is game.mark.other]
    if lost:
        someone.page.get_by_role("radio", name=re.compile("^Lost")).check()
        expect(links).to_have_count(len(lost))
    someone.page.get_by_role("button", name="Close this game").click()
    expect(someone.page.get_by_role("grid")).to_have_count(0)


class Thinking(Desk):
    """A desk whose matches make one move and then think for ever."""

    def open(self, *command: str, again: bool = False, who: str = "") -> Run:
        score = {"wins": 0, "draws": 0, "losses": 0}
        game = {"number": 1, "a": "X", "moves": ["X b2"], "winner": None, "lines": [], "over": False}
        event = {"event": "progress", "level": 0, "played": 0, "seconds": 0.1, "x": score, "o": score, "games": []}
        script = f"import time; print({json.dumps({**event, 'playing': game})!r}, flush=True); time.sleep(600)"
        return super().open(sys.executable, "-c", script)


def test_a_game_is_shown_while_it_is_played_survives_a_reload_and_can_be_stopped(visit: Any) -> None:
    desk = Thinking(patience=60)
    with in_background(desk) as server:
        someone = visit()
        someone.server = server
        someone.go(address(view="match", pace="fast"))
        someone.page.get_by_role("button", name="Watch a game", exact=True).click()
        for _ in range(2):
            someone.shows(Game().start().play("b2"))
            expect(someone.page.locator(".watch-status")).to_have_text("Perfect (X) played b2 · thinking …")
            assert len(desk._runs) == 1
            someone.page.reload()
        assert desk.under_way["runs"] == 1
        someone.page.get_by_role("button", name="Stop").click()
        expect(someone.page.get_by_role("button", name="Watch a game", exact=True)).to_be_enabled()
        assert "run=" not in someone.page.url
        eventually(lambda: desk.under_way["runs"] == 0)
        someone.page.get_by_role("button", name="Watch a game", exact=True).click()
        someone.shows(Game().start().play("b2"))
        assert desk.under_way["runs"] == 1


@pytest.mark.parametrize(("width", "theme"), [(360, "light"), (1280, "dark")])
def test_match_is_for_everybody(visit: Any, width: int, theme: str) -> None:
    someone = visit(viewport={"width": width, "height": 740}, color_scheme=theme)
    someone.go(address(view="match", a="mcts", b="rules", on="3x3k3m"))
    expect(someone.page.locator(".player-pick .problem")).to_be_visible()
    someone.has_no_barrier(width)
    someone.go(address(view="match", n=30, run="series", watch=3, ply=4))
    expect(someone.page.locator(".match-game")).to_have_count(30)
    expect(someone.page.get_by_role("grid")).to_be_visible()
    someone.has_no_barrier(width)
