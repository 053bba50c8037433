"""Bots in the Match tab: those that the server's owner has named, and no others."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from conftest import eventually
from shell import run

httpx = pytest.importorskip("httpx", reason="the web tests need httpx")
pytest.importorskip("uvicorn", reason="the web tests need the extra: pip install noughts[web]")

from noughts.play import InvalidPlayer  # noqa: E402
from noughts.play.by_name import match, offered  # noqa: E402
from noughts.web.jobs import Desk  # noqa: E402
from noughts.web.server import in_background  # noqa: E402

PYTHON = shlex.quote(sys.executable)
BLOCKER = f"bot:{PYTHON} {shlex.quote(str(Path(__file__).resolve().parents[1] / 'examples' / 'bots' / 'bot.py'))}"
RUDE = f"""bot:{PYTHON} -c '
import json, sys
for line in sys.stdin:
    print(json.dumps({{"name": "rude", "protocol": 1, "cell": 99}}), flush=True)
'"""


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    """The address of a laboratory with two bots."""
    with in_background(Desk(), bots={"blocker": BLOCKER, "rude": RUDE}) as address:
        yield address


def told(server: str, **question: Any) -> list[tuple[str, Any]]:
    """What a match tells."""
    answer = httpx.get(f"{server}api/v1/match", params=question, timeout=60)
    assert answer.status_code == 200, answer.text
    pairs = [line.partition(": ")[2] for line in answer.iter_lines() if line]
    return [(name, json.loads(data)) for name, data in zip(pairs[::2], pairs[1::2], strict=True)]


def test_the_bots_on_offer_are_listed_and_play(server: str) -> None:
    players = httpx.get(f"{server}api/v1/players").json()["players"]
    assert [each["name"] for each in players if each["kind"] == "bot"] == ["blocker", "rude"]
    *_, (last, summary) = told(server, a="blocker", b="level-2", n=6, seed=3)
    assert (last, summary) == ("summary", match(BLOCKER, "level-2", games=6, seed=3).to_json())


def test_a_bot_that_breaks_the_rules_loses_and_the_server_goes_on(server: str) -> None:
    *progress, (last, summary) = told(server, a="rude", b="level-1", n=4)
    assert last == "summary"
    assert (summary["all"]["losses"], len(summary["forfeits"])) == (4, 4)
    games = [each for _, event in progress for each in event["games"]]
    assert {each["forfeit"][:50] for each in games} == {"its move cannot be played: 99 is not on the board "}
    assert httpx.get(f"{server}api/v1/games").status_code == 200


HANGING = f"""bot:{PYTHON} -c '
import json, os, sys, time
for line in sys.stdin:
    if json.loads(line)["ask"] == "move":
        open("NOTE", "w").write(str(os.getpid()) + ".")
        time.sleep(600)
    print(json.dumps({{"name": "hanging", "protocol": 1}}), flush=True)
'"""


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc to look at processes")
def test_a_bot_that_hangs_ends_with_its_match_and_that_with_its_follower(tmp_path: Path) -> None:
    note = tmp_path / "note"
    desk = Desk(patience=0.1)
    with in_background(desk, bots={"hanging": HANGING.replace("NOTE", str(note))}) as address:
        with httpx.stream("GET", f"{address}api/v1/match?a=hanging&n=1", timeout=60) as answer:
            assert answer.status_code == 200
            eventually(lambda: note.exists() and note.read_text().endswith("."))
            process = Path(f"/proc/{note.read_text().rstrip('.')}")
            assert process.exists()
        eventually(lambda: not process.exists())
        assert httpx.get(f"{address}api/v1/games").status_code == 200


@pytest.mark.parametrize("name", ["bot:cat", "http://127.0.0.1:1/", "other", BLOCKER, "mine.py:best"])
def test_nobody_who_asks_can_have_a_program_started(server: str, name: str) -> None:
    for question in ({"a": name[:40]}, {"b": name[:40]}):
        answer = httpx.get(f"{server}api/v1/match", params=question)
        assert answer.status_code == 422
        assert "there is no player" in answer.json()["detail"]
    moved = httpx.post(f"{server}api/v1/move", json={"position": ".........", "player": "blocker"})
    assert moved.status_code == 422


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("bot:cat", "offers nobody: expected a name of small letters, digits and hyphens, and the player"),
        ("Mine=bot:cat", "offers nobody"),
        ("perfect=bot:cat", "is a player of noughts already"),
        (f"mine=bot:{PYTHON} -c ''", "is no bot: it ended its process"),
        ("mine=nobody", "there is no player 'nobody'"),
    ],
)
def test_what_cannot_be_offered_is_refused_before_the_server_starts(text: str, says: str) -> None:
    done = run("serve", "--bot", text, "--no-browser")
    assert (done.returncode, done.stdout) == (2, "")
    assert says in done.stderr


def test_a_name_is_offered_once() -> None:
    with pytest.raises(InvalidPlayer, match="'mine' is a player on offer already"):
        offered([f"mine={BLOCKER}", f"mine={BLOCKER}"])


def test_one_can_play_against_a_bot_in_the_terminal() -> None:
    done = run("play", "3x3k3", "--against", BLOCKER, "--side", "o", stdin="a1\nc1\nresign\n")
    assert done.returncode == 0, done.stderr
    assert "bot:blocker (X) plays b2." in done.stdout
    done = run("play", "3x3k3", "--against", RUDE, stdin="b2\n")
    assert "bot:rude loses: its move cannot be played: 99 is not on the board of 3 rows and 3 columns." in done.stdout
    assert "You win!" in done.stdout


def test_the_page_shows_a_match_of_bots_and_why_one_lost(visit: Any, server: str) -> None:
    from browser import address, expect

    someone = visit()
    someone.server = server
    someone.go(address(view="match", a="rude", b="blocker", n=3, run="series"))
    page = someone.page
    expect(page.get_by_text("bot:rude broke the rules in 3 games, which it lost.")).to_be_visible()
    expect(page.get_by_text("blocker came out ahead: 3 won, 0 drawn, 0 lost")).to_be_visible()
    groups = page.get_by_label("Player A").locator("optgroup")
    assert groups.last.get_attribute("label") == "Bots"
    someone.go(address(view="match", a="rude", b="blocker", n=3, run="series", watch=1, ply=0))
    expect(page.get_by_text("The other broke the rules: its move cannot be played")).to_be_visible()
    someone.server = someone.home
