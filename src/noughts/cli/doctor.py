"""noughts doctor: what this installation has."""

from __future__ import annotations

from noughts.cli.kit import as_json, query, say, wants_json
from noughts.doctor import examine
from noughts.words import several, size


@query
def run() -> None:
    """Show the version, the native core, CPU features, extras and the cache folder."""
    facts = examine()
    if wants_json():
        as_json(facts)
        return
    shown = {
        "noughts": facts["version"],
        "Python": f"{facts['python']} on {facts['platform']}",
        "core": facts["native_status"],
        "CPU": ", ".join(facts["cpu"]) or "no features in use",
        "backends": ", ".join(name for name, absence in facts["backends"].items() if not absence),
    }
    for name, packages in facts["extras"].items():
        found = ", ".join(f"{package} {installed}" for package, installed in packages.items() if installed)
        missing = ", ".join(package for package, installed in packages.items() if not installed)
        shown[name] = f"missing {missing}: pip install noughts[{name}]" if missing else found or "part of Python"
    limit = f"of at most {size(facts['cache_limit'])}" if facts["cache_limit"] else "(switched off)"
    if facts["cache_problem"]:
        limit = f"({facts['cache_problem']})"
    held = f"{several(facts['cache_games'], 'game')}, {size(facts['cache_bytes'])}"
    shown["cache"] = f"{facts['cache']}: {held} {limit}"
    for name, fact in shown.items():
        say(fact, lead=f"{name:<9} ")
