"""Bots: programs in any language as players, asked in JSON over standard streams or HTTP.

    bot:COMMAND          a program, as in bot:python mine.py; a line is a message
    http://HOST/PATH     an address, to which messages are posted

docs/reference/bots.md tells the messages. A bot that is late, dead, or answers with anything but a legal move loses its
game, with the reason; then it is started anew. A question contains all that a move needs: a bot may remember nothing.
"""

from __future__ import annotations

import json
import shlex
import shutil
from typing import Any, NoReturn, Protocol

from noughts.play.player import CannotPlay, Forfeit, InvalidPlayer, played
from noughts.play.post import SCHEMES, Post
from noughts.play.process import MEMORY, Failed, Limits, Process
from noughts.play.user_file import LOADING, LONGEST, TIME_LIMIT
from noughts.rules.game import Cell, Game
from noughts.rules.notation import board_rows
from noughts.rules.position import Position
from noughts.words import brief

PROTOCOL = 1
PREFIX = "bot:"
GOODBYE = 1.0  # seconds for a bot to end by itself
SHORT = 40  # characters of a name
WORDS = 200  # of what a bot says is wrong

Message = dict[str, Any]


class Channel(Protocol):
    """What one can ask: a `Process`, or a `Post`."""

    def ask(self, text: str, seconds: float, /) -> str:
        """The answer to a line, within so many seconds."""

    def leave(self, text: str, seconds: float, /) -> None:
        """Say a last line, and close."""

    def close(self) -> None:
        """End at once."""


def is_bot(text: str) -> bool:
    """Does a text name a bot?

    >>> is_bot("bot:node mine.js"), is_bot("http://localhost:8000/"), is_bot("mine.py:best")
    (True, True, False)
    """
    return text.startswith(PREFIX) or text.partition("://")[0] in SCHEMES


class Bot:
    """A bot at work; use it in a `with` statement. InvalidPlayer says why there is none to be had."""

    def __init__(self, text: str, time_limit: float = TIME_LIMIT, memory: int = MEMORY) -> None:
        if not 0 < time_limit <= LONGEST:
            raise InvalidPlayer(f"the time limit must be from above 0 to {LONGEST:,.0f} seconds, not {time_limit:g}")
        self.text = text
        self.time_limit = time_limit
        self.memory = memory
        self.command = split(text)  # none: it is behind an address
        self.channel: Channel | None = None
        self.starts = 0
        self.accepted = False  # has it taken a game yet?
        self.name = ""

    def __enter__(self) -> Bot:
        try:
            self.start()
        except Failed as failed:
            raise InvalidPlayer(f"{brief(self.text, WORDS)} is no bot: it {failed.problem}") from None
        return self

    def __exit__(self, *_: object) -> None:
        if self.channel is not None:
            self.channel.leave(json.dumps({"ask": "bye"}), GOODBYE)
            self.channel = None

    def start(self) -> None:
        """Start the program, or begin anew with an address; Failed if it does not say hello as it should."""
        self.stop()
        self.starts += 1
        self.channel = Process(self.command, limits=Limits(self.memory)) if self.command else Post(self.text)
        try:
            hello = self.ask({"ask": "hello", "protocol": PROTOCOL}, max(LOADING, self.time_limit))
        except BaseException:
            self.stop()
            raise
        name, version = hello.get("name"), hello.get("protocol")
        if version != PROTOCOL or type(version) is not int:
            self._refuse(f"speaks version {brief(version)} of the protocol, and this is {PROTOCOL}")
        if not (isinstance(name, str) and name.isprintable() and 0 < len(name) <= SHORT):
            self._refuse(f"should say its name, of up to {SHORT} characters that can be printed, not {brief(name)}")
        self.name = f"{PREFIX}{name}"

    def stop(self) -> None:
        """End the program at once."""
        channel, self.channel = self.channel, None
        if channel is not None:
            channel.close()

    def begin(self, game: Game, seed: int) -> None:
        """Tell it that a game begins."""
        if self.channel is None:
            self.start()
        rule = {letter: getattr(game, letter) for letter in ("rows", "columns", "k", "exact", "gravity", "misere")}
        self.ask({"ask": "game", "game": str(game), **rule, "seed": seed, "seconds": self.time_limit})
        self.accepted = True

    def ask(self, message: Message, seconds: float | None = None) -> Message:
        """Its answer; Failed if there is none, and Declined if it is an error."""
        assert self.channel
        try:
            line = self.channel.ask(json.dumps(message), seconds or self.time_limit)
        except Failed:
            self.channel = None
            raise
        try:
            answer = json.loads(line)
        except (ValueError, RecursionError):
            answer = None
        if not isinstance(answer, dict):
            self._refuse(f"answered {brief(line)}, which is not a JSON object (words for people go to standard error)")
        if "error" in answer:
            raise Declined(brief(answer["error"], WORDS))
        return answer

    def _refuse(self, problem: str) -> NoReturn:
        self.stop()
        raise Failed("ended", problem)


class Declined(Failed):
    """A bot said that something is wrong."""

    def __init__(self, words: str) -> None:
        super().__init__("ended", f"says: {words}")
        self.words = words


class BotPlayer:
    """A bot in one game, or in one certification."""

    def __init__(self, bot: Bot, seed: int = 0) -> None:
        self.bot = bot
        self.seed = seed
        self.told = 0  # which start of the bot has heard of this game

    @property
    def name(self) -> str:
        """The name that the bot gave itself."""
        return self.bot.name

    def __str__(self) -> str:
        return self.name

    def __call__(self, position: Position) -> Cell:
        return played(position, _move(self._ask(position)))[0]

    def choices(self, position: Position) -> list[Cell]:
        """The cells among which the bot says that it chooses, or else its one move."""
        answer = self._ask(position)
        several = answer.get("choices", [_move(answer)])
        if not isinstance(several, list) or not several:
            raise Forfeit(position, f"its choices should be a list of cells, not {brief(several)}")
        return [played(position, move)[0] for move in several]

    def _ask(self, position: Position) -> Message:
        bot = self.bot
        try:
            if bot.channel is None or self.told != bot.starts:
                bot.begin(position.game, self.seed)
                self.told = bot.starts
            return bot.ask(question(position, bot.time_limit))
        except Failed as failed:
            if isinstance(failed, Declined) and not bot.accepted:
                raise CannotPlay(f"{bot.name} does not play {position.game}: {failed.words}") from None
            raise Forfeit(position, f"it {failed.problem}") from None


class ProgramPlayer(BotPlayer):
    """A bot that is a program, and can go on in a fresh process."""

    def renew(self) -> None:
        """Go on in a process which knows nothing of the one before; it is started when it is next asked."""
        self.bot.stop()


def question(position: Position, seconds: float) -> Message:
    """The question for a move.

    >>> asked = question(Position.parse("X.O/.X./..O"), 10.0)
    >>> asked["turn"], asked["board"], asked["moves"]
    ('X', ['X.O', '.X.', '..O'], [1, 3, 5, 6, 7])
    """
    return {
        "ask": "move", "game": str(position.game), "position": str(position), "board": board_rows(position),
        "turn": str(position.turn), "moves": position.moves(), "seconds": seconds,
    }  # fmt: skip


def _move(answer: Message) -> Any:
    """What a bot answered as its move: the cell, a row and a column, or the text; played or not."""
    move = answer.get("cell", answer.get("move"))
    return tuple(move) if isinstance(move, list) else move


def split(text: str) -> list[str]:
    """The words of a command after `bot:`; none for an address, which is checked where it is used.

    >>> split("bot:node 'my bot.js' 3") if shutil.which("node") else ["node", "my bot.js", "3"]
    ['node', 'my bot.js', '3']
    """
    if not text.startswith(PREFIX):
        return []
    try:
        command = shlex.split(text.removeprefix(PREFIX))
    except ValueError as problem:
        raise InvalidPlayer(f"{brief(text)} is not a command: {str(problem).lower()}") from None
    if not command:
        raise InvalidPlayer(f"{brief(text)} names no program: expected one, as in bot:python mine.py")
    if shutil.which(command[0]) is None:
        raise InvalidPlayer(f"there is no program {brief(command[0])} that could be a bot")
    return command


def bot_player(bot: Bot, seed: int = 0) -> BotPlayer:
    """A bot as a player, with this seed."""
    return (ProgramPlayer if bot.command else BotPlayer)(bot, seed)
