"""Proposals: one player composes a trade or a Purge, and whoever agrees has their side of it on file."""

from __future__ import annotations

import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest

from gm.campaign.mailbox import letters, outbox
from gm.campaign.phase import intake
from gm.campaign.reads import lookups
from gm.campaign.seats import proposals
from gm.campaign.services import Services
from gm.errors import GmError
from gm.orders import kinds as m
from gm.orders.mirror import mirrored
from gm.orders.parser import parse
from tests.orders.samples import BOARD
from tests.web.table import OWN, Browser

PURGE = "PURGE B WITH C, E USING 3 PM DIVIDE A 1, C 1, E 1 ASKING C 2, E 3"


def order(text: str) -> m.Order:
    (found,) = parse(BOARD, text, ("A", "B", "C", "D", "E")).sheet.orders
    return found


def sheet(services: Services, letter: str) -> str:
    found = intake.current_orders(services, OWN, letter)
    return found.canonical if found else ""


@pytest.mark.parametrize(
    ("mine", "theirs"),
    [
        ("GIVE 1 AM TO B FOR 1 PM", {"B": "GIVE 1 PM TO A FOR 1 AM"}),
        ("GIVE Wrangel TO C", {"C": "ACCEPT Wrangel FROM A"}),
        ("PURGE B WITH E USING 3 PM DIVIDE A 2, E 1 TAKING Lenin", {"E": "PURGE B WITH A USING 5 PM DIVIDE A 2, E 1"}),
        ("EXECUTE CZAR WITH E USING 4 PM", {"E": "EXECUTE CZAR WITH A USING 6 PM"}),
        ("GIVE 2 PM TO B", {}),
    ],
)
def test_each_side_mirrors_the_other(mine: str, theirs: dict[str, str]) -> None:
    assert {p: o.printed() for p, o in mirrored(order(mine), "A", {}).items()} == theirs


def test_who_agrees_has_the_mirror_on_file_and_all_three_orders_agree(table: Services) -> None:
    intake.submit(table, OWN, "E", "COUNTERPURGE STRONGEST", source="web")
    made = proposals.propose(table, OWN, "A", PURGE)
    assert sheet(table, "A") == "PURGE B WITH C, E USING 3 PM DIVIDE A 1, C 1, E 1"
    assert made.waits_for == ("C", "E")
    for letter in ("C", "E"):
        proposals.answer(table, OWN, letter, made.number, agree=True)
    assert sheet(table, "C") == "PURGE B WITH A, E USING 2 PM DIVIDE A 1, C 1, E 1"
    assert sheet(table, "E") == "COUNTERPURGE STRONGEST\nPURGE B WITH A, C USING 3 PM DIVIDE A 1, C 1, E 1"
    (seen,) = proposals.proposals_of(table, OWN, "A")
    assert seen.answers == {"C": "agreed", "E": "agreed"}


def test_agreeing_twice_puts_it_on_the_sheet_once(table: Services) -> None:
    made = proposals.propose(table, OWN, "A", "PURGE B WITH E USING 3 PM DIVIDE A 1, E 1")
    for _ in range(2):
        proposals.answer(table, OWN, "E", made.number, agree=True)
    assert sheet(table, "E").count("PURGE") == 1


def test_an_offer_does_not_close_the_phase_before_it_is_answered(table: Services) -> None:
    """All the others are ready, and A was: what is offered, and agreeing to it, makes nobody ready."""
    for letter in "ABCDE":
        intake.submit(table, OWN, letter, "HOLD", source="web", ready=letter != "A" or None)
        if letter == "D":
            intake.say_ready(table, OWN, "A", True)
            made = proposals.propose(table, OWN, "A", "PURGE B WITH E USING 3 PM DIVIDE A 1, E 1")
    assert lookups.state(table, OWN).full_deadline is None  # no nearer
    proposals.answer(table, OWN, "E", made.number, agree=True)
    assert lookups.state(table, OWN).full_deadline is None
    assert intake.say_ready(table, OWN, "A", True).nearer


def test_whoever_is_not_asked_neither_sees_nor_answers_it(table: Services) -> None:
    made = proposals.propose(table, OWN, "A", "PURGE B WITH E USING 3 PM DIVIDE A 1, E 1")
    for letter in ("B", "C", "D"):
        assert proposals.proposals_of(table, OWN, letter) == []
        with pytest.raises(GmError, match="nobody has made you a proposal"):
            proposals.answer(table, OWN, letter, made.number, agree=True)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("PURGE B WITH C, E USING 3 PM DIVIDE A 1, C 1, E 1", "how many markers does C assign"),
        ("GIVE 1 PM TO B", "needs nobody's agreement"),
        ("MOVE Lenin: PETR-PSKO", "needs nobody's agreement"),
        ("PURGE B WITH Z USING 3 PM", "Z"),
        ("", "a proposal is one order"),
        ("PURGE B WITH C, E USING 3 PM DIVIDE A 1, C 1, E 1 ASKING C 0, E 4", "takes 8 Politburo Markers together"),
        ("EXECUTE CZAR WITH C, E USING 3 PM ASKING C 0, E 4", "takes 10 Politburo Markers together"),
    ],
)
def test_what_cannot_be_proposed_is_refused_with_the_reason(table: Services, text: str, said: str) -> None:
    with pytest.raises(GmError) as refused:
        proposals.propose(table, OWN, "A", text)
    assert said in f"{refused.value} {refused.value.hint}"
    assert sheet(table, "A") == ""


def test_of_two_purges_of_one_player_the_partner_must_choose(table: Services) -> None:
    intake.submit(table, OWN, "E", "PURGE B USING 8 PM", source="web")
    made = proposals.propose(table, OWN, "A", "PURGE B WITH E USING 3 PM DIVIDE A 1, E 1")
    with pytest.raises(GmError, match="your orders already say PURGE B USING 8 PM"):
        proposals.answer(table, OWN, "E", made.number, agree=True)
    assert sheet(table, "E") == "PURGE B USING 8 PM"


def test_the_partner_is_told_what_agreeing_does_and_the_proposer_what_came_of_it(table: Services) -> None:
    made = proposals.propose(table, OWN, "A", "PURGE B WITH E USING 3 PM DIVIDE A 1, E 1")
    proposals.answer(table, OWN, "E", made.number, agree=False)
    mails = [m for batch in iter(lambda: outbox.claim(table, "test", 1000), []) for m in batch]
    asked = next(m for m in mails if m.kind == "proposal")
    assert asked.letter == "E" and "PURGE B WITH A USING 5 PM DIVIDE A 1, E 1" in asked.text
    told = next(m for m in mails if m.kind == "proposal_answer")
    assert told.letter == "A" and "Elena (E) does not agree" in " ".join(told.subject.split())
    assert sheet(table, "E") == ""


# --- letters beside them


def test_a_proposal_is_offered_and_agreed_on_the_page_of_letters(
    browser: Callable[[], Browser], table: Services
) -> None:
    anna, elena, boris = (browser().sit(OWN, letter) for letter in "AEB")
    done = anna.post(f"/c/{OWN}/proposals", {"order": "PURGE B WITH E USING 3 PM DIVIDE A 1, E 1"}, follow=True)
    assert "Proposal 1 is on its way to E" in done.text and "has not answered" in done.text
    assert "Agree: put my side on my sheet" in elena.get(f"/c/{OWN}/letters").text
    assert "Proposal 1" not in boris.get(f"/c/{OWN}/letters").text
    assert "PURGE" not in browser().sit(OWN, "GM").get(f"/gm/c/{OWN}/mail").text
    elena.post(f"/c/{OWN}/proposals/1", {"agree": "true"}, follow=True)
    assert sheet(table, "E") == "PURGE B WITH A USING 5 PM DIVIDE A 1, E 1"
    assert boris.post(f"/c/{OWN}/proposals/1", {"agree": "true"}).status_code == 404
    assert "agrees" in anna.get(f"/c/{OWN}/letters").text


def test_letters_stand_in_conversations_and_what_is_new_is_marked_once(browser: Callable[[], Browser]) -> None:
    anna, boris = browser().sit(OWN, "A"), browser().sit(OWN, "B")
    anna.post(f"/c/{OWN}/letters", {"to": ["B"], "text": "Shall we?"})
    anna.post(f"/c/{OWN}/letters", {"to": ["ALL"], "text": "To everybody."})
    first = boris.get(f"/c/{OWN}/letters").text
    assert "2 unread" in first and "Anna to you" in first and "Write to Anna" in first
    assert first.count("1 unread") == 2 and first.count('<details class="card thread"') == 2
    assert "unread" not in boris.get(f"/c/{OWN}/letters").text
    assert "unread" not in anna.get(f"/c/{OWN}/letters").text


def test_the_gamesmaster_writes_to_all(browser: Callable[[], Browser]) -> None:
    browser().sit(OWN, "GM").post(f"/gm/c/{OWN}/announce", {"text": "I am away on Sunday."})
    for letter in "AC":
        page = browser().sit(OWN, letter).get(f"/c/{OWN}/letters").text
        assert "I am away on Sunday." in page and "Gregor" in page


def test_the_desk_shows_the_whole_sheet_after_an_order_was_added(
    browser: Callable[[], Browser], table: Services
) -> None:
    """Once it showed the added line alone, and saving that dropped everything else."""
    intake.submit(table, OWN, "A", "MOVE Lenin, RU8 PETR: PETR-PSKO-LIVO", source="web")
    proposals.propose(table, OWN, "A", "PURGE B WITH E USING 3 PM DIVIDE A 1, E 1")
    page = browser().sit(OWN, "A").get(f"/c/{OWN}/desk").text
    assert "MOVE Lenin, RU8 PETR: PETR-PSKO-LIVO\nPURGE B WITH E USING 3 PM DIVIDE A 1, E 1" in page
    assert "\nADD\n" not in page


def test_a_trade_and_a_purge_are_composed_by_choosing(table: Services, browser: Callable[[], Browser]) -> None:
    seat = browser().sit(OWN, "A")
    page = seat.get(f"/c/{OWN}/letters").text
    assert "A trade with B" in page and '<option value="3 PM">' in page
    trade = {"to": "B", "give": ["1 PM", ""], "want": ["2 PM", ""]}
    assert seat.post(f"/c/{OWN}/proposals", trade).status_code == 303
    lines = {"partner": ["A", "B", "C", "D", "E"], "asks": ["0", "1", "2", "", "3"], "share": ["2", "1", "1", "1", "0"]}
    answer = seat.post(f"/c/{OWN}/proposals", {"object": "B", "using": "3", **lines})
    assert answer.status_code == 303
    purge, bargain = proposals.proposals_of(table, OWN, "A")
    assert bargain.orders == {"A": "GIVE 1 PM TO B FOR 2 PM", "B": "GIVE 2 PM TO A FOR 1 PM"}
    assert purge.orders["A"] == "PURGE B WITH C, E USING 3 PM DIVIDE A 2, C 1"
    assert purge.orders["E"] == "PURGE B WITH A, C USING 3 PM DIVIDE A 2, C 1"


# --- what comes of an offer afterwards

SMALL = "PURGE B WITH E USING 3 PM DIVIDE A 1, E 1"


def test_an_offer_that_the_partner_cannot_pay_is_warned_of_on_both_pages(
    browser: Callable[[], Browser], table: Services
) -> None:
    """C holds no marker, so nothing can come of it unless somebody gives C some."""
    made = proposals.propose(table, OWN, "A", "PURGE B WITH C USING 3 PM DIVIDE A 1, C 1 ASKING C 5")
    assert made.warnings == ("A Purge needs 8 PM together; all of you hold 3.",)
    (theirs,) = proposals.proposals_of(table, OWN, "C")
    assert theirs.warnings and "5" in theirs.warnings[0]
    for page in ("letters", "desk"):
        assert "A Purge needs 8 PM together; all of you hold 3." in browser().sit(OWN, "A").get(f"/c/{OWN}/{page}").text


def test_who_withdraws_an_offer_has_it_off_the_sheet_and_the_others_are_told(table: Services) -> None:
    intake.submit(table, OWN, "A", "COUNTERPURGE STRONGEST\nPRESS: All is calm.", source="web")
    made = proposals.propose(table, OWN, "A", SMALL)
    proposals.answer(table, OWN, "E", made.number, agree=True)
    assert proposals.answer(table, OWN, "A", made.number, agree=False).withdrawn
    assert sheet(table, "A") == "COUNTERPURGE STRONGEST"
    assert sheet(table, "E").startswith("PURGE B")  # whose sheet it is takes it off
    (seen,) = proposals.proposals_of(table, OWN, "E")
    assert seen.withdrawn and not seen.is_open
    with pytest.raises(GmError, match="is withdrawn"):
        proposals.answer(table, OWN, "E", made.number, agree=True)
    mails = [m for batch in iter(lambda: outbox.claim(table, "test", 1000), []) for m in batch]
    (told,) = [m for m in mails if m.kind == "proposal_withdrawn"]
    assert told.letter == "E" and "still on your sheet" in told.text
    assert [item.text for item in letters.letters_of(table, OWN, "A") if item.kind == "press"] == ["All is calm."]


def test_the_gamesmaster_reads_nothing_of_a_proposal_that_was_withdrawn(
    browser: Callable[[], Browser], table: Services
) -> None:
    made = proposals.propose(table, OWN, "A", SMALL)
    proposals.answer(table, OWN, "A", made.number, agree=False)
    page = browser().sit(OWN, "GM").get(f"/gm/c/{OWN}/mail").text
    assert "a private letter" in page and "withdraws" not in page


def test_who_withdraws_the_only_order_has_none_on_file(table: Services) -> None:
    made = proposals.propose(table, OWN, "A", SMALL)
    proposals.answer(table, OWN, "A", made.number, agree=False)
    assert intake.current_orders(table, OWN, "A") is None


def test_who_agreed_can_decline_after_all_and_agree_again(table: Services) -> None:
    made = proposals.propose(table, OWN, "A", SMALL)
    for agree, lines in ((True, 1), (False, 0), (True, 1)):
        proposals.answer(table, OWN, "E", made.number, agree=agree)
        assert sheet(table, "E").count("PURGE") == lines


def test_only_who_is_asked_agrees_and_only_who_asks_withdraws(browser: Callable[[], Browser], table: Services) -> None:
    made = proposals.propose(table, OWN, "A", SMALL)
    for letter, form in (("A", {"agree": "true"}), ("B", {}), ("C", {})):
        assert browser().sit(OWN, letter).post(f"/c/{OWN}/proposals/{made.number}", form).status_code == 404
    assert proposals.proposals_of(table, OWN, "A")[0].is_open


def test_the_desk_shows_what_waits_and_is_answered_there(browser: Callable[[], Browser], table: Services) -> None:
    proposals.propose(table, OWN, "A", SMALL)
    anna, elena, boris = (browser().sit(OWN, letter) for letter in "AEB")
    mine = anna.get(f"/c/{OWN}/desk").text
    assert "waits for Elena" in mine and "Withdraw it, and take my side off my sheet" in mine
    assert "1 proposal waits for your answer" in (theirs := elena.get(f"/c/{OWN}/desk").text)
    assert "Agree: put my side on my sheet" in theirs and "Proposal 1" not in boris.get(f"/c/{OWN}/desk").text
    done = elena.post(f"/c/{OWN}/proposals/1", {"agree": "true", "page": "desk"}, follow=True)
    assert done.url.path == f"/c/{OWN}/desk" and "You agree to proposal 1" in done.text
    assert "waits for your answer" not in done.text and "Decline after all" in done.text


def test_only_what_waits_is_counted(browser: Callable[[], Browser], table: Services) -> None:
    """The page of letters once called open what had been answered."""

    def counted(letter: str) -> list[str]:
        top = browser().sit(OWN, letter).get(f"/c/{OWN}/letters").text.split('href="#offers">Proposals</a>')[1]
        return re.findall(r"<span[^>]*>([^<]*)</span>", top.split("</ul>")[0])

    proposals.propose(table, OWN, "A", SMALL)
    assert (counted("A"), counted("E")) == (["1 waits for others"], ["1 waits for your answer"])
    proposals.answer(table, OWN, "E", 1, agree=True)
    assert (counted("A"), counted("E")) == ([], [])
    proposals.propose(table, OWN, "A", "PURGE B WITH D, E USING 3 PM DIVIDE A 1, D 1, E 1 ASKING D 0, E 5")
    proposals.answer(table, OWN, "D", 2, agree=False)
    assert counted("A") == counted("E") == []
    assert proposals.asked(table, OWN, "E") == 0


def test_the_victim_of_a_purge_is_asked_for_nothing(table: Services, browser: Callable[[], Browser]) -> None:
    lines = {"partner": ["A", "B", "E"], "asks": ["0", "2", "5"], "share": ["1", "3", "1"]}
    browser().sit(OWN, "A").post(f"/c/{OWN}/proposals", {"object": "B", "using": "3", **lines})
    assert proposals.proposals_of(table, OWN, "A")[0].orders["A"] == "PURGE B WITH E USING 3 PM DIVIDE A 1, E 1"


def test_what_was_done_with_a_proposal_is_told_beside_it(browser: Callable[[], Browser]) -> None:
    """The page scrolls to the proposals: at its top nobody would see it."""
    done = browser().sit(OWN, "A").post(f"/c/{OWN}/proposals", {"order": SMALL}, follow=True)
    assert done.text.count('class="flash') == 2  # and the sheet's new seal
    assert (
        done.text.index('id="offers"')
        < done.text.index("Proposal 1 is on its way")
        < done.text.index('id="proposal-1"')
    )


def test_what_waits_for_ones_answer_stands_first(browser: Callable[[], Browser], table: Services) -> None:
    proposals.propose(table, OWN, "E", "PURGE B WITH A USING 5 PM DIVIDE A 1, E 1")
    proposals.propose(table, OWN, "A", "GIVE 1 PM TO D FOR 1 AM")
    for page in ("letters", "desk"):
        text = browser().sit(OWN, "A").get(f"/c/{OWN}/{page}").text
        assert text.index('id="proposal-1"') < text.index('id="proposal-2"'), page


def test_a_sheet_that_comes_while_an_offer_is_declined_stands(table: Services) -> None:
    """What was answered "taken" is on file, whichever of the two came first."""
    for _ in range(6):
        made = proposals.propose(table, OWN, "A", SMALL)
        proposals.answer(table, OWN, "E", made.number, True)
        with ThreadPoolExecutor(2) as pool:
            declined = pool.submit(proposals.answer, table, OWN, "E", made.number, False)
            sent = pool.submit(intake.submit, table, OWN, "E", "VOTE END", source="api")
        declined.result()
        assert sent.result().status == "taken"
        assert sheet(table, "E") == "VOTE END"


def test_two_offers_declined_at_once_are_both_off_the_sheet(table: Services) -> None:
    for _ in range(6):
        made = [proposals.propose(table, OWN, who, "GIVE 1 PM TO E FOR 1 PM") for who in "AB"]
        for each in made:
            proposals.answer(table, OWN, "E", each.number, True)
        assert sheet(table, "E").count("GIVE") == 2
        with ThreadPoolExecutor(2) as pool:
            list(pool.map(lambda each: proposals.answer(table, OWN, "E", each.number, False), made))
        assert "GIVE" not in sheet(table, "E")


def test_what_was_proposed_is_not_said_to_be_told_to_nobody(table: Services, browser: Callable[[], Browser]) -> None:
    """Neither at the desk nor on the receipt; once it is declined, and of any other order, the note stands."""
    ben = browser().sit(OWN, "A")
    text = "GIVE 1 PM TO D FOR 1 AM"
    ben.post(f"/c/{OWN}/orders", {"orders": text})
    filed = intake.current_orders(table, OWN, "A")
    assert filed and "GIVE 1 AM TO A FOR 1 PM" in ben.get(f"/c/{OWN}/orders/{filed.id}").text
    made = proposals.propose(table, OWN, "A", text)
    assert "needs-mirror" not in {p.code for p in intake.preview_orders(table, OWN, "A", text).problems}
    assert "GIVE 1 AM TO A FOR 1 PM" not in ben.get(f"/c/{OWN}/orders/{filed.id}").text
    other = intake.preview_orders(table, OWN, "A", "GIVE 2 PM TO D FOR 1 AM").problems
    assert "needs-mirror" in {p.code for p in other}
    assert "needs-mirror" not in {p.code for p in intake.preview_orders(table, OWN, "D", made.orders["D"]).problems}
    proposals.answer(table, OWN, "D", made.number, agree=False)
    assert "needs-mirror" in {p.code for p in intake.preview_orders(table, OWN, "A", text).problems}


def test_the_sheet_that_a_proposal_makes_is_told_with_its_seal(table: Services, browser: Callable[[], Browser]) -> None:
    """And that whoever was ready no longer is."""
    ben, eric = browser().sit(OWN, "A"), browser().sit(OWN, "E")
    intake.submit(table, OWN, "A", "HOLD", source="web", ready=True)
    done = ben.post(f"/c/{OWN}/proposals", {"order": SMALL}, follow=True).text
    filed = intake.current_orders(table, OWN, "A")
    assert filed and f"Version {filed.version} of your sheet" in done and filed.receipt in done
    assert "You were ready and no longer are" in done
    (made,) = proposals.proposals_of(table, OWN, "E")
    done = eric.post(f"/c/{OWN}/proposals/{made.number}", {"agree": "true"}, follow=True).text
    filed = intake.current_orders(table, OWN, "E")
    assert filed and filed.receipt in done and "no longer are" not in done


@pytest.mark.parametrize(
    ("chosen", "words"),
    [
        ({"to": "E"}, "Nothing is offered yet"),
        ({"to": "E", "give": "1 PM"}, "Choose what you get from"),
        ({"to": "E", "want": "1 PM"}, "Choose what you give to"),
        ({"object": "B", "using": "1", "partner": "A", "asks": "0", "share": "1"}, "Choose who purges with you"),
    ],
)
def test_a_form_says_itself_what_it_lacks(
    table: Services, browser: Callable[[], Browser], chosen: dict[str, str], words: str
) -> None:
    done = browser().sit(OWN, "A").post(f"/c/{OWN}/proposals", chosen, follow=True)
    assert done.status_code == 200 and words in done.text and "cannot stand here" not in done.text
    assert "Offer this trade" in done.text and '<details class="card" open>' in done.text
    assert not proposals.proposals_of(table, OWN, "A")
