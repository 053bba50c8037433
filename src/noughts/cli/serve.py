"""noughts serve: the web laboratory."""

from __future__ import annotations

import click

from noughts.cli.kit import command, option
from noughts.solve.cache import cache_limit


@command
@option(
    "--port",
    type=click.IntRange(0, 65535),
    help="The port; 0 takes any free one.  [default: 8765 or the next free one]",
)
@option("--host", default="127.0.0.1", metavar="ADDRESS", help="The address to listen on.")
@option(
    "--browser/--no-browser",
    default=True,
    show_default=False,
    help="Open the page in the browser (the default), or not.",
)
@option(
    "--bot",
    "bots",
    multiple=True,
    metavar="NAME=PLAYER",
    help="Offer a bot of yours in matches, as in mine=bot:COMMAND or mine=http://HOST/PATH; may be repeated.",
)
@option("--uwapi", is_flag=True, help="Be a data provider for GamesCrafters' page, too, at /uwapi.")
@option(
    "--class",
    "word",
    metavar="WORD",
    help="Let a class follow your page: whoever knows this word sees its board, tab and step.",
)
@option(
    "--allow-origin",
    "origins",
    multiple=True,
    metavar="ORIGIN",
    help="Let pages of this origin, as in https://example.org, ask this server and frame its boards; may be repeated.",
)
def run(
    port: int | None,
    host: str,
    browser: bool,
    bots: tuple[str, ...],
    uwapi: bool,
    word: str | None,
    origins: tuple[str, ...],
) -> None:
    """Open the web laboratory: play, lose, and see why.

    Serves the page and its API on this machine only, unless --host says otherwise, until Ctrl-C. Nobody who asks can
    have another program started than those that --bot names.
    """
    from noughts.play.by_name import offered
    from noughts.web.guard import read_origin
    from noughts.web.lesson import Lesson, read_word
    from noughts.web.server import CannotServe, serve

    cache_limit()  # a limit that cannot be read is refused now, not at somebody's first question
    try:
        lesson = Lesson(read_word(word)) if word is not None else None
        offers = {"bots": offered(bots), "uwapi": uwapi, "origins": [read_origin(each) for each in origins]}
        serve(host, port, browser=browser, say=lambda line: click.echo(line, err=True), lesson=lesson, **offers)
    except CannotServe as problem:
        raise click.ClickException(str(problem)) from None
