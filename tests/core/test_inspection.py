"""Plugins are looked at in processes of their own: none can take the listing with it, or be imported by it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from broken_plugins import HEAD, SHIPPED, SOUND_PLUGIN, SOUND_RULES, entry, hook, install
from mantlet.plugins.inspection import Fault, Inspected, inspect_plugins
from mantlet.plugins.loading import load_plugins


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    monkeypatch.setenv("MANTLET_SKIP_PLUGINS", ",".join(SHIPPED))
    return tmp_path


def looked_at(**settings: float) -> dict[str, Inspected]:
    return {plugin.plugin: plugin for plugin in inspect_plugins(**settings)}  # type: ignore[arg-type]


def only_fault(plugin: Inspected) -> Fault:
    assert len(plugin.faults) == 1
    return plugin.faults[0]


def test_a_sound_plugin(site: Path) -> None:
    install(site, "sound", sound_plugin=SOUND_PLUGIN, sound_rules=SOUND_RULES)
    plugin = looked_at()["sound"]
    assert (plugin.origin, plugin.faults) == ("sound 1.0", ())
    assert [(r.name, r.version, r.title, r.summary, r.fault) for r in plugin.rulesets] == [("sound", "1", "T", "S", "")]
    assert "sound_plugin" not in sys.modules
    assert "sound_rules" not in sys.modules


def test_those_asked_to_be_left_alone_are_left_alone(site: Path) -> None:
    assert all(looked_at()[name].skipped for name in SHIPPED)


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("import os; os._exit(0)", "the process that loaded it ended with exit code 0"),
        ("import os; os._exit(7)", "the process that loaded it ended with exit code 7"),
        (
            "import os, signal; os.kill(os.getpid(), signal.SIGSEGV)",
            "the process that loaded it was killed by signal 11",
        ),
        ("1 / 0", "importing it raised ZeroDivisionError: division by zero"),
        ("raise SystemExit('bye')", "importing it raised SystemExit: bye"),
        ("raise KeyboardInterrupt", "the process that loaded it ended with exit code 1 (KeyboardInterrupt)"),
        ("import sys; sys.stdout = sys.stderr = None; 1 / 0", "importing it raised ZeroDivisionError"),
        ("print('x' * 1_000_000); 1 / 0", "importing it raised ZeroDivisionError"),
    ],
)
def test_a_plugin_that_ends_its_process_is_reported(source: str, said: str, site: Path) -> None:
    install(site, "rude", rude_plugin=source)
    install(site, "sound", sound_plugin=SOUND_PLUGIN, sound_rules=SOUND_RULES)
    found = looked_at()
    reason = only_fault(found["rude"]).reason
    assert said in reason or (said.endswith("(KeyboardInterrupt)") and "KeyboardInterrupt" in reason)
    assert found["sound"].faults == ()


def test_a_plugin_that_hangs_is_reported_and_ended(site: Path) -> None:
    child = "import subprocess, sys; subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(77.25)'])\n"
    install(site, "slow", slow_plugin=child + "import time; time.sleep(60)")
    assert only_fault(looked_at(patience_s=3.0)["slow"]).reason == "it did not finish loading within 3 s"
    left = subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True, check=False).stdout
    assert "sleep(77.25)" not in left


def test_a_ruleset_that_cannot_be_imported_or_used_is_reported(site: Path) -> None:
    source = hook("mantlet_rulesets", f"return [{entry('gone')}, {entry('half', load='half_rules:Rules')}]")
    rules = SOUND_RULES.replace('"sound"', '"half"') + "    def tables(self): raise OSError('no tables')\n"
    install(site, "gone", gone_plugin=source, half_rules=rules)
    gone, half = looked_at()["gone"].rulesets
    assert "No module named 'gone_rules'" in gone.fault
    assert half.fault == "its tables cannot be read: OSError: no tables"


def test_a_name_two_plugins_claim_belongs_to_the_first(site: Path) -> None:
    install(site, "b-sound", bsound_plugin=SOUND_PLUGIN, sound_rules=SOUND_RULES)
    install(site, "a-sound", asound_plugin=SOUND_PLUGIN, sound_rules=SOUND_RULES)
    found = looked_at()
    assert found["asound"].rulesets[0].fault == ""
    assert found["bsound"].rulesets[0].fault == "the ruleset name sound is taken by a-sound 1.0"


def test_a_command_that_two_plugins_claim_is_refused_to_the_second(site: Path) -> None:
    source = HEAD + "import click\n@click.command('polish')\ndef mine(): pass\n"
    source += "@hookimpl\ndef mantlet_commands(): return [mine]\n"
    source += "@hookimpl\ndef mantlet_exporters(): return [('ini', lambda table: '')]\n"
    source += "@hookimpl\ndef mantlet_importers(): return [('.ini', lambda path: {})]\n"
    install(site, "a-polish", apolish_plugin=source)
    install(site, "b-polish", bpolish_plugin=source)
    found = looked_at()
    first, second = found["apolish"], found["bpolish"]
    assert first.brings == (("commands", ("polish",)), ("formats", ("ini",)), ("readers", (".ini",)))
    assert (first.faults, second.brings) == ((), ())
    assert second.faults == (
        Fault("mantlet_commands", "the command name polish is taken by a-polish 1.0"),
        Fault("mantlet_exporters", "the format ini is taken by a-polish 1.0"),
        Fault("mantlet_importers", "the file suffix .ini is taken by a-polish 1.0"),
    )
    broken = load_plugins().broken
    assert {fault.plugin for fault in broken} == {"bpolish"}
    said = {fault.part: fault.reason.partition(" (in ")[0] for fault in broken}
    assert said == {fault.part: fault.reason for fault in second.faults}, "a command says the same"


def test_a_catalog_with_bad_data_is_reported(site: Path) -> None:
    (site / "stock" / "weapons").mkdir(parents=True)
    (site / "stock" / "weapons" / "bad.toml").write_text('id = "bad"\nname = "Bad"\n', "utf-8")
    body = "import pathlib; return [pathlib.Path(__file__).parent / 'stock']"
    install(site, "stock", stock_plugin=hook("mantlet_catalogs", body))
    plugin = looked_at()["stock"]
    assert plugin.brings == (("catalogs", (str(site / "stock"),)),)
    assert only_fault(plugin).part == "mantlet_catalogs"
    assert "bad.toml" in only_fault(plugin).reason


def test_command_names_of_mantlet_are_taken(site: Path) -> None:
    source = HEAD + "import click\n@click.command('attack')\ndef mine(): pass\n"
    install(site, "mine", mine_plugin=source + "@hookimpl\ndef mantlet_commands(): return [mine]\n")
    plugin = next(p for p in inspect_plugins(taken=["attack"]) if p.plugin == "mine")
    assert "the command name attack is taken" in only_fault(plugin).reason


def test_an_entry_point_file_that_cannot_be_read_is_reported(site: Path) -> None:
    install(site, "garbled", garbled_plugin=HEAD)
    file = site / "garbled-1.0.dist-info" / "entry_points.txt"
    file.write_text("[mantlet]\nwhat is this\n", "utf-8")
    assert "its entry_points.txt cannot be read" in only_fault(looked_at()["garbled"]).reason
