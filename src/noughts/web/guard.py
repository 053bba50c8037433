"""Around every request: security headers on what goes out, a limit on what comes in, and whose page may ask.

The policy lets the page load only what this server serves: nothing inline, nothing from another host. In return no page
of another host may make this server work: a browser says in the headers of a request whose page it is from.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from noughts.words import brief

MAX_BODY = 262_144
MAX_PARTS = 100  # of what follows the ? in an address

POLICY = "; ".join(
    [
        "default-src 'none'",
        *(f"{kind}-src 'self'" for kind in ("script", "style", "img", "font", "connect", "manifest", "frame")),
        *(f"{what} 'none'" for what in ("base-uri", "form-action", "frame-ancestors")),
    ]
)

HEADERS = {
    "content-security-policy": POLICY,
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
    "referrer-policy": "same-origin",  # to us a browser names our page, to others nothing
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
}


FRAMED = "/embed"  # the one page that may stand in a frame: in our own pages, and in those that are allowed to
ALLOWED = {  # what an allowed origin may do from afar
    "access-control-allow-methods": "GET, POST",
    "access-control-allow-headers": "content-type, x-page",
    "access-control-max-age": "600",
}


class BadOrigin(ValueError):
    """This is not the origin of a page."""


def read_origin(text: str) -> str:
    """The origin of pages, as browsers write it.

    >>> read_origin("https://Example.org")
    'https://example.org'
    >>> read_origin("https://example.org/page")
    Traceback (most recent call last):
    noughts.web.guard.BadOrigin: 'https://example.org/page' is no origin: expected one such as https://example.org
    """
    try:
        parts = urlsplit(text)
        usual = {"http": 80, "https": 443}[parts.scheme]
        port = f":{parts.port}" if parts.port not in (None, usual) else ""
        host = parts.netloc.rpartition(":")[0] if parts.port is not None else parts.netloc
        good = bool(parts.hostname) and not re.search(r"[^\w.\[\]:-]", host, re.ASCII)
    except (ValueError, KeyError):
        good = False
    if not good or parts.path or parts.query or parts.fragment:
        raise BadOrigin(f"{brief(text)} is no origin: expected one such as https://example.org")
    return f"{parts.scheme}://{host.lower()}{port}"


class TooMuch(HTTPException):
    """The body of a request exceeds the limit."""

    def __init__(self) -> None:
        super().__init__(413, f"the request is too large: its body may have at most {MAX_BODY:,} bytes")


def require_ours(headers: Mapping[str, str]) -> None:
    """Refuse what a browser sends for a page of another origin; programs send none of these headers, and may ask.

    Another port of this machine is another origin too: what listens there can be anybody's. A browser that says nothing
    by itself (an old one; or any, of a server that is neither local nor https) names the origin that it fetches for, or
    refers to the page: ours lets it (`referrer-policy`), and one that hides both is not ours. That it is a browser no
    page can hide: another user-agent needs a preflight, which is never granted.
    """
    if is_foreign(headers):
        raise HTTPException(
            403,
            "this question costs something: pages of other sites, and links on them, may not ask it; "
            "the page of this server may, and so may programs",
        )


def is_foreign(headers: Mapping[str, str]) -> bool:
    """Does a browser ask for a page of another origin, or for a link on it? `require_ours` says how it is known."""
    site = headers.get("sec-fetch-site")
    if site is None:
        asker = headers.get("origin") or headers.get("referer")
        if asker:
            return _place(asker) != headers.get("host")
        return headers.get("user-agent", "").startswith("Mozilla/")  # as every browser begins, after the first one
    return site not in ("same-origin", "none")  # none: it was typed, or is a bookmark


def require_json(headers: Mapping[str, str]) -> None:
    """Refuse a body that a form, or a page without asking first, could send: as text, as a form, or as nothing."""
    kind = headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json" and not (kind.startswith("application/") and kind.endswith("+json")):
        raise HTTPException(422, "the body must be sent as JSON, with content-type: application/json")


def _place(address: str) -> str | None:
    try:
        return urlsplit(address).netloc
    except ValueError:
        return None


class Guard:
    """An ASGI application around another one, for requests that name one of these hosts ("*": any).

    Naming the host keeps away pages whose name was made to point to this machine (DNS rebinding). Pages of the allowed
    origins are taken for our own: they may ask, read the answers, and frame a board.
    """

    def __init__(self, app: ASGIApp, hosts: Sequence[str], origins: Sequence[str] = ()) -> None:
        self.app = app
        self.hosts = frozenset(hosts)
        self.origins = frozenset(origins)
        framed = " ".join(["frame-ancestors 'self'", *sorted(self.origins)])
        self.framed = {**HEADERS, "content-security-policy": POLICY.replace("frame-ancestors 'none'", framed)}
        del self.framed["x-frame-options"]  # which knows no list

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, limited, and its answer back, with our headers."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        scope, ours = self._allow(scope)
        taken = 0
        fallback = b"no-store" if scope["path"].startswith("/api/") else b"no-cache"
        if scope["path"].endswith("/icon.svg"):  # which a browser wants again with every change of the address
            fallback = b"max-age=86400"

        async def limited_receive() -> Message:
            nonlocal taken
            message = await receive()
            taken += len(message.get("body", b""))
            if taken > MAX_BODY:
                raise TooMuch
            return message

        async def guarded_send(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = message.setdefault("headers", [])
                headers.extend((name.encode(), text.encode()) for name, text in ours.items())
                if not any(name.lower() == b"cache-control" for name, _ in headers):
                    headers.append((b"cache-control", fallback))
            await send(message)

        app = self.app
        if "*" not in self.hosts and _host(scope) not in self.hosts:
            detail = f"this server answers only to {', '.join(sorted(self.hosts))}: use one of these in the address"
            app = JSONResponse({"detail": detail}, 421)
        elif scope["query_string"].count(b"&") >= MAX_PARTS:
            detail = f"the address is too long: after its ? there may be at most {MAX_PARTS} parts"
            app = JSONResponse({"detail": detail}, 414)
        elif "access-control-allow-methods" in ours:
            app = Response(status_code=204)
        await app(scope, limited_receive, guarded_send)

    def _allow(self, scope: Scope) -> tuple[Scope, dict[str, str]]:
        """The request as the application is to see it, and our headers for its answer."""
        path, asked = scope["path"], Headers(scope=scope)
        ours = self.framed if path == FRAMED else HEADERS
        if not self.origins:
            return scope, ours
        ours = {**ours, "vary": "origin"}
        origin = asked.get("origin")
        if (origin or _origin(asked.get("referer", ""))) not in self.origins:
            return scope, ours
        if origin and path.startswith(("/api/", "/static/")):
            ours |= {"access-control-allow-origin": origin, "access-control-expose-headers": "retry-after, x-run"}
            if scope["method"] == "OPTIONS" and "access-control-request-method" in asked:
                ours |= ALLOWED
        kept = [(name, text) for name, text in scope["headers"] if name != b"sec-fetch-site"]
        return {**scope, "headers": [*kept, (b"sec-fetch-site", b"same-origin")]}, ours


def _origin(address: str) -> str | None:
    """The origin of the page at an address."""
    try:
        parts = urlsplit(address)
    except ValueError:
        return None
    return f"{parts.scheme}://{parts.netloc}" if parts.netloc else None


def _host(scope: Scope) -> str:
    """The host that a request names, without its port."""
    named = Headers(scope=scope).get("host", "")
    return named.rpartition("]")[0] + "]" if named.startswith("[") else named.partition(":")[0]
