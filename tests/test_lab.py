"""The laboratory: known statistics, fair timing, right before fast, and sentences that follow the data."""

from __future__ import annotations

import gc
import io
import json
import os
import signal
import subprocess
import sys
from collections.abc import Generator
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

import pytest
from measured import ALWAYS_FASTER, SLOW_ON_ROWS, UNDECIDED, around, made

from noughts import Game, Status
from noughts.cli.bench import show
from noughts.cli.meter import finish_showing
from noughts.lab import bench as bench_module
from noughts.lab import growth, judge, measure, scenarios, stats
from noughts.lab.bench import Bench, BenchOptions, InvalidOptions, bench, benching, read_options
from noughts.lab.findings import Finding, findings
from noughts.lab.measure import Timing
from noughts.lab.methods import BOOLEAN, BOOLEAN_FIXED, BOOLEAN_TEST, METHODS, TRADITIONAL, Method, without
from noughts.lab.scenarios import PUBLISHED, SCENARIOS, Scenario
from noughts.lab.stars import last_of_line, star
from noughts.progress import Note, Progress
from noughts.rules.marks import Mark

# Statistics

# scipy.stats.t.ppf(0.975, df) and ppf(0.995, df)
T_95 = {1: 12.706204736, 2: 4.302652730, 3: 3.182446305, 4: 2.776445105, 5: 2.570581836, 9: 2.262157163,
        10: 2.228138852, 29: 2.045229642, 30: 2.042272456, 100: 1.983971519, 1000: 1.962339081}  # fmt: skip
T_99 = {1: 63.656741163, 4: 4.604094871, 9: 3.249835542, 30: 2.749995654}


@pytest.mark.parametrize(("freedom", "t"), T_95.items())
def test_t_quantiles_are_those_of_the_tables(freedom: int, t: float) -> None:
    assert stats.t_quantile(freedom) == pytest.approx(t, abs=1e-8)


def test_t_quantiles_for_another_confidence() -> None:
    assert {n: stats.t_quantile(n, 0.99) for n in T_99} == pytest.approx(T_99, abs=1e-7)


def test_t_quantile_refuses_what_has_none() -> None:
    for freedom, confidence in ((0, 0.95), (3, 1.0), (3, 0.0)):
        with pytest.raises(ValueError, match="no t quantile"):
            stats.t_quantile(freedom, confidence)


def test_summary_of_a_known_sample() -> None:
    # Darwin's maize: mean 20.933, standard deviation 37.744, 95 % interval 0.03 to 41.84 (15 pairs)
    maize = [49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48]
    found = stats.summary(maize)
    assert (found.count, found.mean) == (15, pytest.approx(20.9333, abs=1e-4))
    assert found.stdev == pytest.approx(37.744, abs=1e-3)
    assert found.interval == pytest.approx((0.0312, 41.8355), abs=1e-3)


def test_one_trial_has_no_spread() -> None:
    assert stats.summary([5.0]) == stats.Statistics(1, 5.0, None, None)
    assert stats.differs([1.0], [2.0]) is None


@pytest.mark.parametrize("name", PUBLISHED)
def test_improvement_is_the_formula_of_the_source(name: str) -> None:
    line = scenarios.PRINTED[name]
    assert stats.improvement(line.traditional, line.boolean) == pytest.approx(line.improvement, abs=0.01)


def test_no_improvement_on_a_baseline_that_took_no_time() -> None:
    assert stats.improvement(0.0, 1.0) is None


def test_a_drift_that_hits_both_alike_does_not_hide_a_difference() -> None:
    slower = [100.0, 1500.0, 90.0, 9000.0, 120.0]  # round by round 3 % more, while the machine goes fast and slow
    quicker = [trial * 0.97 for trial in slower]
    quicker[0] *= 1.001
    assert stats.differs(slower, quicker) is True
    assert stats.differs(slower, quicker[::-1]) is False


@pytest.mark.parametrize("power", [0, 1, 2, 2.5])
def test_slope_finds_the_exponent(power: float) -> None:
    sizes = [40, 56, 80, 113, 160, 200]
    noise = [1.02, 0.99, 1.0, 1.01, 0.98, 1.0]
    fit = stats.slope(sizes, [7 * n**power * factor for n, factor in zip(sizes, noise, strict=True)])
    assert fit
    assert fit.interval
    assert fit.exponent == pytest.approx(power, abs=0.05)
    assert fit.interval[0] <= power <= fit.interval[1]


def test_slope_needs_two_points_and_an_interval_three() -> None:
    assert stats.slope([10], [1.0]) is None
    two = stats.slope([10, 20], [1.0, 2.0])
    assert two
    assert (two.exponent, two.interval) == (pytest.approx(1), None)


# Scenarios


def test_the_five_published_boards_fit_their_descriptions() -> None:
    assert list(PUBLISHED) == list(scenarios.PRINTED) == ["row_win", "column_win", "diagonal_win", "draw", "early_game"]
    status = {name: SCENARIOS[name].position.status for name in PUBLISHED}
    wins = ("row_win", "column_win", "diagonal_win")
    assert status == dict.fromkeys(wins, Status.X_WINS) | {"draw": Status.DRAW, "early_game": Status.ONGOING}
    lines = {name: SCENARIOS[name].position.lines() for name in wins}
    assert lines == {"row_win": ((0, 1, 2),), "column_win": ((0, 3, 6),), "diagonal_win": ((0, 4, 8),)}
    assert SCENARIOS["early_game"].position.marks == 2


@pytest.mark.parametrize("scenario", SCENARIOS.values(), ids=SCENARIOS)
def test_the_last_move_leads_to_the_board(scenario: Scenario) -> None:
    assert without(scenario.position, scenario.cell).play(scenario.cell) == scenario.position


# Right before fast


@pytest.mark.parametrize("name", [name for name, method in METHODS.items() if not method.why_wrong])
def test_every_method_is_right_on_every_reachable_position_of_3x3(name: str) -> None:
    verdict = judge.judge(METHODS[name], Game(), judge.cases(Game()))
    assert (verdict.wrong, verdict.example) == (0, None)
    assert verdict.checked >= 5477  # one position has no last move


@pytest.mark.parametrize("board", ["4x4k4", "5x5k5", "15x15k5"])
def test_every_method_is_right_on_larger_boards(board: str) -> None:
    game = Game.parse(board)
    assert any(case.owner for case in judge.cases(game))
    for method in METHODS.values():
        if method.supports(game):
            assert judge.judge(method, game, judge.cases(game)).right, method.name


def test_the_boolean_method_as_printed_misjudges_95_positions_and_the_row_win() -> None:
    assert judge.judge(METHODS[BOOLEAN], Game(), judge.cases(Game())).wrong == 95
    found = bench(BenchOptions("scenarios", (BOOLEAN,), PUBLISHED, iterations=1, trials=1, memory=False))
    assert {run.scenario.name for run in found.scenarios for row in run.rows if not row.right_here} == {"row_win"}


def test_a_method_that_disagrees_is_reported_and_not_timed(monkeypatch: pytest.MonkeyPatch) -> None:
    right = METHODS["shifts"]
    blind = Method("blind", "nobody", "Sees nothing.", "None", right.supports, right.prepare, lambda names: None)
    broken = Method("broken", "nobody", "Raises.", "1 / 0", right.supports, right.prepare, lambda names: 1 // 0)
    for method in (blind, broken):
        monkeypatch.setitem(METHODS, method.name, method)
    options = BenchOptions("scenarios", ("blind", "broken", "shifts"), ("draw",), iterations=1, trials=1, memory=False)
    run = bench(options).scenarios[0]
    assert [row.method.name for row in run.refused] == ["blind", "broken"]
    assert [row.verdict.wrong for row in run.refused] == [942, 5478]
    assert all(row.timing.trials == [] for row in run.refused)
    assert {row.method.name for row in run.rows} == {TRADITIONAL, "shifts"}


# Measuring


def test_rounds_are_interleaved_and_follow_the_seed() -> None:
    def order(seed: int) -> list[str]:
        timings = [Timing("pass", {"name": name}) for name in "abcd"]
        return [timing.names["name"] for timing in measure.rounds(timings, 6, iterations=1, seed=seed)]

    made = order(1)
    each_round = ["".join(made[start : start + 4]) for start in range(0, 24, 4)]
    assert all(sorted(names) == list("abcd") for names in each_round)
    assert len(set(each_round)) > 1
    assert made == order(1) != order(2)


def test_timing_switches_the_garbage_collector_off_and_on_again() -> None:
    seen: list[bool] = []
    list(measure.rounds([Timing("seen.append(gc.isenabled())", {"seen": seen, "gc": gc})], 2, iterations=3))
    assert set(seen) == {False}
    assert gc.isenabled()


def test_the_empty_loop_is_taken_off(monkeypatch: pytest.MonkeyPatch) -> None:
    assert 0 < measure.empty_loop() < 1000
    monkeypatch.setattr(measure, "empty_loop", lambda: 1e12)
    timing = Timing("pass", {})
    list(measure.rounds([timing], 1, iterations=10))
    assert timing.trials[0] == pytest.approx(-1e12, rel=1e-3)


def test_a_disturbed_short_trial_is_made_again_but_a_given_number_of_iterations_counts_as_it_comes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(measure, "process_time_ns", lambda: 0)  # as if the processor never worked for us
    short, given = Timing("pass", {}), Timing("pass", {})
    list(measure.rounds([short], 2))
    list(measure.rounds([given], 2, iterations=1000))
    assert (short.repeated, len(short.trials)) == (2 * (measure.PATIENCE - 1), 2)
    assert (given.repeated, len(given.trials), given.iterations) == (0, 2, 1000)


def test_allocation_is_what_a_call_holds_at_once() -> None:
    assert measure.allocated("bytes(10_000); bytes(20_000)", {}) == pytest.approx(20_000, abs=200)
    assert measure.allocated("kept.append(1)", {"kept": []}, calls=50) < 200


def test_process_peak_sees_what_the_process_touches() -> None:
    small, large = measure.process_peak("pass"), measure.process_peak("x = b'x' * 30_000_000")
    if small is None or large is None:
        pytest.skip("this system does not tell the peak of a process")
    assert 25_000_000 < large - small < 40_000_000


def test_a_process_that_fails_has_no_peak() -> None:
    assert measure.process_peak("raise SystemExit(3)") is None


# Growth


@pytest.mark.parametrize("family", growth.FAMILIES)
def test_worst_cases_stop_just_short_of_a_line_and_their_twins_do_not(family: str) -> None:
    kind = growth.FAMILIES[family]
    assert kind.games[-1].rows == 200
    for game in kind.games:
        cell = kind.cell(game)
        assert star(game, cell).play(cell).status is Status.ONGOING
        won = last_of_line(game, cell).play(cell)
        assert won.winner is Mark.X
        assert all(cell in line for line in won.lines())


def test_a_star_almost_completes_a_line_in_every_direction() -> None:
    game = Game(9, 9, 5)
    own = star(game, 40).play(40).x
    missing: dict[int, int] = {}
    for line in game.lines():
        if 40 in line:
            step, lacks = line[1] - line[0], (game.bits_of(line) & ~own).bit_count()
            missing[step] = min(missing.get(step, 5), lacks)
    assert missing == {1: 1, 9: 1, 10: 1, 8: 1}


def test_growth_fits_the_exponent_on_the_large_boards_only() -> None:
    series = growth.GrowthCurve(METHODS["line_sums"], "k=n")
    for n in growth.SIZES:
        time = 5.0 * n**2 if n >= growth.FIT_FROM else 1e6
        series.points[n] = Timing("pass", {}, trials=[time * 3, time])
    assert series.times()[200] == 5.0 * 200**2  # the quickest trial
    fit = series.slope()
    assert fit
    assert (fit.exponent, fit.points) == (pytest.approx(2), sum(n >= growth.FIT_FROM for n in growth.SIZES))


def test_growth_runs_and_refuses_wrong_points(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(growth, "SIZES", (3, 7))
    points = growth.plan(["last_move_play", "shifts"], sizes=(3, 7))
    assert [(series.method.name, series.family, str(game)) for series, game in points] == [
        ("last_move_play", "k=n", "3x3k3"), ("last_move_play", "k=n", "7x7k7"),
        ("shifts", "k=n", "3x3k3"), ("shifts", "k=n", "7x7k7"),
        ("last_move_play", "k=5", "7x7k5"), ("shifts", "k=5", "7x7k5"),
    ]  # fmt: skip
    for series, game in points:
        growth.add_point(series, game)
        assert game.rows in series.points
    wrong = growth.GrowthCurve(METHODS[BOOLEAN], "k=n")
    growth.add_point(wrong, Game())
    assert (wrong.points, wrong.refused) == ({}, [3])


# Options


@pytest.mark.parametrize(
    ("given", "complaint"),
    [
        ({"detectors": ["line_sum"]}, "there is no detector 'line_sum': did you mean line_sums"),
        ({"scenarios": ["row-win"]}, "there is no scenario 'row-win': did you mean row_win"),
        ({"baseline": "tradicional"}, "there is no detector 'tradicional'"),
        ({"experiment": "everything"}, "there is no experiment 'everything'"),
        ({"trials": 0}, "trials must be from 1 to 1,000, not 0"),
        ({"iterations": -5}, "iterations must be from 1 to 100,000,000, not -5"),
        ({"paper": True, "trials": 3}, "leave --trials out"),
        ({"experiment": "growth", "detectors": ["lookup"]}, "the growth experiment takes only line_sums"),
    ],
)
def test_bad_options_are_refused_in_one_sentence(given: dict[str, Any], complaint: str) -> None:
    with pytest.raises(InvalidOptions) as refused:
        read_options(**given)
    assert complaint in str(refused.value)
    assert "\n" not in str(refused.value)


def test_paper_is_the_protocol_of_the_source() -> None:
    options = read_options(paper=True)
    assert (options.iterations, options.trials, options.scenarios) == (100_000, 5, PUBLISHED)
    assert read_options(paper=True, scenarios=["draw"]).scenarios == ("draw",)


def test_the_baseline_is_always_among_the_methods() -> None:
    assert [method.name for method in BenchOptions(detectors=("shifts",)).methods()] == [TRADITIONAL, "shifts"]


# A whole bench

TINY = BenchOptions(
    "scenarios", ("shifts", "line_sums"), ("row_win", "win_15x15"), iterations=3, trials=2, memory=False
)


def test_where_the_baseline_does_not_work_its_general_form_takes_its_place() -> None:
    three, fifteen = bench(TINY).scenarios
    assert (three.baseline, fifteen.baseline) == (TRADITIONAL, "line_sums")
    assert fifteen.improvement("line_sums") == 0
    lone = bench(
        BenchOptions("scenarios", ("shifts",), ("win_15x15",), iterations=1, trials=1, baseline="lookup", memory=False)
    )
    assert lone.scenarios[0].baseline is None
    assert lone.scenarios[0].improvement("shifts") is None


def test_json_tells_what_where_and_how() -> None:
    found = json.loads(json.dumps(bench(TINY).to_json()))
    assert {"cpu", "cores", "os"} <= found["machine"].keys()
    assert {"python", "noughts", "numpy"} <= found["versions"].keys()
    assert found["options"]["trials"] == 2
    assert found["partial"] is False
    assert "commit" in found
    first = found["scenarios"][0]
    assert (first["scenario"], first["position"], first["status"]) == ("row_win", "XXX/OO./...", "x_wins")
    shifts = next(result for result in first["results"] if result["detector"] == "shifts")
    assert (shifts["iterations"], len(shifts["trials_ns"]), shifts["misjudged"]) == (3, 2, 0)
    assert shifts["mean_ns"] == pytest.approx(sum(shifts["trials_ns"]) / 2)
    low, high = shifts["interval_ns"]
    assert (low + high) / 2 == pytest.approx(shifts["mean_ns"])


def test_memory_is_measured_apart_from_time() -> None:
    found = bench(BenchOptions("scenarios", ("line_sums",), ("row_win",), iterations=1, trials=1))
    sums = found.scenarios[0].row("line_sums")
    assert sums
    assert sums.allocated
    assert list(found.process_peaks) == ["nothing", TRADITIONAL, "line_sums"]


def test_an_interruption_keeps_what_was_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(timings: list[Timing], *others: Any, **more: Any) -> Any:
        for timing in timings[:2]:
            timing.trials.append(100.0)
            yield timing
        raise KeyboardInterrupt

    monkeypatch.setattr(bench_module, "rounds", interrupted)
    found = bench(TINY)
    assert found.partial
    assert [len(row.timing.trials) for run in found.scenarios for row in run.rows] == [1, 1, 0, 0, 0]
    assert json.loads(json.dumps(found.to_json()))["partial"] is True
    assert "Partial" in shown(found)


def test_progress_counts_every_trial() -> None:
    *_, last = benching(TINY)
    assert (last.what, last.done, last.total) == ("timing the scenarios", 10, 10)


# What it says


def about(found: Bench, words: str) -> Finding:
    return next(finding for finding in findings(found) if words in finding.claim or words in finding.text)


def test_the_conclusion_follows_the_data() -> None:
    fails, holds, open_ = (
        about(made(trials), "much more efficient") for trials in (SLOW_ON_ROWS, ALWAYS_FASTER, UNDECIDED)
    )
    assert (fails.holds, holds.holds, open_.holds) == (False, True, None)
    assert "does not bear that out: it is clearly faster on 3 and clearly slower on 2 of 5 boards" in fails.text
    assert "bears that out: it is clearly faster on 5 of 5 boards" in holds.text
    assert "cannot decide that: it is not clearly different on 5 of 5 boards" in open_.text


def test_the_shape_of_the_printed_table_is_compared_board_by_board() -> None:
    same, other, open_ = (about(made(trials), "loses on rows") for trials in (SLOW_ON_ROWS, ALWAYS_FASTER, UNDECIDED))
    assert (same.holds, other.holds, open_.holds) == (True, False, None)
    assert "slower on the row win (−75 %; printed −154 %) and column win (−75 %; printed −149 %)" in same.text
    assert "on 3 of 5 boards" in other.text


def test_the_share_of_the_conversion_is_computed() -> None:
    high = {"draw": {BOOLEAN_FIXED: around(1000), BOOLEAN_TEST: around(100)}}
    low = {"draw": {BOOLEAN_FIXED: around(1000), BOOLEAN_TEST: around(800)}}
    assert "90 % goes into converting the board: timing it mostly times" in about(made(high), "converting").text
    assert about(made(low), "converting").text.endswith("20 % goes into converting the board.")


def test_memory_is_compared_by_the_bytes_of_a_call() -> None:
    memory = {TRADITIONAL: 600, BOOLEAN: 170}
    less, more = made(ALWAYS_FASTER, memory), made(ALWAYS_FASTER, {TRADITIONAL: 100, BOOLEAN: 50_000})
    assert about(less, "needs less memory").holds is True
    assert "Both are less than the 20.8 to 44.8 KB" in about(less, "needs less memory").text
    assert about(more, "needs less memory").holds is False
    assert "Both are less" not in about(more, "needs less memory").text


def test_variation_is_judged_by_the_source_s_own_table_and_told_of_this_run() -> None:
    given, short = made({"draw": {TRADITIONAL: [100.0, 150.0]}}, iterations=5), made({"draw": {BOOLEAN: around(100)}})
    assert about(given, "vary by about 3 %").holds is about(short, "vary by about 3 %").holds is False
    assert (
        "up to 5.3 % of the mean. Here it is up to 28.3 % (`prajoda_traditional`, full-board draw)"
        in about(given, "variations").text
    )
    assert (
        "Here it is up to 0.7 % (`prajoda_boolean`, full-board draw, disturbed trials left out)"
        in about(short, "variations").text
    )


def test_a_wrong_method_is_named_with_the_boards_it_misjudges() -> None:
    text = about(made({"row_win": {BOOLEAN: around(9)}}), "is wrong").text
    assert (
        "timed and marked: on 3x3k3 it misjudges 95 of 5,478 positions, among them the very board of the row win"
        in text
    )


@pytest.mark.parametrize(("scan", "walk", "holds"), [(2, 1, True), (1, 1, False), (2, 2, False)])
def test_the_claim_about_growth_follows_the_slopes(scan: int, walk: int, holds: bool) -> None:
    found = Bench(BenchOptions())
    for name, power in (("line_sums", scan), ("last_move_play", walk)):
        points = {n: Timing("pass", {}, 1, [100.0 * n**power]) for n in growth.SIZES}
        found.growth.append(growth.GrowthCurve(METHODS[name], "k=n", points))
    finding = about(found, "reduces O(n^2) to O(n)")
    assert finding.holds is holds
    assert f"from n to the power {scan}.00 to n to the power {walk}.00 with k = n" in finding.text


def test_nothing_measured_says_nothing() -> None:
    assert findings(Bench(BenchOptions())) == []


# In the terminal


def shown(found: Bench) -> str:
    with redirect_stdout(io.StringIO()) as out:
        show(found)
    return out.getvalue()


def test_the_table_fits_80_columns_and_marks_what_is_wrong() -> None:
    text = shown(made(SLOW_ON_ROWS, {BOOLEAN: 168}))
    table = text[: text.index(" trials of ")]
    assert max(map(len, table.splitlines())) <= 80
    assert table == "\n".join(line.rstrip() for line in table.splitlines())
    assert "prajoda_boolean (wrong)" in table
    assert "−75 %" in table
    assert "168 B" in table


def test_an_uncertain_gain_has_a_question_mark() -> None:
    assert " ?" in shown(made(UNDECIDED))


def test_progress_away_from_a_terminal_is_a_few_lines() -> None:
    def work() -> Generator[Progress, None, None]:
        yield from (Progress("timing", step, 1000) for step in range(1000))
        yield Progress("weighing", 0, 10)

    with redirect_stderr(io.StringIO()) as stream:
        finish_showing(work(), announce=True)
    assert stream.getvalue() == "noughts: timing: 0 of 1,000\nnoughts: weighing: 0 of 10\n"


def test_progress_on_a_terminal_is_a_bar() -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    def work() -> Generator[Progress, None, None]:
        yield Progress("timing", 1, 2)
        yield Note("this stays")

    with redirect_stderr(Terminal()) as stream:
        finish_showing(work())
    assert "timing" in stream.getvalue()
    assert "\r\x1b[2Knoughts: this stays\n" in stream.getvalue()  # on a line of its own, where the bar was


# The command


def run(*arguments: str, code: str = "from noughts.cli import main; main()") -> subprocess.CompletedProcess[str]:
    script = f"import sys; sys.argv = ['noughts', *{list(arguments)!r}]\n{code}"
    return subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=120, check=False)


QUICK = (
    "--experiment",
    "scenarios",
    "--detector",
    "shifts",
    "--scenario",
    "draw",
    "--iterations",
    "2",
    "--trials",
    "2",
)


def test_bench_answers_with_json_on_stdout_and_progress_on_stderr() -> None:
    done = run("bench", *QUICK, "--no-memory", "--json")
    assert done.returncode == 0
    assert [result["detector"] for result in json.loads(done.stdout)["scenarios"][0]["results"]] == [
        TRADITIONAL,
        "shifts",
    ]
    assert "noughts: timing the scenarios" in done.stderr


def test_bench_refuses_an_unknown_name_in_one_line() -> None:
    done = run("bench", "--detector", "shift")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "noughts: there is no detector 'shift': did you mean shifts?\n"


def test_bench_without_matplotlib_says_how_to_get_it_before_it_measures(tmp_path: Path) -> None:
    code = "sys.modules['matplotlib'] = None; from noughts.cli import main; main()"
    done = run("bench", *QUICK, "--report", str(tmp_path / "new"), code=code)
    assert done.returncode == 2
    assert done.stderr == "noughts: the report needs matplotlib for its plots: pip install 'noughts[plots]'\n"


def test_bench_works_without_numpy() -> None:
    code = "sys.modules['numpy'] = None; from noughts.cli import main; main()"
    done = run("bench", *QUICK, "--no-memory", code=code)
    assert done.returncode == 0, done.stderr
    assert TRADITIONAL in done.stdout


def test_bench_refuses_a_report_folder_that_cannot_be(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    done = run("bench", *QUICK, "--report", str(tmp_path / "file" / "below"))
    assert done.returncode == 2
    assert "cannot write a report to" in done.stderr


@pytest.mark.skipif(os.name == "nt", reason="needs POSIX signals")
def test_ctrl_c_prints_what_was_measured_and_exits_130() -> None:
    code = (
        "import sys; from noughts.cli import main; from noughts.cli import meter; meter.QUIET_SECONDS = 0.1\n"
        "sys.argv = 'noughts bench --detector shifts --scenario draw --iterations 2000 --trials 1000'.split(); main()"
    )
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stderr
    for line in process.stderr:
        if "timing" in line and " left" in line:
            break  # some trials have been made
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "Full-board draw" in out
    assert "Partial" in out
    assert err.endswith("noughts: interrupted\n")


def test_the_laboratory_loads_nothing_heavy_until_it_is_used() -> None:
    code = "import noughts.lab.bench, noughts.lab.page\n"
    code += "print([name for name in ('numpy', 'rich', 'matplotlib', 'click') if name in sys.modules])"
    assert run(code=code).stdout.strip() == "[]"
