"""Boards on other people's pages: a frame and an element, only where they are allowed to be."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from browser import axe, expect
from shell import run

from noughts import Game, Position
from noughts.web.app import STATIC
from noughts.web.guard import HEADERS, BadOrigin, read_origin
from noughts.web.server import in_background

httpx = pytest.importorskip("httpx")

COSTLY = {"position": str(Game.parse("15x15k5").start())}


class Elsewhere:
    """Another site, on another port of this machine, with one page."""

    page = copied = b""
    policy = "default-src * data: 'unsafe-inline'"

    def __enter__(self) -> Elsewhere:
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                self.send_response(200)
                self.send_header("content-type", "text/html; charset=utf-8" if self.path == "/" else "text/javascript")
                self.send_header("content-security-policy", outer.policy)
                self.end_headers()
                self.wfile.write(outer.page if self.path == "/" else outer.copied)

            def log_message(self, *_: object) -> None:
                """Nothing is said."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.origin = f"http://127.0.0.1:{self.server.server_port}"
        return self

    def __exit__(self, *_: object) -> None:
        self.server.shutdown()
        self.server.server_close()

    def show(self, body: str) -> None:
        head = '<!doctype html><html lang="en"><meta charset="utf-8"><title>elsewhere</title>'
        self.page = f"{head}<main><h1>Elsewhere</h1>{body}</main></html>".encode()


@pytest.fixture(scope="module")
def places() -> Iterator[tuple[Elsewhere, str]]:
    """Another site, and a server that allows it."""
    with Elsewhere() as site, in_background(origins=[site.origin]) as address:
        yield site, address


def open_page(chromium: Any, address: str, **options: Any) -> Any:
    page = chromium.new_context(reduced_motion="reduce", **options).new_page()
    page.complaints = []
    page.on("console", lambda said: page.complaints.append(said.text) if said.type == "error" else None)
    page.goto(address)
    return page


def element(address: str, attributes: str) -> str:
    script = f'<script type="module" src="{address}static/embed/noughts-board.js"></script>'
    return f"{script}<noughts-board {attributes}></noughts-board>"


# The element


def test_the_element_plays_a_game_on_a_page_of_another_origin(chromium: Any, places: tuple[Elsewhere, str]) -> None:
    site, address = places
    site.show(element(address, 'position="XX./OO./..." o="level-4" values controls'))
    page = open_page(chromium, site.origin)
    board = page.locator("noughts-board")
    expect(board.get_by_role("status")).to_have_text("X to move.")
    expect(board.get_by_role("gridcell", name="c3, empty, wins in 1")).to_be_visible()
    page.evaluate("addEventListener('noughts-change', (event) => { globalThis.heard = event.detail })")
    board.get_by_role("gridcell", name=re.compile("^c3")).click()
    expect(board.get_by_role("status")).to_have_text("X has won.")
    heard = page.evaluate("({move: heard.move, winner: heard.winner, position: heard.position})")
    assert heard == {"move": "c3", "winner": "X", "position": str(Position.parse("XXX/OO./..."))}
    board.get_by_role("button", name="Undo").click()
    expect(board.get_by_role("status")).to_have_text("X to move.")
    board.get_by_role("gridcell", name=re.compile("^b1")).click()
    expect(board.get_by_role("gridcell", name=re.compile(r"^c2, O"))).to_have_count(1)  # level 4 wins
    assert page.complaints == []
    page.context.close()


def test_it_is_played_by_keyboard_alone_and_changes_with_its_attributes(
    chromium: Any, places: tuple[Elsewhere, str]
) -> None:
    site, address = places
    site.show(element(address, ""))
    page = open_page(chromium, site.origin)
    board = page.locator("noughts-board")
    expect(board.get_by_role("status")).to_have_text("X to move.")
    page.keyboard.press("Tab")
    for key in ("ArrowUp", "ArrowLeft", "Enter"):
        page.keyboard.press(key)
    expect(board.get_by_role("gridcell", name=re.compile("^a3, X"))).to_be_focused()
    page.keyboard.press("End")
    page.keyboard.press(" ")
    expect(board.get_by_role("gridcell", name=re.compile("^c3, O"))).to_be_focused()
    board.evaluate("(board) => board.setAttribute('game', '6x7k4g')")
    expect(board.get_by_role("gridcell")).to_have_count(42)
    board.get_by_role("gridcell", name=re.compile("^d6")).click()  # it falls
    expect(board.get_by_role("gridcell", name=re.compile("^d1, X"))).to_have_count(1)
    board.evaluate("(board) => board.setAttribute('position', 'nonsense')")
    expect(board.get_by_role("status")).to_contain_text("expected X, O or .")
    page.context.close()


@pytest.mark.parametrize("options", [{"color_scheme": "light"}, {"color_scheme": "dark"}, {"forced_colors": "active"}])
def test_nothing_in_it_is_hard_to_read_or_to_reach(
    chromium: Any, places: tuple[Elsewhere, str], options: dict[str, str]
) -> None:
    site, address = places
    site.show("<style>:root { color-scheme: light dark }</style>" + element(address, 'moves="b2,a1" values controls'))
    for where in (site.origin, f"{address}embed?moves=b2,a1&values=1"):
        page = open_page(chromium, where, **options)
        expect(page.locator("noughts-board").get_by_role("status")).to_have_text("X to move.")
        found = axe.Axe().run(page, options={"resultTypes": ["violations"]}).response["violations"]
        assert [each["id"] for each in found] == []
        page.context.close()


def test_it_is_one_file_that_can_be_copied_to_another_site(chromium: Any, places: tuple[Elsewhere, str]) -> None:
    """Nothing else is asked for but answers, and a page with a strict policy needs no more than that says."""
    site, address = places
    site.copied = (STATIC / "embed" / "noughts-board.js").read_bytes()
    element = f'<noughts-board server="{address[:-1]}" o="level-2"></noughts-board>'
    site.show(f'<script type="module" src="/board.js"></script>{element}')
    page = open_page(chromium, "about:blank")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(site, "policy", f"default-src 'none'; script-src 'self'; connect-src {address}; img-src 'self'")
        page.goto(site.origin)
    board = page.locator("noughts-board")
    board.get_by_role("gridcell", name=re.compile("^b2")).click()
    expect(board.get_by_role("gridcell", name=re.compile(", O"))).to_have_count(1)
    assert {each for each in asked if not each.startswith(f"{address}api/v1/")} - {f"{site.origin}/favicon.ico"} == {
        f"{site.origin}/",
        f"{site.origin}/board.js",
    }
    assert page.complaints == []
    page.context.close()


# The frame


def test_a_board_in_a_frame_tells_the_page_around_it_of_moves(chromium: Any, places: tuple[Elsewhere, str]) -> None:
    site, address = places
    listens = "addEventListener('message', ({ data }) => { globalThis.heard = data })"
    site.show(f'<script>{listens}</script><iframe title="board" src="{address}embed?position=XX./OO./..."></iframe>')
    page = open_page(chromium, site.origin)
    frame = page.frame_locator("iframe")
    frame.get_by_role("gridcell", name=re.compile("^c3")).click()
    expect(frame.get_by_role("status")).to_have_text("X has won.")
    page.wait_for_function("globalThis.heard")
    assert page.evaluate("[heard.type, heard.move, heard.winner]") == ["noughts-change", "c3", "X"]
    assert page.complaints == []
    page.context.close()


def test_nobody_frames_or_asks_who_is_not_allowed_to(chromium: Any) -> None:
    with Elsewhere() as site, in_background(origins=["https://example.org"]) as address:
        site.show(f'<iframe title="board" src="{address}embed"></iframe>' + element(address, ""))
        page = open_page(chromium, site.origin)
        page.wait_for_timeout(300)
        assert page.frame_locator("iframe").locator("noughts-board").count() == 0
        assert page.evaluate("customElements.get('noughts-board') === undefined")
        assert any("frame-ancestors" in said for said in page.complaints)
        assert any("CORS" in said for said in page.complaints)
        page.context.close()


# What is said over HTTP


def test_only_an_allowed_origin_is_named_and_costs_something(places: tuple[Elsewhere, str]) -> None:
    site, address = places
    with httpx.Client(base_url=f"{address}api/v1/", timeout=60) as client:
        for origin, status in ((site.origin, 200), ("https://evil.example", 403), ("null", 403)):
            told = client.get("analyze", params=COSTLY, headers={"origin": origin, "sec-fetch-site": "cross-site"})
            assert told.status_code == status
            assert told.headers.get("access-control-allow-origin") == (origin if status == 200 else None)
            assert "origin" in told.headers["vary"]
        asks = {"origin": site.origin, "access-control-request-method": "POST"}
        preflight = client.options("move", headers=asks)
        assert (preflight.status_code, preflight.headers["access-control-allow-methods"]) == (204, "GET, POST")
        assert "content-type" in preflight.headers["access-control-allow-headers"]
        refused = client.options("move", headers={**asks, "origin": "https://evil.example"})
        assert refused.status_code == 405
        assert not [name for name in refused.headers if name.startswith("access-control")]


def test_only_the_board_can_be_framed(places: tuple[Elsewhere, str]) -> None:
    site, address = places
    policy = httpx.get(f"{address}embed").headers["content-security-policy"]
    assert policy == HEADERS["content-security-policy"].replace("'none'", f"'self' {site.origin}").replace(
        f"default-src 'self' {site.origin}", "default-src 'none'"
    ).replace(f"base-uri 'self' {site.origin}", "base-uri 'none'").replace(
        f"form-action 'self' {site.origin}", "form-action 'none'"
    )
    for path in ("", "docs", "guide/", "api/v1/games", "static/main.js"):
        told = httpx.get(f"{address}{path}").headers
        assert (told["x-frame-options"], "frame-ancestors 'none'" in told["content-security-policy"]) == ("DENY", True)
    with in_background() as safe:
        assert httpx.get(f"{safe}embed").headers["content-security-policy"].endswith("frame-ancestors 'self'")
        told = httpx.get(f"{safe}api/v1/games", headers={"origin": site.origin})
        assert not [name for name in told.headers if name.startswith("access-control")]


def test_a_link_elsewhere_that_means_work_leads_to_a_page_that_asks_first(places: tuple[Elsewhere, str]) -> None:
    site, address = places
    foreign = {"referer": "https://evil.example/", "sec-fetch-site": "cross-site"}
    for asked, asks in (
        ({"position": "X........"}, False),
        ({"position": "4x4k4:X.../..../..../...."}, True),
        ({"view": "fifteen"}, False),
        ({"view": "search", "position": "X........"}, True),
    ):
        told = httpx.get(f"{address}embed", params=asked, headers=foreign)
        assert ('href="/embed?' in told.text) is asks
        ours = httpx.get(f"{address}embed", params=asked, headers={**foreign, "referer": site.origin})
        assert "embed/page.js" in ours.text


@pytest.mark.parametrize("text", ["*", "null", "example.org", "ftp://a.b", "https://a.b/c", "https://a b", "https://"])
def test_what_is_no_origin_is_refused(text: str) -> None:
    with pytest.raises(BadOrigin):
        read_origin(text)
    told = run("serve", "--no-browser", "--allow-origin", text)
    assert (told.returncode, "is no origin" in told.stderr) == (2, True)


def test_an_origin_is_written_as_browsers_write_it() -> None:
    assert read_origin("HTTPS://Example.org:443") == "https://example.org"
    assert read_origin("http://localhost:3000") == "http://localhost:3000"
    assert read_origin("http://[::1]:80") == "http://[::1]"
