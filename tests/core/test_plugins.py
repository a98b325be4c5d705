"""Plugins installed for real in a directory on the path: each way of being broken is named, and the rest works."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import mantlet
from broken_plugins import HEAD, KINDS, SHIPPED, SOUND_PLUGIN, SOUND_RULES, Kind, entry, hook, install, with_api
from mantlet import PluginError, Plugins, Table, UnknownNameError, load_plugins
from mantlet.plugins.registry import RulesetEntry, why


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A directory on the path for plugins, whose modules are forgotten afterwards."""
    monkeypatch.syspath_prepend(tmp_path)
    before = set(sys.modules)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    yield tmp_path
    for name in set(sys.modules) - before:
        file = getattr(sys.modules[name], "__file__", None) or ""
        if file.startswith(str(tmp_path)):
            del sys.modules[name]


def loaded_with(site: Path, distribution: str, **modules: str | None) -> Plugins:
    install(site, distribution, **modules)
    return load_plugins(taken=["attack", "rulesets"])


def faults(plugins: Plugins) -> str:
    return "\n".join(fault.text for fault in plugins.broken)


def test_the_shipped_plugins_come_through_the_same_door() -> None:
    plugins = load_plugins()
    assert list(plugins.rulesets)[:3] == SHIPPED
    assert {str(plugins.origins[name]) for name in SHIPPED} == {f"mantlet {mantlet.__version__}"}


def test_a_sound_plugin_is_found_and_works(site: Path) -> None:
    plugins = loaded_with(site, "sound", sound_plugin=SOUND_PLUGIN, sound_rules=SOUND_RULES)
    assert not plugins.broken
    assert list(plugins.rulesets) == [*SHIPPED, "sound"]
    assert str(plugins.origins["sound"]) == "sound 1.0"
    assert "sound_rules" not in sys.modules, "the ruleset itself is imported when it is used"
    assert plugins.ruleset("sound").name == "sound"


@pytest.mark.parametrize("stated", ["2", "(2, 2)", "(1, 2)", "(2, 9)"])
def test_a_plugin_states_one_api_version_or_the_first_and_the_last(site: Path, stated: str) -> None:
    assert not loaded_with(site, "sound", sound_plugin=with_api(stated), sound_rules=SOUND_RULES).broken


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_a_broken_plugin_is_named_with_its_reason_and_the_rest_works(kind: Kind, site: Path) -> None:
    install(site, "sound", sound_plugin=SOUND_PLUGIN, sound_rules=SOUND_RULES)
    plugins = loaded_with(site, "bad", **{f"{kind.name}_plugin": kind.source})
    (fault,) = plugins.broken
    assert (fault.plugin, fault.origin) == (kind.name, "bad 1.0")
    assert kind.said in fault.text
    assert not fault.part or f"{kind.name}_plugin.py, line " in fault.text
    assert "\n" not in fault.text
    assert set(plugins.rulesets) == {*SHIPPED, "sound"}
    assert plugins.ruleset("sound").name == "sound"


def test_all_kinds_at_once(site: Path) -> None:
    for kind in KINDS:
        install(site, f"dist-{kind.name}", **{f"{kind.name}_plugin": kind.source})
    plugins = load_plugins(taken=["attack"])
    assert [fault.plugin for fault in plugins.broken] == sorted(kind.name for kind in KINDS)
    assert list(plugins.rulesets) == SHIPPED


def test_what_a_plugin_prints_stays_out_of_the_output(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = hook("mantlet_rulesets", f"print('in the hook'); return [{entry('sound')}]") + "print('at import')\n"
    plugins = loaded_with(site, "loud", sound_plugin=source, sound_rules="print('rules')" + SOUND_RULES)
    plugins.ruleset("sound")
    said = capsys.readouterr()
    assert (said.out, said.err) == ("", "at import\nin the hook\nrules\n")


# -- a plugin that is partly sound -----------------------------------------------------------------------------------


def test_what_works_of_a_plugin_is_kept(site: Path) -> None:
    source = SOUND_PLUGIN + "@hookimpl\ndef mantlet_commands():\n    raise OSError('no commands today')\n"
    plugins = loaded_with(site, "sound", sound_plugin=source, sound_rules=SOUND_RULES)
    assert faults(plugins) == (
        "mantlet_commands of plugin sound (sound 1.0) is left out: it raised OSError: no commands today "
        f"(in mantlet_commands, {site}/sound_plugin.py, line 8)"
    )
    assert "sound" in plugins.rulesets


def test_one_bad_entry_among_good_ones(site: Path) -> None:
    entries = f"[{entry('good_one')}, {entry('facing_armor')}, 5, {entry('good_two')}]"
    plugins = loaded_with(site, "mixed", mixed_plugin=hook("mantlet_rulesets", f"return {entries}"))
    assert list(plugins.rulesets) == [*SHIPPED, "good_one", "good_two"]
    assert len(plugins.broken) == 2


# -- metadata --------------------------------------------------------------------------------------------------------


def test_two_plugins_of_one_entry_point_name_both_work(site: Path) -> None:
    for n in ("one", "two"):
        install(site, f"pack-{n}", **{f"{n}_plugin": hook("mantlet_rulesets", f"return [{entry(f'rules_{n}')}]")})
        text = (site / f"pack-{n}-1.0.dist-info" / "entry_points.txt").read_text("utf-8")
        (site / f"pack-{n}-1.0.dist-info" / "entry_points.txt").write_text(text.replace(f"{n} =", "same ="), "utf-8")
    plugins = load_plugins()
    assert not plugins.broken
    assert str(plugins.origins["rules_one"]) == "pack-one 1.0"
    assert str(plugins.origins["rules_two"]) == "pack-two 1.0"


def test_the_first_of_two_copies_of_a_package_counts(
    site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    second = tmp_path / "second"
    second.mkdir()
    install(site, "sound", sound_plugin=SOUND_PLUGIN)
    install(second, "Sound", sound_plugin="raise RuntimeError('the shadowed copy')")
    monkeypatch.setattr(sys, "path", [*sys.path, str(second)])
    plugins = load_plugins()
    assert not plugins.broken
    assert str(plugins.origins["sound"]) == "sound 1.0"


def test_an_unreadable_entry_points_file_is_named(site: Path) -> None:
    install(site, "garbled", garbled_plugin=SOUND_PLUGIN)
    (site / "garbled-1.0.dist-info" / "entry_points.txt").write_text("[mantlet]\nno equals sign\n", "utf-8")
    assert "garbled (garbled 1.0) is left out: its entry_points.txt cannot be read" in faults(load_plugins())


def test_metadata_that_is_no_text_breaks_nothing(site: Path) -> None:
    install(site, "sound", sound_plugin=SOUND_PLUGIN)
    (site / "sound-1.0.dist-info" / "METADATA").write_bytes(b"\xff\xfe\x00")
    other = site / "other-2.dist-info"
    other.mkdir()
    (other / "entry_points.txt").write_bytes(b"[mantlet]\n\xff = \xfe\n")
    plugins = load_plugins()
    assert "sound" in plugins.rulesets
    assert "without readable metadata" in str(plugins.origins["sound"])


def test_a_package_without_metadata_still_has_an_origin(site: Path) -> None:
    install(site, "sound", sound_plugin=SOUND_PLUGIN)
    (site / "sound-1.0.dist-info" / "METADATA").unlink()
    assert str(load_plugins().origins["sound"]).startswith("a package without")


def test_a_plugin_can_be_left_alone(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(site, "hangs", hangs_plugin="raise RuntimeError('as if it hung')")
    assert load_plugins(skip=["hangs"]).broken == []
    monkeypatch.setenv("MANTLET_SKIP_PLUGINS", "other, hangs")
    assert load_plugins().broken == []


def test_plugins_given_directly_need_no_installation() -> None:
    module = ModuleType("direct")
    exec(SOUND_PLUGIN, module.__dict__)
    plugins = load_plugins([("direct", module), ("silly", object())])
    assert str(plugins.origins["sound"]) == "given directly"
    assert [fault.plugin for fault in plugins.broken] == ["silly"]


def test_an_interrupt_is_the_users_and_passes(site: Path) -> None:
    install(site, "slow", slow_plugin="raise KeyboardInterrupt")
    with pytest.raises(KeyboardInterrupt):
        load_plugins()


def test_an_object_that_fights_back_is_named() -> None:
    class Hostile:
        mantlet_api = 2

        def __getattr__(self, name: str) -> Any:
            raise RuntimeError("hands off")

        @property
        def color(self) -> str:
            raise RuntimeError("hands off")

    class Unreadable:
        @property
        def mantlet_api(self) -> int:
            raise RuntimeError("hands off")

    plugins = load_plugins([("hostile", Hostile()), ("unreadable", Unreadable())])
    assert [(fault.plugin, "hands off" in fault.text) for fault in plugins.broken] == [
        ("hostile", True),
        ("unreadable", True),
    ]


# -- a ruleset that breaks when it is used ---------------------------------------------------------------------------

CLASSES = {
    "missing_module": (None, "ModuleNotFoundError: No module named 'sound_rules'"),
    "missing_class": ("x = 1", "has no attribute 'Rules'"),
    "import_fails": ("raise OSError('disk gone')", "OSError: disk gone"),
    "import_exits": ("raise SystemExit(1)", "SystemExit: 1"),
    "no_ruleset": ("class Rules: pass", "is no subclass of mantlet.Ruleset"),
    "no_class": ("Rules = 5", "is no subclass of mantlet.Ruleset"),
    "abstract": (SOUND_RULES.partition("    def resolve")[0], "does not define resolve"),
    "other_name": (SOUND_RULES.replace('name = "sound"', 'name = "noise"'), "calls itself noise 1, but is registered"),
    "other_version": (SOUND_RULES.replace('version = "1"', 'version = "2"'), "calls itself sound 2, but is registered"),
    "no_name": (SOUND_RULES.replace('name = "sound"', ""), "calls itself None 1"),
    "cannot_be_made": (SOUND_RULES + "\n    def __init__(self, options=None):\n        1 / 0\n", "cannot be set up"),
}


@pytest.mark.parametrize("kind", CLASSES)
def test_a_ruleset_that_cannot_be_used_is_named_and_the_others_are_used(kind: str, site: Path) -> None:
    source, said = CLASSES[kind]
    install(site, "fine", fine_plugin=hook("mantlet_rulesets", f"return [{entry('fine')}]"))
    (site / "fine_rules.py").write_text(SOUND_RULES.replace('"sound"', '"fine"'), "utf-8")
    plugins = loaded_with(site, "bad", sound_plugin=SOUND_PLUGIN, sound_rules=source)
    assert not plugins.broken, "a listing does not import what it lists"
    with pytest.raises(PluginError, match="Ruleset sound") as caught:
        plugins.ruleset("sound")
    assert said in str(caught.value)
    for name in SHIPPED:
        del plugins.rulesets[name]
    assert [ruleset.name for ruleset in plugins.working_rulesets()] == ["fine"]
    plugins.working_rulesets()
    (fault,) = plugins.broken
    assert said in fault.text
    assert "(bad 1.0)" in fault.text


def test_a_misspelt_ruleset_gets_the_nearest_name() -> None:
    with pytest.raises(UnknownNameError, match="Did you mean facing_armor"):
        load_plugins().ruleset("facing_armour")


# -- functions of plugins --------------------------------------------------------------------------------------------

FUNCTIONS = (
    HEAD
    + """
seen = []
def fails(*arguments): raise RuntimeError("not today")
def sees(outcome, account): seen.append(outcome)
@hookimpl
def mantlet_observers(): return [fails, sees]
@hookimpl
def mantlet_exporters(): return [("csv", lambda table: table.name), ("bad", fails), ("odd", lambda table: 5)]
@hookimpl
def mantlet_importers(): return [(".json", lambda path: __import__("json").loads(path.read_text())), (".bad", fails)]
"""
)


def test_an_observer_that_raises_is_named_once_and_the_others_are_told(site: Path) -> None:
    plugins = loaded_with(site, "watch", watch_plugin=FUNCTIONS)
    outcome: Any = object()
    account: Any = object()
    plugins.observe(outcome, account)
    plugins.observe(outcome, account)
    assert sys.modules["watch_plugin"].seen == [outcome, outcome]
    assert faults(plugins) == (
        "An observer of plugin watch (watch 1.0) is left out: it raised RuntimeError: not today "
        f"(in fails, {site}/watch_plugin.py, line 5)"
    )


def test_exporters(site: Path) -> None:
    plugins = loaded_with(site, "watch", watch_plugin=FUNCTIONS)
    table: Any = Table("fires", "1d2", [mantlet.Row(1, 2, "x")])
    assert plugins.export("csv", table) == "fires"
    with pytest.raises(PluginError, match=r"format bad of plugin watch .watch 1.0. raised RuntimeError: not today"):
        plugins.export("bad", table)
    with pytest.raises(PluginError, match="gave int and not text"):
        plugins.export("odd", table)
    with pytest.raises(UnknownNameError, match="Did you mean csv"):
        plugins.export("cvs", table)


def test_importers(site: Path) -> None:
    plugins = loaded_with(site, "watch", watch_plugin=FUNCTIONS)
    mine = site / "my.json"
    cart = {"id": "hay", "name": "Hay cart", "kind": "vehicle", "body": "wagon"}
    cart["seats"] = [{"role": "driver", "compartment": "front"}]
    mine.write_text(json.dumps({"target": [cart]}), "utf-8")
    assert plugins.catalog([mine]).target("hay").name == "Hay cart"
    mine.write_text(json.dumps({"target": [{**cart, "body": "waggon"}]}), "utf-8")
    with pytest.raises(mantlet.CatalogError, match=r"my\.json.*body"):
        plugins.catalog([mine])
    with pytest.raises(PluginError, match=r"reader of \.bad files, given my\.bad, of plugin watch"):
        plugins.import_file(Path("my.bad"))
    with pytest.raises(PluginError, match=r"No plugin reads files that end in \.xml"):
        plugins.import_file(Path("my.xml"))


CYCLE: dict[str, Any] = {"target": []}
CYCLE["target"].append(CYCLE)
WIDE: list[Any] = []
for _ in range(25):
    WIDE = [WIDE, WIDE]


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (None, "gave nothing, and has to give a mapping: is its return missing?"),
        ([1, 2], "gave list, and has to give a mapping"),
        ("text", "gave str, and has to give a mapping"),
        (b"abc", "gave bytes, and has to give a mapping"),
        (5, "gave int, and has to give a mapping"),
        ({1: 2}, "gave the key 1, and keys have to be texts"),
        ({"weapon": [{None: 2}]}, "gave the key None, and keys have to be texts"),
        (CYCLE, "gave data nested more than 32 levels deep, or holding itself"),
        ({"weapon": WIDE}, "gave more than 1,000,000 values"),
    ],
    ids=["none", "list", "text", "bytes", "number", "key", "inner_key", "cycle", "too_much"],
)
def test_an_importer_has_to_give_plain_data(given: Any, said: str, tmp_path: Path) -> None:
    def read(path: Path) -> Any:
        return given

    module = ModuleType("odd")
    exec(HEAD + "@hookimpl\ndef mantlet_importers(): return [('.foo', read)]\n", module.__dict__)
    module.__dict__["read"] = read
    plugins = load_plugins([("odd", module)])
    with pytest.raises(PluginError) as caught:
        plugins.catalog([tmp_path / "my.foo"])
    assert f"of plugin odd (given directly) {said} (in " in str(caught.value)
    assert f"test_plugins.py, line {read.__code__.co_firstlineno})." in str(caught.value)


# -- catalogs of plugins ---------------------------------------------------------------------------------------------

PISTOL = 'id = "flare_gun"\nname = "Flare gun"\nkind = "pistol"\n[[ammunition]]\nid = "flare"\nkind = "incendiary"\n'


def test_a_bad_file_in_a_plugins_catalog_leaves_the_rest(site: Path) -> None:
    pack = site / "pack_data"
    weapons = pack / "weapons"
    weapons.mkdir(parents=True)
    (weapons / "flare_gun.toml").write_text(PISTOL, "utf-8")
    (weapons / "bad_gun.toml").write_text('id = "bad_gun"\nname = "Bad"\nkind = "pisstol"\n', "utf-8")
    source = hook("mantlet_catalogs", "import pathlib; return [pathlib.Path(__file__).parent / 'pack_data']")
    plugins = loaded_with(site, "pack", pack_plugin=source)
    assert not plugins.broken
    catalog = plugins.catalog()
    assert catalog.weapon("flare_gun").name == "Flare gun"
    assert catalog.target("m4a1_75_dry").id == "m4a1_75_dry"
    with pytest.raises(mantlet.CatalogError, match=r"bad_gun\.toml, line 3: kind .*did you mean 'pistol'"):
        catalog.weapon("bad_gun")
    (pack / "aliases.toml").write_text("[weapons\n", "utf-8")
    catalog = plugins.catalog()
    assert catalog.weapon("pak40").id == "de_75_pak40"
    ids = [weapon.id for weapon in catalog.weapons()]
    assert "flare_gun" in ids
    assert "bad_gun" not in ids
    catalog.weapons()
    aliases, weapon = catalog.left_out
    assert "aliases.toml, line 1" in aliases
    assert "bad_gun.toml, line 3" in weapon


def test_the_reason_is_one_line_whatever_the_error() -> None:
    assert why(ValueError("first\nsecond")) == "ValueError: first"
    assert why(ValueError()) == "ValueError"
    assert RulesetEntry(name="a", version="1", title="t", summary="s", load="m:C").name == "a"
