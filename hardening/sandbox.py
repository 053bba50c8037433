"""Keeps what is fuzzed inside a scratch folder: writing elsewhere, listening and foreign programs are refused.

It works by Python's audit events, so it holds for this process only; `environment` makes every Python that is started
with it hold to the same rules.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
PATHS = {  # event: which of its arguments are paths that it changes
    "os.chmod": (0,), "os.chown": (0,), "os.link": (1,), "os.mkdir": (0,), "os.remove": (0,), "os.rename": (0, 1),
    "os.rmdir": (0,), "os.symlink": (1,), "os.truncate": (0,), "os.utime": (0,), "shutil.rmtree": (0,),
}  # fmt: skip
PROGRAMS = {"os.exec", "os.posix_spawn", "os.system", "subprocess.Popen"}
SOCKETS = {"socket.bind", "socket.connect"}


def confine(folder: str) -> None:
    """From now on this process changes nothing outside the folder."""
    home = os.path.realpath(folder)

    def refuse(path: Any) -> None:
        if isinstance(path, int):
            return
        real = os.path.realpath(os.fsdecode(path))
        if real != home and not real.startswith((home + os.sep, "/dev/", "/proc/self/")):
            raise PermissionError(13, "Permission denied", os.fsdecode(path))

    def hook(event: str, args: tuple[Any, ...]) -> None:
        if event == "open":
            path, mode, flags = args
            if flags & WRITES if isinstance(flags, int) else set(mode or "") & set("wax+"):
                refuse(path)
        elif event in PATHS:
            for number in PATHS[event]:
                refuse(args[number])
        elif event in PROGRAMS:
            program = args[0] if event != "subprocess.Popen" else args[0] or args[1][0]
            if os.fsdecode(program) != sys.executable:
                raise PermissionError(13, "Permission denied", program)
        elif event in SOCKETS:
            raise PermissionError(13, "Permission denied")

    sys.addaudithook(hook)


def environment(folder: Path) -> dict[str, str]:
    """What a Python that is to be confined to the folder is started with; it makes the folder ready."""
    start, temporary = folder / "start", folder / "tmp"
    start.mkdir()
    temporary.mkdir()
    text = f"import sys\nsys.path.insert(0, {str(Path(__file__).parent)!r})\nimport sandbox\nsys.path.pop(0)\n"
    (start / "sitecustomize.py").write_text(f"{text}sandbox.confine({str(folder)!r})\n", encoding="utf-8")
    return {
        "HOME": str(folder),
        "MPLCONFIGDIR": str(temporary),
        "NOUGHTS_CACHE": str(folder / "cache"),
        "PATH": os.environ["PATH"],
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONPATH": os.pathsep.join([str(start), *filter(None, [os.environ.get("PYTHONPATH")])]),
        "TMPDIR": str(temporary),
    }
