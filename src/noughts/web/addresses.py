"""What others type to open this server's page, and the same as a QR code, for a terminal and for the page."""

from __future__ import annotations

import socket
from contextlib import suppress
from io import BytesIO, StringIO
from ipaddress import ip_address

EVERYWHERE = ("", "0.0.0.0", "::")
ELSEWHERE = {socket.AF_INET: "192.0.2.1", socket.AF_INET6: "2001:db8::1"}  # set aside for examples: nobody is there
MAX_LINK = 300  # characters that a QR code has room for, and that a camera still reads


def others_open(host: str, port: int) -> tuple[str, ...]:
    """The addresses by which other machines reach a server that listens on this host, likely ones first."""
    hosts = _own_addresses(host) if host in EVERYWHERE else [host]
    return tuple(f"http://{f'[{each}]' if ':' in each else each}:{port}/" for each in hosts if not _is_local(each))


def _own_addresses(host: str) -> list[str]:
    """The addresses of this machine, as far as it tells: the one that leads to the network, then those of its name."""
    families = (socket.AF_INET,) if host != "::" else (socket.AF_INET6, socket.AF_INET)
    found: dict[str, None] = {}
    for family in families:
        with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as way:
            way.connect((ELSEWHERE[family], 9))  # sends nothing: the system only chooses a way out
            found[way.getsockname()[0]] = None
    for family in families:
        with suppress(OSError, UnicodeError):
            found |= {str(each[4][0]): None for each in socket.getaddrinfo(socket.gethostname(), None, family)}
    return list(found)


def _is_local(host: str) -> bool:
    """Is it this machine alone, or its own cable alone, that knows the address?"""
    with suppress(ValueError):
        address = ip_address(host)
        return address.is_loopback or address.is_link_local or address.is_unspecified
    return host == "localhost"


def in_terminal(link: str) -> str:
    """A link as a QR code for a terminal; nothing where the library that makes it is missing.

    >>> in_terminal("http://192.168.1.7:8765/")[:4]
    '████'
    """
    try:
        import segno
    except ImportError:
        return ""
    out = StringIO()
    segno.make_qr(link, error="m").terminal(out, border=2, compact=True)
    return out.getvalue()


def as_picture(link: str) -> bytes:
    """A link as a QR code, an SVG in black on white with the margin that cameras need.

    >>> as_picture("http://192.168.1.7:8765/")[:39]
    b'<svg xmlns="http://www.w3.org/2000/svg"'
    """
    import segno

    out = BytesIO()
    segno.make_qr(link, error="m").save(
        out, kind="svg", border=4, light="#fff", xmldecl=False, omitsize=True, svgclass=None, lineclass=None
    )
    return out.getvalue()
