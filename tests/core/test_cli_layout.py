"""Text for the width there is: nothing is wider, nothing is lost."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cli_run import succeed
from mantlet.cli import layout, odds_text
from mantlet.cli.layout import column_blocks, columns

WEAPONS = [
    ["id", "name", "kind", "mm", "rounds"],
    ["de_75_pak40", "7.5 cm PaK 40 with a longer name", "anti tank launcher", "75", "Pzgr39_pak40, Pzgr40_pak40"],
]


@pytest.fixture
def narrow(monkeypatch: pytest.MonkeyPatch) -> None:
    _set(monkeypatch, 60)


def _set(patch: pytest.MonkeyPatch, wide: int) -> None:
    for module in (layout, odds_text):
        patch.setattr(module, "width", lambda: wide)


@pytest.mark.usefixtures("narrow")
def test_a_table_gives_way_column_by_column() -> None:
    assert columns(WEAPONS, "<<<><") == [
        "  id           name          kind          mm  rounds",
        "  de_75_pak40  7.5 cm PaK    anti tank     75  Pzgr39_pak40,",
        "               40 with a     launcher          Pzgr40_pak40",
        "               longer name",
    ]


def test_a_table_whose_words_do_not_fit_is_told_row_by_row(monkeypatch: pytest.MonkeyPatch) -> None:
    _set(monkeypatch, 40)
    assert columns(WEAPONS, "<<<><") == [
        "  id",
        "      name, kind, mm, rounds",
        "  de_75_pak40",
        "      7.5 cm PaK 40 with a longer name,",
        "        anti tank launcher, 75,",
        "        Pzgr39_pak40, Pzgr40_pak40",
    ]


def test_a_table_of_numbers_is_cut_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    _set(monkeypatch, 40)
    rows = [["m", *(str(n * 1000) for n in range(8))], ["mm", *(str(n) for n in range(8))]]
    assert columns(rows, "<" + ">" * 8) == [
        "  m   0  1000  2000  3000  4000  5000",
        "  mm  0     1     2     3     4     5",
        "",
        "  m   6000  7000",
        "  mm     6     7",
    ]


words = st.text("ab ", min_size=0, max_size=40).map(lambda text: " ".join(text.split()))


@given(st.lists(st.tuples(words, words, words), min_size=1, max_size=4), st.sampled_from(["<<<", "<><", "><<"]))
def test_no_word_is_lost_and_no_line_too_long(rows: list[tuple[str, str, str]], align: str) -> None:
    with pytest.MonkeyPatch.context() as patch:
        _set(patch, 44)
        blocks = column_blocks(rows, align)
    for row, block in zip(rows, blocks, strict=True):
        assert sorted(re.sub("[ ,]", "", "".join(block))) == sorted("".join(row).replace(" ", ""))
        longest = max((len(word) for cell in row for word in cell.split()), default=0)
        assert max(map(len, block)) <= max(44, longest + 10)


@pytest.mark.usefixtures("narrow")
@pytest.mark.parametrize(
    "command",
    [
        "weapons",
        "targets",
        "table",
        "table gurps_vehicle.occupants",
        "table gurps_vehicle.vehicle",
        "show us_75_m3",
        "show d100_wwii",
        "odds --ruleset facing_armor --weapon us_75_m3 --target pz4_h --fractions --full 5 --shots 2",
        "compare --weapon kar98k --target jeep",
        "attack --ruleset d100_wwii --weapon mg42 --target kubelwagen --rounds 10 --seed 3",
        "attack --ruleset facing_armor --weapon us_75_m3 --target pz4_h --range 500 --seed 3",
        "facing penetration us_75_m3",
        "facing calibrate",
    ],
)
def test_nothing_is_wider_than_a_narrow_terminal(command: str) -> None:
    too_wide = [line for line in succeed(command).splitlines() if len(line) > 60 and "://" not in line]
    assert too_wide == []


def test_a_long_fraction_does_not_make_the_text_wide() -> None:
    command = "odds --ruleset facing_armor --weapon us_75_m3 --target pz4_h --range 500 --fractions"
    told = succeed(command)
    assert max(map(len, told.splitlines())) <= layout.WIDTH
    assert re.search(r"  exploded +0\.0% +0\n", told)
    assert "3591630553220857/4503599627370496" in told
    assert "Fractions that are too long for this table are in --format json and --format md." in told
    markdown = succeed(f"{command} --format md")
    assert re.search(r"\| knocked out \| \d+\.\d% \| \d{100,}/\d{100,} \|", markdown)
    assert "too long" not in markdown
