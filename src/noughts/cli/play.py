"""noughts play: a game in the terminal, or over a pipe; it reads lines and writes lines.

The opponent is any player, a function from a Position to a cell. At the end comes the account of the game.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field
from random import randrange
from typing import Any, TypeVar

import click

from noughts.account import TooLong, review
from noughts.cli.kit import argument, command, option, paint, say
from noughts.cli.review import account
from noughts.engine import refusal
from noughts.explain import reasons
from noughts.files import writing
from noughts.play.balance import LAID, MORE, Opening, lay, read_opening, take
from noughts.play.by_name import maker
from noughts.play.engine import NODES, think
from noughts.play.player import Choosing, Forfeit, Player, describe, played
from noughts.play.record import format_record
from noughts.play.user_file import TIME_LIMIT
from noughts.proofs import judge
from noughts.rules.game import Cell, Game
from noughts.rules.marks import Mark
from noughts.rules.notation import column_letters, draw_board, format_move, format_moves, parse_game
from noughts.rules.position import IllegalMove, Position
from noughts.words import brief

T = TypeVar("T")

MOVES = {
    "b2": "play there: a column letter, then the row from the bottom",
    "4": "play on cell 4: cells are counted from 0, row by row from the top left",
}
FALLING = {"b": "drop a mark into column b", "2": "the same: columns are counted from 1"}
HELP = {
    "hint": "the best moves and why, where they are known",
    "undo": "take back your last move and the answer to it",
    "resign": "give the game up",
    "save FILE": "write the moves so far to a file",
    "board": "show the board again",
    "quit": "leave (the game is not finished)",
}
QUIT = ("quit", "q", "exit")
COLOURS = {"X": "bright_blue", "O": "yellow", ".": None}


@command
@argument("game", required=False)
@option("--against", metavar="PLAYER", help="Your opponent, as in noughts match.")
@option("--side", type=click.Choice(["x", "o"], case_sensitive=False), help="The side you play; X begins.")
@option(
    "--opening",
    default="free",
    metavar="RULE",
    help="swap or swap2: as X you lay the first three marks, and the other takes a side; as O you do.",
)
@option("--two", is_flag=True, help="Two people play.")
@option("--seed", type=int, help="The opponent's chance: the same seed, the same answers.")
@option("--time-limit", default=10.0, metavar="SECONDS", help="For one move of your code or of a bot.")
def run(**options: Any) -> None:
    """Play a game in the terminal.

    GAME is a board such as 3x3k3, 6x7k4g (Connect Four) or 15x15k5. What you do not say you are asked, or, when the
    moves come from a pipe, it is 3x3k3 as X against level-3. Type help in the game to see what you can do; at the end
    you are told where the game slipped.
    """
    if options["two"] and (options["against"] or options["side"]):
        raise click.UsageError("--two is a game between people: leave --against and --side out")
    play(**options)


def play(
    game: str | None = None,
    against: str | None = None,
    side: str | None = None,
    opening: str = "free",
    two: bool = False,
    seed: int | None = None,
    time_limit: float = TIME_LIMIT,
) -> None:
    """Play with the person at the keyboard; what is not given is asked at a terminal, else taken for granted."""
    board = choose(game, "Board (3x3k3, 4x4k4, 6x7k4g, 15x15k5, 3x3k3m, ...)", "3x3k3", parse_game)
    rule = read_opening(opening, board)
    if two:
        if rule != "free":
            raise click.UsageError(f"--two is a game between people: they settle {rule} between themselves")
        Session(board, None, None).run()
        return

    with ExitStack() as stack:

        def opponent(name: str) -> Player:
            make = stack.enter_context(maker(name, time_limit))
            player = make(randrange(1_000_000) if seed is None else seed)
            if isinstance(player, Choosing):
                player.require(board.start())
            return player

        chosen = choose(against, "Opponent (level-1 ... level-5, rules, mcts, perfect)", "level-3", opponent)
        human = choose(side, "Your side, x begins (x or o)", "x", _side)
        begin = randrange(1_000_000) if seed is None else seed
        Session(board, human, chosen, describe(chosen), rule, begin).run()


def ask(prompt: str) -> str | None:
    """A line from the person, or None at the end of the input."""
    click.echo(prompt, nl=False)
    line = sys.stdin.readline(10_000)
    if not sys.stdin.isatty():
        click.echo(line.rstrip("\n"))  # so that the account of a piped game shows the moves
    return line or None


def choose(given: str | None, question: str, default: str, read: Callable[[str], T]) -> T:
    """What was given, or what the person at a terminal says when asked, as often as it takes; quit ends the command."""
    if given is not None or not sys.stdin.isatty():
        return read(given if given is not None else default)
    while True:
        line = ask(f"{question} [{default}]: ")
        if line is None:
            raise KeyboardInterrupt
        if line.strip().lower() in QUIT:
            raise click.exceptions.Exit(0)
        try:
            return read(line.strip() or default)
        except ValueError as problem:
            say(str(problem))


def _side(text: str) -> Mark:
    if text.upper() not in ("X", "O"):
        raise ValueError(f"{brief(text)} is not a side: type x or o")
    return Mark(text.upper())


@dataclass
class Session:
    """One game between the person at the keyboard and, unless two people play, a player."""

    game: Game
    human: Mark | None  # None: two people play
    opponent: Player | None
    name: str = "the opponent"
    opening: Opening = "free"
    seed: int = 0
    history: list[Position] = field(default_factory=list)
    moves: list[str] = field(default_factory=list)

    def run(self) -> None:
        """Play until the game is over or the person leaves; then give the account of the game."""
        self.history = [self.game.start()]
        if self.opening != "free" and not self._open():
            say("The game is not finished.")
            return
        who = f"You are {self.human} against {self.name}." if self.human else "Two people play: X begins."
        say(f"{self.game}: {self.game.rule.goal.replace('loses', 'LOSES')}. {who}\nType {self.example}.")
        resigned: Mark | None = None
        self._show()
        while not self.position.is_over:
            if not self._is_human():
                try:
                    self._answer()
                except Forfeit as forfeit:
                    say(f"{self.name} loses: {forfeit.problem}.")
                    resigned = self.position.turn
                    break
                continue
            line = ask(f"{self.position.turn} to move: ")
            words = line.split() if line is not None else ["quit"]
            match [words[0].lower(), *words[1:]] if words else []:
                case []:
                    continue
                case [column] if self.game.gravity and column in map(column_letters, range(self.game.columns)):
                    self._play(column)  # h, u and q stand for words, unless they are columns
                case ["help" | "?" | "h"]:
                    for word, meaning in ((FALLING if self.game.gravity else MOVES) | HELP).items():
                        say(meaning, lead=f"{word:<12}")
                case ["hint"]:
                    self._hint()
                case ["undo" | "u"]:
                    self._undo()
                case ["board"]:
                    self._show()
                case ["save", name]:
                    self._save(name)
                case ["resign"]:
                    resigned = self.position.turn
                    break
                case [word] if word in QUIT:
                    say("The game is not finished.")
                    return
                case [move]:
                    self._play(move)
                case _:
                    say(f"{brief(line)} is not understood: type {self.example}")
        self._end(resigned)

    def _open(self) -> bool:
        """The opening: marks are laid, by the person or for the opponent, and sides taken; False if they leave."""
        if self.human is Mark.X:
            say(f"{self.game} by {self.opening}: lay three marks, X O X; then {self.name} takes a side.")
            return self._lay(LAID) and self._take()
        say(f"{self.game} by {self.opening}: {self.name} lays three marks.")
        for cell in lay(self.game, self.seed).cells:
            self._push(cell)
        self._show()
        also = ", or more (lay two more marks, and let the other take)" if self.opening == "swap2" else ""
        while True:
            line = ask(f"Take x, or o and move{also}: ")
            word = "quit" if line is None else line.strip().lower()
            if word in QUIT:
                return False
            if word in ("x", "o"):
                self.human = Mark(word.upper())
                return True
            if word == "more" and also:
                return self._lay(MORE) and self._take()
            say(f"{brief(word)} is no side: type x or o{', or more' if also else ''}.")

    def _lay(self, count: int) -> bool:
        """So many marks of the person's, of both sides in turn; False if the person leaves."""
        until, self.human = len(self.moves) + count, None  # both sides are the person's meanwhile
        while len(self.moves) < until:
            line = ask(f"Lay {self.position.turn}: ")
            words = ["quit"] if line is None else line.split()
            if words and words[0].lower() in QUIT:
                return False
            if words:
                self._play(words[0])
        return True

    def _take(self) -> bool:
        """The opponent takes the side that looks better to the engine."""
        mark = take(self.position).mark
        self.human = mark.other
        say(f"{self.name} takes {mark}.")
        return True

    @property
    def position(self) -> Position:
        """The position after all moves so far."""
        return self.history[-1]

    @property
    def example(self) -> str:
        """What one may type."""
        middle = column_letters((self.game.columns - 1) // 2)
        return f"a move such as {middle if self.game.gravity else 'a1'}, or help"

    def _is_human(self) -> bool:
        return self.human is None or self.position.turn is self.human

    def _show(self) -> None:
        """The board; the last move stands in brackets, which take the place of the blanks beside it."""
        columns = self.game.columns
        last = self.position.cell(self.moves[-1]) if self.moves else -1

        def paint_cell(cell: Cell, text: str) -> str:
            blank, mark, after = text[:-1], text[-1], ""
            if cell == last:
                blank, after = f"{blank[:-1]}(", ")" * (cell % columns == columns - 1)
            elif cell == last + 1 and cell % columns:
                blank = f"){blank[1:]}"
            return blank + paint(mark, fg=COLOURS[mark], bold=cell == last or None) + after

        click.echo(f"\n{draw_board(self.position, paint=paint_cell)}\n")

    def _answer(self) -> None:
        assert self.opponent
        cell, _ = played(self.position, self.opponent(self.position))
        say(f"{self.name} ({self.position.turn}) plays {format_move(self.game, cell)}.")
        self._push(cell)
        self._show()

    def _play(self, text: str) -> None:
        """A person's move: the number of a cell, or where marks fall of a column, or a move text."""
        number = int(text) if text.isascii() and text.isdigit() and len(text) < 7 else None
        try:
            if number is not None and self.game.gravity:
                if not 1 <= number <= self.game.columns:
                    raise IllegalMove(f"{number} is not a column: they run from 1 to {self.game.columns}")
                text, number = column_letters(number - 1), None
            self._push(text if number is None else number)
        except IllegalMove as problem:
            say(f"{str(problem).partition(': expected')[0]}. Type {self.example}.")
        else:
            if self._is_human() or self.position.is_over:
                self._show()

    def _push(self, move: Cell | str) -> None:
        after = self.position.play(move)
        self.moves.append(format_move(self.game, self.position.cell(move)))
        self.history.append(after)

    def _undo(self) -> None:
        """Back to the person's previous turn."""
        back = len(self.history) - 2
        while back >= 0 and self.human and self.history[back].turn is not self.human:
            back -= 1
        if back < 0:
            say("There is nothing to take back.")
            return
        del self.history[back + 1 :], self.moves[back:]
        self._show()

    def _hint(self) -> None:
        judged = judge(self.position)
        values, best = judged.moves, judged.best
        if not best:
            say("No exact advice: too many cells are free to solve this position.")
            if not refusal(self.game):
                view = think(self.position, None, NODES)
                name = format_move(self.game, view.move)
                say(f"The engine would play {name}, and believes in {view.settled:.0%} of the points.")
        elif len(best) == len(values) > 1:
            say(f"Every move is worth the same: {values[best[0]]}.")
            return
        why = reasons(judged)
        for cell in best:
            words = f": {', '.join(why[cell])}" if why[cell] else ""
            say(f"{format_move(self.game, cell)} ({values[cell]}){words}")

    def _save(self, name: str) -> None:
        try:
            with writing(name) as file:
                file.write(format_record(self.game, self.moves))
        except OSError as problem:
            say(f"{name} cannot be written: {problem.strerror}")
        else:
            say(f"Saved to {name}; noughts review {name} gives its account.")

    def _end(self, resigned: Mark | None) -> None:
        winner = resigned.other if resigned else self.position.winner
        if resigned and (not self.human or resigned is self.human):
            say(f"{resigned} resigns.")
        if winner is None:
            say("A draw.")
        elif self.human:
            say("You win!" if winner is self.human else f"{self.name[0].upper()}{self.name[1:]} wins.")
        else:
            say(f"{winner} wins.")
        for line in self.position.lines():
            say(f"Line: {' '.join(format_moves(self.game, line))}")
        try:
            say("\n" + "\n".join(account(review(self.game.start(), self.moves))))
        except TooLong as problem:
            say(f"\nNo account of this game: {problem}.")
