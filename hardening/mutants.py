"""Mutation testing by cosmic-ray: every small fault in these modules must make a test fail.

    python hardening/mutants.py                 all modules; ends with status 1 if a fault goes unnoticed
    python hardening/mutants.py check pairing   only these
    python hardening/mutants.py check --list    only say how many faults there are

cosmic-ray puts one fault at a time into a private copy of the checkout and runs the tests that should notice. What
survives must stand in explained.toml, with the reason why no test can tell it from the original; an entry there that
matches no survivor is an error too. A fault that changes only annotations is none: nothing is computed there.
"""

from __future__ import annotations

import argparse
import ast
import os
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from commands import ROOT, TOOLS, Failed
from record import failure, record

EXPLAINED = Path(__file__).with_name("explained.toml")
MODULES = {  # where each is, and the tests that should notice, the quickest first
    "rule": ("rules/rule.py", "rules/rule.py exact gravity game legality symmetry notation"),
    "game": ("rules/game.py", "rules/game.py game exact position encoding legality"),
    "position": ("rules/position.py", "rules/position.py position game gravity board native"),
    "legality": ("rules/legality.py", "rules/legality.py legality exact gravity large_boards"),
    "symmetry": ("rules/symmetry.py", "rules/symmetry.py symmetry gravity position"),
    "encoding": ("rules/encoding.py", "rules/encoding.py encoding position"),
    "verdicts": ("proofs/verdicts.py", "proofs/verdicts.py proofs holding certificates proof"),
    "check": ("proofs/check.py", "checker second_checker certificates holding mutants"),
    "pairing": ("proofs/pairing.py", "proofs/pairing.py holding certificates mutants proofs"),
}
# Of each operator its nearest neighbour: the others are noticed by whatever notices that one.
NEAREST = (
    "Add_Sub Sub_Add Mul_Add FloorDiv_Mul Mod_FloorDiv Pow_Mul LShift_RShift RShift_LShift BitAnd_BitOr BitOr_BitAnd "
    "BitXor_BitOr Lt_LtE LtE_Lt Gt_GtE GtE_Gt Eq_NotEq NotEq_Eq In_NotIn NotIn_In Is_IsNot IsNot_Is"
)
OTHERS = rf"core/Replace(Binary|Comparison)Operator_(?!({NEAREST.replace(' ', '|')})$)"
OTHERS += "|core/ReplaceUnaryOperator_(?!Delete_)|core/ExceptionReplacer"  # which fails on dotted names
SITE = """import sys
sys.meta_path[:] = [finder for finder in sys.meta_path if "editable" not in type(finder).__module__]
"""  # in the copy the package is the copy, whatever an editable install says

Key = tuple[str, str, str]  # the module, the line as it was, the line as it becomes


def copied(folder: Path) -> None:
    """Put a private copy of the checkout there, with the native core."""
    leave = shutil.ignore_patterns("__pycache__", "*.so", "_build")
    for part in ("src", "tests", "docs", "hardening", "examples"):
        shutil.copytree(ROOT / part, folder / part, ignore=leave)
    for part in ("pyproject.toml", "README.md", "CONTRIBUTING.md"):
        shutil.copy(ROOT / part, folder)
    (folder / "src" / "sitecustomize.py").write_text(SITE)
    where = "from noughts import native; core = native.core(); print(core.__file__ if core else '')"
    if core := subprocess.run([sys.executable, "-c", where], capture_output=True, text=True, check=True).stdout.strip():
        shutil.copy(core, folder / "src" / "noughts")


def computes(source: str) -> str:
    """What a module computes: its tree without annotations."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        for field in {"annotation", "returns"} & {*node._fields}:
            setattr(node, field, ast.Constant(0) if field == "annotation" else None)
    return ast.dump(tree)


def tried(name: str, folder: Path, count_only: bool) -> tuple[int, list[Key]]:
    """Try every fault of a module: how many there were, and those that no test noticed."""
    from cosmic_ray.mutating import mutate_code
    from cosmic_ray.plugins import get_operator
    from cosmic_ray.work_db import WorkDB, use_db
    from cosmic_ray.work_item import TestOutcome, WorkerOutcome, WorkResult

    copied(folder)
    place, words = MODULES[name]
    path = folder / "src" / "noughts" / place
    tests = [f"src/noughts/{word}" if "/" in word else f"tests/test_{word}.py" for word in words.split()]
    test = f"{sys.executable} -m pytest -x -q -n 0 --hypothesis-seed=0 -p no:cacheprovider --tb=line -m 'not slow' "
    test += " ".join(tests)
    environment = os.environ | {"PYTHONPATH": str(folder / "src")}

    def ray(*command: str) -> None:
        done = subprocess.run(
            [TOOLS / command[0], *command[1:]], cwd=folder, env=environment, text=True, capture_output=True, check=False
        )
        if done.returncode:
            raise Failed(f"{name}: {' '.join(command)} failed: {(done.stdout + done.stderr).strip()[-3000:]}")

    config, session = folder / "ray.toml", folder / "ray.sqlite"

    def configure(seconds: float) -> None:
        config.write_text(
            f'[cosmic-ray]\nmodule-path = "{path.relative_to(folder)}"\ntimeout = {seconds}\nexcluded-modules = []\n'
            f'test-command = "{test}"\ndistributor.name = "local"\n'
            f"filters.operators-filter.exclude-operators = ['{OTHERS}']\n"
        )

    configure(1800.0)
    began = time.monotonic()
    if not count_only:
        ray("cosmic-ray", "baseline", config.name)
    configure(round(10 + 4 * (time.monotonic() - began), 1))  # a busy machine is no fault
    ray("cosmic-ray", "init", config.name, session.name)
    ray("cr-filter-operators", session.name, config.name)
    source = path.read_text(encoding="utf-8")
    seen = {computes(source)}
    with use_db(session, WorkDB.Mode.open) as db:
        for item in list(db.pending_work_items):
            [mutation] = item.mutations
            operator: Any = get_operator(mutation.operator_name)
            text = mutate_code(source, operator(**mutation.operator_args), mutation.occurrence)
            try:
                same = text is None or (does := computes(text)) in seen
            except SyntaxError:
                same = True
            if same:
                db.set_result(item.job_id, WorkResult(worker_outcome=WorkerOutcome.SKIPPED))
            else:
                seen.add(does)
        number = len(list(db.pending_work_items))
    if count_only:
        return number, []
    print(f"{name}: {number:,} faults, tests {time.monotonic() - began:.0f} s", flush=True)
    ray("cosmic-ray", "exec", config.name, session.name)
    with use_db(session, WorkDB.Mode.open) as db:
        ended = [result for _, result in db.completed_work_items if result.worker_outcome is WorkerOutcome.NORMAL]
        survived = [changed(name, result.diff) for result in ended if result.test_outcome is TestOutcome.SURVIVED]
    if len(ended) != number:
        raise Failed(f"{name}: only {len(ended):,} of {number:,} faults were tried")
    return number, survived


def changed(name: str, diff: str) -> Key:
    """The lines that a diff takes away and puts there, each on one line."""
    lines = [line for line in diff.splitlines() if not line.startswith(("---", "+++", "@@"))]
    was, becomes = (" ".join(line[1:].strip() for line in lines if line.startswith(sign)) for sign in "-+")
    return name, was, becomes


def explanations(names: list[str]) -> dict[Key, str]:
    """Why no test can notice these faults."""
    tables = tomllib.loads(EXPLAINED.read_text(encoding="utf-8"))
    return {
        (name, entry["was"], becomes): entry["why"]
        for name in names for entry in tables.get(name, []) for becomes in entry["becomes"]
    }  # fmt: skip


def main() -> int:
    """Try the modules that the command line names, or all."""
    parser = argparse.ArgumentParser(description="Small faults, each of which a test must notice.")
    parser.add_argument("modules", nargs="*", metavar="MODULE", help=f"of {', '.join(MODULES)}; all unless named")
    parser.add_argument("--list", action="store_true", help="only say how many faults there are")
    parser.add_argument("-j", dest="processes", type=int, default=2, help="modules at a time (2)")
    given = parser.parse_args()
    names = given.modules or list(MODULES)
    if unknown := [name for name in names if name not in MODULES]:
        parser.error(f"there is no module {unknown[0]} here: there are {', '.join(MODULES)}")
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="mutants-") as home, ThreadPoolExecutor(given.processes) as pool:
        found = pool.map(lambda name: tried(name, Path(home, name), given.list), names)
        try:
            results = dict(zip(names, found, strict=True))
        except Failed as problem:
            record("mutants", failure(problem))
            print(problem, file=sys.stderr)
            return 1
    total = sum(number for number, _ in results.values())
    if given.list:
        print(", ".join(f"{name} {number:,}" for name, (number, _) in results.items()), f"together {total:,}", sep="; ")
        return 0
    explained, survived = explanations(names), [key for _, keys in results.values() for key in keys]
    unexplained = [key for key in survived if key not in explained]
    stale = sorted(explained.keys() - {*survived})
    for heading, keys in (("survived", unexplained), ("explained, but noticed or no longer there", stale)):
        for name, was, becomes in keys:
            print(f"\n{heading}: {name}\n    - {was}\n    + {becomes}")
    figures = ", ".join(f"{name} {number:,}" for name, (number, _) in results.items())
    says = (
        f"{total:,} faults ({figures}): {total - len(survived):,} noticed, {len(survived) - len(unexplained)} explained"
    )
    says += f", {len(unexplained)} left; {(time.monotonic() - began) / 60:.0f} minutes"
    print(f"\n{says}, {len(stale)} explained in vain")
    if unexplained or stale:
        record("mutants", failure(f"{says}, {len(stale)} explained in vain"))
        return 1
    if len(names) == len(MODULES):
        record("mutants", says)
    return 0


if __name__ == "__main__":
    sys.exit(main())
