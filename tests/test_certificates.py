"""Certificates: what the provers write passes; what is changed does not, unless it is still true; faults are told."""

from __future__ import annotations

import gzip
import io
import json
import random
import re
import subprocess
import sys
from pathlib import Path

import pytest
from claims import certificate, checked, is_true, solution, some, text_of, x_gets
from conftest import native
from shell import answer, run

from noughts import Game, Position
from noughts.progress import finish
from noughts.proofs import check, fours, threes
from noughts.proofs.certificate import Held, Move, Part, claim_of, from_line, main_line, plies, write
from noughts.proofs.prove import InvalidProof, checking, prove
from noughts.solve import Solution

CHECK = Path(check.__file__)


# What the provers write


def told_rightly(positions: list[Position], truth: Solution, nodes: int = 20_000) -> int:
    """How many positions are settled; of each the certificate passes, and its claim is true."""
    settled = 0
    for position in positions:
        found = prove(position, nodes=nodes)
        settled += found.verdict.is_exact
        if found.claim:
            result = checked(text_of(found))
            assert (result.holds, result.claim) == (True, found.claim), (position, result)
            assert is_true(found.claim, x_gets(position)), position
            within = found.verdict.within
            assert within is None or not found.verdict.is_exact or within >= truth[position].plies, position
    return settled


def test_every_position_of_3x3_passes() -> None:
    game = Game()
    positions = [*game.positions()]
    assert told_rightly(positions, solution(game)) == len(positions)


@native
@pytest.mark.parametrize("name", ["3x4k3", "3x4k3e", "4x4k3", "4x4k4", "4x5k4", "4x4k3e"])
def test_random_positions_pass(name: str) -> None:
    game = Game.parse(name)
    assert told_rightly(some(game, 150, 7), solution(game)) > 50


@native
@pytest.mark.slow
def test_every_position_of_3x4_passes() -> None:  # and of 3x4k3e: make soundness
    game = Game(3, 4, 3)
    positions = [*game.positions()]
    assert told_rightly(positions, solution(game)) == len(positions) > 80_000


@native
@pytest.mark.slow
@pytest.mark.parametrize("name", ["4x4k3", "4x4k4", "4x5k4"])  # a solution of 5x5 takes 16 GB of memory
def test_two_thousand_random_positions_pass(name: str) -> None:  # of 20,000, and of 5x5: make soundness
    game = Game.parse(name)
    assert told_rightly(some(game, 2_000, 11), solution(game), 3_000) > 800


def test_a_mark_beside_a_line_counts_only_where_it_stood_at_the_beginning() -> None:
    """With exactly k it ends the line; but a reply that changes nothing is answered as if it were another."""
    hold = check.Hold(check.Ground("1x7k3e", "X..X.OO"), "O", check.Reader(io.BytesIO()))
    o, x = 0b1100000, 0b0001001
    assert hold.lines(o, x, True)[0] == {0b10100}  # a to c and b to d would be four
    assert hold.lines(o, x | 0b10, True)[0] == {0b10100}  # so would c to e, if that mark is where it seems to be


# What cannot be read, and what proves nothing


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (
            certificate("1x5k3", "X wins", "2 1", "1", "end", position="...O."),
            "refers|truncated|not 1 rows|cannot arise",
        ),
        (certificate("1x5k3", "X wins", "2", "end"), "'end' is not a cell"),
        (certificate("1x5k3", "X wins", "9 1", "end"), "not a cell"),
        (certificate("1x5k3", "X laughs", "end"), "does not begin a part"),
        (certificate("1x5k3", "X stealing", "end", "more"), "follows its end"),
        (certificate("1x5k9", "end"), "not a game"),
        (certificate("3x3k3g", "end"), "not a game"),
        (certificate("1x5k3", "end", claim="X loses"), "lacks a game, a position or a claim"),
        (certificate("1x5k3", "end").replace('"version": 1', '"version": 2'), "version 2, and this program reads 1"),
        ("hello\n", "not a certificate"),
        ("[" * 100_000, "not a certificate"),
        ("", "not a certificate"),
        (certificate("1x5k3", "X wins", "2 1")[:-3], "truncated"),
        (certificate("1x5k3", "O holds", "q 1", "end"), "pairs, a list of answers or a reference"),
    ],
)
def test_what_cannot_be_read_says_why(text: str, why: str) -> None:
    with pytest.raises(check.Unreadable, match=why):
        checked(text)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (certificate("1x5k3", "X stealing", "end"), "its parts do not prove 'X wins'"),
        (certificate("1x5k3", "O stealing", "end", claim="O holds"), "stolen by X"),
        (certificate("1x5k3e", "X stealing", "end", claim="X holds"), "an extra mark never hurts"),
        (certificate("3x3k3", "X over", "end"), "has not completed a line"),
        (certificate("3x3k3", "X wins", "2 1", "0", "4", "end", position="XXX/OO./..."), "the game is over"),
        (certificate("1x7k3", "X wins", "3 2", "2", "4", "end", position="..XO..."), "cell 3 is not free"),
        (certificate("1x7k3", "X wins", "2", "1", "end", position="O..X..."), "a reply on cell 1 is not answered"),
        (certificate("1x7k3", "X wins", "2 1 1", "1", "4", "4", "end", position="O..X..."), "answered twice"),
        (certificate("2x4k3", "X wins", "1", "2", "end", position="X.../OO.X"), "not free|not answered|completes"),
        (certificate("2x5k3", "X wins", "1 2", "2", "3", "end", position="X..X./OO..."), "completes a line on cell 7"),
        (certificate("1x7k3", "X wins", "@1 0", "end", position="O..X..."), "refers to nothing before it"),
        (certificate("1x7k3", "X wins", "@1 4", "end", position="O..X..."), "not a square"),
        (certificate("1x6k4", "O holds", "p 2 3 3 4", "end", claim="O holds"), "share a cell"),
        (certificate("1x4k2", "O holds", "p 0 1 2 3", "end", claim="O holds"), "no pair in the line of cells 1 2"),
        (certificate("1x3k2", "O holds", "p", "end", claim="O holds"), "2 lines without a pair weigh too much"),
        (certificate("1x3k2", "O holds", "p 0 1", "end", claim="O holds"), "1 lines without a pair weigh too much"),
        (certificate("1x6k3", "O holds", "a 2 3", "p 0 1", "end", claim="O holds"), "on cell 3 is not answered"),
        (certificate("1x6k4", "X holds", "p 2 3", "end", claim="X holds"), "the holder moves first"),
        (certificate("1x5k3", "O holds", "a 0 1", "p", "end", claim="O holds"), "is not answered"),
    ],
)  # fmt: skip
def test_what_proves_nothing_says_why(text: str, why: str) -> None:
    found = checked(text)
    assert not found.holds
    assert re.search(why, found.reason), found.reason


def test_a_reference_to_a_node_whose_own_lines_are_not_here_is_refused() -> None:
    """The node referred to holds because its holder threatens; where own lines do not count (weak) that is no help."""
    body = "m 4|a 0 1 1 2 2 5 3 6 5 2 6 7 7 6|a 7 6|a 2 5|p|1: a 6 7|2: p|3: a 3 0|weak @2 6|@1 4|4: a 6 7|a 1 3|p"
    body += "|@3 4|@4 4"
    text = certificate("3x3k3", "O holds", *body.split("|"), "end", position=".../.../..X", claim="O holds")
    found = checked(text)
    assert (found.holds, found.reason) == (False, "line 11: a line of the holder there contains none of those here")
    assert checked(text.replace("weak @2 6", "@2 6")).holds


# Answers, references and weak play, written by hand


def test_answers_hold_where_pairs_do_not() -> None:
    # Three in a row on 1 x 4: whatever X takes, O takes a cell of both lines. The last answer mirrors the third.
    hold = certificate("1x4k3", "O holds", "a 1 2 2 1 0 2 3 1", "p", "p", "p", "p", "end", claim="O holds")
    assert checked(hold).holds
    weak = certificate("1x4k3", "O holds", "weak a 1 2 2 1 0 2 3 1", "p", "p", "p", "p", "end", claim="O holds")
    assert checked(weak).holds
    mirrored = certificate(
        "1x4k3", "O holds", "weak a 1 2 2 1 0 2 3 1", "p", "p", "7: a", "@7 1", "end", claim="O holds"
    )
    assert checked(mirrored).holds, checked(mirrored).reason


def test_a_symmetric_node_is_referred_to() -> None:
    # Three in a row on 3 x 5 with X in the middle of the middle: up and down are the same.
    game = Game.parse("3x5k3")
    found = threes.search(game.start().play(7).play(0), 5_000)
    assert found.strategy
    before = text_of(prove(game.start().play(7).play(0), nodes=5_000))
    assert checked(before).holds


# Strategies


def test_plies_and_the_main_line_of_a_strategy() -> None:
    strategy = Move(1, from_line((5, 6, 7)), ((2, from_line((3,))), (4, from_line((8, 9, 10, 11, 12)))))
    assert plies(strategy) == 7
    assert main_line(strategy) == (1, 4, 8, 9, 10, 11, 12)
    assert strategy.answer(2) == Move(3)
    assert strategy.answer(30) == strategy.idle


@native
def test_a_strategy_beats_whatever_is_replied() -> None:
    """Both a random and a spiteful opponent lose to it, on a large board."""
    position = Game(15, 15, 5).start()
    for move in ("h8", "g7", "i9", "j10", "g9", "f8", "h9", "j9", "h10", "h7"):
        position = position.play(move)
    found = prove(position, nodes=300_000)
    assert found.claim == f"{position.turn} wins"
    [part] = found.verdict.certificate
    rng = random.Random(1)
    for spiteful in (False, True) * 30:
        board, move = position, part.proof
        while True:
            assert isinstance(move, Move)
            assert move.cell is not None
            board = board.play(move.cell)
            if board.is_over:
                break
            named = [reply for reply, _ in move.replies]
            reply = rng.choice(named if spiteful and named else board.moves())
            board = board.play(reply)
            assert not board.is_over
            move = move.answer(reply)
        assert board.winner is position.turn


# The command


def test_prove_and_check_by_the_command(tmp_path: Path) -> None:
    file = tmp_path / "win.gz"
    said = answer("prove", "1x7k3:O..X...", "--save", str(file), "--json")
    assert (said["value"], said["remoteness"], said["line"]) == ("win", 3, ["c1", "b1", "e1"])
    assert said["certificate"] == str(file)
    alone = subprocess.run([sys.executable, "-I", str(CHECK), str(file)], capture_output=True, text=True, check=False)
    assert (alone.returncode, alone.stdout) == (0, "1x7k3: X wins: proven\n")
    bad = tmp_path / "bad.txt"
    bad.write_text(gzip.decompress(file.read_bytes()).decode().replace("2 1", "2 5"))
    alone = subprocess.run([sys.executable, "-I", str(CHECK), str(bad)], capture_output=True, text=True, check=False)
    assert alone.returncode == 1
    assert "not proven" in alone.stdout
    bad.write_bytes(file.read_bytes()[:30])
    alone = subprocess.run([sys.executable, "-I", str(CHECK), str(bad)], capture_output=True, text=True, check=False)
    assert (alone.returncode, "truncated" in alone.stderr) == (2, True)
    assert finish(checking(file)).holds
    assert answer("check", str(file), "--json")["claim"] == "X wins"
    assert run("check", str(bad)).returncode == 2
    bad.write_text(certificate("1x5k3", "X stealing", "end"))
    assert run("check", str(bad)).returncode == 1
    assert run("prove", "3x3k3", "--seconds", "0").returncode == 2
    unknown = run(
        "prove", "4x4k4:X.../..../..../....", "--nodes", "1", "--only", "threats", "--save", str(tmp_path / "no")
    )
    assert (unknown.returncode, "nothing was saved" in unknown.stderr) == (0, True)
    assert not (tmp_path / "no").exists()


def test_nothing_proven_is_an_answer(tmp_path: Path) -> None:
    found = prove(Position.parse("4x4k4:X.../..../..../...."), nodes=1, only=["threats"])
    assert (found.claim, found.verdict.outcome) == (None, "unknown")
    with pytest.raises(InvalidProof, match="nothing was proven"):
        found.save(tmp_path / "none")
    assert not [*tmp_path.iterdir()]


@pytest.mark.parametrize("bad", [0, -1, float("nan"), float("inf"), 10**12])
def test_absurd_budgets_are_refused(bad: float) -> None:
    with pytest.raises(InvalidProof, match="must be more than 0"):
        prove(Game(), seconds=bad)
    for name in ("nodes", "threads", "memory"):
        if (name, bad) != ("memory", 10**12):
            with pytest.raises(InvalidProof, match=f"{name} must be "):
                prove(Game(), **{name: bad})  # type: ignore[misc]
    for search in (fours.search, threes.search):
        with pytest.raises(ValueError, match="nodes"):
            search(Game().start(), nodes=-1)


@pytest.mark.parametrize("name", ["1x1k1", "5x1k1", "1x1k1e", "3x3k1", "3x3k1e"])
def test_one_in_a_row_is_checked_too(name: str) -> None:
    assert prove(Game.parse(name), nodes=10).claim == "X wins"


@pytest.mark.parametrize("name", ["3x3k3m", "6x7k4g"])
def test_misere_and_gravity_are_refused(name: str) -> None:
    with pytest.raises(InvalidProof, match=f"nothing is proven of {name}: it does not know"):
        prove(Game.parse(name))


def test_only_provers_that_certify_are_asked() -> None:
    with pytest.raises(InvalidProof, match="'lookahead' computes and does not certify"):
        prove(Game(), only=["lookahead"])
    with pytest.raises(InvalidProof, match="'magic' is not a prover"):
        prove(Game(), only=["magic"])
    with pytest.raises(InvalidProof, match="no prover is named: expected rules, "):
        prove(Game(), only=[])
    assert prove(Game(1, 6, 4), only=["pairing"]).verdict.how == ("pairing",)
    assert prove(Game(1, 6, 4), only="pairing").verdict.how == ("pairing",)


@pytest.mark.parametrize(
    ("name", "only", "why"),
    [
        ("33x9k5", ["threats"], "threats does not prove 33x9k5: it takes boards of up to 32 x 32"),
        ("5x5k2", ["threats"], "threats does not prove 5x5k2: it takes 3 in a row and more"),
        ("33x33k8", ["threats", "pairing"], "; pairing does not prove 33x33k8: with fewer than 9 in a row"),
    ],
)
def test_a_game_that_no_named_prover_takes_is_refused(name: str, only: list[str], why: str) -> None:
    with pytest.raises(InvalidProof, match=why):
        prove(Game.parse(name), only=only)
    assert prove(Game.parse(name), nodes=1).verdict.how in (("stealing",), ("proof",))


def test_a_claim_is_the_strongest() -> None:
    position = Position.parse("1x6k4:......")
    held = Part(position.turn.other, "holds", Held(((2, 3),)))
    assert claim_of((held,)) == "O holds"
    assert claim_of((held, Part(position.turn, "stealing"))) == "tie"
    assert claim_of(()) is None


def test_a_holder_whose_first_move_completes_a_line_needs_no_pairs() -> None:
    found = prove(Position.parse("1x6k3:XX.OOX"), only=["pairing"])
    assert (found.claim, text_of(found).splitlines()[1:]) == ("O holds", ["O holds", "m 2", "end"])
    assert checked(text_of(found)).holds


def test_writing_is_whole_or_not_at_all(tmp_path: Path) -> None:
    position = Position.parse("1x6k4:......")
    write(tmp_path / "a.gz", position, (Part(position.turn.other, "holds", Held(((2, 3),))),))
    assert check.check(tmp_path / "a.gz").holds
    with pytest.raises(OSError, match="no"):
        write(tmp_path / "no" / "a.gz", position, ())


def test_moves_that_follow_each_other_too_long_are_refused() -> None:
    """A file can make the checker go down no deeper than Python does: it says so, and does not fall."""
    rows = "/".join(["." * 32] * 32)
    head = {"noughts": "certificate", "version": 1, "game": "32x32k32", "position": rows, "claim": "X wins"}
    moves = [cell for cell in range(1024) if (cell // 32 + cell) % 2][:512]
    moves += range(0, 1000, 2)
    text = "\n".join([json.dumps(head), "X wins", *dict.fromkeys(map(str, moves)), "end", ""])
    with pytest.raises(check.Unreadable, match="too long"):
        check.check_file(io.BytesIO(text.encode()))


@pytest.mark.parametrize("version", ["\x7f4x4k4", "one\ntwo", "9" * 5000], ids=["unprintable", "lines", "long"])
def test_another_version_is_told_in_one_printable_line(version: str) -> None:
    head = {"noughts": "certificate", "version": version, "game": "3x3k3", "position": ".../.../...", "claim": "tie"}
    with pytest.raises(check.Unreadable) as told:
        check.check_file(io.BytesIO(f"{json.dumps(head)}\nend\n".encode()))
    assert str(told.value).isprintable()
    assert len(str(told.value)) < 1000
