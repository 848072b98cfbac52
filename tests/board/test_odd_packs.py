"""Whatever stands in a pack, it is built or refused with its problems; it never crashes the program."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gm.board.load import build
from gm.board.pack import SECTIONS, Pack, override, read_standard
from gm.board.problems import BoardError, BoardProblem, PackSeverity
from gm.board.validate import errors
from tests.stopwatch import within
from tests.support import examples, load_text

STANDARD = read_standard()
words = st.sampled_from(
    ["PETR", "PETR-PSKO", "XXXX", "", "open", "red", "blue", "GE", "draw", "De", "C", "1-2", "-", "Czar", "remove"]
)
plain = st.one_of(words, st.integers(-3, 500), st.booleans(), st.floats(allow_nan=False, allow_infinity=False))
values = st.recursive(plain, lambda v: st.lists(v, max_size=3) | st.dictionaries(words, v, max_size=3), max_leaves=6)


def toml(value: Any) -> str:
    """A value as TOML writes it, tables inline."""
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{json.dumps(k)} = {toml(v)}" for k, v in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(toml(v) for v in value) + "]"
    return json.dumps(value)


@st.composite
def overrides(draw: st.DrawFn) -> str:
    """A pack that touches entries of the standard one, more or less wrongly."""
    lines = []
    for section in draw(st.lists(st.sampled_from([*SECTIONS, "pack"]), unique=True, max_size=3)):
        keys = [*STANDARD.data.get(section, ()), "new", "open", "add", "remove", "change", "replace"]
        if draw(st.booleans()):
            lines.append(f"{section} = {toml(draw(values))}")
        elif section in ("leaders", "units", "rail", "imperial"):
            name = "id" if section in ("leaders", "units") else "name"
            row = {name: draw(st.sampled_from(keys)), draw(words): draw(values), "province": draw(values)}
            row[name] = int(row[name]) if str(row[name]).isdecimal() else row[name]
            lines.append(f"{section} = [{toml(row)}]")
        else:
            lines.append(f"{section} = {{ {json.dumps(draw(st.sampled_from(keys)))} = {toml(draw(values))} }}")
    return "\n".join(lines)


@settings(max_examples=examples(400, here=100))
@given(overrides())
def test_an_odd_pack_is_built_or_refused(text: str) -> None:
    try:
        board = load_text(text)
    except BoardError as error:
        assert error.problems
        assert all(p.file for p in error.problems)
    else:
        assert board.provinces


@settings(max_examples=examples(400, here=100))
@given(st.data())
def test_a_pack_with_one_value_changed_is_built_or_refused(data: st.DataObject) -> None:
    pack = read_standard()
    section = pack.data[data.draw(st.sampled_from(SECTIONS))]
    key = data.draw(st.sampled_from(sorted(section)))
    if isinstance(section[key], dict) and data.draw(st.booleans()):
        section[key][data.draw(st.sampled_from(sorted(section[key])))] = data.draw(values)
    elif data.draw(st.booleans()):
        section[key] = data.draw(values)
    else:
        del section[key]
    try:
        assert build(pack).provinces
    except BoardError as error:
        assert error.problems


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ('borders = { add = "ARCH-PERM" }', "borders.add"),
        ('borders = { change = ["ARCH-PERM"] }', "borders.change"),
        ("borders = { add = [[1]] }", "borders.add"),
        ('pack = "mine"', "pack"),
        ('pack = { replace = "rail" }', "pack.replace"),
        ("pack = { replace = [3] }", "pack.replace"),
    ],
)
def test_a_value_of_the_wrong_shape_is_told_not_passed_over(text: str, key: str) -> None:
    pack = read_standard()
    override(pack, text, "my.toml")
    with pytest.raises(BoardError) as caught:
        build(pack)
    assert key in [p.key for p in caught.value.problems]


def test_a_pack_has_so_many_problems_and_no_more() -> None:
    """Each unknown province was told with those that look like it: eighty thousand took a minute."""
    text = "[[rail]]\nname = 'x'\nprovinces = [" + "'QQ'," * 79_000 + "'QQ']\n"
    with pytest.raises(BoardError) as error:
        within(3, lambda: load_text(text))
    assert len(error.value.problems) == 201 and "not looked at" in str(error.value)
    unknown = "".join(f"[s{number}]\n" for number in range(2_000))
    with pytest.raises(BoardError) as error:
        within(3, lambda: load_text(unknown))
    assert len(error.value.problems) == 201


def test_two_hundred_warnings_are_not_good() -> None:
    pack = Pack()
    for number in range(199):
        pack.add(BoardProblem("a.toml", str(number), "odd", PackSeverity.WARNING))
    with pytest.raises(BoardError):
        pack.add(BoardProblem("a.toml", "", "odd", PackSeverity.WARNING))
    assert errors(pack.problems)


def test_a_problem_quotes_only_so_much() -> None:
    with pytest.raises(BoardError) as error:
        within(3, lambda: load_text(f"[borders]\nadd = ['{'Q' * 300_000}']"))
    assert len(str(error.value)) < 1_000
