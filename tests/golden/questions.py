"""The questions of the golden files, how they are asked, and what is kept of an answer."""

from __future__ import annotations

import hashlib
import io
import json
import sys
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
LONG = 6_000  # characters of an answer that is kept whole
MEASURED = {"seconds", "peak_rss_bytes", "threads", "ratio", "memory", "disk", "size", "runs", "cache", "run"}

POSITIONS = [
    "........." , "XO./.X./..O", "XX./OO./...", "X../.O./..X", "XXX/OO./...", "XOX/XOO/OXX", "XOX/XOO/OX.",
    "3x3k3m:XO./.X./..O", "3x3k3m:XOX/OXO/OX.", "3x3k3m:XXX/OO./...",
    "1x1k1:.", "1x5k3:X.O..", "2x2k2:X./..", "3x4k3:X.O./..../....", "4x3k3:X.O/.../.../...",
    "4x4k3:X..O/..../..../....", "4x4k4:X.../.O../..../....", "4x4k4:XXX./OOO./..../....",
    "4x4k3m:X..O/..../..../....", "4x5k4:XOO.X/.O.X./X..XX/O..OO", "3x5k4m:X...O/...../.....",
    "5x5k4:X...O/...../..X../...../O....", "6x7k4:......./......./......./...X.../...O.../...X...",
    "8x8k5:......../......../..XXX.../..OO..../......../......../......../........",
    "15x15k5:" + "/".join(["." * 15] * 15),
    "15x15k5:" + "/".join(["." * 15] * 6 + ["...OXXXX......."] + ["....OOO........"] + ["." * 15] * 7),
    "15x15k5m:" + "/".join(["." * 15] * 6 + ["...OXXXX......."] + ["....OOO........"] + ["." * 15] * 7),
    "3x4k3e:XX.X/OO../....", "2x5k3e:XXXX./OOO.O", "1x7k3em:XX.XO.O",
]  # fmt: skip
FALLING = [  # a threat that waits, one to block at once, zugzwang where no solver looks, the end by a line and by none
    "6x7k4g:..O...O/O.X.OXX/X.O.XOX/OXX.XOX/XOO.XOO/OXXXOXO",
    "6x7k4g:244444477562126131611556",
    "9x7k5g:......./......./...X.../XOOX..X/OXXX.XO/OOXO.OX/XOXO.OX/XOOO.XO/OXXXOXO",
    "6x7k4g:1122334",
    "6x7k4egm:..O...O/O.X.OXX/X.O.XOX/OXX.XOX/XOO.XOO/OXXXOXO",
]
PREDICTIONS = "".join(
    f'{{"position": "{position}", "move": {move}}}\n'
    for position, move in (
        ("XX./OO./...", '"c3"'),
        ("XX./OO./...", 8),
        ("X../.../...", "[1, 1]"),
        (".../.../...", "null"),
    )
)
REFUSED = [
    "XXX/OOO/...",
    "XX./.../...",
    "XXX/O../...",
    "4x4k2:XX../..../OO../....",
    "X.Z/.../...",
    "3x3k4:...",
    "4x4k4",
    "6x7k4g:1111111",
    "6x7k4g:48",
    "6x7k4g:......./......./......./......./X....../.......",
    "6x7k4g:......./......./......./......./X....../O......",
]
GAMES = ["3x3k3", "3x3k3m", "1x5k3", "2x3k2", "3x4k3", "3x4k4m", "4x4k4", "3x4k3e"]
RECORDS = ["3x3k3: b2 b3 a1 c3 a3 c1 a2", "3x3k3m: b2 a1 c3 a3 c1", "4x4k4: b2 c3 a1", "15x15k5: h8 h9 j8", "3x3k3:"]
IN_THE_AIR = ["6x7k4g: d d d d d d d", "6x7k4g: d d4", "6x7k4g: d h"]
DETECTORS = ["line_sums", "line_masks", "shifts", "magic_square", "magic_labels", "last_move", "line_counts", "lookup"]
SEARCHED = [
    ".X./O../X.O",
    "XO./.X./..O",
    "3x3k3m:XO./.X./..O",
    "4x4k3:XO.X/OXO./X.../.O..",
    "3x4k3e:XX.X/OO../....",
    "3x4k3g:..../.O../XXO.",
]


def commands() -> Iterator[tuple[list[str], str]]:
    """Every question to the command: its words, and what comes on standard input."""
    for position in (*POSITIONS, *FALLING):
        yield ["analyze", position, "--json"], ""
    for position in (*POSITIONS[:8], POSITIONS[19], *FALLING, *REFUSED):
        yield ["analyze", position], ""
    yield ["analyze", "XXX/OOO/...", "--json"], ""
    for position in SEARCHED:
        for words in ([], ["--algorithm", "minimax"], ["--window", "carried", "--order", "evaluation"]):
            yield ["search", position, *words, "--json"], ""
        yield ["search", position, "--table", "--symmetry", "--depth", "3", "--json"], ""
    yield ["search", ".X./O../X.O", "--compare", "--json"], ""
    yield ["search", "XOX/OOX/X..", "--replay"], ""
    for record in RECORDS:
        yield ["review", "-", "--json"], record
        yield ["review", "-"], record
    for record in IN_THE_AIR:
        yield ["review", "-"], record
    for game in GAMES:
        yield ["solve", game, "--json"], ""
        yield ["atlas", game, "--json"], ""
    yield ["solve", "6x6k4", "--json"], ""
    for player in ("random", "rules", "rules-as-printed", "perfect", "level-1", "level-4"):
        yield ["certify", player, "--json"], ""
    yield ["certify", "perfect", "--game", "3x3k3m", "--json"], ""
    yield ["certify", "rules", "--game", "3x3k3m", "--json"], ""
    for a, b, game in (
        ("level-1", "level-2", "3x3k3"), ("level-3", "level-4", "3x3k3m"), ("rules", "random", "4x4k4"),
        ("mcts:40", "level-5", "4x4k3"), ("alphabeta:2", "minimax:2", "3x4k3"),
        ("alphabeta:3", "mcts:40", "6x7k4g"),
    ):  # fmt: skip
        yield ["match", a, b, "-n", "6", "--game", game, "--seed", "7", "--json"], ""
    for source in ("gordon", "lastmove", "minimax"):
        yield ["papers", "--source", source, "--json"], ""
    yield ["play", "3x3k3", "--against", "level-3", "--seed", "3"], "b2\nhint\na1\nundo\nresign\n"
    yield ["play", "3x3k3m", "--two"], "b2\na1\nhint\nc3\nquit\n"
    yield ["play", "6x7k4g", "--two"], "d\n4\nd9\n8\nh\na2\nD\nundo\nquit\n"
    yield ["score", "-", "--json"], PREDICTIONS
    yield ["score", "-"], PREDICTIONS
    yield ["dataset", "15x15k5", "-o", "positions.jsonl"], ""
    yield ["tour"], ""
    yield [], ""


def routes() -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Every question over HTTP: method, name, and query or body."""
    for position in (*POSITIONS, *FALLING):
        yield "GET", "analyze", {"position": position}
        yield "GET", "legality", {"position": position}
    for position in REFUSED:
        yield "GET", "analyze", {"position": position}
        yield "GET", "legality", {"position": position}
    for position in (*POSITIONS[1:4], POSITIONS[7], POSITIONS[16], POSITIONS[25]):
        for player in ("perfect", "level-1", "level-3", "level-5", "random"):
            yield "POST", "move", {"position": position, "player": player, "seed": 5}
    yield "POST", "move", {"position": "XX./OO./...", "move": "c3"}
    yield "POST", "move", {"position": "XX./OO./...", "move": "a3"}
    for move in ("d", "d2", "d3", "g", "h"):
        yield "POST", "move", {"position": FALLING[0], "move": move}
    for game in (*GAMES, "15x15k5", "15x15k5m"):
        yield "GET", "players", {"game": game}
        yield "GET", "prospect", {"game": game}
    yield "GET", "games", {}
    yield "GET", "atlas", {"limit": 12}
    for record in RECORDS:
        game, _, moves = record.partition(":")
        for you in ("X", None):
            yield "POST", "review", {"game": game, "moves": moves.split(), "you": you}
    for position in ("XXX/OO./...", "XO./.X./..O", "3x3k3m:XXX/OO./...", POSITIONS[17], POSITIONS[-2], *FALLING[3:]):
        yield "GET", "detectors", {"position": position}
        for detector in DETECTORS:
            yield "GET", "detect", {"position": position, "detector": detector}
    for detector in ("prajoda_boolean", "magic_16", "single_loop"):
        yield "GET", "detect", {"position": "4x4k4:XXOO/XXO./..../....", "detector": detector}
    yield "GET", "exhibits", {}
    yield "GET", "labelling", {"game": "4x4k4"}
    for position in SEARCHED:
        yield "GET", "search", {"position": position, "keep": 20, "window": "carried"}
        yield "GET", "search/compare", {"position": position, "depth": 4}
    for game in GAMES[:4]:
        yield "GET", "solve", {"game": game}
    yield "GET", "match", {"a": "level-1", "b": "level-2", "game": "3x3k3", "n": 4, "seed": 7}


# Asking


def ask_command(words: list[str], stdin: str) -> dict[str, Any]:
    """Exit code, output and complaints of one command."""
    from noughts.__main__ import main

    out, err = io.StringIO(), io.StringIO()
    before = sys.argv, sys.stdin
    sys.argv, sys.stdin = ["noughts", *words], io.StringIO(stdin)
    try:
        with redirect_stdout(out), redirect_stderr(err):
            main()
    except SystemExit as end:
        code = end.code
    finally:
        sys.argv, sys.stdin = before
    text = out.getvalue()
    said = json.loads(text) if "--json" in words and text else text
    return kept({"exit": code, "out": said, "err": err.getvalue() if code else ""})


def ask_route(client: Any, method: str, name: str, given: dict[str, Any]) -> dict[str, Any]:
    """Status and answer of one route; of a stream of events only the last one."""
    answer = client.request(method, f"api/v1/{name}", **({"params": given} if method == "GET" else {"json": given}))
    if answer.headers["content-type"].startswith("text/event-stream"):
        event, _, data = answer.text.strip().rpartition("\n\n")[2].partition("\n")
        said = {"event": event.removeprefix("event: "), "data": json.loads(data.removeprefix("data: "))}
    else:
        said = answer.json()
    return kept({"status": answer.status_code, "answer": said})


def kept(answer: Any) -> Any:
    """What is compared of an answer: nothing measured, and of a long one its length and checksum."""
    plain = unmeasured(answer)
    text = json.dumps(plain)
    if len(text) <= LONG:
        return plain
    return {"characters": len(text), "sha256": hashlib.sha256(text.encode()).hexdigest()}


def unmeasured(answer: Any) -> Any:
    """The answer without what depends on the machine."""
    if isinstance(answer, dict):
        if "assumes" in answer:  # a player is asked again for some seconds
            answer = {name: part for name, part in answer.items() if name not in ("assumes", "games")}
        if answer.get("holds", False) is None and "computed" in answer:
            answer = {name: part for name, part in answer.items() if name not in ("computed", "note")}
        return {name: unmeasured(part) for name, part in answer.items() if name not in MEASURED}
    return [unmeasured(part) for part in answer] if isinstance(answer, list) else answer


# Writing


def write() -> None:
    """Write both files anew, from what noughts says now."""
    import httpx

    from noughts.web.server import in_background

    with (HERE / "commands.jsonl").open("w", encoding="utf-8") as file:
        for words, stdin in commands():
            file.write(json.dumps({"ask": words, "stdin": stdin, "answer": ask_command(words, stdin)}) + "\n")
    with (
        in_background() as address,
        httpx.Client(base_url=address, timeout=60) as client,
        (HERE / "routes.jsonl").open("w", encoding="utf-8") as file,
    ):
        for method, name, given in routes():
            answer = ask_route(client, method, name, given)
            file.write(json.dumps({"ask": [method, name, given], "answer": answer}) + "\n")


if __name__ == "__main__":
    write()
