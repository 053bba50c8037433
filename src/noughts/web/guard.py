"""Around every request: security headers on what goes out, a limit on what comes in.

The policy lets the page load only what this server serves: nothing inline, nothing from another host.
"""

from __future__ import annotations

from collections.abc import Sequence

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

MAX_BODY = 262_144

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

        if "*" in self.hosts or _host(scope) in self.hosts:
            await self.app(scope, limited_receive, guarded_send)
        else:
            detail = f"this server answers only to {', '.join(sorted(self.hosts))}: use one of these in the address"
            await JSONResponse({"detail": detail}, 421)(scope, receive, guarded_send)


def _host(scope: Scope) -> str:
    """The host that a request names, without its port."""
    named = Headers(scope=scope).get("host", "")
    return named.rpartition("]")[0] + "]" if named.startswith("[") else named.partition(":")[0]
