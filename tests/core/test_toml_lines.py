"""Lines of keys in a TOML text, found for every way of writing a key."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mantlet.catalog.toml_lines import KeyPath, key_lines, line_in

TEXT = '''\
# a comment with [brackets] and "quotes"
title = "x"  # and = here
a.b."c d" = 1
many = """
not = "a key"
[nor.this]
"""
raw = \'\'\'
[[x]]\'\'\'
list = [
    1, # one ]
    { x = 1, y = { z = [1, 2] } },

    "two, ]",
]

[[weapon]]
id = "first"
[[weapon]]
id = "second"
  [[weapon.ammunition]]
  id = "shot"
  [weapon.ammunition.provenance]
  mass = { source = "x" }
  [[weapon.ammunition]]
  "id" = "shell"
[weapon.stats.'house rules']
damage = '6"d'
[ last . one ]
k = 1979-05-27T07:32:00Z
'''


@pytest.mark.parametrize(
    ("path", "line"),
    [
        (("title",), 2),
        (("a", "b", "c d"), 3),
        (("many",), 4),
        (("raw",), 8),
        (("list",), 10),
        (("list", 0), 11),
        (("list", 1, "x"), 12),
        (("list", 1, "y", "z", 1), 12),
        (("list", 2), 14),
        (("weapon", 0), 17),
        (("weapon", 0, "id"), 18),
        (("weapon", 1, "id"), 20),
        (("weapon", 1, "ammunition", 0, "id"), 22),
        (("weapon", 1, "ammunition", 0, "provenance", "mass", "source"), 24),
        (("weapon", 1, "ammunition", 1), 25),
        (("weapon", 1, "ammunition", 1, "id"), 26),
        (("weapon", 1, "stats", "house rules", "damage"), 28),
        (("last", "one", "k"), 30),
        (("weapon", 1, "ammunition", 1, "missing"), 25),
        (("weapon", 7), 17),
        (("nothing",), 1),
        ((), 1),
    ],
)
def test_line(path: KeyPath, line: int) -> None:
    assert line_in(key_lines(TEXT), path) == line


def paths(value: Any, path: KeyPath = ()) -> Iterator[KeyPath]:
    """Every key path of parsed TOML."""
    if path:
        yield path
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from paths(inner, (*path, key))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from paths(inner, (*path, index))


def test_every_key_of_the_text_is_found_and_no_other() -> None:
    assert set(key_lines(TEXT)) == set(paths(tomllib.loads(TEXT)))


VALUES = st.recursive(
    st.sampled_from(
        ["1", "-2.5", "true", '"a"', "'b'", '"#,]}="', '"""x\ny"""', "'''\n'''", '""', "[]", "{}", '"\\""']
    ),
    lambda inner: (
        st.lists(inner, max_size=3).map(lambda parts: "[\n" + ",\n# c\n".join(parts) + "\n]")
        | st.lists(inner.filter(lambda v: "\n" not in v), max_size=3).map(
            lambda parts: "{" + ", ".join(f"k{n} = {part}" for n, part in enumerate(parts)) + "}"
        )
    ),
    max_leaves=6,
)


@given(st.lists(VALUES, max_size=4), st.lists(VALUES, max_size=3))
def test_every_key_is_found_in_any_text(top: list[str], items: list[str]) -> None:
    text = "".join(f"t{n} = {value}\n" for n, value in enumerate(top))
    text += "".join(f"[[things]] # {n}\nvalue = {value}\n" for n, value in enumerate(items))
    found = key_lines(text)
    assert set(found) == set(paths(tomllib.loads(text)))
    for n in range(len(items)):
        assert text.splitlines()[found["things", n] - 1] == f"[[things]] # {n}"
