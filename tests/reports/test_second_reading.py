"""What another fresh reader of 25 issues found false or silly, each as the class that it was of."""

import re
from dataclasses import replace

import msgspec

from gm.adjudicator import outcome as o
from gm.orders import kinds as m
from gm.orders.parser import parse
from gm.position import Phase, Stack
from gm.reports.issue import BarometerRow, Luck, Past, Record
from gm.reports.prose import standard_prose
from gm.reports.story.calendar import days_of
from gm.reports.story.closing import closing
from gm.reports.story.headlines import find_news
from gm.reports.story.memory import War
from gm.reports.story.news import News, NewsContext
from gm.reports.view.reasons import own_orders, public_orders
from gm.reports.view.what_happened import sections
from tests.reports.campaigns import BOARD, campaign, sensible
from tests.reports.test_cold_reading import TOLD, told
from tests.reports.test_fact_check import every_story, purged, spoils
from tests.reports.test_front_page import news_of
from tests.reports.test_view import (
    attempt,
    fallen,
    filed,
    happened_with,
    issue,
    moved,
    names_of,
    outcome,
    piece,
    position,
    purge_rolled,
    stack,
)

PROSE = standard_prose()


def kinds(happened: o.Outcome) -> set[str]:
    return {n.kind for n in find_news(NewsContext(names_of(happened), happened))}


def section(happened: o.Outcome, key: str) -> list[str]:
    return [item.text for s in sections(names_of(happened), happened) if s.key == key for item in s.items]


def test_fights_before_the_one_that_is_told_are_told_backwards() -> None:
    """`Earlier he had beaten Americans. Before that he had destroyed British`: it was the other way round."""
    first, second, main = (
        msgspec.structs.replace(fallen(name), number=number, defender=stack("PETR", "B", name))
        for number, name in enumerate(("WU2 LIVO", "WU2 ARCH", "Wrangel"), start=1)
    )
    news = news_of(happened_with(first, second, main), "leader_fell")
    before = [tail for tail in news.tails if tail.key == "also_won_before"]
    assert [str(tail.data["enemy"]).split()[2] for tail in before] == ["Archangel", "Livonia"]
    assert not [t for t in PROSE.packs["tails"]["also_won_before"]["texts"] if "begun" in t]


def camp(*before: Stack, more: tuple[Stack, ...] = ()) -> o.Outcome:
    events = (moved("Trotsky", "RU8 TVER", path=("TVER", "NOVG")), moved("Budenny", path=("TVER", "NOVG"), number=2))
    after = position(Phase.SECOND, stack("NOVG", "A", "Trotsky", "RU8 TVER"), stack("NOVG", "A", "Budenny"), *more)
    return o.Outcome(position(Phase.FIRST, *before), after, events, (), (), {p: o.Points(0, 0) for p in "ABC"})


def test_a_force_is_called_after_its_greatest_leader_wherever_he_stands() -> None:
    deep = stack("PETR", "A", "Markin", "Kalinin", "Lenin", "RU8 NOVG")
    event = msgspec.structs.replace(fallen("WU2 LIVO"), attackers=(deep,))
    assert news_of(happened_with(event), "battle").data["force"] == "Archer's men under Lenin"
    foe = stack("NOVG", "B", "Lukomsky", "Wrangel")
    move = moved("Markin", "Lenin", path=("PETR", "NOVG"))
    here = replace_province(deep, "NOVG")
    happened = o.Outcome(position(Phase.FIRST, deep, foe), position(Phase.SECOND, here, foe), (move,), (), (), {})
    armies = str(news_of(happened, "armies").data["armies"])
    assert "under Lenin" in armies and "under Baron Wrangel" in armies


def replace_province(force: Stack, province: str) -> Stack:
    return msgspec.structs.replace(force, province=province)


def test_an_attack_is_led_by_its_greatest_leader_and_by_nobody_who_is_alone() -> None:
    def when(*attackers: Stack) -> tuple[str, ...]:
        lost = (piece("Berzin"),)
        event = msgspec.structs.replace(fallen("WU2 LIVO"), attackers=attackers, result="Ex", lost_by_attacker=lost)
        return news_of(happened_with(event), "leader_fell").when

    led = "attacking_dear_led"
    assert led in when(stack("PETR", "A", "Berzin", "RU2 KAZA"))
    assert led not in when(stack("PETR", "A", "Berzin"), stack("PETR", "A", "Slavin", "RU2 KAZA"))
    assert led not in when(stack("PETR", "A", "Berzin", "Frunze"))
    assert led not in when(stack("PETR", "A", "Slavin", "RU2 KAZA"), stack("PETR", "A", "Berzin", "RU2 EKAT"))


def test_wordings_that_were_false_or_silly_are_gone() -> None:
    assert told(r"Others took|no neighbour|first shot|keep count|moved it\b|must now ask|[Ff]oreign officers") == []
    assert told(r"^Whoever (?!subverts|looks|holds)|bayonets .* came to") == []
    assert told(r"\{force\}(?: \{at\})? came\b(?! back)") == [], "who attacked is said to have attacked"
    assert told(r"\{nth\} month") == [], "the sixth month of fighting, if it is the sixth month with fighting"


def test_words_that_do_not_fit_one_or_do_not_fit_all_are_gone() -> None:
    one = r"\{(?:force|enemy)\} (?:are|stand|were|have|lie)\b"  # may be one man; of two joined by `and` it is right
    plural = [text for text in told(one) if not re.search(r"\band \{enemy\} (?:are|stand|lie)\b", text)]
    assert plural == []
    assert told(r"^It was the last time|[Nn]o \{adjective\}|[Mm]any hands|has lost the last|months that saw one") == []
    assert told(r"last fight there|another fight to come|more fighting to come|had to fight again") == [], "told behind"
    assert told(r"more than that|[Bb]y other Purges|[Bb]loody day|turns on \{victim\}|\bto lead it on\b") == []
    assert told(r"\{parts\} and|Purge orders without effect|brought \{attack") == []


def _texts(pool: object) -> list[str]:
    """The wordings of a form, or of all forms of a condition."""
    forms = pool.values() if isinstance(pool, dict) else [pool]
    return [text for form in forms if isinstance(form, list) for text in form]


def test_a_turn_of_phrase_belongs_to_one_wording() -> None:
    """A wording is not used again within ten issues, and its turn of phrase would be by another."""
    turns = ("not live to see", "made an end of", "parted from", "paid for it with", "bleed", "at the head of")
    for turn in (*turns, "motion of .* was carried"):
        found = [text for text in TOLD if re.search(rf"\b{turn}", text) and "{tag}" not in text]
        assert len(found) <= 1, (turn, found)


def test_a_move_whose_leader_was_murdered_on_the_way_is_done_in_part() -> None:
    murder = msgspec.structs.replace(attempt(True), target=piece("Frunze"), owner="A", player="B", province="VLDM")
    move = moved("Frunze", "RU4 VLDM", path=("VLDM", "NOVG"))
    order = parse(BOARD, "MOVE Frunze, RU4 VLDM: VLDM-NOVG", "ABC").sheet.orders[0]
    assert isinstance(order, m.Move)
    result = o.OrderResult("A", move.number, order, o.Status.DONE, (o.Reason("carried-out", ()),))
    for province, status in (("VLDM", "partly"), ("NOVG", "done")):
        events = (move, msgspec.structs.replace(murder, province=province))
        happened = msgspec.structs.replace(happened_with(*events), results=(result,))
        line = next(x for orders in public_orders(names_of(happened), happened, ()) for x in orders.orders)
        assert line.status == status
        line = own_orders(names_of(happened), happened, "A", ()).orders[0]
        assert [r.text for r in line.reasons] == (
            ["Frunze was murdered at Vladimir, before coming to Novgorod."] if status == "partly" else []
        )


def test_a_new_leader_of_the_score_is_told_with_the_runner_up() -> None:
    def change(**points: int) -> News:
        rows = {p: BarometerRow(0, 0, 0, 0, 9 if p == "A" else 1, 0) for p in "ABC"}
        past = War((Past(4, rows, ()),))
        happened = outcome(stacks=())
        happened = msgspec.structs.replace(happened, points={p: o.Points(n, 0) for p, n in points.items()})
        return news_of(happened, "lead_change", past)

    assert change(A=15, B=30, C=2).when == ()
    news = change(A=15, B=30, C=27)
    assert news.when == ("third",) and news.data["next"] == 27
    third = PROSE.packs["headlines"]["lead_change"]["third"]
    assert all("{second}" in text and "{next}" in text for form in ("leads", "briefs") for text in third[form])


def test_replacements_that_have_ended_are_not_suspended() -> None:
    shaken = o.RevolutionShaken(leader=piece("Lenin"), owner="A", pm_lost=1, suspended=1)
    murder = msgspec.structs.replace(attempt(True), target=piece("Lenin"))
    for turn, said in ((5, True), (6, False)):
        happened = happened_with(murder, shaken)
        before = msgspec.structs.replace(happened.before, turn=turn)
        text = " ".join(section(msgspec.structs.replace(happened, before=before), "assassinations"))
        assert "gives 1 Politburo Marker" in text
        assert ("suspended" in text) == said


def test_points_that_were_pooled_are_told_so() -> None:
    def share(player: str, points: int, *names: str) -> o.PurgeSpoils:
        leaders = tuple(map(piece, names))
        return o.PurgeSpoils(player=player, victim="B", points=points, leaders=leaders, pieces=leaders)

    events = (purge_rolled("2"), share("A", 1), share("C", 1), share("A", 2, "Frunze"))
    happened = msgspec.structs.replace(
        happened_with(*events), before=position(Phase.FIRST, stack("TVER", "B", "Frunze"))
    )
    said = section(happened, "purges")
    assert "Archer (“A”) found nothing that 1 point alone would buy." in said
    pooled = "Archer (“A”) received RL2 Frunze for 2 points, among them those that the others could not use."
    assert pooled in said


def test_who_found_nothing_because_there_was_nothing_is_told_so() -> None:
    nothing = o.PurgeSpoils(player="A", victim="B", points=1)
    happened = msgspec.structs.replace(
        happened_with(purge_rolled("1"), nothing), before=position(Phase.FIRST, stack("TVER", "B", "Wrangel"))
    )
    told = "found nothing to take: Player “B” had neither a Red Leader nor a Politburo Marker."
    assert any(told in text for text in section(happened, "purges"))


def test_who_had_no_strength_of_his_own_is_told_so() -> None:
    order = msgspec.structs.replace(filed("not-compatible", separately=True), using=0)
    bare = msgspec.structs.replace(happened_with(order), before=position(Phase.FIRST))
    (text,) = [t for t in section(bare, "purges") if "ordered a Purge of" in t]
    assert "assigning no Politburo Marker." in text and "had neither a Red Leader nor a Marker to do it with." in text
    led = msgspec.structs.replace(
        happened_with(order), before=position(Phase.FIRST, stack("TVER", order.player, "Lenin"))
    )
    assert "to do it with" not in " ".join(section(led, "purges"))


def test_a_draw_that_ended_with_nothing_is_told_in_order() -> None:
    events = (
        o.DrawEvent(dice=(5, 4), recipient="B"),
        o.ChitDrawn(player="B", chit="BR control", set_aside=True),
        o.ChitDrawn(player="B", chit=None),
    )
    (text,) = section(happened_with(*events), "events")
    assert text.endswith("the British Control Marker (set aside, NE); then nothing, for it was empty.")


def test_units_come_back_where_a_sentence_says_it() -> None:
    back = o.Replaced(units=(piece("WU8 DCOS"), piece("GU2 KHAR")), refused=())
    text = section(happened_with(back), "replacements")[0]
    assert text == "Back on the map: WU8 DCOS on the Don and GU2 KHAR at Kharkov."


def test_what_one_gained_in_two_turns_stands_once() -> None:
    events = (purge_rolled("2"), spoils("A", "Markin"), spoils("C", "Sablin"), spoils("A", "Frunze"))
    news = news_of(purged(*events, Markin="A", Sablin="C", Frunze="A"), "purge")
    assert news.data["shares"] == "the sailor Markin and Frunze to Archer; Sablin to Player C"


def test_who_has_no_leader_left_is_told_with_where_they_are() -> None:
    left = stack("OREL", "B", "GU8 POLA")
    stacks = (stack("TVER", "B", "Markin"), stack("TVER", "B", "Sablin"), left)
    after = position(Phase.SECOND, stack("TVER", "A", "Markin"), left)
    before = msgspec.structs.replace(position(Phase.FIRST, *stacks), turn=3)
    happened = o.Outcome(before, after, (), (), (), {p: o.Points(1, 1) for p in "ABC"})
    texts = every_story(happened, news_of(happened, "no_leader"))
    assert len(texts) >= 3
    assert all(
        "the sailor Markin is with Archer and Sablin is dead" in text.replace("The s", "the s") for text in texts
    )


def test_the_deal_is_dated_before_the_trades() -> None:
    assert days_of("deal")[1] < days_of("trades")[0]


def test_an_average_die_earns_no_award() -> None:
    for won, awards in ((3, 0), (4, 1)):
        record = Record(luck={"A": Luck(5, won, 2.7)})
        last = replace(issue(outcome()), past=(Past(1, {}, (), record),))
        found = [a.kind for a in closing(names_of(last.outcome), last).awards if "lucky" in a.kind]
        assert len(found) == awards


def test_several_attempts_on_one_man_are_one_story() -> None:
    one = msgspec.structs.replace(attempt(False), target=piece("Budenny"), owner="B", province="TULA")
    happened = happened_with(one, msgspec.structs.replace(one, player="C"))
    (news,) = (n for n in find_news(NewsContext(names_of(happened), happened)) if n.kind == "murder_failed")
    texts = every_story(happened, news)
    assert len(texts) >= 2
    assert all("Archer and Player C" in text for text in texts)


def test_who_lost_the_last_leader_in_battle_or_by_a_purge_is_told_so_there() -> None:
    """And not in a second story of the same page, which would bury him again."""
    for _, view in (*(p for n in range(3) for p in sensible(n)), *(p for n in range(6) for p in campaign(n))):
        page = (view.story, *view.stories)
        fell = {f.who for s in page for f in s.facts if f.what in ("fell", "taken")}
        assert not [s for s in page if s.kind == "no_leader" and fell & {f.who for f in s.facts}]


def test_units_of_nobody_that_the_fever_took_are_not_read_as_anybodys() -> None:
    units = [piece(name) for name in ("RU2 KAZA", "RU4 VLDM", "RU8 PETR")]
    sick = o.EpidemicStruck(dice=(1, 1), provinces=("KAZA",), lost=tuple(("KAZA", unit) for unit in units))
    owners = (None, "A", "A")
    before = position(Phase.FIRST, *(stack("KAZA", who, unit.bell) for who, unit in zip(owners, units, strict=True)))
    happened = o.Outcome(before, position(Phase.SECOND), (sick,), (), (), {})
    lost = "the Red Vladimir brigade of Archer, the Red Petrograd corps of Archer and the Red Kazan regiment"
    assert news_of(happened, "epidemic").data["lost"] == lost
