"""Proofs of whole games: never wrong, natively as plainly, whatever the threads; and a search that is kept goes on."""

from __future__ import annotations

import gzip
import io
import json
import random
import signal
import subprocess
import sys
import time
import zlib
from functools import cache
from pathlib import Path

import pytest
from conftest import native
from shell import Done, answer, command, run

from noughts import Game, Position
from noughts.proofs import check, hold
from noughts.proofs.certificate import lines
from noughts.proofs.proof import Proving, Unkept
from noughts.proofs.prove import InvalidProof, Proven, prove, proving
from noughts.rules.marks import Mark
from noughts.rules.notation import board_rows
from noughts.solve import Solution, plain

X, O = Mark.X, Mark.O  # the players' own names
HOLDS, FAILS = (0, hold.NEVER), (hold.NEVER, 0)


@cache
def solution(game: Game) -> Solution:
    return Solution.solve(game)


def some(name: str, count: int, seed: int) -> list[Position]:
    """Random positions of a game that are not over."""
    rng, game, found = random.Random(seed), Game.parse(name), list[Position]()
    while len(found) < count:
        position = game.start()
        for _ in range(rng.randrange(game.cells)):
            if not position.is_over:
                position = position.play(rng.choice(position.moves()))
        if not position.is_over:
            found.append(position)
    return found


def holds(position: Position, holder: Mark) -> bool:
    """Does a player not lose, as the strong solution has it?"""
    outcome = solution(position.game)[position].outcome
    return outcome != ("loss" if position.turn is holder else "win")


def passes(position: Position, holder: Mark, text: str) -> bool:
    """Does the program that checks certificates accept the lines that a search wrote?"""
    head = {"noughts": "certificate", "version": 1, "game": str(position.game), "claim": f"{holder} holds"}
    head["position"] = "/".join(board_rows(position))
    return check.check_file(io.BytesIO(f"{json.dumps(head)}\n{holder} holds\n{text}end\n".encode())).holds


def settled(search: hold.HoldSearch, nodes: int = 200_000) -> tuple[int, int]:
    search.run(nodes, 60.0, 1)
    return search.numbers


# The search for holding


def agrees(position: Position) -> None:
    """Natively as plainly, with the strong solution; and both certificates pass."""
    for holder in (X, O):
        for weak in (False, True):
            plain, fast = (
                hold.PlainHold(position, holder, weak=weak),
                hold.search(position, holder, weak=weak, memory=1 << 20),
            )
            found = settled(fast)
            assert found == settled(plain) in (HOLDS, FAILS), (position, holder, weak)
            if not weak:
                assert (found == HOLDS) == holds(position, holder), (position, holder)
            if found == HOLDS:
                assert holds(position, holder), (position, holder)
                for search in (plain, fast):
                    assert passes(position, holder, search.text(60.0)), (position, holder, weak)


@native
def test_every_class_of_3x3_is_held_or_not_as_it_should_be() -> None:
    for position in {position.canonical() for position in Game().positions() if not position.is_over}:
        agrees(position)


@native
@pytest.mark.parametrize("name", ["3x4k3", "4x4k3", "4x4k4", "1x9k3", "2x7k3"])
def test_random_positions_are_held_or_not_as_they_should_be(name: str) -> None:
    for position in some(name, 40, 5):
        agrees(position)


@native
@pytest.mark.parametrize("name", ["3x4k3e", "4x4k3e", "1x8k3e"])
def test_with_exactly_k_who_holds_the_weak_game_does_not_lose(name: str) -> None:
    shown = 0
    for position in some(name, 60, 6):
        for holder in (X, O):
            search = hold.search(position, holder, weak=True, memory=1 << 20)
            if settled(search) == HOLDS:
                assert holds(position, holder), position
                assert passes(position, holder, search.text(60.0)), position
                shown += 1
    assert shown > 0


def test_pairs_and_weight_hold_by_play() -> None:
    """Every way to play against pairs and weight is tried: no line is completed."""
    rng = random.Random(9)
    for _ in range(300):
        family = hold._smallest({sum(1 << cell for cell in rng.sample(range(9), rng.randint(2, 4))) for _ in range(6)})
        if (pairs := hold.pairs_and_weight(family)) is not None:
            assert not _lost(
                family, {cell: other for pair in pairs for cell, other in (pair, pair[::-1])}, (1 << 9) - 1
            )


def _lost(family: hold.Lines, partner: dict[int, int], free: int) -> bool:
    """Can the attacker complete a line against one who answers by pairs, and else takes the heaviest cell?"""
    if 0 in family:
        return True
    for cell in (each for each in range(9) if free >> each & 1):
        after = frozenset(lacks & ~(1 << cell) for lacks in family)
        rest = free & ~(1 << cell)
        if cell in partner:
            answer_ = partner[cell]
        else:
            loose = {
                lacks & ~sum(1 << each for each in partner) for lacks in after
                if not any(lacks >> each & 1 and lacks >> other & 1 for each, other in partner.items())
            }  # fmt: skip
            weight = hold._weights(hold._smallest(loose))
            cells = [each for each in range(9) if rest >> each & 1 and each not in partner]
            answer_ = max(cells, key=lambda each: weight.get(each, 0.0), default=-1)
        if answer_ < 0:
            if 0 in after:
                return True
            continue
        left = frozenset(lacks for lacks in after if not lacks >> answer_ & 1)
        if 0 in after or _lost(left, partner, rest & ~(1 << answer_)):
            return True
    return False


# Games


def proven(name: str, **options: object) -> Proven:
    found = prove(Game.parse(name), **options)  # type: ignore[arg-type]  # the options are many
    text = "".join(f"{line}\n" for line in lines(found.position, found.verdict.certificate))
    assert check.check_file(io.BytesIO(text.encode())).holds == bool(found.claim)
    return found


@native
@pytest.mark.parametrize(
    ("name", "claim"),
    [
        ("3x3k3", "tie"), ("4x4k4", "tie"), ("5x5k4", "tie"), ("5x5k5", "tie"), ("6x6k5", "tie"), ("4x6k4", "tie"),
        ("4x7k4", "tie"), ("8x8k6", "tie"), ("5x6k4", "X wins"), ("6x6k4", "X wins"), ("4x4k3", "X wins"),
        ("1x1k1", "X wins"), ("2x2k2", "X wins"), ("1x2k2", "tie"),
    ],
)  # fmt: skip
def test_games_are_proven(name: str, claim: str) -> None:
    assert proven(name, nodes=3_000_000).claim == claim


@native
@pytest.mark.slow
@pytest.mark.parametrize("name", ["7x7k5", "6x8k5", "9x9k6"])
def test_larger_games_are_proven(name: str) -> None:
    assert proven(name, nodes=5_000_000).claim == "tie"


@native
@pytest.mark.slow
@pytest.mark.parametrize("rows", range(1, 6))
def test_small_games_agree_with_their_solutions(rows: int) -> None:
    """Every game of at most 20 cells, the standard rule, every k, proven without its solution."""
    for columns in range(rows, 20 // rows + 1):
        for k in range(1, columns + 1):
            game = Game(rows, columns, k)
            found = prove(game, nodes=2_000_000, only=["stealing", "proof"])
            assert found.verdict.outcome == solution.__wrapped__(game)[game.start()].outcome, game  # too many to keep


@native
@pytest.mark.parametrize("name", ["3x4k3", "4x4k3", "4x4k4", "4x5k4"])
def test_what_is_proven_of_positions_is_so(name: str) -> None:
    exact = 0
    for position in some(name, 60, 8):
        found = prove(position, nodes=300_000, only=["rules", "proof"])
        assert found.verdict.is_exact, position
        assert found.verdict.outcome == solution(position.game)[position].outcome, position
        exact += 1
    assert exact == 60


@native
@pytest.mark.slow
@pytest.mark.parametrize("name", ["4x4k3", "4x4k4", "4x5k4"])
def test_two_thousand_random_positions_are_proven_as_they_are(name: str) -> None:
    for position in some(name, 2_000, 18):
        verdict = prove(position, nodes=300_000, only=["rules", "proof"]).verdict
        assert (verdict.is_exact, verdict.outcome) == (True, solution(position.game)[position].outcome), position


@native
@pytest.mark.slow
def test_random_positions_of_5x5_are_proven_as_they_are() -> None:
    """Its solution takes 16 GB: plain recursion says what is right, where twelve cells are free at most."""
    positions = [position for position in some("5x5k4", 1_000, 19) if plain.supports(position)]
    assert len(positions) > 300
    for position in positions:
        verdict = prove(position, nodes=300_000, only=["rules", "proof"]).verdict
        assert (verdict.is_exact, verdict.outcome) == (True, plain.value(position).outcome), position


@native
@pytest.mark.parametrize("name", ["4x4k4", "4x5k4", "4x5k4e"])
def test_threads_change_no_verdict_of_a_position(name: str) -> None:
    for position in some(name, 15, 21):
        one, three = (prove(position, seconds=60, only=["rules", "proof"], threads=threads) for threads in (1, 3))
        assert one.verdict[:2] == three.verdict[:2], position


@native
def test_a_goal_is_all_that_is_looked_for() -> None:
    assert prove(Game(5, 5, 4), nodes=2_000_000, goal="hold").claim == "tie"
    assert prove(Game(5, 5, 4), nodes=100_000, goal="win").claim == "X holds"  # by stealing alone
    assert prove(Game(5, 6, 4), nodes=2_000_000, goal="win").claim == "X wins"
    with pytest.raises(InvalidProof, match="threats cannot show that a player holds"):
        prove(Game(), only=["threats"], goal="hold")


@native
def test_the_same_nodes_find_the_same_and_threads_change_no_verdict() -> None:
    game = Game(5, 5, 4)
    once, again = (prove(game, nodes=60_000, threads=1) for _ in range(2))
    assert once[:3] == again[:3]
    several = prove(game, seconds=120, threads=3)
    assert several.verdict[:2] == prove(game, seconds=120, threads=1).verdict[:2] == ("tie", "tie")


def test_without_the_core_small_games_are_proven_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hold, "handle", lambda game: None)
    assert isinstance(hold.search(Game().start(), O, weak=False), hold.PlainHold)
    assert proven("3x3k3", nodes=200_000, goal="hold").claim == "tie"


def test_bad_input_is_told() -> None:
    for options, why in (
        ({"goal": "draw"}, "the goal is win, hold or any, not 'draw'"),
        ({"threads": 0}, "threads must be from 1 to 1,024, not 0"),
        ({"memory": 10}, "memory must be at least 1,048,576 bytes, not 10"),
        ({"only": ["proof"], "nodes": 0}, "nodes must be from 1 to 1,000,000,000, not 0"),
    ):
        with pytest.raises(InvalidProof, match=why):
            prove(Game(), **options)  # type: ignore[arg-type]
    with pytest.raises(InvalidProof, match="proof does not prove 20x20k5: it takes boards of up to 256 cells"):
        prove(Game(20, 20, 5), only=["proof"])


# Going on


@native
def test_a_search_that_was_kept_goes_on(tmp_path: Path) -> None:
    kept = tmp_path / "search"
    unfinished = prove(Game(7, 7, 5), nodes=200, only=["stealing", "proof"], goal="hold", resume=kept)
    assert unfinished.claim == "X holds"
    size = len(zlib.decompress(kept.read_bytes()))
    finished = prove(Game(7, 7, 5), nodes=3_000_000, only=["stealing", "proof"], goal="hold", resume=kept)
    assert finished.claim == "tie"
    assert len(zlib.decompress(kept.read_bytes())) > size
    again = prove(Game(7, 7, 5), nodes=3_000_000, only=["stealing", "proof"], goal="hold", resume=kept)
    assert again.claim == "tie"
    assert again.nodes < finished.nodes / 10


@native
def test_a_search_for_a_win_that_was_kept_goes_on_as_if_it_had_not_ended(tmp_path: Path) -> None:
    """Half of the nodes, and half again, find what all of them find at once; where the file is another, nothing is."""
    kept, game, half = tmp_path / "search", Game(5, 6, 4), 20_000
    assert prove(game, nodes=half, only=["proof"], goal="win", resume=kept).claim is None
    [(name, known)] = [pair for pair in searches(kept).items() if pair[0] == "X wins"]
    won = prove(game, nodes=half, only=["proof"], goal="win", resume=kept)
    assert won.claim == "X wins"
    again = prove(game, nodes=half, only=["proof"], goal="win", resume=kept)
    assert (again.claim, again.nodes) == ("X wins", 0)
    head = kept.read_bytes()
    for altered in (known[:-1], known + b"\0", known[:-1] + b"\xff", b"\x05" + known[1:], b""):
        entry = json.dumps({"search": name, "bytes": len(altered)}).encode()
        first = zlib.decompress(head).partition(b"\n")[0]
        kept.write_bytes(zlib.compress(b"\n".join([first, entry, altered])))
        with pytest.raises(Unkept, match="is not a search that was kept, or it is damaged"):
            prove(game, nodes=half, only=["proof"], goal="win", resume=kept)


@native
@pytest.mark.parametrize("goal", ["hold", "win"])
def test_a_search_that_is_killed_has_kept_what_it_said(goal: str, tmp_path: Path) -> None:
    """kill -9 in the middle: the file is whole, and the next run goes on with it."""
    kept = tmp_path / "search"
    code = (
        "from pathlib import Path; from noughts import Game; from noughts.proofs import proof; "
        "from noughts.proofs.prove import prove; proof.KEEP_SECONDS = 0.0; "
        f"prove(Game(8, 8, 5), seconds=600, only=['proof'], goal={goal!r}, threads=1, resume=Path({str(kept)!r}))"
    )
    for _ in range(3):
        before = kept.read_bytes() if kept.exists() else b""
        work = subprocess.Popen([sys.executable, "-P", "-c", code])
        try:
            for _ in range(3_000):
                if kept.exists() and kept.read_bytes() != before:
                    break
                assert work.poll() is None
                time.sleep(0.02)
        finally:
            work.kill()
            work.wait()
        assert json.loads(zlib.decompress(kept.read_bytes()).partition(b"\n")[0])["game"] == "8x8k5"
    assert {path.suffix for path in tmp_path.iterdir()} <= {"", ".part"}


@native
def test_interrupted_it_keeps_what_it_has(tmp_path: Path) -> None:
    kept = tmp_path / "search"
    work = proving(Game(8, 8, 5), seconds=600, only=["proof"], goal="hold", threads=1, resume=kept)
    next(event for event in work if isinstance(event, Proving))
    with pytest.raises(KeyboardInterrupt):
        work.throw(KeyboardInterrupt)
    assert kept.exists()


@native
def test_what_cannot_be_gone_on_with_is_told(tmp_path: Path) -> None:
    kept = tmp_path / "search"
    prove(Game(7, 7, 5), nodes=5_000, only=["proof"], goal="hold", resume=kept)
    with pytest.raises(Unkept, match="keeps another search, of '7x7k5:"):
        prove(Game(8, 8, 5), nodes=5_000, only=["proof"], resume=kept)
    for bytes_ in (b"", b"nonsense", kept.read_bytes()[:-20], zlib.compress(b"[]"), zlib.compress(b'{"noughts": 1}\n')):
        kept.write_bytes(bytes_)
        with pytest.raises(Unkept, match="is not a search that was kept, or it is damaged"):
            prove(Game(7, 7, 5), nodes=5_000, only=["proof"], resume=kept)


@native
def test_a_kept_search_that_is_not_needed_now_stays_in_the_file(tmp_path: Path) -> None:
    """With stealing only O's half is looked for: X's is not lost by that."""
    kept, game = tmp_path / "search", Game(7, 7, 5)
    prove(game, nodes=3_000, only=["proof"], goal="hold", resume=kept)
    both = searches(kept)
    assert {name.split()[0] for name in both} == {"X", "O"}
    prove(game, nodes=1_000, only=["stealing", "proof"], goal="hold", resume=kept)
    prove(game, nodes=1_000, only=["stealing", "proof"], goal="win", resume=kept)
    assert {name: text for name, text in searches(kept).items() if name[:7] == "X holds"} == {
        name: text for name, text in both.items() if name[0] == "X"
    }


def searches(kept: Path) -> dict[str, bytes]:
    """What a file keeps, by the names of the searches."""
    _, _, rest = zlib.decompress(kept.read_bytes()).partition(b"\n")
    found = {}
    while rest:
        line, _, rest = rest.partition(b"\n")
        entry = json.loads(line)
        found[entry["search"]], rest = rest[: entry["bytes"]], rest[entry["bytes"] :]
    return found


# Faults, by the command: one sentence, and the exit status says whose fault it is


def sentence(done: Done, status: int, text: str) -> None:
    """It ended so, with one line on stderr."""
    assert (done.returncode, done.stdout) == (status, ""), done
    [line] = done.stderr.splitlines()
    assert line.startswith("noughts: "), line
    assert text in line, line


def test_a_certificate_that_cannot_be_read_is_told_in_a_sentence(tmp_path: Path) -> None:
    whole, bad = tmp_path / "whole.gz", tmp_path / "bad"
    answer("prove", "4x4k4", "--save", str(whole), "--json", "--nodes", "20000")
    text = gzip.decompress(whole.read_bytes())
    for content, why in (
        (whole.read_bytes()[:-20], "truncated"),
        (text[:-3], "truncated"),
        (text.replace(b'"version": 1', b'"version": 2'), "version 2, and this program reads 1"),
        (b"GIF89a", "not a certificate"),
        (b"", "not a certificate"),
        (text + b"more\n", "follows its end"),
    ):
        bad.write_bytes(content)
        sentence(run("check", str(bad)), 2, f"{bad} cannot be checked: ")
        assert why in run("check", str(bad)).stderr
    sentence(run("check", str(tmp_path / "none")), 2, "does not exist")
    bad.write_bytes(text.replace(b'"tie"', b'"X wins"'))
    done = run("check", str(bad))
    assert (done.returncode, done.stderr) == (1, "")
    assert "not proven" in done.stdout


@native
def test_a_search_that_cannot_be_gone_on_with_is_told_in_a_sentence(tmp_path: Path) -> None:
    kept, bad = tmp_path / "kept", tmp_path / "bad"
    assert run("prove", "7x7k5", "--only", "proof", "--nodes", "2000", "--resume", str(kept)).returncode == 0
    plain_ = zlib.decompress(kept.read_bytes())
    head, _, rest = plain_.partition(b"\n")
    for content, why in (
        (kept.read_bytes()[:-9], "is not a search that was kept, or it is damaged"),
        (b"GIF89a", "is not a search that was kept, or it is damaged"),
        (
            zlib.compress(head.replace(b'"version": 2', b'"version": 1')),
            "has version 1, and this program goes on with 2",
        ),
        (zlib.compress(plain_.replace(b"7x7k5", b"7x7k6")), "keeps another search, of '7x7k6:"),
        (zlib.compress(plain_[:-1]), "is not a search that was kept, or it is damaged"),
        (zlib.compress(head + b"\n" + rest.replace(b"holds", b"hopes")), "is not a search that was kept"),
        (zlib.compress(head + b"\n[]\n"), "is not a search that was kept"),
    ):
        bad.write_bytes(content)
        sentence(run("prove", "7x7k5", "--only", "proof", "--nodes", "2000", "--resume", str(bad)), 2, f"{bad} {why}")
        assert bad.read_bytes() == content


@native
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk_is_told_in_a_sentence(tmp_path: Path) -> None:
    full = command("prove", "4x4k4", "--nodes", "20000", "--save", "/dev/full")
    sentence(full, 1, "No space left on device: /dev/full")
    sentence(run("prove", "7x7k5", "--nodes", "2000", "--resume", "/dev/full"), 2, "is not a search that was kept")
    kept = tmp_path / "kept"
    small = "import resource, signal; signal.signal(signal.SIGXFSZ, signal.SIG_IGN); "
    small += "resource.setrlimit(resource.RLIMIT_FSIZE, (64, 64)); from noughts.cli import main; main()"
    words = ["prove", "7x7k5", "--only", "proof", "--nodes", "2000", "--resume", str(kept)]
    line = [sys.executable, "-P", "-c", small, *words]
    done = subprocess.run(line, capture_output=True, text=True, timeout=300, check=False)
    sentence(done, 1, f"File too large: {kept}")
    assert [*tmp_path.iterdir()] == []


@native
@pytest.mark.skipif(sys.platform == "win32", reason="Ctrl-C is another thing there")
def test_ctrl_c_says_what_is_kept(tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    code = "from noughts.proofs import proof; proof.KEEP_SECONDS = 0.0; from noughts.cli import main; main()"
    words = ["prove", "8x8k5", "--only", "proof", "--goal", "hold", "--seconds", "300", "--resume", str(kept)]
    work = subprocess.Popen([sys.executable, "-P", "-c", code, *words], stderr=subprocess.PIPE, text=True)
    try:
        while not kept.exists():
            assert work.poll() is None
            time.sleep(0.02)
        work.send_signal(signal.SIGINT)
        told = work.communicate(timeout=120)[1]
    finally:
        work.kill()
    assert work.returncode == 130
    assert f"what was found is kept: --resume {kept} goes on with it" in told
    assert told.splitlines()[-1] == "noughts: interrupted"
    assert searches(kept)


@native
def test_the_command_proves_and_tells(tmp_path: Path) -> None:
    saved = tmp_path / "proof.gz"
    found = answer("prove", "6x6k5", "--json", "--save", str(saved), "--nodes", "200000")
    assert (found["value"], found["how"], found["certificate"]) == ("tie", ["stealing", "proof"], str(saved))
    assert answer("check", str(saved), "--json")["holds"] is True
    assert run("prove", "6x6k5", "--goal", "draw").returncode == 2
    assert run("prove", "6x6k5", "--memory", "much").returncode == 2
    assert "cannot be written" in run("prove", "6x6k5", "--resume", str(tmp_path)).stderr
