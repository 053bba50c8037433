"""A program that answers each question of the protocols of bots and engines with the next line of a file.

After the last it does what the file's first byte says: ends, hangs, dies, talks without end, or goes on without a word.
"""

import os
import sys
import time
from pathlib import Path

then, _, rest = Path(sys.argv[1]).read_bytes().partition(b"\n")
answers = rest.split(b"\n")
for line in sys.stdin.buffer:
    if not line.startswith((b"{", b"START", b"RECTSTART", b"BEGIN", b"DONE", b"TURN")):
        continue
    if answers:
        os.write(1, answers.pop(0) + b"\n")
    elif then[:1] == b"e":
        break
    elif then[:1] == b"h":
        time.sleep(100)
    elif then[:1] == b"d":
        os.abort()
    elif then[:1] == b"f":
        while True:
            os.write(1, b"MESSAGE and more\n" * 100)
