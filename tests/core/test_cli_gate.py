"""Nothing from a file, a plugin or an exception steers the terminal, hides in the text, or marks up a page."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from broken_plugins import install
from cli_guest import install_guest
from mantlet.cli.gate import HIDDEN, gated, visible, visible_json
from mantlet.cli.markdown import inline, markdown_line, markdown_table

HOSTILE = "\x1b]0;owned\x07\x1b[2J\x9b31m\x7f\u200b\u200f\u202e\u2066\u061c\ufeff"
UNSEEN = "\u200b\u200e\u200f\u061c\ufeff"  # a catalog takes them
HOSTILE_TEXT = json.dumps(HOSTILE)
OWN_STYLE = re.compile("\x1b\\[[012]m")

PLUGIN = f"""
import click
import mantlet
from pathlib import Path

mantlet_api = 2
HOSTILE = {HOSTILE_TEXT}

@click.command("hostile", help="About " + HOSTILE)
@click.argument("how")
def hostile(how):
    if how == "fail":
        raise ValueError(HOSTILE)
    if how == "ask":
        click.prompt("What of " + HOSTILE, default="nothing")
    click.echo("By click " + HOSTILE)
    print("By hand", HOSTILE)

def watch(outcome, account):
    raise ValueError(HOSTILE)

@mantlet.hookimpl
def mantlet_rulesets():
    return [mantlet.RulesetEntry("hostile", "1", HOSTILE, HOSTILE, "hostile_rules:Hostile")]

@mantlet.hookimpl
def mantlet_commands():
    return [hostile]

@mantlet.hookimpl
def mantlet_exporters():
    return [("odd_csv", lambda table: "low,high\\r\\n" + HOSTILE)]

@mantlet.hookimpl
def mantlet_observers():
    return [watch]

@mantlet.hookimpl
def mantlet_importers():
    return [(".odd", lambda path: {{HOSTILE: 1}})]
"""
RULES = f"""
from cli_guest import ODDITIES, Coins
from mantlet import Row, Table

HOSTILE = {HOSTILE_TEXT}

class Hostile(Coins):
    name, version, title, summary, damage_unit = "hostile", "1", HOSTILE, HOSTILE, HOSTILE

    def tables(self):
        return {{"odd": Table("odd", "1d4", [Row(1, 4, 1, HOSTILE)], HOSTILE)}}

    def resolve(self, dice, plan, before):
        dice.note(HOSTILE, "{{}}", HOSTILE)
        dice.roll("1d6", HOSTILE, HOSTILE)
        return super().resolve(dice, plan, before)
"""


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A place with the hostile plugin and files that hold such characters wherever a text may stand."""
    install_guest(tmp_path, monkeypatch)
    install(tmp_path, "hostile-rules", hostile_plugin=PLUGIN, hostile_rules=RULES)
    (tmp_path / "key.toml").write_text(f"{HOSTILE_TEXT} = 1\n", "utf-8")
    (tmp_path / "thing.odd").write_text("", "utf-8")
    (tmp_path / "names.toml").write_text(
        f'[[target]]\nid = "x"\nname = "Odd {UNSEEN}"\nkind = "vehicle"\nbody = "car"\nnote = "{UNSEEN}"\n',
        "utf-8",
    )
    state = {"mantlet_state": 1, "target": HOSTILE, "ruleset": {"name": HOSTILE, "version": HOSTILE, "options": {}}}
    whole = {"mobility": "full", "firepower": "full", "on_fire": False, "knocked_out": False, "destroyed": False}
    condition = {**whole, "people": [], "ruleset": "", "detail": None}
    (tmp_path / "state.json").write_text(json.dumps({**state, "dice": None, "condition": condition}), "utf-8")
    return tmp_path


def on_a_terminal(site: Path, line: str, typed: str = "") -> str:
    """All that a command shows on a pseudo-terminal, stdout and stderr, without mantlet's own styling."""
    import pty

    leader, follower = pty.openpty()
    arguments = [sys.executable, "-m", "mantlet", *line.replace("HOSTILE", HOSTILE).split()]
    environment = {**os.environ, "TERM": "xterm", "PYTHONIOENCODING": "utf-8"}
    os.write(leader, typed.encode() + b"\x04")  # and then the end of what is typed
    running = subprocess.Popen(arguments, stdin=follower, stdout=follower, stderr=follower, cwd=site, env=environment)
    os.close(follower)
    shown = b""
    while True:
        try:
            part = os.read(leader, 65536)
        except OSError:  # nobody writes any more
            break
        if not part:
            break
        shown += part
    os.close(leader)
    running.wait(timeout=60)
    return OWN_STYLE.sub("", shown.decode().replace("\r\n", "\n"))


def unseen(text: str) -> set[str]:
    """The characters of a text that a terminal obeys or hides, by their class in Unicode."""
    text = text.replace("\r\n", "\n")
    return {c for c in text if unicodedata.category(c) in ("Cc", "Cf", "Zl", "Zp") and c not in "\n\t"}


ATTACK = "--weapon us_75_m3 --target m4a1_75_dry"
TERMINAL = pytest.mark.skipif(os.name != "posix", reason="a pseudo-terminal")


@TERMINAL
@pytest.mark.parametrize(
    "line",
    [
        "--help",
        "rulesets",
        "hostile fail",
        "hostile ask",
        "table hostile.odd",
        "table hostile.odd --format odd_csv",
        f"attack --ruleset hostile {ATTACK} --seed 1 --format md",
        f"attack --ruleset hostile {ATTACK} --dice typed",
        f"attack --ruleset coins {ATTACK} --state state.json",
        "targets --catalog key.toml",
        "targets --catalog thing.odd",
        "show xHOSTILE",
        f"odds --ruleset coins {ATTACK} --skillHOSTILE",
    ],
)
def test_a_terminal_is_shown_escapes(line: str, site: Path) -> None:
    shown = on_a_terminal(site, line, "\n" if "ask" in line else "0x\n3\n" * 8)
    assert not unseen(shown.replace("0x\n3\n", ""))
    assert "Traceback" not in shown
    assert "\\x1b" in shown
    assert "<U+200B>" in shown or "\\u200b" in shown


@TERMINAL
def test_names_of_a_catalog_cannot_hide(site: Path) -> None:
    for line in ("targets x --catalog names.toml", "show x --catalog names.toml"):
        shown = on_a_terminal(site, line)
        assert "Odd <U+200B><U+200E><U+200F><U+061C><U+FEFF>" in shown
        assert not unseen(shown)


@TERMINAL
def test_json_on_a_terminal_is_json(site: Path) -> None:
    shown = on_a_terminal(site, "table hostile.odd --format json")
    assert not unseen(shown)
    assert json.loads(shown)["title"] == HOSTILE


def test_styling_of_our_own_comes_after_the_gate(capsys: pytest.CaptureFixture[str]) -> None:
    from mantlet.cli.layout import Styled, fold, strong

    line = strong("\x1b[2Jname", " rest")
    assert isinstance(line, Styled)
    assert line.printed() == "\x1b[1m\\x1b[2Jname\x1b[0m rest"
    folded = fold(strong("word " * 40))
    assert len(folded) > 1
    assert all(isinstance(line, Styled) and line.printed().startswith("\x1b[1m") for line in folded)


def test_the_gate_is_there_while_a_command_runs_and_takes_text_alone(capsys: pytest.CaptureFixture[str]) -> None:
    before = sys.stdout, sys.stderr
    with gated():
        print("out\x1b", end="")
        print("error\u200b", end="", file=sys.stderr)
        sys.stdout.writelines(["\x07", "b\n"])
        with pytest.raises(AttributeError, match="takes text alone"):
            _ = sys.stdout.buffer
        with gated():  # a command that runs another one
            print("\x1b", file=sys.stderr)
    assert (sys.stdout, sys.stderr) == before
    assert capsys.readouterr() == ("out\\x1b\\x07b\n", "error<U+200B>\\x1b\n")


def test_hidden_are_the_classes_of_unicode() -> None:
    everything = "".join(map(chr, range(sys.maxunicode + 1)))
    known, hidden = unseen(everything), set(HIDDEN.findall(everything))
    assert len(known) > 200
    assert known <= hidden
    assert {unicodedata.category(c) for c in hidden - known} <= {"Cn"}  # not assigned in this version of Unicode


odd_texts = st.text(st.sampled_from([*HOSTILE, "a", "|", "\\", "<", '"', "\n", "\r", "\t", "\U000e0041"]), max_size=20)


@given(odd_texts)
def test_the_gate_hides_nothing_and_changes_nothing_twice(text: str) -> None:
    shown = visible(text)
    assert not unseen(shown)
    assert visible(shown) == shown
    assert visible_json(json.dumps(text, ensure_ascii=False)) == visible(
        visible_json(json.dumps(text, ensure_ascii=False))
    )
    assert json.loads(visible_json(json.dumps({text: text}, ensure_ascii=False))) == {text: text}


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("<script>alert(1)</script>", "&lt;script>alert(1)&lt;/script>"),
        ("<!-- -->", "&lt;!-- -->"),
        ("[c](javascript:alert(1))", "\\[c\\](javascript:alert(1))"),
        ("`|` **b** ~~c~~", "\\`\\|\\` \\*\\*b\\*\\* \\~\\~c\\~\\~"),
        ("_b_ and m4a1_75_dry", "\\_b\\_ and m4a1_75_dry"),
        ("&lt;i&gt; R & D", "\\&lt;i\\&gt; R & D"),
        ("a\\", "a\\\\"),
        ("line\n\n# heading\n<img src=x>", "line  # heading &lt;img src=x>"),
        ("<0.1% of 5-6", "<0.1% of 5-6"),
    ],
)
def test_names_and_notes_are_no_markup(text: str, shown: str) -> None:
    assert inline(text) == shown


@pytest.mark.parametrize("text", ["# h", "> q", "- a", "+ a", "---", "==", "1. one", "12) one", "-- x"])
def test_a_line_does_not_become_a_heading_or_a_list(text: str) -> None:
    assert markdown_line(text) in ("\\" + text, text.replace(".", "\\.").replace(")", "\\)"))
    assert markdown_line(f"a {text}") == f"a {text}"


def test_a_cell_stays_in_its_column() -> None:
    assert markdown_table(["a|b", ""], [["one\n<b>", "-1"]], "<>") == [
        "| a\\|b |  |",
        "| --- | ---: |",
        "| one<br>&lt;b> | -1 |",
    ]


@given(st.text(st.sampled_from("<>/!?abS =\"'&;|\n`*_[]"), max_size=30))
def test_html_never_passes(text: str) -> None:
    for shown in (inline(text), markdown_line(text), markdown_table(["h"], [[text]], "<")[2].replace("<br>", "")):
        assert not re.search(r"<[A-Za-z/!?]", shown)
        assert "\n" not in shown
