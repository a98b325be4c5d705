"""A campaign's folder: what lies in it, how it is found and made, and what mantlet itself writes into its file."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import tomlkit

from mantlet.campaign.replacing import replace_file
from mantlet.campaign.settings import FILE
from mantlet.catalog.user_files import decode, read_bytes
from mantlet.errors import CatalogError, sentence

JOURNAL: Final = "journal.sqlite"
"""The name of the journal in the folder."""

_IGNORED: Final = f"""# The journal is no text: under version control goes what mantlet log --format json prints.
/{JOURNAL}
/{JOURNAL}-journal
/*.bak
"""
_TEMPLATE: Final = """# A campaign of mantlet, to be edited by hand. mantlet campaign check says what is wrong with it.
title = ""
ruleset = ""

# Your own weapons and targets, as files beside this one: catalogs = ["house.toml"]
catalogs = []

# How the rules are read: [options.RULESET], with a line such as  key = value  for each.

# Who is in it: mantlet targets and mantlet weapons list what there is. Besides target, all may be left out.
[roster.Greta]
target = "sdkfz_251"
side = "ours"
skill = "trained"  # green, trained, veteran, ace; or skill_percent = 60; or skills = { gurps_vehicle = 13 }
seats = { driver = "Ilse" }  # who sits where; "" is an empty seat

[roster.Berta]
target = "pz4_h"
side = "ours"
weapon = "de_75_kwk40"  # what it fires where nothing else is named

[roster.sherman_1]
target = "m4a1_75_dry"
side = "theirs"
"""


def find_folder(given: Path | None) -> Path:
    """The folder of a campaign: the one given, else the current one or the nearest above it that has a campaign.

    Raises CatalogError where there is none.
    """
    if given is not None:
        if not (given / FILE).exists():
            raise CatalogError(f"{given} is no campaign: it has no {FILE}. mantlet campaign new {given} makes one.")
        return given
    here = Path.cwd()
    for folder in (here, *here.parents):
        if (folder / FILE).exists():
            return Path() if folder == here else folder
    raise CatalogError(f"This is no campaign: there is no {FILE} here or above. mantlet campaign new FOLDER makes one.")


def make_folder(folder: Path, title: str, ruleset: str) -> None:
    """Make a campaign that can be played at once. Raises CatalogError where there is one, or it cannot be written."""
    if (folder / FILE).exists() or (folder / JOURNAL).exists():
        raise CatalogError(f"{folder} is a campaign already. It is left as it is.")
    document = tomlkit.parse(_TEMPLATE)
    document["title"] = title
    document["ruleset"] = ruleset
    try:
        folder.mkdir(parents=True, exist_ok=True)
        ignore = folder / ".gitignore"
        if not ignore.exists():
            ignore.write_text(_IGNORED, "utf-8")
        (folder / FILE).write_text(tomlkit.dumps(document), "utf-8")
    except OSError as error:
        raise CatalogError(f"{folder} cannot be made a campaign: {sentence(error.strerror or error)}") from None


def write_ruleset(folder: Path, ruleset: str) -> None:
    """Put another ruleset into the campaign's file; its comments and order stay. Raises CatalogError."""
    file = folder / FILE
    before = read_bytes(file, str(file))
    document = tomlkit.parse(decode(before, str(file)))
    document["ruleset"] = ruleset
    replace_file(file, tomlkit.dumps(document).encode("utf-8"), before)
