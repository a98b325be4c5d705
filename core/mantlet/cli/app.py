"""The `mantlet` command: finds the sub-command asked for, and turns every error into one sentence and an exit code."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from typing import Any, NoReturn

import click

from mantlet import __version__
from mantlet.cli.gate import behind, gated
from mantlet.cli.session import DEBUG_VARIABLE, loaded_plugins, show_traceback, warn
from mantlet.cli.startup import COMMANDS, no_last_collection, own_command
from mantlet.errors import MantletError, line_raised, nearest, sentence
from mantlet.plugins.registry import Watch, unwatched, watched, why

INTERRUPTED = 130


class Commands(click.Group):
    """The commands of mantlet; plugins are loaded for names that it does not know."""

    guest: str = ""
    """The command of a plugin that is running, and which plugin, for an error that it does not catch."""
    watch: Watch = staticmethod(unwatched)
    """What watches plugins: something in a process of its own, nothing where a program calls this."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [*COMMANDS, *sorted(_plugin_commands(ctx))]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name in COMMANDS:
            return own_command(cmd_name)
        command_of_plugin = _plugin_commands(ctx).get(cmd_name)
        if command_of_plugin is not None:
            self.guest = f"{cmd_name} of {loaded_plugins(ctx).owner_of(command_of_plugin)}"
        return command_of_plugin

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        command = self.get_command(ctx, args[0])
        if command is None:
            near = nearest(args[0], self.list_commands(ctx))
            hint = f" Did you mean {' or '.join(near)}?" if near else ""
            ctx.fail(f"No command is called {args[0]!r}.{hint}")
        _refuse_repeated(command, ctx, args)
        return args[0], command, args[1:]

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        rows = []
        self.guest = ""
        for name in self.list_commands(ctx):
            try:
                command = self.get_command(ctx, name)
                if command is not None and not command.hidden:
                    rows.append((name, command.get_short_help_str(limit=80)))
            except Exception as error:  # a plugin's command
                rows.append((name, f"(broken: {type(error).__name__})"))
        with formatter.section("Commands"):
            formatter.write_dl(rows)

    def main(self, *args: Any, standalone_mode: bool = True, **extra: Any) -> Any:
        settings: dict[str, Any] = {**extra, "standalone_mode": False}
        return self._run(args, settings) if standalone_mode else super().main(*args, **settings)

    def _run(self, args: tuple[Any, ...], settings: dict[str, Any]) -> NoReturn:
        """The command from beginning to end: every error is told, and everything printed goes through the gate."""
        self.guest = ""
        if sys.stdout is None:  # closed by the shell: the next file opened would take its place
            self._end("Error: There is no standard output: it is closed, so that nothing can be told.", 1)
        _tolerate_any_text()
        with gated():
            self._invoke_and_exit(args, settings)

    def _invoke_and_exit(self, args: tuple[Any, ...], settings: dict[str, Any]) -> NoReturn:
        try:
            code = super().main(*args, **settings)
            sys.stdout.flush()
        except (click.Abort, KeyboardInterrupt, EOFError):
            self._end("Aborted.", INTERRUPTED)
        except click.ClickException as error:
            asked = isinstance(error, getattr(click.exceptions, "NoArgsIsHelpError", ()))  # new in click 8.2
            self._end(error.format_message() if asked else f"Error: {_usage(error)}", error.exit_code)
        except MantletError as error:
            show_traceback()
            self._end(f"Error: {error}", error.exit_code)
        except BrokenPipeError:
            _let_go_of_stdout()
            code = 1
        except OSError as error:
            show_traceback()
            _let_go_of_stdout()
            what = f"{error.filename} cannot be used" if error.filename else "The output cannot be written"
            self._end(f"Error: {what}: {sentence(error.strerror or error)}", 1)
        except Exception as error:
            show_traceback()
            self._end(self._unforeseen(error), 1)
        sys.exit(code if type(code) is int else 0)

    def _unforeseen(self, error: Exception) -> str:
        who = f"The command {self.guest}" if self.guest else "mantlet itself"
        what = sentence(why(error) + (line_raised(error) if self.guest else ""))
        return (
            f"Error: {who} failed with {what} This is a fault in "
            f"{'that plugin' if self.guest else 'mantlet'}, not in what you typed; set {DEBUG_VARIABLE}=1 to see where."
        )

    def _end(self, message: str, code: int) -> NoReturn:
        try:
            sys.stdout.flush()
        except Exception:
            _let_go_of_stdout()
        click.echo(message, err=True)
        sys.exit(code)


def _refuse_repeated(command: click.Command, ctx: click.Context, args: list[str]) -> None:
    """Refuse an option of one value that is given twice, where click would take the last without a word."""
    if isinstance(command, click.Group):
        return
    own = command.context_class(command, info_name=args[0], parent=ctx, **command.context_settings)
    _, _, given = command.make_parser(own).parse_args(args[1:])
    for param in given:
        once = isinstance(param, click.Option) and not param.multiple and not param.count
        if once and given.count(param) > 1:
            names = "/".join([*param.opts, *param.secondary_opts])
            own.fail(f"{names} is given {given.count(param)} times, and takes one value.")


def _plugin_commands(ctx: click.Context) -> dict[str, click.Command]:
    plugins = loaded_plugins(ctx, commands=True)
    warn(ctx)
    return plugins.commands


def _usage(error: click.ClickException) -> str:
    message = error.format_message()
    context = getattr(error, "ctx", None)
    if context is None:
        return message
    return f"{sentence(message)} See {context.command_path} --help."


def _tolerate_any_text() -> None:
    """Let output to a terminal of a small character set lose a letter, never the result."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="replace" if stream is sys.stdout else "backslashreplace")


def _let_go_of_stdout() -> None:
    """Nobody reads stdout any more: point it at nothing, so that the interpreter does not fail on its way out."""
    with suppress(OSError, ValueError, AttributeError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), behind(sys.stdout).fileno())


@click.group(
    cls=Commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="An attack and its odds: see mantlet attack --help, mantlet odds --help and mantlet compare --help.",
)
@click.version_option(__version__, "-V", "--version", prog_name="mantlet", message="%(prog)s %(version)s")
@click.pass_context
def cli(ctx: click.Context) -> None:
    """This weapon, fired like this, at that target: what happens, and how likely was it? Under any ruleset."""
    if os.environ.get("NO_COLOR"):
        ctx.color = False


def main() -> None:
    """The entry point of the `mantlet` command; ends the process with its exit code."""
    cli.watch = watched
    try:
        cli.main(prog_name="mantlet")
    finally:
        no_last_collection()
