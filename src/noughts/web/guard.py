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
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self'",
        "font-src 'self'",
        "connect-src 'self'",
        "manifest-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    ]
)

HEADERS = {
    "content-security-policy": POLICY,
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
}


class TooMuch(HTTPException):
    """The body of a request exceeds the limit."""

    def __init__(self) -> None:
        super().__init__(413, f"the request is too large: its body may have at most {MAX_BODY:,} bytes")


class Foreign(HTTPException):
    """A page of another site asks for something that costs."""

    def __init__(self) -> None:
        super().__init__(403, "this question costs something: pages of other sites, and links on them, may not ask it")


def require_ours(headers: Mapping[str, str]) -> None:
    """Refuse what a browser sends for a page of another origin; programs send none of these headers, and may ask.

    Another port of this machine is another origin too: what listens there can be anybody's. A browser that says nothing
    by itself (an old one; or any, of a server that is neither local nor https) still names the origin that it fetches
    for, or refers to the page.
    """
    site = headers.get("sec-fetch-site")
    if site is None:
        asker = headers.get("origin") or headers.get("referer")
        site = "same-origin" if asker is None or _place(asker) == headers.get("host") else "cross-site"
    if site not in ("same-origin", "none"):  # none: it was typed, or is a bookmark
        raise Foreign


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

        if "*" not in self.hosts and _host(scope) not in self.hosts:
            detail = f"this server answers only to {', '.join(sorted(self.hosts))}: use one of these in the address"
            await JSONResponse({"detail": detail}, 421)(scope, receive, guarded_send)
        elif scope["query_string"].count(b"&") >= MAX_PARTS:
            detail = f"the address is too long: after its ? there may be at most {MAX_PARTS} parts"
            await JSONResponse({"detail": detail}, 414)(scope, receive, guarded_send)
        else:
            await self.app(scope, limited_receive, guarded_send)


def _host(scope: Scope) -> str:
    """The host that a request names, without its port."""
    named = Headers(scope=scope).get("host", "")
    return named.rpartition("]")[0] + "]" if named.startswith("[") else named.partition(":")[0]
