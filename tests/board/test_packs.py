"""A Gamesmaster's own pack: he may change any part, and is told of everything that is wrong with it."""

import re
from pathlib import Path

import pytest

from gm.board.load import (
    build,
    files_of,
    for_shorter_game,
    for_whole_game,
    load_pack,
    packed,
    standard_board,
)
from gm.board.model import Border, Provenance
from gm.board.pack import changes, override, read_pack, read_standard
from gm.board.problems import BoardError, BoardProblem, PackSeverity
from gm.board.validate import validate
from tests.support import load_text


def problems(text: str) -> list[BoardProblem]:
    pack = read_standard()
    override(pack, text, "my.toml")
    return list(validate(pack))


# One mistake each: what the pack says, the key that is named, and a piece of what is said about it.
MISTAKES = [
    ('[borders]\nadd = ["PETR-FOOO"]', "borders.FOOO-PETR", "unknown province 'FOOO'"),
    ('[borders]\nadd = ["PETR-PETR"]', "borders.PETR-PETR", "no border with itself"),
    ('[borders]\nadd = ["PETRPSKO"]', "borders.add", "not a border"),
    ('[borders]\nadd = ["ARCH-PERM", "PERM-ARCH"]', "borders.add", "ARCH-PERM is listed twice"),
    ('[borders]\nadd = ["ARCH-PERM"]\nclosed = ["PERM-ARCH"]', "borders.closed", "ARCH-PERM is listed twice"),
    ('[borders]\nremove = ["PETR-VLAD"]', "borders.PETR-VLAD", "it is not there"),
    ('[borders]\nadded = ["PETR-VLAD"]', "borders.added", "unknown key"),
    ('[borders]\nchange = { "PETR-PSKO" = "muddy" }', "borders.PETR-PSKO", "'muddy' is none of"),
    ('[borders]\nremove = ["FINL-PETR"]', "rail.Finland Railway", "step PETR-FINL without a border"),
    ('[borders]\nchange = { "FINL-PETR" = "closed" }', "rail.Finland Railway", "over a border that is closed"),
    ('[[rail]]\nname = "New"\nprovinces = ["PETR", "LIVO"]', "rail.New", "over a border that is closed"),
    ('[[rail]]\nname = "New"\nprovinces = ["PETR"]', "rail.New", "two provinces or more"),
    ('[[rail]]\nname = "New"\nprovinces = ["PETR", "PSKO", "PETR"]', "rail.New", "twice through the same province"),
    ('[[rail]]\nname = "New"\nprovinces = ["PETR", "PKSO"]', "rail.New", "unknown province 'PKSO'"),
    ("[provinces.PETR]\nprot = true", "provinces.PETR.prot", "unknown key"),
    ('[provinces.PETR]\nport = "yes"', "provinces.PETR.port", "must be true or false"),
    ('[provinces.PETR]\nname = ""', "provinces.PETR.name", "must be a text"),
    ("[provinces.PETR]\nseat = [1]", "provinces.PETR.seat", "must be two numbers"),
    ('[provinces.PETR]\nprovenance = "rumour"', "provinces.PETR.provenance", "'rumour' is none of"),
    ('[provinces.PETR]\naliases = ["Moscow"]', "provinces.TVER", "'Moscow' is also a name of province PETR"),
    ("[provinces]\nPETR = 3", "provinces.PETR", "must be a table"),
    ("[[leaders]]\nid = 151\nvalue = 0", "leaders.151.value", "1 or more"),
    ('[[leaders]]\nid = 151\ncolor = "green"', "leaders.151.color", "neither red nor white"),
    ('[[leaders]]\nid = 151\nprovince = "PTER"', "leaders.151.province", "unknown province 'PTER'"),
    ('[[leaders]]\nid = 151\nprovince = "KOST"', "leaders.151", "KOST has no red one"),
    ("[[leaders]]\nid = 176\nwith_unit = true", "leaders.176", "Peterson and Lenin start with the same unit"),
    ('[[leaders]]\nid = 151\naliases = ["Stalin"]', "leaders.171", "'Stalin' is also a name of Leader 151"),
    ("[[leaders]]\nname = 'Nobody'", "leaders.#1", "needs its id"),
    ("[[leaders]]\nid = 151\nvalue = 3\n[[leaders]]\nid = 151\nvalue = 4", "leaders.151", "two entries with this id"),
    ('[[units]]\nid = 151\ncolor = "red"\nstrength = 2\nprovince = "PETR"', "units.151", "also among the leaders"),
    ('[[units]]\nid = 2\ncolor = "red"\nstrength = 2\nprovince = "PETR"', "units.2", "belong to the Czar and the Gold"),
    ('[[units]]\nid = 112\nnation = "GE"', "units.112.nation", "a red unit has no nation"),
    ('[[units]]\nid = 322\nnation = "XX"', "units.322.nation", "unknown nation 'XX'"),
    ('[[units]]\nid = 322\nnation = "GE"', "units.322.nation", "GE is blue, the unit green"),
    ('[[units]]\nid = 411\nprovince = "PETR"', "units.411.province", "outside the region of Japan"),
    ('[[units]]\nid = 328\nprovince = "ESTO"', "units.328.province", "outside the region of Finland"),
    ("[[units]]\nid = 112\nstrength = 0", "units.112.strength", "1 or more"),
    ("[[units]]\nid = 112\nstrength = true", "units.112.strength", "must be a whole number"),
    ("[units]\nid = 112", "units", "must be a list"),
    ('[[imperial]]\nname = "Czar"\nunder = 999', "imperial.Czar.under", "there is no unit 999"),
    ('[[imperial]]\nname = "Czar"\nunder = 112', "imperial.Czar.under", "at home in PETR"),
    (
        '[[imperial]]\nname = "Rasputin"\nprovince = "PETR"\nunder = 112',
        "imperial.Rasputin",
        "just the Czar and the Gold",
    ),
    ('[[imperial]]\nname = "Gold"\nremove = true', "imperial.Gold", "just the Czar and the Gold"),
    ('[markers]\nblue_control = ["FR", "XX"]', "markers.blue_control", "'XX' is no blue nation"),
    ('[markers]\nblue_control = ["FR", "BR", "US", "JA", "CZ", "GE"]', "markers.blue_control", "does not move"),
    ('[markers]\nblue_withdrawal = ["FR", "FR"]', "markers.blue_withdrawal", "listed twice"),
    ("[markers]\npolitburo_dealt = 99", "markers.politburo_dealt", "more than the 15"),
    ('[nations.GE]\nregions = ["Siberya"]', "nations.GE.regions", "no province is in 'Siberya'"),
    ('[nations.GE]\nprovinces = ["LIVA"]', "nations.GE.provinces", "unknown province 'LIVA'"),
    ('[nations.CZ]\nmay_exit_from = "VLDVV"', "nations.CZ.may_exit_from", "unknown province"),
    ('[nations.GE]\ncolor = "red"', "nations.GE.color", "neither blue nor green"),
    ('[combat]\n6 = ["Ae", "Ae", "Ae", "Ex", "Ex", "Ex"]', "combat.6", "6 results for 7 columns"),
    ('[combat]\n6 = ["Ae", "Ae", "Ae", "Ex", "Ex", "Ex", ""]', "combat.6", "column 7: '' is no result"),
    ('[combat]\n7 = ["Ae"]', "combat.7", "no roll gives this row"),
    ('[combat]\nodds = ["1-2", "1-1", "2-1", "4-1", "3-1", "5-1", "6-1"]', "combat.odds", "none left out"),
    ('[combat]\nodds = ["even"]', "combat.odds", "a list of odds"),
    ('[purge]\n2 = ["1", "2", "3", "3", "X"]', "purge.2", "column 5: 'X' is no result"),
    ("[purge]\ncolumns = [1, 11, 18, 25, 20]", "purge.columns", "must begin at 1 and rise"),
    ('[events]\n"1-1" = ["PETR", "DCOS", "IRKU", "TVER"]', "events.1-4", "TVER is in two event boxes, 1-1 and 1-4"),
    ('[events]\n"1-1" = ["PETR", "DCOS"]', "events.IRKU", "in no event box"),
    ('[events]\n"1-3" = "drow"', "events.1-3", "'drow' is no event"),
    ('[events]\n"7-1" = "draw"', "events.7-1", "no roll gives this box"),
    ('[events]\n"1-3" = 5', "events.1-3", "must be an event or a list"),
    (
        '[totals]\n"red leaders" = { count = 31, points = 40 }',
        "totals.red leaders",
        "31 with 40 points are stated, 30 with 40",
    ),
    ('[totals]\n"pink leaders" = { count = 31, points = 40 }', "totals.pink leaders", "must be a colour"),
    ('[provenance]\ncombat = "hearsay"', "provenance.combat", "'hearsay' is none of"),
    ("[bordres]\nx = 1", "bordres", "unknown section"),
    ('[pack]\nreplace = ["rails"]', "pack.replace", "no section 'rails'"),
]

# Where a change of one file breaks a line of another, that line is named, with its own file.
IN_STANDARD_FILES = {
    "rail.Finland Railway": "map.toml",
    "provinces.TVER": "map.toml",
    "leaders.171": "counters.toml",
    "events.IRKU": "tables.toml",
    "events.1-4": "tables.toml",
}


@pytest.mark.parametrize(("text", "key", "what"), MISTAKES, ids=[f"{key}: {what}" for _, key, what in MISTAKES])
def test_a_mistake_is_named_with_file_key_and_fault(text: str, key: str, what: str) -> None:
    found = [p for p in problems(text) if p.severity is PackSeverity.ERROR]
    assert key in [p.key for p in found], [str(p) for p in found]
    problem = next(p for p in found if p.key == key and what in p.what)
    assert problem.file == IN_STANDARD_FILES.get(key, "my.toml")


def test_near_misses_are_suggested() -> None:
    (problem,) = problems("[provinces.PETR]\nprot = true")
    assert problem.near == ("port",)
    assert str(problem) == "my.toml: provinces.PETR.prot: unknown key (did you mean port?)"


def test_all_problems_are_told_not_only_the_first() -> None:
    text = '[borders]\nadd = ["PETR-FOOO", "TVER-BARR"]\n[combat]\n1 = []\n[bordres]\nx = 1\n[provinces.PETR]\nprot = 1'
    with pytest.raises(BoardError) as caught:
        load_text(text, "my.toml")
    assert [p.key for p in caught.value.problems] == [
        "bordres",
        "provinces.PETR.prot",
        "borders.FOOO-PETR",
        "borders.BARR-TVER",
        "combat.1",
    ]


def test_a_missing_row_and_a_missing_box_are_holes_in_a_table() -> None:
    pack = read_standard()
    del pack.data["combat"]["3"], pack.data["events"]["1-3"]
    assert [(p.key, p.what) for p in validate(pack)] == [
        ("combat.3", "this row is missing"),
        ("events.1-3", "this box is missing"),
    ]


def test_a_province_without_borders_and_an_island_are_noticed() -> None:
    lonely = '[provinces.XXXX]\nname = "X"\nregion = "Baltic"\n[events]\n"6-6" = ["POLA", "VOLH", "XXXX", "YYYY"]\n'
    lonely += '[provinces.YYYY]\nname = "Y"\nregion = "Baltic"\n'
    assert [(p.key, p.what) for p in problems(lonely)] == [
        ("provinces.XXXX", "no border leads there"),
        ("provinces.YYYY", "no border leads there"),
    ]
    island = problems(lonely + '[borders]\nadd = ["XXXX-YYYY"]')
    assert [(p.key, p.severity) for p in island] == [
        ("provinces.XXXX", PackSeverity.WARNING),
        ("provinces.YYYY", PackSeverity.WARNING),
    ]


def test_counters_that_no_longer_add_up_are_a_warning_to_a_gamesmaster() -> None:
    (problem,) = problems("[[leaders]]\nid = 151\nvalue = 4")
    assert problem.severity is PackSeverity.WARNING
    assert load_text("[[leaders]]\nid = 151\nvalue = 4").pieces[151].value == 4


def test_a_pack_that_states_its_own_totals_is_silent_when_they_are_right() -> None:
    assert problems('[[leaders]]\nid = 151\nvalue = 4\n[totals]\n"red leaders" = { count = 30, points = 41 }') == []


def test_a_slip_in_the_standard_counters_is_an_error() -> None:
    pack = read_standard()
    pack.data["leaders"]["151"]["value"] = 4
    assert [(p.file, p.key) for p in validate(pack)] == [("counters.toml", "totals.red leaders")]
    with pytest.raises(BoardError):
        build(pack)


def test_a_port_can_be_taken_away_and_nothing_else_changes() -> None:
    board = load_text("[provinces.ARCH]\nport = false")
    assert not board.provinces["ARCH"].port
    assert board.provinces["ARCH"].name == "Archangel"
    assert board.provinces["PETR"].port


def test_what_a_pack_changes_is_known_by_the_gamesmaster() -> None:
    board = load_text(
        '[provinces.TULA]\nport = true\n[provinces.KARS]\nregion = "Caucasus"\n[[units]]\nid = 112\nstrength = 7\n'
        '[events]\n"1-3" = "subversion-doubled"\n[borders]\nadd = ["ARCH-PERM"]'
    )
    assert board.provinces["TULA"].port_provenance is Provenance.GAMESMASTER
    assert board.provinces["TULA"].provenance is standard_board().provinces["TULA"].provenance
    assert board.provinces["KARS"].provenance is Provenance.GAMESMASTER
    assert board.pieces[112].provenance is Provenance.GAMESMASTER
    assert board.known_by("events.1-3") is Provenance.GAMESMASTER
    assert board.known_by("events.1-1") is Provenance.CONJECTURE
    assert board.known_by("borders.ARCH-PERM") is Provenance.GAMESMASTER


def test_a_gamesmaster_with_the_printed_game_may_say_so() -> None:
    board = load_text('[events]\n"1-3" = "subversion-doubled"\n[provenance]\nevents = "attested"')
    assert board.known_by("events.1-3") is Provenance.ATTESTED


def test_borders_are_added_removed_and_changed_singly() -> None:
    board = load_text('[borders]\nadd = ["PERM-ARCH"]\nremove = ["KARS-ERIV"]\nchange = { "KUBA-TAUR" = "open" }')
    assert board.border("ARCH", "PERM") is Border.OPEN
    assert board.border("KARS", "ERIV") is None
    assert board.border("TAUR", "KUBA") is Border.OPEN


def test_a_whole_list_of_borders_replaces_the_standard_one() -> None:
    board = load_text('[borders]\nwhite_only = ["KARS-ERIV"]\nadd = ["KUBA-TAUR"]\nremove = []')
    assert board.border("KARS", "ERIV") is Border.WHITE_ONLY
    assert board.border("KUBA", "TAUR") is Border.OPEN


def test_a_section_can_be_replaced_whole() -> None:
    board = load_text(
        '[pack]\nname = "One line"\nreplace = ["rail"]\n[[rail]]\nname = "A"\nprovinces = ["PETR", "NOVG"]'
    )
    assert [line.name for line in board.rail] == ["A"]


def test_a_counter_can_be_removed_and_a_line_renamed() -> None:
    board = load_text('[[units]]\nid = 433\nremove = true\n[[rail]]\nname = "Finland Railway"\nremove = true')
    assert 433 not in board.pieces
    assert "FINL" not in board.rail_steps


def test_changes_are_listed_in_words() -> None:
    pack = read_standard()
    override(
        pack,
        '[provinces.ARCH]\nport = false\n[borders]\nadd = ["ARCH-PERM"]\nremove = ["KARS-ERIV"]\n'
        '[combat]\n1 = ["De", "De", "De", "De", "De", "De", "Ex"]',
        "my.toml",
    )
    assert [str(c) for c in changes(pack)] == [
        "provinces.ARCH.port: true -> false",
        "borders.ERIV-KARS: removed (was open)",
        "borders.ARCH-PERM: new: open",
        "combat.1: De, De, De, De, De, De, De -> De, De, De, De, De, De, Ex",
    ]


def test_the_standard_files_as_a_pack_change_nothing(tmp_path: Path) -> None:
    source = Path(__file__).parents[2] / "gm" / "board" / "data" / "rcw"
    for file in source.glob("*.toml"):
        (tmp_path / file.name).write_text(file.read_text("utf-8"), "utf-8")
    pack = read_pack(tmp_path)
    assert changes(pack) == []
    board = build(pack)
    assert board.digest == standard_board().digest
    assert board.provinces["ARCH"].port_provenance is Provenance.CONJECTURE


def test_the_digest_follows_what_can_change_a_result_and_nothing_else() -> None:
    standard = standard_board().digest
    assert load_text('[provinces.ARCH]\naliases = ["Archangelsk"]\nseat = [1.0, 2.0]').digest == standard
    for text in (
        "[provinces.ARCH]\nport = false",
        '[borders]\nadd = ["ARCH-PERM"]',
        "[[leaders]]\nid = 151\nvalue = 4",
        '[combat]\n1 = ["De", "De", "De", "De", "De", "De", "Ex"]',
        '[events]\n"1-3" = "subversion-doubled"',
        "[markers]\nassassins_dealt = 3",
        '[[rail]]\nname = "Finland Railway"\nremove = true',
        "[nations.GE]\nmovable = true",
    ):
        assert load_text(text).digest != standard, text


def test_no_pack_is_the_standard_board() -> None:
    assert load_pack(None) is standard_board()


def test_a_pack_is_a_file_or_a_folder_of_files(tmp_path: Path) -> None:
    (tmp_path / "a.toml").write_text("[provinces.ARCH]\nport = false\n")
    (tmp_path / "b.toml").write_text("[provinces.PETR]\nport = false\n")
    assert not load_pack(tmp_path).provinces["PETR"].port
    assert load_pack(tmp_path / "a.toml").provinces["PETR"].port
    assert not load_pack(tmp_path / "a.toml").provinces["ARCH"].port


@pytest.mark.parametrize(
    ("content", "what"),
    [(b"[provinces", "not valid TOML"), (b"name = '\xff'", "not a UTF-8 text"), (None, "No such file")],
)
def test_a_file_that_cannot_be_read_is_named(tmp_path: Path, content: bytes | None, what: str) -> None:
    file = tmp_path / "mine.toml"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(BoardError, match=what) as caught:
        load_pack(file)
    assert "mine.toml" in str(caught.value)


def test_an_empty_folder_is_no_pack(tmp_path: Path) -> None:
    with pytest.raises(BoardError, match=r"no \.toml file"):
        load_pack(tmp_path)


GUIDE = Path(__file__).parents[2] / "docs" / "packs.md"


@pytest.mark.parametrize("example", re.findall(r"```toml\n(.*?)```", GUIDE.read_text("utf-8"), re.DOTALL))
def test_every_example_of_the_guide_is_a_pack_without_errors(example: str) -> None:
    assert [str(p) for p in problems(example) if p.severity is PackSeverity.ERROR] == []


def test_the_guide_has_examples() -> None:
    assert GUIDE.read_text("utf-8").count("```toml") == 2


def test_the_board_of_the_shorter_game_is_the_same_board_with_the_very_same_pieces() -> None:
    files = (("my.toml", "[provinces.PETR]\naliases = ['Piter']"),)
    for whole in (standard_board(), packed(), packed(files)):
        shorter = for_shorter_game(whole)
        assert shorter.shorter and not whole.shorter
        assert all(shorter.pieces[code] is piece for code, piece in whole.pieces.items())
        assert (shorter.digest, shorter.names, files_of(shorter)) == (whole.digest, whole.names, files_of(whole))
        assert for_shorter_game(whole) is shorter is for_shorter_game(shorter)
        assert for_whole_game(shorter) is whole is for_whole_game(whole)
    assert packed(files, shorter=True) is for_shorter_game(packed(files))
