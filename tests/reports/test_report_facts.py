"""What cold readers found false or silly in the sections, the results of orders and the reader's own box."""

import re

import msgspec
import pytest

from gm.adjudicator import outcome as o
from gm.orders.parser import parse
from gm.position import Phase, Stack
from gm.reports.build import build_view, for_reader
from gm.reports.issue import Reader
from gm.reports.prose import standard_prose
from gm.reports.render.text import Page
from gm.reports.view.model import AttackRow, BellView
from gm.reports.view.positions import positions_of
from gm.reports.view.reasons import own_orders
from gm.reports.view.what_happened import sections
from gm.reports.view.yours import yours
from tests.reports.campaigns import BOARD, campaign
from tests.reports.test_on_file import copy_of, told
from tests.reports.test_stories import texts_of
from tests.reports.test_view import attempt, issue, moved, names_of, piece, position, stack

PROSE = standard_prose()
THREE = """
  A  PETR: RL3 Lenin, RU8 PETR
  A  RYAZ: CZAR, RL1 Gai
  A  BOX: 6 PM
  B  TVER: RL2 Tukhachevsky, RU8 TVER
  B  BOX: 6 PM
  C  SMOL: RL3 Trotsky
  C  BOX: 6 PM
"""


def text_of(view: BellView, key: str) -> str:
    return " ".join(item.text for found in view.sections if found.key == key for item in found.items)


def box(view: BellView, *kinds: str) -> str:
    return " ".join(item.text for item in view.yours if item.kind in kinds)


# --- whose fault it was


@pytest.mark.parametrize(
    ("what", "orders", "missing"),
    [
        ("PURGE", {"A": "PURGE C WITH B USING 4 PM DIVIDE A 1, B 1"}, "Baker (“B”)"),
        ("EXECUTE", {p: f"EXECUTE CZAR WITH {q}, C USING 4 PM" for p, q in ("AB", "BA")}, "Carr (“C”)"),
        ("EXECUTE", {"A": "EXECUTE CZAR WITH B, C USING 4 PM"}, "Baker (“B”) and Carr (“C”)"),
    ],
)
def test_of_an_order_without_its_match_exactly_those_are_named_who_sent_none(
    what: str, orders: dict[str, str], missing: str
) -> None:
    view = copy_of("A", "1 first", position=THREE, **orders)
    assert told(view)[1] == f"{missing} sent no valid order that agrees with this one."
    said = text_of(view, "purges")
    assert f"{missing} sent no valid" in said or f"had valid orders of {missing} agreed with it" in said


def test_a_purge_that_agrees_but_is_not_allowed_is_no_match() -> None:
    """All three are named by their partner, and only who sent nothing fit is."""
    orders = {p: f"PURGE C WITH {q} USING 4 PM DIVIDE A 1, B 1" for p, q in ("AB", "BA")}
    fit = copy_of("A", "1 first", "purge 7", position=THREE, **orders)
    assert "sent no valid order" not in text_of(fit, "purges")
    orders["B"] = "PURGE C WITH A USING 4 PM"
    unfit = copy_of("A", "1 first", position=THREE, **orders)
    assert "had valid orders of Baker (“B”) agreed with it" in text_of(unfit, "purges")


@pytest.mark.parametrize(
    ("orders", "words"),
    [
        ({"A": "GIVE 1 AM TO B"}, "Archer (“A”) did not hold so much at the start of the Phase"),
        ({"A": "GIVE 1 PM TO B FOR 1 AM", "B": "GIVE 1 AM TO A FOR 1 PM"}, "Baker (“B”) did not hold so much"),
        ({"A": "GIVE 4 PM TO B\n  GIVE 4 PM TO C"}, "Too little was left of what Archer (“A”) held"),
    ],
)
def test_what_was_never_there_is_not_said_to_have_gone_elsewhere(orders: dict[str, str], words: str) -> None:
    view = copy_of("A", "1 first", position=THREE, **orders)
    assert view.own is not None
    assert words in " ".join(item.text for item in view.own.orders[-1].reasons)
    assert "elsewhere" not in words and words in text_of(view, "trades")


def test_a_gift_of_nothing_is_no_trade() -> None:
    view = copy_of("A", "1 first", position=THREE, A="GIVE 0 PM TO B")
    assert text_of(view, "trades") == "No trades were concluded."
    assert told(view) == ("without effect", "There was nothing in it, so nothing changed hands.")


def test_a_subversion_without_effect_is_no_exchange_of_losses() -> None:
    where = "\n  A  PSKO: RL2 Zinoviev\n  -  LIVO: BU2 LIVO/GE\n"
    orders = "LOSE Zinoviev\n  SUBVERT BU2 LIVO/GE IN LIVO WITH Zinoviev"
    view = copy_of("A", "1 second", "combat 3", position=where, A=orders)
    assert [row.result for row in view.attacks] == ["Ex"]
    assert told(view)[0] == "not needed"


def test_only_the_last_answer_about_the_czar_is_said_to_have_counted() -> None:
    sheets = {p: f"EXECUTE CZAR WITH {q} USING 6 PM" for p, q in ("BC", "CB")}
    view = copy_of("A", "1 first", position=THREE, A="COMPLY\n  REFUSE EXECUTION", **sheets)
    assert view.own is not None
    first, last = (" ".join(item.text for item in line.reasons) for line in view.own.orders)
    assert "it was your last that counted" in first and "It was your answer" in last


# --- who marched


def marched(**more: object) -> o.Moved:
    move = moved("Sytin", path=("TVER", "TULA"))
    return msgspec.structs.replace(move, intended=("TVER", "TULA", "KALU"), stopped="stopped", **more)


def movement(move: o.Moved, order: str, *murders: o.AssassinationTried, reason: str = "stopped") -> tuple[str, str]:
    """The section, and what its player is told of the order."""
    read = parse(BOARD, order, "ABC").sheet.orders[0]
    result = o.OrderResult("A", move.number, read, o.Status.PARTLY, (o.Reason(reason, ("5.27",)),))
    before = position(Phase.FIRST, stack("TVER", "A", "Sytin"))
    alive = tuple(p for p in move.pieces if p not in {m.target for m in murders})
    after = position(Phase.SECOND, *([Stack(move.path[-1], None, alive[:1])] if alive else []))
    points = {p: o.Points(0, 0) for p in "ABC"}
    happened = o.Outcome(before, after, (move, *murders), (result,), (), points)
    names = names_of(happened)
    section = next(s for s in sections(names, happened) if s.key == "movement")
    line = own_orders(names, happened, "A", ()).orders[0]
    return " ".join(i.text for i in section.items), " ".join(i.text for i in line.reasons)


def test_who_took_a_road_is_who_set_out_on_it() -> None:
    """Sytin marched; the division that he came for had stood there all the time."""
    unit = piece("RU4 TULA")
    move = marched(pieces=(unit,), picked=(("TULA", unit),), dropped=(("TULA", piece("Sytin")),))
    said, _ = movement(move, "MOVE Sytin: TVER-TULA(+RU4 TULA, -Sytin)-KALU")
    assert "RL1 Sytin took the road TVER-TULA and got no farther, though Kaluga was the goal." in said
    assert "RU4 TULA joined at Tula; RL1 Sytin stayed at Tula." in said


def test_a_road_that_leads_twice_through_a_province_knows_at_which_time_somebody_joined() -> None:
    unit = piece("RU8 NOVG")
    path = ("NOVG", "TVER", "NOVG")
    move = marched(pieces=(piece("Sytin"), unit), picked=(("NOVG", unit),))
    move = msgspec.structs.replace(move, path=path, intended=(*path, "SMOL"))
    said, _ = movement(move, "MOVE Sytin: NOVG-TVER-NOVG(+RU8 NOVG)-SMOL")
    assert "RL1 Sytin took the road NOVG-TVER-NOVG" in said and "RU8 NOVG joined at Novgorod." in said
    said, _ = movement(move, "MOVE Sytin: NOVG(+RU8 NOVG)-TVER-NOVG-SMOL")
    assert "RL1 Sytin and RU8 NOVG took the road NOVG-TVER-NOVG" in said and "joined" not in said


def test_of_who_was_murdered_nothing_later_is_told() -> None:
    """He got no farther than where he was murdered; where his order would have stopped he never was."""
    murder = msgspec.structs.replace(attempt(True), target=piece("Sytin"), owner="A", player="B", province="TVER")
    said, own = movement(marched(pieces=(piece("Sytin"),)), "MOVE Sytin: TVER-TULA-KALU", murder)
    assert "took the road" not in said and "Sytin, who was bound for Kaluga, was murdered at Tver." in said
    assert own == "General Sytin was murdered at Tver, before coming to Kaluga."
    rest = marched(pieces=(piece("Sytin"), piece("RU4 TULA"), piece("RU3 KALU")))  # one of them dies later: he came
    said, own = movement(rest, "MOVE Sytin, RU4 TULA, RU3 KALU: TVER-TULA-KALU", murder)
    assert "so the rest of his force did: RU4 TULA and RU3 KALU." in said
    assert "RU4 TULA and RU3 KALU took the road TVER-TULA and got no farther" in said
    assert own.startswith("General Sytin was murdered at Tver") and "had to stop" in own


def test_a_piece_of_the_same_force_has_not_moved_with_another() -> None:
    where = "\n  A  PETR: RL3 Lenin, RU8 PETR\n"
    view = copy_of("A", "1 first", position=where, A="MOVE Lenin: PETR(+Lenin)-PSKO")
    assert told(view)[1] == "RL3 Lenin had been with this force already."
    for orders in ("MOVE Lenin: PETR(+Lenin)-OMSK\n  MOVE Lenin: PETR-PSKO", "MOVE Lenin, Lenin TO VLAD"):
        view = copy_of("A", "1 first", position=where, A=orders)
        assert "another force" not in told(view)[1], told(view)
    view = copy_of("A", "1 first", position=where, A="MOVE Lenin: PETR-PSKO\n  MOVE Lenin: PSKO-PETR")
    assert view.own is not None
    assert view.own.orders[1].reasons[0].text == "RL3 Lenin had moved with another force this Phase."


def test_the_winner_of_a_tie_and_the_captor_of_an_imperial_unit_are_named() -> None:
    where = "\n  A  KUBA: WL3 Denikin, WU4 KUBA\n  B  TERE: WL1 Romanovsky\n  -  TIFL: WU2 TIFL\n"
    orders = {"A": "MOVE Denikin, WU4 KUBA: KUBA-KUTA-TIFL(+WU2 TIFL)", "B": "MOVE Romanovsky: TERE-TIFL(+WU2 TIFL)"}
    said = {p: told(copy_of(p, "1 first", position=where, **orders))[1] for p in "AB"}
    assert said["B"] == "Archer (“A”) had the better claim to WU2 TIFL." or said["A"].startswith("Baker (“B”) had")
    taken, won = stack("TVER", "B", "Kappel", "Gold"), Stack("TVER", "A", (piece("Gai"), piece("Gold")))
    fought = o.Fought(
        player="A", number=1, province="TVER", subversion=False, attackers=(stack("TVER", "A", "Gai"),),
        defender=taken, attack=1, defence=1, odds="1-1", die=1, result="De", lost_by_defender=(piece("Kappel"),),
        captured=(piece("Gold"),), changes=(o.Restacked((taken,), (won,)),),
    )  # fmt: skip
    happened = o.Outcome(position(Phase.SECOND, taken), position(Phase.FIRST, won), (fought,), (), (), {})
    section = next(s for s in sections(names_of(happened), happened) if s.key == "attacks")
    assert section.items[0].text == "The Imperial Gold fell to Archer (“A”) at Tver."


# --- what came and went


def test_what_came_and_went_within_one_phase_is_told() -> None:
    """One Finnish division fell in an Exchange, came back, and died of the fever with another."""
    one, two = [p for p in BOARD.pieces.values() if p.bell == "GU6 FINL"][:2]
    there = Stack("OLON", "A", (one,))
    here, both = Stack("FINL", "A", (two,)), Stack("FINL", "A", (one, two))
    fought = o.Fought(
        player="A", number=1, province="OLON", subversion=False, attackers=(there,),
        defender=stack("OLON", "B", "Gai"), attack=6, defence=6, odds="1-1", die=3, result="Ex",
        lost_by_attacker=(one,), changes=(o.Restacked((there,), ()),),
    )  # fmt: skip
    back = o.Replaced(units=(one,), changes=(o.Restacked((here,), (both,)),))
    fever = o.EpidemicStruck(
        dice=(1, 1), provinces=("FINL",), lost=(("FINL", one), ("FINL", two)), changes=(o.Restacked((both,), ()),)
    )
    points = {p: o.Points(0, 0) for p in "ABC"}
    happened = o.Outcome(
        position(Phase.SECOND, there, here), position(Phase.FIRST), (fought, back, fever), (), (), points
    )
    causes = positions_of(names_of(happened), happened).holdings[0].causes
    assert [(c.how, c.gained, c.what, c.place) for c in causes] == [
        ("replaced", True, ("GU6 FINL",), "Finland"),
        ("exchange", False, ("GU6 FINL",), "Olonetz"),
        ("epidemic", False, ("2 GU6 FINL",), "Finland"),
    ]


def test_what_was_put_down_stands_where_it_was_put_down() -> None:
    where = "\n  A  OREL: RL3 Lenin, RU3 OREL\n"
    view = copy_of("A", "1 first", position=where, A="MOVE Lenin, RU3 OREL: OREL-KURS(-RU3 OREL)-VORO")
    assert box(view, "lost") == "Left under nobody's orders: RU3 OREL (Kursk)."


def test_what_a_march_puts_down_and_takes_up_again_is_neither_lost_nor_won() -> None:
    where = "\n  A  OREL: RL3 Lenin, RU3 OREL\n  A  KURS: RL1 Gai\n"
    view = copy_of(
        "A", "1 first", position=where, A="MOVE Lenin, RU3 OREL: OREL-KURS(-RU3 OREL)\n  STACK KURS: Gai, RU3 OREL"
    )
    assert box(view, "lost", "gained") == ""


def test_what_a_counterpurge_brought_is_not_said_to_come_from_the_purge() -> None:
    view = copy_of(
        "B", "1 first", "purge 12 3", position=THREE, A="PURGE B USING 6 PM WITH C DIVIDE A 1, C 1",
        C="PURGE B USING 6 PM WITH A DIVIDE A 1, C 1", B="COUNTERPURGE A",
    )  # fmt: skip
    assert re.search(r"Taken from Archer in a Counterpurge: ", box(view, "gained")), view.yours


# --- the rest of the box


def test_all_leaders_of_a_stack_are_exposed_together() -> None:
    where = position(Phase.SECOND, stack("PETR", "A", "Kappel", "May-Maevsky"), stack("PETR", "B", "Lenin", "RU8 PETR"))
    happened = o.Outcome(where, where, (), (), (), {p: o.Points(0, 0) for p in "ABC"})
    view = build_view(BOARD, issue(happened))
    said = " ".join(i.text for i in yours(names_of(happened), view, where, "A") if i.kind == "exposed")
    assert "Kappel and" in said and "May-Maevsky" in said


def test_a_rank_that_is_shared_names_with_whom() -> None:
    shared = 0
    for seed in range(3):
        for number, (of, view) in enumerate(campaign(seed, 25), 1):
            for player in of.outcome.after.active:
                mine = for_reader(BOARD, of, view, Reader(player))
                points = [r.red_points for r in view.barometer]
                own = next(r.red_points for r in view.barometer if r.player == player)
                score = box(mine, "score").split(" for a Red")[-1].split(")")[0]
                if score:
                    assert ("level with" in score) == (points.count(own) > 1), (number, score)
                    shared += points.count(own) > 1
    assert shared


def test_that_subversion_counts_double_is_told_where_somebody_can_be_subverted() -> None:
    where = position(Phase.SECOND, stack("PETR", "A", "Lenin", "RU8 PETR"))
    doubled = msgspec.structs.replace(where, subversion_doubled=True)
    happened = o.Outcome(where, doubled, (), (), (), {p: o.Points(0, 0) for p in "ABC"})
    view = build_view(BOARD, issue(happened))
    said = " ".join(i.text for i in yours(names_of(happened), view, doubled, "A") if i.kind.startswith("next"))
    assert said == "You may now, among other things, attack."


# --- words


def test_a_place_is_called_as_one_stands_there() -> None:
    """On the Terek, in Livonia, at Tver: the name alone after `in` is right for few of them."""
    places = re.compile(r"\b(?:in|at|on) \{(?:place|province|here|goal)\}")
    for pack in ("happened", "reasons", "purges"):
        assert [text for _, text in texts_of(PROSE.packs[pack]) if places.search(text)] == [], pack
    view = copy_of("A", "1 first", position="\n  A  PETR: RL3 Lenin, RU8 PETR\n", A="STACK TERE: Lenin")
    assert told(view)[1] == "This player did not have RL3 Lenin on the Terek."


def test_the_longest_odds_stay_in_their_column() -> None:
    row = AttackRow("A", "LIVO", "Livonia", "“A” Red: RL3 Lenin", "BU2 LIVO/GE", "11-1/s", 6, "De", (), "", ())
    page = Page(PROSE)
    page.attacks([row])
    head, _, line, *_ = [text for text in page.text().splitlines() if text.strip()]
    assert line.index(" 6 ") + 1 == head.index("Die") and max(map(len, page.text().splitlines())) <= 72


def test_the_legend_of_relations_counts_nobody() -> None:
    assert PROSE.template("labels", "relations_note").startswith("From 2 (friends) to 7 (enemies): ")


def test_a_stack_that_may_not_attack_is_named_beside_the_attack_that_took_place() -> None:
    for code in ("not-opposed", "not-friends", "not-red", "not-adjacent"):
        assert "{pieces}" in PROSE.packs["reasons"][code][0]
