"""Addresses of the laboratory, in claims and on pages: what they name is there."""

from __future__ import annotations

from noughts import Game, Position
from noughts.detect import DETECTORS, EXHIBITS
from noughts.detect.watching import LabellingProof, watch
from noughts.lab.bench import EXPERIMENTS
from noughts.lab.papers import CLAIMS
from noughts.lab.scenarios import SCENARIOS
from noughts.play import find_player
from noughts.search import search

BOARD = {"position", "moves", "game"}
PLACES = {
    "play": {*BOARD, "x", "o"},
    "puzzle": set(),
    "analyse": {*BOARD, "show", "o"},
    "algorithms": {*BOARD, "detector", "step"},
    "search": {"position", "algorithm", "window", "order", "depth", "step", "node"},
    "solve": {"game", "run"},
    "match": {"a", "b", "n", "run"},
    "lab": {"part", "board", "experiment", "row"},
}
EMBEDDED = {view: PLACES[view] for view in ("analyse", "algorithms", "search")} | {
    "board": {*BOARD, "x", "o", "seed", "values"},
    "fifteen": {"o"},
}


def try_out(view: str, asked: dict[str, str]) -> None:
    """What an address names is there: boards and moves, detectors that take the game, steps, players, scenarios."""
    if view == "analyse" and asked.get("position") == "XXX/OOO/...":
        return  # it shows why this board cannot arise
    position = (
        Position.parse(asked["position"]) if "position" in asked else Game.parse(asked.get("game", "3x3k3")).start()
    )
    for move in filter(None, asked.get("moves", "").split(",")):
        position = position.play(move)
    if view in ("play", "board", "fifteen"):
        for name in {"x", "o"} & asked.keys():
            assert asked[name] == "you" or find_player(asked[name]).supports(position.game)
    if view == "algorithms":
        detector = {**DETECTORS, **EXHIBITS}[asked["detector"]]
        if not detector.supports(position.game):
            steps = len(LabellingProof(position.game).steps)  # why it cannot
        else:
            steps = len(watch(asked["detector"], position).steps)
        assert asked.get("step", "end") == "end" or 1 <= int(asked["step"]) <= steps
    if view == "search":
        depth = int(asked["depth"]) if "depth" in asked else None
        options = {name: asked[name] for name in ("window", "order") if name in asked}
        options = {"window": "carried", **options}
        found = search(position, asked.get("algorithm", "alphabeta"), depth=depth, record=300, **options)
        assert found.tree
        assert int(asked.get("step", 1)) <= len(list(found.tree.replay()))
        for move in asked.get("node", "").split(",") if "node" in asked else ():
            position = position.play(move)
    if view == "match":
        assert all(find_player(asked[name]).supports(position.game) for name in "ab")
        assert int(asked["n"]) > 0
    if view == "lab" and "row" in asked:
        assert CLAIMS[asked["row"]].shows
    elif view == "lab":
        assert asked.get("part", "papers") in ("papers", "bench")
        assert asked.get("board", "draw") in SCENARIOS
        assert asked.get("experiment", "growth") in EXPERIMENTS
