"""Whatever stands in a pack, it is built or refused with its problems; it never crashes the program."""

import json
from itertools import pairwise, product
from string import ascii_uppercase
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gm.board.load import build
from gm.board.pack import SECTIONS, Pack, override, read_standard
from gm.board.problems import BoardError, BoardProblem, PackSeverity
from gm.board.validate import errors
from gm.campaign import boards
from gm.errors import Invalid
from gm.web.routes.gm.pack_report import check_pack
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


def many(section: str, number: int) -> str:
    """So many more, where no Leader of their colour begins with a unit."""
    rows = {
        "leaders": '{id=%d, name="n%d", color="red", value=1, province="%s", with_unit=false}',
        "units": '{id=%d, color="red", strength=1, aliases=["u%d"], province="%s"}',
    }
    led = {row["province"] for row in STANDARD.data["leaders"].values() if row["color"] == "red"}
    free = [code for code in STANDARD.data["provinces"] if code not in led]
    made = (rows[section] % (2_000 + n, n, free[n % len(free)]) for n in range(number))
    return f"{section} = [" + ", ".join(made) + "]\n"


@pytest.mark.parametrize("section", ["leaders", "units"])
def test_no_new_campaign_begins_with_more_than_four_times_the_standard_game(section: str) -> None:
    """Two thousand Leaders and five commanders took every Phase six minutes of all campaigns."""
    standard = len(STANDARD.data[section])
    good, large = many(section, 2 * standard), many(section, 4 * standard + 20)
    assert boards.new_pack((("p.toml", good),)) and check_pack((("p.toml", good),)).good
    with pytest.raises(Invalid, match="that there may be"):
        within(5, lambda: boards.new_pack((("p.toml", large),)))
    report = check_pack((("p.toml", large),))
    assert not report.good and report.problems[0].key == section and "that there may be" in report.problems[0].what
    assert boards.valid_pack((("p.toml", large),)), "a campaign that plays on it goes on"


def railway(provinces: int) -> str:
    """A pack with one line that goes through so many provinces of its own."""
    codes = ["".join(code) for code in product("QXYZ", ascii_uppercase, ascii_uppercase, ascii_uppercase)][:provinces]
    box = next(key for key, cell in STANDARD.data["events"].items() if isinstance(cell, list))
    text = "".join(f'[provinces.{code}]\nname="p{code}"\nregion="Siberia"\n' for code in codes)
    borders = [f"PETR-{codes[0]}", *(f"{a}-{b}" for a, b in pairwise(codes))]
    text += f"[borders]\nadd={borders}\n[[rail]]\nname='big'\nprovinces={['PETR', *codes]}\n"
    return text + f'[events]\n"{box}"={[*STANDARD.data["events"][box], *codes]}\n'


def test_a_railway_of_four_thousand_provinces_is_no_pack() -> None:
    with pytest.raises(Invalid) as caught:
        boards.new_pack((("p.toml", railway(4_300)),))
    told = " ".join(str(problem) for problem in caught.value.data["problems"])
    assert all(section in told for section in ("provinces: 4373 of 300", "borders: 4471 of 700", "the lines have"))


def refused(text: str) -> list[str]:
    """What a pack is refused with by everybody who begins to play: a campaign, the form and the command line."""
    with pytest.raises(Invalid) as caught:
        within(5, lambda: boards.new_pack((("p.toml", text),)))
    report = check_pack((("p.toml", text),))
    told = [str(problem) for problem in caught.value.data["problems"]]
    assert not report.good and [str(problem) for problem in report.problems] == told
    return told


def goes_on(text: str) -> bool:
    return bool(boards.valid_pack((("p.toml", text),)))


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("[[units]]\nid = 211\nstrength = 33\n", "units.211.strength: may be 32 at most"),
        ("[[leaders]]\nid = 151\nvalue = 13\n", "leaders.151.value: may be 12 at most"),
        (f"[[leaders]]\nid = 151\nvalue = {10**400}\n", "leaders.151.value: may be 12 at most"),
        (
            "".join(f'[[units]]\nid={900 + n}\ncolor="red"\nstrength=32\nprovince="PETR"\n' for n in range(30)),
            "units: all of them may have",
        ),
        ("[markers]\nassassins_in_randomizer = 4_000_000\n", "markers.assassins_in_randomizer: may be 60 at most"),
        ("[markers]\nassassins_dealt = 61\n", "markers.assassins_dealt: may be 60 at most"),
        ("[markers]\npolitburo = 61\npolitburo_dealt = 61\n", "markers.politburo_dealt: may be 60 at most"),
        ('[purge]\n2 = ["1", "2", "3", "3", "100"]\n', "purge.2: may be 99 at most"),
        ("[provinces.TVER]\nseat = [nan, 50.0]\n", "provinces.TVER.seat: a number may be"),
        ("[provinces.TVER]\nseat = [1e3, 50.0]\n", "provinces.TVER.seat: degrees may be 360"),
    ],
)
def test_no_new_campaign_begins_with_numbers_without_measure(text: str, key: str) -> None:
    """Four million markers took four gigabytes, and twenty-three units of 1, 2, 4 and so on a minute an Exchange."""
    assert any(key in problem for problem in refused(text))


@pytest.mark.parametrize("text", ["[[leaders]]\nid = 151\nvalue = {}\n", "[totals]\n'red units' = {{count = {}}}\n"])
def test_a_number_that_nobody_can_write_down_is_no_number(text: str) -> None:
    assert "thousands of digits" in refused(text.format("0x" + "f" * 5_000))[0]
    assert refused(f"[provinces.TVER]\nseat = [{10**400}, 50]\n")


def test_stacks_obey_their_limits_from_the_start() -> None:
    """A Leader began with all units of his colour at home, however many."""
    unit = '[[units]]\nid = {}\ncolor = "{}"\nstrength = 1\nprovince = "{}"\n'
    leader = '[[leaders]]\nid = {}\nname = "n{}"\ncolor = "white"\nvalue = 1\nprovince = "KUBA"\nwith_unit = false\n'
    one = unit.format(900, "red", "OREL")
    assert boards.new_pack((("p.toml", one),)), "Budenny leads two"
    for text, why in (
        (one + unit.format(901, "red", "OREL"), "cannot lead so many"),
        ("".join(leader.format(900 + n, n) for n in range(3)), "more than 5 counters"),
        ("".join(unit.format(900 + n, "blue", "KHER") + 'nation = "FR"\n' for n in range(3)), "more than 5 counters"),
    ):
        (problem,) = refused(text)
        assert "provinces." in problem and why in problem
        assert goes_on(text)


STRANGE = ["Nikolai\\nSTACK ALL", "Le\\u0000nin", "\\u202eninel", "Le\\u200bnin", "a\\u2028b", "\\u001b[2J", "n" * 101]


@pytest.mark.parametrize("name", STRANGE)
@pytest.mark.parametrize(
    "entry",
    [
        '[[leaders]]\nid = 151\nname = "{}"\n',
        '[[leaders]]\nid = 151\naliases = ["{}"]\n',
        '[provinces.TVER]\nname = "{}"\n',
        '[nations.FR]\nname = "{}"\n',
        '[meta]\nname = "{}"\n',
        '[[rail]]\nname = "{}"\nprovinces = ["PETR", "NOVG"]\n',
        '[provenance]\n"{}" = "attested"\n',
    ],
)
def test_names_of_a_new_campaign_are_short_and_of_signs_that_can_be_seen(entry: str, name: str) -> None:
    text = entry.format(name)
    (problem,) = {problem.rpartition(": ")[2] for problem in refused(text)}
    assert problem in ("may have 100 characters", "has a line break, or characters that cannot be seen")
    assert all(problem.isprintable() and len(problem) < 300 for problem in refused(text))
    assert goes_on(text)


def test_a_pack_calls_itself_by_a_name_that_can_be_seen() -> None:
    assert "pack.name: has a line break" in refused('[pack]\nname = "My\\u202ecopy"\n')[0]


def test_a_name_has_so_many_others() -> None:
    assert "31 of 30" in refused(f"[provinces.TVER]\naliases = {[f'tver{n}' for n in range(31)]}\n")[0]
