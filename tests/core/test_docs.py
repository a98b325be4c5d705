"""The pages of the documentation play: every block of theirs runs, and what they show is what comes out."""

from __future__ import annotations

import importlib
import re
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "docs"))

import make_coverage  # noqa: E402
import refresh  # noqa: E402

from mantlet import ZONES  # noqa: E402
from mantlet.game.condition import LEVELS, PERSON_STATES, Condition  # noqa: E402
from mantlet.game.effects import EFFECTS  # noqa: E402
from mantlet.plugins import hookspecs  # noqa: E402

HOOKS = [name for name in vars(hookspecs) if name.startswith("mantlet_")]


@pytest.mark.parametrize("page", refresh.pages(), ids=lambda page: page.stem)
def test_the_page_plays_and_is_up_to_date(page: Path) -> None:
    assert page.read_text("utf-8") == refresh.played(page), "stale: run python docs/refresh.py"


@pytest.mark.parametrize("name", HOOKS)
def test_every_hook_has_a_section_with_an_example_and_a_test(name: str) -> None:
    page = (ROOT / "docs" / "hooks.md").read_text("utf-8")
    section = page.partition(f"\n## {name}\n")[2].partition("\n## ")[0]
    assert f"def {name}():" in section, f"docs/hooks.md has no section with an example for {name}"
    doc = getattr(hookspecs, name).__doc__
    assert doc, f"{name} has no docstring"
    tests = (ROOT / "tests" / "core" / "test_plugins.py").read_text("utf-8")
    assert f"def {name}()" in tests or f'hook("{name}"' in tests, f"tests/core/test_plugins.py does not try {name}"


def test_there_is_a_section_for_no_hook_that_does_not_exist() -> None:
    page = (ROOT / "docs" / "hooks.md").read_text("utf-8")
    sections = [line.removeprefix("## ") for line in page.splitlines() if line.startswith("## mantlet_")]
    assert sections == HOOKS


def test_the_vocabulary_is_whole() -> None:
    page = (ROOT / "docs" / "vocabulary.md").read_text("utf-8")
    rows = [line.split("|")[1].strip() for line in page.splitlines() if line.startswith("| `")]
    facts = [name for name in Condition._fields if name not in ("ruleset", "detail")]
    assert rows == [f"`{name}`" for name in (*EFFECTS, *ZONES, *facts)]
    for word in (*LEVELS, *PERSON_STATES):
        assert f"`{word.upper()}`" in page


def test_the_implications_of_effects_are_as_written() -> None:
    from mantlet.game.effects import complete, names

    page = (ROOT / "docs" / "vocabulary.md").read_text("utf-8")
    for line in page.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if len(cells) == 3 and cells[0].strip("`") in EFFECTS and cells[0] != "`no_effect`":
            implied = {name.strip(" `") for name in cells[2].split(",") if name.strip()}
            meant = set(names(complete(EFFECTS[cells[0].strip("`")]))) - {cells[0].strip("`"), "no_effect"}
            assert implied <= meant
            for name in implied:
                meant -= {*names(complete(EFFECTS[name])), name}
            assert not meant, f"{cells[0]} implies {meant} too"


def test_every_confidence_is_explained() -> None:
    from typing import get_args

    from mantlet.game.weapon import Confidence

    page = (ROOT / "docs" / "data.md").read_text("utf-8")
    for word in get_args(Confidence):
        assert f"| `{word}` |" in page


LINK = re.compile(r"\]\(([^)\s]+)\)")


def written() -> list[Path]:
    """Every page that somebody reads: those of the root, of docs, of the examples and of the tests."""
    inner = (page for folder in ("docs", "examples", "tests") for page in (ROOT / folder).rglob("*.md"))
    return [*ROOT.glob("*.md"), *(page for page in inner if "golden" not in page.parts)]


def links(page: Path) -> list[tuple[Path, str]]:
    """The links of a page to other files: the file, and the anchor in it."""
    text = re.sub(r"^```.*?^```$", "", page.read_text("utf-8"), flags=re.M | re.S)
    found = [target.partition("#") for target in LINK.findall(text) if not re.match(r"[a-z]+:", target)]
    return [((page.parent / file).resolve() if file else page, anchor) for file, _, anchor in found]


def anchors(page: Path) -> set[str]:
    """The anchors that a forge makes of a page's headings."""
    text = re.sub(r"^```.*?^```$", "", page.read_text("utf-8"), flags=re.M | re.S)
    headings = re.findall(r"^#+ (.*)$", text, re.M)
    return {re.sub(r"[^\w -]", "", heading).strip().lower().replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", written(), ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_leads_somewhere(page: Path) -> None:
    for file, anchor in links(page):
        assert file.exists(), f"{page.name} links to {file.name}, which does not exist"
        if anchor:
            assert anchor in anchors(file), f"{page.name} links to {file.name}#{anchor}; it has {sorted(anchors(file))}"


@pytest.mark.parametrize("start", ["README.md", "docs/index.md"])
def test_every_page_can_be_reached(start: str) -> None:
    reached: set[Path] = set()
    waiting = [ROOT / start]
    while waiting:
        page = waiting.pop()
        if page not in reached:
            reached.add(page)
            waiting += [file for file, _ in links(page) if file.suffix == ".md"]
    assert not {page.relative_to(ROOT).as_posix() for page in written() if page not in reached}


def named_functions() -> list[tuple[str, str]]:
    """Every `path:function` that docs/architecture.md names."""
    page = (ROOT / "docs" / "architecture.md").read_text("utf-8")
    return re.findall(r"`([\w/]+\.py):([\w.]+)`", page)


@pytest.mark.parametrize(("file", "name"), dict.fromkeys(named_functions()))
def test_every_function_named_in_the_architecture_exists(file: str, name: str) -> None:
    assert (ROOT / file).is_file(), f"there is no {file}"
    assert make_coverage.defined(ROOT / file, name), f"{file} has no {name}"


def test_the_architecture_names_every_package_of_the_core() -> None:
    page = (ROOT / "docs" / "architecture.md").read_text("utf-8")
    plan = page.partition("```text")[2].partition("```")[0]
    for package in (ROOT / "core" / "mantlet").iterdir():
        if (package / "__init__.py").exists():
            assert f"    {package.name}/" in plan, f"the floor plan lacks {package.name}"


def test_contributing_has_every_command_of_ci() -> None:
    page = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    commands = re.findall(r'^step "[^"]*" (\.venv/.*)$', (ROOT / ".ci" / "run").read_text("utf-8"), re.M)
    assert len(commands) > 3
    for command in commands:
        assert f"`{command}`" in page, f"CONTRIBUTING.md lacks {command}"


def test_the_readme_is_short() -> None:
    assert len((ROOT / "README.md").read_text("utf-8").splitlines()) < 250


def test_ci_runs_the_tests_as_the_readme_says() -> None:
    command = next(line for line in (ROOT / "README.md").read_text("utf-8").splitlines() if "pytest" in line)
    assert command in [line.strip() for line in (ROOT / ".ci" / "run").read_text("utf-8").splitlines()]


def test_a_stale_page_and_a_broken_block_are_noticed(tmp_path: Path) -> None:
    def play(text: str) -> str:
        (tmp_path / "page.md").write_text(text, "utf-8")
        return refresh.played(tmp_path / "page.md")

    assert play("```console\n$ mantlet --version\nold\n```\n").splitlines()[2] != "old"
    assert play("```python\nprint(6 * 7)\n```\n\n<!-- printed -->\n```text\nold\n```\n").endswith("```text\n42\n```\n")
    for block in (
        "<!-- excerpt a.txt -->\n```text\nb\n```\n",
        "```python\nassert False\n```\n",
        "```console\n$ rm -r x\n```\n",
        "<!-- write a.txt -->\n```text\na\n```\n<!-- change a.txt -->\n```diff\n-b\n+c\n```\n",
    ):
        with pytest.raises(refresh.PageError):
            play(block)


PUBLIC = ("mantlet", "mantlet.catalog", "mantlet.testing", "mantlet.commands")


def documented(module: str) -> dict[str, str]:
    """What docs/api.md says of each name of a public module."""
    page = (ROOT / "docs" / "api.md").read_text("utf-8")
    section = page.partition(f"\n## {module}\n")[2].partition("\n## ")[0]
    said: dict[str, str] = {}
    for item in re.split(r"^(?=\* `)", section, flags=re.M)[1:]:
        names, _, text = item.partition("\n\n")[0].partition(": ")
        said.update(dict.fromkeys(re.findall(r"`(\w+)`", names), " ".join(text.split())))
    return said


@pytest.mark.parametrize("module", PUBLIC)
def test_every_public_name_is_documented_and_no_other(module: str) -> None:
    names = importlib.import_module(module).__all__
    said = documented(module)
    assert sorted(said) == sorted(names)
    for name, text in said.items():
        assert len(text) > 20, f"docs/api.md says nothing of {name}"
        assert text.endswith((".", ":")), f"docs/api.md has no whole sentence on {name}: {text}"
