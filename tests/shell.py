"""The command: asked in this process, or in one of its own where that is what is tested."""

from __future__ import annotations

import io
import json
import logging
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from typing import Any

import pytest

from noughts import log
from noughts.cli import main, meter

Done = subprocess.CompletedProcess[str]


def run(*words: str, stdin: str = "", **environment: str) -> Done:
    """What the command says and how it ends, in this process: nothing has to be loaded again."""
    out, err = io.StringIO(), io.StringIO()
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(out), redirect_stderr(err):
        patch.setattr(sys, "argv", ["noughts", *words])
        patch.setattr(sys, "stdin", io.StringIO(stdin))
        patch.setattr(log, "make_handler", None)  # the command names its own, which writes to the stderr of now
        patch.setattr(logging.getLogger("noughts"), "handlers", [])
        patch.setattr(meter, "monotonic", lambda: 0.0)  # on a busy machine, too, nothing takes long enough to be told
        for name, text in environment.items():
            patch.setenv(name, text)
        with pytest.raises(SystemExit) as end:
            main()
    return Done(words, int(end.value.code or 0), out.getvalue(), err.getvalue())


def answer(*words: str) -> Any:
    """The JSON that the command prints."""
    done = run(*words)
    assert (done.returncode, done.stderr) == (0, "")
    return json.loads(done.stdout)


def command(*words: str, **options: Any) -> Done:
    """What the command says and how it ends, in a process of its own."""
    line = [sys.executable, "-m", "noughts", *words]
    return subprocess.run(line, capture_output=True, text=True, timeout=300, check=False, **options)
