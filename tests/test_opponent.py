"""A proof as an opponent: whatever is tried against it, it keeps what it claims; and the table of what is proven."""

from __future__ import annotations

import gzip
import json
import random
import shutil
from pathlib import Path

import pytest
from shell import answer, run

from noughts import Game, Position
from noughts.proofs import check, proven
from noughts.proofs.certificate import lines
from noughts.proofs.opponent import Against, ProofOpponent
from noughts.proofs.prove import prove
from noughts.rules.position import IllegalMove
from noughts.solve import atlas

AT_HAND = [row for row in proven.load().values() if row.at_hand]
SMALL = 20_000  # bytes of a certificate that is checked in a second


def keeps(proof: ProofOpponent, game: Against) -> bool:
    """Is what was claimed so at the end of a game?"""
    if "wins" in proof.claim:
        return game.position.winner is proof.side
    return game.position.winner is not proof.side.other


def of(text: str) -> ProofOpponent:
    """The opponent that is proven for a position within some nodes."""
    found = prove(Position.parse(text), nodes=200_000)
    return ProofOpponent(list(lines(found.position, found.verdict.certificate)))


def every_game(proof: ProofOpponent, moves: tuple[int, ...] = ()) -> int:
    """Play all there is against a proof, and count the games."""
    game = proof.against(moves)
    if game.position.is_over:
        assert keeps(proof, game), moves
        return 1
    return sum(every_game(proof, (*moves, cell)) for cell in game.position.moves())


@pytest.mark.parametrize(
    "text",
    [
        "3x3k3:.../.../...", "3x3k3:X../.../...", "3x4k3:..../..../....", "4x4k4:XOXO/O.../X.../....",
        "3x4k3e:X.../.O../....", "2x6k3:....../..O..X", "1x8k3:........",
    ],
)  # fmt: skip
def test_no_game_breaks_a_proof(text: str) -> None:
    assert every_game(of(text)) > 3


@pytest.mark.parametrize("row", AT_HAND, ids=lambda row: str(row.game))
def test_no_random_challenger_breaks_a_proof_that_comes_with_the_package(row: proven.ProvenGame) -> None:
    """One that completes its lines, mostly blocks, and else plays anywhere: answers may be turned or exchanged."""
    proof, rng = proven.opponent(str(row.game)), random.Random(7)
    for _ in range(6):
        moves: list[int] = []
        while not (game := proof.against(moves)).position.is_over:
            position, rule = game.position, game.position.game.rule
            own, threat = (rule.completing(side) & position.empty for side in position.sides)
            block = threat if rng.random() < 0.8 else 0
            moves.append(rng.choice(position.game.cells_of(own or block or position.empty)))
        assert keeps(proof, game), moves
        assert len(game.line) == game.position.marks


def test_each_move_says_why() -> None:
    proof = proven.opponent("7x7k5")
    told = {move.why for move in proof.against([24, 25, 16, 0, 48, 6]).proof_moves}
    assert any("is answered" in why for why in told)
    assert any("a pair" in why or "no pair" in why for why in told)
    assert proof.against([]).sentence == "60 lines are still open to X; X is to move."
    with pytest.raises(IllegalMove, match="d4 is taken by X"):
        proof.against([24, 24])


# The table


@pytest.mark.parametrize(
    "row",
    [
        pytest.param(row, marks=[pytest.mark.slow] * ((row.certificate_bytes or 0) > SMALL), id=str(row.game))
        for row in AT_HAND
    ],
)
def test_what_comes_with_the_package_holds_and_is_what_the_table_tells(row: proven.ProvenGame) -> None:
    found = check.check(row.file)
    assert (found.holds, proven.VALUES[found.claim]) == (True, row.value)
    assert (found.game, set(found.position) - {"/"}) == (str(row.game), {"."})
    assert (proven._sha256(row.file), row.file.stat().st_size) == (row.sha256, row.certificate_bytes)
    assert found.nodes + 1 == row.certificate_lines


def test_what_is_proven_agrees_with_what_is_solved() -> None:
    solved = atlas.load()
    both = [row for game, row in proven.load().items() if game in solved and solved[game].computed]
    assert len(both) > 4
    for row in both:
        known = solved[row.game]
        assert row.value == known.value
        if row.within and known.remoteness:
            assert row.within >= known.remoteness


def test_the_package_stays_small() -> None:
    assert sum(path.stat().st_size for path in proven.FOLDER.iterdir()) < 1 << 20


def test_the_command_tells_what_is_proven() -> None:
    [row] = answer("atlas", "7x7k5", "--json")
    assert (row["value"], row["standing"], row["at_hand"]) == ("tie", "proven", True)
    assert "15x15k5: X wins, not checked here: Allis" in run("atlas", "--proven").stdout.replace("\n", " ")
    assert run("atlas", "--proven", "--check").returncode == 2


def test_a_folder_of_certificates_is_checked(tmp_path: Path) -> None:
    for name in ("3x3k3", "5x6k4"):
        shutil.copy(proven.FOLDER / f"{name}.proof.gz", tmp_path)
    assert [row["same"] for row in answer("atlas", "--certificates", str(tmp_path), "--json")] == [True, True]
    good = gzip.decompress((tmp_path / "3x3k3.proof.gz").read_bytes()).decode()
    (tmp_path / "bad.proof").write_text(good.replace("tie", "X wins"))
    (tmp_path / "cut.proof").write_text(good[:-20])
    done = run("atlas", "--certificates", str(tmp_path))
    assert done.returncode == 1
    assert "2 certificates of 4 hold." in done.stdout
    rows = {row["file"]: row for row in json.loads(run("atlas", "--certificates", str(tmp_path), "--json").stdout)}
    assert "do not prove 'X wins'" in rows["bad.proof"]["reason"]
    assert "truncated" in rows["cut.proof"]["reason"]
    empty = tmp_path / "empty"
    empty.mkdir()
    assert run("atlas", "--certificates", str(empty)).returncode == 2


def test_what_cannot_be_played_against_is_told(tmp_path: Path) -> None:
    with pytest.raises(proven.NotProven, match="no proof of '9x9k5' is at hand"):
        proven.opponent("9x9k5")
    for text in ("", "nonsense", '{"claim": 1}', '{"claim": "tie", "game": "3x3k3", "position": ".../.../..."}\nend'):
        (tmp_path / "file").write_text(text)
        with pytest.raises(check.Unreadable):
            ProofOpponent.open(tmp_path / "file")
    (tmp_path / "file").write_bytes((proven.FOLDER / "3x3k3.proof.gz").read_bytes()[:-30])
    with pytest.raises(check.Unreadable, match="truncated or damaged"):
        ProofOpponent.open(tmp_path / "file")
    good = list(lines(Game().start(), prove(Game(), nodes=100_000).verdict.certificate))
    with pytest.raises(check.Unreadable, match="cannot be read"):
        ProofOpponent(good[: len(good) // 2])
