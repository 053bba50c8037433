"""Exports: every position of a solution in a file, as JSON lines and as Parquet, however many there are."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from noughts import Game
from noughts.progress import finish
from noughts.solve import Solution, export
from noughts.solve.export import exporting, require_room, solving_to_export
from noughts.solve.problems import TooLarge

GAME = Game(3, 3, 3)


def rows(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_every_position_is_written_once_in_pieces(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(export, "TOGETHER", 700)  # so that there are several, and a last one that is shorter
    finish(solving_to_export(GAME, tmp_path / "all.jsonl", backend="python"))
    found = rows(tmp_path / "all.jsonl")
    assert len(found) == len({row["position"] for row in found}) == 5_478
    assert sum(row["value"] == "win" for row in found) == 2_836


def test_parquet_holds_what_json_lines_hold(tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet", reason="Parquet needs the extra: pip install noughts[parquet]")
    for name in ("all.jsonl", "all.parquet"):
        finish(solving_to_export(GAME, tmp_path / name, backend="python"))
    table = parquet.read_table(tmp_path / "all.parquet")
    assert table.to_pylist() == rows(tmp_path / "all.jsonl")
    assert table.schema.metadata[b"game"] == b"3x3k3"


def test_the_rows_are_not_held_in_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(export, "TOGETHER", 100)
    taken = 0

    def endless(solution: Solution, marks: int) -> object:
        nonlocal taken
        while True:
            taken += 1
            yield GAME.start(), solution[GAME.start()]

    monkeypatch.setattr(export, "positions", endless)
    work = exporting(Solution.solve(GAME), tmp_path / "all.jsonl")
    assert [next(work).done for _ in range(3)] == [100, 200, 300]
    assert taken == 300
    work.close()
    assert list(tmp_path.iterdir()) == []  # nothing that looks finished


def test_what_does_not_fit_on_the_disk_is_refused_beforehand(tmp_path: Path) -> None:
    with pytest.raises(TooLarge, match=r"1,000,000,000,000,000 positions of 3x3k3 take about .* are free there"):
        require_room(GAME, 10**15, tmp_path / "all.jsonl")
    require_room(GAME, 10**15, Path("/dev/null"))
