"""Around every request: security headers on what goes out, a limit on what comes in, and whose page may ask.

The policy lets the page load only what this server serves: nothing inline, nothing from another host. In return no page
of another host may make this server work: a browser says in the headers of a request whose page it is from.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

MAX_BODY = 262_144
MAX_PARTS = 100  # of what follows the ? in an address

POLICY = "; ".join(
    [
        "default-src 'none'",
        *(f"{kind}-src 'self'" for kind in ("script", "style", "img", "font", "connect", "manifest")),
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

    Naming the host keeps away pages whose name was made to point to this machine (DNS rebinding).
    """

    def __init__(self, app: ASGIApp, hosts: Sequence[str]) -> None:
        self.app = app
        self.hosts = frozenset(hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, limited, and its answer back, with our headers."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        taken = 0
        fallback = b"no-store" if scope["path"].startswith("/api/") else b"no-cache"

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
                headers.extend((name.encode(), text.encode()) for name, text in HEADERS.items())
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
        await app(scope, limited_receive, guarded_send)


def _host(scope: Scope) -> str:
    """The host that a request names, without its port."""
    named = Headers(scope=scope).get("host", "")
    return named.rpartition("]")[0] + "]" if named.startswith("[") else named.partition(":")[0]
