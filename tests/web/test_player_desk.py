"""The player's desk without a script: orders, versions, letters, his seat."""

from __future__ import annotations

import re
from base64 import encodebytes
from collections.abc import Callable
from html import unescape

import pytest

from gm.board.load import standard_board
from gm.campaign import ticker
from gm.campaign.export import importing
from gm.campaign.mailbox import inbox, letters, outbox
from gm.campaign.manage import change_options, creation, deadlines
from gm.campaign.phase import intake
from gm.campaign.ports import NewPlayer
from gm.campaign.reads import lookups
from gm.campaign.services import Services
from gm.mail.handle.handler import MailHandler
from gm.mail.parse.message import Envelope
from gm.web.desk.form_choices import desk_view
from gm.web.desk.stack_info import look
from gm.web.pages import when
from gm.web.sample import positions_of_1976
from tests.web.table import OWN, Browser, people

Make = Callable[[], Browser]
C = f"/c/{OWN}"
LENIN = "MOVE Lenin, RU8 PETR: PETR-PSKO-LIVO"


@pytest.fixture
def anna(browser: Make) -> Browser:
    return browser().sit(OWN, "A")


def test_saving_gives_the_receipt_of_a_mail(anna: Browser, table: Services) -> None:
    page = anna.post(f"{C}/orders", {"orders": f"{LENIN}\r\nnonsense"}, follow=True).text
    on_file = intake.current_orders(table, OWN, "A")
    assert on_file is not None
    assert on_file.receipt in page
    assert LENIN in page
    assert "NOT UNDERSTOOD" in page
    assert "Without orders" in page
    assert on_file.raw == f"{LENIN}\nnonsense"


def seen_at_the_desk(player: Browser) -> str:
    page = player.get(f"{C}/desk").text
    return unescape(re.sub(r'<span class="whole">([^<]*)</span>', r"\1", page))


def worst(page: str) -> str:
    found = re.search(r'href="#forces">Worst threat: <span>([^<]*)</span></a>', page)
    assert found and page.index("Worst threat") < page.index("<textarea")
    return found[1]


def first_force(page: str) -> str:
    return page.split('id="forces"')[1].split("<ul>")[1].split("</li>")[0]


def test_of_whom_most_would_be_lost_stands_first_and_is_told_above_the_orders(anna: Browser) -> None:
    """A Leader of one point at 42:1 once came before an army at 4-1."""
    page = seen_at_the_desk(anna)
    told = re.fullmatch(r"(\d+):(\d+) = (\d)-1 on (.+) in ([A-Z]+)", worst(page))
    assert told and int(told[2]) > 1
    assert f"{told[1]}:{told[2]} = {told[3]}-1" in first_force(page) and f"<strong>{told[5]}</strong>" in first_force(
        page
    )
    assert "the same enemy cannot fall on all of them" in page


def test_no_odds_above_those_of_the_table_are_told_of_a_threat(anna: Browser) -> None:
    page = seen_at_the_desk(anna)
    figures = [(int(a), int(d), int(odds)) for a, d, odds in re.findall(r"(\d+):(\d+) = (\d+)-1", page)]
    assert any(attack > 7 * defence for attack, defence, _ in figures)
    assert all(odds == min(attack // defence, 6) for attack, defence, odds in figures)


def test_the_worst_threat_follows_the_orders_on_file(anna: Browser) -> None:
    before = seen_at_the_desk(anna)
    name, at = re.fullmatch(r".* on \wL\d (\w+) in ([A-Z]+)", worst(before)).groups()  # type: ignore[union-attr]
    away = next(code for code in sorted(standard_board().borders[at]) if code not in "FINL PSKO")
    anna.post(f"{C}/orders", {"orders": f"MOVE {name}: {at}-{away}"})
    after = seen_at_the_desk(anna)
    assert worst(after) != worst(before) and f"led to {away}" in after.split('id="forces"')[1]


def test_versions_are_kept_and_can_be_taken_up_again(anna: Browser) -> None:
    anna.post(f"{C}/orders", {"orders": LENIN})
    anna.post(f"{C}/orders", {"orders": "MOVE Lenin: PETR-NOVG"})
    page = anna.get(f"{C}/orders").text
    assert page.index("Version 2") < page.index("Version 1")
    assert LENIN in anna.get(f"{C}/desk?version=1").text
    assert anna.get(f"{C}/desk?version=9").status_code == 404


def tags(page: str) -> list[tuple[str, str]]:
    return re.findall(r"<h2>(Version \d+) <span class=\"tag \w+\">([^<]*)</span>", page)


def test_the_versions_say_which_of_them_counts(anna: Browser) -> None:
    """Once every sheet that had been taken was called so, the replaced ones too."""
    anna.post(f"{C}/orders", {"orders": LENIN, "wait": "true"})
    page = anna.get(f"{C}/orders").text
    assert "Version 1 counts.</p>" in page and "on the web</p>" in page
    anna.post(f"{C}/orders", {"orders": "MOVE Lenin: PETR-NOVG", "wait": "true"})
    anna.post(f"{C}/orders", {"orders": f"ORDERS August 1918 First Phase\n{LENIN}"})
    page = anna.get(f"{C}/orders").text
    assert "Version 2 counts, and no other." in page
    told = [("Version 3", "not taken: does not count"), ("Version 2", "this one counts")]
    assert tags(page) == [*told, ("Version 1", "no longer counts")]
    anna.post(f"{C}/orders", {"orders": "CANCEL ALL"})
    page = anna.get(f"{C}/orders").text
    assert "None of them counts: you have no orders on file." in page and "this one counts" not in page
    assert tags(page)[0] == ("Version 4", "took back what was on file")


def test_orders_for_another_phase_are_refused_and_said_so(anna: Browser) -> None:
    page = anna.post(f"{C}/orders", {"orders": f"ORDERS August 1918 First Phase\n{LENIN}"}, follow=True).text
    assert "Not taken" in page
    assert "another Phase" in page


def test_a_text_for_two_phases_is_two_sheets_as_by_mail(anna: Browser, table: Services) -> None:
    both = f"{LENIN}\nORDERS June 1918 Second Phase\nVOTE END"
    page = anna.post(f"{C}/orders", {"orders": both}, follow=True).text
    on_file = intake.current_orders(table, OWN, "A")
    assert on_file is not None and on_file.raw == LENIN
    other = re.search(rf'href="({C}/orders/\d+)">what became of that', page)
    assert other and "Filed ahead" in anna.get(other[1]).text


def test_resign_among_the_orders_asks_first(anna: Browser, table: Services) -> None:
    answer = anna.post(f"{C}/orders", {"orders": "RESIGN"})
    assert answer.headers["location"] == f"{C}/resign"
    assert lookups.state(table, OWN).seat("A").status == "held"
    anna.post(f"{C}/resign")
    assert lookups.state(table, OWN).seat("A").status == "resigning"


def test_a_player_asks_for_the_full_time_and_is_ready_after_all(anna: Browser, table: Services) -> None:
    anna.post(f"{C}/ready")
    assert lookups.state(table, OWN).seat("A").waiting
    assert "You are not ready" in anna.get(f"{C}/desk").text
    anna.post(f"{C}/ready", {"on": "true"})
    assert not lookups.state(table, OWN).seat("A").waiting


def test_the_menu_and_the_desk_count_unread_letters(anna: Browser, browser: Make) -> None:
    boris = browser().sit(OWN, "B")
    assert "unread" not in boris.get(C).text
    for text in ("Will you help me in Tver?", "Tell me soon."):
        anna.post(f"{C}/letters", {"to": ["B"], "text": text})
    for page in ("", "/desk", "/bells", "/standings"):
        assert '<span class="tag warn">2 unread</span>' in boris.get(f"{C}{page}").text, page
    assert f'href="{C}/letters#got">2 unread letters</a>' in boris.get(f"{C}/desk").text
    assert "unread" not in anna.get(f"{C}/desk").text
    assert "2 unread" in boris.get(f"{C}/letters").text
    assert "unread" not in boris.get(f"{C}/desk").text


def test_the_deadline_is_told_in_his_own_time_zone(anna: Browser) -> None:
    anna.post(f"{C}/zone", {"zone": "Asia/Tokyo"})
    assert "(Asia/Tokyo)" in anna.get(f"{C}/desk").text
    assert anna.post(f"{C}/zone", {"zone": "Mars/Base"}).status_code == 422


def test_letters_go_to_whom_they_are_addressed_and_are_answered(anna: Browser, browser: Make, table: Services) -> None:
    anna.post(f"{C}/letters", {"to": ["B"], "subject": "Pskov", "text": "Shall we?"})
    assert anna.post(f"{C}/letters", {"to": ["Z"], "text": "x"}).status_code == 422
    boris, clara = browser().sit(OWN, "B"), browser().sit(OWN, "C")
    assert "Shall we?" in boris.get(f"{C}/letters").text
    assert "Shall we?" not in clara.get(f"{C}/letters").text
    number = letters.letters_of(table, OWN, "B")[0].id
    assert "Shall we?" not in clara.get(f"{C}/letters?reply={number}").text
    boris.post(f"{C}/letters?reply={number}", {"to": ["A"], "text": "We shall."})
    assert letters.letters_of(table, OWN, "A")[-1].in_reply_to == number


def test_press_waits_for_the_next_bell(anna: Browser) -> None:
    anna.post(f"{C}/press", {"text": "All is well.", "dateline": "Petrograd"})
    assert "waits for the next Bell" in anna.get(f"{C}/letters").text
    assert anna.post(f"{C}/press", {"text": "  "}).status_code == 422


def test_held_mail_counts_once_its_sender_says_so_and_nobody_else_can(
    anna: Browser, browser: Make, table: Services
) -> None:
    stored = inbox.store(table, b"From: anna@own.test\r\n\r\nMOVE Lenin: PETR-PSKO\r\n", source="test")
    inbox.hold(table, stored.id, OWN, "A", "no token")
    boris = browser().sit(OWN, "B")
    assert boris.get(f"{C}/held/{stored.id}").status_code == 404
    assert boris.post(f"{C}/held/{stored.id}").status_code == 404
    assert "MOVE Lenin" in anna.get(f"{C}/held/{stored.id}").text
    anna.post(f"{C}/held/{stored.id}")
    assert inbox.get(table, stored.id).state == "new"


def test_the_page_of_a_held_mail_shows_what_was_understood_however_long_its_head_is(
    anna: Browser, table: Services
) -> None:
    head = b"To: orders@bell.test\r\nFrom: anna@own.test\r\n" + b"X-Long: " + b"x" * 6000 + b"\r\n"
    raw = head + b"Content-Transfer-Encoding: base64\r\n\r\n" + encodebytes(b"VOTE END\r\nSTATUS\r\n")
    number = MailHandler(table).take(raw, Envelope(source="test"))
    assert MailHandler(table).handle(number) == "held"
    shown = anna.get(f"{C}/held/{number}").text
    assert "VOTE END\nSTATUS" in shown and "X-Long" not in shown


def test_every_seat_has_a_map_of_its_own_though_the_browser_keeps_it(browser: Callable[[], Browser]) -> None:
    both, found = browser(), set()
    for letter in "AB":
        address = re.search(r'data-src="([^"]+)"', both.sit(OWN, letter).get(f"{C}/desk").text)
        assert address is not None
        found.add(address[1])
    assert len(found) == 2


def test_what_belongs_to_the_next_phase_is_never_put_in_the_place_of_an_order(anna: Browser) -> None:
    shown = anna.json(f"/api/v1/campaigns/{OWN}/orders/check", {"text": "ATTACK Sidorin IN TVER WITH Lenin"}).json()
    (problem,) = shown["problems"]
    assert (problem["code"], problem["suggestion"]) == ("wrong-phase", None)
    assert "put this line in front" in problem["message"]


def test_the_desk_shows_only_published_positions_and_own_orders(anna: Browser, table: Services) -> None:
    intake.submit(table, OWN, "B", "MOVE Tukhachevsky, RU8 NOVG: NOVG-TVER", source="mail")
    for path in ("/desk", "/desk.svg", "/orders", "/letters", "/seat", ""):
        assert "NOVG-TVER" not in anna.get(f"{C}{path}").text


def test_ready_is_a_button_on_desk_and_seat_and_the_deadline_that_holds_is_shown(
    anna: Browser, table: Services
) -> None:
    change_options.change(table, OWN, {"ready": "said", "early_close_hours": 12})
    for letter in "BCDE":
        intake.submit(table, OWN, letter, "VOTE END", source="web", ready=True)
    before, zone = lookups.state(table, OWN).deadline, lookups.state(table, OWN).seat("A").zone
    page = anna.post(f"{C}/orders", {"orders": f"{LENIN}\r\nnonsense", "ready": "true"}, follow=True).text
    assert "you are not noted as ready" in page
    page = anna.post(f"{C}/ready", {"on": "true", "page": "seat"}, follow=True).text
    nearer = lookups.state(table, OWN).deadline
    assert nearer is not None and before is not None and nearer < before
    assert "the deadline is now" in page and 'id="ready"' in page
    for path in (f"{C}/desk", f"{C}/seat", C):
        assert when(nearer, zone) in anna.get(path).text, path
    told = anna.get(f"/api/v1/campaigns/{OWN}").json()
    assert (told["deadline"], told["full_deadline"]) == (f"{nearer:%Y-%m-%dT%H:%M:%SZ}", f"{before:%Y-%m-%dT%H:%M:%SZ}")
    assert all(seat["ready"] for seat in told["seats"])
    assert anna.json(f"/api/v1/campaigns/{OWN}/ready", {"ready": False}).json()["nearer"] is False
    assert lookups.state(table, OWN).deadline == before


def test_a_sheet_that_would_keep_everybody_waiting_is_not_read(browser: Callable[[], Browser]) -> None:
    """Press upon press: the check of so many would take half a minute."""
    anna = browser().sit(OWN, "A")
    answer = anna.json(f"/api/v1/campaigns/{OWN}/orders/check", {"text": "PRESS\n\n" * 8_000})
    assert answer.status_code == 422 and "more than 1500 lines" in answer.text


def test_desk_and_receipt_say_that_a_unit_stays_behind_alone(anna: Browser) -> None:
    """Once a newcomer led Markin away, and his unit was anybody's."""
    order = "MOVE Markin: KAZA-SIMB"
    (order_seen,) = (seen := anna.json(f"/api/v1/campaigns/{OWN}/orders/check", {"text": order}).json())["orders"]
    (hint,) = seen["problems"]
    assert order_seen["status"] == hint["severity"] == "warning"
    assert "Left behind in KAZA without a Leader, and so nobody's: RU2 KAZA" in hint["message"]
    receipt = anna.post(f"/c/{OWN}/orders", {"orders": order}, follow=True).text
    assert "Left behind in KAZA without a Leader" in " ".join(receipt.split())


def test_an_attack_written_with_a_colon_is_told_how_to_write_it_with_an_example(anna: Browser) -> None:
    (told,) = anna.json(f"/api/v1/campaigns/{OWN}/orders/check", {"text": "ATTACK LIVO: Lenin"}).json()["problems"]
    assert "whom, then IN which province, then WITH which of your forces" in told["message"]
    assert "ATTACK WU2 SARA IN SARA WITH Sorokin, Markin" in told["message"] and told["suggestion"] is None


def test_who_threatens_a_force_is_told_where_the_draft_leads_it(anna: Browser) -> None:
    """Once the list said who could attack Zinoviev in Smolensk, whatever the sheet did with him."""
    stacks = anna.get(f"/api/v1/campaigns/{OWN}/desk").json()["stacks"]
    index = {stack["pieces"][0]["name"]: n for n, stack in enumerate(stacks)}

    def threats(text: str, name: str) -> list[str]:
        forces = anna.json(f"/api/v1/campaigns/{OWN}/orders/check", {"text": text}).json()["forces"]
        return next(force["words"] for force in forces if force["stack"] == index[name])

    assert {force for name in ("Lenin", "Markin") for force in threats("", name) if "Led to" in force} == set()
    moved = threats("MOVE Rodzyanko, WU2 ESTO: ESTO-LIVO", "Rodzyanko")
    assert moved[0].startswith("Led to LIVO Livonia: there ")
    assert threats("MOVE Lenin, RU8 PETR: PETR-PSKO-LIVO", "Markin") == threats("", "Markin")
    parts = threats("MOVE Sorokin: TULA-RYAZ", "Kamenev")  # a stack in two parts: both are told
    assert [words for words in parts if re.match(r"RL\d Sorokin, led to RYAZ Ryazan: there ", words)]
    assert [words for words in parts if re.match(r"RL\d Kamenev.*, staying in TULA Tula: ", words)]


def test_odds_stay_whole_at_the_end_of_a_line(anna: Browser) -> None:
    page = anna.get(f"{C}/desk").text
    assert re.search(r'<p class="threat">[^<]* <span class="whole">\d+:\d+ = \d-1</span>', page)


def test_the_list_of_forces_says_what_its_odds_leave_out(anna: Browser) -> None:
    """A newcomer took them for the worst that could come."""
    assert "units that they take up on their way come on top" in anna.get(f"{C}/desk").text


def test_an_empty_sheet_is_not_said_to_make_ready(anna: Browser, table: Services) -> None:
    assert "an empty sheet does not" in anna.get(f"{C}/desk").text
    page = anna.post(f"{C}/orders", {"orders": ""}, follow=True).text
    assert "You are ready" not in page and not lookups.state(table, OWN).seat("A").ready


def test_where_everybody_is_ready_and_the_phase_closes_at_once_nothing_can_be_changed_any_more(
    anna: Browser, table: Services
) -> None:
    said = "You can still change your orders until"
    change_options.change(table, OWN, {"early_close_hours": 12})
    for letter in "ABCDE":
        intake.submit(table, OWN, letter, "HOLD", source="web", ready=True)
    assert said in anna.get(f"{C}/desk").text
    change_options.change(table, OWN, {"early_close_hours": 0})
    intake.say_ready(table, OWN, "A", False)
    found = intake.say_ready(table, OWN, "A", True)
    page = anna.get(f"{C}/desk").text
    assert found.nearer and found.due and "So is everybody who is waited for" in page and said not in page
    mails = [m for batch in iter(lambda: outbox.claim(table, "test", 1000), []) for m in batch if m.kind == "closing"]
    texts = [" ".join(m.text.split()) for m in mails if "comes nearer" in m.subject and m.letter == "B"]
    assert [said in text for text in texts] == [True, False]


def test_the_list_of_forces_names_the_worst_threat_and_the_others_in_short(anna: Browser) -> None:
    """By rail almost everybody could come: a line for each of them filled the page of a telephone."""
    page = seen_at_the_desk(anna)
    threats = [re.findall(r'<p class="threat">([^<]*)</p>', item) for item in re.findall(r"<li><button.*?</li>", page)]
    assert max(map(len, threats)) == 2
    worst = next(found for found in threats if len(found) == 2)
    assert re.fullmatch(r"[B-E] could attack it: .* together \d+:\d+ = \d+-\d+", worst[0])
    assert re.fullmatch(r"So could [B-E] \d-\d(, [B-E] \d-\d)*\.", worst[1])
    assert "Dutov together" not in page and all(line.count(",") < 5 for found in threats for line in found)


def test_the_page_of_letters_has_an_end_and_leads_to_older_ones(anna: Browser, browser: Make, table: Services) -> None:
    for number in range(60):
        letters.add_letter(table, OWN, "GM", ["A"], f"Letter {number}.")
    assert letters.unread(table, OWN, "A") == 60
    page = anna.get(f"{C}/letters").text
    assert "Letter 59." in page and "Letter 10." in page and "Letter 9." not in page
    older = re.search(r"before=\d+", page)
    assert older is not None
    page = anna.get(f"{C}/letters?{older[0]}").text
    assert "Letter 9." in page and "Letter 0." in page and "Letter 10." not in page and "before=" not in page
    first = letters.letters_of(table, OWN, "A")[0].id
    assert "Letter 0." in anna.get(f"{C}/letters?reply={first}").text
    assert letters.unread(table, OWN, "A") == 0


def test_a_page_of_an_earlier_phase_files_nothing_for_the_new_one(browser: Make, table: Services) -> None:
    campaign = creation.create(
        table,
        name="Pages of yesterday",
        players=[NewPlayer(n, f"{n.lower()}@y.test") for n in ("Xenia", "Yuri", "Zoya")],
        gm_name="Gregor",
        gm_address="gregor@y.test",
    )
    creation.deal(table, campaign, force=True)
    ticker.tick(table, "test")
    at, api, xenia, gm = f"/c/{campaign}", f"/api/v1/campaigns/{campaign}", browser().sit(campaign, "A"), browser()
    gm.sit(campaign, "GM")
    old = [_phase_id(xenia.get(f"{at}/{page}").text) for page in ("desk", "seat", "letters")]
    old += [_phase_id(gm.get(f"/gm/c/{campaign}/orders").text), xenia.get(api).json()["phase_id"]]
    (then,) = set(old)
    assert xenia.post(f"{at}/orders", {"orders": "HOLD", "phase_id": then}).status_code == 303
    deadlines.close_early(table, campaign, reason="all are in")
    ticker.tick(table, "test")
    shown = xenia.post(f"{at}/orders", {"orders": "GIVE 1 PM TO B", "ready": "true", "phase_id": then})
    assert shown.status_code == 200 and "written for an earlier Phase" in shown.text
    assert ">\nGIVE 1 PM TO B</textarea>" in shown.text
    now = _phase_id(shown.text)
    assert now != then
    assert (
        "written for an earlier Phase" in xenia.post(f"{at}/ready", {"on": "true", "phase_id": then}, follow=True).text
    )
    offer = {"order": "GIVE 1 PM TO B FOR 1 PM", "phase_id": then}
    assert xenia.post(f"{at}/proposals", offer).status_code == 409
    assert gm.post(f"/gm/c/{campaign}/orders", {"letter": "A", "text": "HOLD", "phase_id": then}).status_code == 409
    refused = xenia.json(f"{api}/orders", {"text": "HOLD", "phase_id": then})
    assert (refused.status_code, refused.json()["error"]["code"]) == (409, "other-phase")
    assert xenia.json(f"{api}/ready", {"ready": True, "phase_id": then}).status_code == 409
    seat = lookups.state(table, campaign).seat("A")
    assert not seat.ordered and not seat.ready and not intake.versions(table, campaign, "A")
    xenia.post(f"{at}/orders", {"orders": "HOLD", "ready": "true", "phase_id": now})
    assert lookups.state(table, campaign).seat("A").ready


def _phase_id(page: str) -> str:
    (found,) = set(re.findall(r'name="phase_id" value="([^"]+)"', page))
    return str(found)


def test_without_house_rules_how_one_wins_is_told_as_the_rules_have_it(anna: Browser) -> None:
    assert '<a href="/how-to-play#winning">how one wins</a>' in anna.get(f"{C}/desk").text


def taken_over(table: Services, name: str, phase: str, **options: object) -> str:
    """A campaign that goes on from June 1918: with Markers and a Czar, the shorter game or not."""
    importing.import_bell(
        table,
        re.sub("^TURN.*$", "", positions_of_1976(), flags=re.MULTILINE),
        name=name,
        players=people(name),
        gm_name="Gregor",
        gm_address=f"gm@{name}.test",
        phase=phase,
        turn=1,
        options=options,
        id=name,
    )
    ticker.tick(table)
    return name


@pytest.mark.parametrize("phase", ["first", "second"])
def test_the_desk_of_the_shorter_game_offers_nothing_that_it_does_without(
    browser: Make, table: Services, phase: str
) -> None:
    taken_over(table, "short", phase, masses=True)
    taken_over(table, "whole", phase)
    short, whole = (browser().sit(name, "A").get(f"/c/{name}/desk").text for name in ("short", "whole"))
    words = ("<summary>Purge<", "<summary>Counterpurge<", 'orders-help#counterpurge">')
    for word in (*words, "<summary>Subvert<") if phase == "second" else words:
        assert word in whole and word not in short, word
    state = lookups.state(table, "short")
    for player in state.position.active:
        view = desk_view(state.board, state.position, player)
        assert not view.blue_targets and not view.victims and not view.execution
        for number in range(len(state.position.stacks)):
            attacks = look(state.board, state.position, player, number).attacks
            assert not any(attack.order.startswith("SUBVERT") for attack in attacks)


def test_the_desk_of_the_shorter_game_says_what_it_does_without(browser: Make, table: Services) -> None:
    anna = browser().sit(taken_over(table, "short", "second", masses=True), "A")
    page = unescape(anna.post("/c/short/orders", {"orders": "EXECUTE CZAR USING 10 PM"}, follow=True).text)
    assert "The shorter game that you play does without this order." in page
