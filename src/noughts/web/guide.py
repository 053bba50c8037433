"""The documentation inside the laboratory: the pages of docs/, in the page's own style, at /guide/.

A checkout reads docs/ itself; an installed package carries the pages beside this file. Only what was found there is
served, by name, so no address can lead out of the folder. A link to something that is not served (the source of a
module, say) is shown as its text alone. Markdown and colours are made by libraries that rich brings along.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from html import escape
from pathlib import Path
from posixpath import dirname, join, normpath
from threading import Lock

from fastapi import APIRouter
from fastapi.responses import FileResponse, HTMLResponse, Response
from markdown_it import MarkdownIt
from markdown_it.token import Token
from pygments import highlight  # type: ignore[import-untyped]
from pygments.formatters import HtmlFormatter  # type: ignore[import-untyped]
from pygments.lexers import get_lexer_by_name  # type: ignore[import-untyped]
from starlette.exceptions import HTTPException

HERE = Path(__file__).resolve().parent
PLACES = HERE / "guide", HERE.parents[2] / "docs"  # installed, and in a checkout
FOLDER = next((place for place in PLACES if (place / "index.md").is_file()), PLACES[0])
PARTS = "tutorial", "how-to", "explanation", "reference"
LABORATORY = "http://127.0.0.1:8765/"  # where `noughts serve` is by itself; here it is the server that shows the page
INSERT = f"{LABORATORY}embed?"  # a picture that links there, alone in its paragraph, is shown alive here
LIVE = "html live"  # a block that is shown twice: as it is written, and what a browser makes of it
LINK = re.compile(r"\]\((.+?)\)")
PICTURES = {".svg": "image/svg+xml", ".png": "image/png"}

MAKING = Lock()  # one thread at a time makes what takes long: many at work would hold up the event loop
router = APIRouter(include_in_schema=False)
MOST_ASKED, MOST_FOUND = 200, 30  # characters of a question; places that are shown
READ = ["GET", "HEAD"]  # how a page is asked for: whole, or whether it is there
PLAIN = HtmlFormatter(nowrap=True)  # classes, no styles: the colours are in guide.css


def pages() -> dict[str, Path]:
    """Every page by its name, such as explanation/minimax; the list of them all is the page without a name."""
    found = [*sorted(FOLDER.glob("*.md")), *_files(".md")]
    names = (path.relative_to(FOLDER).with_suffix("").as_posix() for path in found)
    return {name if name != "index" else "": path for name, path in zip(names, found, strict=True)}


def pictures() -> dict[str, Path]:
    """Every picture by its name, such as pictures/atlas.svg."""
    return {path.relative_to(FOLDER).as_posix(): path for ending in PICTURES for path in _files(ending, "pictures")}


def _files(ending: str, *more: str) -> list[Path]:
    return sorted(path for part in (*PARTS, *more) for path in (FOLDER / part).rglob(f"*{ending}"))


@router.api_route("/guide/{name:path}", methods=READ)
def guide(name: str, q: str = "") -> Response:
    """A page or a picture; the list of pages with a question `q` is what was found."""
    if not name and q.strip():
        with MAKING:
            return HTMLResponse(results(q.strip()[:MOST_ASKED]))
    if name in pictures():
        return FileResponse(pictures()[name], media_type=PICTURES[Path(name).suffix])
    if name not in pages():
        raise HTTPException(404)
    changed = max(path.stat().st_mtime_ns for path in pages().values())
    with MAKING:
        return HTMLResponse(render(name, changed))


@lru_cache(maxsize=100)
def render(name: str, changed: int = 0) -> str:
    """A page as HTML, made once until one of them is changed."""
    tokens = markdown.parse(source(name))
    _adapt(tokens, name)
    title = next(token.content for token in tokens if token.type == "inline")
    body = markdown.renderer.render(tokens, markdown.options, {}) + _beside(name)
    return PAGE.format(title=escape(title), contents=_contents(name), body=body, asked="")


def source(name: str) -> str:
    """The Markdown of a page; that of the reference is filled from the code."""
    text = pages()[name].read_text(encoding="utf-8")
    if name.startswith("reference/"):
        from noughts.web.reference import filled  # with all that it describes

        return filled(text)
    return text if name else _only_served(text)


# Finding something


@lru_cache(maxsize=2)
def sections(changed: int) -> tuple[tuple[str, str, str, str], ...]:
    """Every section of every page: the page, the anchor, the heading, and its words."""
    found = []
    for name in filter(None, ordered()):
        text = pages()[name].read_text(encoding="utf-8")
        title, fenced = title_of(pages()[name]), False
        heading, words = title, list[str]()
        for line in text.splitlines():
            fenced ^= line.startswith("```")
            if line.startswith("#") and not fenced:
                if words:
                    found.append((name, heading, title, " ".join(words)))
                heading, words = re.sub(r"[`*]|\]\(.*?\)|\[", "", line.lstrip("# ")), []
            else:
                words.append(line)
        found.append((name, heading, title, " ".join(words)))
    return tuple(found)


def results(asked: str) -> str:
    """The sections that hold all words of a question, those with them in the heading first.

    >>> "/guide/explanation/magic-square#4-x-4-it-cannot-be-done" in results("magic square 4x4")
    True
    """
    words = re.findall(r"\w+", _close(asked))
    hits = []
    for name, heading, title, text in sections(max(path.stat().st_mtime_ns for path in pages().values())):
        all_ = _close(f"{title} {heading} {text}")
        if words and all(word in all_ for word in words):
            weight = sum((word in title.lower()) + 2 * (word in heading.lower()) for word in words)
            weight += 3 * (" ".join(words) in " ".join(re.findall(r"\w+", all_)))
            hits.append((-weight, name, heading, title, _near(text, words)))
    shown = "".join(
        f'<li><a href="/guide/{name}#{slug(heading)}">{escape(title)}'
        f"{f': {escape(heading)}' if heading != title else ''}</a><br>{escape(near)}</li>\n"
        for _, name, heading, title, near in sorted(hits, key=lambda hit: hit[0])[:MOST_FOUND]
    )
    said = f"{len(hits)} places" if len(hits) != 1 else "One place"
    body = f"<h1>Search</h1>\n<p>{said} with <b>{escape(asked)}</b>.</p>\n<ul>{shown}</ul>\n"
    return PAGE.format(title="Search", contents=_contents("?"), body=body, asked=escape(asked, quote=True))


def _close(text: str) -> str:
    """Small letters, and 4 x 4 as 4x4."""
    return re.sub(r"(?<=\d) x (?=\d)", "x", text.lower())


def _near(text: str, words: Sequence[str]) -> str:
    """Some words of a text around the first that was asked for.

    >>> _near("| a |\\n|---|\\n[![A tree](tree.svg)](/embed) of `minimax`", ["tree"])
    'a A tree of minimax'
    """
    bare = " ".join(re.sub(r"[`*|]|!?\[|\]\(.*?\)|>>> ?|-{3,}", "", text).split())
    at = min((place for word in words if (place := bare.lower().find(word)) >= 0), default=0)
    start = max(0, bare.rfind(" ", 0, max(0, at - 60)) + 1)
    return ("… " if start else "") + bare[start : start + 160].strip() + (" …" if len(bare) > start + 160 else "")


def ordered() -> list[str]:
    """The names of all pages, in the order of the list."""
    every = pages()
    links = (link.partition("#")[0].removesuffix(".md") for link in LINK.findall(every[""].read_text(encoding="utf-8")))
    return ["", *dict.fromkeys(name for name in links if name in every)]


def _beside(page: str) -> str:
    """Links to the pages before and after."""
    every = ordered()
    at = every.index(page) if page in every else None
    if not page or at is None:
        return ""
    parts = []
    for place, rel, word in ((at - 1, "prev", "Previous"), (at + 1, "next", "Next")):
        if 0 < place < len(every):
            name = every[place]
            link = f'<a rel="{rel}" href="/guide/{name}"><span>{word}</span> {escape(title_of(pages()[name]))}</a>'
            parts.append(link)
    return f'<nav class="beside" aria-label="Pages before and after">{"".join(parts)}</nav>\n'


def title_of(path: Path) -> str:
    """The title of a page: its first line."""
    with path.open(encoding="utf-8") as file:
        return file.readline().removeprefix("# ").strip()


def slug(heading: str) -> str:
    """What a link to a heading is called, as code hosts do it.

    >>> slug("3. Alpha-beta: stop when it cannot matter")
    '3-alpha-beta-stop-when-it-cannot-matter'
    """
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def address(link: str, page: str) -> str | None:
    """Where a link on a page leads to in the guide; None if that is not served.

    >>> address("../how-to/serve.md#the-api", "explanation/minimax")
    '/guide/how-to/serve#the-api'
    >>> address("../../src/noughts/rules/game.py", "explanation/minimax") is None
    True
    >>> address("http://127.0.0.1:8765/?view=solve", "explanation/minimax")
    '/?view=solve'
    """
    if link.startswith(LABORATORY):
        return f"/{link.removeprefix(LABORATORY)}"
    path, hash_, anchor = link.partition("#")
    if not path or "://" in path:
        return link
    target = normpath(join(dirname(page), path))
    name = "" if target == "index.md" else target.removesuffix(".md")
    if (target.endswith(".md") and name in pages()) or target in pictures():
        return f"/guide/{name}{hash_}{anchor}"
    return None


def _only_served(text: str) -> str:
    """The list of pages without the parts that the guide does not have."""
    first, *parts = re.split(r"^(?=## )", text, flags=re.MULTILINE)
    return first + "".join(part for part in parts if any(address(link, "") for link in LINK.findall(part)))


def _contents(page: str) -> str:
    """The list of all pages, by parts, for the side: the headings and links of index.md."""
    every, shown = pages(), ""
    for part in _only_served(every[""].read_text(encoding="utf-8")).split("\n## ")[1:]:
        shown += f"<p>{escape(part.partition(chr(10))[0])}</p>\n<ol>\n"
        for name in (link.removesuffix(".md") for link in LINK.findall(part)):
            if name in every:
                here = ' aria-current="page"' if name == page else ""
                shown += f'<li><a href="/guide/{name}"{here}>{escape(title_of(every[name]))}</a></li>\n'
        shown += "</ol>\n"
    return shown


def _adapt(tokens: Sequence[Token], page: str) -> None:
    """Rewrite links, name headings, and let what is wide be reached and scrolled by the keyboard."""
    for place, token in enumerate(tokens):
        if token.type == "heading_open":
            token.attrSet("id", slug("".join(child.content for child in tokens[place + 1].children or [])))
        elif token.type == "table_open":
            token.attrSet("tabindex", "0")
        elif token.type in ("th_open", "td_open") and token.attrGet("style"):
            token.attrSet("class", str(token.attrs.pop("style")).rpartition(":")[2])  # no inline styles here
        elif token.type == "inline" and not _enliven(tokens[place - 1 : place + 2]):
            _adapt_links(token.children or [], page)


def _enliven(paragraph: Sequence[Token]) -> bool:
    """Put what a linked picture shows in its place, if that is something to play with: in a frame, by its address."""
    before, inline, after = paragraph
    match inline.children:
        case [Token(type="link_open") as link, Token(type="image") as picture, Token(type="link_close")]:
            to = str(link.attrGet("href"))
            if not to.startswith(INSERT):
                return False
            shown = f'<iframe src="{escape(address(to, "") or "")}" title="{escape(picture.content)}" loading="lazy">'
            inline.children = [Token("html_inline", "", 0, content=f"{shown}</iframe>")]
            before.tag = after.tag = "figure"
            before.attrSet("class", "live")
            return True
        case _:
            return False


def _adapt_links(tokens: list[Token], page: str) -> None:
    served: list[bool] = []
    for token in tokens:
        if token.type == "link_open":
            to = address(str(token.attrGet("href")), page)
            served.append(to is not None)
            if to is None:
                token.tag, token.attrs = "span", {}
            else:
                token.attrSet("href", to)
        elif token.type == "link_close" and not served.pop():
            token.tag = "span"
        elif token.type == "image":
            to = address(str(token.attrGet("src")), page)
            if to is None:
                token.type, token.content = "text", f"[{token.content}]"
            else:
                token.attrSet("src", to)


def _show_code(renderer: object, tokens: Sequence[Token], place: int, *rest: object) -> str:
    """A block of code, coloured where it is Python, and at work where it says so."""
    token = tokens[place]
    code, language = token.content.rstrip() + "\n", token.info.strip()
    if language == "python":
        shown = highlight(code, get_lexer_by_name("pycon" if code.startswith(">>>") else language), PLAIN)
    else:
        shown = escape(code)
    live = f'<div class="live">\n{code.replace(LABORATORY, "/")}</div>\n' if language == LIVE else ""
    kind = f' data-language="{escape(language)}"' if language else ""
    return f'<pre tabindex="0"{kind}><code>{shown}</code></pre>\n{live}'


markdown = MarkdownIt("commonmark").enable("table")
for kind in ("fence", "code_block"):
    markdown.add_render_rule(kind, _show_code)

PAGE = Path(__file__).with_suffix(".html").read_text(encoding="utf-8")
MISSING = PAGE.format(  # for a person at an address where there is nothing
    title="Nothing here",
    contents="",
    asked="",
    body="""<h1>There is nothing at this address</h1>
<p><a href="/guide/">All pages of the guide</a>, or <a href="/">the laboratory</a>.</p>
""",
)
