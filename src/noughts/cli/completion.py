"""noughts completion: what makes a shell complete the command."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

from noughts.cli import cli
from noughts.cli.kit import argument, command


@command
@argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def run(shell: str) -> None:
    """Print the shell's completion script.

    \b
    ~/.bashrc    eval "$(noughts completion bash)"
    ~/.zshrc     eval "$(noughts completion zsh)"
    fish         noughts completion fish > ~/.config/fish/completions/noughts.fish
    """
    made = get_completion_class(shell)
    assert made
    click.echo(made(cli, {}, "noughts", "_NOUGHTS_COMPLETE").source())
