"""Plugins broken in every way, and how to install a package for real in a directory on the path."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

SHIPPED = ["d100_wwii", "facing_armor", "gurps_vehicle"]

HEAD = "from mantlet import RulesetEntry, hookimpl\nmantlet_api = 2\n"


def entry(name: str, /, load: str = "", **more: Any) -> str:
    """A RulesetEntry as source text."""
    values = {"name": name, "version": "1", "title": "T", "summary": "S", "load": load or f"{name}_rules:Rules", **more}
    return f"RulesetEntry({', '.join(f'{k}={v!r}' for k, v in values.items())})"


def hook(name: str, body: str, arguments: str = "") -> str:
    return f"{HEAD}@hookimpl\ndef {name}({arguments}):\n    {body}\n"


SOUND_PLUGIN = hook("mantlet_rulesets", f"return [{entry('sound')}]")


def with_api(stated: str) -> str:
    """A sound plugin that states another plugin API."""
    return SOUND_PLUGIN.replace("mantlet_api = 2", f"mantlet_api = {stated}")


SOUND_RULES = """
from mantlet import Plan, Ruleset, outcome

class Rules(Ruleset):
    name = "sound"
    version = "1"
    title = "T"
    summary = "S"

    def covers(self, attack, target):
        return None

    def plan(self, attack, target):
        return Plan(attack=attack, target=target)

    def resolve(self, dice, plan, condition):
        return outcome(0, condition)
"""


@dataclass(frozen=True)
class Kind:
    """One way a plugin can be broken, and what has to be said of it."""

    name: str
    source: str | None
    said: str


KINDS = [
    Kind("import_error", "import no_such_module_anywhere", "ModuleNotFoundError: No module named 'no_such_module"),
    Kind("no_module", None, "ModuleNotFoundError: No module named 'no_module_plugin'"),
    Kind("syntax_error", "def broken(:\n", "importing it raised SyntaxError"),
    Kind("exits", "raise SystemExit(3)", "importing it raised SystemExit: 3"),
    Kind("odd_exception", "class Odd(BaseException): pass\nraise Odd('never mind')", "raised Odd: never mind"),
    Kind(
        "unprintable",
        "class Mute(Exception):\n    def __str__(self): raise ValueError('no text')\nraise Mute()",
        "importing it raised Mute",
    ),
    Kind("recursion", "def f(): return f()\nf()", "importing it raised RecursionError"),
    Kind("null_byte", "\0", "null bytes"),
    Kind(
        "other_api", SOUND_PLUGIN.replace("mantlet_api = 2", "mantlet_api = 99"), "API 99, and this mantlet supports 2"
    ),
    Kind(
        "text_api",
        SOUND_PLUGIN.replace("mantlet_api = 2", "mantlet_api = '2'"),
        "its mantlet_api is '2', and it has to be a version such as 2",
    ),
    Kind("no_api", SOUND_PLUGIN.replace("mantlet_api = 2", ""), "set mantlet_api = 2"),
    Kind(
        "misspelt_hook",
        hook("mantlet_ruleset", "return []"),
        "there is no hook mantlet_ruleset; did you mean mantlet_rulesets?",
    ),
    Kind("unmarked_hook", HEAD + "def mantlet_rulesets(): return []", "mantlet_rulesets is not marked with @"),
    Kind("no_hook", HEAD, "it implements no hook"),
    Kind("argument", hook("mantlet_rulesets", "return []", "catalog"), "no arguments, and it has catalog"),
    Kind("default_argument", hook("mantlet_rulesets", "return []", "extra=1"), "no arguments, and it has extra"),
    Kind("no_return", hook("mantlet_rulesets", "[]"), "a list, not nothing: is its return missing?"),
    Kind("hook_raises", hook("mantlet_rulesets", "return 1 / 0"), "it raised ZeroDivisionError: division by zero"),
    Kind("hook_exits", hook("mantlet_rulesets", "raise SystemExit('bye')"), "it raised SystemExit: bye"),
    Kind("returns_number", hook("mantlet_rulesets", "return 42"), "it has to return a list, not int"),
    Kind("returns_text", hook("mantlet_rulesets", "return 'facing_armor'"), "it has to return a list, not str"),
    Kind("returns_dict", hook("mantlet_rulesets", "return {'a': 1}"), "it has to return a list, not dict"),
    Kind("wrong_item", hook("mantlet_rulesets", "return ['facing']"), "expected a mantlet.RulesetEntry, not str"),
    Kind("missing_field", hook("mantlet_rulesets", "return [RulesetEntry(name='x')]"), "it raised TypeError"),
    Kind(
        "number_as_name",
        hook("mantlet_rulesets", f"return [{entry('x', name=7)}]"),
        "the name of a ruleset has to be a text",
    ),
    Kind("bad_name", hook("mantlet_rulesets", f"return [{entry('Bad Name', load='a:B')}]"), "is no ruleset name"),
    Kind(
        "bad_load",
        hook("mantlet_rulesets", f"return [{entry('bad_load', load='rules.py')}]"),
        "module:Class, not 'rules.py'",
    ),
    Kind(
        "taken_ruleset",
        hook("mantlet_rulesets", f"return [{entry('facing_armor')}]"),
        "the ruleset name facing_armor is taken by mantlet 0.1.0",
    ),
    Kind("wrong_command", hook("mantlet_commands", "return [print]"), "expected a click command, not builtin_function"),
    Kind(
        "taken_command",
        HEAD + "import click\n@click.command('attack')\ndef mine(): pass\n"
        "@hookimpl\ndef mantlet_commands(): return [mine]\n",
        "the command name attack is taken by mantlet itself",
    ),
    Kind(
        "no_directory",
        hook("mantlet_catalogs", "import pathlib; return [pathlib.Path('/no/where')]"),
        "is no directory",
    ),
    Kind("text_directory", hook("mantlet_catalogs", "return ['data']"), "expected a directory"),
    Kind("wrong_exporter", hook("mantlet_exporters", "return [print]"), "expected a pair of format name and function"),
    Kind("taken_format", hook("mantlet_exporters", "return [('json', repr)]"), "the format json is taken"),
    Kind("taken_suffix", hook("mantlet_importers", "return [('.toml', open)]"), "the file suffix .toml is taken"),
    Kind("no_suffix", hook("mantlet_importers", "return [('json', open)]"), "has to begin with a dot"),
    Kind("wrong_observer", hook("mantlet_observers", "return [1]"), "expected a function, not int"),
    Kind(
        "half_list",
        HEAD + f"@hookimpl\ndef mantlet_rulesets():\n    yield {entry('half')}\n    raise ValueError('half way')\n",
        "it raised ValueError: half way",
    ),
]


def install(where: Path, distribution: str, **modules: str | None) -> Path:
    """Install a package the way pip leaves it: its modules, and a dist-info directory with the entry point.

    The module `PLUGIN_plugin` is the entry point PLUGIN. A module given as None is left out.
    """
    for name, source in modules.items():
        if source is not None:
            (where / f"{name}.py").write_text(source, "utf-8")
    info = where / f"{distribution}-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {distribution}\nVersion: 1.0\n", "utf-8")
    lines = [f"{name.removesuffix('_plugin')} = {name}" for name in modules if name.endswith("_plugin")]
    (info / "entry_points.txt").write_text("[mantlet]\n" + "\n".join(lines) + "\n", "utf-8")
    return where
