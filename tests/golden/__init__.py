"""Golden answers: what every command and every route says, word for word, for a few dozen positions and games.

    questions.py       the questions, and how they are asked
    commands.jsonl     the commands' answers, one question a line
    routes.jsonl       the same over HTTP

A change that means to change an answer writes them anew (`python tests/golden/questions.py`), and the difference is
part of the change. Times, sizes of memory and names of the machine are left out; an answer that is too long to read is
kept as its length and checksum.
"""
