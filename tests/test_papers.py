"""The papers: every claim is there, and the computed values are those found independently."""

from __future__ import annotations

import json
import re
from dataclasses import asdict
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

import pytest
from addresses import PLACES, try_out
from shell import run

import noughts
from noughts import Game, Mark, Position
from noughts.cli.papers import show
from noughts.detect import EXHIBITS
from noughts.lab.papers import CLAIMS, SOURCES, Ruling, UnknownSource, judge_all
from noughts.lab.papers.claim import in_words as plain
from noughts.lab.papers.page import page
from noughts.lab.papers.places import PLACES as PLACES_IN_SOURCES
from noughts.lab.papers.places import place_of
from noughts.lab.papers.sources import CITATIONS, LITERATURE, bibliography

DOCS = Path(__file__).parents[1] / "docs"
STATIC = Path(noughts.__file__).parent / "web" / "static"

# Found independently of this project.
KNOWN = {
    "gamescrafters.codes": 19683,
    "gamescrafters.example_code": 4700,
    "gamescrafters.reachable": 5478,
    "gamescrafters.impossible": 14205,
    "gamescrafters.canonical": 765,
    "gamescrafters.canonical_win": 390,
    "gamescrafters.canonical_loss": 224,
    "gamescrafters.canonical_tie": 151,
    "gamescrafters.unused_codes": 18918,
    "gamescrafters.positions_win": 2836,
    "gamescrafters.positions_loss": 1574,
    "gamescrafters.positions_tie": 1068,
    "gamescrafters.misere": [421, 204, 140],
    "gamescrafters.games": 255168,
    "gamescrafters.games_x": 131184,
    "gamescrafters.games_o": 77904,
    "gamescrafters.games_draw": 46080,
    "gamescrafters.final_classes": 138,
    "gamescrafters.final_x": 91,
    "gamescrafters.final_o": 44,
    "gamescrafters.final_draw": 3,
    "gamescrafters.games_up_to_symmetry": 31896,
    "gamescrafters.games_through_classes": 26830,
    "gamescrafters.rotation_table": [6, 3, 0, 7, 4, 1, 8, 5, 2],
    "gordon.sets_summing_to_15": 8,
    "gordon.sets_summing_to_34": 86,
    "gordon.forced_4x4_sets": 4,
    "gordon.rank_5x5": 0,
    "gordon.possibilities": [2, 3, 4],
    "prajoda.misjudged": 95,
    "prajoda.row_3_mask": 4,
    "prajoda.sequences": [9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872],
    "prajoda.variation": 5.3,
    "prajoda.range_early": 23.5,
    "minimax.values": [0, 5, 5, 0, -8],
    "minimax.nodes_per_move": [47, 35, 39, 61, 43],
    "minimax.nodes": 225,
    "minimax.alphabeta_nodes_per_move": [20, 17, 31, 42, 34],
    "minimax.alphabeta_nodes": 144,
    "minimax.alphabeta_prunes_per_move": [6, 6, 6, 14, 6],
    "minimax.alphabeta_prunes": 38,
    "minimax.carried_nodes": 98,
    "minimax.carried_prunes": 30,
    "minimax.centre_evaluation": 6,
    "minimax.corner_evaluation": 5,
    "minimax.breakdown": {"X1": 1, "X2": 2, "O1": 1, "O2": 0},
}
FALSE = {
    "gamescrafters.reachable", "gamescrafters.impossible", "gamescrafters.unused_codes", "gamescrafters.undecided",
    "gamescrafters.positions_win", "gamescrafters.positions_loss", "gamescrafters.positions_tie",
    "gamescrafters.misere", "gamescrafters.games_up_to_symmetry", "gamescrafters.games_through_classes",
    "gamescrafters.unique_magnitude", "gamescrafters.rotation_table", "gamescrafters.non_partisan",
    "gamescrafters.strategy_o", "gamescrafters.strategy_ties",
    "gordon.sets_summing_to_34", "gordon.forced_4x4_sets", "gordon.magic_25", "gordon.possibilities",
    "lastmove.exponential", "lastmove.simple_change", "lastmove.single_loop_full", "lastmove.magic_limited",
    "lastmove.printed_moves", "lastmove.comments",
    "minimax.carried_nodes", "minimax.carried_prunes", "minimax.best", "minimax.centre", "minimax.listing",
    "minimax.corner_evaluation", "minimax.breakdown", "minimax.bottom_row",
    "prajoda.misjudged", "prajoda.row_3_mask", "prajoda.row_1_mask", "prajoda.rows_most_common", "prajoda.sequences",
    "prajoda.range_early", "prajoda.boolean_row_time", "prajoda.variation", "prajoda.faster_in_most_cases",
    "prajoda.memory_stable", "prajoda.memory_grows", "prajoda.memory_superior", "prajoda.law_9ii", "prajoda.law_8ii",
    "prajoda.function_variables",
}  # fmt: skip
MEASURED = {"prajoda.shape", "prajoda.conversion", "gordon.random_games"}


def test_the_strategy_is_refuted_by_a_game_that_replays_and_is_lost(verdicts: dict[str, Ruling]) -> None:
    moves = verdicts["gamescrafters.strategy_o"].note.partition(": ")[2].rstrip(".").split()
    position = Game().start()
    for move in moves:
        position = position.play(move)
    assert position.winner is Mark.X


@pytest.fixture(scope="module")
def verdicts() -> dict[str, Ruling]:
    return {verdict.id: verdict for verdict in judge_all()}


def test_every_claim_is_judged_once_and_there_are_many(verdicts: dict[str, Ruling]) -> None:
    assert verdicts.keys() == CLAIMS.keys()
    assert len(verdicts) >= 45
    assert {verdict.source for verdict in verdicts.values()} == set(SOURCES)
    assert all(verdict.id.startswith(f"{verdict.source}.") for verdict in verdicts.values())


def test_computed_values_are_those_found_independently(verdicts: dict[str, Ruling]) -> None:
    assert {name: verdicts[name].computed for name in KNOWN} == KNOWN


def test_the_false_claims_are_these(verdicts: dict[str, Ruling]) -> None:
    assert {name for name, verdict in verdicts.items() if verdict.holds is False} == FALSE
    assert {name for name, verdict in verdicts.items() if verdict.holds is None} == MEASURED


def test_every_row_says_why_in_one_sentence_and_is_json(verdicts: dict[str, Ruling]) -> None:
    for verdict in verdicts.values():
        assert verdict.note.endswith((".", "!"))
        assert verdict.claim.endswith(".")
        assert json.loads(json.dumps(asdict(verdict)))["id"] == verdict.id


# Each row says where in its source it stands


def test_every_claim_has_its_place_and_every_place_its_claims(verdicts: dict[str, Ruling]) -> None:
    assert PLACES_IN_SOURCES.keys() == SOURCES.keys()
    for name, verdict in verdicts.items():
        assert verdict.where == place_of(name) != ""
        fitting = [
            place
            for place, names in PLACES_IN_SOURCES[verdict.source].items()
            if any(fnmatchcase(name.partition(".")[2], each) for each in names.split())
        ]
        assert len(fitting) == 1, name
    for source, places in PLACES_IN_SOURCES.items():
        own = [name.partition(".")[2] for name in CLAIMS if name.startswith(f"{source}.")]
        for each in " ".join(places.values()).split():
            assert any(fnmatchcase(name, each) for name in own), each


@pytest.mark.parametrize(
    ("name", "where"),
    [
        ("prajoda.row_3_mask", "section III.B, Figure 3.3"),
        ("prajoda.improvement_row_win", "section IV.A, Figure 4.2"),
        ("prajoda.law_9ii", "section II.B.3, Table 2.2, law 9(ii)"),
        ("gordon.magic_square", "Algorithm overview, Figure 1"),
        ("lastmove.simple_change", "Scalability and Generality"),
        ("gamescrafters.strategy_o", "Optimal Strategy, page 7"),
        ("minimax.listing", "section 3.1, Listing 2"),
    ],
)
def test_places_are_those_of_the_texts(name: str, where: str) -> None:
    assert place_of(name) == where


def test_sources_are_cited_in_full() -> None:
    for name, cited in {**CITATIONS, **LITERATURE}.items():
        assert cited.key == name
        assert cited.bibtex.startswith(f"@{cited.kind}{{{name},\n  title = {{")
        assert cited.year or "without author and year" in cited.note or name == "gordon"
    assert "doi = {10.1016/j.tcs.2020.02.023}" in bibliography()
    assert "url = {http://www.kouhan.cn" in bibliography("lastmove")
    assert "hsu2020" not in bibliography("lastmove")


# Each row leads to where it can be seen


def test_every_row_leads_to_a_place_that_exists(verdicts: dict[str, Ruling]) -> None:
    tabs = re.findall(r'^  (\w+): "', (STATIC / "tabs.js").read_text(encoding="utf-8"), re.MULTILINE)
    for verdict in verdicts.values():
        path, _, query = verdict.see.partition("?")
        if path.startswith("/guide/"):
            name, _, section = path.removeprefix("/guide/").partition("#")
            text = (DOCS / f"{name}.md").read_text(encoding="utf-8")
            sections = [line.lstrip("# ").lower() for line in text.splitlines() if line.startswith("#")]
            assert not section or section in {re.sub(r"[^a-z0-9]+", "-", line) for line in sections}, verdict.see
            continue
        asked = dict(parse_qsl(query, strict_parsing=True))
        view = asked.pop("view")
        assert path == "/"
        assert view in tabs
        assert asked.keys() <= PLACES[view], verdict.see
        try_out(view, asked)


def test_what_is_shown_in_a_table_agrees_with_the_verdict(verdicts: dict[str, Ruling]) -> None:
    tables = {name: claim.shows() for name, claim in CLAIMS.items() if claim.shows}
    for name, table in tables.items():
        assert all(len(row) == len(table.columns) for row in table.rows), name
        assert set(table.against) <= set(range(len(table.rows)))
        assert not (table.against and verdicts[name].holds), name
    laws = {name: table for name, table in tables.items() if name.startswith("prajoda.law_")}
    assert {name for name, table in laws.items() if table.against} == {"prajoda.law_9ii"}
    assert [laws["prajoda.law_9ii"].rows[row][-2:] for row in laws["prajoda.law_9ii"].against] == [
        ["0", "1"],
        ["1", "0"],
    ]
    own = {name for name, verdict in verdicts.items() if verdict.see == f"/?view=lab&row={name}"}
    assert own <= tables.keys()


def test_a_wrong_method_is_seen_on_a_board_that_fools_it(verdicts: dict[str, Ruling]) -> None:
    fooled = set()
    for verdict in verdicts.values():
        asked = dict(parse_qsl(verdict.see.partition("?")[2]))
        if asked.get("detector") in EXHIBITS and "position" in asked:
            position = Position.parse(asked["position"])
            if EXHIBITS[asked["detector"]](position.game).winner(position) is not position.winner:
                fooled.add(asked["detector"])
    assert fooled == set(EXHIBITS)


def test_the_game_that_refutes_the_strategy_can_be_replayed_on_the_page(verdicts: dict[str, Ruling]) -> None:
    verdict = verdicts["gamescrafters.strategy_o"]
    moves = dict(parse_qsl(verdict.see.partition("?")[2]))["moves"]
    assert moves.replace(",", " ") in verdict.note


def test_one_source_can_be_chosen_and_a_wrong_name_is_refused() -> None:
    assert {verdict.source for verdict in judge_all("minimax")} == {"minimax"}
    with pytest.raises(UnknownSource, match="did you mean gordon"):
        list(judge_all("gordn"))


def test_the_page_stands_alone_and_has_every_claim(verdicts: dict[str, Ruling]) -> None:
    html = page(list(verdicts.values())).html()
    assert html.startswith("<!doctype html>")
    for marker in ('="http', "url(", "<script", "@import"):
        assert marker not in html
    assert html.count('<tr role="row"><th role="rowheader"') == len(verdicts)


def test_values_are_shown_as_people_write_them() -> None:
    assert plain(19683) == "19,683"
    assert plain([0, 5, -8]) == "0, 5, -8"
    assert plain({"X1": 1, "O2": 0}) == "X1 = 1, O2 = 0"
    assert (plain(True), plain(False), plain(0.32)) == ("yes", "no", "0.32")


def test_the_command_answers_in_json_and_writes_a_page(tmp_path: Path) -> None:
    done = run("papers", "--source", "gordon", "--json", "--report", str(tmp_path / "a" / "b"))
    assert done.returncode == 0
    assert json.loads(done.stdout) == [verdict.to_json() for verdict in judge_all("gordon")]
    assert "magic" in (tmp_path / "a" / "b" / "index.html").read_text(encoding="utf-8")


def test_the_command_prints_a_table_for_people() -> None:
    shown = run("papers", "--source", "lastmove", COLUMNS="160").stdout
    assert "false" in shown
    assert "holds" in shown
    assert "exponential" in shown


def test_bad_input_is_one_line_and_exit_2(tmp_path: Path) -> None:
    done = run("papers", "--source", "nobody")
    assert done.returncode == 2
    assert "there is no source 'nobody'" in done.stderr
    (tmp_path / "file").write_text("")
    done = run("papers", "--source", "minimax", "--report", str(tmp_path / "file" / "x"))
    assert done.returncode == 2
    assert "cannot write a report" in done.stderr


def test_in_a_narrow_terminal_every_figure_is_still_whole(monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    verdicts = list(judge_all("gordon"))
    monkeypatch.setenv("COLUMNS", "40")
    show(verdicts)
    printed = capsys.readouterr().out
    assert max(map(len, printed.splitlines())) <= 40
    words = " ".join(printed.split())
    assert all(f"Claimed {plain(v.claimed)}, computed {plain(v.computed)}." in words for v in verdicts)
