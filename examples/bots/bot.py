"""A bot in Python: it wins where it can, blocks where it must, and else takes the cell with the most neighbours.

noughts match "bot:python examples/bots/bot.py" level-2                                 over standard streams
python examples/bots/bot.py 8000      and then noughts match http://localhost:8000/ level-2      over HTTP

Only the standard library is used: docs/reference/bots.md tells the messages.
"""

import json
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


def answer(message):
    """What the bot answers to a message."""
    if message["ask"] == "hello":
        return {"name": "blocker", "protocol": 1}
    if message["ask"] == "game":
        return {"error": "a line must win"} if message["misere"] else {}
    if message["ask"] == "move":
        return {"cell": choose(message["game"], message["board"], message["turn"], message["moves"])}
    return {}


def choose(game, board, turn, moves):
    """A cell that completes a line of mine, or else of theirs, or else the one with the most marks around it."""
    columns, k = len(board[0]), int("".join(filter(str.isdigit, game.split("k")[1])))
    other = "O" if turn == "X" else "X"
    for mark in (turn, other):
        for cell in moves:
            if longest(board, mark, cell // columns, cell % columns) >= k:
                return cell
    return max(moves, key=lambda cell: neighbours(board, cell // columns, cell % columns))


def longest(board, mark, row, column):
    """The longest row of this mark that a mark there would make."""
    return max(
        1 + run(board, mark, row, column, down, right) + run(board, mark, row, column, -down, -right)
        for down, right in ((0, 1), (1, 0), (1, 1), (1, -1))
    )


def run(board, mark, row, column, down, right):
    """How many of these marks follow in one direction."""
    length = 0
    while at(board, row + (length + 1) * down, column + (length + 1) * right) == mark:
        length += 1
    return length


def neighbours(board, row, column):
    """How many of the cells around hold a mark, and for the first move how many there are."""
    around = [at(board, row + down, column + right) for down in (-1, 0, 1) for right in (-1, 0, 1)]
    return sum(mark in ("X", "O") for mark in around), sum(mark is not None for mark in around)


def at(board, row, column):
    """What is on a cell: X, O, a dot, or None beside the board."""
    return board[row][column] if 0 <= row < len(board) and 0 <= column < len(board[0]) else None


class Handler(BaseHTTPRequestHandler):
    """The same bot behind an address: a message is posted, and the answer is the response."""

    protocol_version = "HTTP/1.1"  # keeps the connection for the next message
    wbufsize = -1  # an answer leaves in one piece

    def do_POST(self):
        """Answer one message."""
        message = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        body = json.dumps(answer(message)).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        """Say nothing of each message."""


if __name__ == "__main__":
    if sys.argv[1:]:
        server = ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler)
        print(f"http://127.0.0.1:{server.server_port}/", flush=True)
        server.serve_forever()
    for line in sys.stdin:  # ends when noughts does
        print(json.dumps(answer(json.loads(line))), flush=True)
