"""`mantlet new-ruleset`: a package to begin with."""

from __future__ import annotations

from pathlib import Path

import click

from mantlet.plugins.skeleton import write_skeleton


@click.command("new-ruleset", short_help="Write a new ruleset package to begin with.")
@click.argument("name")
@click.option(
    "--directory",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    default=Path(),
    help="Where to make the package's directory; here by default.",
)
def new_ruleset(name: str, directory: Path) -> None:
    """Write a new ruleset package called NAME: complete, installable, with tests that pass.

    \b
    Examples:
      mantlet new-ruleset my_rules
    """
    for file in write_skeleton(name, directory):
        click.echo(file)
    click.echo(f"\nNext: pip install -e {directory / name}, then mantlet rulesets.")
