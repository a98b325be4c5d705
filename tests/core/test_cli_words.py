"""Numbers and names in words."""

from __future__ import annotations

import pytest

from cli_run import succeed
from mantlet.cli.attack_text import condition_words
from mantlet.cli.words import counted, plural
from mantlet.errors import sentence
from mantlet.game.condition import DEAD, WOUNDED, Condition
from mantlet.game.target import Seat, Target


@pytest.mark.parametrize(
    ("one", "many"),
    [
        ("rifleman", "riflemen"),
        ("machine gunner", "machine gunners"),
        ("bow gunner", "bow gunners"),
        ("Crewman", "Crewmen"),
        ("boss", "bosses"),
        ("deputy", "deputies"),
        ("boy", "boys"),
        ("y", "ys"),
        ("die roll", "die rolls"),
    ],
)
def test_the_plural_of_a_noun(one: str, many: str) -> None:
    assert plural(one) == many
    assert counted(1, one) == f"1 {one}"
    assert counted(10, one) == f"10 {many}"


def test_a_team_is_told_in_the_right_plural() -> None:
    seats = (Seat(role="squad_leader", compartment="none"), Seat(role="rifleman", compartment="none", count=10))
    team = Target(id="squad", name="Squad", kind="team", body="infantry", seats=seats)
    people = (WOUNDED, *(DEAD,) * 10)
    assert condition_words(Condition(people=people), team).endswith("dead: 10 riflemen; wounded: squad leader")


def test_what_is_possible_is_never_told_as_never_nor_what_is_not_certain_as_always() -> None:
    told: dict[str, list[str]] = {}
    for line in succeed("roll 200d40 --odds").splitlines():  # 40 to the 200th is beyond a float
        total, *cells = line.split() or [""]
        told.setdefault(total, cells[:3])
    assert told["200"] == ["<0.1%", "<0.1%", "100.0%"]
    assert told["201"] == ["<0.1%", "<0.1%", ">99.9%"]
    assert told["8000"] == ["<0.1%", "100.0%", "<0.1%"]


@pytest.mark.parametrize("said", ["It broke", "It broke.", "Did it?", "No!", "It broke.\n"])
def test_a_sentence_has_one_full_stop(said: str) -> None:
    assert sentence(said) == said.rstrip("\n").removesuffix(".") + ("" if said[-1] in "?!" else ".")
    assert sentence(ValueError(said)) == sentence(said)
