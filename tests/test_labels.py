"""Exact labels: files that can be read again, splits that share no class, and scores that are exact."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from conftest import reachable

from noughts import Game, Position, best_moves, move_values, value
from noughts.cli import cli
from noughts.labels import Dataset, PredictionScore, making_dataset, scoring
from noughts.labels.dataset import InvalidDataset, in_words, parse_shares
from noughts.labels.label import label
from noughts.labels.predictions import InvalidPrediction, named
from noughts.play import find_player
from noughts.progress import finish
from noughts.solve.problems import TooLarge

np = pytest.importorskip("numpy", reason="numpy is not installed: pip install noughts[batch]")


def made(game: str, path: Path, **options: Any) -> Dataset:
    return finish(making_dataset(Game.parse(game), path, **options))


def rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("name", ["3x3k3", "3x3k3m", "3x3k3g"])
def test_all_positions_have_their_exact_label(name: str, tmp_path: Path) -> None:
    game = Game.parse(name)
    found = made(name, tmp_path / "all.jsonl", finished=True)
    there = rows(tmp_path / "all.jsonl")
    assert found.positions == len(there) == len(reachable(game))
    assert {row["position"] for row in there} == {str(position) for position in reachable(game)}
    for row in there:
        position = Position.parse(row["position"])
        worth = value(position)
        assert worth is not None
        assert (row["value"], row["remoteness"]) == (worth.outcome, worth.remoteness)
        assert row["best_cells"] == (best_moves(position) if not position.is_over else [])
        assert [position.cell(move) for move in row["best"]] == row["best_cells"]
        assert [position.cell(tuple(place)) for place in row["best_places"]] == row["best_cells"]
        assert row["turn"] == position.turn.value
        assert row["canonical"] == str(position.canonical())
        assert row["words"] == in_words(position)
        keeping = [cell for cell, after in move_values(position).items() if after and after.outcome == worth.outcome]
        assert [position.cell(move) for move in row["keeping"]] == keeping
    assert sum(found.by_value.values()) == sum(found.by_marks.values()) == sum(found.by_split.values())


def test_no_class_is_in_two_splits_and_the_shares_are_about_those(tmp_path: Path) -> None:
    shares = {"train": 0.5, "test": 0.3, "none": 0, "rest": 0.2}
    found = made("3x3k3", tmp_path / "a.jsonl", seed=5, shares=shares)
    split: dict[str, set[str]] = {}
    for row in rows(tmp_path / "a.jsonl"):
        split.setdefault(row["canonical"], set()).add(row["split"])
    assert all(len(each) == 1 for each in split.values())
    assert found.by_split["none"] == 0
    assert abs(found.by_split["train"] / found.positions - 0.5) < 0.08
    assert abs(found.by_split["rest"] / found.positions - 0.2) < 0.08
    made("3x3k3", tmp_path / "b.jsonl", seed=6, positions=500, shares=shares)
    assert any({row["split"]} != split[row["canonical"]] for row in rows(tmp_path / "b.jsonl"))


def test_samples_come_from_the_seed_alone_and_none_twice(tmp_path: Path) -> None:
    for name, seed in (("a", 1), ("b", 1), ("c", 2)):
        made("4x4k3", tmp_path / f"{name}.jsonl", positions=60, seed=seed)
    texts = [(tmp_path / f"{name}.jsonl").read_text(encoding="utf-8") for name in "abc"]
    assert texts[0] == texts[1] != texts[2]
    there = [row["position"] for row in rows(tmp_path / "a.jsonl")]
    assert len(set(there)) == 60
    assert all(not Position.parse(each).is_over for each in there)


def test_larger_boards_with_gravity_are_sampled(tmp_path: Path) -> None:
    shares = {"train": 1.0}
    assert made("5x5k4g", tmp_path / "a.jsonl", positions=5, shares=shares).by_split == {"train": 5}
    for row in rows(tmp_path / "a.jsonl"):
        assert (row["value"], row["remoteness"]) == tuple(value(Position.parse(row["position"])))


def test_planes_are_what_a_learner_sees(tmp_path: Path) -> None:
    made("3x4k3", tmp_path / "p.npz", positions=300, seed=3, form="planes")
    made("3x4k3", tmp_path / "t.jsonl", positions=300, seed=3)
    with np.load(tmp_path / "p.npz") as arrays:
        assert arrays["planes"].shape == (300, 2, 3, 4)
        assert arrays["planes"].dtype == arrays["mask"].dtype == arrays["best"].dtype == np.int8
        for number, row in enumerate(rows(tmp_path / "t.jsonl")):
            position = Position.parse(row["position"])
            assert (arrays["planes"][number] == position.planes()).all()
            assert (arrays["mask"][number] == position.mask()).all()
            assert np.flatnonzero(arrays["best"][number]).tolist() == row["best_cells"]
            assert arrays["value"][number] == {"win": 1, "tie": 0, "loss": -1}[row["value"]]
            assert arrays["remoteness"][number] == row["remoteness"]
            assert arrays["split"][number] == row["split"]
    made("3x4k3", tmp_path / "p.jsonl", positions=300, seed=3, form="planes")
    with np.load(tmp_path / "p.npz") as arrays:
        assert [row["planes"] for row in rows(tmp_path / "p.jsonl")] == arrays["planes"].tolist()
    made("3x4k3", tmp_path / "t.npz", positions=300, seed=3)
    with np.load(tmp_path / "t.npz") as arrays:
        assert arrays["position"].tolist() == [row["position"] for row in rows(tmp_path / "t.jsonl")]
        assert [json.loads(each) for each in arrays["best"]] == [row["best"] for row in rows(tmp_path / "t.jsonl")]


@pytest.mark.parametrize("form", ["text", "planes"])
def test_parquet_holds_what_json_lines_hold(form: str, tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet", reason="pyarrow is not installed: make envs runs this test")
    made("3x3k3", tmp_path / "a.parquet", form=form)
    made("3x3k3", tmp_path / "a.jsonl", form=form)
    table = parquet.read_table(tmp_path / "a.parquet")
    there = rows(tmp_path / "a.jsonl")
    if form == "planes":
        for row in there:
            row["planes"] = np.array(row["planes"]).reshape(-1).tolist()
    assert table.to_pylist() == there
    assert table.schema.metadata[b"game"] == b"3x3k3"


@pytest.mark.parametrize("package", ["pandas", "polars", "datasets"])
def test_the_lines_of_the_card_load_it(package: str, tmp_path: Path) -> None:
    for needed in (package, "pyarrow"):
        pytest.importorskip(needed, reason=f"{needed} is not installed: make envs runs this test")
    code, wanted = "", []
    for kind, form in (("jsonl", "text"), ("jsonl", "planes"), ("parquet", "text"), ("parquet", "planes")):
        name = f"{form}.{kind}"
        made("3x3k3m", tmp_path / name, positions=50, form=form)
        card = (tmp_path / f"{name}.md").read_text(encoding="utf-8")
        (line,) = [line for line in card.splitlines() if line.startswith(f"import {package};")]
        code += f"{line}\nprint(len(data), *list(data['value']), *list(data['split']))\n"
        values = [str(row["value"]) for row in rows(tmp_path / f"{form}.jsonl")]
        wanted.append(["50", *values, *(row["split"] for row in rows(tmp_path / f"{form}.jsonl"))])
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, timeout=300, check=False,
        env=os.environ | {"HF_HOME": str(tmp_path / "cache")},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert [line.split() for line in done.stdout.splitlines()] == wanted


def test_the_card_tells_what_is_there(tmp_path: Path) -> None:
    found = made("3x3k3m", tmp_path / "a.jsonl", positions=40, seed=2, shares={"train": 0.9, "test": 0.1})
    card = found.card.read_text(encoding="utf-8")
    assert card.startswith("---\n")
    assert "40 positions of random games of 3x3k3m (3 rows, 3 columns; 3 in a row loses)" in card
    assert "`noughts dataset 3x3k3m -o a.jsonl --positions 40 --seed 2 --split train=0.9,test=0.1`" in card
    for column in rows(tmp_path / "a.jsonl")[0]:
        assert f"| `{column}` |" in card
    for split, count in found.by_split.items():
        assert f"| {split} | {count:,} |" in card


@pytest.mark.parametrize(
    ("game", "name", "options", "error", "complaint"),
    [
        ("3x3k3", "a.csv", {}, InvalidDataset, "there is no format '.csv'"),
        ("3x3k3", "no/a.jsonl", {}, ValueError, "it must be a file in a folder that exists"),
        ("3x3k3", "a.jsonl", {"form": "words"}, InvalidDataset, "there is no form 'words'"),
        ("3x3k3", "a.jsonl", {"positions": 0}, InvalidDataset, "positions must be"),
        ("3x3k3", "a.jsonl", {"positions": 20_000}, InvalidDataset, "only 4,"),
        ("3x3k3", "a.jsonl", {"shares": {"train": 0.5}}, InvalidDataset, "must add up to 1"),
        ("3x3k3", "a.jsonl", {"shares": {"a": 1.5, "b": -0.5}}, InvalidDataset, "must add up to 1"),
        ("15x15k5", "a.jsonl", {"positions": 10}, TooLarge, "need a solution of it"),
        ("6x7k4g", "a.jsonl", {}, TooLarge, "give a number of positions"),
    ],
)  # fmt: skip
def test_what_makes_no_dataset_is_refused(
    game: str, name: str, options: dict[str, Any], error: type, complaint: str, tmp_path: Path, monkeypatch: Any
) -> None:
    monkeypatch.setattr("noughts.labels.dataset.TRIES", 2)
    with pytest.raises(error, match=complaint):
        made(game, tmp_path / name, **options)
    assert not list(tmp_path.iterdir())


def test_shares_are_read_from_text() -> None:
    assert parse_shares("train=1") == {"train": 1.0}
    for text in ("", "train", "train=x", "train=0.5", "a=0.5,a=0.5", "=1", "a=nan"):
        with pytest.raises(InvalidDataset):
            parse_shares(text)


# Scores


def judged(predictions: list[tuple[Position, object]]) -> PredictionScore:
    lines = [json.dumps({"position": str(position), "move": move}) for position, move in predictions]
    return finish(scoring(lines))


def test_a_perfect_player_keeps_all_and_the_first_move_what_it_keeps() -> None:
    going_on = [position for position in reachable(Game()) if not position.is_over]
    perfect = find_player("perfect")
    found = judged([(position, perfect(position)) for position in going_on])
    assert (found.all.predictions, found.all.keeps_value, found.all.keeps_all) == (len(going_on), 1.0, 1.0)
    assert [each.predictions for each in found.depths] == [1, 9, 72, 252, 756, 1140, 1372, 696, 222]
    first = judged([(position, position.moves()[0]) for position in going_on])
    for each in first.depths:
        here = [position for position in going_on if position.marks == each.marks]
        values = [(position, move_values(position)) for position in here]
        best = [max(worth.values()).outcome for _, worth in values]  # type: ignore[type-var, union-attr]
        kept = [
            worth[position.moves()[0]].outcome == most for (position, worth), most in zip(values, best, strict=True)
        ]
        assert each.kept == sum(kept)
        chance = [
            np.mean([w.outcome == most for w in worth.values()]) for (_, worth), most in zip(values, best, strict=True)
        ]
        assert each.any_move == pytest.approx(float(np.mean(chance)))


def test_three_notations_and_words_name_the_same_move() -> None:
    position, rng = Position.parse("4x5k4:X..../.O.../..X../....."), random.Random(1)
    for cell in range(20):
        row, column = divmod(cell, 5)
        text = "abcde"[column] + str(4 - row)
        for move in (text, text.upper(), cell, str(cell), [row, column], f"row {row}, column {column}",
                     f"Row: {row}, Col: {column}.", f"I would play **{text}**, because it wins."):  # fmt: skip
            assert named(position, move) == cell, move
    assert named(position, f"{rng.choice('ab')}1 or c1") is None
    for nothing in ("", "I resign", None, 1.5, [1], [1, 2, 3], {}, "a9", 99, -1, [9, 9], "x" * 10_000, True):
        assert named(position, nothing) is None


def test_what_cannot_be_read_or_played_keeps_nothing() -> None:
    here = Position.parse("XX./OO./...")
    found = judged([(here, "c3"), (here, "a3"), (here, "who knows"), (here, "c1"), (here, "c2")])
    tried = found.all
    assert (tried.predictions, tried.illegal, tried.unreadable, tried.kept, tried.kept_all) == (5, 1, 1, 1, 1)
    assert found.to_json()["games"] == ["3x3k3"]


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("{", "line 2 is not JSON"),
        ("[1]", "line 2 must have a position and a move"),
        ('{"position": 3, "move": "a1"}', "line 2 must have a position and a move"),
        ('{"position": "XX./OO./..."}', "line 2 must have a position and a move"),
        ('{"position": "XX./", "move": "a1"}', "line 2: "),
        ('{"position": "XXX/XXX/XXX", "move": "a1"}', "line 2: "),
        ('{"position": "XXX/OO./...", "move": "a1"}', "line 2: nobody is to move"),
        ('"' + "x" * 1_100_000 + '"', "line 2 has more than"),
        ("[" * 100_000, "line 2 is not JSON"),
    ],
    ids=lambda each: each[:20],
)
def test_a_line_that_is_no_prediction_is_named(line: str, complaint: str) -> None:
    with pytest.raises(InvalidPrediction, match=complaint):
        finish(scoring(['{"position": "XX./OO./...", "move": "c3"}', line]))


def test_no_label_is_given_where_none_is_exact() -> None:
    with pytest.raises(TooLarge, match="exact labels of 15x15k5 need a solution"):
        label(Game(15, 15, 5).start())


# The commands


def test_the_commands_write_and_judge(tmp_path: Path) -> None:
    file = tmp_path / "a.jsonl"
    done = CliRunner().invoke(cli, ["dataset", "3x3k3", "-o", str(file), "-n", "30", "--split", "train=1"])
    assert done.exit_code == 0, done.output
    assert "30 positions of 3x3k3" in done.output
    answers = tmp_path / "answers.csv"
    lines = ["position,move", *(f"{row['position']},{row['best'][0]}" for row in rows(file))]
    answers.write_text("\n".join(lines) + "\n", encoding="utf-8")
    told = CliRunner().invoke(cli, ["score", str(answers), "--json"])
    assert json.loads(told.output)["keeps_value_and_remoteness"] == 1.0
    shown = CliRunner().invoke(cli, ["score", str(answers)])
    assert "100" in shown.output.splitlines()[-3]
    empty = CliRunner().invoke(cli, ["score", "-"], input="\n")
    assert "no prediction" in empty.output
    wrong = CliRunner().invoke(cli, ["score", "-"], input="nonsense\n")
    assert wrong.exit_code != 0
